//! Finds lines that begin, in some dialect, a block that hides or folds text, or that ends only with the file.

use std::ops::Range;

use super::super::line::{Lines, trim, trim_start};
use super::edit::TextEdit;

/// The maximum nesting of quotes and lists; markdown-it stops at a hundred blocks, and each list takes two.
const DEEPEST: usize = 40;

/// Returns an escape for every line outside of formulas that begins one of these blocks, in code and elsewhere.
pub(super) fn places(text: &str, formulas: &[Range<usize>]) -> Vec<TextEdit> {
    let mut places = Vec::new();
    let mut formulas = formulas.iter().peekable();
    for line in Lines::from(text, 0, 1) {
        while formulas.next_if(|formula| formula.end <= line.start).is_some() {}
        if formulas.peek().is_some_and(|formula| formula.start <= line.start) {
            continue;
        }
        let bare = trim_start(line.text);
        // Most lines begin with a letter, and no block does.
        if bare.as_bytes().first().is_none_or(|first| first.is_ascii_alphabetic()) {
            continue;
        }
        let mut stages = stages(line.text).enumerate();
        let opening = stages.find(|&(depth, column)| {
            let at = line.start + column;
            let rest = &text[at..line.end()];
            is_too_deep(depth, column, rest) || opens(text, at, rest)
        });
        places.extend(opening.map(|(_, column)| TextEdit::backslash(line.start + column)));
    }
    places
}

/// Returns escapes for every line in a code span that some dialect takes for the beginning of a block: those of
/// [`places`], formulas and comments.
pub(super) fn line_beginnings(span: &str) -> Vec<TextEdit> {
    let mut edits = places(span, &[]);
    for line in Lines::from(span, 0, 1) {
        for at in stages(line.text) {
            let rest = &line.text[at..];
            let marks = match rest.as_bytes() {
                [b'$', b'$', ..] => rest.bytes().take_while(|&b| b == b'$').count(),
                // A backslash between the two percent signs breaks the comment mark.
                [b'%', b'%', ..] => 2,
                _ => continue,
            };
            let first = usize::from(rest.starts_with('%'));
            edits.extend((first..marks).map(|nth| TextEdit::backslash(line.start + at + nth)));
        }
    }
    edits
}

/// Returns true if a quote or list begins so deep that some renderers drop its contents.
fn is_too_deep(depth: usize, column: usize, rest: &str) -> bool {
    (depth >= DEEPEST || column >= 2 * DEEPEST) && rest.starts_with(['>', '-', '*', '+'])
}

/// Returns the positions in a line where its text may begin: after each quote mark, list mark and checkbox.
fn stages(line: &str) -> impl Iterator<Item = usize> {
    let mut next = Some(line.len() - trim_start(line).len());
    std::iter::from_fn(move || {
        let at = next?;
        let rest = &line[at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = match rest.as_bytes() {
            [b'>', ..] => Some(1),
            [b'-' | b'*' | b'+', b' ' | b'\t', ..] => Some(1),
            [b'[', b' ' | b'x' | b'X', b']', b' ' | b'\t', ..] => Some(3),
            bytes if (1..=9).contains(&digits) => {
                matches!(bytes.get(digits..digits + 2), Some([b'.' | b')', b' ' | b'\t']))
                    .then_some(digits + 1)
            }
            _ => None,
        };
        next = behind.map(|length| {
            let rest = &rest[length..];
            line.len() - trim_start(rest).len()
        });
        Some(at)
    })
}

/// Returns true if the text at byte `at` opens a block; `rest` is the rest of its line.
fn opens(text: &str, at: usize, rest: &str) -> bool {
    let bytes = rest.as_bytes();
    match bytes {
        // Quotations that end with a second line of this kind.
        [b'>', b'>', b'>', ..] => {
            let behind = trim(rest.trim_start_matches('>'));
            // GitLab's alerts open a quotation too.
            behind.is_empty() || behind.starts_with("[!")
        }
        // Containers of site generators, and folded or framed blocks of Python-Markdown.
        [b':', b':', ..] | [b'?', b'?', b'?', ..] | [b'!', b'!', b'!', ..] => true,
        // A description, which turns the paragraph above it into a term.
        [b':' | b'~', b' ' | b'\t', ..] => true,
        // Definitions of links, footnotes and abbreviations, and a folded note.
        [b'[', ..] => defines(text, at) || folds(rest) || rest.trim() == "[TOC]",
        [b'*', b'[', ..] => defines(text, at + 1),
        [b'\\', ..] => rest.starts_with("\\begin{"),
        // Python also strips other kinds of blanks.
        _ => !rest.is_ascii() && rest.trim() == "[TOC]",
    }
}

/// Returns true if the bracket at this byte is closed directly before a colon.
fn defines(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let (mut escape, mut first) = (false, true);
    for at in at + 1..bytes.len() {
        match bytes[at] {
            b']' => {
                // Some renderers ignore a backslash before the first closing bracket.
                if (first || !escape) && bytes.get(at + 1) == Some(&b':') {
                    return true;
                }
                if !escape {
                    return false;
                }
                first = false;
            }
            b'[' if !escape => return false,
            _ => {}
        }
        escape = bytes[at] == b'\\' && !escape;
    }
    false
}

/// Matches `[!note]-`: a note of which only the title is shown.
fn folds(rest: &str) -> bool {
    rest.starts_with("[!")
        && rest.find(']').is_some_and(|end| rest[end + 1..].starts_with(['-', '+']))
}
