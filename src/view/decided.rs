//! What was decided in a discussion, as every document and every front end says it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{By, Decider, Decision, ItemState, Outcome, Standing};
use crate::transcript::visible_line;

/// What was decided in a discussion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionFacts {
    /// The first decision in force, or else the answer, in a sentence; null if there is none.
    pub decision: Option<String>,
    /// How the outcome stands.
    pub standing: Standing,
    /// True if a decision is in force.
    pub in_force: bool,
    /// Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force.
    pub decided_by: Option<String>,
    /// The verdict in a sentence, if the template computed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The proposals, and an option or a text that was adopted or answered, in file order; each with its state.
    pub decisions: Vec<StatedDecision>,
    /// How the outcome stands, in words.
    #[serde(skip)]
    words: String,
}

/// A proposal, a decision or an answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatedDecision {
    /// The number of its `DECISION:` line, counted in file order from 1; null for an option or a text.
    pub number: Option<u32>,
    /// The decision, in one line.
    pub text: String,
    /// If an option won, the sentence that explains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The author's name; empty for an option.
    pub author: String,
    /// The names of its supporters.
    pub supporters: Vec<String>,
    /// Line in the file, from 1.
    pub line: usize,
    /// The state.
    pub state: ItemState,
    /// The decision that replaced it, like `D4` or `other.md#D1`, or the name of the person who withdrew it.
    pub by: Option<String>,
    /// The day on which people look at it again, like `2027-06-01`, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_by: Option<String>,
    /// The files that it is about: gitignore patterns from the project's root.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub affects: Vec<String>,
    /// The state in words.
    #[serde(skip)]
    words: String,
}

impl DecisionFacts {
    /// Returns what an outcome says.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        Self {
            decision: outcome.decision().map(|item| item.text.clone()),
            standing: outcome.standing,
            in_force: outcome.standing == Standing::InForce,
            decided_by: outcome.decided_by.as_ref().map(Decider::name),
            verdict: outcome.verdict.clone(),
            decisions: outcome.items.iter().map(StatedDecision::from).collect(),
            words: outcome.words(),
        }
    }

    /// Returns what a record of another tool says: its decision, the state in the law's words, and what replaced it.
    pub(crate) fn of_record(
        decision: &str,
        state: Option<ItemState>,
        by: Option<String>,
        words: String,
    ) -> Self {
        let standing = match state {
            None | Some(ItemState::Proposed) => Standing::Open,
            Some(ItemState::Answered) => Standing::Answered,
            Some(ItemState::InForce) => Standing::InForce,
            Some(ItemState::NotAdopted) => Standing::NotAdopted,
            Some(ItemState::Replaced) => Standing::Replaced,
            Some(ItemState::Withdrawn) => Standing::Withdrawn,
        };
        let in_force = standing == Standing::InForce;
        let stated = state.map(|state| StatedDecision {
            number: None,
            text: decision.to_owned(),
            reason: None,
            author: String::new(),
            supporters: Vec::new(),
            line: 1,
            state,
            by,
            review_by: None,
            affects: Vec::new(),
            words: words.clone(),
        });
        Self {
            decision: in_force.then(|| decision.to_owned()),
            standing,
            in_force,
            decided_by: None,
            verdict: None,
            decisions: stated.into_iter().collect(),
            words,
        }
    }

    /// Returns true while nothing is decided.
    pub fn is_open(&self) -> bool {
        self.standing == Standing::Open
    }

    /// Returns true if what was decided or proposed is over: not adopted, replaced or withdrawn.
    pub fn is_past(&self) -> bool {
        matches!(self.standing, Standing::NotAdopted | Standing::Replaced | Standing::Withdrawn)
    }

    /// Returns the heading of the outcome's text. A text that was not adopted is a proposal.
    pub fn text_heading(&self) -> &'static str {
        match self.standing {
            Standing::Verdict => "Verdict",
            Standing::Answered if self.decision.is_some() => "Answer",
            Standing::InForce if self.decision.is_some() => "Decision",
            Standing::Open => "Text so far",
            Standing::NotAdopted => "Not adopted",
            _ => "Final text",
        }
    }

    /// Returns how the outcome stands, in words: `decided by Rob`.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns the decision in one line, with the number of further ones: `use NATS (+1)`. For a review, the verdict;
    /// `None` if nothing stands.
    pub fn line(&self) -> Option<String> {
        let Some(decision) = &self.decision else {
            let is_verdict = self.standing == Standing::Verdict;
            return self.verdict.clone().filter(|_| is_verdict);
        };
        let more = self.standing_ones().count().saturating_sub(1);
        let more = if more > 0 { format!(" (+{more})") } else { String::new() };
        Some(format!("{}{more}", visible_line(decision)))
    }

    /// Returns the sentence that stands for the outcome in a list of past decisions: the decision in force or the answer,
    /// or else the last one that was decided, or the verdict.
    pub fn sentence(&self) -> String {
        let past = || self.ever_decided().last().map(|one| one.text.clone());
        let rejected = || self.decisions.last().map(|one| one.text.clone());
        let sentence = self.decision.clone().or_else(past).or_else(|| self.verdict.clone());
        sentence.or_else(rejected).unwrap_or_default()
    }

    /// Returns the words and the decision in one line: `decided by Rob: use NATS`.
    pub fn summary(&self) -> String {
        match self.line().filter(|line| *line != self.words) {
            Some(line) => format!("{}: {line}", self.words),
            None => self.words.clone(),
        }
    }

    /// Returns the decisions in force, or else the answer.
    pub fn standing_ones(&self) -> impl Iterator<Item = &StatedDecision> {
        let wanted = if self.in_force { ItemState::InForce } else { ItemState::Answered };
        self.decisions.iter().filter(move |one| one.state == wanted)
    }

    /// Returns the decisions that once stood and no longer do, and those in force.
    pub fn ever_decided(&self) -> impl Iterator<Item = &StatedDecision> {
        let never = |state| matches!(state, ItemState::Proposed | ItemState::NotAdopted);
        self.decisions.iter().filter(move |one| !never(one.state))
    }

    /// Returns true if something was decided or answered once.
    pub fn was_decided(&self) -> bool {
        matches!(
            self.standing,
            Standing::InForce | Standing::Answered | Standing::Replaced | Standing::Withdrawn
        )
    }

    /// Returns the number of proposals about which nobody has decided.
    pub fn open_proposals(&self) -> usize {
        self.decisions.iter().filter(|one| one.state == ItemState::Proposed).count()
    }
}

impl StatedDecision {
    /// Returns the number as it is written: `D2`; `None` for an option or a text.
    pub fn label(&self) -> Option<String> {
        self.number.map(|number| format!("D{number}"))
    }

    /// Returns the decision with its number: `D2: use NATS`.
    pub fn labelled(&self) -> String {
        match self.number {
            Some(number) => format!("D{number}: {}", self.text),
            None => self.text.clone(),
        }
    }

    /// Returns the text of its line in the file.
    pub(crate) fn stated_text(&self) -> &str {
        self.reason.as_deref().unwrap_or(&self.text)
    }

    /// Returns the state in words: `replaced by D2`.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns true if it is in force or answered.
    #[must_use]
    pub fn stands(&self) -> bool {
        matches!(self.state, ItemState::InForce | ItemState::Answered)
    }

    /// Returns true if nothing more can become of it: it was not adopted, was replaced or withdrawn.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.state, ItemState::NotAdopted | ItemState::Replaced | ItemState::Withdrawn)
    }
}

impl From<&Decision> for StatedDecision {
    fn from(item: &Decision) -> Self {
        let affects = item.notes.affects.iter().map(|one| one.pattern.clone());
        Self {
            number: item.number,
            text: item.text.clone(),
            reason: item.reason.clone(),
            author: item.author.as_ref().map(ToString::to_string).unwrap_or_default(),
            supporters: item.supporters.iter().map(ToString::to_string).collect(),
            line: item.line,
            state: item.state,
            by: item.by.as_ref().map(By::reference),
            review_by: (item.notes.review_by.as_ref())
                .filter(|_| item.is_current())
                .map(|day| day.date.to_string()),
            affects: affects.chain(item.inherited_affects.iter().cloned()).collect(),
            words: item.words(),
        }
    }
}
