//! `discussions comment`

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use discussions::view::{Status, visible_line};
use discussions::workspace::{CommentRequest, Workspace};

use super::vote;
use crate::cli::error::{CommandError, Exit};
use crate::cli::input::standard_input;
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::{editor, outcome, snippet, words};

/// Add your own comment, a vote, or both
///
/// Without TEXT it reads piped input; on a terminal it opens your editor. With only --vote it casts a vote without
/// text.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// The comment, as Markdown; `-` reads standard input, no text opens $EDITOR
    #[arg(allow_hyphen_values = true)]
    text: Option<String>,
    /// Your name; by default the configured author, git's user or the login name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// Your vote
    #[arg(long, value_name = "V")]
    vote: Option<String>,
    /// The day to look at the decision again: a date, or a time from today, such as "6 months"
    #[arg(long, value_name = "DAY")]
    review_by: Option<String>,
    /// Edit the text before it is written
    #[arg(short, long)]
    edit: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// A comment to write, and the form of the output.
pub(super) struct CommentInput {
    pub(super) author: Option<String>,
    pub(super) text: String,
    pub(super) vote: Option<String>,
    /// The confidence of the vote, as the user writes it.
    pub(super) confidence: Option<String>,
    /// The day to look at the decision again, as the user writes it.
    pub(super) review_by: Option<String>,
    /// The question that it answers.
    pub(super) answers: Option<u32>,
    pub(super) json: bool,
}

/// Writes the comment.
pub(crate) fn run(mut args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    if let Some(said) = lone_text(&args, &workspace) {
        (args.file, args.text) = (None, Some(said));
    }
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    if let Some(day) = &args.review_by {
        future_day(&workspace, day)?;
    }
    // Check the author before the editor opens: an author who may not write must not lose a text.
    let author = Some(author(args.author.as_deref(), &workspace, shell)?);
    if has_more(&args) && args.text.is_none() && !args.edit {
        vote::untaken(shell);
    }
    let text = text(&args, &workspace, &path, shell)?;
    let Args { vote, review_by, json, .. } = args;
    say(
        shell,
        &workspace,
        &path,
        CommentInput { author, text, vote, confidence: None, review_by, answers: None, json },
    )
}

/// Returns the name of the author.
pub(super) fn author(
    named: Option<&str>,
    workspace: &Workspace,
    shell: &Shell,
) -> Result<String, CommandError> {
    shell.author(workspace, named.map(|name| name.trim().trim_start_matches('@')))
}

/// Writes a comment, and reports its effects.
pub(super) fn say(
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
    said: CommentInput,
) -> Result<Exit, CommandError> {
    let author = author(said.author.as_deref(), workspace, shell)?;
    let mut text = said.text;
    if let Some(day) = &said.review_by {
        // A paragraph of its own, because a forge joins adjacent lines.
        let above = if text.trim().is_empty() { "" } else { "\n\n" };
        text = format!("{}{above}REVIEW-BY: {}\n", text.trim_end(), future_day(workspace, day)?);
    }
    let alone = text.trim().is_empty();
    if let Some(stated) = &said.confidence {
        text = workspace
            .discussions()
            .text_with_confidence(&text, stated)
            .map_err(CommandError::usage)?;
    }
    let remark = CommentRequest { author, text, vote: said.vote };
    let written = workspace.discussions().comment(path, &remark).inspect_err(|error| {
        if error.refuses_writes() && !alone {
            shell.ui.note("your comment was not saved; here is its text:");
            remark.text.lines().for_each(|line| shell.ui.note(visible_line(line)));
        }
    })?;
    if said.json {
        shell.ui.json(&written);
    } else {
        let author = written.author.as_deref().unwrap_or_default();
        match (&written.vote, said.answers) {
            (Some(vote), _) if alone => shell.ui.out(format!("{author} votes {vote}.")),
            (_, Some(number)) => shell.ui.out(format!("{author} answered Q{number}.")),
            _ => shell.ui.out(format!("Added comment from {author}.")),
        }
    }
    if let Some(author) = written.author.as_ref().filter(|_| !written.is_person) {
        shell.ui.note(words::not_a_person(author));
    }
    if let Some(name) = written.author.as_deref().filter(|_| written.is_person) {
        warn_about_author(name, workspace, shell);
    }
    if let Some(vote) = written.vote.as_ref().filter(|_| !alone) {
        shell.ui.note(format!("Vote: {vote}"));
    }
    for note in &written.notes {
        shell.ui.warning(format!("the vote in the text was not counted: {note}"));
    }
    for why in written.uncounted.iter().chain(&written.warnings) {
        shell.ui.warning(why.as_str());
    }
    for hint in &written.hints {
        shell.ui.hint("note", hint.as_str());
    }
    if written.closed && !written.is_about_end {
        let reopen = CommandHint::of(shell, workspace, path).command("reopen", "");
        shell.ui.warning(format!(
            "the discussion is closed, so no participant will answer; to reopen it: `{reopen}`"
        ));
    }
    shell.summary(written.summary.as_deref());
    shell.merge_driver(workspace, Some(path));
    if written.vote_counts && !said.json {
        let outcome = written.consensus.as_deref();
        outcome::tell_consensus(shell, outcome, &written.agreed, &written.blocked_by);
    }
    if written.end_only && !said.json {
        let check = CommandHint::of(shell, workspace, path).command("check", "");
        shell.ui.note(format!(
            "the file is larger than 4 MB, so only its end was checked; to check all of it: `{check}`"
        ));
    }
    if !written.closed {
        let called = CommandHint::of(shell, workspace, path);
        words::steps::tell_next_step(&mut shell.ui, &called, &written.next);
    }
    Ok(Exit::Done)
}

/// Warns early if `check --git` will find that another author committed this comment.
fn warn_about_author(name: &str, workspace: &Workspace, shell: &mut Shell) {
    if let Some(unlisted) = workspace.unlisted(name) {
        shell.ui.warning(format!(
            "git will record this comment by {name} as committed by {}; if they are one person, add `{}` to \
             discussions.yaml",
            unlisted.author, unlisted.people
        ));
    }
}

/// Returns the text if it was the only argument: words that name no discussion, or `-` for standard input.
fn lone_text(args: &Args, workspace: &Workspace) -> Option<String> {
    let only = args.file.as_deref().filter(|_| args.text.is_none())?;
    let words = only.to_str()?;
    let is_said = words.contains(char::is_whitespace) && workspace.find(only).is_err();
    (words == "-" || is_said).then(|| words.to_owned())
}

fn text(
    args: &Args,
    workspace: &Workspace,
    path: &Path,
    shell: &Shell,
) -> Result<String, CommandError> {
    let piped = || {
        let text = standard_input("standard input")?;
        if text.trim().is_empty() && !has_more(args) {
            return Err(CommandError::usage("the comment is empty: there is no text on standard input").help(
                "give TEXT, or pipe it in: echo \"...\" | discussions comment FILE -; to vote without text: \
                 discussions vote FILE VOTE",
            ));
        }
        Ok(text)
    };
    let given = match args.text.as_deref() {
        Some("-") => Some(piped()?),
        Some(text) => Some(text.to_owned()),
        None if args.edit => None,
        None if has_more(args) => Some(String::new()),
        None if !std::io::stdin().is_terminal() => Some(piped()?),
        None => None,
    };
    // A vote needs no text. Without a terminal, an editor would wait forever.
    let alone = has_more(args) && !std::io::stdin().is_terminal();
    match given {
        Some(text) if !args.edit => Ok(text),
        None if alone && !args.edit => Ok(String::new()),
        given => {
            let remarks = remarks(&workspace.discussions().status(path)?);
            editor::write(&shell.outside, given.as_deref().unwrap_or_default(), &remarks)
        }
    }
}

/// Returns the day that the user names, as a date.
pub(super) fn future_day(workspace: &Workspace, text: &str) -> Result<String, CommandError> {
    workspace.decisions().future_day(text).map_err(|error| CommandError::usage(error.message()))
}

/// Returns true if the comment needs no text: it votes, or names a day.
fn has_more(args: &Args) -> bool {
    args.vote.is_some() || args.review_by.is_some()
}

/// Returns the text that the editor shows below the comment.
fn remarks(status: &Status) -> String {
    let options: Vec<&str> = status.options.iter().map(String::as_str).collect();
    let mut out = format!("{}, phase {}.\n", status.title, status.phase_title);
    if !options.is_empty() {
        let lines = options.join("` or `VOTE: ");
        out.push_str(&format!("To vote, end with a line like `VOTE: {lines}`.\n"));
    }
    let open: Vec<String> = status
        .questions()
        .iter()
        .filter(|question| question.is_open())
        .map(|question| {
            let text = snippet::clip(&question.text, 200);
            format!("Q{}: {text} ({})\n", question.number, question.author)
        })
        .collect();
    if !open.is_empty() {
        out.push_str("\nOpen questions; to answer one, write a line like `A: Q1 ...`:\n");
        out.extend(open);
    }
    out
}
