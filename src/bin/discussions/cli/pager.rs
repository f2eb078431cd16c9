//! The pager: the program that shows text longer than the screen.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::platform::outlive_interrupts;

/// The default pager. It exits if everything fits, keeps colours, and leaves the text on the screen.
const USUAL: &str = "less -FRX";

/// The command of a pager, split into words, because no shell runs it.
#[derive(Debug, PartialEq)]
pub(crate) struct Pager {
    program: String,
    arguments: Vec<String>,
    /// The folder in which it runs, so that a relative entry of `PATH` cannot name a program of the project.
    folder: PathBuf,
    /// The user has not set the variable `LESS`, so this program sets it.
    says_less: bool,
}

impl Pager {
    /// Returns the chosen pager, or else the default. Returns `None` for an empty value, for `cat`, and for a value
    /// that cannot be split into words.
    pub(crate) fn new(chosen: Option<&str>, folder: &Path, says_less: bool) -> Option<Self> {
        let mut words = shell_words::split(chosen.unwrap_or(USUAL)).ok()?.into_iter();
        let program = words.next().filter(|program| program != "cat")?;
        Some(Self { program, arguments: words.collect(), folder: folder.to_owned(), says_less })
    }

    /// Shows a text until the user quits. Returns true if the user could see it.
    pub(crate) fn show(&self, text: &str) -> bool {
        // The pager receives Ctrl-C too, and ends its search. This program waits until the pager has left the screen.
        outlive_interrupts();
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder).stdin(Stdio::piped());
        if self.says_less {
            command.env("LESS", "FRX");
        }
        let Ok(mut child) = command.spawn() else { return false };
        if let Some(mut input) = child.stdin.take() {
            // The pager closes the pipe early if the user has seen enough.
            let _ = input.write_all(text.as_bytes());
        }
        // A pager that exits with a failure has shown nothing. A pager that a signal ended has shown the text.
        child.wait().is_ok_and(|status| status.success() || status.code().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pager(chosen: Option<&str>) -> Option<Pager> {
        Pager::new(chosen, Path::new("/"), true)
    }

    #[test]
    fn empty_setting_and_cat_are_no_pager() {
        for chosen in ["", "  ", "cat", "\"unclosed"] {
            assert_eq!(pager(Some(chosen)), None, "{chosen}");
        }
        let usual = pager(None).unwrap();
        assert_eq!((usual.program.as_str(), usual.arguments.len()), ("less", 1));
        let own = pager(Some("most -s \"a b\"")).unwrap();
        assert_eq!(own.arguments, ["-s", "a b"]);
    }

    #[test]
    fn failing_pager_is_reported_as_not_shown() {
        for dead in ["false", "/there/is/no/such-pager"] {
            assert!(!pager(Some(dead)).unwrap().show("text"), "{dead}");
        }
        assert!(pager(Some("true")).unwrap().show(&"text".repeat(100_000)));
    }
}
