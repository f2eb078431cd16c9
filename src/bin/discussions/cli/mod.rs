//! The command line: its commands, and their exit codes.

#[cfg(feature = "mcp")]
mod agents;
pub(crate) mod amounts;
mod annotations;
pub(crate) mod colours;
mod completing;
pub(crate) mod editor;
#[cfg(feature = "lsp")]
mod editors;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod flags;
mod grammar;
mod input;
pub(crate) mod interrupt;
pub(crate) mod line;
mod live;
pub(crate) mod markdown;
pub(crate) mod outcome;
pub(crate) mod page;
mod pager;
mod plan;
mod progress;
#[cfg(any(feature = "lsp", feature = "mcp"))]
mod project_file;
mod question;
mod refusal;
mod rows;
pub(crate) mod shell;
pub(crate) mod snippet;
#[cfg(any(feature = "lsp", feature = "mcp"))]
pub(crate) mod surrogates;
mod trust;
pub(crate) mod ui;
pub(crate) mod verbs;
pub(crate) mod words;

use std::process::ExitCode;

use clap::{FromArgMatches as _, Parser, Subcommand};

use self::environment::HostEnvironment;
use self::error::{CommandError, Exit};
use self::flags::{GlobalArgs, OutputRequest};
use self::shell::{Notices, Shell};
use self::ui::Ui;

/// Structured discussions between AI personas and people, each in one append-only Markdown file.
#[derive(Debug, Parser)]
#[command(name = "discussions", version)]
#[command(after_help = "Try it without a model:\n  \
    discussions ask \"Redis or PostgreSQL?\" --provider mock\n\n\
    For details and examples: `discussions COMMAND --help`")]
pub(crate) struct Cli {
    #[command(flatten)]
    everywhere: GlobalArgs,
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Without a command: print waiting, open and recently decided discussions as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    New(verbs::new::Args),
    List(verbs::list::Args),
    Show(verbs::show::Args),
    Status(verbs::status::Args),
    Check(verbs::check::Args),
    Turn(verbs::turn::Args),
    Comment(verbs::comment::Args),
    Answer(verbs::answer::Args),
    Vote(verbs::vote::Args),
    Advance(verbs::advance::Args),
    Close(verbs::close::Args),
    Reopen(verbs::reopen::Args),
    Run(verbs::run::Args),
    Ask(Box<verbs::ask::Args>),
    Discuss(Box<verbs::discuss::Args>),
    Review(verbs::review::Args),
    Revisit(Box<verbs::revisit::Args>),
    Result(verbs::result::Args),
    Decisions(verbs::decisions::Args),
    Search(verbs::search::Args),
    Recall(verbs::recall::Args),
    Stats(verbs::stats::Args),
    Export(verbs::export::Args),
    Serve(verbs::serve::Args),
    Ui(verbs::ui::Args),
    Participants(verbs::participants::Args),
    Templates(verbs::templates::Args),
    Providers(verbs::providers::Args),
    Trust(verbs::trust::Args),
    Doctor(verbs::doctor::Args),
    Init(verbs::init::Args),
    Merge(verbs::merge::Args),
    Guard(verbs::guard::Args),
    Mcp(verbs::mcp::Args),
    Lsp(verbs::lsp::Args),
    Completions(verbs::completions::Args),
    Pipe(verbs::programs::PipeArgs),
    Schema(verbs::programs::SchemaArgs),
    Man(verbs::man::Args),
}

impl Verb {
    fn run(self, shell: &mut Shell) -> Result<Exit, CommandError> {
        match self {
            Self::New(args) => verbs::new::run(args, shell),
            Self::List(args) => verbs::list::run(args, shell),
            Self::Show(args) => verbs::show::run(args, shell),
            Self::Status(args) => verbs::status::run(args, shell),
            Self::Check(args) => verbs::check::run(args, shell),
            Self::Turn(args) => verbs::turn::run(args, shell),
            Self::Comment(args) => verbs::comment::run(args, shell),
            Self::Answer(args) => verbs::answer::run(args, shell),
            Self::Vote(args) => verbs::vote::run(args, shell),
            Self::Advance(args) => verbs::advance::run(args, shell),
            Self::Close(args) => verbs::close::run(args, shell),
            Self::Reopen(args) => verbs::reopen::run(args, shell),
            Self::Run(args) => verbs::run::run(args, shell),
            Self::Ask(args) => verbs::ask::run(*args, shell),
            Self::Discuss(args) => verbs::discuss::run(*args, shell),
            Self::Review(args) => verbs::review::run(args, shell),
            Self::Revisit(args) => verbs::revisit::run(*args, shell),
            Self::Result(args) => verbs::result::run(args, shell),
            Self::Decisions(args) => verbs::decisions::run(args, shell),
            Self::Search(args) => verbs::search::run(args, shell),
            Self::Recall(args) => verbs::recall::run(args, shell),
            Self::Stats(args) => verbs::stats::run(args, shell),
            Self::Export(args) => verbs::export::run(args, shell),
            Self::Serve(args) => verbs::serve::run(args, shell),
            Self::Ui(args) => verbs::ui::run(args, shell),
            Self::Participants(args) => verbs::participants::run(args, shell),
            Self::Templates(args) => verbs::templates::run(args, shell),
            Self::Providers(args) => verbs::providers::run(args, shell),
            Self::Trust(args) => verbs::trust::run(&args, shell),
            Self::Doctor(args) => verbs::doctor::run(&args, shell),
            Self::Init(args) => verbs::init::run(args, shell),
            Self::Merge(args) => verbs::merge::run(&args, shell),
            Self::Guard(args) => verbs::guard::run(&args),
            Self::Mcp(args) => verbs::mcp::run(args, shell),
            Self::Lsp(args) => verbs::lsp::run(&args, shell),
            Self::Completions(args) => verbs::completions::run(args, shell),
            Self::Pipe(args) => verbs::programs::pipe(&args),
            Self::Schema(args) => verbs::programs::schema(&args, shell),
            Self::Man(args) => verbs::man::run(&args, shell),
        }
    }
}

/// Parses the command line, runs its command, and reports a failure.
pub(crate) fn main() -> ExitCode {
    completing::answer();
    let line = match verbs::programs::command_line() {
        Ok(Some(line)) => line,
        Ok(None) => return Exit::Interrupted.into(),
        Err(failure) => {
            let mut ui = Ui::new(&GlobalArgs::default());
            return failure.report(&mut ui, None, OutputRequest::Document).into();
        }
    };
    let words = line.get(1..).unwrap_or_default();
    let command = grammar::command_for(words.iter().cloned());
    let matches =
        command.try_get_matches_from(&line).unwrap_or_else(|error| refusal::refuse(error, words));
    let wanted = flags::requested_output(&matches);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| refusal::refuse(error, words));
    let everywhere = cli.everywhere;
    everywhere.color.hold();
    crate::platform::outlive_size_limits();
    let mut ui = Ui::new(&everywhere);
    let outside = match HostEnvironment::look(everywhere.folder.as_deref()) {
        Ok(outside) => outside,
        Err(error) => {
            let failure = match &everywhere.folder {
                Some(folder) => {
                    CommandError::input(format!("{}: no such folder", ui::spelt(folder)))
                        .help("-C names the folder to work in")
                }
                None => CommandError::io(format!("cannot use the working folder: {error}")),
            };
            return failure.report(&mut ui, None, wanted).into();
        }
    };
    ui.imitate(outside.columns());
    let mut shell = Shell { ui, outside, notices: Notices::default() };
    let done = match cli.verb {
        Some(_) if cli.json => {
            Err(CommandError::usage("put --json after the command: discussions list --json"))
        }
        Some(verb) => verb.run(&mut shell),
        None => verbs::dashboard::run(cli.json, &mut shell),
    };
    let exit = match done {
        Ok(exit) => exit,
        Err(failure) => {
            let folder = shell.outside.folder.clone();
            failure.in_folder(&folder).report(&mut shell.ui, Some(&folder), wanted)
        }
    };
    match shell.ui.finish() {
        Ok(()) => exit.into(),
        Err(error) => {
            let failure = CommandError::io(format!("cannot write the result: {error}"));
            failure.report(&mut Ui::new(&everywhere), None, OutputRequest::Words).into()
        }
    }
}
