//! Access of models to files and to the web: the flags, and the notice before the first call.

use std::path::Path;
use std::sync::Arc;

use discussions::runner::{RunOptions, TurnOptions, Work};
use discussions::workspace::Workspace;

use crate::cli::error::CommandError;
use crate::cli::ui::Line;

/// The sources that models may read.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "What models may access")]
pub(crate) struct SightArgs {
    /// Let agent programs read the files of this project
    #[arg(long)]
    look: bool,
    /// Let agent programs search the web
    #[arg(long)]
    web: bool,
}

impl SightArgs {
    /// Adds the permissions to a run.
    pub(crate) fn of_run(self, request: RunOptions) -> RunOptions {
        RunOptions { look: self.look, web: self.web, ..request }
    }

    /// Adds the permissions to a turn.
    pub(crate) fn of_turn(self, ask: TurnOptions) -> TurnOptions {
        TurnOptions { look: self.look, web: self.web, ..ask }
    }
}

/// Returns lines that name the participants with and without access, to be printed before the first call.
pub(crate) fn access_notes(
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
) -> Result<Vec<Line>, CommandError> {
    let (look, web) = match work {
        Work::Turn(ask) => (ask.look, ask.web),
        Work::Run(request) => (request.look, request.web),
    };
    if !look && !web {
        return Ok(Vec::new());
    }
    let mut lines = Vec::new();
    let all = workspace.sight(path, work)?;
    for (asked, web, what) in
        [(look, false, "read the files of this project"), (web, true, "search the web")]
    {
        if !asked {
            continue;
        }
        let (mut able, mut unable) = (Vec::new(), Vec::new());
        for seat in &all {
            let may = if web { seat.web } else { seat.look };
            let told = format!("{} ({})", seat.participant, seat.provider);
            if may { able.push(told) } else { unable.push(told) }
        }
        let (able, unable) = (able.join(", "), unable.join(", "));
        lines.push(Line::hint(
            "note",
            match (able.is_empty(), unable.is_empty()) {
                (true, _) => format!("no participant can {what}: {unable}"),
                (false, true) => format!("allowed to {what}: {able}"),
                (false, false) => format!("allowed to {what}: {able}; not able to: {unable}"),
            },
        ));
    }
    Ok(lines)
}
