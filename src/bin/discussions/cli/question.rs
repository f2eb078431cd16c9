//! The shared part of `discuss` and `ask`: the options of a question, its run, and its result.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use discussions::codes::{ErrorCode, StopCode};
use discussions::runner::RunOptions;
use discussions::view::DiscussionResult;
use discussions::workspace::{Question, WorkspaceError, bounded};

use crate::cli::environment::CallingTurn;
use crate::cli::error::{CommandError, Exit};
use crate::cli::input::{read_text, standard_input};
use crate::platform::text_waits;

use crate::cli::flags::{LimitArgs, MaterialArgs, SightArgs, WithinArgs, warn_of_left_out};
use crate::cli::live::{self, OutputForm};
use crate::cli::outcome;

use crate::cli::plan;
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::ui::Line;
use crate::cli::verbs::new::key_value;
use crate::cli::words::{self, ways::Way};

/// The options of a question in every pattern.
#[derive(Debug, clap::Args)]
pub(crate) struct QuestionArgs {
    /// The participants: personas, providers, persona=provider, or NAME=person for a person
    #[arg(short, long, alias = "providers", value_name = "LIST", value_delimiter = ',')]
    participants: Vec<String>,
    /// A parameter of the pattern; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    /// Background information, as Markdown
    #[arg(short, long, value_name = "TEXT", conflicts_with = "context_file")]
    context: Option<String>,
    /// A file with background information; `-` reads standard input
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    /// Include the three nearest earlier decisions, or N of them
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    recall: Option<u32>,
    /// Use this provider for all participants
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// Sampling temperature, 0 to 2, for providers that support it
    #[arg(long, value_name = "X", value_parser = temperature)]
    temperature: Option<f64>,
    /// Continue even if people have not answered their questions
    #[arg(long)]
    no_wait: bool,
    /// The file to write; by default named after the topic
    #[arg(long, value_name = "F", conflicts_with = "within")]
    out: Option<PathBuf>,
    /// Show the first prompts and the new file; do nothing
    #[arg(long, conflicts_with_all = ["events", "within"])]
    dry_run: bool,
    /// Also show every answer
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Print every event as one line of JSON
    #[arg(long)]
    events: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    material: MaterialArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    sight: SightArgs,
    #[command(flatten)]
    within: WithinArgs,
}

/// The place of a question on the command line.
pub(crate) enum QuestionSource {
    /// Its text; `-` or none: standard input.
    Text(Option<String>),
    /// A file with a workflow step as JSON; `-`: standard input.
    Step(PathBuf),
}

impl QuestionSource {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => text.as_deref(),
            Self::Step(_) => None,
        }
    }
}

/// Creates the discussion, runs it, and prints its result.
///
/// `settings` adds what the command alone decides, such as the pattern.
pub(crate) fn run(
    mut args: QuestionArgs,
    source: QuestionSource,
    settings: impl FnOnce(Question) -> Question,
    shell: &mut Shell,
) -> Result<Exit, CommandError> {
    let reads_input = matches!(source.text(), None | Some("-"));
    let (text, file) = match source {
        QuestionSource::Text(text) => (Some(topic(text, &args)?), None),
        QuestionSource::Step(file) => (None, Some(file)),
    };
    args.material.learn(shell);
    let workspace = shell.asking_workspace()?;
    let as_step = file.is_some();
    let answer = |shell: &mut Shell, form: OutputForm, result: &DiscussionResult| {
        if as_step {
            outcome::json(shell, form, &result.clone().into_step())
        } else {
            outcome::json(shell, form, result)
        }
    };
    let read = |file: &Path| {
        if file == Path::new("-") {
            let text = bounded(std::io::stdin(), "standard input")?;
            workspace
                .discussions()
                .step(&workspace.clear("standard input", &text)?, "standard input")
        } else {
            workspace.discussions().step(&workspace.material(file)?, &workspace.shown_path(file))
        }
    };
    let step = match file.as_deref().map(read).transpose() {
        Ok(step) => step,
        Err(error) => {
            let form = OutputForm { json: true, events: args.events, verbose: false };
            let mut result = workspace.discussions().unasked(&Question::default(), &error);
            hint(&mut result, &error);
            answer(shell, form, &result);
            return Err(error.into());
        }
    };
    if let Some(file) = &args.context_file {
        args.context = Some(read_text(&workspace, file)?);
    } else if !as_step && !reads_input && text_waits() {
        // Standard input is not read unless the user asks for it: within a loop over lines, it belongs to the loop.
        shell.ui.warning(
            "standard input is ignored; to use it as background information: --context-file -",
        );
    }
    // If the result and the progress both go to the screen, an answer is shown when it arrives, and not again later.
    args.verbose |= step.as_ref().is_some_and(|step| step.verbose());
    let screen = args.verbose && shell.ui.is_page() && shell.ui.is_watched();
    let form = OutputForm { json: args.json || as_step, events: args.events, verbose: screen };
    if let Some(provider) = &args.provider {
        workspace.providers().insist_on_provider(provider)?;
    }
    // The template itself ends the discussion; default limits would only cut a long pattern short.
    let request = RunOptions {
        temperature: args.temperature,
        no_wait: args.no_wait,
        ..args.limits.request(args.provider.clone())
    };
    let request = args.sight.of_run(request);
    let through = request.provider.clone();
    let request = match &step {
        Some(step) => RunOptions {
            temperature: step.temperature(),
            call_timeout: request.call_timeout.or(step.provider_timeout()),
            ..request
        },
        None => request,
    };
    let dry_run = args.dry_run;
    args.within.learn(shell);
    let verbose = args.verbose && !screen && !as_step;
    let asked = step.map(|step| step.question());
    let within = args.within.calling_turn();
    let question = settings(question(args, text.unwrap_or_default(), asked));
    let question = CallingTurn::of(within, question);
    warn_of_left_out(shell, &workspace, &question.material);
    if dry_run {
        let plan = workspace.runs().plan_question(&question, &request)?;
        return plan::tell(shell, &plan, form.json);
    }
    let prepared = workspace
        .runs()
        .insist_affordable(&question, &request)
        .and_then(|()| workspace.discussions().question(&question));
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            if form.json {
                let mut result = workspace.discussions().unasked(&question, &error);
                hint(&mut result, &error);
                answer(shell, form, &result);
            }
            return Err(error.into());
        }
    };
    for note in &prepared.unused {
        shell.ui.hint("note", words::help::unused(note, false));
    }
    if !form.json && !form.events {
        shell.ui.note_wrapped(Line::with_commands(begins(
            &prepared.pattern,
            &prepared.seats,
            prepared.rounds,
        )));
    }
    let path = prepared.path;
    let ended = live::watch_first(shell, &workspace, &path, &request, form)?;
    let next = workspace.discussions().next_steps(&path)?;
    let stopped = ended.as_ref().map(|ran| ran.stopped);
    let mut result = workspace.discussions().outcome(&path, stopped)?;
    if let Err(error) = &ended {
        hint(&mut result, error);
    }
    let called = CommandHint::of(shell, &workspace, &path).with_provider(through.as_deref());
    let go_on = called.command("run", "");
    let error = result.error.as_ref();
    if form.json {
        answer(shell, form, &result);
    } else if ended.is_ok() && !form.events {
        outcome::tell(shell, &result, verbose);
    }
    let (stopped, used_up) = match ended {
        Ok(ran) => (ran.stopped, live::used_up(&ran)),
        Err(error) => {
            if !result.file.is_empty() {
                shell.ui.hint("kept", called.name());
                Way::new(go_on, "continues").tell(&mut shell.ui);
            }
            return Err(error.into());
        }
    };
    let exit = exit_of(&result, stopped);
    if exit == Exit::Interrupted {
        shell.ui.note("Stopped. All answers so far are saved; to get the others, continue.");
        Way::new(go_on, "").tell(&mut shell.ui);
        return Ok(exit);
    }
    if let Some(error) = error.filter(|_| exit != Exit::Done) {
        shell.ui.warning(words::result(error.code, &error.message, stopped));
    }
    if stopped.is_limit() {
        // Asking the question again would cost all answers again.
        Way::new(go_on, "continues where it stopped").tell(&mut shell.ui);
    } else if error.is_some_and(|error| error.code == ErrorCode::InvalidState) {
        words::steps::tell_next_step(&mut shell.ui, &called, &next);
    } else if error.is_some_and(|error| error.code.is_shortage()) {
        match used_up {
            Some(names) => words::ways::way_without_credit(&names).tell(&mut shell.ui),
            // After fixing the cause, the user can ask the same participants again.
            None => {
                let purpose = "asks the participants that could not answer";
                Way::new(go_on, purpose).tell(&mut shell.ui);
            }
        }
    } else {
        let comment = called.command("comment", "\"TEXT\"");
        Way::new(comment, "adds to it").tell(&mut shell.ui);
        let models = next.iter().flat_map(|step| &step.arguments.models);
        if let Some(model) = models.into_iter().next() {
            let more = format!("@{model} --ask \"TEXT\"");
            Way::new(called.command("turn", &more), "asks back").tell(&mut shell.ui);
        }
    }
    Ok(exit)
}

/// Returns a line with the pattern, the participants, and the number of rounds.
fn begins(pattern: &str, seats: &[String], rounds: Option<u64>) -> String {
    let rounds = match rounds {
        None => String::new(),
        Some(1) => "; 1 round".to_owned(),
        Some(rounds) => format!("; {rounds} rounds"),
    };
    format!("{pattern}: {}{rounds}", seats.join(", "))
}

/// Adds the fix, in the words of this program.
fn hint(result: &mut DiscussionResult, error: &WorkspaceError) {
    let (_, hint) = words::help::message_and_hint(error.message(), &error.help());
    if let Some(told) = &mut result.error {
        told.hint = hint;
    }
}

/// Returns the question. `asked` is the question of a workflow's step.
fn question(args: QuestionArgs, topic: String, asked: Option<Question>) -> Question {
    let mut question = asked.unwrap_or_else(|| Question {
        topic,
        participants: args.participants,
        recall: args.recall,
        ..Question::default()
    });
    question.parameters.extend(args.parameters);
    Question { context: args.context, material: args.material.into(), file: args.out, ..question }
}

/// Returns the question's text: the argument, or standard input.
fn topic(text: Option<String>, args: &QuestionArgs) -> Result<String, CommandError> {
    let text = match text {
        Some(text) if text != "-" => return Ok(text),
        text => text,
    };
    if text.is_none() && std::io::stdin().is_terminal() {
        return Err(CommandError::usage("the question is missing")
            .help("give it in quotes, or in a pipe: echo \"Which queue?\" | discussions ask"));
    }
    if args.context_file.as_deref() == Some(Path::new("-")) {
        return Err(CommandError::usage(
            "standard input cannot be both the question and the background information",
        ));
    }
    let text = standard_input("standard input")?;
    if text.trim().is_empty() {
        return Err(CommandError::usage(
            "the question is empty: there is no text on standard input",
        )
        .help("give it in quotes, or in a pipe: echo \"Which queue?\" | discussions ask"));
    }
    Ok(text)
}

fn exit_of(result: &DiscussionResult, stopped: StopCode) -> Exit {
    if stopped == StopCode::Aborted {
        return Exit::Interrupted;
    }
    if stopped.is_for_person() {
        return Exit::Done;
    }
    match result.error.as_ref().map(|error| error.code) {
        None => Exit::Done,
        Some(code) if code.is_shortage() => Exit::NoAnswer,
        Some(_) => Exit::No,
    }
}

fn temperature(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "write it as 0.7")?;
    (0.0..=2.0).contains(&value).then_some(value).ok_or_else(|| "must be from 0 to 2".to_owned())
}
