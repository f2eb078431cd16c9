//! The keys of a template's front matter. One of them is the number of earlier decisions that a new
//! discussion receives.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::expr::{Expr, TextTemplate};
use super::method::ConsensusConfig;
use super::parameter::Parameter;
use super::phase::Phase;
use crate::duration;
use crate::transcript::Nesting;

/// A pattern of discussion.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// The id, equal to the file's stem.
    pub id: String,
    /// The title for people; empty: the id.
    #[serde(default)]
    pub title: String,
    /// A one-line description for lists.
    #[serde(default)]
    pub summary: String,
    /// The participants.
    #[serde(default)]
    pub participants: Cast,
    /// The parameters that can be set when a discussion is created.
    #[serde(default)]
    pub parameters: IndexMap<String, Parameter>,
    /// The roles, in the order in which they are assigned.
    #[serde(default)]
    pub roles: IndexMap<String, Role>,
    /// The vendors of the participants, if the user chooses no provider.
    #[serde(default)]
    pub vendors: VendorRule,
    /// If true, prompts show letters instead of the participants' names.
    #[serde(default)]
    pub anonymous: bool,
    /// The template that `review` uses instead, because a text or change exists already.
    #[serde(default)]
    pub reviews_with: Option<String>,
    /// Named expressions, evaluated where they are used.
    #[serde(default, rename = "let")]
    pub lets: IndexMap<String, Expr>,
    /// The consensus rules that the template sets.
    #[serde(default)]
    pub consensus: ConsensusConfig,
    /// The number and age of earlier decisions that a new discussion receives.
    #[serde(default)]
    pub recall: Option<Recall>,
    /// Markers in addition to the built-in ones.
    #[serde(default)]
    pub markers: Vec<String>,
    /// The result of the discussion.
    #[serde(default)]
    pub result: OutcomeRule,
    /// The limits for sub-discussions, if phases open some; none: the general limits.
    #[serde(default)]
    pub nesting: Option<Nesting>,
    /// The phases in order; at least one.
    pub phases: Vec<Phase>,
    /// The MiniJinja text of a new discussion, with the names `title`, `context` and `params`.
    #[serde(skip)]
    pub body: TextTemplate,
}

/// The participants of a template's discussions.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cast {
    /// The fewest participants.
    #[serde(default)]
    pub min: Option<u32>,
    /// The most participants.
    #[serde(default)]
    pub max: Option<u32>,
    /// The aliases that take part if no others are named.
    #[serde(default)]
    pub default: Vec<String>,
    /// If true, the configured default participants do not replace these.
    #[serde(default)]
    pub fixed: bool,
    /// Named sets of aliases.
    #[serde(default)]
    pub casts: IndexMap<String, Vec<String>>,
    /// Aliases that do not take part if their expression is true.
    #[serde(default)]
    pub drop: IndexMap<String, Expr>,
}

/// The rule by which vendors are assigned to participants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VendorRule {
    /// A configured default answers for all. Without one, the usable vendors are spread across the participants.
    #[default]
    Spread,
    /// The holder of the first role, the author, gets the provider that [`VendorRule::Spread`] gives it. The others
    /// get other vendors than the author's, so that another model checks the text.
    Apart,
}

/// The rule by which a role is assigned.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// The number of participants that get it.
    #[serde(default)]
    pub take: Deal,
    /// The participant that gets it if none is left.
    #[serde(default, rename = "else")]
    pub otherwise: Option<String>,
    /// Other names for this role, which a user may use to name its holder.
    #[serde(default)]
    pub also: Vec<String>,
}

/// The number of participants that get a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Deal {
    /// A number; 0: the role is never assigned automatically, only by a user's choice or `else`.
    Take(u32),
    /// All remaining participants.
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

/// The result of a discussion, recomputed from its file each time.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRule {
    /// An expression for the final text; none: the text is the last comment.
    #[serde(default)]
    pub synthesis: Option<Expr>,
    /// An expression for the positions that the final text does not include: a list of texts, each beginning with its
    /// author; none: no dissent.
    #[serde(default)]
    pub dissent: Option<Expr>,
    /// The possible verdicts, in order; the first one with a true `when` counts.
    #[serde(default)]
    pub verdict: Vec<VerdictRule>,
    /// Named expressions that results show in addition to the verdict.
    #[serde(default)]
    pub values: IndexMap<String, Expr>,
}

/// One possible verdict.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictRule {
    /// The name of the verdict.
    pub is: String,
    /// Values that results show with it.
    #[serde(default)]
    pub with: IndexMap<String, Value>,
    /// The condition of the verdict; none: it always applies.
    #[serde(default)]
    pub when: Option<Expr>,
    /// True if the verdict is negative and sets a failing exit code.
    #[serde(default)]
    pub blocks: bool,
}

impl Template {
    /// Returns the title for people.
    pub fn title(&self) -> &str {
        if self.title.is_empty() { &self.id } else { &self.title }
    }

    /// Returns the id of the role with this name; a role may have several names.
    pub(crate) fn role(&self, name: &str) -> Option<&str> {
        let known =
            |(own, role): &(&String, &Role)| *own == name || role.also.iter().any(|it| it == name);
        self.roles.iter().find(known).map(|(own, _)| own.as_str())
    }

    /// Returns true if one of its phases opens a sub-discussion.
    pub(crate) fn nests(&self) -> bool {
        self.nesting.is_some() || self.phases.iter().any(|phase| phase.discuss.is_some())
    }

    /// Returns the phase with an id, and its index.
    pub(crate) fn phase(&self, id: &str) -> Option<(usize, &Phase)> {
        self.phases.iter().enumerate().find(|(_, phase)| phase.id == id)
    }
}

/// The number and the maximum age of the earlier decisions that a new discussion receives: `3`, `{since: 30d}`, or
/// `{n: 3, since: 30d}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawRecall", into = "RawRecall")]
pub struct Recall {
    /// The maximum number, 0 to [`Recall::MOST`]; 0: none.
    pub n: u32,
    /// The maximum age in seconds; none: any age.
    pub within: Option<f64>,
}

/// The form in YAML.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "write `3`, `{since: 30d}` or `{n: 3, since: 30d}`")]
enum RawRecall {
    Count(u32),
    Rule(Rule),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    #[serde(default = "nearest")]
    n: u32,
    since: Option<String>,
}

/// The number of decisions if only an age is given.
fn nearest() -> u32 {
    3
}

impl Recall {
    /// The largest allowed number; more decisions would distract from the question itself.
    pub const MOST: u32 = 10;

    /// Creates a rule for up to `n` decisions of any age.
    ///
    /// # Errors
    /// Fails if `n` is larger than [`Recall::MOST`].
    pub fn of(n: u32) -> Result<Self, String> {
        if n <= Self::MOST {
            Ok(Self { n, within: None })
        } else {
            Err(format!("at most {} decisions can be recalled, not {n}", Self::MOST))
        }
    }
}

impl TryFrom<RawRecall> for Recall {
    type Error = String;

    fn try_from(written: RawRecall) -> Result<Self, String> {
        match written {
            RawRecall::Count(n) => Self::of(n),
            RawRecall::Rule(Rule { n, since }) => {
                let read = |text: String| {
                    duration::age(&text)
                        .ok_or_else(|| format!("`{text}` is not an age; write 30d or 2w"))
                };
                Ok(Self { within: since.map(read).transpose()?, ..Self::of(n)? })
            }
        }
    }
}

impl From<Recall> for RawRecall {
    fn from(recall: Recall) -> Self {
        match recall.within {
            None => Self::Count(recall.n),
            Some(seconds) => Self::Rule(Rule { n: recall.n, since: Some(format!("{seconds}s")) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_alone_recalls_the_nearest_three() {
        let read = |text: &str| crate::yaml::read::<Recall>(text, "x.yaml").unwrap();
        let month = Some(30.0 * 24.0 * 3600.0);
        assert_eq!(read("{since: 30d}"), Recall { n: 3, within: month });
        assert_eq!(read("{n: 5, since: 30d}"), Recall { n: 5, within: month });
        assert_eq!(read("2"), Recall { n: 2, within: None });
    }
}
