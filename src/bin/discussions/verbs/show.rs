//! `discussions show`

use std::collections::BTreeMap;
use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::transcript::{EntryKind, parse};

use crate::error::{Exit, Failure};
use crate::shell::Shell;
use crate::ui::Line;
use crate::wire;

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
    let discussion = workspace.load(&path)?;
    if args.json {
        let file = shell.exact(&path);
        let document = discussion.with(&workspace, |situation| wire::show(&file, situation))?;
        shell.ui.json(&document);
        return Ok(Exit::Done);
    }
    let text = &discussion.document.text;
    let roles: BTreeMap<usize, Role> = parse(text)
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
    for problem in &discussion.document.problems {
        shell.ui.warning(problem.message.clone());
    }
    Ok(Exit::Done)
}
