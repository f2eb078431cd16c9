//! Formulas between dollars: kept where every renderer that knows them sees the same one, and text everywhere else.

use std::ops::Range;

use super::super::line::{Line, Lines, is_blank, paragraph, trim_start};
use super::super::lookalike::COLONS;
use super::edit::Edit;
use super::{escaped, holds};

/// Commands by which a formula hides words, or says that others do.
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

/// The display formulas of a text: a line `$$`, lines of text, a line `$$`; or one line between two `$$`.
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

/// Every place outside these blocks where a formula would begin or hide something, code or not, with its escape.
pub(super) fn places(text: &str, blocks: &[Range<usize>]) -> Vec<Edit> {
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
                places.push(Edit::backslash(line.start + nth));
            }
        }
    }
    places
}

/// Whether a formula of these lines has an error, of which some show only the letters around it: a brace without its
/// other, or backticks, which are escaped.
fn is_broken(lines: &str) -> bool {
    let (Some(first), Some(last)) = (lines.find('$'), lines.rfind('$')) else { return false };
    let inner = &lines[first..last];
    inner.contains("``")
        || inner.matches('{').count() != inner.matches('}').count()
        || has_stray_mark(lines)
}

/// Whether some formula between single dollars holds a sign that is an error there: KaTeX then shows fifteen characters
/// around the sign and none of the others.
fn has_stray_mark(lines: &str) -> bool {
    if !lines.contains(['&', '#', '<']) {
        return false;
    }
    let dollars: Vec<usize> =
        memchr::memchr_iter(b'$', lines.as_bytes()).filter(|&at| !escaped(lines, at)).collect();
    dollars.windows(2).enumerate().any(|(nth, pair)| {
        let inner = &lines[pair[0] + 1..pair[1]];
        // Some take every dollar for one of a pair, some only those beside a letter or a sign, at one end at least.
        let blank = char::is_whitespace;
        let paired = nth % 2 == 0 || !(inner.starts_with(blank) && inner.ends_with(blank));
        paired && has_mark(inner)
    })
}

/// Whether this begins as a tag does: its `<` is stored as `&lt;`, and the `&` of that is a stray mark.
fn is_tag(text: &str) -> bool {
    text[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// Whether a sign stands here that means something between the cells of a table only, or in a definition.
fn has_mark(formula: &str) -> bool {
    let mut marks = memchr::memchr3_iter(b'&', b'#', b'<', formula.as_bytes());
    marks.any(|at| {
        !escaped(formula, at) && (formula.as_bytes()[at] != b'<' || is_tag(&formula[at..]))
    })
}

/// Whether the text behind a backslash is a command that hides.
fn hides(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    HIDING.contains(&&text[..end]) || text.starts_with("html")
}

/// The end of a formula that this line opens.
fn block(text: &str, line: Line<'_>) -> Option<usize> {
    // To some a blank behind the dollars is no end.
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

/// Text that means nothing but a formula. One with a colon might be marked as somebody's vote.
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
