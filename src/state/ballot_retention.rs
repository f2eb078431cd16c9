//! Selects the ballots that a fold builds and keeps. Only the last ones matter at the end, and building all of them
//! would take long for a long file. A caller that watches each entry needs every ballot while it is current.

use super::discussion_config::DiscussionConfig;
use crate::transcript::{Control, EntryKind, PhaseLine, Transcript};

/// The ballots that are built and kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeptBallots {
    /// Every ballot, while it is current.
    All,
    /// Only the ballots that decide at the end.
    Last {
        /// Index of the last `VOTE-RESET`; votes before it are ignored.
        reset: Option<usize>,
        /// Index of the runner's `PHASE` line that ended the deciding ballot.
        leaving: Option<usize>,
    },
}

impl KeptBallots {
    /// Finds, before the fold, the ballots that decide at the end.
    pub(super) fn last(transcript: &Transcript, config: &DiscussionConfig) -> Self {
        let is_reset = |kind: &EntryKind| matches!(kind, EntryKind::Control(Control::VoteReset));
        let reset = transcript.entries.iter().rposition(|entry| is_reset(&entry.kind));
        Self::Last { reset, leaving: leaving(transcript, config) }
    }

    /// Returns true if votes of an entry belong to the ballot that is being built.
    pub(super) fn counts(self, entry: usize) -> bool {
        match self {
            Self::All => true,
            Self::Last { reset, .. } => reset.is_none_or(|reset| entry > reset),
        }
    }

    /// Returns true if the ballot of a phase is kept when the entry leaves the phase.
    pub(super) fn keeps(self, entry: usize, line: &PhaseLine, voting: bool) -> bool {
        match self {
            Self::All => line.by.is_none() && voting,
            Self::Last { leaving, .. } => leaving == Some(entry),
        }
    }
}

/// Returns the index of the `PHASE` line that ended the deciding ballot. It is the last one with which the runner left
/// a voting phase; after it there is no reset, and no person chose a phase.
fn leaving(transcript: &Transcript, config: &DiscussionConfig) -> Option<usize> {
    let (mut here, mut found) = (0, None);
    for (index, entry) in transcript.entries.iter().enumerate() {
        match &entry.kind {
            EntryKind::Control(Control::VoteReset) => found = None,
            EntryKind::Control(Control::Phase(line)) => {
                let Some((next, _)) = config.template.phase(&line.id) else { continue };
                if line.by.is_some() {
                    found = None;
                } else if config.template.phases[here].voting_mode {
                    found = Some(index);
                }
                here = next;
            }
            _ => {}
        }
    }
    found
}
