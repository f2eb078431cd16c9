//! `discussions discuss`

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use discussions::codes::{ErrorCode, ResultError};
use discussions::engine::Stop;
use discussions::runner::{CallOptions, Limit, RunError, RunOptions, RunReport, Stopped};
use discussions::template::Method;
use discussions::transcript::time;
use discussions::view::{DiscussionResult, Ending, NextStep, discussion_result};
use discussions::workspace::Question;

use crate::cli::error::{Exit, Failure};
use crate::cli::input::read_text;
use crate::cli::limits::LimitArgs;
use crate::cli::live::{self, Form, Work};
use crate::cli::outcome;
use crate::cli::shell::Shell;
use crate::cli::words;
use crate::cli::words::next_step;

/// From a question to an answer: make a discussion, run its pattern to the end, print what it came to
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Patterns: synthesis, round-robin, debate, critique, voting, dialogue, or a \
    template of your own.\nThe file stays: go on with `discussions comment` and `discussions run`."
)]
pub(crate) struct Args {
    /// The question, at most 5,000 characters
    topic: String,
    /// Who takes part: personas, providers, or persona=provider
    #[arg(short, long, alias = "providers", value_name = "LIST", value_delimiter = ',')]
    participants: Vec<String>,
    /// The form of discussion
    #[arg(long, value_name = "P", default_value = "synthesis")]
    pattern: String,
    /// How many rounds
    #[arg(short, long, value_name = "N")]
    rounds: Option<u32>,
    /// How the outcome is found, instead of the pattern's own way
    #[arg(long, value_name = "M", value_parser = method())]
    consensus: Option<Method>,
    /// What may be voted for
    #[arg(short, long, value_name = "LIST", value_delimiter = ',')]
    options: Vec<String>,
    /// Who is what, such as architect=proponent; the rest is dealt
    #[arg(long, value_name = "ALIAS=ROLE", value_delimiter = ',', value_parser = role)]
    roles: Vec<(String, String)>,
    /// The share of votes that wins, 0 to 1, instead of the pattern's own
    #[arg(long, value_name = "X", value_parser = share)]
    threshold: Option<f64>,
    /// A value for a parameter of the pattern
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = parameter)]
    parameters: Vec<(String, String)>,
    /// What one has to know to answer, as Markdown
    #[arg(short, long, value_name = "TEXT", conflicts_with = "context_file")]
    context: Option<String>,
    /// A file with what one has to know to answer; `-` is standard input
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    /// The provider for everybody
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// Who writes the final text
    #[arg(long, value_name = "A")]
    synthesizer: Option<String>,
    /// Sampling temperature, 0 to 2, for providers that take one
    #[arg(long, value_name = "X", value_parser = temperature)]
    temperature: Option<f64>,
    #[command(flatten)]
    limits: LimitArgs,
    /// The fewest answers that make a turn count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=6))]
    min_providers: Option<u32>,
    /// Ask for votes that can no longer change the outcome too
    #[arg(long)]
    no_early_exit: bool,
    /// The discussion's file, instead of one named after the topic
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
    /// Show every answer too
    #[arg(short, long)]
    verbose: bool,
    /// Every event as one line of JSON
    #[arg(long)]
    events: bool,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

/// Makes it, runs it, tells what it came to.
pub(crate) fn run(mut args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if let Some(file) = &args.context_file {
        args.context = Some(read_text(file)?);
    }
    let workspace = shell.workspace()?;
    let form = Form { json: args.json, events: args.events };
    if let Some(provider) = &args.provider {
        workspace.registry.find(provider)?;
    }
    let calls = CallOptions {
        provider: args.provider.clone(),
        provider_timeout: args.limits.provider_timeout,
        temperature: args.temperature,
    };
    let (verbose, limits) = (args.verbose, args.limits.limits());
    let (topic, pattern) = (args.topic.clone(), args.pattern.clone());
    let prepared = match workspace.question(&question(args)) {
        Ok(prepared) => prepared,
        Err(error) => {
            if form.json {
                let error = ResultError::new(error.code(), error.to_string());
                let at = time(workspace.now());
                outcome::json(shell, form, &DiscussionResult::failed(&pattern, &topic, &at, error));
            }
            return Err(error.into());
        }
    };
    for note in &prepared.unused {
        shell.ui.hint("note", words::unused(note));
    }
    let options = RunOptions { limits, calls };
    let path = prepared.path;
    let ended = live::watch(shell, &workspace, &path, &Work::Run(options), form)?;
    let file = shell.exact(&path);
    let ending = ended.as_ref().map_or(Ending::ByItself, ending);
    let snapshot = workspace.snapshot(&path)?;
    let mut result = discussion_result(&snapshot, &file, ending);
    let next = NextStep::all(&snapshot, &file);
    if let Err(error) = ended {
        let begun = !workspace.take_back(&path).unwrap_or(false);
        result.file = if begun { file.clone() } else { String::new() };
        result.success = false;
        result.error = Some(ResultError::new(error.code(), error.to_string()));
        if form.json {
            outcome::json(shell, form, &result);
        }
        if begun {
            let file = shell_words::quote(&file);
            shell.ui.hint("kept", format!("{file}; to go on: discussions run {file}"));
        }
        return Err(error.into());
    }
    if form.json {
        outcome::json(shell, form, &result);
    } else if !form.events {
        outcome::tell(shell, &result, verbose);
    }
    let exit = exit_of(&result, &ended);
    if let Some(error) = result.error.as_ref().filter(|_| exit != Exit::Done) {
        shell.ui.warning(words::result(error));
    }
    if result.error.as_ref().is_some_and(|error| error.code == ErrorCode::InvalidState) {
        next_step::tell(&mut shell.ui, &next);
    } else {
        let file = shell_words::quote(&file);
        let way =
            format!("discussions comment {file}, or discussions turn {file} @alias --ask \"...\"");
        shell.ui.hint("to go on", way);
    }
    Ok(exit)
}

fn question(args: Args) -> Question {
    Question {
        topic: args.topic,
        pattern: Some(args.pattern),
        context: args.context,
        participants: args.participants,
        rounds: args.rounds,
        options: args.options,
        method: args.consensus,
        threshold: args.threshold,
        parameters: args.parameters,
        roles: args.roles,
        synthesizer: args.synthesizer,
        min_providers: args.min_providers,
        no_early_exit: args.no_early_exit,
        file: args.out,
    }
}

/// How a run ended, as its result tells it.
pub(crate) fn ending(report: &RunReport) -> Ending {
    match &report.stopped {
        Stopped::Aborted => Ending::Aborted,
        Stopped::Limit(Limit::Time) => Ending::TimeUp,
        Stopped::Limit(Limit::Usd) => Ending::MoneySpent,
        Stopped::Limit(_) => Ending::Limit,
        Stopped::Stop(_) | Stopped::TurnOver { .. } => Ending::ByItself,
    }
}

fn exit_of(result: &DiscussionResult, ended: &Result<RunReport, RunError>) -> Exit {
    match ended.as_ref().map(|report| &report.stopped) {
        Ok(Stopped::Aborted) => return Exit::Interrupted,
        // It is a person's turn.
        Ok(Stopped::Stop(
            Stop::Waiting(_) | Stop::PhaseEnd | Stop::Mentions(_) | Stop::PersonVote,
        )) => {
            return Exit::Done;
        }
        _ => {}
    }
    match result.error.as_ref().map(|error| error.code) {
        None => Exit::Done,
        Some(code) if code.is_shortage() => Exit::NoAnswer,
        Some(_) => Exit::No,
    }
}

fn method() -> impl clap::builder::TypedValueParser<Value = Method> {
    // A question's pattern has a method of its own to choose instead of thresholds.
    let methods = || Method::ALL.into_iter().filter(|method| *method != Method::Thresholds);
    PossibleValuesParser::new(methods().map(Method::as_str)).try_map(move |word| {
        methods().find(|method| method.as_str() == word).ok_or("no such method")
    })
}

fn role(text: &str) -> Result<(String, String), String> {
    let (alias, role) = text.split_once('=').ok_or("write it as alias=role")?;
    Ok((alias.trim().trim_start_matches('@').to_owned(), role.trim().to_owned()))
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "write it as 0.67")?;
    (0.0..=1.0).contains(&value).then_some(value).ok_or_else(|| "from 0 to 1".to_owned())
}

fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as name=value")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

fn temperature(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "write it as 0.7")?;
    (0.0..=2.0).contains(&value).then_some(value).ok_or_else(|| "from 0 to 2".to_owned())
}
