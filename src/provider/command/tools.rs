//! What a program that is an agent is told about its tools: none, or those that a person allowed for this run.

use serde::{Deserialize, Serialize};

use super::Workdir;
use crate::provider::Reach;

/// What stands for the tools, in a command and in its variables.
const TOOLS: &str = "{tools}";

/// What `{tools}` stands for, by what a model may look at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tools {
    /// For nothing but the prompt.
    pub none: String,
    /// For the files of the project, which it may read and not change; absent where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<String>,
    /// For the web; absent where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web: Option<String>,
    /// For both; absent where it cannot do both at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub both: Option<String>,
    /// Where it runs while it may read the files: in the project's folder, or still in an empty one.
    pub look_from: LookFrom,
}

/// Where a program runs that may read the files of the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LookFrom {
    /// In the project's folder.
    #[default]
    Project,
    /// In a new empty folder, because in the project's it would obey what it finds there.
    Empty,
}

impl Tools {
    /// Whether it says where the tools stand in this text.
    pub(super) fn stand_in(text: &str) -> bool {
        text.contains(TOOLS)
    }

    /// What of a wish can be granted. Who cannot do both reads files.
    pub(super) fn grant(&self, wish: Reach) -> Reach {
        let both = wish.look && wish.web && self.both.is_some();
        let look = wish.look && self.look.is_some();
        Reach { look: both || look, web: both || (wish.web && !look && self.web.is_some()) }
    }

    /// A text with what it says of the tools for what was granted.
    pub(super) fn fill(&self, text: &str, granted: Reach) -> String {
        let words = match granted {
            Reach { look: true, web: true } => self.both.as_deref(),
            Reach { look: true, web: false } => self.look.as_deref(),
            Reach { look: false, web: true } => self.web.as_deref(),
            Reach { look: false, web: false } => Some(self.none.as_str()),
        };
        text.replace(TOOLS, words.unwrap_or(&self.none))
    }

    /// Where the program runs.
    pub(super) fn folder(&self, otherwise: Workdir, granted: Reach) -> Workdir {
        match (granted.look, self.look_from) {
            (true, LookFrom::Project) => Workdir::Project,
            (true, LookFrom::Empty) | (false, _) => otherwise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_granted_is_not_and_nothing_is_granted_unasked() {
        let wish = |look, web| Reach { look, web };
        let said = |text: &str| Some(text.to_owned());
        let all = Tools {
            none: "-".into(),
            look: said("l"),
            web: said("w"),
            both: said("lw"),
            ..Tools::default()
        };
        let apart = Tools { both: None, ..all.clone() };
        for (tools, asked, granted, words) in [
            (&all, wish(false, false), wish(false, false), "a - b"),
            (&all, wish(true, false), wish(true, false), "a l b"),
            (&all, wish(false, true), wish(false, true), "a w b"),
            (&all, wish(true, true), wish(true, true), "a lw b"),
            (&apart, wish(true, true), wish(true, false), "a l b"),
            (&Tools::default(), wish(true, true), wish(false, false), "a  b"),
        ] {
            assert_eq!(tools.grant(asked), granted);
            assert_eq!(tools.fill("a {tools} b", granted), words);
        }
    }
}
