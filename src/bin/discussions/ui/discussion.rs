//! The state of an open discussion, and the selection in its lists.

use discussions::view::{Question, Status};

use super::browser::Filter;
use super::message::ActionError;
use super::panes::Pane;
use super::text::DiscussionText;

/// An open discussion.
#[derive(Debug)]
pub(super) struct OpenDiscussion {
    /// The name of the discussion.
    pub(super) file: String,
    pub(super) text: Option<DiscussionText>,
    /// True if a run is in progress, here or in another program.
    pub(super) running: bool,
    /// The reason why the discussion cannot be read now.
    pub(super) gone: Option<ActionError>,
    pub(super) focus: Pane,
    /// The selected rows in the lists of votes, questions, tasks and decisions.
    pub(super) at: [usize; 4],
    pub(super) filter: Filter,
}

/// A row in a list beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PanelItem {
    /// `Q1`, `T2`, `D1`, `C3`; empty for a voter.
    pub(super) label: String,
    /// The state in one word; empty if there is nothing to report.
    pub(super) state: String,
    pub(super) text: String,
    /// The author.
    pub(super) by: String,
    /// True if nothing is left to do about it.
    pub(super) settled: bool,
    /// The line in the file.
    pub(super) line: Option<usize>,
}

impl OpenDiscussion {
    /// Creates the state of a discussion that was not read yet.
    pub(super) fn new(file: String) -> Self {
        let (text, gone, at, filter) = Default::default();
        Self { file, text, running: false, gone, focus: Pane::Text, at, filter }
    }

    /// Returns the status of the discussion.
    pub(super) fn status(&self) -> Option<&Status> {
        self.text.as_ref().map(|text| &text.shown.status)
    }

    /// Returns the index of a pane's list.
    pub(super) fn list_of(pane: Pane) -> Option<usize> {
        (pane as usize).checked_sub(Pane::Votes as usize)
    }

    /// Returns the rows of a list beside the text.
    pub(super) fn items(&self, pane: Pane) -> Vec<PanelItem> {
        let Some(status) = self.status() else { return Vec::new() };
        let of_filter = |item: &PanelItem| {
            self.focus != pane || self.filter.lets(&[&item.text, &item.by, &item.state])
        };
        let items: Vec<PanelItem> = match pane {
            Pane::Votes => votes(status),
            Pane::Questions => status.questions.iter().map(question).collect(),
            Pane::Tasks => tasks(status),
            Pane::Decisions => decisions(status),
            _ => Vec::new(),
        };
        items.into_iter().filter(of_filter).collect()
    }

    /// Returns the selected row of a list beside the text.
    pub(super) fn chosen(&self, pane: Pane) -> Option<PanelItem> {
        let at = self.at[Self::list_of(pane)?];
        self.items(pane).into_iter().nth(at)
    }

    /// Returns the question that an answer is for: the selected one, or otherwise the first open one.
    pub(super) fn question(&self) -> Option<&Question> {
        let questions = &self.status()?.questions;
        if self.focus == Pane::Questions {
            let label = self.chosen(Pane::Questions)?.label;
            return questions.iter().find(|one| label == format!("Q{}", one.number));
        }
        questions.iter().find(|one| one.is_open())
    }

    /// Returns the aliases and names that can be mentioned.
    pub(super) fn mentions(&self) -> Vec<String> {
        let people = self.status().map(|status| status.participants.as_slice()).unwrap_or_default();
        let handles = people.iter().filter_map(|one| {
            let name = one.name.to_lowercase();
            one.alias.clone().or_else(|| (!name.contains(' ')).then_some(name))
        });
        handles.chain(["all".to_owned()]).collect()
    }
}

fn votes(status: &Status) -> Vec<PanelItem> {
    // Background participants have no vote.
    let voting = status.participants.iter().filter(|one| one.kind.votes() || one.vote.is_some());
    let row = voting.map(|one| PanelItem {
        label: String::new(),
        state: one.vote.clone().unwrap_or_else(|| "-".to_owned()),
        text: one.name.clone(),
        by: one.reason.clone().unwrap_or_default(),
        settled: one.vote.is_some(),
        line: None,
    });
    row.collect()
}

fn question(one: &Question) -> PanelItem {
    PanelItem {
        label: format!("Q{}", one.number),
        state: one.status.to_string(),
        text: one.text.clone(),
        by: one.author.clone(),
        settled: !one.is_open(),
        line: Some(one.line),
    }
}

fn tasks(status: &Status) -> Vec<PanelItem> {
    let rows = status.tasks.iter().map(|one| PanelItem {
        label: format!("T{}", one.number),
        state: match &one.assignee {
            Some(who) if !one.is_done() => format!("@{}", who.trim_start_matches('@')),
            _ => one.status.to_string(),
        },
        text: one.text.clone(),
        by: one.author.clone(),
        settled: one.is_done(),
        line: Some(one.line),
    });
    rows.collect()
}

/// Returns decisions, followed by concerns.
fn decisions(status: &Status) -> Vec<PanelItem> {
    let decided = status.decisions.iter().map(|one| PanelItem {
        label: format!("D{}", one.number),
        state: match one.supporters.len() {
            0 => one.state.to_string(),
            count => format!("{} +{count}", one.state),
        },
        text: one.text.clone(),
        by: one.author.clone(),
        settled: !one.is_live(),
        line: Some(one.line),
    });
    let concerns = status.concerns.iter().map(|one| PanelItem {
        label: format!("C{}", one.number),
        state: one.status.to_string(),
        text: one.text.clone(),
        by: one.author.clone(),
        settled: !one.is_open(),
        line: Some(one.line),
    });
    decided.chain(concerns).collect()
}
