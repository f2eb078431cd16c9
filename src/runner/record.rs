//! Records the answers of a turn in the file, one after the other, while other calls still run.
//!
//! An answer is recorded only if the file still holds the turn in which it was asked for. An answer that cannot be
//! recorded is kept elsewhere, because it is paid for.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::task::{JoinHandle, spawn_blocking};

use super::answer::CallRecord;
use super::blocking::{blocking, unwrap_join};
use super::context::RunContext;
use super::recovery::Origin;
use crate::engine::Snapshot;
use crate::store::{Patience, Reservations, StoreError};
use crate::transcript::{Control, Draft, EntryKind, Transcript, TurnLine, parse};
use crate::workspace::{KEPT, Workspace, WorkspaceError};

/// The number of retries if the file is missing or holds another text, because editors and git replace it in steps.
const RETRIES: u32 = 20;
/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(10);
/// The warning for an answer if its question was changed meanwhile.
const CHANGED: &str =
    "older text changed while this participant was answering; the answer refers to the old text";

/// A recorded answer, and the file after it.
pub(super) type Recorded = (CallRecord, Snapshot);

/// Answers that could not be recorded, and the file that holds them now.
struct Kept {
    /// Why the first one could not be recorded.
    error: WorkspaceError,
    who: Vec<String>,
    drafts: Vec<Draft>,
    at: io::Result<PathBuf>,
}

/// Records the answers of one turn.
pub(super) struct AnswerWriter {
    workspace: Arc<Workspace>,
    path: PathBuf,
    patience: Patience,
    waiting: VecDeque<CallRecord>,
    current: Option<JoinHandle<Result<Recorded, WorkspaceError>>>,
    /// The participant and the text that are being recorded; none if it is a pass or a failure.
    current_answer: Option<(String, Draft)>,
    /// The reservations of the calls, if the discussion limits calls or money.
    reservations: Option<Reservations>,
    /// The file before the calls began.
    basis: Option<Basis>,
    /// The discussion and the turn that kept answers belong to.
    origin: Origin,
    kept: Option<Kept>,
}

impl AnswerWriter {
    /// `before` is the file before the calls began.
    pub(super) fn new(
        run: &RunContext<'_>,
        before: Option<&Snapshot>,
        reservations: Option<Reservations>,
    ) -> Self {
        Self {
            workspace: Arc::clone(run.workspace()),
            path: run.path.clone(),
            patience: run.workspace().patience(&run.given_up),
            waiting: VecDeque::new(),
            current: None,
            current_answer: None,
            reservations,
            basis: before.map(Basis::of),
            origin: Origin::of(&run.path, before),
            kept: None,
        }
    }

    /// Adds an answer to the end of the queue.
    pub(super) fn push(&mut self, answer: CallRecord) {
        self.waiting.push_back(answer);
        self.record_next();
    }

    /// Returns whether every answer is recorded or kept.
    pub(super) fn is_empty(&self) -> bool {
        self.current.is_none() && self.waiting.is_empty()
    }

    /// Returns the next recorded answer, or why it could not be recorded. Waits forever if no answer is being recorded.
    /// The future may be dropped and created again. Call [`Self::record_next`] afterwards.
    pub(super) async fn next(&mut self) -> Result<Recorded, WorkspaceError> {
        let Some(current) = &mut self.current else { return std::future::pending().await };
        let recorded = unwrap_join(current.await).await;
        self.current = None;
        recorded
    }

    /// Appends lines behind all recorded answers.
    pub(super) async fn append(&self, drafts: Vec<Draft>) -> Result<(), WorkspaceError> {
        if drafts.is_empty() {
            return Ok(());
        }
        let (workspace, path) = (Arc::clone(&self.workspace), self.path.clone());
        let patience = self.patience.clone();
        blocking(move || {
            workspace.patient_writer(&path, patience)?.append(&drafts)?;
            Ok(())
        })
        .await
    }

    /// Keeps the current answer, which is paid for but could not be recorded, with the answers that were kept before.
    pub(super) fn keep(&mut self, error: WorkspaceError) {
        let mut kept = self.kept.take().unwrap_or_else(|| Kept {
            error,
            who: Vec::new(),
            drafts: Vec::new(),
            at: Err(io::ErrorKind::NotFound.into()),
        });
        if let Some((who, draft)) = self.current_answer.take() {
            kept.drafts.push(draft);
            // Write all kept answers again after each one, so that a kill loses none. Remove the older file only after
            // the new one is complete: the disk may be full.
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

    /// Returns why answers could not be recorded, with the names of their authors; none if all were recorded.
    pub(super) fn unrecorded(&mut self) -> Option<WorkspaceError> {
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
                format!("{}: the discussion is gone", self.workspace.shown_path(&self.path))
            }
            other => other.to_string(),
        };
        Some(WorkspaceError::Unrecorded { why, error: Box::new(error), who, kept })
    }

    /// Returns the folders for kept answers, all of them the user's own.
    fn folders(&self) -> Vec<PathBuf> {
        let own = self.workspace.call_environment().own_folder();
        let own = own.is_absolute().then(|| own.join(KEPT));
        self.workspace.providers().kept_folder().into_iter().chain(own).collect()
    }

    /// Returns whether an answer could not be recorded.
    pub(super) fn has_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// Starts to record the next answer, if none is being recorded.
    pub(super) fn record_next(&mut self) {
        if self.current.is_some() {
            return;
        }
        let Some(mut record) = self.waiting.pop_front() else { return };
        let draft = record.draft();
        let is_answer = record.is_answer();
        self.current_answer = is_answer.then(|| (record.alias.to_string(), draft.clone()));
        let (workspace, path) = (Arc::clone(&self.workspace), self.path.clone());
        let (patience, reservations) = (self.patience.clone(), self.reservations.clone());
        let basis = self.basis.clone();
        self.current = Some(spawn_blocking(move || {
            let fit = write_patiently(&workspace, &path, &patience, basis.as_ref(), draft)?;
            if fit == Fit::Changed {
                record.notes.push(CHANGED.to_owned());
            }
            if let Some(reservations) = reservations {
                // A leftover reservation is ignored if the file already has the answer.
                let _ = reservations.forget(&record.alias, record.turn);
            }
            Ok((record, workspace.snapshot(&path)?))
        }));
    }
}

/// Appends an answer if the file still holds its turn, and tries several times if it does not.
fn write_patiently(
    workspace: &Workspace,
    path: &Path,
    patience: &Patience,
    basis: Option<&Basis>,
    draft: Draft,
) -> Result<Fit, WorkspaceError> {
    let drafts = [draft];
    let mut retries = 0;
    loop {
        match write(workspace, path, patience, basis, &drafts) {
            Err(WorkspaceError::Store(
                StoreError::NotFound { .. } | StoreError::TurnGone { .. },
            )) if retries < RETRIES => {
                retries += 1;
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

/// The file as it was when participants were asked.
#[derive(Clone)]
pub(super) struct Basis(Snapshot);

/// The relation of a file to its [`Basis`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Only additions at its end.
    Grown,
    /// The turn is there, but older text differs.
    Changed,
    /// The turn is missing, or head, title or context differ: another discussion, or another state of it.
    Other,
}

impl Basis {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        Self(snapshot.clone())
    }

    /// Compares a file's text with the basis. Line ends do not matter, because git changes them.
    pub(super) fn fit(&self, text: &str) -> Fit {
        let before = &self.0.transcript;
        if text.starts_with(&*before.text) {
            return Fit::Grown;
        }
        let now = parse(text);
        let has_turn = match self.0.state.turns.last() {
            Some(turn) => turns(&now).any(|line| is_same(line, &turn.line)),
            None => true,
        };
        if !has_turn || unix_lines(preamble(&now)) != unix_lines(preamble(before)) {
            return Fit::Other;
        }
        if unix_lines(text).starts_with(&unix_lines(&before.text)) {
            Fit::Grown
        } else {
            Fit::Changed
        }
    }
}

/// Returns head, title and context.
fn preamble(transcript: &Transcript) -> &str {
    &transcript.text[..transcript.preamble.end]
}

fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn turns(transcript: &Transcript) -> impl Iterator<Item = &TurnLine> {
    transcript.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Control(Control::Turn(turn)) => Some(turn),
        _ => None,
    })
}

/// Returns whether two lines open the same turn. Compares times and participants, not numbers, because a merge may
/// change the number of a turn.
fn is_same(one: &TurnLine, other: &TurnLine) -> bool {
    one.at == other.at && one.asks == other.asks
}
