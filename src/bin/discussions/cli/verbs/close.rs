//! `discussions close`

use std::path::{Path, PathBuf};

use discussions::view::visible_line;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::ui::Line;
use crate::cli::words;

/// Close a discussion, and stop asking its participants
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Closes the discussion.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    set(args.file.as_deref(), true, args.json, shell)
}

/// Closes or reopens a discussion, and prints which.
pub(super) fn set(
    file: Option<&Path>,
    closed: bool,
    json: bool,
    shell: &mut Shell,
) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion_to_close(&workspace, file)?;
    let by = shell.author(&workspace, None)?;
    let written = workspace.discussions().set_closed(&path, closed, &by)?;
    let done = match (written.changed, closed) {
        (true, true) => "Closed",
        (false, true) => "Already closed",
        (true, false) => "Reopened",
        (false, false) => "Already open",
    };
    if json {
        shell.ui.json(&written);
    } else {
        let file = workspace.shown_path(&path);
        shell.ui.out(format!("{done}: {file}"));
        let decided = workspace.discussions().status(&path)?.decided;
        if written.changed && closed {
            let mut words = decided.words().to_owned();
            words.replace_range(..1, &words[..1].to_uppercase());
            shell.ui.wrapped("", Line::from(words));
            for one in decided.standing_ones() {
                shell.ui.wrapped("  ", visible_line(&one.labelled()));
            }
        }
    }
    for why in &written.uncounted {
        shell.ui.warning(why.as_str());
    }
    shell.summary(written.summary.as_deref());
    if !closed {
        let called = CommandHint::of(shell, &workspace, &path);
        words::steps::tell_next_step(&mut shell.ui, &called, &written.next);
        words::ways::tell_ways_to_decide_again(&mut shell.ui, &called, &written.next);
    }
    Ok(Exit::Done)
}
