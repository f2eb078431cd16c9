//! Formats the page in pieces, for a screen that lays out only the visible part.

use discussions::view::{Kind, Shown};

use super::DiscussionPage;
use crate::cli::colours::Colours;
use crate::cli::line::Line;

/// Returns the part above the entries.
pub(crate) fn top(shown: &Shown, colours: &Colours, width: usize) -> Vec<Line> {
    let mut page = DiscussionPage::new(shown, colours, width);
    page.head();
    page.preamble();
    page.lines
}

/// Returns one entry, as in [`lines`](super::lines). `phase` is the title of the phase before it.
pub(crate) fn entry(
    shown: &Shown,
    colours: &Colours,
    index: usize,
    phase: &str,
    width: usize,
) -> Vec<Line> {
    let Some(entry) = shown.entries.get(index) else { return Vec::new() };
    let before = index.checked_sub(1).map(|index| &shown.entries[index].kind);
    let mut page = DiscussionPage::new(shown, colours, width);
    phase.clone_into(&mut page.phase);
    // A turn directly below the heading of its phase needs no blank line.
    page.headed = if matches!(before, Some(Kind::Phase { .. })) { 0 } else { usize::MAX };
    page.entry(&entry.kind, entry.line);
    page.lines
}

/// Returns the title of the phase that an entry begins, if it begins one.
pub(crate) fn phase(kind: &Kind) -> Option<&str> {
    let (Kind::Turn { title, .. } | Kind::Phase { title, .. }) = kind else { return None };
    Some(title.as_str()).filter(|title| !title.is_empty())
}
