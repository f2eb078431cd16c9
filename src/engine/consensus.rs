//! Computes whether a discussion has reached consensus, from its votes, method and computed verdict; no other module
//! does. `outcome` tells what was decided. Also lists the open issues of a ballot: CHANGES and REJECT votes with
//! their reasons, and participants without a vote.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::next::if_open;
use super::scope::Verdict;
use super::snapshot::Snapshot;
use super::{Step, Stop};
use crate::codes::ProblemCode;
use crate::problem::Problem;
use crate::state::{Ballot, Speaker, Tally, Vote, stated_agreement};
use crate::template::DecidedBy;
use crate::transcript::{Alias, EntryKind, Marker};

/// The status of a discussion, computed from the file; only `Closed` is written by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum DecisionStatus {
    /// In progress.
    Open,
    /// Consensus is reached.
    Consensus,
    /// The discussion ended with a text and without a vote.
    Answered,
    /// A vote blocks.
    Blocked,
    /// A person closed it.
    Closed,
}

impl DecisionStatus {
    /// The word in JSON and for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Consensus => "CONSENSUS",
            Self::Answered => "ANSWERED",
            Self::Blocked => "BLOCKED",
            Self::Closed => "CLOSED",
        }
    }
}

impl fmt::Display for DecisionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The count of the votes, and what the method makes of it and of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsensusState {
    /// True if there is consensus. Nothing else in this library decides that.
    pub reached: bool,
    /// True if a text without a vote reached the consensus.
    pub unvoted: bool,
    /// The status that follows from the other fields.
    pub status: DecisionStatus,
    /// The tally of the votes. Before any ballot decides, it lists no missing participants and no winning option.
    pub tally: Tally,
    /// The verdict, if the template computes one, the discussion is finished and enough participants took part
    /// (INV-DISC-010). A verdict that does not block needs a change that was shown whole.
    pub verdict: Option<Verdict>,
}

impl ConsensusState {
    /// Judges the current state of a discussion.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let mut tally = snapshot.tally().unwrap_or_default();
        let by_votes = snapshot.config.rules.method.decided_by() == DecidedBy::Votes;
        let ballot = snapshot.state.deciding(&snapshot.config).map(|(ballot, _)| ballot);
        if ballot.is_none() && by_votes {
            tally.agreement = stated_agreement(&snapshot.state.ballot);
        }
        // Computed lazily for speed in long lists: most discussions are decided by votes alone, without this value.
        let finished = LazyCell::new(|| snapshot.is_finished());
        if tally.tied
            && *finished
            && let Some(stated) = ballot.and_then(|ballot| snapshot.explained_decision(ballot))
        {
            tally.break_tie(stated, &snapshot.config);
        }
        let computes_verdict = !snapshot.template().result.verdict.is_empty();
        let verdict = (computes_verdict && *finished).then(|| snapshot.verdict().ok().flatten());
        let verdict = verdict.flatten();
        let method = snapshot.config.rules.method;
        // Reviewers cannot approve a change that they did not see. Findings in the rest still block.
        let unseen = |verdict: &Verdict| !verdict.blocks && !snapshot.config.not_shown.is_empty();
        let decided = match (&verdict, method.decided_by()) {
            (Some(verdict), _) => !verdict.blocks && !unseen(verdict),
            (None, DecidedBy::Votes) => tally.carries,
            (None, DecidedBy::Text) => *finished && snapshot.has_text(),
            (None, DecidedBy::StatedDecision) => *finished && snapshot.stated_decision().is_some(),
        };
        // With too few contributors there is neither consensus nor verdict, whatever the synthesis claims.
        let too_few = (decided || verdict.is_some()) && snapshot.too_few_took_part();
        let reached = decided && !too_few;
        let verdict = verdict.filter(|verdict| !too_few && !unseen(verdict));
        let voted = by_votes || ballot.is_some_and(|ballot| !ballot.votes.is_empty());
        let unvoted = reached && verdict.is_none() && !voted;
        let blocked = !tally.blocked_by.is_empty() || verdict.as_ref().is_some_and(|it| it.blocks);
        let status = match (snapshot.state.closed, blocked, reached) {
            (true, ..) => DecisionStatus::Closed,
            (_, true, _) => DecisionStatus::Blocked,
            (_, _, true) if unvoted => DecisionStatus::Answered,
            (_, _, true) => DecisionStatus::Consensus,
            _ => DecisionStatus::Open,
        };
        Self { reached, unvoted, status, tally, verdict }
    }
}

impl Snapshot {
    /// Returns the status of the discussion, without its outcome: that asks for the status of earlier versions.
    pub fn status(&self) -> DecisionStatus {
        ConsensusState::of(self).status
    }

    /// Returns true if the template has no further step.
    pub(crate) fn is_finished(&self) -> bool {
        matches!(if_open(self, usize::MAX, false), Ok(Step::Stop(Stop::Finished)))
    }

    fn has_text(&self) -> bool {
        self.synthesis().is_some_and(|text| !text.trim().is_empty())
    }

    /// Returns the problem of a head that cannot be parsed. The run stops then, because it could not enforce the head's
    /// limits.
    pub(crate) fn unreadable_head(&self) -> Option<&Problem> {
        self.transcript.problems.iter().find(|problem| problem.code == ProblemCode::HeadInvalid)
    }

    /// Returns true if the file contains a merge conflict. The program writes nothing before a person resolves it.
    pub(crate) fn has_conflict(&self) -> bool {
        self.transcript.problems.iter().any(|problem| problem.code == ProblemCode::Conflict)
    }

    /// Returns true if too few participants contributed, or if the last turn stopped because too few answered.
    fn too_few_took_part(&self) -> bool {
        self.contributors() < self.least_contributors()
            || matches!(if_open(self, 0, false), Ok(Step::Stop(Stop::TooFew)))
    }

    /// Returns how many contributors a result needs: `min_providers`, but never more than there are participants.
    pub(crate) fn least_contributors(&self) -> usize {
        self.config.min_answers.min(self.config.participants.len()).max(1)
    }

    /// Counts the participants that wrote a comment with all required markers. A role holder that is not a participant,
    /// for example a synthesizer or judge, does not count.
    pub(crate) fn contributors(&self) -> usize {
        let outside = |speaker: &Speaker| {
            speaker.alias().is_some_and(|alias| {
                let holds = self.config.roles.values().flatten().any(|holder| holder == alias);
                holds && !self.config.participants.contains(alias)
            })
        };
        let said = self.state.said.iter().filter(|said| self.holds_what_is_required(said));
        let spoke = said.map(|said| &said.speaker);
        let counted = spoke.filter(|speaker| speaker.takes_part() && !outside(speaker));
        let own = counted.map(Speaker::handle).collect::<BTreeSet<_>>().len();
        // A sub-discussion that ended had enough contributors, unless a person closed it.
        let ended = self.state.children.iter().filter_map(|child| child.end.as_ref());
        let whole = ended.into_iter().any(|end| end.status != DecisionStatus::Closed.as_str());
        if whole { own.max(self.least_contributors()) } else { own }
    }
}

/// A CHANGES or REJECT vote with the text of its comment.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<'s> {
    /// The vote.
    pub vote: &'s Vote,
    /// The comment without the lines of its vote and confidence.
    pub text: String,
}

impl Snapshot {
    /// Returns the CHANGES and REJECT votes of the deciding ballot, with their comments.
    pub fn conditions(&self) -> Vec<Condition<'_>> {
        let asks = |vote: &&Vote| {
            ["CHANGES", "REJECT"].iter().any(|word| vote.choice.as_str().eq_ignore_ascii_case(word))
        };
        let votes = self.deciding().into_iter().flat_map(|ballot| &ballot.votes).filter(asks);
        votes.map(|vote| Condition { vote, text: self.reason(vote) }).collect()
    }

    /// Returns the participants that took part in the deciding ballot without a vote, in the order of the head.
    /// Participants with failed calls are not included.
    pub fn abstained(&self) -> Vec<&Alias> {
        let Some(ballot) = self.deciding() else { return Vec::new() };
        let asked = |alias: &&Alias| {
            ballot.silent.contains(*alias)
                && !ballot.failed.contains(*alias)
                // A participant that the run skipped had no chance to vote.
                && self.state.last_outcome(alias).is_some()
        };
        self.config.participants.iter().filter(asked).collect()
    }

    fn deciding(&self) -> Option<&Ballot> {
        self.state.deciding(&self.config).map(|(ballot, _)| ballot)
    }

    fn reason(&self, vote: &Vote) -> String {
        let Some(said) = vote.said.and_then(|said| self.state.said.get(said)) else {
            return String::new();
        };
        let Some(EntryKind::Comment(comment)) =
            self.transcript.entries.get(said.entry).map(|entry| &entry.kind)
        else {
            return String::new();
        };
        let dropped = |mark: &&crate::transcript::BodyMark| {
            matches!(mark.marker, Marker::Vote | Marker::Confidence)
        };
        let gone: Vec<usize> = said
            .marks
            .iter()
            .filter(dropped)
            .filter_map(|mark| mark.line.checked_sub(comment.stored_line))
            .collect();
        let body = comment.body();
        let lines = body.lines().enumerate().filter(|(line, _)| !gone.contains(line));
        let kept: Vec<&str> = lines.map(|(_, line)| line).collect();
        kept.join("\n").trim().to_owned()
    }
}
