//! `discussions discuss`

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use discussions::workspace::Question;

use crate::cli::error::{CommandError, Exit};
use crate::cli::question::{self, QuestionArgs, QuestionSource};
use crate::cli::shell::Shell;

/// Ask a question; models debate it and give one answer
///
/// Creates a discussion, runs its pattern to the end, and prints the outcome. The file keeps the reasons, the votes and
/// what people said. If you need only a good text, use `discussions ask`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Patterns: synthesis, second-look, solo, round-robin, debate, critique, voting, dialogue, or one of your \
                  own.\nThe discussion stays in its file; continue with `discussions comment` and `discussions run`."
)]
pub(crate) struct Args {
    /// The question, at most 5,000 characters; `-` or no question reads standard input
    topic: Option<String>,
    /// A file with a workflow step as JSON: its question and settings; `-` reads standard input. Prints the result as a workflow step
    #[arg(long, value_name = "F", conflicts_with_all = [
        "topic", "participants", "pattern", "rounds", "consensus", "roles", "threshold", "synthesizer", "temperature",
        "min_providers", "context_file", "dry_run",
    ])]
    input: Option<PathBuf>,
    /// The pattern of the discussion
    #[arg(long, value_name = "P", default_value = "synthesis")]
    pattern: String,
    /// Number of rounds
    #[arg(short, long, value_name = "N")]
    rounds: Option<u32>,
    /// How to find the outcome; by default as the pattern defines
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(Question::methods()))]
    consensus: Option<String>,
    /// The options to vote on
    #[arg(short, long, value_name = "LIST", value_delimiter = ',')]
    options: Vec<String>,
    /// The roles, for example architect=proponent; the other roles are assigned automatically
    #[arg(long, value_name = "ALIAS=ROLE", value_delimiter = ',', value_parser = role)]
    roles: Vec<(String, String)>,
    /// The share of votes needed to win, 0 to 1; by default as the pattern defines
    #[arg(long, value_name = "X", value_parser = share)]
    threshold: Option<f64>,
    /// The participant that writes the final text
    #[arg(long, value_name = "A")]
    synthesizer: Option<String>,
    /// Minimum number of answers per turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=6))]
    min_providers: Option<u32>,
    /// Ask all participants, even if the outcome is already decided
    #[arg(long)]
    no_early_exit: bool,
    #[command(flatten)]
    question: QuestionArgs,
}

/// Creates the discussion, runs it, and prints its result.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let is_step = args.input.is_some();
    let source = match args.input {
        Some(file) => QuestionSource::Step(file),
        None => QuestionSource::Text(args.topic),
    };
    let settings = |question: Question| {
        let options = if args.options.is_empty() { question.options } else { args.options };
        let question = Question { options, no_early_exit: args.no_early_exit, ..question };
        // A step has its own pattern and settings.
        if is_step {
            return question;
        }
        Question {
            pattern: Some(args.pattern),
            rounds: args.rounds,
            method: args.consensus,
            threshold: args.threshold,
            roles: args.roles,
            synthesizer: args.synthesizer,
            min_providers: args.min_providers,
            ..question
        }
    };
    question::run(args.question, source, settings, shell)
}

fn role(text: &str) -> Result<(String, String), String> {
    let (alias, role) = text.split_once('=').ok_or("write it as alias=role")?;
    Ok((alias.trim().trim_start_matches('@').to_owned(), role.trim().to_owned()))
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "write it as 0.67")?;
    (0.0..=1.0).contains(&value).then_some(value).ok_or_else(|| "must be from 0 to 1".to_owned())
}
