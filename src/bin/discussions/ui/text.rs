//! A discussion's text, of which only what is looked at is laid out.
//!
//! It is a row of blocks: the head, an entry each, an answer that grows each. Where one is stands as a block and a line in
//! it, so that what lies above or below need not be known.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use discussions::view::{Entry, Kind, Shown};
use ratatui::text::Line;

use super::paint;
use crate::cli::colours::Colours;
use crate::cli::page::{self, piecewise};

/// Blocks whose lines are kept.
const KEPT: usize = 512;

/// A line of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    pub(super) block: usize,
    pub(super) line: usize,
}

/// Lines of a block.
type Laid = Rc<Vec<Line<'static>>>;

/// A discussion's text.
pub(super) struct Text {
    pub(super) shown: Box<Shown>,
    colours: Colours,
    /// What the phase before each entry is called, as an index into `titles`.
    phases: Vec<usize>,
    titles: Vec<String>,
    /// The entries that are shown, in order.
    order: Vec<usize>,
    /// Words that every entry that is shown holds, in small letters.
    filter: String,
    width: usize,
    laid: RefCell<HashMap<usize, Laid>>,
    /// The first line on the screen.
    top: At,
    /// Answers that grow, below all entries.
    growing: Vec<Laid>,
    /// What somebody was led to.
    pub(super) mark: Option<At>,
}

impl std::fmt::Debug for Text {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Text").field("file", &self.shown.file).field("top", &self.top).finish()
    }
}

impl Text {
    /// At its beginning, so many columns wide.
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
            top: At::default(),
            growing: Vec::new(),
            mark: None,
        };
        text.find_phases();
        text
    }

    /// The discussion as it stands now. Who reads in the middle stays there; says how many entries are new.
    pub(super) fn renew(&mut self, shown: Box<Shown>) -> usize {
        let before = std::mem::replace(&mut self.shown, shown);
        let here = self.entry_of(self.top.block).map(|at| before.entries[at].line);
        let same = before.entries.iter().zip(&self.shown.entries);
        let same = same.take_while(|(old, new)| is_same(old, new)).count();
        self.colours = page::colours(&self.shown);
        self.find_phases();
        // Whose seats or numbers changed is laid out anew; text that stands as it stood is not.
        let outcome = |shown: &Shown| shown.status.outcome.as_ref().and_then(|it| it.line);
        let kept = self.shown.status.participants.len() == before.status.participants.len()
            && outcome(&self.shown) == outcome(&before);
        self.laid
            .borrow_mut()
            .retain(|block, _| kept && (1..=same).contains(block) && self.filter.is_empty());
        self.choose();
        if let Some(line) = here {
            // What stood on the top line, or what stands in its place.
            let found = self.order.partition_point(|at| self.shown.entries[*at].line <= line);
            if same < self.top.block {
                self.top.block = found;
            }
        }
        self.mark = None;
        self.shown.entries.len().saturating_sub(same)
    }

    /// Shows only entries that hold these words; without words all of them, from the one on that stood on top.
    pub(super) fn filter(&mut self, words: &str) {
        // Few that were found stand below the head.
        let found = if self.filter.is_empty() { None } else { self.order.first().copied() };
        let here = self.entry_of(self.top.block).or(found);
        let filter = words.trim().to_lowercase();
        if filter == self.filter {
            return;
        }
        self.filter = filter;
        self.choose();
        self.laid.borrow_mut().clear();
        (self.top, self.mark) = (At::default(), None);
        if !self.filter.is_empty() && !self.order.is_empty() {
            self.top.block = 1;
        } else if let Some(here) = here {
            self.top.block = self.order.partition_point(|at| *at < here) + 1;
        }
    }

    /// How many entries the filter leaves.
    pub(super) fn found(&self) -> usize {
        self.order.len()
    }

    /// Lays it out in so many columns, with so many rows on the screen.
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

    /// The answers that grow below, which are written from scratch each time.
    pub(super) fn grow(&mut self, growing: Vec<Vec<Line<'static>>>, rows: usize) {
        let at_end = self.is_at_end(rows);
        self.growing = growing.into_iter().map(Rc::new).collect();
        if at_end {
            self.go_to_end(rows);
        } else {
            self.settle(rows);
        }
    }

    /// The columns that it is laid out in.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// How people's names are written.
    pub(super) fn colours(&self) -> &Colours {
        &self.colours
    }

    /// The lines on the screen, each with whether somebody was led to it.
    pub(super) fn on_screen(&self, rows: usize) -> Vec<(Line<'static>, bool)> {
        let mut out = Vec::with_capacity(rows);
        let mut at = self.top;
        while out.len() < rows && at.block < self.blocks() {
            let lines = self.lines(at.block);
            for (index, line) in lines.iter().enumerate().skip(at.line).take(rows - out.len()) {
                let here = At { block: at.block, line: index };
                out.push((line.clone(), self.mark == Some(here)));
            }
            at = At { block: at.block + 1, line: 0 };
        }
        out
    }

    /// How many blocks are laid out.
    #[cfg(test)]
    pub(super) fn laid_out(&self) -> usize {
        self.laid.borrow().len()
    }

    /// How far down one is, from 0 to 1, by lines of the file.
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

    /// Moves by lines.
    pub(super) fn scroll(&mut self, by: isize, rows: usize) {
        let mut left = by.unsigned_abs();
        while left > 0 {
            let moved = if by > 0 { self.next() } else { self.before() };
            if !moved {
                break;
            }
            left -= 1;
        }
        self.settle(rows);
    }

    /// To the beginning.
    pub(super) fn go_to_top(&mut self) {
        self.top = At::default();
    }

    /// To the end: the last line on the last row.
    pub(super) fn go_to_end(&mut self, rows: usize) {
        self.top = self.lowest(rows);
    }

    /// Whether the last line is on the screen.
    pub(super) fn is_at_end(&self, rows: usize) -> bool {
        let lowest = self.lowest(rows);
        (self.top.block, self.top.line) >= (lowest.block, lowest.line)
    }

    /// Whether somebody waits at the end for what comes: below the beginning, or where an answer grows.
    pub(super) fn is_followed(&self, rows: usize) -> bool {
        (self.top != At::default() || !self.growing.is_empty()) && self.is_at_end(rows)
    }

    /// Shows what stands in a line of the file, where it has a label such as `Q3` that very line.
    pub(super) fn lead_to(&mut self, line: usize, label: &str, rows: usize) -> bool {
        let entries = &self.shown.entries;
        let after = self.order.partition_point(|at| entries[*at].line <= line);
        let Some(place) = after.checked_sub(1) else { return false };
        let block = place + 1;
        let lines = self.lines(block);
        let label = format!("[{label}]");
        let found = lines.iter().position(|line| paint::words(line).contains(&label));
        // A blank line comes first.
        let target = At { block, line: found.unwrap_or(1.min(lines.len().saturating_sub(1))) };
        self.mark = Some(target);
        self.top = target;
        for _ in 0..rows / 4 {
            self.before();
        }
        self.settle(rows);
        true
    }

    /// The line of the file that the screen begins with.
    pub(super) fn line(&self) -> usize {
        match self.mark {
            Some(At { block, .. }) => {
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
            self.top = At { block, line: 0 };
        }
        next.is_some()
    }

    fn before(&mut self) -> bool {
        if self.top.line > 0 {
            self.top.line -= 1;
            return true;
        }
        let before = (0..self.top.block).rev().find(|block| !self.lines(*block).is_empty());
        if let Some(block) = before {
            self.top = At { block, line: self.lines(block).len() - 1 };
        }
        before.is_some()
    }

    /// The first line of the last screen.
    fn lowest(&self, rows: usize) -> At {
        let mut left = rows;
        for block in (0..self.blocks()).rev() {
            let lines = self.lines(block).len();
            if lines >= left {
                return At { block, line: lines - left };
            }
            left -= lines;
        }
        At::default()
    }

    /// Nothing is shown below the end.
    fn settle(&mut self, rows: usize) {
        if self.top.block >= self.blocks() {
            self.top = At { block: self.blocks() - 1, line: 0 };
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

    /// The entry that a block shows.
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
            None => piecewise::top(&self.shown, &self.colours, self.width),
            Some(at) => {
                let phase = self.titles.get(self.phases[at]).map_or("", String::as_str);
                piecewise::entry(&self.shown, &self.colours, at, phase, self.width)
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
            if let Some(title) = piecewise::phase(&entry.kind)
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

/// Whether an entry is shown as it was.
fn is_same(old: &Entry, new: &Entry) -> bool {
    old.line == new.line && old.kind == new.kind
}

/// Whether an entry holds words, which are in small letters.
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
        Kind::VoteReset {} | Kind::Status { .. } | Kind::Accepted { .. } => false,
    }
}
