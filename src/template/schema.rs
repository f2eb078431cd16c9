//! The keys of a template's front matter.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::consensus::ConsensusConfig;
use super::expr::{Expr, TextTemplate};
use super::parameter::Parameter;
use super::phase::Phase;
use super::recall::Recall;
use crate::transcript::Nesting;

/// A form of discussion.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// Its name: the file's stem.
    pub id: String,
    /// For people; empty is the id.
    #[serde(default)]
    pub title: String,
    /// One line for lists.
    #[serde(default)]
    pub summary: String,
    /// Who takes part.
    #[serde(default)]
    pub participants: Cast,
    /// What may be set when a discussion is made.
    #[serde(default)]
    pub parameters: IndexMap<String, Parameter>,
    /// Roles in dealing order.
    #[serde(default)]
    pub roles: IndexMap<String, Role>,
    /// Whether participants are shown letters instead of names.
    #[serde(default)]
    pub anonymous: bool,
    /// Named expressions, evaluated when they are used.
    #[serde(default, rename = "let")]
    pub lets: IndexMap<String, Expr>,
    /// Consensus rules, as far as the template sets them.
    #[serde(default)]
    pub consensus: ConsensusConfig,
    /// How much earlier decisions a new discussion is told of.
    #[serde(default)]
    pub recall: Option<Recall>,
    /// Markers beside the built-in ones.
    #[serde(default)]
    pub markers: Vec<String>,
    /// What the discussion comes to.
    #[serde(default)]
    pub result: Outcome,
    /// How far discussions may open others, where its phases open some; none: as everywhere.
    #[serde(default)]
    pub nesting: Option<Nesting>,
    /// The phases in order; at least one.
    pub phases: Vec<Phase>,
    /// MiniJinja for the text of a new discussion: `title`, `context`, `params`.
    #[serde(skip)]
    pub body: TextTemplate,
}

/// Who takes part in a template's discussions.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cast {
    /// Fewest participants.
    #[serde(default)]
    pub min: Option<u32>,
    /// Most participants.
    #[serde(default)]
    pub max: Option<u32>,
    /// Aliases when nothing else names any.
    #[serde(default)]
    pub default: Vec<String>,
    /// Named sets of aliases.
    #[serde(default)]
    pub casts: IndexMap<String, Vec<String>>,
    /// Aliases that are left out when their expression is true.
    #[serde(default)]
    pub drop: IndexMap<String, Expr>,
}

/// How a role is dealt.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// How many participants take it.
    #[serde(default)]
    pub take: Deal,
    /// Who takes it when nobody is left.
    #[serde(default, rename = "else")]
    pub otherwise: Option<String>,
    /// Other names by which somebody may be named for it.
    #[serde(default)]
    pub also: Vec<String>,
}

/// How many participants take a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Deal {
    /// So many; 0 is never dealt, only by flag or `else`.
    Take(u32),
    /// All that are left.
    Rest,
}

impl Default for Deal {
    fn default() -> Self {
        Self::Take(1)
    }
}

impl TryFrom<Value> for Deal {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match (value.as_u64().and_then(|take| u32::try_from(take).ok()), value.as_str()) {
            (Some(take), _) => Ok(Self::Take(take)),
            (_, Some("rest")) => Ok(Self::Rest),
            _ => Err(format!("`take` must be a whole number or `rest`, not {value}")),
        }
    }
}

/// What a discussion comes to, recomputed from its file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// An expression for the final text; none: the last comment.
    #[serde(default)]
    pub synthesis: Option<Expr>,
    /// An expression for what its writer did not take, a list of texts, each beginning with whose it is; none: nothing.
    #[serde(default)]
    pub dissent: Option<Expr>,
    /// Verdicts in order; the first whose `when` holds.
    #[serde(default)]
    pub verdict: Vec<Verdict>,
    /// Named expressions that results show beside the verdict.
    #[serde(default)]
    pub values: IndexMap<String, Expr>,
}

/// One possible verdict.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Its name.
    pub is: String,
    /// What goes with it.
    #[serde(default)]
    pub with: IndexMap<String, Value>,
    /// The expression under which it holds; none: always.
    #[serde(default)]
    pub when: Option<Expr>,
    /// Whether it is a "no" for exit codes.
    #[serde(default)]
    pub blocks: bool,
}

impl Template {
    /// The title for people.
    pub fn title(&self) -> &str {
        if self.title.is_empty() { &self.id } else { &self.title }
    }

    /// The role of a name, its own or another that it goes by.
    pub(crate) fn role(&self, name: &str) -> Option<&str> {
        let known =
            |(own, role): &(&String, &Role)| *own == name || role.also.iter().any(|it| it == name);
        self.roles.iter().find(known).map(|(own, _)| own.as_str())
    }

    /// Whether a phase of it opens a discussion of its own.
    pub(crate) fn nests(&self) -> bool {
        self.nesting.is_some() || self.phases.iter().any(|phase| phase.discuss.is_some())
    }

    /// The phase of an id, with its place.
    pub(crate) fn phase(&self, id: &str) -> Option<(usize, &Phase)> {
        self.phases.iter().enumerate().find(|(_, phase)| phase.id == id)
    }
}
