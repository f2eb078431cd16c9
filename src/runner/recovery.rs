//! Saves the results of calls that a run cannot record, and recovers them in later runs.
//!
//! A reservation is written before each call, so that limits of calls and money include the calls
//! of killed runs. An answer that was paid for and could not be recorded is kept in the user's own
//! folder, until a run or the user adds it to its turn.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answer::{CallRecord, Job};
use super::blocking::blocking;
use super::context::RunContext;
use crate::engine::Snapshot;
use crate::provider::{FailureCode, NoteFuture, Paid, ReservationLog};
use crate::state::Turn;
use crate::store::{
    Reservations, Reserved, RunLock, check_own_folder, insist_own_folder, is_own_file,
};
use crate::transcript::{
    Alias, Choice, Comment, Control, Draft, EntryKind, Name, NewComment, TurnLine, append, decode,
    parse, time,
};
use crate::workspace::{Discussions, Workspace, WorkspaceError};

/// The start and the end of each file's name.
const PREFIX: &str = "discussions-";
const SUFFIX: &str = ".md";
/// The maximum number of bytes that are read. No turn has answers of that size.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The message for a call that was still running when its run ended.
const KILLED: &str = "the run ended during this call, which counts at its maximum price";

/// Writes the reservations of one participant's calls.
#[derive(Debug)]
struct Ledger {
    reservations: Reservations,
    call: Reserved,
}

impl ReservationLog for Ledger {
    fn note(&self, most: Paid) -> NoteFuture<'_> {
        let Paid { calls, usd } = most;
        let (reservations, call) =
            (self.reservations.clone(), Reserved { calls, usd, ..self.call.clone() });
        Box::pin(async {
            blocking(move || reservations.note(call)).await.map_err(|error| error.to_string())
        })
    }
}

/// Returns the ledger that the calls of a job are reserved in.
pub(super) fn ledger_for(
    reservations: &Reservations,
    job: &Job,
    provider: &str,
) -> Arc<dyn ReservationLog> {
    let (who, turn, opened) = (job.alias.clone(), job.turn, job.opened);
    let call = Reserved { who, turn, opened, provider: provider.to_owned(), calls: 0, usd: 0.0 };
    Arc::new(Ledger { reservations: reservations.clone(), call })
}

/// Records the calls that an earlier run had begun when it was killed.
pub(super) async fn record_killed_calls(run: &RunContext<'_>) -> Result<(), WorkspaceError> {
    let workspace = run.workspace();
    let reservations = workspace.open_with(&run.path, Reservations::of)?;
    let left = reservations.clone();
    if blocking(move || left.pending().is_empty()).await {
        return Ok(());
    }
    // `None` means that the run was stopped, which the loop of the run notices.
    let Some(locked) = run.lock_file().await else { return Ok(()) };
    let (mut writer, snapshot) = locked?;
    if snapshot.state.closed {
        return Ok(());
    }
    let now = workspace.now();
    let left = workspace.reserved(&run.path, &snapshot).into_iter();
    let drafts: Vec<Draft> = left
        .filter_map(|call| {
            let name = Name::parse(snapshot.config.name_of(&call.who)).ok()?;
            Some(killed(name, call).end_at(now).draft())
        })
        .collect();
    blocking(move || {
        if !drafts.is_empty() {
            writer.append(&drafts)?;
        }
        reservations.clear()
    })
    .await?;
    Ok(())
}

fn killed(name: Name, call: Reserved) -> CallRecord {
    let Reserved { who: alias, turn, provider, calls, usd, .. } = call;
    let paid = Paid { calls, usd };
    CallRecord::new(alias, name, turn).fail(provider, &paid, FailureCode::Stopped, KILLED)
}

/// The turn that kept answers belong to: the first line of their file, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    /// The discussion's file, canonical.
    discussion: PathBuf,
    /// When the turn began, as its line says.
    at: Option<String>,
    /// The participants who were asked in it.
    asks: Vec<String>,
}

impl Origin {
    /// Describes the last turn of a discussion.
    pub(super) fn of(path: &Path, snapshot: Option<&Snapshot>) -> Self {
        let turn = snapshot.and_then(|snapshot| snapshot.state.turns.last());
        let line = turn.map(|turn| &turn.line);
        Self {
            discussion: real(path),
            at: line.and_then(began),
            asks: line.map(asks).unwrap_or_default(),
        }
    }

    fn is_of(&self, turn: &Turn) -> bool {
        self.at.is_some() && self.at == began(&turn.line) && self.asks == asks(&turn.line)
    }

    /// Writes answers into a new file that only the user can read, in the first folder that allows it.
    pub(super) fn write(&self, folders: &[PathBuf], drafts: &[Draft]) -> io::Result<PathBuf> {
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for folder in folders {
            match self.write_in(folder, drafts) {
                Ok(at) => return Ok(at),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    fn write_in(&self, folder: &Path, drafts: &[Draft]) -> io::Result<PathBuf> {
        insist_own_folder(folder)?;
        let mut file =
            tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
        file.write_all(self.text(drafts).as_bytes())?;
        file.as_file().sync_all()?;
        Ok(file.into_temp_path().keep()?)
    }

    /// Returns the text of the file.
    fn text(&self, drafts: &[Draft]) -> String {
        let line = serde_json::to_string(self).unwrap_or_default();
        format!("{line}\n{}", append("", drafts))
    }
}

fn began(line: &TurnLine) -> Option<String> {
    line.at.map(time)
}

fn asks(line: &TurnLine) -> Vec<String> {
    line.asks.iter().map(ToString::to_string).collect()
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The file of kept answers that a run could not record, with their authors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswers {
    /// The file.
    pub file: PathBuf,
    /// The authors' names.
    pub authors: Vec<String>,
}

/// A file of kept answers.
struct KeptFile {
    at: PathBuf,
    origin: Origin,
    answers: Vec<NewComment>,
}

impl KeptFile {
    /// Reads a file; none if it holds no kept answers, or if another user could have written it.
    fn read(at: PathBuf) -> Option<Self> {
        let found = fs::symlink_metadata(&at).ok()?;
        if !found.is_file() || found.len() > MOST_BYTES || !is_own_file(&found) {
            return None;
        }
        let text = fs::read_to_string(&at).ok()?;
        let (line, blocks) = text.split_once('\n')?;
        let origin = serde_json::from_str(line).ok()?;
        let comments = parse(blocks).entries.into_iter().filter_map(|entry| match entry.kind {
            EntryKind::Comment(comment) => Some(answer(comment)),
            _ => None,
        });
        let answers = comments.collect();
        Some(Self { at, origin, answers })
    }

    /// Replaces the file by one with these answers only.
    fn leave(&self, left: Vec<NewComment>) -> io::Result<()> {
        if left.is_empty() {
            return fs::remove_file(&self.at);
        }
        let drafts: Vec<Draft> = left.into_iter().map(Draft::Comment).collect();
        let folder = self.at.parent().ok_or(io::ErrorKind::NotFound)?;
        self.origin.write_in(folder, &drafts)?;
        fs::remove_file(&self.at)
    }
}

/// Returns a kept answer as a comment that can be written again.
fn answer(comment: Comment) -> NewComment {
    let vote = comment.closing_vote().and_then(|vote| Choice::parse(vote).ok());
    NewComment {
        // If the last line is not a valid vote, it is part of the text.
        body: if vote.is_some() { comment.body() } else { decode(&comment.stored) },
        name: comment.name,
        restored: comment.restored,
        reply: comment.reply,
        summary: comment.summary,
        said_at: comment.said_at,
        vote,
    }
}

impl Discussions<'_> {
    /// Returns a discussion's kept answers, which could not be recorded.
    ///
    /// # Errors
    /// Fails if the folder of kept answers is not the user's own: another user could have written them.
    pub fn kept_answers(&self, path: &Path) -> Result<Vec<KeptAnswers>, WorkspaceError> {
        let files = self.kept_files(path)?.into_iter();
        let authors = |file: &KeptFile| file.answers.iter().map(|it| it.name.to_string()).collect();
        let all = files.map(|file| KeptAnswers { authors: authors(&file), file: file.at });
        Ok(all.filter(|kept| !kept.authors.is_empty()).collect())
    }

    /// Adds kept answers to their discussion, as answers of their turn. Returns the authors of the added answers, and
    /// why others were not added.
    ///
    /// # Errors
    /// Fails if another run of the discussion is in progress, if a file cannot be read or written, or if the folder of
    /// kept answers is not the user's own. The kept answers then stay where they are.
    pub fn take_in(&self, path: &Path) -> Result<(Vec<String>, Vec<String>), WorkspaceError> {
        let (mut added, mut refused) = (Vec::new(), Vec::new());
        // Another run could be asking the same participants, who would answer twice.
        let _alone = self.open_with(path, RunLock::take)?;
        let mut writer = self.writer(path)?;
        for file in self.kept_files(path)? {
            let mut left = Vec::new();
            for answer in &file.answers {
                let snapshot = self.exact(&writer.read()?)?;
                match place(&snapshot, &file.origin, &answer.name) {
                    Ok((alias, turn)) => {
                        let mut answer = answer.clone();
                        if is_counted(&snapshot, &alias)
                            && let Some(reply) = &mut answer.reply
                        {
                            // The recorded failure already counts these calls.
                            let spent = &mut reply.spent;
                            (spent.calls, spent.tokens, spent.usd) = (Some(0), None, None);
                            spent.tried.clear();
                        }
                        writer.append(&[Draft::Comment(answer.clone())])?;
                        remove_reservation(self, path, &alias, turn);
                        added.push(answer.name.to_string());
                    }
                    Err(why) => {
                        refused.push(format!(
                            "{}: {why}; kept in {}",
                            answer.name,
                            file.at.display()
                        ));
                        left.push(answer.clone());
                    }
                }
            }
            if left.len() < file.answers.len() {
                file.leave(left)?;
            }
        }
        Ok((added, refused))
    }

    fn kept_files(&self, path: &Path) -> Result<Vec<KeptFile>, WorkspaceError> {
        let Some(folder) = self.providers().kept_folder() else { return Ok(Vec::new()) };
        if fs::symlink_metadata(&folder).is_err_and(|it| it.kind() == io::ErrorKind::NotFound) {
            return Ok(Vec::new());
        }
        let unusable = |reason: io::Error| WorkspaceError::unreadable_folder(&folder, &reason);
        check_own_folder(&folder).map_err(unusable)?;
        let all = fs::read_dir(&folder).map_err(unusable)?;
        let mut paths: Vec<PathBuf> = all.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let path = real(path);
        let files = paths.into_iter().filter_map(KeptFile::read);
        Ok(files.filter(|file| file.origin.discussion == path).collect())
    }
}

/// Returns the author of a kept answer and the number of its turn.
///
/// # Errors
/// Returns the reason why the answer cannot be added to the discussion.
fn place(snapshot: &Snapshot, origin: &Origin, name: &Name) -> Result<(Alias, u32), &'static str> {
    let turns = &snapshot.state.turns;
    if !turns.iter().any(|turn| origin.is_of(turn)) {
        return Err("the turn is not in the file");
    }
    let turn = turns.last().filter(|turn| origin.is_of(turn)).ok_or("a later turn has begun")?;
    let is_named = |alias: &&Alias| {
        let persona = snapshot.config.persona(alias);
        persona.is_some_and(|it| it.name == *name) || alias.as_str() == name.as_str()
    };
    let alias = turn
        .line
        .asks
        .iter()
        .find(is_named)
        .ok_or("this participant was not asked in that turn")?;
    if turn.missing().any(|missing| missing == alias) {
        Ok((alias.clone(), turn.line.number))
    } else {
        Err("this participant has already answered in that turn")
    }
}

/// Returns true if the last turn already states the cost of a kept answer's call: a run that continued before the
/// answer was added has recorded the call as broken off.
fn is_counted(snapshot: &Snapshot, alias: &Alias) -> bool {
    let Some(turn) = snapshot.state.turns.last() else { return false };
    // Search the entries: the state does not count a broken call as a failure, only its cost.
    snapshot.transcript.entries.iter().skip(turn.entry).any(|entry| match &entry.kind {
        EntryKind::Control(Control::Failed(failed)) => {
            failed.who == *alias && failed.message == KILLED
        }
        _ => false,
    })
}

/// Removes the reservation of a call that is in the file now.
fn remove_reservation(workspace: &Workspace, path: &Path, alias: &Alias, turn: u32) {
    if let Ok(notes) = workspace.open_with(path, Reservations::of) {
        let _ = notes.forget(alias, turn);
    }
}
