//! The limits for sub-discussions, as a head fixes them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::name::Alias;

/// The depth to which sub-discussions may be nested by default (INV-DISC-600).
const DEFAULT_DEPTH: u8 = 2;
/// The largest depth that may be set (INV-DISC-600).
const DEEPEST: u8 = 4;

/// The allowed depth of sub-discussions, and the rules for sharing their time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Nesting {
    /// The longest chain of parents that a discussion may have.
    pub depth: Depth,
    /// The rule by which the levels share time.
    pub strategy: TimeStrategy,
    /// The time of the whole tree, like `10m`; none: the time limit, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The openers that are allowed; none: in a head all, in a template only phases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openers: Option<Openers>,
    /// The template of sub-discussions that a participant asks for; none: the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The participants of such sub-discussions; empty: the participants of this discussion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<Alias>,
}

impl Nesting {
    /// Returns these limits with the default of a template: only its phases open sub-discussions.
    #[must_use]
    pub(crate) fn of_template(self) -> Self {
        Self { openers: self.openers.or(Some(Openers::Phases)), ..self }
    }

    /// Returns true if participants may open sub-discussions in a discussion of this depth with these limits in its
    /// head.
    pub(crate) fn opens(&self, depth: Depth) -> bool {
        let is_left = depth.next().is_some_and(|below| below <= self.depth);
        is_left && self.openers != Some(Openers::Phases)
    }
}

/// The openers of sub-discussions that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Openers {
    /// Phases of its template, and its participants.
    Participants,
    /// Only phases of its template.
    Phases,
}

/// The number of parents that a discussion has, or may have: 0 to 4.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "u32", into = "u32")]
#[schemars(with = "u32")]
pub struct Depth(u8);

impl Depth {
    /// The depth of a discussion without a parent (INV-DISC-602).
    pub const ROOT: Self = Self(0);

    /// Returns the depth as a number.
    pub fn get(self) -> u32 {
        self.0.into()
    }

    /// Returns the next depth; none if it would exceed the largest one.
    pub fn next(self) -> Option<Self> {
        (self.0 < DEEPEST).then_some(Self(self.0 + 1))
    }
}

impl Default for Depth {
    fn default() -> Self {
        Self(DEFAULT_DEPTH)
    }
}

impl TryFrom<u32> for Depth {
    type Error = String;

    fn try_from(depth: u32) -> Result<Self, String> {
        let known = u8::try_from(depth).ok().filter(|depth| *depth <= DEEPEST);
        known.map(Self).ok_or_else(|| format!("a depth must be 0 to {DEEPEST}, not {depth}"))
    }
}

impl From<Depth> for u32 {
    fn from(depth: Depth) -> Self {
        depth.get()
    }
}

// INV-DISC-613.
/// The rule by which the levels of a tree share its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeStrategy {
    /// Each level gets an equal share.
    Fixed,
    /// Each level gets half of the time of the level above.
    #[default]
    Cascade,
    /// Each level gets six tenths of the time of the level above; together they get the whole time.
    Budget,
}
