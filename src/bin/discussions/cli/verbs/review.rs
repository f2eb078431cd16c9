//! `discussions review`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::runner::{CallOptions, RunError, RunOptions, RunReport, Stopped};
use discussions::store::StoreError;
use discussions::view::{ReviewResult, review_result};
use discussions::workspace::{Prepared, Review, Source, Unused, Workspace, WorkspaceError};

use crate::cli::error::{Exit, Failure};
use crate::cli::input::read_text;
use crate::cli::limits::LimitArgs;
use crate::cli::live::{self, Form, Work};
use crate::cli::outcome;
use crate::cli::shell::Shell;
use crate::cli::ui::spelt;
use crate::cli::verbs::discuss;
use crate::cli::words;

/// Have an artifact reviewed from several perspectives; the verdict is computed from their findings
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code 0: consensus reached; 1: blocked; 4: too few perspectives could be read, so there is no \
    verdict. The artifact is never changed."
)]
pub(crate) struct Args {
    /// The file to be reviewed
    artifact: PathBuf,
    /// Who reviews: perspectives, other personas, providers, or persona=provider
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    perspectives: Vec<String>,
    /// A named round, DISCUSS-001 to DISCUSS-006: names the record, and the perspectives where none are given
    #[arg(long, value_name = "ROUND")]
    round: Option<String>,
    /// What the artifact was written from; without it nobody judges what it leaves out
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    /// The provider for everybody
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// The record's file, instead of one named after the round or the artifact
    #[arg(long, value_name = "F", conflicts_with = "dir")]
    out: Option<PathBuf>,
    /// The folder of the record, instead of the configured one
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
    /// The fewest perspectives that make a verdict
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=6))]
    min_providers: Option<u32>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Every event as one line of JSON
    #[arg(long)]
    events: bool,
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
    // Without its context a review goes on, and says what it leaves out.
    let (context, missing) = match &args.context_file {
        Some(file) if !file.exists() && file != Path::new("-") => (None, Some(spelt(file))),
        Some(file) => (Some(source(file)?), None),
        None => (None, None),
    };
    if let Some(missing) = &missing {
        shell.ui.warning(format!("{missing}: no such file, so nobody judges what was left out"));
    }
    let review = Review {
        artifact: source(&args.artifact)?,
        context,
        context_missing: missing,
        file: args.out,
        folder: args.dir,
        min_providers: args.min_providers,
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
    let calls = CallOptions {
        provider: args.provider,
        provider_timeout: args.limits.provider_timeout,
        ..CallOptions::default()
    };
    let work = Work::Run(RunOptions { limits: args.limits.limits(), calls });
    let form = Form { json: args.json, events: args.events };
    let report = watch(shell, &workspace, &mut record, &work, form)?;
    let shown = if record.refused.is_some() { String::new() } else { shell.exact(&record.path) };
    let snapshot = workspace.snapshot(&record.path)?;
    let result = review_result(&snapshot, &shown, discuss::ending(&report));
    let result = result.map_err(WorkspaceError::from)?;
    let Some(result) = result else {
        return Err(Failure::input("the template `artifact-review` computes no verdict"));
    };
    if form.json {
        outcome::json(shell, form, &result);
    } else if !form.events {
        shell.ui.page(result.page());
    }
    let exit = exit_of(&result, &report);
    if let Some(error) = &result.error {
        shell.ui.warning(words::result(error));
    }
    if exit == Exit::Interrupted || (result.verdict.is_none() && record.refused.is_none()) {
        shell.ui.hint("to go on", format!("discussions run {}", shell_words::quote(&shown)));
    }
    match record.refused {
        Some((failure, _folder)) if result.verdict.is_some() => {
            Err(failure.help("the verdict above stands, its record is lost"))
        }
        Some((failure, _folder)) => Err(failure),
        None => Ok(exit),
    }
}

/// As the document says it: reached, blocked, or no verdict and why.
fn exit_of(result: &ReviewResult, report: &RunReport) -> Exit {
    if report.stopped == Stopped::Aborted {
        return Exit::Interrupted;
    }
    match (result.verdict.as_deref(), &result.error) {
        (Some("consensus_reached"), _) => Exit::Done,
        (Some(_), _) => Exit::No,
        (None, Some(error)) if error.code.is_shortage() => Exit::NoAnswer,
        (None, _) => Exit::No,
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
