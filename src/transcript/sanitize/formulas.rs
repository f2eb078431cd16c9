//! Formulas between dollar signs. A formula is kept if all renderers that support formulas show it alike; otherwise
//! its dollars are escaped and it becomes text.

use std::ops::Range;

use super::super::line::{Lines, SourceLine, is_blank, paragraph, trim_start};
use super::super::lookalike::COLONS;
use super::{TextEdit, escaped, holds};

/// Commands by which a formula hides words, or makes other commands hide them.
const HIDING: [&str; 25] = [
    "phantom",
    "hphantom",
    "vphantom",
    "color",
    "textcolor",
    "colorbox",
    "fcolorbox",
    "tiny",
    "def",
    "gdef",
    "edef",
    "xdef",
    "let",
    "futurelet",
    "newcommand",
    "renewcommand",
    "providecommand",
    "global",
    "rlap",
    "llap",
    "tag",
    "href",
    "url",
    "includegraphics",
    "mathchoice",
];

/// Returns the display formulas of a text: a line `$$`, lines of text, and a line `$$`; or one line between two `$$`.
pub(super) fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    if !text.contains("$$") {
        return blocks;
    }
    let mut below_blank = true;
    for line in Lines::from(text, 0, 1) {
        if blocks.last().is_none_or(|last| last.end <= line.start) && below_blank {
            blocks.extend(block(text, line).map(|end| line.start..end));
        }
        below_blank = is_blank(line.text);
    }
    blocks
}

/// Returns an escape for every place outside these blocks where a formula would begin or hide something, inside and
/// outside of code.
pub(super) fn places(text: &str, blocks: &[Range<usize>]) -> Vec<TextEdit> {
    let mut places = Vec::new();
    let (mut below, mut broken_paragraph) = (0, false);
    for line in Lines::from(text, 0, 1) {
        if line.start >= below {
            let lines = paragraph(text, line.start);
            (below, broken_paragraph) = (line.start + lines.len(), is_broken(lines));
        }
        let bytes = line.text.as_bytes();
        let dollar = |at: usize| bytes.get(at) == Some(&b'$');
        let (mut formula, mut block, mut broken) = (None, None, None);
        for nth in memchr::memchr3_iter(b'$', b'\\', b'%', bytes) {
            let escape = match bytes[nth] {
                b'$' if dollar(nth + 1) || (nth > 0 && dollar(nth - 1)) => {
                    !*block.get_or_insert_with(|| holds(blocks, line.start))
                }
                b'$' => broken_paragraph || *broken.get_or_insert_with(|| is_broken(line.text)),
                // A percent sign begins a comment in a formula.
                b'%' => {
                    let dollars = || Some((line.text.find('$')?, line.text.rfind('$')?));
                    let formula = *formula.get_or_insert_with(dollars);
                    formula.is_some_and(|(first, last)| first < nth && nth < last)
                }
                _ => hides(&line.text[nth + 1..]),
            };
            if escape && !escaped(line.text, nth) {
                places.push(TextEdit::backslash(line.start + nth));
            }
        }
    }
    places
}

/// Returns true if a formula in these lines has an error, because some renderers then show only the letters around
/// the error. Errors are unbalanced braces and runs of backticks, because the escape of a backtick is an error.
fn is_broken(lines: &str) -> bool {
    let (Some(first), Some(last)) = (lines.find('$'), lines.rfind('$')) else { return false };
    let inner = &lines[first..last];
    inner.contains("``")
        || inner.matches('{').count() != inner.matches('}').count()
        || has_stray_mark(lines)
}

/// Returns true if a formula between single dollars contains a character that is an error there. KaTeX then shows
/// only fifteen characters around the error.
fn has_stray_mark(lines: &str) -> bool {
    if !lines.contains(['&', '#', '<']) {
        return false;
    }
    let dollars: Vec<usize> =
        memchr::memchr_iter(b'$', lines.as_bytes()).filter(|&at| !escaped(lines, at)).collect();
    dollars.windows(2).enumerate().any(|(nth, pair)| {
        let inner = &lines[pair[0] + 1..pair[1]];
        // Some renderers pair up all dollars in order; others pair only dollars that touch a letter or symbol, at one
        // end at least.
        let blank = char::is_whitespace;
        let paired = nth % 2 == 0 || !(inner.starts_with(blank) && inner.ends_with(blank));
        paired && has_mark(inner)
    })
}

/// Returns true if a text begins like a tag. Its `<` is stored as `&lt;`, and the `&` of that is an error in a
/// formula.
fn is_tag(text: &str) -> bool {
    text[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// Returns true if a formula contains a character that is only valid between the cells of a table or in a definition.
fn has_mark(formula: &str) -> bool {
    let mut marks = memchr::memchr3_iter(b'&', b'#', b'<', formula.as_bytes());
    marks.any(|at| {
        !escaped(formula, at) && (formula.as_bytes()[at] != b'<' || is_tag(&formula[at..]))
    })
}

/// Returns true if the text after a backslash is a command that hides words.
fn hides(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    HIDING.contains(&&text[..end]) || text.starts_with("html")
}

/// Returns the end of a display formula that begins on this line.
fn block(text: &str, line: SourceLine<'_>) -> Option<usize> {
    // Some renderers do not take the dollars as the end if a blank follows them.
    let bare = trim_start(line.text);
    if line.text.len() - trim_start(line.text).len() > 3 {
        return None;
    }
    let inner = bare.strip_prefix("$$")?;
    let begins_table = |text: &str| text.contains("\\begin{");
    if let Some(inner) = inner.strip_suffix("$$") {
        let fine = is_formula(inner) && (begins_table(inner) || !has_mark(inner));
        return (fine && !is_blank(inner)).then_some(line.next);
    }
    if !inner.is_empty() {
        return None;
    }
    let mut table = false;
    for inner in Lines::from(text, line.next, 1) {
        let bare = trim_start(inner.text);
        if bare == "$$" {
            return (inner.start > line.next).then_some(inner.next);
        }
        let begins = bare.as_bytes().first();
        let plain =
            begins.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'\\' | b'(' | b'&'));
        table |= begins_table(bare);
        if !plain || !is_formula(bare) || (!table && has_mark(bare)) {
            return None;
        }
    }
    None
}

/// Returns true if the text can only be a formula. Text with a colon is refused, because it might look like a vote
/// and be marked as one.
fn is_formula(text: &str) -> bool {
    let reference = || {
        text.match_indices('&').any(|(at, _)| {
            text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '#')
        })
    };
    !text.contains(['$', '`', '<', '%'])
        && !text.contains(COLONS)
        && !text.ends_with('\\')
        && !reference()
}
