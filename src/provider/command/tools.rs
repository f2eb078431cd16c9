//! The arguments that tell a coding agent which tools it has: none, or those that the user allowed for this run.

use serde::{Deserialize, Serialize};

use super::Workdir;
use crate::provider::ToolPermissions;

/// The placeholder for the tools, in a command and in its variables.
const TOOLS: &str = "{tools}";

/// The replacements for `{tools}`, one for each combination of tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tools {
    /// The replacement if the model gets only the prompt.
    pub none: String,
    /// The replacement if the model may read (not change) the project's files; absent if the program cannot do that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<String>,
    /// The replacement if the model may use the web; absent if the program cannot do that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web: Option<String>,
    /// The replacement if the model may do both; absent if the program cannot do both at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub both: Option<String>,
    /// The working folder while the model may read files: the project's folder or an empty one.
    pub look_from: LookFrom,
}

/// The working folder of a program that may read the files of the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LookFrom {
    /// The project's folder.
    #[default]
    Project,
    /// A new empty folder, for a program that would obey files that it finds in the project's folder.
    Empty,
}

impl Tools {
    /// Returns whether a text contains the placeholder `{tools}`.
    pub(super) fn stand_in(text: &str) -> bool {
        text.contains(TOOLS)
    }

    /// Returns the tools that can be granted. If the program cannot do both at once, reading files takes precedence.
    pub(super) fn grant(&self, wish: ToolPermissions) -> ToolPermissions {
        let both = wish.look && wish.web && self.both.is_some();
        let look = wish.look && self.look.is_some();
        ToolPermissions {
            look: both || look,
            web: both || (wish.web && !look && self.web.is_some()),
        }
    }

    /// Returns a text in which `{tools}` is replaced for the granted tools.
    pub(super) fn fill(&self, text: &str, granted: ToolPermissions) -> String {
        let words = match granted {
            ToolPermissions { look: true, web: true } => self.both.as_deref(),
            ToolPermissions { look: true, web: false } => self.look.as_deref(),
            ToolPermissions { look: false, web: true } => self.web.as_deref(),
            ToolPermissions { look: false, web: false } => Some(self.none.as_str()),
        };
        text.replace(TOOLS, words.unwrap_or(&self.none))
    }

    /// Returns the working folder of the program.
    pub(super) fn folder(&self, otherwise: Workdir, granted: ToolPermissions) -> Workdir {
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
    fn only_requested_and_available_tools_are_granted() {
        let wish = |look, web| ToolPermissions { look, web };
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
