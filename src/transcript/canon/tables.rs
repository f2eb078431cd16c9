//! Rows with more cells than their table has columns: what stands in those cells is not shown.
//!
//! Renderers agree neither on where a table may begin nor on its header, so its line of dashes alone decides.

use super::super::line::{Lines, is_blank, trim};
use super::edit::Edit;
use super::escaped;

/// For each row that holds too much: a byte that is code when its line lies in a block of code, and the border that has
/// to be text.
pub(super) fn places(text: &str) -> Vec<(usize, Edit)> {
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
            // A span of code ends before its line does.
            let last = line.end() == text.len() && line.text.starts_with([' ', '\t']);
            let code = if last { line.start } else { line.end() };
            // Without a border before the dashes, one before a row begins a second column to some.
            let inner = from + usize::from(framed);
            places.extend(excess(text, inner, from, row, columns).map(|edit| (code, edit)));
        }
    }
    places
}

/// How many columns a line of dashes makes.
fn columns(row: &str) -> Option<usize> {
    let dashes = row.bytes().all(|b| matches!(b, b'|' | b':' | b'-' | b' ' | b'\t'));
    if !dashes || !row.contains(['|', ':']) {
        return None;
    }
    // A dash may be a list's.
    let bare = trim(row);
    let bare = bare.strip_prefix("- ").map_or(bare, trim);
    let bare = bare.strip_prefix('|').unwrap_or(bare);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    Some(bare.matches('|').count() + 1)
}

/// The borders behind the last column; escaped, the words between them belong to that column.
fn excess(
    text: &str,
    inner: usize,
    from: usize,
    row: &str,
    columns: usize,
) -> impl Iterator<Item = Edit> {
    let borders = row
        .match_indices('|')
        .map(|(nth, _)| from + nth)
        .filter(|&at| at >= inner && !escaped(text, at));
    let behind: Vec<usize> = borders.skip(columns - 1).collect();
    let shown = from + row.trim_end().strip_suffix('|').unwrap_or(row).len();
    let hides = behind.first().is_some_and(|&first| {
        text[first..shown.max(first)].contains(|c: char| c != '|' && !c.is_whitespace())
    });
    behind.into_iter().filter(move |&at| hides && at < shown).map(Edit::backslash)
}
