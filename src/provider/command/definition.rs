//! The definition of a provider that runs a command, and the arguments that tell a coding agent which tools it has:
//! none, or those that the user allowed for this run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::program::{find_program, words};
use crate::provider::kind::Folders;
use crate::provider::{Environment, OutputShape, ToolPermissions};
use crate::view::Fact;

/// The default for `output_limit`, in bytes.
pub(crate) const DEFAULT_OUTPUT_LIMIT: usize = 1024 * 1024;
/// The maximum for `output_limit`, in bytes. There is a maximum because an answer is held in memory.
const LARGEST_OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

/// The default for `max_tokens`.
const DEFAULT_MAX_TOKENS: u32 = 8192;

/// The placeholder for a model's name.
const MODEL: &str = "{model}";
/// The placeholder for the maximum number of answer tokens, for programs that have an option for it.
const MAX_TOKENS: &str = "{max_tokens}";
/// The placeholder for the maximum cost of one call, for programs that have an option for it.
const MAX_USD: &str = "{max_usd}";

/// The placeholder in variables for the project's folder.
const PROJECT: &str = "{project}";

/// A program, and the options for running it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandDefinition {
    /// The program and its arguments. The line is split into words as a shell would do it, but no shell runs.
    pub line: String,
    /// An instruction for installing the program, for users who do not have it.
    pub install: Option<String>,
    /// The maximum output in bytes; the call fails if the program prints more.
    pub output_limit: usize,
    /// The format of the output, in which the answer is found.
    pub output: OutputShape,
    /// The working folder of the program.
    pub workdir: Workdir,
    /// Environment variables for the program besides the caller's own.
    pub env: BTreeMap<String, String>,
    /// The command line for a model that the user names; `{model}` is replaced by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_model: Option<String>,
    /// The environment variables with API keys that the program needs. If absent, it needs the keys that its command or
    /// its variables name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<Vec<String>>,
    /// The maximum number of answer tokens. It is the basis of the reservation if money is limited, and replaces
    /// `{max_tokens}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Arguments that tell the program the maximum cost of one call. They are appended to the command line if money is
    /// limited; `{max_usd}` in them is replaced by the sum in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// The replacements for `{tools}` in the command lines and variables. If absent, the program has no tools that
    /// could be allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Tools>,
}

/// The working folder of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workdir {
    /// A new empty folder for each call.
    #[default]
    Empty,
    /// The project's folder, for commands that have to read its files.
    Project,
}

impl CommandDefinition {
    /// Checks that the command names a program and that all values are in range.
    pub(in crate::provider) fn check(&self) -> Result<(), String> {
        let words = shell_words::split(&self.line)
            .map_err(|_| format!("the quotes in `{}` are not closed", self.line))?;
        if words.is_empty() {
            return Err("`command` names no program".to_owned());
        }
        if let Some(line) = &self.with_model
            && (!line.contains(MODEL) || shell_words::split(line).is_err())
        {
            return Err(format!("`with_model` must be a command that contains `{MODEL}`"));
        }
        if let Some(budget) = &self.budget
            && (!budget.contains(MAX_USD) || shell_words::split(budget).is_err())
        {
            return Err(format!("`budget` must be words of a command that contain `{MAX_USD}`"));
        }
        if !(1..=LARGEST_OUTPUT_LIMIT).contains(&self.output_limit) {
            return Err(format!("`output_limit` must be 1 to {LARGEST_OUTPUT_LIMIT} bytes"));
        }
        let texts = [Some(&self.line), self.with_model.as_ref()];
        let stands = texts.into_iter().flatten().chain(self.env.values());
        if self.tools.is_some() && stands.filter(|text| Tools::stand_in(text)).count() == 0 {
            let message = "`tools` needs `{tools}` somewhere in `command` or `env`";
            return Err(message.to_owned());
        }
        Ok(())
    }

    /// Returns the part of the wanted tools that the program can grant.
    pub(in crate::provider) fn grant(&self, wish: ToolPermissions) -> ToolPermissions {
        self.tools.as_ref().map_or(ToolPermissions::default(), |tools| tools.grant(wish))
    }

    /// Returns the maximum number of answer tokens.
    pub(in crate::provider) fn longest_answer(&self) -> u32 {
        self.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS)
    }

    /// Returns the definition with `{tools}` and `{max_tokens}` filled in for the granted tools.
    pub(in crate::provider) fn reaching(&self, granted: ToolPermissions) -> Self {
        let most = self.longest_answer().to_string();
        let fill = |text: &String| {
            let text = text.replace(MAX_TOKENS, &most);
            self.tools.as_ref().map_or(text.clone(), |tools| tools.fill(&text, granted))
        };
        let tools = self.tools.as_ref();
        Self {
            line: fill(&self.line),
            with_model: self.with_model.as_ref().map(fill),
            env: self.env.iter().map(|(key, value)| (key.clone(), fill(value))).collect(),
            workdir: tools.map_or(self.workdir, |tools| tools.folder(self.workdir, granted)),
            tools: None,
            ..self.clone()
        }
    }

    /// Returns the variables of the definition, with `{project}` replaced by the project's folder, escaped for a JSON
    /// text.
    pub(in crate::provider) fn variables(&self, project: &Path) -> BTreeMap<String, String> {
        let quoted = serde_json::to_string(&project.to_string_lossy()).unwrap_or_default();
        let escaped = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        let fill = |value: &String| value.replace(PROJECT, escaped);
        self.env.iter().map(|(key, value)| (key.clone(), fill(value))).collect()
    }

    /// Returns the command line for a call, with the arguments for its maximum cost if money is limited.
    pub(in crate::provider) fn line_for_limit(&self, usd: Option<f64>) -> String {
        match (&self.budget, usd) {
            // Rounded down, so that the program never gets a higher limit than the money that is left.
            (Some(budget), Some(usd)) => {
                let usd = format!("{:.6}", (usd * 1e6).floor() / 1e6);
                format!("{} {}", self.line, budget.replace(MAX_USD, &usd))
            }
            _ => self.line.clone(),
        }
    }

    /// Returns the definition without any tools.
    fn bare(&self) -> Self {
        self.reaching(ToolPermissions::default())
    }

    /// Returns the definition with the model that the user named, or `None` if the program takes no model.
    pub(in crate::provider) fn with_model(&self, model: &str) -> Option<Self> {
        let line = self.with_model.as_ref()?.replace(MODEL, model);
        Some(Self { line, with_model: None, ..self.clone() })
    }

    /// Returns whether the command or its variables contain this word.
    pub(in crate::provider) fn names(&self, word: &str) -> bool {
        self.line.contains(word)
            || self.env.iter().any(|(key, value)| (key.clone() + value).contains(word))
    }

    /// Returns whether the program needs the key in this variable: the definition lists it in `keys`, or uses it if
    /// there is no `keys`.
    pub(in crate::provider) fn needs_key(&self, name: &str) -> bool {
        match &self.keys {
            Some(keys) => keys.iter().any(|key| key == name),
            None => {
                self.line.contains(name) || self.env.iter().any(|(_, value)| value.contains(name))
            }
        }
    }

    /// Returns the command as a user would type it in a shell; variables are not expanded.
    pub(in crate::provider) fn runs(&self) -> String {
        let line = self.bare().line;
        match shell_words::split(&line) {
            Ok(words) => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
            Err(_) => line,
        }
    }

    /// Returns everything that a user permits by trusting this command.
    pub(in crate::provider) fn facts(&self, env: &Environment, folders: Folders<'_>) -> Vec<Fact> {
        let program = self.program(env, folders.base);
        let program = program.map_or("not installed".to_owned(), |it| it.display().to_string());
        let folder = match self.workdir {
            Workdir::Empty => "a new empty folder for each call".to_owned(),
            Workdir::Project => format!("the project folder, {}", folders.project.display()),
        };
        let keys = self.keys.iter().flatten();
        let keys = keys.map(|key| Fact::new("key", format!("the command gets the value of {key}")));
        let bare = self.bare();
        let env = bare.env.iter().map(|(key, value)| Fact::new("env", format!("{key}={value}")));
        let whole = ToolPermissions { look: true, web: true };
        let looks = [
            ToolPermissions { look: true, web: false },
            ToolPermissions { look: false, web: true },
            whole,
        ];
        let looks = looks.into_iter().filter(|reach| self.grant(*reach) == *reach);
        let looks = looks.map(|reach| {
            let what = match (reach.look, reach.web) {
                (true, true) => "if you allow files and web",
                (true, false) => "if you allow files",
                (false, _) => "if you allow the web",
            };
            Fact::new("tools", format!("{what}: {}", self.reaching(reach).runs()))
        });
        let budget = self.budget.iter();
        let budget = budget.map(|words| {
            Fact::new("budget", format!("if money is limited, these words are added: {words}"))
        });
        [Fact::new("command", self.runs()), Fact::new("program", program)]
            .into_iter()
            .chain(budget)
            .chain(env)
            .chain([Fact::new("folder", folder)])
            .chain(keys)
            .chain(looks)
            .collect()
    }

    /// Returns the path of the program, if it is installed.
    pub(in crate::provider) fn program(&self, env: &Environment, base: &Path) -> Option<PathBuf> {
        let bare = self.bare();
        let env = env.clone().with(&bare.env);
        let words = words(&bare.line, &env).ok()?;
        find_program(&words.first()?.to_string_lossy(), base, &env)
    }

    /// Returns everything that may be the path of a file: the words of the command and the values of its variables.
    pub(in crate::provider) fn texts(&self, env: &Environment) -> Vec<String> {
        let of = |reach| {
            let run = self.reaching(reach);
            let words = words(&run.line_for_limit(Some(0.0)), &env.clone().with(&run.env))
                .unwrap_or_default();
            let words = words.iter().map(|word| word.to_string_lossy().into_owned());
            words.chain(run.env.into_values()).collect::<Vec<_>>()
        };
        let granted = [(false, false), (true, false), (false, true), (true, true)];
        let granted = granted.map(|(look, web)| self.grant(ToolPermissions { look, web }));
        granted.into_iter().flat_map(of).collect()
    }
}

/// Quotes a word for display. A variable in it is not escaped, because it will be expanded.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "$~{}_-./=:,@%+".contains(c);
    match word {
        _ if !word.is_empty() && word.chars().all(plain) => word.to_owned(),
        _ if word.contains('$') && !word.contains(['"', '\\', '`']) => format!("\"{word}\""),
        _ => shell_words::quote(word).into_owned(),
    }
}

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
