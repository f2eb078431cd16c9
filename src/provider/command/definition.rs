//! What the definition of a command says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::program::find_program;
use super::tools::Tools;
use super::words::words;
use crate::provider::kind::Folders;
use crate::provider::{Environment, Fact, OutputShape, Reach};

/// How many bytes of output are read when the definition does not say.
pub(crate) const DEFAULT_OUTPUT_LIMIT: usize = 1024 * 1024;
/// The most a definition may allow: an answer is held in memory.
const LARGEST_OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

/// How long an answer may get when the definition does not say.
const DEFAULT_MAX_TOKENS: u32 = 8192;

/// What stands for a model's name.
const MODEL: &str = "{model}";
/// What stands for the longest answer, for programs that can be told.
const MAX_TOKENS: &str = "{max_tokens}";
/// What stands for the money of one call, for programs that can be told.
const MAX_USD: &str = "{max_usd}";

/// How a program is run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandDefinition {
    /// The program and its arguments; the words are split as a shell does, but no shell sees them.
    pub line: String,
    /// How to get the program, for those who do not have it.
    pub install: Option<String>,
    /// How many bytes of output are read before the call fails.
    pub output_limit: usize,
    /// How to find the answer in what it prints.
    pub output: OutputShape,
    /// Where it runs.
    pub workdir: Workdir,
    /// Variables it sees besides the caller's own.
    pub env: BTreeMap<String, String>,
    /// The same line for a model that somebody names, where `{model}` stands for its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_model: Option<String>,
    /// Variables with keys of models that it needs; none: those that it names itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<Vec<String>>,
    /// The most tokens of an answer: what is set aside where money is limited, and what `{max_tokens}` stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Words that tell it what one call may cost, put behind the line where money is limited; `{max_usd}` in them stands
    /// for the sum, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// What `{tools}` stands for in all of these; none: it has no tools that could be allowed.
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
    /// The project's folder, for commands that shall read its files.
    Project,
}

impl CommandDefinition {
    /// Whether it names a program, within all bounds.
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

    /// What of a wish it can grant.
    pub(in crate::provider) fn grant(&self, wish: Reach) -> Reach {
        self.tools.as_ref().map_or(Reach::default(), |tools| tools.grant(wish))
    }

    /// The most tokens of an answer.
    pub(in crate::provider) fn longest_answer(&self) -> u32 {
        self.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS)
    }

    /// How it is run where so much was granted.
    pub(in crate::provider) fn reaching(&self, granted: Reach) -> Self {
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

    /// Its line for a call that may cost so many US dollars, if that is limited.
    pub(in crate::provider) fn within(&self, usd: Option<f64>) -> String {
        match (&self.budget, usd) {
            // Rounded down: it is told no more than there is.
            (Some(budget), Some(usd)) => {
                let usd = format!("{:.6}", (usd * 1e6).floor() / 1e6);
                format!("{} {}", self.line, budget.replace(MAX_USD, &usd))
            }
            _ => self.line.clone(),
        }
    }

    /// The same without any tools.
    fn bare(&self) -> Self {
        self.reaching(Reach::default())
    }

    /// The same with a model that somebody names; none where it takes none.
    pub(in crate::provider) fn with_model(&self, model: &str) -> Option<Self> {
        let line = self.with_model.as_ref()?.replace(MODEL, model);
        Some(Self { line, with_model: None, ..self.clone() })
    }

    /// Whether its command or its variables hold this word.
    pub(in crate::provider) fn names(&self, word: &str) -> bool {
        self.line.contains(word)
            || self.env.iter().any(|(key, value)| (key.clone() + value).contains(word))
    }

    /// Whether it needs the key in this variable: it says so, or names it.
    pub(in crate::provider) fn needs_key(&self, name: &str) -> bool {
        match &self.keys {
            Some(keys) => keys.iter().any(|key| key == name),
            None => {
                self.line.contains(name) || self.env.iter().any(|(_, value)| value.contains(name))
            }
        }
    }

    /// What is run, in words that a shell would understand; variables stand as they are written.
    pub(in crate::provider) fn runs(&self) -> String {
        let line = self.bare().line;
        match shell_words::split(&line) {
            Ok(words) => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
            Err(_) => line,
        }
    }

    /// All that somebody agrees to who lets it run.
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
        let whole = Reach { look: true, web: true };
        let looks = [Reach { look: true, web: false }, Reach { look: false, web: true }, whole];
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

    /// Its program, where that is installed.
    pub(in crate::provider) fn program(&self, env: &Environment, base: &Path) -> Option<PathBuf> {
        let bare = self.bare();
        let env = env.clone().with(&bare.env);
        let words = words(&bare.line, &env).ok()?;
        find_program(&words.first()?.to_string_lossy(), base, &env)
    }

    /// Everything in it that may be the path of a file: its words, and the values of its variables.
    pub(in crate::provider) fn texts(&self, env: &Environment) -> Vec<String> {
        let of = |reach| {
            let run = self.reaching(reach);
            let words =
                words(&run.within(Some(0.0)), &env.clone().with(&run.env)).unwrap_or_default();
            let words = words.iter().map(|word| word.to_string_lossy().into_owned());
            words.chain(run.env.into_values()).collect::<Vec<_>>()
        };
        let granted = [(false, false), (true, false), (false, true), (true, true)];
        let granted = granted.map(|(look, web)| self.grant(Reach { look, web }));
        granted.into_iter().flat_map(of).collect()
    }
}

/// A word as it may be written; a variable in it is filled in, and does not look as if it were not.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "$~{}_-./=:,@%+".contains(c);
    match word {
        _ if !word.is_empty() && word.chars().all(plain) => word.to_owned(),
        _ if word.contains('$') && !word.contains(['"', '\\', '`']) => format!("\"{word}\""),
        _ => shell_words::quote(word).into_owned(),
    }
}
