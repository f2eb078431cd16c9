//! Fences as every renderer takes them for fences: at the margin, with one word behind, and closed by what opened them.

use std::ops::Range;

use super::super::fence::fence_of;
use super::super::line::is_blank;
use super::edit::Edit;

/// What has to change in a fenced block. Words behind the fence, which nobody would see, become its first line: some
/// renderers take a fence with more than one word for none, others its first lines for a table.
pub(super) fn normal(stored: &str, block: Range<usize>, top: bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    let text = &stored[block.clone()];
    let first = text.lines().next().unwrap_or_default();
    let Some((mark, length)) = fence_of(first) else { return edits };
    let start = stored[..block.start].rfind('\n').map_or(0, |end| end + 1);
    let indent = first.len() - first.trim_start_matches(' ').len();
    let fence = block.start + indent;
    let before = &stored[start..fence];
    if top && !before.is_empty() && is_blank(before) {
        edits.push(Edit { at: start, gone: before.len(), put: "".into() });
    }
    let rest = &first[indent + length..];
    let info = rest.trim();
    let word = info.find(|c| !is_word(c)).unwrap_or(info.len());
    if word < info.len() {
        let prefix: String = before.chars().map(|c| if c == '>' { '>' } else { ' ' }).collect();
        let prefix = if top { "" } else { prefix.as_str() };
        // A line of the fence's own mark would close it.
        let apart = if info.starts_with(mark) { "    " } else { "" };
        let put = format!("{}\n{prefix}{apart}{info}", &info[..word]);
        edits.push(Edit { at: fence + length, gone: rest.len(), put: put.into() });
    } else if rest.contains(|c: char| c.is_whitespace() && c != ' ') {
        edits.push(Edit { at: fence + length, gone: rest.len(), put: info.to_owned().into() });
    }
    if top {
        edits.extend(closer(stored, &block, mark, length));
    }
    edits
}

/// The last line of a block, when it closes it in another way than it was opened.
fn closer(stored: &str, block: &Range<usize>, mark: char, length: usize) -> Option<Edit> {
    let text = stored[block.clone()].trim_end_matches('\n');
    let at = block.start + text.rfind('\n')? + 1;
    let last = &stored[at..block.start + text.len()];
    let marks = last.trim_start_matches(' ');
    let behind = marks.trim_start_matches(mark);
    let closes = last.len() - marks.len() <= 3 && marks.len() - behind.len() >= length;
    let plain = last.len() == length && marks.len() == length;
    (closes && is_blank(behind) && !plain).then(|| Edit {
        at,
        gone: last.len(),
        put: mark.to_string().repeat(length).into(),
    })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | '.' | '+' | '-')
}
