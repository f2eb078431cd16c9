//! One phase of a template.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::discuss::Discuss;
use super::expr::{Expr, TextTemplate};
use super::tool::Tool;
use crate::transcript::Choice;

/// A number, or a MiniJinja expression that gives one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Int {
    /// The number itself.
    Number(u32),
    /// An expression over the engine's names.
    Expr(Expr),
}

/// True, false, or a MiniJinja expression that is one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Condition {
    /// Always the same.
    Fixed(bool),
    /// An expression over the engine's names.
    Expr(Expr),
}

/// Who is asked in a phase.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Speakers {
    /// Every participant of the discussion, background ones too.
    #[default]
    #[serde(skip)]
    All,
    /// `all`, `mentioned` or `none`.
    Word(SpeakersWord),
    /// Roles and aliases, in order.
    List(Vec<String>),
}

/// The words that stand for a set of speakers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpeakersWord {
    /// Every participant of the discussion.
    All,
    /// Whoever has a pending mention.
    Mentioned,
    /// Nobody: the phase is a report.
    None,
}

/// Whether the speakers of a turn see each other's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// At once: each sees the file up to the turn's line.
    #[default]
    Parallel,
    /// One after the other: each sees all that stands in the file.
    Sequential,
}

/// How much of the file a speaker sees: a cut, never a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sees {
    /// All that the order allows.
    #[default]
    Everything,
    /// Up to the line with which this visit of the phase began.
    EarlierPhases,
    /// Title and context.
    Topic,
}

/// When a phase ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Its rounds are done.
    RoundsDone,
    /// Everybody who was asked answered, none passed or failed.
    AllResponded,
    /// Somebody has spoken in this visit and no mention is pending.
    AllMentionedResponded,
    /// Consensus is reached.
    Consensus,
}

/// Who takes over where somebody fails who speaks alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub enum StandIn {
    /// Nobody: `false`.
    #[default]
    Nobody,
    /// Somebody who has argued for nothing, so that no party judges its own case: `true`.
    Neutral,
    /// Another participant: `participant`.
    Participant,
}

impl TryFrom<Value> for StandIn {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match (value.as_bool(), value.as_str()) {
            (Some(false), _) => Ok(Self::Nobody),
            (Some(true), _) => Ok(Self::Neutral),
            (_, Some("participant")) => Ok(Self::Participant),
            _ => Err(format!("`stand_in` must be `true`, `false` or `participant`, not {value}")),
        }
    }
}

/// How much a marker is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Demand {
    /// Asked for again, once; without it there is no vote.
    Required,
    /// Asked for; missing, it is noted.
    Wanted,
    /// Asked for again, once, if the answer votes for this option; still missing, it is noted and the vote counts. With
    /// any other vote nothing is missing.
    With(Choice),
}

impl TryFrom<String> for Demand {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "required" => Ok(Self::Required),
            "wanted" => Ok(Self::Wanted),
            other => other
                .strip_prefix("with ")
                .and_then(|option| Choice::parse(option).ok())
                .map(Self::With)
                .ok_or_else(|| format!("`{other}` must be `required`, `wanted` or `with OPTION`")),
        }
    }
}

/// What may be voted for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Options {
    /// A closed set.
    List(Vec<Choice>),
    /// An expression that gives a list.
    Expr(Expr),
}

/// One phase; every key but `id` has a default.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Unique in the template.
    pub id: String,
    /// For people; empty is the id.
    #[serde(default)]
    pub title: String,
    /// What a speaker is to do: MiniJinja, in the prompt's tail.
    #[serde(default)]
    pub instructions: TextTemplate,
    /// Who is asked.
    #[serde(default)]
    pub speakers: Speakers,
    /// Whether speakers see each other's answers.
    #[serde(default)]
    pub order: Order,
    /// How much they see.
    #[serde(default)]
    pub sees: Sees,
    /// Turns in one visit; 0: the phase is stepped over.
    #[serde(default = "one")]
    pub rounds: Int,
    /// Turns for pending mentions in one visit, after the rounds.
    #[serde(default)]
    pub follow_mentions: u32,
    /// How often the phase may be entered.
    #[serde(default = "one")]
    pub visits: Int,
    /// Whether it may be entered now.
    #[serde(default = "always")]
    pub when: Condition,
    /// Roles and aliases that are left out of the speakers. In a phase whose votes decide they have no vote: who wrote the
    /// text does not judge it.
    #[serde(default)]
    pub except: Vec<String>,
    /// Phases (or `end`) that are tried first afterwards, in order; one may be written without a list.
    #[serde(default, deserialize_with = "one_or_more")]
    pub next: Vec<String>,
    /// When it ends by itself; none: a person ends it.
    #[serde(default = "rounds_done")]
    pub auto_trigger: Option<Trigger>,
    /// Whether votes decide; entering such a phase resets them.
    #[serde(default)]
    pub voting_mode: bool,
    /// What may be voted for; none: READY, CHANGES, REJECT.
    #[serde(default)]
    pub options: Option<Options>,
    /// The vote, with confidence 0, of whoever is asked and gives none that can be read; none: no vote.
    #[serde(default)]
    pub no_vote_is: Option<Choice>,
    /// Whether to stop asking when outstanding votes can no longer change the outcome.
    #[serde(default = "never")]
    pub early_exit: Condition,
    /// How many words an answer is to have, which the task says; none: the task says nothing.
    #[serde(default)]
    pub words: Option<Int>,
    /// Whether a run stops at its end while a question to a person is open.
    #[serde(default)]
    pub waits_for_people: bool,
    /// Markers that an answer is to hold.
    #[serde(default)]
    pub asks: IndexMap<String, Demand>,
    /// Each turn of this phase begins a new round in results.
    #[serde(default)]
    pub starts_round: bool,
    /// Who takes over where its only speaker fails.
    #[serde(default)]
    pub stand_in: StandIn,
    /// Sampling temperature; none: the provider's.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// MiniJinja that the runner appends once a visit instead of asking anybody.
    #[serde(default)]
    pub report: Option<TextTemplate>,
    /// A discussion that the runner opens once a visit instead of asking anybody.
    #[serde(default)]
    pub discuss: Option<Discuss>,
    /// A command that the runner runs once a visit instead of asking anybody.
    #[serde(default)]
    pub run: Option<Tool>,
}

impl Phase {
    /// The title for people.
    pub(crate) fn title(&self) -> &str {
        if self.title.is_empty() { &self.id } else { &self.title }
    }

    /// Whether whoever speaks in it decides: they write the final text, or are asked for a decision.
    pub(crate) fn decides(&self) -> bool {
        self.stand_in == StandIn::Neutral || self.asks.contains_key("DECISION")
    }

    /// Whether the phase asks nobody.
    pub(crate) fn asks_nobody(&self) -> bool {
        self.speakers == Speakers::Word(SpeakersWord::None)
    }
}

impl Speakers {
    /// Whether those with pending mentions are meant.
    pub(crate) fn is_mentioned(&self) -> bool {
        *self == Self::Word(SpeakersWord::Mentioned)
    }
}

/// An id, a list of ids, or nothing.
fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected the id of a phase, or a list of them")]
    enum Ids {
        None(()),
        One(String),
        List(Vec<String>),
    }
    Ok(match Ids::deserialize(deserializer)? {
        Ids::None(()) => Vec::new(),
        Ids::One(id) => vec![id],
        Ids::List(ids) => ids,
    })
}

fn one() -> Int {
    Int::Number(1)
}

fn always() -> Condition {
    Condition::Fixed(true)
}

fn never() -> Condition {
    Condition::Fixed(false)
}

#[expect(clippy::unnecessary_wraps, reason = "serde wants the field's own type")]
fn rounds_done() -> Option<Trigger> {
    Some(Trigger::RoundsDone)
}
