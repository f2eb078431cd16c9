//! Tests for the markers and mentions that are read from a body, and for text that must be ignored.

use proptest::prelude::*;

use super::*;

const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n\n",
    "\n\n",
    "\n\n",
    " ",
    "  ",
    "   ",
    "    ",
    "\t",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "> ",
    "- [ ] ",
    "```",
    "````",
    "~~~",
    "```rust",
    "``` a`b",
    "`",
    "``",
    "VOTE: READY",
    "**VOTE:** READY",
    "__VOTE__: x",
    "VOTE: READY\n",
    "Q: why?",
    "A: Q1 so",
    "TODO: it",
    "DECISION: this",
    "@rob",
    "@a",
    "+1 D2",
    "text",
    "a b",
    "Text goes on",
    "# ",
    "## T",
    "---",
    "===",
    "***",
    "* * *",
    "___",
    "| a | b |\n|---|---|\n",
    "| x | @rob |\n",
    "<div>",
    "</div>",
    "<b>",
    "<!-- x",
    "-->",
    "<pre>",
    "<https://a.b>",
    "a < b",
    "[a]",
    "[a]: /x",
    "[a](b)",
    "![a](b)",
    "]:",
    "(",
    ")",
    "\"",
    "**",
    "*",
    "__",
    "_",
    "~~",
    "~",
    "\\",
    "&amp;",
    "é",
    "日本",
    "\u{FEFF}",
    "\u{A0}",
    "\r",
    "\u{B}",
    "\u{C}",
    "!",
    "=",
    "|",
    "2026 was",
    "%",
    "'",
];

fn cases() -> ProptestConfig {
    let cases = std::env::var("LAW_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(4000),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn body_read_in_sections_equals_body_read_at_once(
        pieces in prop::collection::vec(
            prop_oneof![3 => Just("\n\n"), 3 => Just("\n"), 9 => prop::sample::select(PIECES)],
            0..24,
        )
    ) {
        let text = pieces.concat();
        let text = &text[super::super::line::trim_blank_lines(&text)];
        let comment = Comment::plain(text);
        let markers = MarkerSet::default();
        let whole = read_in(&comment, &markers, |text| std::iter::once(0..text.len()));
        let cut = read_in(&comment, &markers, sections);
        let sections: Vec<_> = sections(text).collect();
        prop_assert_eq!(format!("{cut:?}"), format!("{whole:?}"), "{:?} {:?}", text, sections);
    }

    #[test]
    fn skipped_lines_contain_no_marker(
        pieces in prop::collection::vec(
            prop_oneof![
                2 => Just("\n"),
                2 => Just(":"),
                2 => prop::sample::select(&["vOTe", "X_1", "x", "X__", "**", ": "][..]),
                4 => prop::sample::select(PIECES),
            ],
            0..24,
        )
    ) {
        let text = pieces.concat();
        let markers = MarkerSet::with(["X_1".to_owned()]);
        let found = |line: SourceLine<'_>| {
            let found = candidate(line.text, line.start, &markers)?;
            Some((line.number, line.start, format!("{found:?}")))
        };
        let told: Vec<_> = telling_lines(&text, 7).filter_map(found).collect();
        let all: Vec<_> = Lines::from(&text, 0, 7).filter_map(found).collect();
        prop_assert_eq!(told, all, "{:?}", text);
    }
}
