//! The programs that built-in providers run: their versions and logins, as far as they are known without a model call.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::provider::{Environment, Layer, RegistryEntry};

/// A program that the built-in providers run.
pub(super) struct KnownProgram {
    pub(super) name: &'static str,
    /// The flag that prints its version.
    pub(super) version: &'static str,
    /// The command that logs in.
    pub(super) login: &'static str,
    /// Variables that log in by themselves.
    variables: &'static [&'static str],
    /// The variable that names its folder, if there is one, and that folder below the home folder.
    folder: (&'static str, &'static str),
    /// The file in its folder that exists after a login.
    file: &'static str,
    /// The command that tells if the user is logged in, if each version of the program answers it without a model.
    pub(super) status: Option<&'static [&'static str]>,
}

pub(super) const PROGRAMS: [KnownProgram; 4] = [
    KnownProgram {
        name: "claude",
        version: "-v",
        login: "run `claude` once to log in",
        variables: &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CODE_USE_BEDROCK",
            "CLAUDE_CODE_USE_VERTEX",
        ],
        folder: ("CLAUDE_CONFIG_DIR", ".claude"),
        file: ".credentials.json",
        status: None,
    },
    KnownProgram {
        name: "codex",
        version: "-V",
        login: "run `codex login`",
        variables: &["CODEX_API_KEY"],
        folder: ("CODEX_HOME", ".codex"),
        file: "auth.json",
        status: Some(&["login", "status"]),
    },
    KnownProgram {
        name: "gemini",
        version: "-v",
        login: "run `gemini` once to log in",
        variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"],
        folder: ("", ".gemini"),
        file: "oauth_creds.json",
        status: None,
    },
    // Its provider `opencode-pickle` needs no login.
    KnownProgram {
        name: "opencode",
        version: "-v",
        login: "run `opencode auth login`",
        variables: &[],
        folder: ("", ".local/share/opencode"),
        file: "auth.json",
        status: None,
    },
];

/// A login, as far as it is known without a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Login {
    In,
    NotNeeded,
    Out,
    Unknown,
}

pub(super) fn is_known_program(entry: &RegistryEntry) -> bool {
    PROGRAMS.iter().any(|program| runs_program(entry, program.name))
}

/// Returns true for a built-in provider that runs a program.
pub(super) fn runs_program(entry: &RegistryEntry, program: &str) -> bool {
    let is_command = entry.definition.kind.command().is_some();
    let name = entry.definition.common.name.as_str();
    entry.origin == Layer::BuiltIn && is_command && name.split('-').next() == Some(program)
}

pub(super) fn has_variable(env: &Environment, name: &str) -> bool {
    env.var(name).is_some_and(|value| !value.is_empty())
}

/// Looks for a login in variables and files. Reads no file.
pub(super) fn login_by_files(program: &KnownProgram, env: &Environment) -> Login {
    if program.name == "opencode" {
        return Login::NotNeeded;
    }
    if program.variables.iter().any(|name| has_variable(env, name)) {
        return Login::In;
    }
    let (variable, below) = program.folder;
    let named = env.var(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let Some(folder) = named.or_else(|| Some(env.home()?.join(below))) else {
        return Login::Unknown;
    };
    let is_filled = |path: &Path| path.metadata().is_ok_and(|it| it.is_file() && it.len() > 2);
    if is_filled(&folder.join(program.file)) {
        return Login::In;
    }
    // Some systems keep the login in a keychain, so a folder without the file proves nothing. Without the folder, the
    // program never ran.
    if folder.exists() || program.status.is_some() { Login::Unknown } else { Login::Out }
}

/// Returns the version in the output of a program, and nothing else of it.
pub(super) fn version(said: &str) -> Option<String> {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b\d{1,6}(?:\.\d{1,6}){2,3}\b")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    NUMBER.find(said).map(|found| found.as_str().to_owned())
}

/// Returns what a program says about its login.
pub(super) fn told_login(said: &str) -> Option<bool> {
    let said = said.to_lowercase();
    if said.contains("not logged in") {
        return Some(false);
    }
    said.contains("logged in").then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_number_of_a_version_is_kept() {
        assert_eq!(version("2.1.197 (Claude Code)").as_deref(), Some("2.1.197"));
        assert_eq!(version("git version 2.39.2\nkey sk-1").as_deref(), Some("2.39.2"));
        assert_eq!(version("token 4711"), None);
    }

    #[test]
    fn login_status_is_understood_or_unknown() {
        assert_eq!(told_login("Logged in using ChatGPT"), Some(true));
        assert_eq!(told_login("codex failed with status 1: Not logged in"), Some(false));
        assert_eq!(told_login("unknown command"), None);
    }

    #[test]
    fn folder_of_a_program_decides_about_its_login() {
        let home = tempfile::tempdir().unwrap();
        let env = |vars: &[(&str, &str)]| {
            let vars = vars.iter().map(|(name, value)| (name.to_string(), value.to_string()));
            Environment::new(vars, Some(home.path().to_owned()), home.path().to_owned())
        };
        let claude = &PROGRAMS[0];
        assert_eq!(login_by_files(claude, &env(&[])), Login::Out);
        assert_eq!(login_by_files(claude, &env(&[("ANTHROPIC_API_KEY", "k")])), Login::In);
        std::fs::create_dir(home.path().join(".claude")).unwrap();
        assert_eq!(login_by_files(claude, &env(&[])), Login::Unknown);
        std::fs::write(home.path().join(".claude/.credentials.json"), "{\"a\":1}").unwrap();
        assert_eq!(login_by_files(claude, &env(&[])), Login::In);
        assert_eq!(login_by_files(&PROGRAMS[1], &env(&[])), Login::Unknown);
    }
}
