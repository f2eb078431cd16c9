//! Every command of the pages and of `.ci/foreign` that runs tests by a name runs at least one test. `cargo test` runs none
//! for a misspelt name, and succeeds.

use std::path::Path;
use std::process::Command;

use regex::Regex;

use crate::tracked;

/// The names of the tests of this binary.
struct TestNames {
    all: Vec<String>,
    ignored: Vec<String>,
}

impl TestNames {
    fn list() -> Self {
        let list = |only: &[&str]| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            let output = command.args(["--list", "--format=terse"]).args(only).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
            names.map(str::to_owned).collect()
        };
        Self { all: list(&[]), ignored: list(&["--ignored"]) }
    }

    fn has_proof(&self, part: &str) -> bool {
        self.ignored.iter().any(|name| name.contains(part) && !name.contains("slow::"))
    }

    /// Returns whether a command runs a test; `None` if it names no test of this binary.
    fn runs_test(&self, command: &str) -> Option<bool> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let words = &words[words.iter().position(|word| *word == "cargo")?..];
        match words {
            ["cargo", "prove", name, ..] => Some(self.has_proof(name)),
            ["cargo", "test", rest @ ..] => {
                let place = rest.windows(2).position(|pair| pair == ["--test", "it"])?;
                let name = rest.get(place + 2).filter(|word| !word.starts_with('-'))?;
                let names = if rest.contains(&"--ignored") { &self.ignored } else { &self.all };
                Some(names.iter().any(|known| known.contains(name)))
            }
            _ => None,
        }
    }
}

#[test]
fn every_stated_command_runs_a_test() {
    let names = TestNames::list();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let quoted = Regex::new("`([^`\n]*cargo [^`\n]+)`").unwrap();
    let mut stated = 0;
    for page in tracked::files().iter().filter(|file| file.ends_with(".md")) {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        for found in quoted.captures_iter(&text) {
            for command in found[1].split("&&") {
                if let Some(runs) = names.runs_test(command) {
                    assert!(runs, "{page}: `{}` runs no test", command.trim());
                    stated += 1;
                }
            }
        }
    }
    assert!(stated > 20, "{stated} commands");
    let script = std::fs::read_to_string(root.join(".ci/foreign")).unwrap();
    let parts = Regex::new(r"\bignored it (\S+)").unwrap();
    let parts: Vec<&str> =
        parts.captures_iter(&script).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(parts.len() > 1, "{parts:?}");
    for part in parts {
        assert!(names.has_proof(part), ".ci/foreign: `{part}` is the name of no ignored test");
    }
}
