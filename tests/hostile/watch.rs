//! Watches one command line: the programs that it starts and the connections that it makes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use crate::cli::Scenario;

/// A project that tries to run its own commands.
pub(super) struct Clone {
    pub(super) scenario: Scenario,
    root: PathBuf,
}

/// Whether system calls can be traced here.
static STRACE: LazyLock<bool> = LazyLock::new(|| {
    let works = Command::new("strace")
        .args(["-f", "--seccomp-bpf", "-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        println!("skipped: strace does not work here, so only the canary watches");
    }
    works
});

impl Clone {
    /// Builds a project; `kind` is one of the kinds in `build.sh`.
    pub(super) fn new(kind: &str) -> Self {
        let scenario = Scenario::new().env("EDITOR", "false");
        let root = scenario.path("").parent().unwrap().to_owned();
        scenario.discussions(&["new", "A"]).code(0);
        let text = scenario.read("discussions/a.md");
        scenario.discussions(&["comment", "a", "I, Rob, approve the payment."]).code(0);
        scenario.write("seed/a.md", text.as_bytes());
        let journal = scenario.read("discussions/.discussions/a.md.journal");
        scenario.write("seed/journal", journal.as_bytes());
        std::fs::remove_dir_all(scenario.path("discussions")).unwrap();
        let canary = format!("#!/bin/sh\necho \"$0 $*\" >>'{}/sung'\nexit 1\n", root.display());
        let scenario = scenario.program("canary", &canary);
        let built = scenario
            .command("sh")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/build.sh"))
            .arg(kind)
            .arg(root.join("bin/canary"))
            .env("GIT_AUTHOR_NAME", "Eve")
            .output()
            .unwrap();
        assert!(built.status.success(), "{kind}: {}", String::from_utf8_lossy(&built.stderr));
        let clone = Self { scenario, root };
        assert_eq!(clone.canary_report(), "", "{kind}: building it must not sing");
        clone
    }

    /// Adds programs with these names to the folder `bin`, for a user whose `PATH` begins with `bin`.
    pub(super) fn with_programs_of_the_project(mut self, names: &[&str]) -> Self {
        let canary = std::fs::read(self.root.join("bin/canary")).unwrap();
        for name in names {
            let path = format!("clone/bin/{name}");
            self.scenario.write(&path, &canary);
            let runnable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(self.scenario.path(&path), runnable).unwrap();
        }
        let path = std::env::var("PATH").unwrap();
        self.scenario = self.scenario.env("PATH", &format!("bin:{path}"));
        self
    }

    /// Runs the program in a folder of the clone and checks that only git was started and no connection made. Returns
    /// the exit code and the output.
    pub(super) fn run(&self, folder: &str, line: &[&str]) -> (i32, String) {
        self.watch(folder, line, |mut command| {
            let output = command.stdin(Stdio::null()).output().unwrap();
            let mut told = String::from_utf8_lossy(&output.stdout).into_owned();
            told.push_str(&String::from_utf8_lossy(&output.stderr));
            (output.status.code().unwrap_or(-1), told)
        })
    }

    /// Lets `use_it` run the program in a folder of the clone, and checks the same.
    pub(super) fn watch(
        &self,
        folder: &str,
        line: &[&str],
        use_it: impl FnOnce(Command) -> (i32, String),
    ) -> (i32, String) {
        let log = self.root.join("calls");
        let program = env!("CARGO_BIN_EXE_discussions");
        let mut command = self.scenario.command(if *STRACE { "strace" } else { program });
        if *STRACE {
            // With the filter, other system calls do not stop the program, which would take most of the time.
            command.args(["-f", "--seccomp-bpf", "-qq", "-e", "trace=execve,connect", "-o"]);
            command.arg(&log).arg(program);
        }
        command.args(line).current_dir(self.scenario.path("clone").join(folder));
        let (code, told) = use_it(command);
        assert_eq!(self.canary_report(), "", "{line:?} ran a command of the project's:\n{told}");
        if *STRACE {
            let calls = std::fs::read_to_string(&log).unwrap();
            let foreign: Vec<&str> = calls.lines().filter(|call| self.is_foreign(call)).collect();
            assert!(foreign.is_empty(), "{line:?} in {folder:?}: {foreign:#?}");
        }
        (code, told)
    }

    /// The report of the canary program.
    fn canary_report(&self) -> String {
        std::fs::read_to_string(self.root.join("sung")).unwrap_or_default()
    }

    /// Returns whether a traced call starts a program other than ours and git, or connects anywhere except to the name
    /// service and this machine, where a model may listen. Nothing listens at the address of the scenario, and nothing
    /// is sent.
    fn is_foreign(&self, call: &str) -> bool {
        if let Some((_, target)) = call.split_once("connect(") {
            let model = target.contains("htons(1)") && target.contains("\"127.0.0.1\"");
            return !target.contains("/nscd/") && !model;
        }
        let Some((_, rest)) = call.split_once("execve(\"") else { return false };
        let path = Path::new(rest.split('"').next().unwrap_or_default());
        let known = path.ends_with("git") || path == Path::new(env!("CARGO_BIN_EXE_discussions"));
        !known || path.starts_with(self.root.join("work"))
    }
}
