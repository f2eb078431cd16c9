//! The settings of sub-discussions in a head, with their limits, and the path of their files.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

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

/// The maximum number of bytes of this path: two names of the maximum length on file systems, and the separator.
const LONGEST: usize = 512;

/// The file of a sub-discussion: a path relative to the parent's folder, such as `caching/which-store.md`.
///
/// It consists of one folder and one name that ends in `.md`, neither of them hidden. So a line that a person writes
/// by hand cannot name a file elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChildFile(Arc<str>);

/// The error for a path that a sub-discussion cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a sub-discussion must be in a folder beside its parent: `folder/name.md`")]
pub struct NoChildFile;

impl ChildFile {
    /// Returns the path, with `/` between folder and name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        self.0.split_once('/').map_or("", |(folder, _)| folder)
    }
}

impl FromStr for ChildFile {
    type Err = NoChildFile;

    fn from_str(text: &str) -> Result<Self, NoChildFile> {
        let (folder, name) = text.split_once('/').ok_or(NoChildFile)?;
        let plain = |part: &str| {
            let bad = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
            !part.is_empty() && !part.starts_with('.') && !part.contains(bad)
        };
        let is_file = name.strip_suffix(".md").is_some_and(|stem| !stem.is_empty());
        if plain(folder) && plain(name) && is_file && text.len() <= LONGEST {
            Ok(Self(text.into()))
        } else {
            Err(NoChildFile)
        }
    }
}

impl fmt::Display for ChildFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_in_a_sibling_folder_is_accepted() {
        for good in ["caching/which-store.md", "a b/\u{4f60}\u{597d}.md", "x/a.b.md"] {
            assert_eq!(good.parse::<ChildFile>().unwrap().as_str(), good);
        }
        assert_eq!("x/y.md".parse::<ChildFile>().unwrap().folder(), "x");
        for bad in [
            "",
            "y.md",
            "/y.md",
            "x/",
            "x/.md",
            "x/y",
            "../y.md",
            "x/../y.md",
            "x/./y.md",
            "./y.md",
            ".git/y.md",
            "x/.y.md",
            "x//y.md",
            "/x/y.md",
            "C:/y.md",
            "x\\y/z.md",
            "x/y\u{7}.md",
            "x/y/z.md",
        ] {
            assert_eq!(bad.parse::<ChildFile>(), Err(NoChildFile), "{bad}");
        }
        assert!(format!("x/{}.md", "y".repeat(LONGEST)).parse::<ChildFile>().is_err());
    }
}
