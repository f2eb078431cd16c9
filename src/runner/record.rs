//! Answers on their way into the file, one after the other, beside the calls that still run.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use tokio::task::{JoinHandle, spawn_blocking};

use super::aside::done;
use super::basis::{Basis, Fit};
use super::kept::Origin;
use super::report::CallReport;
use crate::engine::Snapshot;
use crate::store::{Patience, Reservations, StoreError};
use crate::transcript::Draft;
use crate::view::CallOutcome;
use crate::workspace::{Workspace, WorkspaceError};

/// How often the file is looked at again if it is away or holds another text: editors and git replace it in steps.
const LOOKS: u32 = 20;
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(10);
/// The warning for an answer whose question was changed meanwhile.
const CHANGED: &str =
    "older text changed while this participant was answering; the answer refers to the old text";

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

/// Answers that could not be recorded, and the file that holds them now.
struct Kept {
    /// Why the first one could not be recorded.
    error: WorkspaceError,
    who: Vec<String>,
    drafts: Vec<Draft>,
    at: io::Result<PathBuf>,
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
    /// What the file said before the calls began.
    basis: Option<Basis>,
    /// The discussion and the turn, for whoever takes kept answers in.
    origin: Origin,
    kept: Option<Kept>,
}

impl Records {
    pub(super) fn new(workspace: &Arc<Workspace>, path: &Path, given_up: &Arc<AtomicBool>) -> Self {
        let patience = workspace.patience(given_up);
        let (workspace, path) = (Arc::clone(workspace), path.to_owned());
        let waiting = VecDeque::new();
        let origin = Origin::of(&path, None);
        Self {
            workspace,
            path,
            patience,
            waiting,
            now: None,
            saying: None,
            notes: None,
            basis: None,
            origin,
            kept: None,
        }
    }

    /// The same, of calls that were noted before they were made.
    pub(super) fn noted_in(self, notes: Option<Reservations>) -> Self {
        Self { notes, ..self }
    }

    /// The same, of answers that are recorded only if the file still holds the turn in which they were asked for.
    pub(super) fn based_on(self, snapshot: Option<&Snapshot>) -> Self {
        let origin = Origin::of(&self.path, snapshot);
        Self { basis: snapshot.map(Basis::of), origin, ..self }
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
        recorded
    }

    /// Goes on with the next answer; to be called after [`Self::next`].
    pub(super) fn continue_with(&mut self, failed: Option<WorkspaceError>) {
        if let Some(error) = failed {
            self.keep(error);
        }
        self.go_on();
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

    /// Keeps an answer that could not be recorded: it is paid for. The calls that still run go on, and are kept too.
    fn keep(&mut self, error: WorkspaceError) {
        let mut kept = self.kept.take().unwrap_or_else(|| Kept {
            error,
            who: Vec::new(),
            drafts: Vec::new(),
            at: Err(io::ErrorKind::NotFound.into()),
        });
        if let Some((who, draft)) = self.saying.take() {
            kept.drafts.push(draft);
            // A run that is killed now has to leave what it kept, so all of it is written after each answer. The older file
            // goes only when the new one is whole: the disk may be full.
            match (self.origin.write(&self.folders(), &kept.drafts), kept.at) {
                (Ok(new), old) => {
                    if let Ok(old) = old {
                        let _ = fs::remove_file(old);
                    }
                    (kept.at, kept.who) = (Ok(new), [kept.who, vec![who]].concat());
                }
                (Err(_), Ok(old)) => {
                    kept.drafts.pop();
                    (kept.at, kept.who) =
                        (Ok(old), [kept.who, vec![format!("{who} (lost)")]].concat());
                }
                (Err(error), Err(_)) => {
                    (kept.at, kept.who) = (Err(error), [kept.who, vec![who]].concat());
                }
            }
        }
        self.kept = Some(kept);
    }

    /// Why answers could not be recorded, with the names of all of them; none if all were.
    pub(super) fn lost(&mut self) -> Option<WorkspaceError> {
        let Kept { error, who, at, .. } = self.kept.take()?;
        if who.is_empty() {
            return Some(error);
        }
        let be = if who.len() == 1 { "is" } else { "are" };
        let kept = match at {
            Ok(at) => format!("{be} kept in {}", at.display()),
            Err(_) => format!("{be} lost"),
        };
        let why = match &error {
            WorkspaceError::Store(StoreError::NotFound { .. }) => {
                format!("{}: the discussion is gone", self.workspace.shown(&self.path))
            }
            other => other.to_string(),
        };
        Some(WorkspaceError::Unrecorded { why, error: Box::new(error), who, kept })
    }

    /// Where answers are kept: the user's own folder, else the folder for temporary files.
    fn folders(&self) -> Vec<PathBuf> {
        let own = self.workspace.kept_folder();
        own.into_iter().chain([self.workspace.environment.temp().to_owned()]).collect()
    }

    /// Whether an answer could not be recorded.
    pub(super) fn has_lost(&self) -> bool {
        self.kept.is_some()
    }

    fn go_on(&mut self) {
        if self.now.is_some() {
            return;
        }
        let Some(Finished { draft, report, mut notes }) = self.waiting.pop_front() else { return };
        self.saying = answered(&report).map(|who| (who, draft.clone()));
        let (workspace, path) = (Arc::clone(&self.workspace), self.path.clone());
        let (patience, begun) = (self.patience.clone(), self.notes.clone());
        let basis = self.basis.clone();
        self.now = Some(spawn_blocking(move || {
            let fit = write_patiently(&workspace, &path, &patience, basis.as_ref(), draft)?;
            if fit == Fit::Changed {
                notes.push(CHANGED.to_owned());
            }
            if let Some(begun) = begun {
                // A note that stays is held against the file when it is read.
                let _ = begun.recorded(&report.participant, report.turn);
            }
            let snapshot = workspace.snapshot(&path)?;
            Ok(Recorded { report, notes, snapshot })
        }));
    }
}

/// Appends an answer, if the file still holds its turn. Looks several times if it does not.
fn write_patiently(
    workspace: &Workspace,
    path: &Path,
    patience: &Patience,
    basis: Option<&Basis>,
    draft: Draft,
) -> Result<Fit, WorkspaceError> {
    let drafts = [draft];
    let mut looks = 0;
    loop {
        match write(workspace, path, patience, basis, &drafts) {
            Err(WorkspaceError::Store(
                StoreError::NotFound { .. } | StoreError::TurnGone { .. },
            )) if looks < LOOKS => {
                looks += 1;
                thread::sleep(PAUSE);
            }
            written => return written,
        }
    }
}

fn write(
    workspace: &Workspace,
    path: &Path,
    patience: &Patience,
    basis: Option<&Basis>,
    drafts: &[Draft],
) -> Result<Fit, WorkspaceError> {
    let mut writer = workspace.patient_writer(path, patience.clone())?;
    let fit = match basis {
        Some(basis) => basis.fit(&writer.read()?.text),
        None => Fit::Grown,
    };
    if fit == Fit::Other {
        return Err(StoreError::TurnGone { path: path.to_owned() }.into());
    }
    writer.append(drafts)?;
    Ok(fit)
}

/// Who answered, if they did.
fn answered(report: &CallReport) -> Option<String> {
    let is_answer = matches!(report.outcome, CallOutcome::Answered { .. });
    is_answer.then(|| report.participant.to_string())
}
