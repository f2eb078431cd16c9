//! The kinds of failure, from which a front end derives its exit code, and help as data, which it puts into words with
//! its commands and flags.

use std::io::ErrorKind as IoErrorKind;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::error::WorkspaceError;
use crate::codes::Fix;
use crate::config::ConfigError;
use crate::config::participants::EditError;
use crate::material::MaterialError;
use crate::participant::ResolveError;
use crate::provider::{LedgerError, TrustError, Unaffordable};
use crate::state::DiscussionConfigError;
use crate::store::StoreError;
use crate::transcript::visible_line;
use crate::yaml::LoadError;

impl WorkspaceError {
    /// Returns true if the file cannot be written as it is now: it contains a merge conflict, or needs a newer version
    /// of the program.
    pub fn refuses_writes(&self) -> bool {
        matches!(self, Self::Store(StoreError::Conflict { .. } | StoreError::NewerFormat { .. }))
    }
}

/// The kind of a failure, from which a program derives its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request or a file is wrong.
    Input,
    /// No model was available.
    NoAnswer,
    /// A limit that the user set prevents it.
    Limit,
    /// The system failed.
    System,
}

/// The maximum number of reasons in the message.
const TOLD: usize = 6;

/// The maximum number of names that a message lists.
const NAMED: usize = 6;

/// Lists the first of several names, and says how many more there are.
pub(super) fn listed(names: &[String]) -> String {
    let first: Vec<String> = names.iter().take(NAMED).map(|name| visible_line(name)).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", first.join(", "))
}

/// Says that no model is available or, if other providers are `ready`, that none of the chosen ones is.
pub(super) fn unavailable(ready: &[String]) -> &'static str {
    if ready.is_empty() { "no model is available" } else { "the chosen model is not available" }
}

/// Says that no model can be asked. Leaves out the reasons if their list is long, because users would not read it.
pub(super) fn no_model(tried: &[String], ready: &[String]) -> String {
    let first = unavailable(ready).to_owned();
    match tried.len() {
        0..=TOLD => tried.iter().fold(first, |all, line| format!("{all}\n  {line}")),
        _ => format!("{first}: no model program is installed and no key is set"),
    }
}

/// Describes lost or kept answers by their number.
pub(super) fn answers(count: usize) -> String {
    if count == 1 { "the answer".to_owned() } else { format!("{count} answers") }
}

/// Help for an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Help {
    /// A separate step.
    Fix(Fix),
    /// A sentence about the wrong text.
    Hint(String),
    /// One of these was probably meant, the nearest first.
    Nearest(Vec<String>),
    /// Choose one of the existing participants.
    ListParticipants,
    /// Say that it is the name of a person.
    NamePerson(String),
    /// Make a template of a workflow file.
    ImportWorkflow(String),
    /// Choose one of the existing discussions.
    ListDiscussions,
    /// Choose among the parameters of a template.
    ListParameters(String),
    /// Choose among these phases.
    Phases(Vec<String>),
    /// Choose among these options.
    Options(Vec<String>),
    /// Check the permissions of a path.
    Permissions(PathBuf),
    /// Check a path and remove it.
    TakeAway(PathBuf),
    /// Trust what the project defines, or name another provider.
    Agree,
    /// Store trust decisions in a folder outside the project.
    KeepConsentsElsewhere,
    /// Name a folder for trust decisions.
    NameConsentFolder,
    /// Name a folder for the user's own configuration.
    NameUserFolder,
    /// Install a model program, or try made-up answers.
    InstallProvider,
    /// Choose one of these providers, which are available.
    ChooseProvider(Vec<String>),
    /// Ask one participant alone, in a pattern for one.
    AskAlone,
    /// End the discussion, or go back to a phase.
    CloseOrGoBack,
    /// Open the discussion again.
    Reopen,
    /// Bring the discussion to its end first.
    EndFirst,
    /// Move the long part to a separate file.
    Shorten,
    /// Use another name.
    OtherName,
    /// Give the original context of the artifact; these perspectives need it.
    GiveContext(Vec<String>),
    /// Name a participant for the role.
    GiveRole,
    /// Set the parameter.
    GiveParameter(String),
    /// Make the folder a project.
    BeginProject,
    /// Change the existing participant.
    EditParticipant(String),
    /// Add the participant under the alias in its text.
    UseAlias(String),
    /// The rejected text is in this file, and the next edit continues with it.
    Kept(String),
    /// Allow more money.
    RaiseLimit,
    /// Allow calls of unknown price.
    AllowUnpriced {
        /// True if a price in `providers.yaml` helps too.
        price_can_be_set: bool,
    },
    /// Remove the secrets, or allow that they are sent.
    TakeOutSecrets,
    /// Change to a folder where git's files are checked out.
    CheckOut,
}

impl WorkspaceError {
    /// Returns the fix, if it is a separate step.
    pub(crate) fn fix(&self) -> Option<Fix> {
        match self {
            Self::Load(error) | Self::Config(ConfigError::Load(error)) => error.fix,
            Self::Template { .. } => Some(Fix::ListTemplates),
            Self::UnknownParticipant { .. } => Some(Fix::ListParticipants),
            Self::Provider(_) => Some(Fix::ListProviders),
            _ => None,
        }
    }

    /// Returns the help for the error; nothing if the message says everything.
    pub fn help(&self) -> Vec<Help> {
        let one = match self {
            Self::Refused { help, .. } => return help.clone(),
            Self::Load(error) | Self::Config(ConfigError::Load(error)) => return of_text(error),
            Self::Persona(error) => return of_persona(error),
            Self::Edit(error) => return of_edit(error),
            Self::Config(ConfigError::Read { path, source }) => permissions(path, source.kind()),
            Self::Unrecorded { error, .. } => return error.help(),
            Self::Store(error) => of_file(error),
            Self::UnknownParticipant { nearest, asked } => {
                let person = Help::NamePerson(asked.clone());
                return vec![nearest_or(nearest, Help::ListParticipants), person];
            }
            Self::Provider(error) => {
                Some(nearest_or(&error.nearest, Help::Fix(Fix::ListProviders)))
            }
            Self::Template { nearest, .. } => {
                Some(nearest_or(nearest, Help::Fix(Fix::ListTemplates)))
            }
            Self::Closed => Some(Help::Reopen),
            Self::StillOpen { .. } => Some(Help::EndFirst),
            Self::NotTrusted(_) => Some(Help::Agree),
            Self::Consent(LedgerError::Unsafe { path, .. }) => Some(Help::TakeAway(path.clone())),
            Self::Consent(LedgerError::Io { path, error }) => permissions(path, error.kind()),
            Self::NoProvider { ready, .. } if !ready.is_empty() => {
                Some(Help::ChooseProvider(ready.clone()))
            }
            Self::NoProvider { .. } => Some(Help::InstallProvider),
            Self::TooFewProviders { ready: 1, .. } | Self::ParticipantCount { count: 1, .. } => {
                Some(Help::AskAlone)
            }
            Self::Unaffordable(Unaffordable::TooDear { .. }) => Some(Help::RaiseLimit),
            Self::Unaffordable(Unaffordable::NoPrice { uses_tools, .. }) => {
                Some(Help::AllowUnpriced { price_can_be_set: !uses_tools })
            }
            Self::Unaffordable(Unaffordable::UnreadablePrices { .. }) => {
                Some(Help::AllowUnpriced { price_can_be_set: false })
            }
            Self::Material(MaterialError::Secrets { .. }) => Some(Help::TakeOutSecrets),
            _ => None,
        };
        one.into_iter().collect()
    }
}

/// Returns help that names similar names, or the other help if there are none.
pub(super) fn nearest_or(nearest: &[String], otherwise: Help) -> Help {
    if nearest.is_empty() { otherwise } else { Help::Nearest(nearest.to_vec()) }
}

fn permissions(path: &Path, why: IoErrorKind) -> Option<Help> {
    (why == IoErrorKind::PermissionDenied).then(|| Help::Permissions(path.to_owned()))
}

fn of_text(error: &LoadError) -> Vec<Help> {
    let hint = error.hint.clone().map(Help::Hint);
    hint.or(error.fix.map(Help::Fix)).into_iter().collect()
}

fn of_persona(error: &ResolveError) -> Vec<Help> {
    match error {
        ResolveError::Broken(error) => of_text(error),
        ResolveError::Unknown { nearest, .. } => {
            vec![nearest_or(nearest, Help::ListParticipants)]
        }
    }
}

fn of_edit(error: &EditError) -> Vec<Help> {
    match error {
        EditError::Unknown(error) => of_persona(error),
        EditError::Write(error) => of_text(error),
        EditError::Wrong { error, rejected } => {
            let kept = rejected.then(|| Help::Kept(error.origin.clone()));
            of_text(error).into_iter().chain(kept).collect()
        }
        EditError::File { path, source } => permissions(path, source.kind()).into_iter().collect(),
        EditError::NoFolder => vec![Help::BeginProject],
        EditError::Exists { alias, .. } => vec![Help::EditParticipant(alias.to_string())],
        EditError::Bundled(_) | EditError::InList { .. } | EditError::Outside(_) => Vec::new(),
    }
}

fn of_file(error: &StoreError) -> Option<Help> {
    match error {
        StoreError::NotFound { near, .. } => {
            let near: Vec<String> =
                near.iter().map(|path| path.to_string_lossy().into_owned()).collect();
            Some(nearest_or(&near, Help::ListDiscussions))
        }
        StoreError::Denied { path } => Some(Help::Permissions(path.clone())),
        StoreError::NotWritten { path, source, .. }
        | StoreError::InDoubt { path, source, .. }
        | StoreError::Io { path, source, .. } => permissions(path, source.kind()),
        _ => None,
    }
}

/// Returns the part of the help that belongs to the message where nothing else shows the help.
pub(super) fn in_message(help: &[Help]) -> String {
    let one = |way: &Help| match way {
        Help::Nearest(nearest) => suggestion(nearest),
        Help::Phases(known) => format!("; the phases are: {}", known.join(", ")),
        Help::Options(options) => format!("; the options are: {}", options.join(", ")),
        _ => String::new(),
    };
    help.iter().map(one).collect()
}

/// Returns ``; did you mean `x`?`` if there is a similar name, or else an empty text.
pub(super) fn suggestion(nearest: &[String]) -> String {
    nearest.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

impl From<TrustError> for WorkspaceError {
    fn from(error: TrustError) -> Self {
        match error {
            TrustError::NotTrusted(error) => error.into(),
            TrustError::Open(error) => error.into(),
        }
    }
}

impl From<DiscussionConfigError> for WorkspaceError {
    fn from(error: DiscussionConfigError) -> Self {
        Self::Snapshot(error.into())
    }
}
