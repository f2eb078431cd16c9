//! A folder of its own, a home of its own, a PATH of its own; one line a command.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A program that answers as `claude` does: by who it is told to be.
pub(crate) const CLAUDE: &str = r#"#!/bin/sh
prompt=$(cat)
case "$prompt" in
  *"You are AI-Architect ("*) said='I am concerned about session management.\n\nQ: Should we use JWT or session cookies?\n\nVOTE: CHANGES' ;;
  *"You are AI-Security ("*) said='This needs a threat model.\n\nQ: What is our token expiry policy?\n\nVOTE: CHANGES' ;;
  *) said='The MVP approach is fine.\n\nVOTE: READY' ;;
esac
printf '{"is_error":false,"result":"%s","usage":{"input_tokens":1000,"output_tokens":50},"total_cost_usd":0.01}' "$said"
"#;

/// Where commands run.
pub(crate) struct Scenario {
    root: tempfile::TempDir,
    path: OsString,
    variables: Vec<(String, String)>,
}

impl Scenario {
    /// An empty folder; git knows its user as Rob.
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
        // Most scenarios are about what a command of the project answers, not about whether it may.
        let trusting = ("DISCUSSIONS_TRUST".to_owned(), "all".to_owned());
        // No model of the machine that the tests run on takes part in them.
        let nobody = ("OLLAMA_HOST".to_owned(), "127.0.0.1:1".to_owned());
        Self { root, path, variables: vec![trusting, nobody] }
    }

    /// One in which a discussion `caching.md` was made.
    pub(crate) fn with_discussion() -> Self {
        let scenario = Self::new();
        scenario.discussions(&["new", "Caching"]).code(0);
        scenario
    }

    /// A file in the working folder.
    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        self.write(name, text.as_bytes());
        self
    }

    /// A program on PATH.
    pub(crate) fn program(self, name: &str, script: &str) -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.root.path().join("bin").join(name);
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// Nothing but the scenario's own programs on PATH.
    pub(crate) fn alone(mut self) -> Self {
        self.path = self.root.path().join("bin").into_os_string();
        self
    }

    /// An environment variable.
    pub(crate) fn env(mut self, key: &str, value: &str) -> Self {
        self.variables.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Nothing that the project brings along is trusted before somebody says so.
    pub(crate) fn distrusting(mut self) -> Self {
        self.variables.retain(|(key, _)| key != "DISCUSSIONS_TRUST");
        self
    }

    /// A path in the working folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("work").join(name)
    }

    /// Writes bytes to a file in the working folder.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// A file of more than 1 GiB that takes no room.
    pub(crate) fn giant(&self, name: &str) {
        self.write(name, b"# Giant\n");
        let file = std::fs::OpenOptions::new().write(true).open(self.path(name)).unwrap();
        file.set_len((1 << 30) + 1).unwrap();
    }

    /// A file's text.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Any program, with the scenario's environment.
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

    /// Runs `git`, which has to work.
    pub(crate) fn git(&self, args: &[&str]) -> &Self {
        let output = self.command("git").args(args).output().unwrap();
        assert!(
            output.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        self
    }

    /// Runs `git`, whatever comes of it.
    pub(crate) fn try_git(&self, args: &[&str]) -> Run {
        let output = self.command("git").args(args).output().unwrap();
        Run::new(args, &output, self.root.path())
    }

    /// The program itself on PATH, as git's hooks and merge driver look for it.
    pub(crate) fn on_path(self) -> Self {
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_discussions"));
        self.program("discussions", &script)
    }

    /// The program itself.
    pub(crate) fn program_under_test(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_discussions"))
    }

    /// Runs the program.
    pub(crate) fn discussions(&self, args: &[&str]) -> Run {
        self.discussions_with(args, "")
    }

    /// Runs the program with this on standard input.
    pub(crate) fn discussions_with(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.program_under_test();
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Who reads nothing closes the pipe, which is no mistake.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Run::new(args, &output, self.root.path())
    }
}

impl Scenario {
    /// Runs the program at a terminal of 80 columns, on which this is typed; all that it shows is in `stdout`.
    pub(crate) fn at_terminal(&self, args: &[&str], typed: &str) -> Run {
        self.at_width(80, args, typed)
    }

    /// The same at a terminal of so many columns.
    pub(crate) fn at_width(&self, columns: u16, args: &[&str], typed: &str) -> Run {
        let size = nix::pty::Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = nix::pty::openpty(Some(&size), None).unwrap();
        let mut master = File::from(terminal.master);
        master.write_all(typed.as_bytes()).unwrap();
        let end = || Stdio::from(terminal.slave.try_clone().unwrap());
        let mut command = self.program_under_test();
        command.args(args).stdin(end()).stdout(end()).stderr(end());
        let mut child = command.spawn().unwrap();
        // Once nobody holds the other end, reading ends.
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

/// What a command printed.
pub(crate) struct Run {
    what: String,
    code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    fn new(args: &[&str], output: &Output, root: &Path) -> Self {
        let clean = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            let root = root.canonicalize().unwrap();
            text.replace(root.to_str().unwrap(), "<root>")
        };
        Self {
            what: args.join(" "),
            code: output.status.code().unwrap_or(-1),
            stdout: clean(&output.stdout),
            stderr: clean(&output.stderr),
        }
    }

    /// The exit code.
    #[track_caller]
    pub(crate) fn code(self, wanted: i32) -> Self {
        assert_eq!(
            self.code, wanted,
            "`discussions {}`\n--- stdout\n{}--- stderr\n{}",
            self.what, self.stdout, self.stderr
        );
        self
    }

    /// How it ended; -1: by a signal.
    pub(crate) fn exit(&self) -> i32 {
        self.code
    }

    /// All of standard output.
    #[track_caller]
    pub(crate) fn stdout(self, wanted: &str) -> Self {
        assert_eq!(self.stdout, wanted, "`discussions {}`: {}", self.what, self.stderr);
        self
    }

    /// A part of standard output.
    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.stdout.contains(part), "`{part}` is not in:\n{}", self.stdout);
        self
    }

    /// What standard output must not hold.
    #[track_caller]
    pub(crate) fn stdout_lacks(self, part: &str) -> Self {
        assert!(!self.stdout.contains(part), "`{part}` is in:\n{}", self.stdout);
        self
    }

    /// A part of standard error.
    #[track_caller]
    pub(crate) fn notes(self, part: &str) -> Self {
        assert!(self.stderr.contains(part), "`{part}` is not in:\n{}", self.stderr);
        self
    }

    /// Standard output as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}:\n{}{}", self.stdout, self.stderr))
    }
}

/// The keys of a JSON object, in order.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}
