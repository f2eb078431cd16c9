//! Runs commands of the program in a temporary folder with its own home and PATH, and checks their output.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use super::template::{FolderCopy, Template};

/// A program with the output format of `claude`, whose answer depends on the persona in the prompt.
pub(crate) const CLAUDE: &str = r#"#!/bin/sh
prompt=$(cat)
case "$prompt" in
  *"You are AI-Architect ("*) said='I am concerned about session management.\n\nQ: Should we use JWT or session cookies?\n\nVOTE: CHANGES' ;;
  *"You are AI-Security ("*) said='This needs a threat model.\n\nQ: What is our token expiry policy?\n\nVOTE: CHANGES' ;;
  *) said='The MVP approach is fine.\n\nVOTE: READY' ;;
esac
printf '{"is_error":false,"result":"%s","usage":{"input_tokens":1000,"output_tokens":50},"total_cost_usd":0.01}' "$said"
"#;

/// A temporary folder in which commands run, with their environment.
pub(crate) struct Scenario {
    pub(super) root: tempfile::TempDir,
    pub(super) path: OsString,
    pub(super) variables: Vec<(String, String)>,
}

impl Scenario {
    /// Creates an empty working folder; the user of git is Rob.
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for folder in ["work", "home", "config", "bin"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        let git =
            "[user]\n\tname = Rob\n\temail = rob@example.org\n[init]\n\tdefaultBranch = main\n";
        std::fs::write(root.path().join("home/.gitconfig"), git).unwrap();
        let mut path = root.path().join("bin").into_os_string();
        path.push(":/usr/bin:/bin");
        // Most scenarios test the answers of project-defined commands, not the trust in them.
        let trusting = ("DISCUSSIONS_TRUST".to_owned(), "all".to_owned());
        // Models that run on the test machine must not answer.
        let nobody = ("OLLAMA_HOST".to_owned(), "127.0.0.1:1".to_owned());
        Self { root, path, variables: vec![trusting, nobody] }
    }

    /// Creates a working folder with a discussion `caching.md`.
    pub(crate) fn with_discussion() -> Self {
        static TEMPLATE: Template = Template::new(|| {
            let scenario = Scenario::new();
            scenario.discussions(&["new", "Caching"]).code(0);
            scenario
        });
        TEMPLATE.copy()
    }

    /// Adds a file to the working folder.
    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        self.write(name, text.as_bytes());
        self
    }

    /// Adds a program to PATH.
    pub(crate) fn program(self, name: &str, script: &str) -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.root.path().join("bin").join(name);
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// Limits PATH to the programs of the scenario.
    pub(crate) fn alone(mut self) -> Self {
        self.path = self.root.path().join("bin").into_os_string();
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, key: &str, value: &str) -> Self {
        self.variables.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Makes the program distrust project-defined commands until the user trusts them.
    pub(crate) fn distrusting(mut self) -> Self {
        self.variables.retain(|(key, _)| key != "DISCUSSIONS_TRUST");
        self
    }

    /// Returns a path in the working folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("work").join(name)
    }

    /// Writes bytes to a file in the working folder.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Writes a sparse file of more than 1 GiB, which needs no disk space.
    pub(crate) fn giant(&self, name: &str) {
        self.write(name, b"# Giant\n");
        let file = std::fs::OpenOptions::new().write(true).open(self.path(name)).unwrap();
        file.set_len((1 << 30) + 1).unwrap();
    }

    /// Reads a file as text.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns a command for any program, with the environment of the scenario.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        let root = self.root.path();
        command
            .current_dir(root.join("work"))
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", root.join("home"))
            .env("DISCUSSIONS_CONFIG_DIR", root.join("config"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .envs(self.variables.iter().map(|(key, value)| (key, value)));
        command
    }

    /// Runs `git` and asserts that it succeeds.
    pub(crate) fn git(&self, args: &[&str]) -> &Self {
        let output = self.command("git").args(args).output().unwrap();
        assert!(
            output.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        self
    }

    /// Makes the working folder a git repository without commits, as `git init` does, but without examples of hooks.
    pub(crate) fn init_git(&self) -> &Self {
        static EMPTY: OnceLock<FolderCopy> = OnceLock::new();
        let empty = EMPTY.get_or_init(|| {
            let scenario = Self::new();
            scenario.git(&["init", "-q", "--template="]);
            for folder in ["hooks", "info"] {
                std::fs::create_dir(scenario.path(".git").join(folder)).unwrap();
            }
            FolderCopy::read(&scenario.path(".git"))
        });
        std::fs::create_dir(self.path(".git")).unwrap();
        empty.write(&self.path(".git"));
        self
    }

    /// Runs `git`, which may fail and warn.
    pub(crate) fn try_git(&self, args: &[&str]) -> Run {
        let output = self.command("git").args(args).output().unwrap();
        Run::new(args, &output, self.root.path()).with_any_code().with_warnings()
    }

    /// Adds the program under test to PATH, where git's hooks and merge driver look for it.
    pub(crate) fn on_path(self) -> Self {
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_discussions"));
        self.program("discussions", &script)
    }

    /// Returns a command for the program under test.
    pub(crate) fn program_under_test(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_discussions"))
    }

    /// Runs the program. Unless the test states otherwise, it has to succeed without a warning ([`Run`]).
    #[track_caller]
    pub(crate) fn discussions(&self, args: &[&str]) -> Run {
        self.discussions_with(args, "")
    }

    /// Runs the program with this text on standard input.
    #[track_caller]
    pub(crate) fn discussions_with(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.program_under_test();
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that does not read its input closes the pipe; the write error is expected.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Run::new(args, &output, self.root.path())
    }
}

impl Scenario {
    /// Runs the program at a terminal of 80 columns with this input; everything that it shows is in `stdout`.
    #[track_caller]
    pub(crate) fn at_terminal(&self, args: &[&str], typed: &str) -> Run {
        self.at_width(80, args, typed)
    }

    /// Runs the program at a terminal of this width with this input; everything that it shows is in `stdout`.
    #[track_caller]
    pub(crate) fn at_width(&self, columns: u16, args: &[&str], typed: &str) -> Run {
        let size = nix::pty::Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = nix::pty::openpty(Some(&size), None).unwrap();
        let mut master = File::from(terminal.master);
        master.write_all(typed.as_bytes()).unwrap();
        let end = || Stdio::from(terminal.slave.try_clone().unwrap());
        let mut command = self.program_under_test();
        command.args(args).stdin(end()).stdout(end()).stderr(end());
        let mut child = command.spawn().unwrap();
        // Reading ends when no process holds the other end of the terminal.
        drop((command, terminal.slave));
        let mut stdout = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(read) = master.read(&mut piece) {
            if read == 0 {
                break;
            }
            stdout.extend_from_slice(&piece[..read]);
        }
        let output = Output { status: child.wait().unwrap(), stdout, stderr: Vec::new() };
        Run::new(args, &output, self.root.path())
    }
}

/// The exit code and output of a command.
///
/// A test states what it expects: the exit code with [`Run::code`], [`Run::exit`] or [`Run::with_any_code`], warnings with [`Run::notes`],
/// [`Run::stderr`] or [`Run::with_warnings`]. If it does not, the exit code has to be 0, and standard error may contain
/// progress, notes and the next command, but no warning. The error of a stated exit code needs no statement.
pub(crate) struct Run {
    pub(crate) stdout: String,
    unstated: Unstated,
}

/// What a test has not stated yet; fails the test at its end if that is not the usual.
struct Unstated {
    what: String,
    place: &'static Location<'static>,
    code: i32,
    stderr: String,
    is_code_stated: Cell<bool>,
    is_stderr_stated: Cell<bool>,
}

impl Drop for Unstated {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let Self { what, place, code, stderr, .. } = self;
        assert!(
            self.is_code_stated.get() || *code == 0,
            "{place}: `discussions {what}` ended with {code}, which the test does not state\n{stderr}"
        );
        let has_warning = stderr.lines().any(|line| line.starts_with("warning: "));
        assert!(
            self.is_stderr_stated.get() || !has_warning,
            "{place}: the test does not state the warning of `discussions {what}`:\n{stderr}"
        );
    }
}

impl Run {
    #[track_caller]
    fn new(args: &[&str], output: &Output, root: &Path) -> Self {
        let clean = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            let root = root.canonicalize().unwrap();
            text.replace(root.to_str().unwrap(), "<root>")
        };
        let unstated = Unstated {
            what: args.join(" "),
            place: Location::caller(),
            code: output.status.code().unwrap_or(-1),
            stderr: clean(&output.stderr),
            is_code_stated: Cell::new(false),
            is_stderr_stated: Cell::new(false),
        };
        Self { stdout: clean(&output.stdout), unstated }
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn code(self, wanted: i32) -> Self {
        assert_eq!(
            self.exit(),
            wanted,
            "`discussions {}`\n--- stdout\n{}--- stderr\n{}",
            self.unstated.what,
            self.stdout,
            self.unstated.stderr
        );
        self
    }

    /// Accepts any exit code, in a test of something else.
    pub(crate) fn with_any_code(self) -> Self {
        self.unstated.is_code_stated.set(true);
        self
    }

    /// Returns the exit code, or -1 if a signal ended the command.
    pub(crate) fn exit(&self) -> i32 {
        self.unstated.is_code_stated.set(true);
        self.unstated.code
    }

    /// Returns the messages on standard error.
    pub(crate) fn stderr(&self) -> &str {
        self.unstated.is_stderr_stated.set(true);
        &self.unstated.stderr
    }

    /// Takes the messages on standard error.
    pub(crate) fn into_stderr(self) -> String {
        self.stderr().to_owned()
    }

    /// Accepts warnings in a test of something else.
    pub(crate) fn with_warnings(self) -> Self {
        self.unstated.is_stderr_stated.set(true);
        self
    }

    /// Asserts the whole text of standard output.
    #[track_caller]
    pub(crate) fn stdout(self, wanted: &str) -> Self {
        let Unstated { what, stderr, .. } = &self.unstated;
        assert_eq!(self.stdout, wanted, "`discussions {what}`: {stderr}");
        self
    }

    /// Asserts that standard output contains a text.
    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.stdout.contains(part), "`{part}` is not in:\n{}", self.stdout);
        self
    }

    /// Asserts that standard output does not contain a text.
    #[track_caller]
    pub(crate) fn stdout_lacks(self, part: &str) -> Self {
        assert!(!self.stdout.contains(part), "`{part}` is in:\n{}", self.stdout);
        self
    }

    /// Asserts that standard error contains a text.
    #[track_caller]
    pub(crate) fn notes(self, part: &str) -> Self {
        let stderr = self.stderr();
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
        self
    }

    /// Parses standard output as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}:\n{}{}", self.stdout, self.unstated.stderr))
    }
}

/// Returns the keys of a JSON object in their order.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}
