//! The canonical form of untrusted text: nothing in it is invisible, hidden, or reaches beyond its end.
//!
//! One-way and idempotent (law 1). What is escaped is shown as it was typed: `<b>` becomes `\<b>`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

use super::control::is_torn;
use super::encode::guard_lines;
use super::fence::{closer, options};
use super::line::{trim_blank_lines, trim_end};
use crate::invisible::{is_deceptive, is_selector, visible};

/// Most bytes of one body (1 MiB).
pub const BODY_LIMIT: usize = 1 << 20;

/// Passes in which single places are escaped; hostile text that still reveals more is then escaped throughout.
const CAREFUL_PASSES: usize = 4;

/// Cuts a text at [`BODY_LIMIT`], with a visible last line that says so.
pub fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= BODY_LIMIT {
        return Cow::Borrowed(text);
    }
    let mut kept = BODY_LIMIT;
    while !text.is_char_boundary(kept) {
        kept -= 1;
    }
    Cow::Owned(format!(
        "{}\n\n[cut here: the text has {} bytes, {kept} are kept]",
        &text[..kept],
        text.len()
    ))
}

/// The canonical form of a text.
pub fn canon(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = visible(&text).into_owned();
    let text = escape_references(&text);
    let text = text[trim_blank_lines(&text)].to_owned();
    let text = escape_torn(plain_fences(text));
    let mut text = escape_hidden(text);
    if let Some(fence) = closer(&guard_lines(&text).0) {
        text.push('\n');
        text.push_str(&fence);
    }
    text
}

/// Character references that would render as a deceptive character.
fn escape_references(text: &str) -> Cow<'_, str> {
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]*));")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    /// HTML's names of characters that show nothing.
    const NAMES: [&str; 14] = [
        "lrm",
        "rlm",
        "shy",
        "ZeroWidthSpace",
        "NegativeVeryThinSpace",
        "NegativeThinSpace",
        "NegativeMediumSpace",
        "NegativeThickSpace",
        "NoBreak",
        "ApplyFunction",
        "af",
        "InvisibleTimes",
        "it",
        "InvisibleComma",
    ];
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut places = Vec::new();
    for found in REFERENCE.captures_iter(text) {
        let number = found
            .get(1)
            .map(|hex| u32::from_str_radix(hex.as_str(), 16))
            .or_else(|| found.get(2).map(|decimal| decimal.as_str().parse()));
        let deceptive = match (number, found.get(3)) {
            (Some(Ok(number)), _) => char::from_u32(number)
                .is_none_or(|c| is_deceptive(c) || is_selector(c) || c == '\n' || c == '\0'),
            (_, Some(name)) => NAMES.contains(&name.as_str()) || name.as_str() == "ic",
            _ => false,
        };
        if let Some(whole) = found.get(0)
            && deceptive
            && !escaped(text, whole.start())
        {
            places.push(whole.start());
        }
    }
    Cow::Owned(insert_backslashes(text, places))
}

/// Renderers disagree whether a closing fence may have a tab behind it, so none is left there.
fn plain_fences(text: String) -> String {
    if !text.contains("`\t") && !text.contains("~\t") && !text.contains(" \t") {
        return text;
    }
    let lines = text.split('\n').map(|line| {
        let bare = trim_end(line);
        let marks = bare.trim_start_matches(' ');
        let fence = marks.len() >= 3
            && (marks.trim_matches('`').is_empty() || marks.trim_matches('~').is_empty());
        if fence { bare } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn escape_torn(text: String) -> String {
    if !text.contains("<!-- TORN -->") {
        return text;
    }
    let lines = text.split('\n').map(|line| match is_torn(trim_end(line)) {
        true => insert_backslashes(line, line.rfind("<!--").into_iter().collect()),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Escapes raw HTML, definitions of links and footnotes, and table cells that no column shows, until the stored text
/// has none.
fn escape_hidden(mut text: String) -> String {
    for pass in 0.. {
        if !text.contains(['<', '|']) && !text.contains("]:") {
            break;
        }
        let (stored, guards) = guard_lines(&text);
        let hidden = hidden_places(&stored);
        if hidden.is_empty() {
            break;
        }
        let back = |at: usize| at - guards.partition_point(|&guard| guard < at);
        let mut places: Vec<usize> = hidden.into_iter().map(back).collect();
        if pass >= CAREFUL_PASSES {
            places.extend(every_opener(&text));
            places.sort_unstable();
            places.dedup();
        }
        text = insert_backslashes(&text, places);
    }
    text
}

/// Where, in stored text, something stands that would not be shown by one renderer or another.
fn hidden_places(stored: &str) -> Vec<usize> {
    // A cell's border cuts a code span, a footnote's indentation makes a code block a paragraph: each way of reading
    // finds HTML where the others find none.
    let flavours = [Options::empty(), options(), options() | Options::ENABLE_FOOTNOTES];
    let mut places: Vec<usize> =
        flavours.iter().flat_map(|flavour| hidden_in(stored, *flavour)).collect();
    places.sort_unstable();
    places.dedup();
    places
}

fn hidden_in(stored: &str, flavour: Options) -> Vec<usize> {
    let mut places = Vec::new();
    let parser = Parser::new_ext(stored, flavour);
    let bracket = |range: Range<usize>| {
        stored[range.clone()].find('[').map(|at| range.start + at).into_iter()
    };
    let definitions = parser.reference_definitions().iter();
    places.extend(definitions.flat_map(|(_, definition)| bracket(definition.span.clone())));
    let mut last_cell = 0;
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => places.extend(tag_openers(stored, range)),
            Event::Start(Tag::FootnoteDefinition(_)) => places.extend(bracket(range)),
            Event::Start(Tag::TableCell) => last_cell = range.end,
            Event::End(TagEnd::TableRow) => {
                places.extend(excess_pipes(stored, last_cell..range.end))
            }
            _ => {}
        }
    }
    places
}

/// The borders in what a row has behind its last column; escaped, the words between them belong to that column.
fn excess_pipes(stored: &str, rest: Range<usize>) -> Vec<usize> {
    let text = stored.get(rest.clone()).unwrap_or_default();
    let shown = text.trim_end().strip_suffix('|').unwrap_or(text);
    let hides = shown.contains(|c: char| c != '|' && !c.is_whitespace());
    let pipes = shown.match_indices('|').map(|(at, _)| rest.start + at);
    pipes.filter(|&at| hides && !escaped(stored, at)).collect()
}

/// Every `<` in a range that could begin a tag, a comment, a declaration or an instruction.
fn tag_openers(text: &str, range: Range<usize>) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'<', &text.as_bytes()[range.clone()])
        .map(move |at| range.start + at)
        .filter(|&at| {
            let next = text.as_bytes().get(at + 1);
            next.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'))
                && !escaped(text, at)
        })
}

/// Every tag, definition and reference in a text as text, whatever stands around it.
pub(super) fn open_everywhere(text: &str) -> String {
    let text = escape_references(text);
    insert_backslashes(&text, every_opener(&text))
}

fn every_opener(text: &str) -> Vec<usize> {
    let brackets = text.match_indices("]:").map(|(at, _)| at).filter(|&at| !escaped(text, at));
    let mut places: Vec<usize> = tag_openers(text, 0..text.len()).chain(brackets).collect();
    places.sort_unstable();
    places
}

/// Whether an odd number of backslashes stands before byte `at`.
fn escaped(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].iter().rev().take_while(|&&b| b == b'\\').count() % 2 == 1
}

fn insert_backslashes(text: &str, places: Vec<usize>) -> String {
    let mut out = String::with_capacity(text.len() + places.len());
    let mut from = 0;
    for at in places {
        out.push_str(&text[from..at]);
        out.push('\\');
        from = at;
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_be_shown_is_shown() {
        for (text, shown) in [
            ("a <b>c</b>", "a \\<b>c\\</b>"),
            ("<!-- x\ny -->", "\\<!-- x\ny -->"),
            ("`<b>`", "`<b>`"),
            ("```\n<div>", "```\n<div>\n```"),
            ("[a]: http://x", "\\[a]: http://x"),
            ("[^1]: a note", "\\[^1]: a note"),
            ("|a|\n|-|\n|b|c|d|", "|a|\n|-|\n|b\\|c\\|d|"),
            ("|`a|b` <i> `c|\n|-|-|", "|`a|b` \\<i> `c|\n|-|-|"),
            ("x\r\ny\rz", "x\ny\nz"),
            ("a\u{202E}b", "a⟨U+202E⟩b"),
            ("a &#x202e; b &rlm;", "a \\&#x202e; b \\&rlm;"),
            ("```\nx <!-- TORN -->\n```", "```\nx \\<!-- TORN -->\n```"),
            ("<http://ok.example>", "<http://ok.example>"),
            ("\n\n  a\n \n", "  a"),
        ] {
            assert_eq!(canon(text), shown, "{text:?}");
            assert_eq!(canon(shown), shown);
        }
    }

    #[test]
    fn text_that_reveals_more_with_every_escape_ends_all_the_same() {
        let nested = "<!-- \n\n[a]: b\n".repeat(2000);
        let once = canon(&nested);
        assert_eq!(canon(&once), once);
    }

    #[test]
    fn a_cut_is_visible() {
        let long = "é".repeat(BODY_LIMIT);
        let kept = cut(&long);
        assert!(kept.contains("[cut here:") && kept.len() < BODY_LIMIT + 100);
    }
}
