//! Commands that lead on, each with its purpose. Each works as it stands, so that a user who copies the line copies a
//! command.

use discussions::view::{NextStep, Why};

use super::typed;
use crate::cli::outcome::all;
use crate::cli::shell::CommandHint;
use crate::cli::ui::{Line, Ui};

/// A command that leads on, and its purpose.
pub(crate) struct Way {
    command: String,
    purpose: String,
}

impl Way {
    /// Names a command with its purpose; an empty one is not printed.
    pub(crate) fn new(command: String, purpose: impl Into<String>) -> Self {
        Self { command, purpose: purpose.into() }
    }

    /// Prints the command first and its purpose after it.
    pub(crate) fn tell(self, ui: &mut Ui) {
        let line = Line::default().whole(self.command);
        let line = match self.purpose.as_str() {
            "" => line,
            purpose => line.text(format!("    ({purpose})")),
        };
        ui.note_wrapped(Line::hint("next", line));
    }
}

/// Prints the ways to another decision about a discussion that has ended.
pub(crate) fn tell_ways_to_decide_again(ui: &mut Ui, called: &CommandHint, steps: &[NextStep]) {
    let ended = steps.iter().find(|step| step.why == Why::Finished);
    let Some(arguments) = ended.map(|step| &step.arguments) else { return };
    let propose = called.command("comment", "\"DECISION: TEXT\"");
    Way::new(propose, "proposes another decision; closing adopts it").tell(ui);
    if let Some(ballot) = &arguments.ballot {
        Way::new(called.command("advance", &typed(ballot)), "votes again").tell(ui);
    }
}

/// Returns the way on if providers have no credit left; asking them again would fail again.
pub(crate) fn way_without_credit(names: &[String]) -> Way {
    let have = if names.len() == 1 { "has" } else { "have" };
    let purpose = format!(
        "{} {have} no credit left; shows which others are ready for --provider",
        all(names)
    );
    Way::new("discussions providers check".to_owned(), purpose)
}
