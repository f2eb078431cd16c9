//! The `SUPERSEDES:` lines of a discussion that count, and the reasons why others do not.

use std::collections::HashSet;

use super::{ItemState, Outcome};
use crate::engine::snapshot::Snapshot;
use crate::state::Superseded;
use crate::transcript::Time;

/// A link that supersedes a decision of another discussion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SupersedingLink {
    /// The file of the other discussion, relative to the folder of this one.
    pub(crate) file: String,
    /// The decision there; `None` stands for its whole outcome.
    pub(crate) number: Option<u32>,
    /// The decision here; `None` stands for the whole outcome.
    pub(crate) own: Option<u32>,
    /// True if a person wrote it, voted for its text, or closed the discussion. Otherwise it does not replace what
    /// people decided.
    pub(crate) is_of_people: bool,
    /// The time of its comment, or of the newest entry above it.
    pub(crate) at: Option<Time>,
    /// The line in the file.
    pub(crate) line: usize,
    /// The column in that line.
    pub(crate) column: usize,
}

/// A link that supersedes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UncountedLink {
    /// The reason, as the end of a sentence.
    pub(crate) reason: &'static str,
    /// The line in the file.
    pub(crate) line: usize,
    /// The column in that line.
    pub(crate) column: usize,
}

impl Outcome {
    /// Separates the links that count from the others. `adopted` are the entries of adopted texts and comments.
    pub(super) fn judge_links(&mut self, snapshot: &Snapshot, adopted: &HashSet<usize>) {
        let all = &snapshot.state.superseded;
        if all.is_empty() {
            return;
        }
        let times = newest_times(snapshot);
        let votes = self.acts.ballot.as_ref().is_some_and(|ballot| ballot.has_person);
        let has_people = votes || self.acts.closing.is_some();
        for link in all {
            match self.reason_against(link, adopted) {
                None => self.links.push(SupersedingLink {
                    file: link.file.clone(),
                    number: link.number,
                    own: link.by,
                    is_of_people: link.by_person || has_people,
                    at: times.get(link.entry).copied().flatten(),
                    line: link.line,
                    column: link.column,
                }),
                Some(reason) => {
                    let (line, column) = (link.line, link.column);
                    self.uncounted_links.push(UncountedLink { reason, line, column });
                }
            }
        }
    }

    /// Returns the reason why a link does not count.
    fn reason_against(&self, link: &Superseded, adopted: &HashSet<usize>) -> Option<&'static str> {
        if !(link.by_person || adopted.contains(&link.entry)) {
            return Some(
                "a person has to write it, or it has to stand in the text that was adopted",
            );
        }
        let Some(last) = self.acts.last_entry() else {
            return Some("this discussion has no decision yet");
        };
        if link.entry > last {
            return Some("it stands below the last act of this discussion");
        }
        let was_adopted =
            |state: ItemState| matches!(state, ItemState::InForce | ItemState::Replaced);
        let mut items =
            self.items.iter().filter(|item| link.by.is_none() || item.number == link.by);
        let counts = items.any(|item| item.decided_by.is_some() && was_adopted(item.state));
        (!counts).then_some("its own decision was not adopted, or was withdrawn")
    }
}

/// Returns for each entry its time or, if it has none, the newest time above it.
fn newest_times(snapshot: &Snapshot) -> Vec<Option<Time>> {
    let transcript = &snapshot.transcript;
    let created = transcript.head.as_ref().and_then(|head| head.created.as_ref()?.parse().ok());
    let mut newest: Option<Time> = created;
    let entries = transcript.entries.iter();
    let times = entries.map(|entry| {
        let own = entry.kind.time();
        newest = newest.max(own);
        own.or(newest)
    });
    times.collect()
}
