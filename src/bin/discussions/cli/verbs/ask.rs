//! `discussions ask`

use discussions::workspace::Question;

use crate::cli::error::{CommandError, Exit};
use crate::cli::question::{self, QuestionArgs, QuestionSource};
use crate::cli::shell::Shell;

/// The pattern in which the question is asked.
const PATTERN: &str = "second-look";

/// Ask a question; one model answers, another checks the answer
///
/// An author answers and reviews the answer. Reviewers, of another vendor if one is ready, list errors with proof. The
/// author corrects what they prove wrong. Prints the answer.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The same as `discussions discuss --pattern second-look`: the pattern for a text alone.\nFor a record with \
                  reasons, people and votes use `discussions discuss`; with a single model, its `--pattern solo`."
)]
pub(crate) struct Args {
    /// The question, at most 5,000 characters; `-` or no question reads standard input
    topic: Option<String>,
    #[command(flatten)]
    question: QuestionArgs,
}

/// Creates the discussion, runs it, and prints its result.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let settings = |question| Question { pattern: Some(PATTERN.to_owned()), ..question };
    question::run(args.question, QuestionSource::Text(args.topic), settings, shell)
}
