//! `discussions answer`

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use discussions::view::Status;
use discussions::workspace::Workspace;

use super::comment::{self, CommentInput};
use crate::cli::error::{CommandError, Exit};
use crate::cli::input::standard_input;
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::{editor, snippet};

/// Answer a question
///
/// Adds a comment that begins with `A: Q1`, which closes the question. Without a number it answers the only open
/// question to you. Without TEXT it reads piped input; on a terminal it opens your editor.
#[derive(Debug, clap::Args)]
#[command(override_usage = "discussions answer [OPTIONS] <FILE> [QUESTION] [TEXT]")]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning
    file: PathBuf,
    /// The number of the question, for example Q1; optional if you have exactly one open question
    #[arg(allow_hyphen_values = true)]
    question: Option<String>,
    /// The answer, as Markdown; `-` reads standard input, no text opens $EDITOR
    #[arg(allow_hyphen_values = true)]
    text: Option<String>,
    /// Your name; by default the configured author, git's user or the login name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Writes the answer.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion(&workspace, Some(&args.file))?;
    let author = comment::author(args.author.as_deref(), &workspace, shell)?;
    let (named, text) = words(args.question.as_deref(), args.text.as_deref())?;
    let is_typed = text.is_none() && std::io::stdin().is_terminal();
    let question = match named {
        // If the user names the question of a long discussion, the program need not read the whole file first.
        Some(number) if !is_typed && workspace.is_long(&path) => {
            AnsweredQuestion::from_number(number)
        }
        named => {
            let (status, open) = workspace.discussions().status_for(&path, &author)?;
            let number = match named {
                Some(number) => existing(&status, number)?,
                None => only(&open, &status, &quoted_name(shell, &workspace, &path))?,
            };
            AnsweredQuestion { number, remarks: remarks(&status, number) }
        }
    };
    let number = question.number;
    let text = match text {
        Some("-") => standard_input("standard input")?,
        Some(text) => text.to_owned(),
        None if is_typed => editor::write(&shell.outside, "", &question.remarks)?,
        None => standard_input("standard input")?,
    };
    if text.trim().is_empty() {
        let failure = CommandError::usage("the answer is empty");
        return Err(failure.help("discussions answer FILE Q1 \"TEXT\""));
    }
    let text = format!("A: Q{number} {}", text.trim());
    let said = CommentInput {
        author: Some(author),
        text,
        vote: None,
        confidence: None,
        review_by: None,
        answers: Some(number),
        json: args.json,
    };
    comment::say(shell, &workspace, &path, said)
}

/// The question to answer.
struct AnsweredQuestion {
    number: u32,
    /// The text that the editor shows below the answer.
    remarks: String,
}

impl AnsweredQuestion {
    /// Returns a question that was not looked up.
    fn from_number(number: u32) -> Self {
        Self { number, remarks: String::new() }
    }
}

fn quoted_name(shell: &Shell, workspace: &Workspace, path: &Path) -> String {
    CommandHint::of(shell, workspace, path).name().to_owned()
}

/// Splits the words into the number of the question, if the first word is one, and the text.
fn words<'a>(
    first: Option<&'a str>,
    second: Option<&'a str>,
) -> Result<(Option<u32>, Option<&'a str>), CommandError> {
    let number = |word: &str| word.trim_start_matches(['Q', 'q']).parse::<u32>().ok();
    match (first, second) {
        (Some(first), second) if number(first).is_some() => Ok((number(first), second)),
        (first, None) => Ok((None, first)),
        (first, Some(_)) => {
            let first = first.unwrap_or_default();
            let failure = CommandError::usage(format!("`{first}` is not the number of a question"));
            Err(failure.help(
                "discussions answer FILE Q1 \"TEXT\"; put quotes around a text of several words",
            ))
        }
    }
}

/// Returns the number of a question, if the discussion has it.
fn existing(status: &Status, number: u32) -> Result<u32, CommandError> {
    if status.questions().iter().any(|question| question.number == number) {
        return Ok(number);
    }
    let failure = CommandError::input(format!("there is no question Q{number}"));
    Err(failure.help("`discussions status FILE` shows the questions"))
}

/// Returns the number of the only open question for the person.
fn only(open: &[u32], status: &Status, name: &str) -> Result<u32, CommandError> {
    match open {
        [one] => Ok(*one),
        [] => {
            let failure = CommandError::usage(
                "no open question waits for you; give the number of another question to answer it",
            );
            Err(failure.help(format!("discussions answer {name} Q1 \"TEXT\"")))
        }
        several => {
            let asked = status.questions().iter().filter(|one| several.contains(&one.number));
            let texts: Vec<String> = asked
                .map(|one| format!("Q{}: {}", one.number, snippet::clip(&one.text, 80)))
                .collect();
            let message = format!("you have several open questions: {}", texts.join("; "));
            let first = several[0];
            let help = format!("choose one: discussions answer {name} Q{first} \"TEXT\"");
            Err(CommandError::usage(message).help(help))
        }
    }
}

/// Returns the text that the editor shows below the answer.
fn remarks(status: &Status, number: u32) -> String {
    let asked = status.questions().iter().find(|question| question.number == number);
    let asked = asked.map_or_else(String::new, |question| {
        format!("Q{number}: {} ({})\n", snippet::clip(&question.text, 200), question.author)
    });
    format!("{}, phase {}.\n{asked}", status.title, status.phase_title)
}
