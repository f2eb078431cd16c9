//! Answers on their way into the file, one after the other, beside the calls that still run.

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::task::{JoinHandle, spawn_blocking};

use super::aside::done;
use super::report::CallReport;
use crate::engine::Snapshot;
use crate::store::{Patience, Reservations, StoreError};
use crate::transcript::{Draft, append};
use crate::view::CallOutcome;
use crate::workspace::{Workspace, WorkspaceError};

/// What one participant's calls came to, to be recorded.
pub(super) struct Finished {
    pub(super) draft: Draft,
    pub(super) report: CallReport,
    pub(super) notes: Vec<String>,
}

/// An answer that stands in the file, and the file as it stands then.
pub(super) struct Recorded {
    pub(super) report: CallReport,
    pub(super) notes: Vec<String>,
    pub(super) snapshot: Snapshot,
}

/// The answers that are not recorded yet.
pub(super) struct Records {
    workspace: Arc<Workspace>,
    path: PathBuf,
    patience: Patience,
    waiting: VecDeque<Finished>,
    now: Option<JoinHandle<Result<Recorded, WorkspaceError>>>,
    /// Who said what is being recorded now, and what, where they said anything.
    saying: Option<(String, Draft)>,
    /// Where calls were noted before they were made.
    notes: Option<Reservations>,
}

impl Records {
    pub(super) fn new(workspace: &Arc<Workspace>, path: &Path, given_up: &Arc<AtomicBool>) -> Self {
        let patience = workspace.patience(given_up);
        let (workspace, path) = (Arc::clone(workspace), path.to_owned());
        let waiting = VecDeque::new();
        Self { workspace, path, patience, waiting, now: None, saying: None, notes: None }
    }

    /// The same, of calls that were noted before they were made.
    pub(super) fn noted_in(self, notes: Option<Reservations>) -> Self {
        Self { notes, ..self }
    }

    pub(super) fn push(&mut self, finished: Finished) {
        self.waiting.push_back(finished);
        self.go_on();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.now.is_none() && self.waiting.is_empty()
    }

    /// The next answer that is recorded. Waits for ever when there is none; may be dropped and called again.
    pub(super) async fn next(&mut self) -> Result<Recorded, WorkspaceError> {
        let Some(now) = &mut self.now else { return std::future::pending().await };
        let recorded = done(now.await).await;
        self.now = None;
        // Whoever could not be recorded is named; the others would fail alike.
        if recorded.is_ok() {
            self.go_on();
        }
        recorded
    }

    /// Blocks behind all that is recorded.
    pub(super) async fn add(&self, drafts: Vec<Draft>) -> Result<(), WorkspaceError> {
        if drafts.is_empty() {
            return Ok(());
        }
        let (workspace, path) = (Arc::clone(&self.workspace), self.path.clone());
        let patience = self.patience.clone();
        done(
            spawn_blocking(move || {
                workspace.patient_writer(&path, patience)?.append(&drafts)?;
                Ok(())
            })
            .await,
        )
        .await
    }

    /// Why recording failed, with the names of all whose answers it concerns. They are paid for, so they are kept where they
    /// can be: the discussion itself is gone, or cannot be written to.
    pub(super) fn lost(&mut self, error: WorkspaceError) -> WorkspaceError {
        let waiting = self
            .waiting
            .drain(..)
            .filter_map(|finished| answered(&finished.report).map(|who| (who, finished.draft)));
        let (who, drafts): (Vec<String>, Vec<Draft>) =
            self.saying.take().into_iter().chain(waiting).unzip();
        if who.is_empty() {
            return error;
        }
        let kept = kept(self.workspace.environment.temp(), &drafts)
            .map_or_else(|_| "is lost".to_owned(), |at| format!("is kept in {}", at.display()));
        let why = match &error {
            WorkspaceError::Store(StoreError::NotFound { .. }) => {
                format!("{}: the discussion is gone", self.workspace.shown(&self.path))
            }
            other => other.to_string(),
        };
        WorkspaceError::Unrecorded { why, error: Box::new(error), who, kept }
    }

    fn go_on(&mut self) {
        if self.now.is_some() {
            return;
        }
        let Some(Finished { draft, report, notes }) = self.waiting.pop_front() else { return };
        self.saying = answered(&report).map(|who| (who, draft.clone()));
        let (workspace, path) = (Arc::clone(&self.workspace), self.path.clone());
        let (patience, begun) = (self.patience.clone(), self.notes.clone());
        self.now = Some(spawn_blocking(move || {
            workspace.patient_writer(&path, patience)?.append(&[draft])?;
            if let Some(begun) = begun {
                // A note that stays is held against the file when it is read.
                let _ = begun.recorded(&report.participant, report.turn);
            }
            let snapshot = workspace.snapshot(&path)?;
            Ok(Recorded { report, notes, snapshot })
        }));
    }
}

/// Writes blocks into a file of their own, which only the user reads.
fn kept(folder: &Path, drafts: &[Draft]) -> io::Result<PathBuf> {
    let mut file =
        tempfile::Builder::new().prefix("discussions-").suffix(".md").tempfile_in(folder)?;
    file.write_all(append("", drafts).as_bytes())?;
    Ok(file.into_temp_path().keep()?)
}

/// Who answered, if they did.
fn answered(report: &CallReport) -> Option<String> {
    let is_answer = matches!(report.outcome, CallOutcome::Answered { .. });
    is_answer.then(|| report.participant.to_string())
}
