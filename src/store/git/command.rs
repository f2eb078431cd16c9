//! The one place that starts `git`. Wherever it looks, what stands there may have come with somebody's files.

use std::path::Path;
use std::process::{Command, Stdio};

/// No hook of any kind. Only whoever asks where the hooks are leaves it out.
const NO_HOOKS: &str = "core.hooksPath=/dev/null";

/// What no configuration of a repository may say otherwise; each names a way to start a program or to fetch.
const SETTINGS: [&str; 18] = [
    "safe.bareRepository=explicit",
    // A configuration may allow one protocol all the same; `GIT_ALLOW_PROTOCOL` below does not let it.
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
    "core.quotePath=false",
    "i18n.logOutputEncoding=UTF-8",
];

/// The same for the environment, which git asks first.
const VARIABLES: [(&str, &str); 13] = [
    // History is what was committed, whatever this clone has in its place.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    // A promised object that is not here is missing.
    ("GIT_NO_LAZY_FETCH", "1"),
    // No protocol at all, whatever `protocol.*.allow` says; older versions of git know this one only.
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

/// Variables that tie git to another repository or another command, as they are set while a hook runs: what
/// `git rev-parse --local-env-vars` lists, and a few more. The user's own `GIT_CONFIG_COUNT`, by which containers say
/// which folders are safe, stays: it comes from no file, and the settings above win over it.
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

/// Variables with keys of models, which git needs for nothing.
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

/// Git in a folder, looking for a repository there and no further up. It starts no program, fetches nothing, asks
/// nobody, and has no input.
pub(super) fn git(folder: &Path) -> Command {
    let mut command = git_with_hooks(folder);
    command.args(["-c", NO_HOOKS]);
    command
}

/// The same for a question about where the hooks are, which runs none of them.
pub(super) fn git_with_hooks(folder: &Path) -> Command {
    let mut command = Command::new("git");
    // From the root a relative entry of `PATH` names nothing that came with the files.
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
