//! The same page piece by piece, for who lays out only what is looked at.

use discussions::view::{Kind, Shown};

use super::Page;
use crate::cli::colours::Colours;
use crate::cli::line::Line;

/// What stands above the entries.
pub(crate) fn top(shown: &Shown, colours: &Colours, width: usize) -> Vec<Line> {
    let mut page = Page::new(shown, colours, width);
    page.head();
    page.preamble();
    page.lines
}

/// One entry as it stands in [`lines`](super::lines); `phase` is what the phase before it is called.
pub(crate) fn entry(
    shown: &Shown,
    colours: &Colours,
    index: usize,
    phase: &str,
    width: usize,
) -> Vec<Line> {
    let Some(entry) = shown.entries.get(index) else { return Vec::new() };
    let before = index.checked_sub(1).map(|index| &shown.entries[index].kind);
    let mut page = Page::new(shown, colours, width);
    phase.clone_into(&mut page.phase);
    // Right below its phase's heading a turn needs no room.
    page.headed = if matches!(before, Some(Kind::Phase { .. })) { 0 } else { usize::MAX };
    page.entry(&entry.kind, entry.line);
    page.lines
}

/// What the phase is called that an entry begins, where it begins one.
pub(crate) fn phase(kind: &Kind) -> Option<&str> {
    let (Kind::Turn { title, .. } | Kind::Phase { title, .. }) = kind else { return None };
    Some(title.as_str()).filter(|title| !title.is_empty())
}
