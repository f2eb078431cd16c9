//! The text of a discussion. Only the visible part is laid out.
//!
//! The text is a sequence of blocks: the head, one for each entry, and one for each answer that is arriving. A position
//! is a block and a line in it, so that the blocks above and below need not be laid out.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use discussions::view::{Entry, Kind, Shown};
use ratatui::text::Line;

use super::paint;
use crate::cli::colours::Colours;
use crate::cli::page;

/// The maximum number of blocks with kept lines.
const KEPT: usize = 512;

/// A line of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextPosition {
    pub(super) block: usize,
    pub(super) line: usize,
}

/// The lines of a block.
type Laid = Rc<Vec<Line<'static>>>;

/// The text of a discussion.
pub(super) struct DiscussionText {
    pub(super) shown: Box<Shown>,
    colours: Colours,
    /// The phase before each entry, as an index into `titles`.
    phases: Vec<usize>,
    titles: Vec<String>,
    /// The entries that are shown, in order.
    order: Vec<usize>,
    /// The filter in lowercase: every entry that is shown contains these words.
    filter: String,
    width: usize,
    laid: RefCell<HashMap<usize, Laid>>,
    /// The first line on the screen.
    top: TextPosition,
    /// The answers that are arriving, below all entries.
    growing: Vec<Laid>,
    /// The line that the user jumped to.
    pub(super) mark: Option<TextPosition>,
}

impl std::fmt::Debug for DiscussionText {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Text").field("file", &self.shown.file).field("top", &self.top).finish()
    }
}

impl DiscussionText {
    /// Creates the text at its beginning, with this many columns.
    pub(super) fn new(shown: Box<Shown>, width: usize) -> Self {
        let mut text = Self {
            colours: page::colours(&shown),
            phases: Vec::new(),
            titles: Vec::new(),
            order: (0..shown.entries.len()).collect(),
            filter: String::new(),
            shown,
            width,
            laid: RefCell::default(),
            top: TextPosition::default(),
            growing: Vec::new(),
            mark: None,
        };
        text.find_phases();
        text
    }

    /// Replaces the discussion by its current state and returns the number of new entries. A user who reads in the
    /// middle stays there.
    pub(super) fn renew(&mut self, shown: Box<Shown>) -> usize {
        let before = std::mem::replace(&mut self.shown, shown);
        let here = self.entry_of(self.top.block).map(|at| before.entries[at].line);
        let same = before.entries.iter().zip(&self.shown.entries);
        let same = same.take_while(|(old, new)| is_same(old, new)).count();
        self.colours = page::colours(&self.shown);
        self.find_phases();
        // All entries are laid out again if the participants or the outcome changed; otherwise only the entries that
        // changed.
        let outcome = |shown: &Shown| shown.status.outcome.as_ref().and_then(|it| it.line);
        let kept = self.shown.status.participants.len() == before.status.participants.len()
            && outcome(&self.shown) == outcome(&before);
        self.laid
            .borrow_mut()
            .retain(|block, _| kept && (1..=same).contains(block) && self.filter.is_empty());
        self.choose();
        if let Some(line) = here {
            // Find the entry that was on the top line, or the entry that is now in its place.
            let found = self.order.partition_point(|at| self.shown.entries[*at].line <= line);
            if same < self.top.block {
                self.top.block = found;
            }
        }
        self.mark = None;
        self.shown.entries.len().saturating_sub(same)
    }

    /// Shows only entries that contain these words. Without words it shows all of them, beginning with the one that was
    /// on top.
    pub(super) fn filter(&mut self, words: &str) {
        // If there are few results, the head is on top, which is not an entry. Then the first result counts.
        let found = if self.filter.is_empty() { None } else { self.order.first().copied() };
        let here = self.entry_of(self.top.block).or(found);
        let filter = words.trim().to_lowercase();
        if filter == self.filter {
            return;
        }
        self.filter = filter;
        self.choose();
        self.laid.borrow_mut().clear();
        (self.top, self.mark) = (TextPosition::default(), None);
        if !self.filter.is_empty() && !self.order.is_empty() {
            self.top.block = 1;
        } else if let Some(here) = here {
            self.top.block = self.order.partition_point(|at| *at < here) + 1;
        }
    }

    /// Returns the number of entries that match the filter.
    pub(super) fn match_count(&self) -> usize {
        self.order.len()
    }

    /// Lays out the text for this many columns and rows.
    pub(super) fn fit(&mut self, width: usize, rows: usize) {
        if width != self.width {
            self.width = width;
            self.laid.borrow_mut().clear();
            self.mark = None;
            let lines = self.lines(self.top.block).len();
            self.top.line = self.top.line.min(lines.saturating_sub(1));
        }
        self.settle(rows);
    }

    /// Replaces the answers that are arriving, which are drawn from scratch each time.
    pub(super) fn grow(&mut self, growing: Vec<Vec<Line<'static>>>, rows: usize) {
        let at_end = self.is_at_end(rows);
        self.growing = growing.into_iter().map(Rc::new).collect();
        if at_end {
            self.go_to_end(rows);
        } else {
            self.settle(rows);
        }
    }

    /// Returns the number of columns.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the colours of names.
    pub(super) fn colours(&self) -> &Colours {
        &self.colours
    }

    /// Returns the lines on the screen, each with a flag that is true for the line that the user jumped to.
    pub(super) fn on_screen(&self, rows: usize) -> Vec<(Line<'static>, bool)> {
        let mut out = Vec::with_capacity(rows);
        let mut at = self.top;
        while out.len() < rows && at.block < self.blocks() {
            let lines = self.lines(at.block);
            for (index, line) in lines.iter().enumerate().skip(at.line).take(rows - out.len()) {
                let here = TextPosition { block: at.block, line: index };
                out.push((line.clone(), self.mark == Some(here)));
            }
            at = TextPosition { block: at.block + 1, line: 0 };
        }
        out
    }

    /// Returns the number of blocks that are laid out.
    #[cfg(test)]
    pub(super) fn laid_out(&self) -> usize {
        self.laid.borrow().len()
    }

    /// Returns the reading position from 0 to 1, by lines of the file.
    pub(super) fn share(&self) -> f64 {
        let line_of = |at: usize| self.shown.entries.get(at).map_or(0, |entry| entry.line);
        let last = self.order.last().map_or(1, |at| line_of(*at)).max(1);
        let here = match self.entry_of(self.top.block) {
            Some(at) => line_of(at),
            None if self.top.block == 0 => 0,
            None => last,
        };
        here as f64 / last as f64
    }

    /// Scrolls by this many lines.
    pub(super) fn scroll(&mut self, by: isize, rows: usize) {
        let mut left = by.unsigned_abs();
        while left > 0 {
            let moved = if by > 0 { self.next() } else { self.scroll_back() };
            if !moved {
                break;
            }
            left -= 1;
        }
        self.settle(rows);
    }

    /// Scrolls to the beginning.
    pub(super) fn go_to_top(&mut self) {
        self.top = TextPosition::default();
    }

    /// Scrolls to the end: the last line is on the last row.
    pub(super) fn go_to_end(&mut self, rows: usize) {
        self.top = self.lowest(rows);
    }

    /// Returns whether the last line is on the screen.
    pub(super) fn is_at_end(&self, rows: usize) -> bool {
        let lowest = self.lowest(rows);
        (self.top.block, self.top.line) >= (lowest.block, lowest.line)
    }

    /// Returns whether the user follows new text at the end. If the whole text fits the screen, the user follows it
    /// only while an answer is arriving.
    pub(super) fn is_followed(&self, rows: usize) -> bool {
        (self.top != TextPosition::default() || !self.growing.is_empty()) && self.is_at_end(rows)
    }

    /// Jumps to the entry at a line of the file, and there to the line with a label such as `Q3`, if it has one.
    pub(super) fn lead_to(&mut self, line: usize, label: &str, rows: usize) -> bool {
        let entries = &self.shown.entries;
        let after = self.order.partition_point(|at| entries[*at].line <= line);
        let Some(place) = after.checked_sub(1) else { return false };
        let block = place + 1;
        let lines = self.lines(block);
        let label = format!("[{label}]");
        let found = lines.iter().position(|line| paint::words(line).contains(&label));
        // Each entry begins with a blank line.
        let target =
            TextPosition { block, line: found.unwrap_or(1.min(lines.len().saturating_sub(1))) };
        self.mark = Some(target);
        self.top = target;
        for _ in 0..rows / 4 {
            self.scroll_back();
        }
        self.settle(rows);
        true
    }

    /// Returns the line of the file that is at the top of the screen.
    pub(super) fn line(&self) -> usize {
        match self.mark {
            Some(TextPosition { block, .. }) => {
                self.entry_of(block).map_or(0, |at| self.shown.entries[at].line)
            }
            None => self.entry_of(self.top.block).map_or(0, |at| self.shown.entries[at].line),
        }
    }

    fn next(&mut self) -> bool {
        if self.top.line + 1 < self.lines(self.top.block).len() {
            self.top.line += 1;
            return true;
        }
        let next = (self.top.block + 1..self.blocks()).find(|block| !self.lines(*block).is_empty());
        if let Some(block) = next {
            self.top = TextPosition { block, line: 0 };
        }
        next.is_some()
    }

    fn scroll_back(&mut self) -> bool {
        if self.top.line > 0 {
            self.top.line -= 1;
            return true;
        }
        let before = (0..self.top.block).rev().find(|block| !self.lines(*block).is_empty());
        if let Some(block) = before {
            self.top = TextPosition { block, line: self.lines(block).len() - 1 };
        }
        before.is_some()
    }

    /// Returns the top line of the last screen.
    fn lowest(&self, rows: usize) -> TextPosition {
        let mut left = rows;
        for block in (0..self.blocks()).rev() {
            let lines = self.lines(block).len();
            if lines >= left {
                return TextPosition { block, line: lines - left };
            }
            left -= lines;
        }
        TextPosition::default()
    }

    /// Moves the position up if rows would be empty below the end.
    fn settle(&mut self, rows: usize) {
        if self.top.block >= self.blocks() {
            self.top = TextPosition { block: self.blocks() - 1, line: 0 };
        }
        let mut left = rows;
        for block in self.top.block..self.blocks() {
            let skipped = if block == self.top.block { self.top.line } else { 0 };
            left = left.saturating_sub(self.lines(block).len().saturating_sub(skipped));
            if left == 0 {
                return;
            }
        }
        self.top = self.lowest(rows);
    }

    fn blocks(&self) -> usize {
        1 + self.order.len() + self.growing.len()
    }

    /// Returns the entry that a block shows.
    fn entry_of(&self, block: usize) -> Option<usize> {
        self.order.get(block.checked_sub(1)?).copied()
    }

    fn lines(&self, block: usize) -> Laid {
        if let Some(growing) = block.checked_sub(1 + self.order.len()) {
            return self.growing.get(growing).cloned().unwrap_or_default();
        }
        if let Some(known) = self.laid.borrow().get(&block) {
            return Rc::clone(known);
        }
        let lines = match self.entry_of(block) {
            None => page::head_lines(&self.shown, &self.colours, self.width),
            Some(at) => {
                let phase = self.titles.get(self.phases[at]).map_or("", String::as_str);
                page::entry_lines(&self.shown, &self.colours, at, phase, self.width)
            }
        };
        let folded = lines.iter().flat_map(|line| paint::fold(paint::line(line), self.width));
        let lines: Laid = Rc::new(folded.collect());
        let mut laid = self.laid.borrow_mut();
        if laid.len() >= KEPT {
            laid.clear();
        }
        laid.insert(block, Rc::clone(&lines));
        lines
    }

    fn find_phases(&mut self) {
        (self.titles, self.phases) = (vec![String::new()], Vec::new());
        for entry in &self.shown.entries {
            self.phases.push(self.titles.len() - 1);
            if let Some(title) = page::phase_title(&entry.kind)
                && self.titles.last().is_none_or(|last| last != title)
            {
                self.titles.push(title.to_owned());
            }
        }
    }

    fn choose(&mut self) {
        let entries = self.shown.entries.iter().enumerate();
        let is_wanted = |entry: &Entry| self.filter.is_empty() || holds(&entry.kind, &self.filter);
        self.order = entries.filter(|(_, entry)| is_wanted(entry)).map(|(at, _)| at).collect();
    }
}

/// Returns whether an entry is unchanged.
fn is_same(old: &Entry, new: &Entry) -> bool {
    old.line == new.line && old.kind == new.kind
}

/// Returns whether an entry contains words, which are in lowercase.
fn holds(kind: &Kind, words: &str) -> bool {
    let is_in = |text: &str| text.to_lowercase().contains(words);
    match kind {
        Kind::Comment { author, body, vote, .. } => {
            is_in(author) || is_in(body) || vote.as_deref().is_some_and(is_in)
        }
        Kind::Turn { ask, title, .. } => is_in(title) || ask.as_deref().is_some_and(is_in),
        Kind::Pass { author, .. } => is_in(author),
        Kind::Failed { author, message, .. } => is_in(author) || is_in(message),
        Kind::Phase { title, .. } => is_in(title),
        Kind::Stray { body } => is_in(body),
        Kind::Child { file, author, .. } => is_in(file) || author.as_deref().is_some_and(is_in),
        Kind::ChildEnd { file, .. } => is_in(file),
        Kind::Ended { heading, decision, .. } => {
            [heading, decision].into_iter().flatten().any(|text| is_in(text))
        }
        Kind::VoteReset {} | Kind::Status { .. } | Kind::Accepted { .. } => false,
    }
}
