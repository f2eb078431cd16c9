//! `discussions vote`

use std::path::{Path, PathBuf};

use discussions::view::Status;
use discussions::workspace::Workspace;

use super::comment::{self, CommentInput};
use crate::cli::error::{CommandError, Exit};
use crate::cli::input::standard_input;
use crate::cli::shell::Shell;
use crate::platform::text_waits;

/// Vote, with or without a reason
///
/// The pattern or the ballot defines the options, in upper or lower case; `discussions status` shows them.
#[derive(Debug, clap::Args)]
#[command(override_usage = "discussions vote [OPTIONS] [FILE] <VOTE> [TEXT]")]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// Your vote, for example ready, changes or reject; always needed
    vote: Option<String>,
    /// The reason, as Markdown; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    text: Option<String>,
    /// Your name; by default the configured author, git's user or the login name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// Your confidence, from 0 to 1 or in per cent; without it, a person's vote weighs 1
    #[arg(long, value_name = "SHARE")]
    confidence: Option<String>,
    /// The day to look at the decision again: a date, or a time from today, such as "6 months"
    #[arg(long, value_name = "DAY")]
    review_by: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Casts the vote.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let OfferedBallot { path, vote, text } = ballot(&args, &workspace, shell)?;
    let text = match text {
        Some("-") => standard_input("standard input")?,
        Some(text) => text.to_owned(),
        None => {
            untaken(shell);
            String::new()
        }
    };
    let vote = Some(vote.to_owned());
    let said = CommentInput {
        author: args.author.clone(),
        text,
        vote,
        confidence: args.confidence.clone(),
        review_by: args.review_by.clone(),
        answers: None,
        json: args.json,
    };
    comment::say(shell, &workspace, &path, said)
}

/// Warns that the text on standard input is not read. Within a loop over lines, standard input belongs to the loop.
pub(super) fn untaken(shell: &mut Shell) {
    if text_waits() {
        shell.ui.warning("standard input is ignored; to use it as the reason, give `-` as TEXT");
    }
}

/// A vote and its discussion.
struct OfferedBallot<'a> {
    path: PathBuf,
    vote: &'a str,
    text: Option<&'a str>,
}

/// Interprets the words. The first word is the vote if it names no discussion and the only open one has that option.
fn ballot<'a>(
    args: &'a Args,
    workspace: &Workspace,
    shell: &mut Shell,
) -> Result<OfferedBallot<'a>, CommandError> {
    let text = args.text.as_deref();
    let file = args.file.as_deref();
    let is_discussion = |file: &&Path| workspace.find(file).is_ok();
    let first = file.filter(|file| text.is_none() && !is_discussion(file)).and_then(Path::to_str);
    match (first, args.vote.as_deref()) {
        (Some(first), None) => {
            let path = shell.discussion(workspace, None)?;
            Ok(OfferedBallot { path, vote: first, text: None })
        }
        (Some(first), Some(why)) if is_offered(workspace, first) => {
            let path = shell.discussion(workspace, None)?;
            Ok(OfferedBallot { path, vote: first, text: Some(why) })
        }
        (_, Some(vote)) => {
            let path = shell.discussion(workspace, file)?;
            Ok(OfferedBallot { path, vote, text })
        }
        (None, None) => {
            let path = shell.discussion(workspace, file)?;
            let status = workspace.discussions().status(&path)?;
            let what = CommandError::usage("the vote is missing");
            let options: Vec<&str> = ballot_options(&status).collect();
            Err(if options.is_empty() {
                what
            } else {
                what.help(format!("the options are: {}", options.join(", ")))
            })
        }
    }
}

/// Returns true if an open discussion has this option.
fn is_offered(workspace: &Workspace, word: &str) -> bool {
    let open = workspace.discussions().list(None).map(|all| all.discussions).unwrap_or_default();
    let mut open = open.iter().filter(|one| one.status.as_str() == "OPEN");
    open.any(|one| {
        let status = workspace
            .find(Path::new(&one.name))
            .and_then(|path| workspace.discussions().status(&path));
        status.is_ok_and(|status| {
            ballot_options(&status).any(|option| option.eq_ignore_ascii_case(word))
        })
    })
}

/// Returns the options of the ballot, even if it has not begun or is over.
fn ballot_options(status: &Status) -> impl Iterator<Item = &str> {
    status.tally.keys().map(String::as_str)
}
