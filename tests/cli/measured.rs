//! What a command costs: processor time, and processes of git.

use regex::Regex;

use super::scenario::Scenario;

impl Scenario {
    /// Returns the processor time in seconds of a command that succeeds, with its children.
    pub(crate) fn processor_time(&self, args: &[&str]) -> f64 {
        let mut shell = self.command("/bin/sh");
        let script = "\"$0\" \"$@\" >/dev/null && times";
        shell.args(["-c", script, env!("CARGO_BIN_EXE_discussions")]);
        let run = shell.args(args).output().unwrap();
        let said = String::from_utf8(run.stdout).unwrap();
        let amount = Regex::new(r"(\d+)m([\d.]+)s").unwrap();
        let children = said.lines().nth(1).unwrap_or_else(|| panic!("{args:?}: {said}"));
        let seconds = amount
            .captures_iter(children)
            .map(|one| 60.0 * one[1].parse::<f64>().unwrap() + one[2].parse::<f64>().unwrap());
        seconds.sum()
    }

    /// Makes each process of git leave a line, for [`Scenario::git_calls`].
    pub(crate) fn with_counted_git(self) -> Self {
        let paths: Vec<_> = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
        let git = paths.iter().map(|path| path.join("git")).find(|git| git.is_file()).unwrap();
        let log = self.root.path().join("git-calls");
        let script = format!(
            "#!/bin/sh\nfor word in \"$@\"; do case \"$word\" in -*|*=*|/*) ;; *) break ;; esac; done\n\
             echo \"$word\" >>'{}'\nexec '{}' \"$@\"\n",
            log.display(),
            git.display()
        );
        self.program("git", &script)
    }

    /// Runs a command, and returns the commands of git that it started.
    #[track_caller]
    pub(crate) fn git_calls(&self, args: &[&str]) -> Vec<String> {
        let log = self.root.path().join("git-calls");
        std::fs::write(&log, "").unwrap();
        drop(self.discussions(args).with_any_code().with_warnings());
        std::fs::read_to_string(&log).unwrap().lines().map(str::to_owned).collect()
    }
}
