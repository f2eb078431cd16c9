//! The top of a page: title, status, votes, outcome.

use std::collections::BTreeMap;

use discussions::view::visible_line;

use super::{DiscussionPage, badge};
use crate::cli::colours;
use crate::cli::consensus_line;
use crate::cli::line::Line;

impl DiscussionPage<'_> {
    /// Writes the title, the status, the votes and the outcome.
    pub(super) fn head(&mut self) {
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
    pub(super) fn is_outcome(&self, line: usize) -> bool {
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
        if let Some(sentence) = consensus_line::sentence(status) {
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
        let line = Line::default().strong(consensus_line::outcome_word(&self.shown.status));
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
