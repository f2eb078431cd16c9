//! `discussions show`

use std::collections::BTreeMap;
use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::view::Kind;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Show a discussion's text, or what it holds entry by entry
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a name, the beginning of one, or a title; without it the only open one
    file: Option<PathBuf>,
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
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    let document = workspace.show(&path)?;
    if args.json {
        shell.ui.json(&document);
        return Ok(Exit::Done);
    }
    let text = &document.text;
    let role = |kind: &Kind| match kind {
        Kind::Comment { .. } => Role::Head,
        Kind::Stray { .. } => Role::Stray,
        _ => Role::Control,
    };
    let roles: BTreeMap<usize, Role> =
        document.entries.iter().map(|entry| (entry.line, role(&entry.kind))).collect();
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
    for problem in document.problems.into_iter().filter(|problem| problem.code.is_of_bytes()) {
        shell.ui.warning(problem.message);
    }
    Ok(Exit::Done)
}
