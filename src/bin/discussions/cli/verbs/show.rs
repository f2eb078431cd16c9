//! `discussions show`

use std::collections::BTreeMap;
use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::problem::Problem;
use discussions::transcript::EntryKind;
use discussions::view::Shown;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Show a discussion's text, or what it holds entry by entry
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
    /// The entries as one JSON document
    #[arg(long)]
    json: bool,
}

/// What a line is, for its colour.
#[derive(Clone, Copy)]
enum Role {
    Head,
    Control,
    Stray,
}

/// Shows it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = workspace.find(&args.file)?;
    let snapshot = workspace.snapshot(&path)?;
    if args.json {
        shell.ui.json(&Shown::of(&snapshot, shell.exact(&path)));
        return Ok(Exit::Done);
    }
    let text = &snapshot.transcript.text;
    let roles: BTreeMap<usize, Role> = snapshot
        .transcript
        .entries
        .iter()
        .map(|entry| {
            let role = match entry.kind {
                EntryKind::Comment(_) => Role::Head,
                EntryKind::Control(_) => Role::Control,
                EntryKind::Stray(_) => Role::Stray,
            };
            (entry.line, role)
        })
        .collect();
    let mut plain = String::new();
    for (index, line) in text.lines().enumerate() {
        let styled = match roles.get(&(index + 1)) {
            None => {
                plain.push_str(line);
                plain.push('\n');
                continue;
            }
            Some(Role::Head) => Line::default().colour(AnsiColor::Cyan, line),
            Some(Role::Control) => Line::default().faint(line),
            Some(Role::Stray) => Line::default().colour(AnsiColor::Yellow, line),
        };
        shell.ui.page(std::mem::take(&mut plain));
        shell.ui.out(styled);
    }
    shell.ui.page(plain);
    // What is wrong with the bytes themselves is not to be seen in what was printed.
    let bytes = |problem: &&Problem| problem.code.is_of_bytes();
    for problem in snapshot.state.problems.iter().filter(bytes) {
        shell.ui.warning(problem.message.clone());
    }
    Ok(Exit::Done)
}
