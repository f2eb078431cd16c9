//! Opening a sub-discussion: its flags, or the variables that the run set for a participant that is being asked.

use std::path::PathBuf;

use super::environment::CallingTurn;
use super::shell::Shell;

/// The participant that opens a sub-discussion.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Sub-discussions")]
pub(crate) struct WithinArgs {
    /// The discussion that you are answering in; the new one becomes its sub-discussion
    #[arg(long, value_name = "FILE", requires_all = ["turn", "by"])]
    within: Option<PathBuf>,
    /// The number of the turn that you are answering in
    #[arg(long, value_name = "N", requires = "within")]
    turn: Option<u32>,
    /// Your alias in that turn
    #[arg(long = "as", id = "by", value_name = "ALIAS", requires = "within")]
    by: Option<String>,
}

impl WithinArgs {
    /// Uses the variables that the run set for this program if the flags are missing. Otherwise a participant could
    /// open a discussion during its call, and no budget would count the cost.
    pub(crate) fn learn(&mut self, shell: &Shell) {
        if self.within.is_none()
            && let Some(asked) = shell.outside.calling_turn()
        {
            (self.within, self.turn, self.by) =
                (Some(asked.file), Some(asked.turn), Some(asked.by));
        }
    }

    /// Returns the participant that opens the sub-discussion.
    pub(crate) fn calling_turn(&self) -> Option<CallingTurn> {
        Some(CallingTurn { file: self.within.clone()?, turn: self.turn?, by: self.by.clone()? })
    }
}
