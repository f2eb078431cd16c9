//! What the library says as data, in this program's words: how what it reports is mended with verbs and flags.

pub(crate) mod next_step;

use discussions::codes::{ErrorCode, Fix, ResultError};
use discussions::config::participants::EditError;
use discussions::problem::Problem;
use discussions::template::ParameterError;
use discussions::workspace::{CreateError, Unused, WorkspaceError};
use discussions::yaml::LoadError;

/// Where all discussions are shown.
pub(crate) const LIST: &str = "`discussions list` shows what there is";
/// Where all providers are shown.
pub(crate) const PROVIDERS: &str = "`discussions providers list` shows all";
/// Where all personas are shown.
pub(crate) const PARTICIPANTS: &str = "`discussions participants list` shows everybody";
/// Where all templates are shown.
pub(crate) const TEMPLATES: &str = "`discussions templates list` shows all";
/// What to do about commands that a project brought along.
pub(crate) const TRUST: &str =
    "`discussions trust` shows what it runs, and asks; --provider names another";
/// What to do where no model program is installed.
pub(crate) const NO_PROVIDER: &str = "log in to a program that is installed; or set a key, such as OPENAI_API_KEY or ANTHROPIC_API_KEY; or start Ollama; \
     or `npm install -g opencode-ai`, whose `opencode-pickle` is free; or try it with answers that are made up: \
     --provider mock";
/// How to choose what to check.
pub(crate) const CHECK: &str = "name a file or a folder: discussions check PATH";

/// How something is mended.
pub(crate) fn fix(fix: Fix) -> &'static str {
    match fix {
        Fix::Restore => "`discussions check --restore` puts it back",
        Fix::Untrack => "take it out of git with `git rm --cached` and a commit",
        Fix::ListTemplates => TEMPLATES,
        Fix::ListParticipants => "`discussions participants list` shows all",
        Fix::ListProviders => PROVIDERS,
        Fix::AddParticipant => "`discussions participants add` makes another one",
        Fix::OwnFolder => {
            "a folder outside of the project is named in your own config.yaml, or with --dir"
        }
    }
}

/// A problem with what mends it.
pub(crate) fn problem(problem: &Problem) -> String {
    mended(&problem.message, problem.fix)
}

/// A sentence with what mends it.
pub(crate) fn mended(message: &str, way: Option<Fix>) -> String {
    match way {
        Some(way) => format!("{message}; {}", fix(way)),
        None => message.to_owned(),
    }
}

/// The hint of an error in a file.
pub(crate) fn hint_of(error: &LoadError) -> Option<String> {
    error.hint.clone().or_else(|| Some(fix(error.fix?).to_owned()))
}

/// An error in one piece of text, where no hint goes beside it.
pub(crate) fn workspace(error: &WorkspaceError) -> String {
    match (error, error.fix()) {
        (WorkspaceError::Load(load), Some(_)) => {
            LoadError { hint: hint_of(load), ..load.clone() }.to_string()
        }
        (WorkspaceError::Create(error), _) => create(error),
        (_, way) => mended(&error.to_string(), way),
    }
}

fn create(error: &CreateError) -> String {
    match error {
        CreateError::NobodyLeft { left_out } => {
            format!("{} can judge nothing without --context-file", left_out.join(", "))
        }
        CreateError::RoleEmpty { .. } => format!("{error}; name one with --roles alias=role"),
        CreateError::Parameter(ParameterError::Missing(name)) => {
            format!("{error}: --set {name}=...")
        }
        _ => error.to_string(),
    }
}

/// What stands beside an error of the workspace as a way to mend it.
pub(crate) fn workspace_help(error: &WorkspaceError) -> Option<String> {
    Some(match error {
        WorkspaceError::Template { .. } => TEMPLATES.to_owned(),
        WorkspaceError::Create(CreateError::UnknownParameter { template, .. }) => {
            format!("`discussions templates show {template}` shows its parameters")
        }
        WorkspaceError::Phase { known, .. } => format!("the phases are: {}", known.join(", ")),
        WorkspaceError::Vote { options, .. } => {
            format!("the options are: {}", options.join(", "))
        }
        WorkspaceError::LastPhase { .. } => {
            "`discussions close` ends the discussion, `advance --to` goes back".to_owned()
        }
        WorkspaceError::Closed => "`discussions reopen` opens it again".to_owned(),
        WorkspaceError::TooLong { unit: "bytes", .. } => {
            "keep the long part in a file of its own, and say where it is".to_owned()
        }
        WorkspaceError::LookAlike { .. } | WorkspaceError::Reserved(_) => {
            "choose another name with --as".to_owned()
        }
        _ => return None,
    })
}

/// A persona's file that cannot be made or changed.
pub(crate) fn edit(error: &EditError) -> String {
    match error {
        EditError::NoFolder => format!("{error}: run `discussions init` to make this a project"),
        EditError::Exists { alias, .. } => {
            format!("{error}; `discussions participants edit {alias}` changes it")
        }
        _ => error.to_string(),
    }
}

/// Why a discussion did not succeed, with its code.
pub(crate) fn result(error: &ResultError) -> String {
    let more = match error.code {
        ErrorCode::CostBudgetExceeded => "; raise --max-usd to go on",
        _ => "",
    };
    format!("{}{more} ({})", error.message, error.code.as_str())
}

/// What was asked for and has no effect.
pub(crate) fn unused(unused: &Unused) -> String {
    match unused {
        Unused::Rounds { template } => {
            format!("`{template}` has one round only, so the rounds are ignored")
        }
        Unused::Perspective { alias } => {
            format!("{alias} is left out: it needs --context-file to judge by")
        }
    }
}
