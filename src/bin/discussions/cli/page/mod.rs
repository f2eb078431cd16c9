//! Formats a discussion for people: the title and status, the outcome, then the comments. Omits
//! marks that only programs need.

#[cfg(feature = "ui")]
use std::collections::BTreeMap;

use anstyle::AnsiColor;
use discussions::view::{Kind, Shown, visible_line};

use crate::cli::amounts::{ago, money, seconds};
use crate::cli::colours::{self, Colours};
use crate::cli::line::Line;
use crate::cli::markdown;
use crate::cli::outcome;

/// The indentation of a comment.
const INDENT: &str = "  ";

/// Returns the lines of a discussion in `width` columns.
pub(crate) fn lines(shown: &Shown, width: usize) -> Vec<Line> {
    let colours = colours(shown);
    let mut page = DiscussionPage::new(shown, &colours, width);
    page.head();
    page.preamble();
    for entry in &shown.entries {
        page.entry(&entry.kind, entry.line);
    }
    page.lines
}

/// Returns the colours of all participants of a discussion.
pub(crate) fn colours(shown: &Shown) -> Colours {
    Colours::of(shown.status.participants.iter().map(|one| one.name.as_str()))
}

/// Collects the receipt of a call.
macro_rules! receipt {
    ($receipt:expr) => {
        ReceiptCost {
            provider: $receipt.provider.as_deref(),
            ms: $receipt.ms,
            usd: $receipt.usd,
            estimated: $receipt.usd_estimated,
            at: $receipt.at.as_deref(),
        }
    };
}

/// Returns a vote as a badge, always with its word.
pub(crate) fn badge(vote: &str) -> Line {
    let vote = visible_line(vote);
    Line::default().styled(colours::vote(&vote), format!("[{vote}]"))
}

struct DiscussionPage<'s> {
    shown: &'s Shown,
    width: usize,
    colours: &'s Colours,
    /// The phase of the last heading.
    phase: String,
    /// The number of lines up to that heading.
    headed: usize,
    lines: Vec<Line>,
}

impl<'s> DiscussionPage<'s> {
    fn new(shown: &'s Shown, colours: &'s Colours, width: usize) -> Self {
        Self { shown, width, colours, phase: String::new(), headed: 0, lines: Vec::new() }
    }

    /// Returns true if votes were cast between the last reset above a line and that line.
    fn has_votes_above(&self, line: usize) -> bool {
        let above = self.shown.entries.iter().rev().skip_while(|entry| entry.line >= line);
        let mut above = above.take_while(|entry| !matches!(entry.kind, Kind::VoteReset {}));
        above.any(|entry| matches!(&entry.kind, Kind::Comment { vote: Some(_), .. }))
    }

    fn line(&mut self, line: Line) {
        let later = Line::from(INDENT);
        self.lines.extend(line.flow(self.width, &Line::default(), &later));
    }

    fn blank(&mut self) {
        self.lines.push(Line::default());
    }

    /// Adds indented Markdown.
    fn text(&mut self, text: &str, numbers: &BTreeMap<usize, String>) {
        let lines = markdown::lines(text, numbers, self.width.saturating_sub(INDENT.len()));
        let indented =
            |line: Line| if line.is_empty() { line } else { Line::from(INDENT).then(line) };
        self.lines.extend(lines.into_iter().map(indented));
    }

    /// Adds the text below the title.
    fn preamble(&mut self) {
        let text = self.shown.preamble.trim_start();
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let text = if first.starts_with("# ") { rest } else { text };
        let lines = markdown::lines(text.trim(), &BTreeMap::new(), self.width);
        if !lines.is_empty() {
            self.blank();
            self.lines.extend(lines);
        }
    }

    fn entry(&mut self, kind: &Kind, line: usize) {
        match kind {
            Kind::Comment {
                author,
                body,
                vote,
                counts,
                at,
                reply,
                acknowledged,
                restored,
                numbers,
                ..
            } => {
                let mut head = Line::default()
                    .styled(self.colours.name(author), visible_line(author))
                    .text(" ");
                if let Some(vote) = vote {
                    head = head.text(" ").then(badge(vote)).text(" ");
                    if !counts {
                        head = head.colour(AnsiColor::Yellow, "not counted").text(" ");
                    }
                }
                if let Some(reply) = reply {
                    head = head.text(" ").faint(receipt!(reply).line(&self.shown.at));
                } else if let Some(when) = at.as_deref().and_then(|at| ago(at, &self.shown.at)) {
                    head = head.text(" ").faint(when);
                }
                if *restored {
                    head = head.faint("  restored");
                }
                if !acknowledged {
                    head = head.colour(AnsiColor::Yellow, "  cut off and ignored");
                }
                self.blank();
                self.line(head);
                if self.is_outcome(line) {
                    self.line(Line::from(INDENT).faint("the outcome, shown at the top"));
                } else {
                    self.text(body, numbers);
                }
            }
            Kind::Turn { turn, asks, ask, again, title, at, .. } => {
                self.phase(title, None);
                let is_below = self.headed == self.lines.len();
                let again = if *again { " again" } else { "" };
                let asked: Vec<String> = asks.iter().map(|who| format!("@{who}")).collect();
                let asked = format!("turn {turn}{again} · {}", asked.join(" "));
                let when = at.as_deref().and_then(|at| ago(at, &self.shown.at));
                let when = when.map_or_else(String::new, |when| format!(" · {when}"));
                if !is_below {
                    self.blank();
                }
                self.line(Line::default().faint(visible_line(&(asked + &when))));
                if let Some(ask) = ask {
                    self.text(ask, &BTreeMap::new());
                }
            }
            Kind::Accepted { author, removed, at } => {
                let what = if *removed { "a removal" } else { "a change to older text" };
                let when = at.as_deref().and_then(|at| ago(at, &self.shown.at));
                let when = when.map_or_else(String::new, |when| format!(" · {when}"));
                let who = author.as_deref().unwrap_or("A person");
                let line = self.said_by(who).text(format!(" accepted {what}"));
                self.add_aside_line(line.faint(when));
            }
            Kind::Pass { author, receipt: spent } => {
                let line = self.said_by(author).text(" had nothing to add  ");
                self.add_aside_line(line.faint(receipt!(spent).line(&self.shown.at)));
            }
            Kind::Failed { author, code, message, receipt: spent, .. } => {
                let line = self.said_by(author).colour(AnsiColor::Yellow, " could not answer");
                let why = format!(" ({code}): {message}  ");
                let line = line.text(visible_line(&why));
                self.add_aside_line(line.faint(receipt!(spent).line(&self.shown.at)));
            }
            Kind::Phase { title, author, .. } => self.phase(title, author.as_deref()),
            Kind::Child { file, author, .. } => {
                let who = author.as_ref().map_or_else(String::new, |who| format!(", for @{who}"));
                let line =
                    Line::default().text(visible_line(&format!("sub-discussion {file}{who}")));
                self.add_aside_line(line);
            }
            Kind::ChildEnd { file, calls, status, .. } => {
                let calls =
                    if *calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
                let over = visible_line(&format!("sub-discussion {file} ended: {status}"));
                self.add_aside_line(Line::default().text(over).faint(format!(" · {calls}")));
            }
            // The outcome stands at the top.
            Kind::Ended { heading, .. } => {
                let heading = visible_line(heading.as_deref().unwrap_or("Ended"));
                self.add_aside_line(Line::default().faint(heading));
            }
            Kind::VoteReset {} if !self.has_votes_above(line) => {}
            Kind::VoteReset {} => {
                self.add_aside_line(Line::default().faint("Votes above no longer count."))
            }
            Kind::Status { status, author } => {
                let did = if *status == "CLOSED" { "closed" } else { "reopened" };
                let by = author.as_ref().map_or_else(String::new, |who| format!(" by {who}"));
                self.add_aside_line(Line::default().strong(visible_line(&format!("{did}{by}"))));
            }
            Kind::Stray { body } => {
                let note = format!("line {line} is not part of a comment and is ignored");
                self.add_aside_line(Line::default().colour(AnsiColor::Yellow, note));
                self.text(body, &BTreeMap::new());
            }
        }
    }

    /// Adds a short line that is not part of a comment.
    fn add_aside_line(&mut self, line: Line) {
        self.blank();
        self.line(line);
    }

    /// Returns the name of an alias.
    fn said_by(&self, alias: &str) -> Line {
        let known = &self.shown.status.participants;
        let name = known.iter().find(|one| one.alias.as_deref() == Some(alias));
        let name = name.map_or(alias, |one| one.name.as_str());
        Line::default().styled(self.colours.name(name), visible_line(name))
    }

    /// Adds the heading of a phase, once.
    fn phase(&mut self, title: &str, by: Option<&str>) {
        if title.is_empty() || title == self.phase {
            return;
        }
        title.clone_into(&mut self.phase);
        let by = by.map_or_else(String::new, |who| format!(", opened by {who}"));
        let words = format!("── {}{} ", visible_line(title), visible_line(&by));
        let rest = self.width.min(200).saturating_sub(Line::from(words.as_str()).width());
        self.blank();
        self.line(Line::default().faint(format!("{words}{}", "─".repeat(rest))));
        self.headed = self.lines.len();
    }
}

impl DiscussionPage<'_> {
    /// Writes the title, the status, the votes and the outcome.
    fn head(&mut self) {
        let shown = self.shown;
        let status = &shown.status;
        let title = if shown.title.is_empty() { &shown.file } else { &shown.title };
        self.line(Line::default().strong(visible_line(title)));
        let place = format!(" · {} · {} · {}", status.template, status.phase_title, shown.file);
        let state =
            Line::default().colour(colours::standing(status.status), status.status.as_str());
        self.line(state.faint(visible_line(&place)));
        self.votes();
        self.outcome();
    }

    /// Returns true if a comment's text is already shown at the top.
    fn is_outcome(&self, line: usize) -> bool {
        let outcome = self.shown.status.outcome.as_ref();
        outcome.is_some_and(|outcome| outcome.line == Some(line))
    }

    fn votes(&mut self) {
        let status = &self.shown.status;
        if status.votes.is_empty() {
            return;
        }
        let mut line = Line::default().faint("Votes:");
        for (name, vote) in &status.votes {
            let name = Line::default().styled(self.colours.name(name), visible_line(name));
            line = line.text("  ").then(name).text(" ").then(badge(vote));
        }
        self.line(line);
        if let Some(sentence) = outcome::consensus_sentence(status) {
            self.line(Line::default().strong(visible_line(&sentence)));
        }
    }

    fn outcome(&mut self) {
        let Some(outcome) = &self.shown.status.outcome else { return };
        if outcome.line.is_none() {
            // The votes above already tell the outcome.
            return;
        }
        self.blank();
        let line = Line::default().strong(self.shown.status.decided.text_heading());
        self.line(match &outcome.decision {
            Some(decision) => line.text(": ").text(visible_line(decision)),
            None => line,
        });
        self.blank();
        self.text(&outcome.text_alone, &BTreeMap::new());
        self.blank();
        let rule = "─".repeat(self.width.min(200));
        self.line(Line::default().faint(rule));
    }
}

/// The recorded values of a call.
#[derive(Clone, Copy)]
struct ReceiptCost<'r> {
    provider: Option<&'r str>,
    ms: Option<u64>,
    usd: Option<f64>,
    estimated: bool,
    at: Option<&'r str>,
}

impl ReceiptCost<'_> {
    /// Returns the known values: `claude-opus · 9 s · $0.03 · 2 h ago`.
    fn line(self, now: &str) -> String {
        let parts = [
            self.provider.map(visible_line),
            self.ms.map(seconds),
            self.usd.filter(|usd| *usd > 0.0).map(|usd| money(usd, self.estimated)),
            self.at.and_then(|at| ago(at, now)),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// Returns the part above the entries.
pub(crate) fn head_lines(shown: &Shown, colours: &Colours, width: usize) -> Vec<Line> {
    let mut page = DiscussionPage::new(shown, colours, width);
    page.head();
    page.preamble();
    page.lines
}

/// Returns one entry, as in [`lines`]. `phase` is the title of the phase before it.
pub(crate) fn entry_lines(
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
pub(crate) fn phase_title(kind: &Kind) -> Option<&str> {
    let (Kind::Turn { title, .. } | Kind::Phase { title, .. }) = kind else { return None };
    Some(title.as_str()).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests;
