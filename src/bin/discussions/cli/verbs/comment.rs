//! `discussions comment`

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use discussions::view::Status;
use discussions::workspace::{Remark, Workspace};

use crate::cli::error::{Exit, Failure};
use crate::cli::input::standard_input;
use crate::cli::shell::Shell;
use crate::cli::{editor, snippet};

/// Add a comment of your own
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
    /// The comment, as Markdown; `-` reads standard input, nothing opens $EDITOR
    #[arg(allow_hyphen_values = true)]
    text: Option<String>,
    /// Who speaks; without it the configuration's author, git's user or the login name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// Your vote
    #[arg(long, value_name = "V")]
    vote: Option<String>,
    /// Edit the text before it is written
    #[arg(short, long)]
    edit: bool,
}

/// Writes it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = workspace.find(&args.file)?;
    let named = args.author.as_deref().map(|name| name.trim().trim_start_matches('@'));
    let author = shell.author(&workspace, named)?;
    let text = text(&args, &workspace, &path, shell)?;
    let written = workspace.comment(&path, &Remark { author, text, vote: args.vote })?;
    let author = written.author.unwrap_or_default();
    let author = if written.is_person { format!("Human ({author})") } else { author };
    shell.ui.out(format!("Added comment from {author}."));
    if let Some(vote) = &written.vote {
        shell.ui.note(format!("Vote: {vote}"));
    }
    for note in &written.notes {
        shell.ui.warning(format!("no vote of the text is counted: {note}"));
    }
    shell.summary(written.summary.as_deref());
    Ok(Exit::Done)
}

fn text(args: &Args, workspace: &Workspace, path: &Path, shell: &Shell) -> Result<String, Failure> {
    let given = match args.text.as_deref() {
        Some("-") => Some(standard_input("standard input")?),
        other => other.map(str::to_owned),
    };
    // A vote may stand alone, and where nobody sits at a terminal an editor would wait for ever.
    let alone = args.vote.is_some() && !std::io::stdin().is_terminal();
    match given {
        Some(text) if !args.edit => Ok(text),
        None if alone && !args.edit => Ok(String::new()),
        given => {
            let remarks = remarks(&workspace.status(path)?);
            editor::write(&shell.outside, given.as_deref().unwrap_or_default(), &remarks)
        }
    }
}

/// What helps a person to answer.
fn remarks(status: &Status) -> String {
    let options: Vec<&str> = status.options.iter().map(String::as_str).collect();
    let mut out = format!(
        "{}, phase {}.\nTo vote, end with a line such as `VOTE: {}`.\n",
        status.title,
        status.phase_title,
        options.join("` or `VOTE: ")
    );
    let open: Vec<String> = status
        .questions
        .iter()
        .filter(|question| question.status == "open")
        .map(|question| {
            let text = snippet::clip(&question.text, 200);
            format!("Q{}: {text} ({})\n", question.number, question.author)
        })
        .collect();
    if !open.is_empty() {
        out.push_str("\nOpen questions; answer one with a line such as `A: Q1 ...`:\n");
        out.extend(open);
    }
    out
}
