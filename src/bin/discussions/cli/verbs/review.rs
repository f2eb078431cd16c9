//! `discussions review`

use std::path::PathBuf;

use discussions::codes::StopCode;
use discussions::runner::RunRequest;
use discussions::view::ReviewResult;
use discussions::workspace::Review;

use crate::cli::error::{Exit, Failure};
use crate::cli::live::{self, Form, Work};
use crate::cli::outcome;
use crate::cli::shell::Shell;
use crate::cli::words;

/// Have an artifact reviewed from several perspectives; the verdict is computed from their findings
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code 0: consensus reached; 1: blocked. The artifact is never changed."
)]
pub(crate) struct Args {
    /// The file to be reviewed
    artifact: PathBuf,
    /// Who reviews: perspectives, other personas, providers, or persona=provider
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "round")]
    perspectives: Vec<String>,
    /// A named set of perspectives, DISCUSS-001 to DISCUSS-006
    #[arg(long, value_name = "ROUND")]
    round: Option<String>,
    /// What the artifact was written from; without it nobody judges what it leaves out
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    /// The provider for everybody
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

/// Makes the record, asks, and tells the verdict.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    if let Some(provider) = &args.provider {
        workspace.insist_on_provider(provider)?;
    }
    let mut record = workspace.review(&Review {
        artifact: args.artifact,
        context: args.context_file,
        perspectives: args.perspectives,
        round: args.round,
    })?;
    for note in &record.unused {
        shell.ui.hint("note", words::unused(note));
    }
    let request = RunRequest { provider: args.provider, ..RunRequest::default() };
    let form = Form { json: args.json, events: false };
    let work = Work::Run(request);
    // Where the disk refuses to go on, what was answered serves the verdict all the same.
    let stopped = loop {
        match live::watch_first(shell, &workspace, &record.path, &work, form)? {
            Ok(ran) => break ran.stopped,
            Err(error) => record = workspace.go_on_elsewhere(record, error)?,
        }
    };
    let shown = workspace.kept_at(&record);
    let result = workspace.verdict(&record)?;
    if stopped == StopCode::Aborted {
        shell
            .ui
            .warning(format!("stopped; to go on: discussions run {}", shell_words::quote(&shown)));
        return Ok(Exit::Interrupted);
    }
    let result = match result {
        Ok(result) => result,
        Err(none) => {
            if form.json {
                outcome::json(shell, form, &none);
            }
            shell.ui.warning(none.error.message);
            return Ok(Exit::NoAnswer);
        }
    };
    if form.json {
        outcome::json(shell, form, &result)
    } else {
        tell(shell, &result)
    }
    match record.into_refused() {
        Some(error) => {
            Err(Failure::from(error).help("the verdict above stands, its record is lost"))
        }
        None if result.verdict == "consensus_reached" => Ok(Exit::Done),
        None => Ok(Exit::No),
    }
}

/// The verdict block.
fn tell(shell: &mut Shell, result: &ReviewResult) {
    let about = if result.round.is_empty() { &result.artifact } else { &result.round };
    let blocked = result.verdict == "consensus_blocked";
    let mut lines = vec![format!("## Discuss Verdict: {about}"), String::new()];
    lines.push(format!("Verdict: {}", result.verdict));
    if blocked {
        lines.push(format!("Severity: {}", result.severity));
    }
    lines.push(format!("Average Rating: {:.1}/5", result.average_rating));
    let ratings: Vec<String> =
        result.ratings.iter().map(|(who, rating)| format!("{who} {rating}/5")).collect();
    lines.push(format!("Ratings: {}", ratings.join(", ")));
    if result.partial {
        lines.push(format!("PARTIAL: no rating from {}", result.failed.join(", ")));
    }
    if !result.divergences.is_empty() {
        lines.push("Divergence Summary:".to_owned());
        lines.extend(result.divergences.iter().map(|one| {
            format!("- {} {}: {} ({})", one.severity, one.rule, one.detail, one.by.join(", "))
        }));
    }
    if !result.missing_requirements.is_empty() {
        lines.push("Missing Requirements:".to_owned());
        lines.extend(
            result
                .missing_requirements
                .iter()
                .map(|one| format!("- {} ({})", one.text, one.perspective)),
        );
    }
    lines.push("Action Items:".to_owned());
    lines.extend(result.actions.iter().enumerate().map(|(index, one)| {
        let priority = one.priority.as_ref().map(|level| format!(", {level}")).unwrap_or_default();
        format!("{}. {} ({}{priority})", index + 1, one.text, one.perspective)
    }));
    if result.actions.is_empty() {
        lines.push("none".to_owned());
    }
    lines.push(format!("Recommendation: {}", result.recommendation));
    let record = if result.record.is_empty() { "not written" } else { &result.record };
    lines.push(format!("Discussion Record: {record}"));
    for line in lines {
        shell.ui.out(line);
    }
}
