//! `discussions review`

use std::path::PathBuf;

use discussions::codes::{ErrorCode, StopCode};
use discussions::view::visible_line;
use discussions::workspace::{Review, Sources, WorkspaceError};

use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::{LimitArgs, SecretArgs, SightArgs, warn_of_left_out};
use crate::cli::live::{self, OutputForm};
use crate::cli::outcome;
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::ui::Line;
use crate::cli::words;

/// Have a file or a change reviewed from several perspectives
///
/// The verdict is computed from the findings. The file is never changed.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "discussions review [OPTIONS] <ARTIFACT>\n       \
                      discussions review [OPTIONS] --diff <RANGE>\n       \
                      discussions review [OPTIONS] --round <ROUND> [ARTIFACT]",
    after_help = "With `--pattern second-look` one reviewer, or each one of --perspectives, lists errors with quote and \
                  proof.\nExit code 0: the verdict is below --fail-on; 1: it is not, or a part of the change was not shown; 4: no \
                  verdict, because too few perspectives gave a readable answer."
)]
pub(crate) struct Args {
    /// The file to review; with --round, by default the file of the round, for example spec/product-brief.md
    #[arg(required_unless_present_any = ["diff", "round"], conflicts_with = "diff")]
    artifact: Option<PathBuf>,
    /// Review the changes of these commits instead, for example main...HEAD
    #[arg(long, value_name = "RANGE")]
    diff: Option<String>,
    /// The pattern of the review: artifact-review or second-look, or one of your own with a verdict
    #[arg(long, value_name = "P", default_value = "artifact-review")]
    pattern: String,
    /// A file, a folder or a glob like 'src/**/*.rs' that all reviewers also see; can be repeated
    #[arg(long = "file", value_name = "GLOB")]
    files: Vec<String>,
    /// The reviewers: perspectives, other personas, providers, or persona=provider
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    perspectives: Vec<String>,
    /// A named round, DISCUSS-001 to DISCUSS-006; sets the name of the record and the default perspectives
    #[arg(long, value_name = "ROUND")]
    round: Option<String>,
    /// The requirements that the file must meet; by default spec/discovery-context.json. Without requirements,
    /// completeness is not reviewed
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    /// Use this provider for all participants
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// The file of the record; by default named after the round or the reviewed file
    #[arg(long, value_name = "F", conflicts_with = "dir")]
    out: Option<PathBuf>,
    /// The folder of the record; by default the configured one
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
    /// Minimum number of perspectives for a verdict
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=6))]
    min_providers: Option<u32>,
    /// When a verdict gives exit code 1 [default: high, and medium unless the recommendation is to proceed]
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// Print every event as one line of JSON
    #[arg(long)]
    events: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    secrets: SecretArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    sight: SightArgs,
}

/// Creates the review's discussion, runs it, and prints the verdict.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    args.secrets.learn(shell);
    let workspace = shell.running_workspace()?;
    if let Some(provider) = &args.provider {
        workspace.providers().insist_on_provider(provider)?;
    }
    let material = Sources { files: args.files, diff: None };
    warn_of_left_out(shell, &workspace, &material);
    let review = Review {
        artifact: match args.diff {
            Some(range) => range.into(),
            None => args.artifact.unwrap_or_default().into(),
        },
        context: args.context_file,
        material,
        file: args.out,
        folder: args.dir,
        min_providers: args.min_providers,
        perspectives: args.perspectives,
        round: args.round,
        pattern: Some(args.pattern),
    };
    let mut record = workspace.discussions().review(&review).map_err(|error| match error {
        WorkspaceError::NoVerdict { .. } => CommandError::usage(error.to_string())
            .help("review with `--pattern artifact-review` or `--pattern second-look`"),
        error => error.into(),
    })?;
    if let Some(missing) = &record.missing {
        let missing = visible_line(missing);
        shell.ui.warning(format!("{missing}: file not found; completeness will not be reviewed"));
    }
    if let Some(found) = &record.found {
        let found = visible_line(&found.to_string_lossy());
        shell.ui.hint("note", format!("completeness is reviewed against {found}"));
    }
    for note in &record.unused {
        shell.ui.hint("note", words::help::unused(note, false));
    }
    let through = args.provider.clone();
    let request = args.sight.of_run(args.limits.request(args.provider));
    let form = OutputForm { json: args.json, events: args.events, verbose: false };
    // If the disk refuses further writes, the existing answers still give a verdict.
    let stopped = loop {
        match live::watch_first(shell, &workspace, &record.path, &request, form)? {
            Ok(ran) => break ran.stopped,
            Err(error) => record = workspace.discussions().go_on_elsewhere(record, error)?,
        }
    };
    let shown = workspace.discussions().kept_at(&record);
    let result = workspace.discussions().verdict(&record, stopped)?;
    if form.json {
        outcome::json(shell, form, &result);
    } else if !form.events {
        // Each line is wrapped between words; a page for a program has its own line ends.
        match shell.ui.width() {
            Some(_) => result.page().lines().for_each(|line| shell.ui.wrapped("", line)),
            None => shell.ui.page(result.page()),
        }
        if !result.round.is_empty() {
            shell.ui.out(&result.caller_block);
        }
    }
    let is_shortage = result.error.as_ref().is_some_and(|error| error.code.is_shortage());
    let exit = if stopped == StopCode::Aborted {
        Exit::Interrupted
    } else if let Some(verdict) = &result.verdict {
        let advice = result.recommendation.as_deref().unwrap_or_default();
        exit_of_verdict(verdict, result.severity.as_deref(), advice, args.fail_on)
    } else if is_shortage {
        Exit::NoAnswer
    } else {
        Exit::No
    };
    if let Some(error) = &result.error {
        shell.ui.warning(words::result(error.code, &error.message, stopped));
    }
    // Another run shows the reviewers nothing more.
    let is_over = result.error.as_ref().is_some_and(|error| error.code == ErrorCode::NotShown);
    let can_go_on = result.verdict.is_none() && !is_over && !shown.is_empty();
    if exit == Exit::Interrupted || can_go_on {
        let go_on =
            CommandHint::of(shell, &workspace, &record.path).with_provider(through.as_deref());
        let go_on = Line::default().whole(go_on.command("run", ""));
        shell.ui.note_wrapped(Line::hint("to continue", go_on));
    }
    match record.into_refused() {
        Some(error) if result.verdict.is_some() => Err(CommandError::from(error)
            .help("the verdict above is valid, but its record was not saved")),
        Some(error) => Err(error.into()),
        None => Ok(exit),
    }
}

/// The lowest severity of a verdict that gives exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// HIGH
    High,
    /// MEDIUM and HIGH
    Medium,
    /// Never for a verdict
    None,
}

/// Returns the exit code for a verdict. One without a severity, from a template of the user, counts as it stands.
fn exit_of_verdict(
    verdict: &str,
    severity: Option<&str>,
    advice: &str,
    fail_on: Option<FailOn>,
) -> Exit {
    let fails = match (severity, fail_on) {
        (_, Some(FailOn::None)) | (Some("LOW"), _) | (Some("MEDIUM"), Some(FailOn::High)) => false,
        (Some("HIGH"), _) | (Some("MEDIUM"), Some(FailOn::Medium)) => true,
        (Some("MEDIUM"), None) => !advice.starts_with("proceed"),
        _ => verdict != "consensus_reached",
    };
    if fails { Exit::No } else { Exit::Done }
}
