//! The notes of people that count, and a problem for each line about decisions that counts for nothing.

use std::collections::BTreeSet;

use super::{Decider, ItemState, Outcome};
use crate::codes::ProblemCode;
use crate::engine::consensus::DecisionStatus;
use crate::engine::snapshot::Snapshot;
use crate::problem::{Problem, Severity};
use crate::state::{Lifecycle, Speaker, Statement};
use crate::transcript::{Control, EntryKind};

/// The maximum number of times that the discussion is evaluated at an earlier point. Each evaluation reads the file up
/// to that point, so without a limit a file could take quadratic time.
const MAX_EVALUATIONS: usize = 32;

impl Outcome {
    /// Removes the notes that do not count, and adds the problems of lines that count for nothing.
    pub(super) fn judge_notes(&mut self, snapshot: &Snapshot) {
        self.drop_early_hindsight(snapshot);
        self.note_idle_closings();
        self.note_proposals(snapshot);
        self.note_withdrawals(snapshot);
        for link in &self.uncounted_links {
            // In an open discussion the link may still count later.
            let is_over = self.acts.closed || self.acts.last_entry().is_some();
            if is_over || self.status == DecisionStatus::Answered {
                let message = format!("this link replaces nothing: {}", link.reason);
                let place = (link.line, link.column);
                self.problems.push(Problem::new(
                    Severity::Note,
                    ProblemCode::LinkNotCounted,
                    place,
                    message,
                ));
            }
        }
    }

    fn note(&mut self, code: ProblemCode, line: usize, message: String) {
        self.problems.push(Problem::new(Severity::Note, code, (line, 1), message));
    }

    /// Notes each line that closes or reopens the discussion in vain.
    fn note_idle_closings(&mut self) {
        for idle in std::mem::take(&mut self.acts.idle) {
            let name = idle.by.as_ref().map_or("the name in this line", |name| name.as_str());
            let message = match (idle.by_person, idle.closes) {
                (true, _) => "the discussion was already closed, and nobody proposed anything since; this line changes nothing".to_owned(),
                (false, true) => format!("{name} is not a person, so this line stops the discussion and decides nothing"),
                (false, false) => format!("{name} is not a person, so this line reopens nothing"),
            };
            self.note(ProblemCode::ActNotCounted, idle.line, message);
        }
    }

    /// Notes the proposals that stand below the last act, and those of agents that no person supports.
    fn note_proposals(&mut self, snapshot: &Snapshot) {
        let (Some(act), Some(act_line)) = (self.acts.last_entry(), self.acts.last_line()) else {
            return;
        };
        let closing = self.acts.closing.as_ref().map(|closing| closing.entry);
        let is_agent = |one: &Statement| match &one.speaker {
            Speaker::Persona(alias) => snapshot.config.is_agent(alias),
            speaker => matches!(speaker, Speaker::Agent(_)),
        };
        let (mut notes, mut adoptable) = (Vec::new(), Vec::new());
        for decision in &snapshot.state.decisions {
            let number = decision.number;
            let Some(state) = self.numbered(number).map(|item| item.state) else { continue };
            for one in &decision.statements {
                let who = &one.name;
                let message = if one.entry > act && state == ItemState::Proposed && one.by_person {
                    format!(
                        "D{number} is a proposal: it stands below line {act_line}, with which the discussion was decided; closing the discussion adopts it"
                    )
                } else if one.entry > act && state == ItemState::Proposed && one.is_stated {
                    format!(
                        "D{number} is a proposal: it stands below line {act_line}, with which the discussion was decided; a person adopts it with `+1 D{number}`, and closes the discussion"
                    )
                } else if closing.is_some_and(|closing| one.entry < closing)
                    && is_agent(one)
                    && state == ItemState::NotAdopted
                {
                    if one.is_stated {
                        format!(
                            "D{number} was not adopted: it is a proposal of {who}, and no person supports it"
                        )
                    } else {
                        format!("this support does not count at a closing: {who} is not a person")
                    }
                } else {
                    continue;
                };
                if one.entry > act && state == ItemState::Proposed && one.by_person {
                    adoptable.push(number);
                }
                notes.push((one.line, message));
            }
        }
        adoptable.dedup();
        self.proposals_to_close = adoptable;
        for (line, message) in notes {
            self.note(ProblemCode::DecidesNothing, line, message);
        }
    }

    /// Reports a participant that withdraws its own proposal after an act adopted it.
    fn note_withdrawals(&mut self, snapshot: &Snapshot) {
        let mut problems = Vec::new();
        for decision in &snapshot.state.decisions {
            let number = decision.number;
            let Some(item) = self.numbered(number) else { continue };
            let late = decision.withdrawals.iter().filter(|one| !one.by_person);
            let adopted = item.decided_by.as_ref().filter(|_| item.state != ItemState::Withdrawn);
            for (one, by) in late.filter_map(|one| Some((one, adopted?))) {
                let by = match by {
                    Decider::Vote => "a vote".to_owned(),
                    by => by.name(),
                };
                problems.push((one.line, format!("{by} adopted D{number}, so only a person can withdraw it; it is still in force")));
            }
        }
        for (line, message) in problems {
            self.problems.push(Problem::new(
                Severity::Warning,
                ProblemCode::NotWithdrawn,
                (line, 1),
                message,
            ));
        }
    }

    /// Removes hindsight that was written before anything was decided or answered.
    fn drop_early_hindsight(&mut self, snapshot: &Snapshot) {
        let items = self.items.iter().map(|item| &item.notes);
        let notes = std::iter::once(&self.notes).chain(items);
        let lines: BTreeSet<usize> =
            notes.flat_map(|notes| notes.hindsight.iter().map(|one| one.line)).collect();
        let first_end = self.first_end();
        let mut doubtful =
            lines.into_iter().filter(|line| first_end.is_none_or(|end| *line <= end)).peekable();
        if doubtful.peek().is_none() {
            return;
        }
        let transcript = &snapshot.transcript;
        let (mut ended, mut evaluated, mut early) = (None, 0, BTreeSet::new());
        for (index, entry) in transcript.entries.iter().enumerate() {
            // The discussion may have gone on.
            if let EntryKind::Control(
                Control::Status(_) | Control::VoteReset | Control::Turn(_) | Control::Phase(_),
            ) = &entry.kind
            {
                ended = None;
            }
            let next = transcript.entries.get(index + 1).map_or(usize::MAX, |next| next.line);
            while let Some(line) = doubtful.next_if(|line| *line < next) {
                if ended != Some(true) && evaluated < MAX_EVALUATIONS {
                    evaluated += 1;
                    let before = &transcript.text[..entry.span.start];
                    let before = Snapshot::unsettled(before, snapshot.config.clone());
                    ended = Some(before.status() != DecisionStatus::Open);
                }
                if ended == Some(false) {
                    early.insert(line);
                }
            }
        }
        let keep = |notes: &mut Lifecycle| notes.hindsight.retain(|one| !early.contains(&one.line));
        keep(&mut self.notes);
        self.items.iter_mut().for_each(|item| keep(&mut item.notes));
        for line in early {
            let message = "this hindsight is ignored, because the discussion had not ended yet; write it after the end, \
                           or close the discussion first";
            let code = ProblemCode::HindsightEarly;
            self.problems.push(Problem::new(Severity::Warning, code, (line, 1), message));
        }
    }

    /// Returns the line of the first act that counts, or of the answer.
    fn first_end(&self) -> Option<usize> {
        let ballot = self.acts.ballot.as_ref().map(|ballot| ballot.line);
        let closing = self.acts.closing.as_ref().map(|closing| closing.line);
        let answer = self.text.as_ref().filter(|_| self.status == DecisionStatus::Answered);
        let answer = answer.and_then(|text| text.line);
        [ballot, closing, answer].into_iter().flatten().min()
    }
}
