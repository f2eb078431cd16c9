//! Documents about a project: personas, templates, providers, its set-up, its definitions that need the user's trust,
//! and the user's trust decisions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::participant::ParticipantKind;
use crate::problem::Renumbered;

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// Its id.
    pub id: String,
    /// Its purpose, in a sentence.
    pub summary: String,
    /// Its phases, in order.
    pub phases: Vec<String>,
    /// Its file, as it is shown; none: it is bundled.
    pub file: Option<String>,
    /// Why it cannot be used, with the place; its other values are then unknown.
    pub broken: Option<String>,
    /// True if participants vote on options that are named for each discussion.
    #[serde(skip)]
    pub takes_options: bool,
    /// True if a vote on a question needs options of its own, because those that the template has by default judge a text.
    #[serde(skip)]
    pub needs_options: bool,
    /// True if it reviews an artifact, and asks no question.
    #[serde(skip)]
    pub reviews: bool,
}

/// All known personas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Personas {
    /// The personas that can take part.
    pub personas: Vec<Persona>,
    /// The personas with a broken definition.
    pub broken: Vec<BrokenPersona>,
}

/// A persona that can take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Persona {
    /// The alias that mentions the persona.
    pub alias: String,
    /// The name above their comments.
    pub name: String,
    /// The kind: a model or a person, with or without a vote.
    pub kind: ParticipantKind,
    /// The role, in a few words.
    pub role: String,
    /// The place of its definition: `bundled`, or a path as it is shown.
    pub origin: String,
}

/// A persona with a broken definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokenPersona {
    /// The alias that would mention the persona.
    pub alias: String,
    /// The error, with its place.
    pub error: String,
}

/// The definition of a persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// The alias that mentions the persona.
    pub alias: String,
    /// The name above their comments.
    pub name: String,
    /// The place of its definition: `bundled`, or a path as it is shown.
    pub origin: String,
    /// The definition as YAML.
    pub text: String,
    /// Why this persona cannot be asked, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A bundled template or persona that the project replaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandIn {
    /// `template` or `persona`.
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// Its file, as it is shown.
    pub file: String,
}

/// A thing that discussions need or use, and its state on this machine. No text contains a key, a command line or the
/// whole address of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// The kind of thing: `git`, `program`, `service`, `provider`, `configuration`, `participant`, `template`, `trust` or
    /// `mergeDriver`.
    pub topic: &'static str,
    /// Its name: a program, a provider, or a path as it is shown.
    pub name: String,
    /// `ok`; `unknown` if only a call could tell; `answers` or `fails` after a call; `missing` if it is not here and may
    /// not be needed; `ignored`; `untrusted`; or `problem`.
    pub state: &'static str,
    /// The reason for the state, or the answer of a model, in a line.
    pub details: String,
    /// The fix, if something is wrong or missing. The library leaves out fixes by a command of the front end.
    pub fix: Option<String>,
    /// True if a model may answer through it.
    pub answers: bool,
}

/// A provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// Its name.
    pub name: String,
    /// Its command or model as the definition says; untrusted text.
    pub runs: String,
    /// A description in a sentence.
    pub description: String,
    /// The strengths that decide which personas it answers for.
    pub strengths: Vec<String>,
    /// The place of its definition.
    pub origin: String,
    /// True if it may be called; a project's own provider must be trusted first.
    pub trusted: bool,
}

/// A provider, and its availability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedProvider {
    /// Its name.
    pub name: String,
    /// Its availability.
    pub state: ProviderState,
}

/// The availability of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderState {
    /// Its definition cannot be used.
    Broken {
        /// Why, in a sentence.
        reason: String,
    },
    /// It is available.
    Ready {
        /// The program or address, unless it is built in.
        through: Option<String>,
        /// True if the program was found or the service reached. False if only a call could tell; then only the
        /// configuration was checked.
        tested: bool,
    },
    /// Something that it needs is missing.
    Missing {
        /// The missing part.
        reason: String,
        /// The fix.
        fix: String,
    },
    /// The project defines it, and the user does not trust it.
    NotTrusted,
    /// It answered a test question.
    Answers {
        /// Its answer.
        text: String,
        /// Duration in milliseconds.
        ms: u64,
    },
    /// It did not answer a test question.
    Fails {
        /// The reason.
        message: String,
    },
}

impl CheckedProvider {
    /// Returns the answer with its time, or the reason why it failed, in a line; `None` if it was not called.
    pub fn called_line(&self) -> Option<String> {
        match &self.state {
            ProviderState::Answers { text, ms } => {
                let seconds = std::time::Duration::from_millis(*ms).as_secs_f64();
                Some(format!("{seconds:.1} s: {text}"))
            }
            ProviderState::Fails { message } => {
                // A line begins with the provider's name.
                let words = message.strip_prefix(&self.name).and_then(|it| it.strip_prefix(' '));
                Some(words.unwrap_or(message).to_owned())
            }
            _ => None,
        }
    }
}

/// A step that was done, or that is left to a person. Paths are as they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "done", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SetUp {
    /// A line was added to a file.
    Added {
        /// The file.
        file: String,
        /// The line.
        line: String,
    },
    /// A setting of the repository was written.
    Configured {
        /// Its key.
        key: &'static str,
    },
    /// The hook was written.
    Hooked {
        /// The hook.
        file: String,
    },
    /// A file has something else in the place of this program's own entry or text, and was left unchanged.
    Differs {
        /// The file.
        file: String,
        /// The text in its place.
        found: String,
        /// The entry of this program, or what its text says.
        line: String,
    },
    /// Another hook exists and was left unchanged.
    Foreign {
        /// The hook.
        file: String,
        /// The line to add to it by hand.
        line: String,
    },
    /// Git's settings name a folder of hooks outside the repository, so no hook was written.
    Shared {
        /// That folder.
        hooks: String,
        /// The folder in which the repository's own hooks would be.
        own: String,
    },
    /// Another setting still overrides how git merges discussions.
    Overridden {
        /// The file with the line that something overrides.
        file: String,
        /// The line.
        line: String,
        /// A path that git was asked about, from the top of the tree.
        probe: String,
        /// The merge driver that git reports for it.
        merge: String,
    },
}

/// The result of merging two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Merged {
    /// The file, as it is shown.
    pub file: String,
    /// True if the file is a summary: our version was kept until the discussion's next change rebuilds it.
    pub is_summary: bool,
    /// Numbers that name something else after the merge, each once.
    pub renumbered: Vec<Renumbered>,
    /// Why a person must finish the merge, if so.
    pub conflict: Option<String>,
}

/// A provider that the project defines, with everything that trust in it covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Foreign {
    /// The provider's name.
    pub provider: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// The file that defines it, as it is shown.
    pub file: String,
    /// The line there.
    pub line: usize,
    /// The definitions that it replaces, each in words.
    pub replaces: Vec<String>,
    /// The command or service that would run, in few words.
    pub runs: String,
    /// All facts that decide it.
    pub facts: Vec<Fact>,
    /// Files of the project that it names.
    pub files: Vec<NamedFile>,
    /// True if a participant needs it first; otherwise it is only called if others fail.
    pub first: bool,
    /// The fingerprint under which trust in exactly this is stored.
    pub fingerprint: String,
    /// True if the user trusts it; absent if nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted: Option<bool>,
}

/// A fact about a provider that trust covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// The kind, in a word.
    pub what: &'static str,
    /// The value as it is written; untrusted text.
    pub text: String,
}

impl Fact {
    pub(crate) fn new(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, text: text.into() }
    }
}

/// A file of the project that a definition names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedFile {
    /// Its path in the project.
    pub path: String,
    /// Its target, if it is outside the project.
    pub target: Option<String>,
}

/// The project's own definitions, as far as they can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BroughtAlong {
    /// The providers that can be trusted.
    pub foreign: Vec<Foreign>,
    /// Why others cannot be read, each in a sentence.
    pub broken: Vec<String>,
}

/// A trust decision of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// The fingerprint of the trusted definition.
    pub fingerprint: String,
    /// The provider's name.
    pub provider: String,
    /// The project's folder.
    pub project: String,
    /// The command or service that runs there.
    pub runs: String,
    /// When it was given, in RFC 3339.
    pub at: String,
}
