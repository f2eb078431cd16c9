//! Finds table rows with more cells than their table has columns: renderers do not show the extra cells.
//!
//! Renderers disagree about where a table may begin and about its header, so only its line of dashes counts here.

use super::super::line::{Lines, is_blank, trim};
use super::edit::TextEdit;
use super::escaped;

/// Returns an escape for each extra border, with the position of a byte of the same line. If that byte is code, the
/// whole line is in a code block.
pub(super) fn places(text: &str) -> Vec<(usize, TextEdit)> {
    let mut places = Vec::new();
    let (mut columns, mut framed) = (None, false);
    for line in Lines::from(text, 0, 1) {
        let row = line.text.trim_start_matches([' ', '\t', '>']);
        if is_blank(row) {
            columns = None;
        } else if let Some(count) = self::columns(row) {
            columns = Some(columns.map_or(count, |before: usize| before.min(count)));
            framed = row.starts_with('|');
        } else if let Some(columns) = columns {
            let from = line.end() - row.len();
            // A code span ends before the end of its line, so this byte is code only in a code block.
            let last = line.end() == text.len() && line.text.starts_with([' ', '\t']);
            let code = if last { line.start } else { line.end() };
            // If there is no border before the dashes, some renderers take a border at the start of a row for the
            // beginning of a second column.
            let inner = from + usize::from(framed);
            places.extend(excess(text, inner, from, row, columns).map(|edit| (code, edit)));
        }
    }
    places
}

/// Returns the number of columns that a line of dashes defines.
fn columns(row: &str) -> Option<usize> {
    let dashes = row.bytes().all(|b| matches!(b, b'|' | b':' | b'-' | b' ' | b'\t'));
    if !dashes || !row.contains(['|', ':']) {
        return None;
    }
    // The first dash may be a list mark.
    let bare = trim(row);
    let bare = bare.strip_prefix("- ").map_or(bare, trim);
    let bare = bare.strip_prefix('|').unwrap_or(bare);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    Some(bare.matches('|').count() + 1)
}

/// Returns escapes for the borders after the last column; the text between them then belongs to that column.
fn excess(
    text: &str,
    inner: usize,
    from: usize,
    row: &str,
    columns: usize,
) -> impl Iterator<Item = TextEdit> {
    let borders = row
        .match_indices('|')
        .map(|(nth, _)| from + nth)
        .filter(|&at| at >= inner && !escaped(text, at));
    let behind: Vec<usize> = borders.skip(columns - 1).collect();
    let shown = from + row.trim_end().strip_suffix('|').unwrap_or(row).len();
    let hides = behind.first().is_some_and(|&first| {
        text[first..shown.max(first)].contains(|c: char| c != '|' && !c.is_whitespace())
    });
    behind.into_iter().filter(move |&at| hides && at < shown).map(TextEdit::backslash)
}
