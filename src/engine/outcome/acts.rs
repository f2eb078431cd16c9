//! The acts of a discussion: the ballot that decided, and the closing by a person.

use crate::engine::consensus::ConsensusState;
use crate::engine::snapshot::Snapshot;
use crate::state::StatusChange;
use crate::template::DecidedBy;
use crate::transcript::{Choice, Name};

/// A ballot that met the rule of the discussion, or that blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ballot {
    /// True if it blocks, so that it adopts nothing.
    pub(crate) is_blocked: bool,
    /// The option with which it ended.
    pub(crate) choice: Option<Choice>,
    /// The option, if the options were answers to the question. Options that accept or reject a text are none.
    pub(crate) answer: Option<Choice>,
    /// The entry with the last vote for this option.
    pub(crate) entry: usize,
    /// The line of that entry.
    pub(crate) line: usize,
    /// True if a person voted for this option.
    pub(crate) has_person: bool,
}

/// A person closed the discussion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Closing {
    /// The person; `None` if the line names nobody.
    pub(crate) by: Option<Name>,
    /// The entry of the line.
    pub(crate) entry: usize,
    /// The line in the file.
    pub(crate) line: usize,
}

/// The acts that count at the end of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Acts {
    /// The last ballot, if it decided.
    pub(crate) ballot: Option<Ballot>,
    /// The last closing by a person that no reopening took back.
    pub(crate) closing: Option<Closing>,
    /// True if the discussion is closed, also in the name of an agent or a model.
    pub(crate) closed: bool,
    /// The lines that closed or reopened the discussion in vain.
    pub(crate) idle: Vec<StatusChange>,
}

impl Acts {
    /// Finds the acts of a discussion.
    pub(super) fn of(snapshot: &Snapshot, consensus: &ConsensusState) -> Self {
        let mut acts = Self { closed: snapshot.state.closed, ..Self::default() };
        acts.ballot = Ballot::of(snapshot, consensus);
        acts.find_closing(snapshot);
        acts
    }

    /// Finds the last closing since the last reopening. A repeated closing is an act only if a person stated or
    /// supported a proposal since the one before it.
    fn find_closing(&mut self, snapshot: &Snapshot) {
        let state = &snapshot.state;
        let statements = state.decisions.iter().flat_map(|decision| &decision.statements);
        let mut by_people: Vec<usize> =
            statements.filter(|one| one.by_person).map(|one| one.entry).collect();
        by_people.sort_unstable();
        for change in &state.status_changes {
            let acts = match (&self.closing, change.closes) {
                _ if !change.by_person => false,
                (_, false) => {
                    self.closing = None;
                    continue;
                }
                (None, true) => true,
                (Some(last), true) => {
                    let above = |entry: usize| by_people.partition_point(|one| *one < entry);
                    above(last.entry) < above(change.entry)
                }
            };
            if acts {
                let StatusChange { by, entry, line, .. } = change.clone();
                self.closing = Some(Closing { by, entry, line });
            } else {
                self.idle.push(change.clone());
            }
        }
    }

    /// Returns the entry of the last act.
    pub(crate) fn last_entry(&self) -> Option<usize> {
        let ballot = self.ballot.as_ref().map(|ballot| ballot.entry);
        ballot.max(self.closing.as_ref().map(|closing| closing.entry))
    }

    /// Returns the line of the last act.
    pub(crate) fn last_line(&self) -> Option<usize> {
        let ballot = self.ballot.as_ref().map(|ballot| ballot.line);
        ballot.max(self.closing.as_ref().map(|closing| closing.line))
    }
}

impl Ballot {
    fn of(snapshot: &Snapshot, consensus: &ConsensusState) -> Option<Self> {
        let is_blocked = !consensus.tally.blocked_by.is_empty();
        let adopts = consensus.reached && !consensus.unvoted && consensus.verdict.is_none();
        if !(is_blocked || adopts) {
            return None;
        }
        let state = &snapshot.state;
        let (ballot, phase) = state.deciding(&snapshot.config)?;
        let choice = consensus.tally.outcome.clone();
        let added = match &choice {
            Some(choice) => ballot.last_added_for(choice),
            None => ballot.votes.iter().filter_map(|vote| vote.said).max(),
        };
        let said = added.and_then(|said| state.said.get(said));
        let by_votes = snapshot.config.rules.method.decided_by() == DecidedBy::Votes;
        let answers = snapshot.config.rules.accept.is_empty()
            && !snapshot.config.options[phase].iter().any(asks_for_more);
        let is_clear = !consensus.tally.tied || consensus.tally.tie_broken;
        let mut voters = ballot.votes.iter();
        let has_person = voters.any(|vote| {
            Some(&vote.choice) == choice.as_ref() && snapshot.config.is_person(&vote.speaker)
        });
        Some(Self {
            is_blocked,
            answer: choice.clone().filter(|_| by_votes && answers && is_clear && !is_blocked),
            choice,
            entry: said.map_or(0, |said| said.entry),
            line: said.map_or(0, |said| said.line),
            has_person,
        })
    }
}

/// Returns true if an option asks for something else than the current text, even if a template counts it as agreement.
pub(crate) fn asks_for_more(choice: &Choice) -> bool {
    ["CHANGES", "REJECT"].iter().any(|word| choice.as_str().eq_ignore_ascii_case(word))
}
