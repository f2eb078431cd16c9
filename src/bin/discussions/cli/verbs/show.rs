//! `discussions show`

use std::collections::BTreeMap;
use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::view::{Kind, Shown};

use crate::cli::error::{CommandError, Exit};
use crate::cli::page;
use crate::cli::shell::Shell;
use crate::cli::ui::{Line, Ui};

/// Show a discussion: its outcome and its comments
#[derive(Debug, clap::Args)]
#[command(
    after_help = "On a terminal the text is formatted, and long text opens in $PAGER. A pipe or a file gets the text \
                  of the file unchanged."
)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// Print the text of the file unchanged, also on a terminal
    #[arg(long, conflicts_with = "json")]
    raw: bool,
    /// Format the text for N columns, also for a pipe or a file
    #[arg(long, value_name = "N", conflicts_with_all = ["raw", "json"])]
    #[arg(value_parser = clap::value_parser!(u16).range(20..))]
    width: Option<u16>,
    /// Print the entries as JSON
    #[arg(long)]
    json: bool,
}

/// The width of a terminal that does not report its width.
const USUAL: usize = 80;

/// The role of a line, for its colour.
#[derive(Clone, Copy)]
enum ShownRole {
    Head,
    Control,
    Stray,
}

/// Shows the discussion.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion_in_any_state(&workspace, args.file.as_deref())?;
    let document = workspace.discussions().show(&path)?;
    if args.json {
        shell.ui.json(&document);
        return Ok(Exit::Done);
    }
    // Not every terminal reports its width.
    let is_page = shell.ui.is_page() && !args.raw;
    let terminal = is_page.then(|| shell.ui.width().unwrap_or(USUAL));
    match args.width.map(usize::from).or(terminal) {
        Some(width) => {
            let pager = shell.outside.pager();
            shell.ui.paged(&page::lines(&document, width), pager);
        }
        None => raw(&document, &mut shell.ui),
    }
    // Problems with the bytes themselves are not visible in the printed text.
    for problem in document.problems.into_iter().filter(|problem| problem.code.is_of_bytes()) {
        shell.ui.warning(problem.message);
    }
    Ok(Exit::Done)
}

/// Prints the text unchanged, with colours for lines that programs read.
fn raw(document: &Shown, ui: &mut Ui) {
    let role = |kind: &Kind| match kind {
        Kind::Comment { .. } => ShownRole::Head,
        Kind::Stray { .. } => ShownRole::Stray,
        _ => ShownRole::Control,
    };
    let roles: BTreeMap<usize, ShownRole> =
        document.entries.iter().map(|entry| (entry.line, role(&entry.kind))).collect();
    let mut plain = String::new();
    for (index, line) in document.text.lines().enumerate() {
        let styled = match roles.get(&(index + 1)) {
            None => {
                plain.push_str(line);
                plain.push('\n');
                continue;
            }
            Some(ShownRole::Head) => Line::default().colour(AnsiColor::Cyan, line),
            Some(ShownRole::Control) => Line::default().faint(line),
            Some(ShownRole::Stray) => Line::default().colour(AnsiColor::Yellow, line),
        };
        ui.page(std::mem::take(&mut plain));
        ui.out(styled);
    }
    ui.page(plain);
}
