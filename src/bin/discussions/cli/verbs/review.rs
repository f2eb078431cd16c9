//! `discussions review`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::codes::{ErrorCode, ResultError};
use discussions::runner::{CallOptions, Limits, RunError, RunOptions, RunReport, Stopped};
use discussions::store::StoreError;
use discussions::view::{ReviewResult, review_result};
use discussions::workspace::{Prepared, Review, Source, Unused, Workspace, WorkspaceError};

use serde_json::json;

use crate::cli::error::{Exit, Failure};
use crate::cli::input::read_text;
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

/// Where the record stands.
struct Record {
    path: PathBuf,
    /// It could not be written where it belongs, so it stands in a folder that goes away.
    refused: Option<(Failure, tempfile::TempDir)>,
}

/// Makes the record, asks, and tells the verdict.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    if let Some(provider) = &args.provider {
        workspace.registry.find(provider)?;
    }
    let source = |path: &Path| -> Result<Source, Failure> {
        Ok(Source { path: path.display().to_string(), text: read_text(path)? })
    };
    let review = Review {
        artifact: source(&args.artifact)?,
        context: args.context_file.as_deref().map(source).transpose()?,
        perspectives: args.perspectives,
        round: args.round,
    };
    if review.artifact.text.trim().is_empty() {
        return Err(Failure::input(format!(
            "{}: there is nothing to review in it",
            review.artifact.path
        )));
    }
    let (mut record, unused) = make(&workspace, &review)?;
    for note in &unused {
        shell.ui.hint("note", words::unused(note));
    }
    let calls = CallOptions { provider: args.provider, ..CallOptions::default() };
    let work = Work::Run(RunOptions { limits: Limits::none(), calls, ..RunOptions::default() });
    let form = Form { json: args.json, events: false };
    let report = watch(shell, &workspace, &mut record, &work, form)?;
    let shown = if record.refused.is_some() { String::new() } else { shell.exact(&record.path) };
    let snapshot = workspace.snapshot(&record.path)?;
    let result = review_result(&snapshot, &shown).map_err(WorkspaceError::from)?;
    if report.stopped == Stopped::Aborted {
        shell
            .ui
            .warning(format!("stopped; to go on: discussions run {}", shell_words::quote(&shown)));
        return Ok(Exit::Interrupted);
    }
    let Some(result) = result.filter(|result| !result.ratings.is_empty()) else {
        let message = "no perspective gave a rating, so there is no verdict";
        if form.json {
            let error = ResultError::new(ErrorCode::AllProvidersFailed, message);
            outcome::json(shell, form, &json!({"record": shown, "verdict": null, "error": error}));
        }
        shell.ui.warning(message);
        return Ok(Exit::NoAnswer);
    };
    if form.json {
        outcome::json(shell, form, &result)
    } else {
        tell(shell, &result)
    }
    match record.refused {
        Some((failure, _folder)) => {
            Err(failure.help("the verdict above stands, its record is lost"))
        }
        None if result.verdict == "consensus_reached" => Ok(Exit::Done),
        None => Ok(Exit::No),
    }
}

/// Makes the record, in a folder that goes away where it cannot be made where it belongs.
fn make(workspace: &Workspace, review: &Review) -> Result<(Record, Vec<Unused>), Failure> {
    match workspace.review(review) {
        Ok(Prepared { path, unused }) => Ok((Record { path, refused: None }, unused)),
        Err(WorkspaceError::Store(error)) if !error.is_input() => {
            let folder = temporary()?;
            let Prepared { path, unused } = workspace.review_in(review, Some(folder.path()))?;
            Ok((Record { path, refused: Some((error.into(), folder)) }, unused))
        }
        Err(error) => Err(error.into()),
    }
}

/// Asks; goes on elsewhere when the record can no longer be written, so that what was answered serves the verdict.
fn watch(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    record: &mut Record,
    work: &Work,
    form: Form,
) -> Result<RunReport, Failure> {
    let error = match live::watch(shell, workspace, &record.path, work, form)? {
        Ok(report) => return Ok(report),
        Err(error) => error,
    };
    match refused(error) {
        Ok(error) if record.refused.is_none() => {
            let folder = temporary()?;
            let copy = folder.path().join(record.path.file_name().unwrap_or_default());
            std::fs::copy(&record.path, &copy).map_err(|error| Failure::io(error.to_string()))?;
            *record = Record { path: copy, refused: Some((error.into(), folder)) };
            Ok(live::watch(shell, workspace, &record.path, work, form)??)
        }
        Ok(error) => Err(error.into()),
        Err(error) => {
            // Where it cannot be taken away, it stays, and says what was to be asked.
            let _ = workspace.take_back(&record.path);
            Err(error.into())
        }
    }
}

/// Whether the disk refused.
fn refused(error: RunError) -> Result<StoreError, RunError> {
    match error {
        RunError::Store(error) | RunError::Workspace(WorkspaceError::Store(error))
            if !error.is_input() =>
        {
            Ok(error)
        }
        other => Err(other),
    }
}

fn temporary() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|error| Failure::io(format!("no temporary folder: {error}")))
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
