//! `discussions result`

use std::path::PathBuf;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::ui::{Line, Ui};

/// Show the outcome of a discussion
///
/// Prints the text, the findings about it, votes, dissent, conditions, tasks, open questions and cost.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the page; the lines of a diff in it have colours.
fn show(ui: &mut Ui, page: &str) {
    // A longer fence may enclose lines that look like the end of a shorter one.
    let mut fence: Option<&str> = None;
    for line in page.lines() {
        match fence {
            Some(end) if line == end => fence = None,
            Some(_) => {
                ui.out(Line::of_diff(line));
                continue;
            }
            None => fence = line.strip_suffix("diff").filter(|fence| is_fence(fence)),
        }
        ui.out(line);
    }
}

fn is_fence(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte == b'`')
}

/// Shows the result.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion_in_any_state(&workspace, args.file.as_deref())?;
    if args.json {
        shell.ui.json(&workspace.discussions().result(&path)?);
    } else {
        show(&mut shell.ui, &workspace.page(&path)?);
    }
    // A text written by hand changes the discussion but not its summary file, which contains this result.
    shell.summary(workspace.summarize(&path).as_deref());
    Ok(Exit::Done)
}
