//! The definition of one participant: its identity, its character, its right to vote and the weight of its vote, and
//! the providers that it prefers or excludes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

use crate::transcript::{Alias, Name, is_reserved};
use crate::yaml::{self, LoadError};

/// The kind of a participant, which determines if it votes and if a model speaks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParticipantKind {
    /// A model speaks, and its votes count.
    #[default]
    Voting,
    /// A model speaks; its votes never count.
    Background,
    /// A person speaks, and their votes count like a persona's.
    Human,
    /// The program's caller speaks, for example a coding agent that takes part itself. No model is asked in its place.
    /// Its vote counts, but not as a person's agreement. Only the head of a discussion can specify this kind.
    #[serde(skip)]
    Agent,
}

impl ParticipantKind {
    const ALL: [Self; 4] = [Self::Voting, Self::Background, Self::Human, Self::Agent];

    /// Returns the word that YAML, people and JSON see.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Voting => "voting",
            Self::Background => "background",
            Self::Human => "human",
            Self::Agent => "agent",
        }
    }

    /// Returns whether a model speaks for such a participant.
    pub fn is_asked(self) -> bool {
        matches!(self, Self::Voting | Self::Background)
    }

    /// Returns whether a vote of such a participant may count.
    pub fn votes(self) -> bool {
        self != Self::Background
    }
}

impl Serialize for ParticipantKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl JsonSchema for ParticipantKind {
    fn schema_name() -> Cow<'static, str> {
        "ParticipantKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.map(Self::as_str) })
    }
}

impl fmt::Display for ParticipantKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A participant's definition, as stored in a file in `participants/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// The name above its comments, such as `AI-Architect`.
    pub name: Name,
    /// The word that mentions it, such as `architect`.
    pub alias: Alias,
    /// Its role in a few words; displayed in lists.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// Its character as a prompt, in the second person. Only a person and a neutral persona may lack one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub personality: String,
    /// True if it has no character: it is a model without a part to play.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub neutral: bool,
    /// Its rules for votes, such as `READY when ...; REJECT when ...`. A prompt contains them only if these options are
    /// voted on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub votes: String,
    /// Its areas of knowledge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expertise: Vec<String>,
    /// Questions that it always asks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
    /// Its kind, which determines if it votes.
    #[serde(default, rename = "type")]
    pub kind: ParticipantKind,
    /// The provider that it uses if nothing else is specified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_hint: Option<String>,
    /// More preferences for providers than one hint can express.
    #[serde(default, skip_serializing_if = "Affinity::is_empty")]
    pub provider_affinity: Affinity,
    /// Markdown files with its knowledge, relative to the folder that contains `participants/`; at most 10,000 tokens
    /// in total.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub abilities: Vec<String>,
    /// The content of these files.
    #[serde(skip)]
    pub taught: Option<Arc<str>>,
    /// The weight of its vote if votes are weighted. `None` means 1, or 1.5 if providers take part directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<Weight>,
}

/// Maximum number of bytes of a personality. A longer one would leave too little room for the discussion in the prompt.
const MAX_PERSONALITY: usize = 16 * 1024;

impl Persona {
    /// Reads the YAML of one persona. Errors call the text `origin`.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] at the place of the error.
    pub fn read(text: &str, origin: &str) -> Result<Self, LoadError> {
        super::read::one(text, origin, 1)
    }

    /// Writes the persona as YAML. [`Persona::read`] turns it back into an equal persona.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] if a text in it cannot be represented in YAML.
    pub(crate) fn write(&self) -> Result<String, LoadError> {
        yaml::write(self)
    }

    /// Returns a persona without a character, for a provider that takes part under its own name.
    pub(crate) fn neutral(alias: Alias) -> Result<Self, crate::transcript::NameError> {
        Ok(Self {
            name: Name::parse(alias.as_str())?,
            role: "Participant without a fixed role".to_owned(),
            personality: NEUTRAL.to_owned(),
            neutral: true,
            votes: String::new(),
            expertise: Vec::new(),
            concerns: Vec::new(),
            kind: ParticipantKind::Voting,
            provider_hint: Some(alias.as_str().to_owned()),
            provider_affinity: Affinity::default(),
            abilities: Vec::new(),
            taught: None,
            weight: None,
            alias,
        })
    }

    /// Returns its preferred providers, best first, without those it excludes. `task` is the name of the discussion's
    /// template. The affinity's `fallback` is not included: it is used only after these have failed.
    pub(crate) fn providers(&self, task: Option<&str>) -> Vec<&str> {
        let affinity = &self.provider_affinity;
        let mapped = task.and_then(|task| affinity.task_mapping.get(task));
        let wishes = mapped.into_iter().chain(&affinity.preferred).chain(&self.provider_hint);
        let mut names: Vec<&str> = Vec::new();
        for wish in wishes {
            if !affinity.excludes(wish) && !names.contains(&wish.as_str()) {
                names.push(wish);
            }
        }
        names
    }

    /// Checks rules that the types alone cannot express.
    pub(super) fn check(&self) -> Result<(), String> {
        let alias = Name::parse(self.alias.as_str());
        let mut names = alias.iter().chain([&self.name]);
        if let Some(word) = names.find(|name| is_reserved(name)) {
            return Err(format!("`{word}` is reserved and cannot be the name of a participant"));
        }
        if self.role.contains(char::is_control) {
            return Err(format!("the `role` of `{}` must be one line of plain text", self.alias));
        }
        if self.kind.is_asked() && !self.neutral && self.personality.trim().is_empty() {
            return Err(format!("`{}` needs a `personality`", self.alias));
        }
        if self.provider_affinity.preferred.len() > MOST_PREFERRED {
            return Err(format!(
                "`{}` prefers more than {MOST_PREFERRED} providers; move some to its `fallback`, or to the project's",
                self.alias
            ));
        }
        for (key, text) in [("personality", &self.personality), ("votes", &self.votes)] {
            if text.len() > MAX_PERSONALITY {
                let most = MAX_PERSONALITY / 1024;
                return Err(format!("the `{key}` of `{}` is longer than {most} KiB", self.alias));
            }
        }
        Ok(())
    }
}

/// Maximum number of providers that a persona prefers.
const MOST_PREFERRED: usize = 6;

const NEUTRAL: &str = "\
You are a careful expert without a fixed role: nobody has asked you to defend a side, and you owe the others no courtesy \
beyond fairness. Work out the question for yourself before you weigh what has been said. Say for each reason how you \
know: from the record, from general knowledge, or as a guess. Name the strongest argument against you, and agree only \
with what you have checked.
";

/// A persona's preferences for providers, by name. The names are not checked here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Affinity {
    /// Tried in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferred: Vec<String>,
    /// Maps the name of a template to the provider that is tried first in its discussions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub task_mapping: BTreeMap<String, String>,
    /// Used if all preferred providers failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// Never used, whatever else is configured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

impl Affinity {
    /// Returns true if there are no preferences.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns true if this provider must not be used.
    pub(crate) fn excludes(&self, provider: &str) -> bool {
        self.exclude.iter().any(|excluded| excluded == provider)
    }
}

/// A factor for a vote, if votes are weighted: 0.5 to 3 (INV-DISC-642).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Weight(f64);

/// A number that is not a valid [`Weight`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the weight of a vote must be {min} to {max}, not {0}", min = Weight::MIN, max = Weight::MAX)]
pub struct WeightError(f64);

impl Weight {
    /// The minimum weight.
    pub(crate) const MIN: f64 = 0.5;
    /// The maximum weight.
    pub(crate) const MAX: f64 = 3.0;

    /// The weight of a persona next to directly used providers, if its file specifies none: with a task and a character
    /// it is a better judge (INV-DISC-642).
    pub(crate) const AGENT: Self = Self(1.5);

    /// Checks the range.
    ///
    /// # Errors
    ///
    /// Returns [`WeightError`] for a number outside of [`Weight::MIN`] to [`Weight::MAX`], and for NaN.
    pub(crate) fn new(weight: f64) -> Result<Self, WeightError> {
        if (Self::MIN..=Self::MAX).contains(&weight) {
            Ok(Self(weight))
        } else {
            Err(WeightError(weight))
        }
    }

    /// Returns the factor.
    pub(crate) fn get(self) -> f64 {
        self.0
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self(1.0)
    }
}

impl TryFrom<f64> for Weight {
    type Error = WeightError;

    fn try_from(weight: f64) -> Result<Self, WeightError> {
        Self::new(weight)
    }
}

impl From<Weight> for f64 {
    fn from(weight: Weight) -> Self {
        weight.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESEARCHER: &str = "\
name: AI-Researcher
alias: Researcher
role: Looks things up
personality: |
  You look things up.
  You say where.
votes: READY when it is true.
type: background
weight: 2
provider_hint: claude-haiku
provider_affinity:
  preferred: [codex, claude-haiku]
  task_mapping: {code-review: claude-opus}
  fallback: ollama
  exclude: [codex]
";

    fn error(text: &str) -> String {
        Persona::read(text, "p.yaml").unwrap_err().to_string()
    }

    #[test]
    fn persona_is_read_with_its_defaults() {
        let persona = Persona::read("name: AI-A\nalias: a\npersonality: x\n", "a.yaml").unwrap();
        assert_eq!((persona.kind, persona.weight), (ParticipantKind::Voting, None));
        assert!(persona.provider_affinity.is_empty() && persona.providers(None).is_empty());
    }

    #[test]
    fn written_persona_reads_back() {
        let persona = Persona::read(RESEARCHER, "r.yaml").unwrap();
        let text = persona.write().unwrap();
        assert_eq!(Persona::read(&text, "r.yaml").unwrap(), persona);
        assert!(text.contains("personality: |\n  You look things up.\n"), "{text}");
        assert!(!text.contains("expertise"), "{text}");
    }

    #[test]
    fn providers_come_in_order_of_preference() {
        let persona = Persona::read(RESEARCHER, "r.yaml").unwrap();
        assert_eq!(persona.providers(None), ["claude-haiku"]);
        assert_eq!(persona.providers(Some("code-review")), ["claude-opus", "claude-haiku"]);
    }

    #[test]
    fn mistakes_are_shown_with_their_place() {
        insta::assert_snapshot!(error("name: AI-A\nalias: a b\npersonality: x\n"), @r"
    p.yaml:2:8: ` ` is not allowed in an alias: use a-z, 0-9, `_` and `-`
      |
    2 | alias: a b
      |        ^
    ");
        insta::assert_snapshot!(error("name: AI-A\nalias: a\npersonality: x\nweight: 9\n"), @r"
    p.yaml:4:9: the weight of a vote must be 0.5 to 3, not 9
      |
    4 | weight: 9
      |         ^
    ");
        insta::assert_snapshot!(error("name: AI-A\nalias: a\npersonality: x\ntype: silent\n"), @r"
    p.yaml:4:7: unknown value `silent`
      |
    4 | type: silent
      |       ^
    help: known values: `voting`, `background`, `human`
    ");
        insta::assert_snapshot!(error("name: AI-A\nalias: all\npersonality: x\n"), @r"
    p.yaml:2:8: `all` is reserved and cannot be the name of a participant
      |
    2 | alias: all
      |        ^
    ");
        insta::assert_snapshot!(error("name: AI-A\nalias: a\n"), @r"
    p.yaml:2:8: `a` needs a `personality`
      |
    2 | alias: a
      |        ^
    ");
    }

    #[test]
    fn person_needs_no_personality() {
        let persona = Persona::read("name: Rob\nalias: rob\ntype: human\n", "rob.yaml").unwrap();
        assert!(persona.kind.votes());
    }

    #[test]
    fn neutral_persona_speaks_through_its_provider() {
        let persona = Persona::neutral(Alias::parse("claude").unwrap()).unwrap();
        assert_eq!((persona.name.as_str(), persona.providers(None)), ("claude", vec!["claude"]));
        persona.check().unwrap();
    }

    #[test]
    fn weight_limits_are_inclusive() {
        assert!(Weight::new(0.5).is_ok() && Weight::new(3.0).is_ok());
        for outside in [0.49, 3.01, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Weight::new(outside).is_err(), "{outside}");
        }
    }
}
