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
    /// Also make these proposals decisions, in your name, for example D1 or D1,D3
    #[arg(long, value_name = "D", value_delimiter = ',', value_parser = proposal_number)]
    adopt: Vec<u32>,
    /// With --adopt: the files that the decision is about, as a pattern of a .gitignore
    #[arg(long, value_name = "PATTERN", requires = "adopt")]
    affects: Vec<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Returns the number of a proposal that is written like `D1` or `1`.
fn proposal_number(text: &str) -> Result<u32, String> {
    let digits = text.trim().trim_start_matches(['D', 'd']);
    let number = digits.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "write the number of a proposal, like D1".to_owned())
}

/// Closes the discussion.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let act = match args.adopt.as_slice() {
        [] => Act::Close,
        adopted => Act::Adopt { adopted, affects: &args.affects },
    };
    perform(args.file.as_deref(), act, args.json, shell)
}

/// What a person does with the end of a discussion.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act<'a> {
    /// Closes it.
    Close,
    /// Closes it, and adopts these proposals about these files.
    Adopt {
        /// The numbers of the proposals.
        adopted: &'a [u32],
        /// The patterns of the files.
        affects: &'a [String],
    },
    /// Reopens it.
    Reopen,
}

/// Closes or reopens a discussion, and prints which.
pub(super) fn perform(
    file: Option<&Path>,
    act: Act<'_>,
    json: bool,
    shell: &mut Shell,
) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion_to_close(&workspace, file)?;
    let by = shell.author(&workspace, None)?;
    let closed = !matches!(act, Act::Reopen);
    let written = match act {
        Act::Close | Act::Reopen => workspace.discussions().set_closed(&path, closed, &by)?,
        Act::Adopt { adopted, affects } => {
            workspace.discussions().close_adopting(&path, &by, adopted, affects)?
        }
    };
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
