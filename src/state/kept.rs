//! Which ballots a fold builds and keeps. Only the last ones decide in the end, and of a long file building all would
//! take long; whoever watches entry by entry wants each in its time.

use super::discussion_config::DiscussionConfig;
use crate::transcript::{Control, EntryKind, PhaseLine, Transcript};

/// Which ballots are built and kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept {
    /// Each in its time.
    All,
    /// Those that decide in the end.
    Last {
        /// Index of the last `VOTE-RESET`: votes above it count for nothing.
        reset: Option<usize>,
        /// Index of the `PHASE` line with which the runner left the ballot that still decides.
        leaving: Option<usize>,
    },
}

impl Kept {
    /// Those that decide in the end, known beforehand.
    pub(super) fn last(transcript: &Transcript, config: &DiscussionConfig) -> Self {
        let is_reset = |kind: &EntryKind| matches!(kind, EntryKind::Control(Control::VoteReset));
        let reset = transcript.entries.iter().rposition(|entry| is_reset(&entry.kind));
        Self::Last { reset, leaving: leaving(transcript, config) }
    }

    /// Whether votes of an entry count for the ballot that is built now.
    pub(super) fn counts(self, entry: usize) -> bool {
        match self {
            Self::All => true,
            Self::Last { reset, .. } => reset.is_none_or(|reset| entry > reset),
        }
    }

    /// Whether the ballot of a phase is kept when an entry leaves it.
    pub(super) fn keeps(self, entry: usize, line: &PhaseLine, voting: bool) -> bool {
        match self {
            Self::All => line.by.is_none() && voting,
            Self::Last { leaving, .. } => leaving == Some(entry),
        }
    }
}

/// Index of the `PHASE` line whose ballot still decides: the runner left a voting phase with it, and neither a reset nor
/// a person's choice of a phase follows.
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
