use std::collections::BTreeMap;

use super::lines;
use crate::cli::line::Line;

/// Returns the text as it is shown without colours.
fn plain(text: &str, width: usize) -> String {
    numbered(text, &[], width)
}

fn numbered(text: &str, numbers: &[(usize, &str)], width: usize) -> String {
    let numbers: BTreeMap<usize, String> =
        numbers.iter().map(|(line, number)| (*line, (*number).to_owned())).collect();
    let shown: Vec<String> = lines(text, &numbers, width)
        .iter()
        .map(|line| anstream::adapter::strip_str(&line.render()).to_string())
        .collect();
    shown.join("\n")
}

#[test]
fn blocks_are_rendered_without_markup() {
    let text = "## Why\n\nA **bold** and *slanted* `word`, [linked](https://example.org).\n\n> Somebody else's\n> \
                words\n\n1. one\n2. two\n   - deeper\n\n- [ ] open\n- [x] done\n\n```sh\nls  -l\n\n\tx\n```\n\n---\n\nEnd.";
    insta::assert_snapshot!(plain(text, 44), @r"
    Why

    A bold and slanted `word`, linked
    (https://example.org).

    │ Somebody else's words

    1. one
    2. two
       • deeper

    • [ ] open
    • [x] done

        ls  -l

            x

    * * *

    End.
    ");
}

#[test]
fn paragraphs_of_one_item_stay_separate() {
    assert_eq!(plain("- a\n\n  b\n- c", 20), "• a\n\n  b\n\n• c");
    assert_eq!(plain("> a\n>\n> b", 20), "│ a\n│\n│ b");
    assert_eq!(plain("-\n- x", 20), "•\n• x");
}

#[test]
fn marker_lines_stay_lines_with_their_numbers() {
    let text = "First\nline.\n\nQ: who?\nTODO: do\n  it\n\n- [ ] TODO: more\n\n**Q:** bold?";
    let shown = numbered(text, &[(3, "Q1"), (4, "T1"), (7, "T2"), (9, "Q2")], 60);
    insta::assert_snapshot!(shown, @r"
    First line.

    [Q1] Q: who?
    [T1] TODO: do it

    • [ ] [T2] TODO: more

    [Q2] Q: bold?
    ");
}

const TABLE: &str = "| Option | Cost | Why |\n|---|--:|---|\n| bigint | 8 | small, and it needs coordination |\n| \
                     UUIDv7 | 16 | no coordination |\n";

#[test]
fn table_is_laid_out_in_columns() {
    insta::assert_snapshot!(plain(TABLE, 60), @r"
    Option  Cost  Why
    ──────  ────  ────────────────────────────────
    bigint     8  small, and it needs coordination
    UUIDv7    16  no coordination
    ");
}

#[test]
fn narrow_table_wraps_between_words_and_then_becomes_lists() {
    insta::assert_snapshot!(plain(TABLE, 32), @r"
    Option  Cost  Why
    ──────  ────  ──────────────────
    bigint     8  small, and it
                  needs coordination
    UUIDv7    16  no coordination
    ");
    insta::assert_snapshot!(plain(TABLE, 22), @r"
    • Option: bigint
      Cost: 8
      Why: small, and it
        needs coordination
    • Option: UUIDv7
      Cost: 16
      Why: no coordination
    ");
}

#[test]
fn wide_characters_keep_columns_aligned() {
    let table = "| 名 | b |\n|---|---|\n| 認証 | x |\n| a | y |\n";
    assert_eq!(plain(table, 40), "名    b\n────  ─\n認証  x\na     y");
}

#[test]
fn nested_or_hostile_markup_is_shown_as_text() {
    let deep = format!("{}x", "> ".repeat(500));
    assert!(plain(&deep, 40).lines().all(|line| Line::from(line).width() <= 40));
    assert_eq!(plain("a\u{1b}[2Jb <b>c</b>", 40), "a⟨U+001B⟩[2Jb <b>c</b>");
}
