//! Discussions in a list.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::decided::DecisionFacts;
use super::notes::{Deadline, DueReview};
use super::result::Decided;
use super::show::Shown;
use super::status::{Cost, tally};
use super::waiting::{Awaited, Waiting, WaitingFor};
use crate::codes::Fix;
use crate::engine::{DecisionStatus, Snapshot};
use crate::transcript::{Control, EntryKind, Time, time};

/// The discussions of a folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct List {
    /// The folder, as it is shown.
    pub folder: String,
    /// The discussions that can be read, by path.
    pub discussions: Vec<Listed>,
    /// The discussions that cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// The requests to people in them, in this order.
    #[serde(skip)]
    pub waiting: Vec<Waiting>,
}

/// The decisions of the discussions in a folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionLog {
    /// The folder, as it is shown.
    pub folder: String,
    /// The decisions, newest first.
    pub decided: Vec<Decided>,
    /// Discussions that could not be read.
    pub unreadable: Vec<Unreadable>,
    /// The number of proposals in discussions with a decision that nobody has decided about.
    #[serde(skip)]
    pub open_proposals: usize,
}

/// A discussion that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unreadable {
    /// Which and why, in a sentence.
    pub message: String,
    /// The fix.
    pub fix: Option<Fix>,
}

/// An overview: the requests to people, the open discussions, and the recent decisions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Dashboard {
    /// The folder, as it is shown.
    pub folder: String,
    /// Discussions with a decision that people want to look at again by now, the earliest day first.
    pub due: Vec<Listed>,
    /// The requests to people; those in the discussions that were changed last come first.
    pub waiting: Vec<Waiting>,
    /// Open discussions, those that were changed last first.
    pub open: Vec<Listed>,
    /// The recent decisions, newest first; at most three.
    pub decided: Vec<Decided>,
    /// The total number of discussions.
    pub discussions: usize,
    /// Discussions that could not be read.
    pub unreadable: Vec<Unreadable>,
}

/// What a static site shows of a discussion.
#[derive(Clone, Debug)]
pub struct SitePage {
    /// Its entry in a list.
    pub listed: Listed,
    /// The requests to people in it.
    pub waiting: Vec<Waiting>,
    /// Its entry in the decision log; `None` while nothing is decided.
    pub decided: Option<Decided>,
    /// Its content.
    pub shown: Shown,
}

/// The parent of a sub-discussion, as its head says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parent {
    /// Its file, as it is shown.
    pub file: String,
    /// The name that finds it.
    pub name: String,
}

/// A file, with the facts about it that its text does not contain.
#[derive(Clone, Debug)]
pub(crate) struct Sighted {
    /// The file, as it is shown.
    pub(crate) file: String,
    /// The name under which it is found.
    pub(crate) name: String,
    /// The time of the last change, from git if possible, otherwise from the file system.
    pub(crate) modified: Option<Time>,
    /// The current time.
    pub(crate) now: Time,
    /// The parent of a sub-discussion.
    pub(crate) parent: Option<Parent>,
}

impl Sighted {
    /// Returns the time of the last change: the newest date in the discussion or, if it contains none, that of the
    /// file.
    pub(crate) fn updated(&self, snapshot: &Snapshot) -> Option<Time> {
        newest_date(snapshot).or(self.modified)
    }

    /// Returns the time since `at`, in seconds.
    pub(crate) fn age(&self, at: Option<Time>) -> Option<u64> {
        Some((self.now - at?).num_seconds().try_into().unwrap_or(0))
    }
}

/// Returns the newest date in a discussion, if any: of an entry, or of its head.
pub(crate) fn newest_date(snapshot: &Snapshot) -> Option<Time> {
    let transcript = &snapshot.transcript;
    let dates = transcript.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => comment.at(),
        EntryKind::Control(Control::Turn(line)) => line.at,
        EntryKind::Control(Control::Pass(line)) => line.at,
        EntryKind::Control(Control::Failed(line)) => line.at,
        EntryKind::Control(_) | EntryKind::Stray(_) => None,
    });
    let made = || transcript.head.as_ref().and_then(|head| head.created.as_ref()?.parse().ok());
    dates.max().or_else(made)
}

/// One discussion in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The file, as it is shown.
    pub file: String,
    /// The first heading.
    pub title: String,
    /// The template's id.
    pub template: String,
    /// The current phase's id.
    pub phase: String,
    /// The last turn's number; 0 before the first.
    pub turn: u32,
    /// Its status.
    pub status: DecisionStatus,
    /// Votes by option, in the phase's order.
    pub tally: IndexMap<String, usize>,
    /// What was decided.
    #[serde(flatten)]
    pub decided: DecisionFacts,
    /// When it was changed last, in RFC 3339: the newest date in it; if it has none, the time of git's last commit of
    /// the file, or else the file's modification time.
    pub updated: Option<String>,
    /// The day until which people should decide; absent if there is none, or if the discussion is not open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decide_by: Option<Deadline>,
    /// Participants that an open discussion waits for, people first: aliases, names, or `human` for any person.
    pub waiting_for: Vec<String>,
    /// Its decisions that people want to look at again by now, the earliest day first.
    pub due: Vec<DueReview>,
    /// Its cost.
    pub cost: Cost,
    /// The name that finds it.
    pub name: String,
    /// When it was created, as its head says.
    pub created: Option<String>,
    /// True if a run is in progress.
    pub running: bool,
    /// Its parent; null if it has none.
    pub parent: Option<Parent>,
    /// The seconds since it was changed last.
    #[serde(skip)]
    pub age: Option<u64>,
    /// The title of the current phase.
    #[serde(skip)]
    pub phase_title: String,
    /// True if it waits for a person.
    #[serde(skip)]
    pub waits_for_people: bool,
}

impl Listed {
    /// Returns the entry of a discussion in a list, and everything in it that waits for people.
    pub(crate) fn of(snapshot: &Snapshot, sighted: &Sighted) -> (Self, Vec<Waiting>) {
        let state = &snapshot.state;
        let outcome = snapshot.outcome();
        let status = outcome.status;
        let waiting = match status {
            DecisionStatus::Open => WaitingFor::of(snapshot),
            _ => WaitingFor::on_decision(snapshot),
        };
        let updated = sighted.updated(snapshot);
        let listed = Self {
            file: sighted.file.clone(),
            title: state.title.clone(),
            template: snapshot.template().id.clone(),
            phase: snapshot.phase().id.clone(),
            phase_title: snapshot.phase().title().to_owned(),
            turn: state.turns.last().map_or(0, |turn| turn.line.number),
            status,
            tally: tally(snapshot),
            decided: DecisionFacts::of(outcome),
            updated: updated.map(time),
            decide_by: Deadline::of(state, sighted.now).filter(|_| status == DecisionStatus::Open),
            waiting_for: waiting.who,
            due: due(snapshot, sighted),
            cost: Cost::from(&state.cost),
            name: sighted.name.clone(),
            created: snapshot.transcript.head.as_ref().and_then(|head| head.created.clone()),
            running: false,
            parent: sighted.parent.clone(),
            age: sighted.age(updated),
            waits_for_people: !waiting.people.is_empty(),
        };
        let of = |one: Awaited| Waiting {
            file: listed.file.clone(),
            name: listed.name.clone(),
            title: listed.title.clone(),
            wanted: one.wanted,
            who: one.who,
            question: one.question,
            text: one.text,
            decide_by: listed.decide_by.clone(),
        };
        let waiting = waiting.people.into_iter().map(of).collect();
        (listed, waiting)
    }

    /// Returns a key that sorts discussions with decisions to look at again before others, the earliest day first.
    pub fn first_due(&self) -> (bool, i64) {
        self.due.first().map_or((true, 0), |one| (false, one.days))
    }
}

/// Returns the decisions that people want to look at again by now.
fn due(snapshot: &Snapshot, sighted: &Sighted) -> Vec<DueReview> {
    let mut reviews = DueReview::all(snapshot.outcome(), sighted.now.date_naive());
    reviews.retain(|one| one.is_due_within(0));
    reviews
}
