use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::*;

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Sample {
    alias: String,
    kind: Kind,
    on: bool,
    size: u8,
    list: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Voting,
    Background,
}

fn error(text: &str) -> String {
    read::<Sample>(text, "a.yaml").unwrap_err().to_string()
}

#[test]
fn misspelt_key_is_shown_with_the_nearest_one() {
    insta::assert_snapshot!(error("# a comment\naliass: x\n"), @r"
    a.yaml:2:1: unknown key `aliass`
      |
    2 | aliass: x
      | ^
    help: did you mean `alias`?
    ");
}

#[test]
fn unknown_key_without_a_similar_one_gets_the_list() {
    insta::assert_snapshot!(error("zzz: x\n"), @r"
    a.yaml:1:1: unknown key `zzz`
      |
    1 | zzz: x
      | ^
    help: known keys: `alias`, `kind`, `on`, `size`, `list`
    ");
}

#[test]
fn misspelt_value_is_shown_with_the_nearest_one() {
    insta::assert_snapshot!(error("alias: x\nkind: votting\n"), @r"
    a.yaml:2:7: unknown value `votting`
      |
    2 | kind: votting
      |       ^
    help: did you mean `voting`?
    ");
}

#[test]
fn words_that_look_like_booleans_stay_words() {
    let sample: Sample = read("alias: no\nlist: [yes, off]\n", "a.yaml").unwrap();
    assert_eq!((sample.alias.as_str(), sample.list), ("no", vec!["yes".into(), "off".into()]));
    insta::assert_snapshot!(error("on: yes\n"), @r"
    a.yaml:1:5: expected `true` or `false`
      |
    1 | on: yes
      |     ^
    ");
}

#[test]
fn wrong_type_names_the_expected_type() {
    insta::assert_snapshot!(error("size: 300\n"), @r"
    a.yaml:1:7: expected a whole number from 0 to 255
      |
    1 | size: 300
      |       ^
    ");
    insta::assert_snapshot!(error("list: word\n"), @r"
    a.yaml:1:7: expected a list
      |
    1 | list: word
      |       ^
    ");
    insta::assert_snapshot!(error("alias: [a]\n"), @r"
    a.yaml:1:8: expected one value
      |
    1 | alias: [a]
      |        ^
    ");
}

#[test]
fn broken_yaml_has_a_place() {
    insta::assert_snapshot!(error("alias: x\nlist: [a, b\nkind: voting\n"), @r"
    a.yaml:3:5: illegal placement of ':' indicator
      |
    3 | kind: voting
      |     ^
    ");
    insta::assert_snapshot!(error("alias: x\n\tkind: voting\n"), @r"
    a.yaml:1:8: while scanning a plain scalar, found a tab
      |
    1 | alias: x
      |        ^
    ");
}

#[test]
fn duplicate_key_is_an_error() {
    insta::assert_snapshot!(error("alias: x\nalias: y\n"), @r"
    a.yaml:2:1: the key `alias` is given twice
      |
    2 | alias: y
      | ^
    ");
}

#[test]
fn second_document_is_an_error() {
    insta::assert_snapshot!(error("alias: x\n---\nalias: y\n"), @r"
    a.yaml:3:1: a second YAML document begins here
      |
    3 | alias: y
      | ^
    help: keep one document per file: remove the `---` line above
    ");
}

#[test]
fn alias_bomb_is_refused() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for n in 1..9 {
        let list = vec![format!("*a{}", n - 1); 10].join(", ");
        text.push_str(&format!("a{n}: &a{n} [{list}]\n"));
    }
    let message = read::<serde_json::Value>(&text, "bomb.yaml").unwrap_err().message;
    assert_eq!(message, "too large or too deeply nested to be read");
}

#[test]
fn deep_nesting_is_refused() {
    let text = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(read::<serde_json::Value>(&text, "deep.yaml").is_err());
}

#[test]
fn empty_text_is_an_empty_mapping() {
    for text in ["", "\n", "# nothing\n", "\u{feff}"] {
        assert_eq!(read::<Sample>(text, "a.yaml").unwrap(), Sample::default(), "{text:?}");
    }
}

#[test]
fn bom_and_crlf_change_nothing() {
    let sample: Sample = read("\u{feff}alias: x\r\nkind: background\r\n", "a.yaml").unwrap();
    assert_eq!((sample.alias.as_str(), sample.kind), ("x", Kind::Background));
}

#[test]
fn control_characters_of_a_line_are_not_shown() {
    let error = LoadError::at("a.yaml", "x\u{1b}[2Jy\tz", 1, (1, 3), "bad");
    insta::assert_snapshot!(error, @r"
    a.yaml:1:3: bad
      |
    1 | x [2Jy z
      |   ^
    ");
}

#[test]
fn long_line_is_shown_in_part() {
    let text = format!("{}!{}", "a".repeat(500), "b".repeat(500));
    let shown = LoadError::at("a.yaml", &text, 1, (1, 501), "bad").to_string();
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines[2].find('!'), lines[3].find('^'));
    assert!(lines[2].len() < 140);
}

#[test]
fn front_matter_is_split_with_its_lines() {
    let text = "---\nid: x\naliass: y\n---\n\n# Title\n";
    let parts = front_matter(text).unwrap();
    assert_eq!(parts.yaml, "id: x\naliass: y\n");
    assert_eq!((parts.yaml_line, parts.body, parts.body_line), (2, "\n# Title\n", 5));
    let error = read_at::<BTreeMap<String, u8>>(parts.yaml, "t.md", parts.yaml_line).unwrap_err();
    assert_eq!((error.line, &*error.source_line), (2, "id: x"));
}

#[test]
fn text_without_closed_front_matter_has_none() {
    for text in ["", "# Title\n", "---\nid: x\n", "\n---\n---\n"] {
        assert_eq!(front_matter(text), None, "{text:?}");
    }
    assert_eq!(front_matter("\u{feff}---\r\na: 1\r\n---\r\nb").unwrap().body, "b");
    assert_eq!(front_matter("---\n---").unwrap().yaml, "");
}

#[test]
fn written_value_reads_back() {
    let sample = Sample {
        alias: "no".into(),
        kind: Kind::Background,
        on: true,
        size: 3,
        list: vec!["a: b".into(), "two\nlines\n".into(), "---".into(), String::new()],
    };
    assert_eq!(read::<Sample>(&write(&sample).unwrap(), "a.yaml").unwrap(), sample);
}

proptest::proptest! {
    #[test]
    fn any_text_reads_back(text: String, words in proptest::collection::vec("[ \\t\\n\\r:#>|'\"a-c-]{0,12}", 0..4)) {
        let sample = Sample { alias: text, list: words, ..Sample::default() };
        let written = write(&sample).unwrap();
        proptest::prop_assert_eq!(read::<Sample>(&written, "a.yaml").unwrap(), sample, "{}", written);
    }
}

#[test]
fn caret_is_aligned_below_any_characters() {
    for (before, shown, columns) in [
        ("", "", 0),
        ("\t", " ", 1),
        ("決定を", "決定を", 6),
        ("ｗｉｄｅ", "ｗｉｄｅ", 8),
        ("cafe\u{301}", "cafe\u{301}", 4),
        ("می\u{200C}خواهم", "می\u{200C}خواهم", 7),
        ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧", 2),
        ("a\u{200B}b", "a⟨U+200B⟩b", 10),
        ("\u{202E}", "⟨U+202E⟩", 8),
    ] {
        let line = format!("{before}x y");
        let column = before.chars().count() + 1;
        let error = LoadError::at("a", &line, 1, (1, column), "no").to_string();
        let caret = " ".repeat(columns);
        assert_eq!(error, format!("a:1:{column}: no\n  |\n1 | {shown}x y\n  | {caret}^"));
    }
}

#[test]
fn long_line_of_wide_characters_is_cut_to_terminal_width() {
    let line = "決".repeat(500);
    let error = LoadError::at("a", &line, 1, (1, 301), "no").to_string();
    let wide = "決".repeat(60);
    let caret = " ".repeat(60);
    assert_eq!(error, format!("a:1:301: no\n  |\n1 | {wide}\n  | {caret}^"));
}
