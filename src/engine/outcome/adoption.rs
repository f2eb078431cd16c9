//! What the acts adopted: the state of each proposal, and the text that belongs to it.

use std::collections::HashSet;

use super::acts::{Acts, Ballot, Closing};
use super::sentence::opening_sentence;
use super::texts::FoundText;
use super::{By, Decider, Decision, ItemState, OutcomeText};
use crate::engine::consensus::ConsensusState;
use crate::engine::snapshot::Snapshot;
use crate::state::{Speaker, StatedDecision, Statement, Withdrawal};
use crate::transcript::Name;

/// The proposals with their states, and what was adopted with them.
pub(super) struct Adopted {
    /// The proposals, and an option or a text without a number, in file order.
    pub(super) items: Vec<Decision>,
    /// The text of the outcome.
    pub(super) text: Option<OutcomeText>,
    /// The entries of the texts and comments that an act adopted.
    pub(super) comments: HashSet<usize>,
}

/// The way in which an item got its standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ground {
    /// A ballot adopted it.
    Ballot,
    /// A person closed the discussion.
    Closing,
    /// It is the answer, and nobody decided about it.
    Answer,
}

/// An item without a number: an option that won, or the first sentence of a text.
struct Unnumbered {
    text: String,
    author: Option<Name>,
    line: usize,
    entry: Option<usize>,
}

/// The computation for one discussion.
struct Adoption<'s> {
    snapshot: &'s Snapshot,
    acts: &'s Acts,
    proposals: &'s [StatedDecision],
    /// For each proposal, the ground on which it stands or stood.
    grounds: Vec<Option<Ground>>,
    /// The proposal that states the option that won, with this option.
    option: Option<(usize, String)>,
    unnumbered: Option<(Unnumbered, Ground)>,
    text: Option<FoundText>,
    comments: HashSet<usize>,
    /// True if a closing adopted proposals that are still in force.
    is_overruled: bool,
}

/// Computes the states of the proposals from the acts.
pub(super) fn adopt(snapshot: &Snapshot, consensus: &ConsensusState, acts: &Acts) -> Adopted {
    let proposals = snapshot.state.decisions.as_slice();
    let mut adoption = Adoption {
        snapshot,
        acts,
        proposals,
        grounds: vec![None; proposals.len()],
        option: None,
        unnumbered: None,
        text: None,
        comments: HashSet::new(),
        is_overruled: false,
    };
    match (&acts.ballot, consensus.reached && consensus.unvoted) {
        (Some(ballot), _) if ballot.is_blocked => {
            adoption.text = FoundText::voted_on(snapshot, ballot.entry);
        }
        (Some(ballot), _) => adoption.adopt_by_ballot(ballot),
        (None, true) => adoption.answer(),
        (None, false) => adoption.text = FoundText::last(snapshot),
    }
    if let Some(closing) = &acts.closing {
        adoption.adopt_by_closing(closing);
    }
    adoption.finish()
}

impl<'s> Adoption<'s> {
    /// Adopts the option that won, the text that was voted on, or the proposals above the last vote.
    fn adopt_by_ballot(&mut self, ballot: &Ballot) {
        if let Some(option) = &ballot.answer {
            let explanation = FoundText::explaining(self.snapshot, ballot.entry);
            let entry = explanation.as_ref().and_then(|found| found.entry);
            match self.stated_in(entry).first() {
                Some(&first) => {
                    self.grounds[first] = Some(Ground::Ballot);
                    self.option = Some((first, option.to_string()));
                }
                None => self.add_choice(option.to_string(), ballot),
            }
            self.comments.extend(entry);
            self.text = explanation;
            return;
        }
        let text = FoundText::voted_on(self.snapshot, ballot.entry);
        if let Some(text) = text.filter(|found| !found.text.trim().is_empty()) {
            self.adopt_text(text, Ground::Ballot);
            return;
        }
        for index in 0..self.proposals.len() {
            let is_stated = |one: &&Statement| {
                one.is_stated && one.entry <= ballot.entry && self.takes_part(one)
            };
            let stated = self.proposals[index].statements.iter().find(is_stated);
            let Some(entry) = stated.map(|stated| stated.entry) else { continue };
            if self.withdrawal(index, Some(ballot.entry)).is_none_or(|one| one.entry > ballot.entry)
            {
                self.grounds[index] = Some(Ground::Ballot);
                self.comments.insert(entry);
            }
        }
        match self.grounds.iter().position(Option::is_some) {
            Some(first) => self.text = self.comment_of(self.proposals[first].entry()),
            None => {
                let choice = ballot.choice.as_ref().map(ToString::to_string).unwrap_or_default();
                self.add_choice(choice, ballot);
            }
        }
    }

    fn add_choice(&mut self, text: String, ballot: &Ballot) {
        let entry = Some(ballot.entry);
        let choice = Unnumbered { text, author: None, line: ballot.line, entry };
        self.unnumbered = Some((choice, Ground::Ballot));
    }

    /// Finds the answer of a discussion that ended in a text.
    fn answer(&mut self) {
        let text = FoundText::last(self.snapshot).filter(|found| !found.text.trim().is_empty());
        if let Some(text) = text.or_else(|| FoundText::last_comment(self.snapshot)) {
            self.adopt_text(text, Ground::Answer);
        }
    }

    /// Gives a text its standing: its `DECISION:` lines, or else its first sentence.
    fn adopt_text(&mut self, text: FoundText, ground: Ground) {
        let stated = self.stated_in(text.entry);
        for index in &stated {
            self.grounds[*index] = Some(ground);
        }
        if stated.is_empty()
            && let Some(sentence) = opening_sentence(&text.text)
        {
            let author = text.entry.and_then(|entry| self.author_of(entry));
            let (line, entry) = (text.line.unwrap_or(0), text.entry);
            self.unnumbered = Some((Unnumbered { text: sentence, author, line, entry }, ground));
        }
        self.comments.extend(text.entry);
        self.text = Some(text);
    }

    /// Adopts the proposals of people below the ballot, or else confirms what the ballot adopted, or adopts the answer.
    fn adopt_by_closing(&mut self, closing: &Closing) {
        let top = self.acts.ballot.as_ref().map(|ballot| ballot.entry);
        let stands_there =
            |one: &&Statement| one.by_person && Some(one.entry) > top && one.entry < closing.entry;
        let mut first = None;
        for index in 0..self.proposals.len() {
            if self.grounds[index] == Some(Ground::Ballot) {
                continue;
            }
            let statements = || self.proposals[index].statements.iter().filter(stands_there);
            let Some(statement) =
                statements().find(|one| one.is_stated).or_else(|| statements().next())
            else {
                continue;
            };
            let withdrawn = self.withdrawal(index, Some(closing.entry));
            if withdrawn.is_some_and(|one| one.entry < closing.entry) {
                continue;
            }
            self.grounds[index] = Some(Ground::Closing);
            let entry =
                if statement.is_stated { statement.entry } else { self.proposals[index].entry() };
            self.comments.insert(entry);
            if withdrawn.is_none() {
                self.is_overruled = true;
                first.get_or_insert(entry);
            }
        }
        if let Some(entry) = first {
            self.text = self.comment_of(entry);
            return;
        }
        let answers = self.grounds.iter_mut().filter(|ground| **ground == Some(Ground::Answer));
        answers.for_each(|ground| *ground = Some(Ground::Closing));
        if let Some((_, ground @ Ground::Answer)) = &mut self.unnumbered {
            *ground = Ground::Closing;
        }
    }

    /// Returns the indices of the proposals that a comment states.
    fn stated_in(&self, entry: Option<usize>) -> Vec<usize> {
        let Some(entry) = entry else { return Vec::new() };
        let states = |one: &Statement| one.is_stated && one.entry == entry;
        let all = self.proposals.iter().enumerate();
        all.filter(|(_, one)| one.statements.iter().any(states)).map(|(index, _)| index).collect()
    }

    /// Returns true if the author of a statement is a person, or a participant that is no agent.
    fn takes_part(&self, one: &Statement) -> bool {
        match &one.speaker {
            Speaker::Persona(alias) => !self.snapshot.config.is_agent(alias),
            _ => one.by_person,
        }
    }

    /// Returns the line that withdrew a proposal. A participant withdraws its own one only above the act that adopted
    /// it.
    fn withdrawal(&self, index: usize, act: Option<usize>) -> Option<&'s Withdrawal> {
        let mut all = self.proposals[index].withdrawals.iter();
        all.find(|one| one.by_person || act.is_none_or(|act| one.entry < act))
    }

    fn author_of(&self, entry: usize) -> Option<Name> {
        let said = &self.snapshot.state.said;
        let index = said.binary_search_by_key(&entry, |said| said.entry).ok()?;
        Some(said[index].name.clone())
    }

    fn comment_of(&self, entry: usize) -> Option<FoundText> {
        let said = &self.snapshot.state.said;
        let index = said.binary_search_by_key(&entry, |said| said.entry).ok()?;
        let (text, line) = (self.snapshot.body_of(&said[index]), said[index].line);
        Some(FoundText { text, entry: Some(entry), line: Some(line) })
    }

    fn act_entry(&self, ground: Option<Ground>) -> Option<usize> {
        match ground? {
            Ground::Ballot => self.acts.ballot.as_ref().map(|ballot| ballot.entry),
            Ground::Closing => self.acts.closing.as_ref().map(|closing| closing.entry),
            Ground::Answer => None,
        }
    }

    fn decider(&self, ground: Ground) -> Option<Decider> {
        match ground {
            Ground::Ballot => Some(Decider::Vote),
            Ground::Closing => {
                let closing = self.acts.closing.as_ref();
                closing.map(|closing| Decider::Person(closing.by.clone()))
            }
            Ground::Answer => None,
        }
    }

    fn is_of_people(&self, ground: Ground) -> bool {
        let voted = || self.acts.ballot.as_ref().is_some_and(|ballot| ballot.has_person);
        match ground {
            Ground::Ballot => self.acts.closing.is_some() || voted(),
            Ground::Closing => true,
            Ground::Answer => false,
        }
    }

    /// Returns true if the `(replaces D1)` of a statement counts, because its own decision is adopted with it.
    fn replaces_with(&self, index: usize, statement: &Statement) -> bool {
        let proposal = &self.proposals[index];
        let act = self.act_entry(self.grounds[index]);
        let supports = |one: &Statement| one.by_person && !one.is_stated;
        let is_supported = || proposal.statements.iter().any(supports);
        let is_first = proposal.statements.first() == Some(statement);
        act.is_none_or(|act| statement.entry <= act)
            && (statement.by_person
                || self.comments.contains(&statement.entry)
                || is_first && is_supported())
    }

    /// Returns the states of all items.
    fn finish(self) -> Adopted {
        let withdrawn: Vec<Option<&Withdrawal>> = (0..self.proposals.len())
            .map(|index| self.withdrawal(index, self.act_entry(self.grounds[index])))
            .collect();
        let counts = |index: usize| self.grounds[index].is_some() && withdrawn[index].is_none();
        let first_of_closing = (0..self.proposals.len())
            .find(|index| self.grounds[*index] == Some(Ground::Closing) && counts(*index))
            .filter(|_| self.is_overruled);
        // For each proposal, the adopted one that replaces it.
        let mut replaced_by: Vec<Option<usize>> = vec![None; self.proposals.len()];
        for index in (0..self.proposals.len()).filter(|index| counts(*index)) {
            for statement in &self.proposals[index].statements {
                if statement.replaces.is_empty() || !self.replaces_with(index, statement) {
                    continue;
                }
                for old in statement.replaces.iter().filter(|old| counts(**old)) {
                    replaced_by[*old].get_or_insert(index);
                }
            }
        }
        if let Some(first) = first_of_closing {
            for (ground, replaced_by) in self.grounds.iter().zip(&mut replaced_by) {
                if *ground == Some(Ground::Ballot) {
                    replaced_by.get_or_insert(first);
                }
            }
        }
        let newest_text = self.newest_text();
        let mut items: Vec<Decision> = (0..self.proposals.len())
            .map(|index| {
                let mut item = self.item(index);
                let ended_by = replaced_by[index].map(|by| &self.proposals[by]);
                let ground = self.grounds[index];
                (item.state, item.by, item.ended_in_line) =
                    match (withdrawn[index], ground, ended_by) {
                        (Some(one), ..) => {
                            (ItemState::Withdrawn, Some(By::Name(one.name.clone())), Some(one.line))
                        }
                        (None, Some(Ground::Answer), _) if self.is_overruled => {
                            (ItemState::NotAdopted, None, None)
                        }
                        (None, Some(_), Some(by)) => {
                            (ItemState::Replaced, Some(By::Item(by.number)), Some(by.line))
                        }
                        (None, Some(Ground::Answer), None) => (ItemState::Answered, None, None),
                        (None, Some(_), None) => (ItemState::InForce, None, None),
                        (None, None, _) => self.state_of_proposal(index, newest_text),
                    };
                item
            })
            .collect();
        if let Some((unnumbered, ground)) = &self.unnumbered {
            let mut item = self.unnumbered_item(unnumbered, *ground);
            match (first_of_closing.map(|first| &self.proposals[first]), ground) {
                (Some(_), Ground::Answer) => item.state = ItemState::NotAdopted,
                (Some(by), _) => {
                    item.state = ItemState::Replaced;
                    item.by = Some(By::Item(by.number));
                    item.ended_in_line = Some(by.line);
                }
                (None, Ground::Answer) => item.state = ItemState::Answered,
                (None, _) => item.state = ItemState::InForce,
            }
            let place = items.partition_point(|other| other.line <= item.line);
            items.insert(place, item);
        }
        Adopted { items, text: self.text.map(OutcomeText::from), comments: self.comments }
    }

    /// Returns the entry of the newest text with a decision, and that decision.
    fn newest_text(&self) -> Option<(usize, &'s StatedDecision)> {
        let of_text = self.proposals.iter().filter(|one| one.is_of_text());
        of_text.map(|one| (one.entry(), one)).max_by_key(|(entry, _)| *entry)
    }

    /// Returns the state of a proposal that no act adopted.
    fn state_of_proposal(
        &self,
        index: usize,
        newest_text: Option<(usize, &StatedDecision)>,
    ) -> (ItemState, Option<By>, Option<usize>) {
        let proposal = &self.proposals[index];
        let act = self.acts.last_entry();
        let is_below = |one: &Statement| {
            Some(one.entry) > act && (one.by_person || one.entry == proposal.entry())
        };
        if !proposal.statements.iter().any(is_below) {
            return (ItemState::NotAdopted, None, None);
        }
        // A later version of a text takes the place of the earlier one.
        let repeats = |entry: usize| {
            proposal.statements.iter().any(|one| one.is_stated && one.entry >= entry)
        };
        let newer = newest_text.filter(|(entry, _)| proposal.is_of_text() && !repeats(*entry));
        match newer {
            Some((_, newer)) if act.is_none() && !self.is_answered() => {
                (ItemState::Replaced, Some(By::Item(newer.number)), Some(newer.line))
            }
            Some(_) => (ItemState::NotAdopted, None, None),
            None => (ItemState::Proposed, None, None),
        }
    }

    fn is_answered(&self) -> bool {
        self.grounds.contains(&Some(Ground::Answer))
            || matches!(self.unnumbered, Some((_, Ground::Answer)))
    }

    fn item(&self, index: usize) -> Decision {
        let proposal = &self.proposals[index];
        let ground = self.grounds[index];
        let option = self.option.as_ref().filter(|(of, _)| *of == index).map(|(_, option)| option);
        let stated = &proposal.text;
        let numbers = |one: &Statement| one.replaces.clone();
        let mut replaces: Vec<u32> = proposal
            .statements
            .iter()
            .flat_map(numbers)
            .map(|at| self.proposals[at].number)
            .collect();
        replaces.sort_unstable();
        replaces.dedup();
        Decision {
            number: Some(proposal.number),
            text: option.unwrap_or(stated).clone(),
            reason: option.filter(|option| *option != stated).map(|_| stated.clone()),
            author: Some(proposal.author.clone()),
            supporters: proposal.supporters.clone(),
            line: proposal.line,
            state: ItemState::Proposed,
            by: None,
            ended_in_line: None,
            decided_by: ground.and_then(|ground| self.decider(ground)),
            stood: ground.is_some(),
            is_of_people: ground.is_some_and(|ground| self.is_of_people(ground)),
            replaces,
            notes: proposal.lifecycle.clone(),
            inherited_affects: Vec::new(),
            entry: Some(proposal.entry()),
        }
    }

    fn unnumbered_item(&self, unnumbered: &Unnumbered, ground: Ground) -> Decision {
        Decision {
            number: None,
            text: unnumbered.text.clone(),
            reason: None,
            author: unnumbered.author.clone(),
            supporters: Vec::new(),
            line: unnumbered.line,
            state: ItemState::InForce,
            by: None,
            ended_in_line: None,
            decided_by: self.decider(ground),
            stood: true,
            is_of_people: self.is_of_people(ground),
            replaces: Vec::new(),
            notes: Default::default(),
            inherited_affects: Vec::new(),
            entry: unnumbered.entry,
        }
    }
}
