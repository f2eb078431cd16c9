//! The only place that starts `git`. Files in the folders that git reads may come from other people.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::boundary::path_without_projects;

/// Disables all hooks. Only the command that asks git for the location of the hooks omits it.
const NO_HOOKS: &str = "core.hooksPath=/dev/null";

/// Settings that no configuration of a repository may override; each could otherwise start a program or fetch
/// something.
const SETTINGS: [&str; 19] = [
    "safe.bareRepository=explicit",
    // A configuration may still allow a single protocol; `GIT_ALLOW_PROTOCOL` below forbids that too.
    "protocol.allow=never",
    "core.fsmonitor=false",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.gitProxy=false",
    "core.alternateRefsCommand=false",
    "core.pager=cat",
    "core.editor=false",
    "credential.helper=",
    "diff.external=false",
    "log.showSignature=false",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "submodule.recurse=false",
    // The variable `GIT_GRAFT_FILE` below makes git print this advice before the reason of a failure.
    "advice.graftFileDeprecated=false",
    "core.quotePath=false",
    "i18n.logOutputEncoding=UTF-8",
];

/// Environment variables that block other programs and downloads too. Git reads them before its settings.
const VARIABLES: [(&str, &str); 13] = [
    // Read the history as it was committed, even if this clone replaces parts of it.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    // Treat an object of a partial clone that is not here as missing.
    ("GIT_NO_LAZY_FETCH", "1"),
    // Allow no protocol at all, whatever `protocol.*.allow` says. Older versions of git know only this variable.
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_PROXY_COMMAND", "false"),
    ("GIT_ASKPASS", "false"),
    ("SSH_ASKPASS", "false"),
    ("GIT_EDITOR", "false"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("LC_ALL", "C"),
];

/// Variables that point git at another repository or another command, and that git sets for its hooks: the list of `git
/// rev-parse --local-env-vars`, and a few more. The user's own `GIT_CONFIG_COUNT` stays, because containers use it to
/// declare safe folders: it comes from no file, and the settings above override it.
const FOREIGN: [&str; 19] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_ATTR_SOURCE",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_LITERAL_PATHSPECS",
];

/// Variables with API keys of models. Git never needs them.
const KEYS: [&str; 10] = [
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "OPENROUTER_API_KEY",
    "XAI_API_KEY",
    "DASHSCOPE_API_KEY",
    "ZAI_API_KEY",
    "DEEPSEEK_API_KEY",
    "MISTRAL_API_KEY",
    "GROQ_API_KEY",
];

/// Returns what git says about its version, if git is installed.
pub(crate) fn git_version() -> Option<String> {
    let output = git(Path::new("/")).arg("version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the reason for a failure that git printed, without its advice and warnings.
pub(super) fn reason_of(stderr: &[u8]) -> String {
    let said = String::from_utf8_lossy(stderr);
    let is_reason = |line: &&str| ["fatal: ", "error: "].iter().any(|word| line.starts_with(word));
    let is_advice = |line: &&str| {
        line.trim().is_empty() || ["hint:", "warning:"].iter().any(|word| line.starts_with(word))
    };
    let line = said.lines().find(is_reason).or_else(|| said.lines().find(|line| !is_advice(line)));
    line.unwrap_or("git gave no reason").to_owned()
}

/// Returns a git command for a folder. It looks for a repository in this folder but not above it, starts no program,
/// fetches nothing, asks for no password, and has no input.
pub(super) fn git(folder: &Path) -> Command {
    let mut command = git_with_hooks(folder);
    command.args(["-c", NO_HOOKS]);
    command
}

/// Returns a git command without the setting that disables hooks, to ask for their location. It runs no hook.
pub(super) fn git_with_hooks(folder: &Path) -> Command {
    let mut command = Command::new("git");
    // Git starts programs of its own, such as `gpg`, after it has changed to the folder.
    if let Some(path) = std::env::var_os("PATH") {
        let home = std::env::home_dir();
        command.env("PATH", path_without_projects(&path, folder, home.as_deref()));
    }
    let root = folder.ancestors().last().filter(|root| root.has_root());
    command.current_dir(root.unwrap_or(Path::new("/")));
    command.arg("-C").arg(folder).arg("--no-pager").stdin(Stdio::null());
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    for variable in FOREIGN.iter().chain(&KEYS) {
        command.env_remove(variable);
    }
    command.envs(VARIABLES);
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder));
    command
}

/// Returns a git command that compares files of the working tree without filters. Attributes can name filters, and a
/// repository's configuration can assign programs to them.
///
/// # Errors
/// Fails if git cannot be started.
pub(super) fn git_without_filters(folder: &Path) -> io::Result<Command> {
    let mut asked = git(folder);
    asked.args(["config", "--null", "--name-only", "--get-regexp"]);
    asked.arg(r"^filter\..*\.(clean|smudge|process)$");
    let listed = asked.stderr(Stdio::null()).output()?.stdout;
    let mut command = git(folder);
    for setting in listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let setting = String::from_utf8_lossy(setting);
        let driver = setting.rsplit_once('.').map_or("", |(driver, _)| driver);
        command.args(["-c", &format!("{setting}="), "-c", &format!("{driver}.required=false")]);
    }
    Ok(command)
}
