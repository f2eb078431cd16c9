//! The pager: the program that shows text longer than the screen.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::platform::outlive_interrupts;

/// The default pager. It exits if everything fits, keeps colours, and leaves the text on the screen.
const USUAL: &str = "less -FRX";

/// The command of a pager, split into words, because no shell runs it.
#[derive(Debug)]
pub(crate) struct Pager {
    command: Command,
    /// The user has not set the variable `LESS`, so this program sets it.
    says_less: bool,
}

impl Pager {
    /// Returns the chosen pager, or else the default. Returns `None` for an empty value, for `cat`, and for a value
    /// that cannot be split into words.
    pub(crate) fn new(
        chosen: Option<&str>,
        start: impl FnOnce(&str) -> Command,
        says_less: bool,
    ) -> Option<Self> {
        let mut words = shell_words::split(chosen.unwrap_or(USUAL)).ok()?.into_iter();
        let program = words.next().filter(|program| program != "cat")?;
        let mut command = start(&program);
        command.args(words).stdin(Stdio::piped());
        Some(Self { command, says_less })
    }

    /// Shows a text until the user quits. Returns true if the user could see it.
    pub(crate) fn show(mut self, text: &str) -> bool {
        // The pager receives Ctrl-C too, and ends its search. This program waits until the pager has left the screen.
        outlive_interrupts();
        if self.says_less {
            self.command.env("LESS", "FRX");
        }
        let Ok(mut child) = self.command.spawn() else { return false };
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
        Pager::new(chosen, |program| Command::new(program), true)
    }

    #[test]
    fn empty_setting_and_cat_are_no_pager() {
        for chosen in ["", "  ", "cat", "\"unclosed"] {
            assert!(pager(Some(chosen)).is_none(), "{chosen}");
        }
        let usual = pager(None).unwrap().command;
        assert_eq!((usual.get_program().to_str(), usual.get_args().len()), (Some("less"), 1));
        let own = pager(Some("most -s \"a b\"")).unwrap();
        assert!(own.command.get_args().eq(["-s", "a b"]));
    }

    #[test]
    fn failing_pager_is_reported_as_not_shown() {
        for dead in ["false", "/there/is/no/such-pager"] {
            assert!(!pager(Some(dead)).unwrap().show("text"), "{dead}");
        }
        assert!(pager(Some("true")).unwrap().show(&"text".repeat(100_000)));
    }
}
