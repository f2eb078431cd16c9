//! Answers that were paid for and could not be recorded: kept in the user's own folder, and taken in by a later run.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::reserved::KILLED;
use crate::engine::Snapshot;
use crate::state::Turn;
use crate::store::{Reservations, RunLock};
use crate::transcript::{
    Alias, Choice, Comment, Control, Draft, EntryKind, Name, NewComment, TurnLine, append, decode,
    parse, time,
};
use crate::workspace::{Workspace, WorkspaceError};

/// The beginning and the end of each file's name.
const PREFIX: &str = "discussions-";
const SUFFIX: &str = ".md";
/// Larger files are not read: no turn has answers of that size.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The first line of a file of kept answers, as JSON: where they belong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    /// The discussion's file, canonical.
    discussion: PathBuf,
    /// When the turn began, as its line says.
    at: Option<String>,
    /// Who was asked in it.
    asks: Vec<String>,
}

impl Origin {
    /// The last turn of a discussion that answers were asked for in.
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

    /// Writes answers into a new file which only the user reads, in the first of these folders that takes it.
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
        fs::create_dir_all(folder)?;
        let mut file =
            tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
        file.write_all(self.text(drafts).as_bytes())?;
        file.as_file().sync_all()?;
        Ok(file.into_temp_path().keep()?)
    }

    /// The whole file.
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

/// A file of kept answers.
struct KeptFile {
    at: PathBuf,
    origin: Origin,
    answers: Vec<NewComment>,
}

impl KeptFile {
    /// Reads a file; none if it is no such file.
    fn read(at: PathBuf) -> Option<Self> {
        let found = fs::symlink_metadata(&at).ok()?;
        if !found.is_file() || found.len() > MOST_BYTES {
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

    /// Leaves only these answers in it.
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

/// An answer as it is written again.
fn answer(comment: Comment) -> NewComment {
    let vote = comment.closing_vote().and_then(|vote| Choice::parse(vote).ok());
    NewComment {
        // A closing line that is no option is part of what was said.
        body: if vote.is_some() { comment.body() } else { decode(&comment.stored) },
        name: comment.name,
        restored: comment.restored,
        reply: comment.reply,
        summary: comment.summary,
        said_at: comment.said_at,
        vote,
    }
}

impl Workspace {
    /// Returns who gave answers to a discussion that are kept beside it, because they could not be recorded.
    pub fn kept_answers(&self, path: &Path) -> Vec<String> {
        let files = self.kept_files(path);
        files.iter().flat_map(|file| &file.answers).map(|it| it.name.to_string()).collect()
    }

    /// Adds kept answers to their discussion, as answers of their turn. Returns who is in it now, and why others are not.
    ///
    /// # Errors
    /// Another run of the discussion, a file that cannot be read or written; what is kept stays kept then.
    pub fn take_in(&self, path: &Path) -> Result<(Vec<String>, Vec<String>), WorkspaceError> {
        let (mut added, mut refused) = (Vec::new(), Vec::new());
        // Whoever is being asked by another run would answer twice.
        let _alone = self.open_with(path, RunLock::take)?;
        let mut writer = self.writer(path)?;
        for file in self.kept_files(path) {
            let mut left = Vec::new();
            for answer in &file.answers {
                let snapshot = self.exact(&writer.read()?)?;
                match place(&snapshot, &file.origin, &answer.name) {
                    Ok((alias, turn)) => {
                        let mut answer = answer.clone();
                        if is_counted(&snapshot, &alias)
                            && let Some(reply) = &mut answer.reply
                        {
                            // The line of the failure counts the same calls.
                            let spent = &mut reply.spent;
                            (spent.calls, spent.tokens, spent.usd) = (Some(0), None, None);
                            spent.tried.clear();
                        }
                        writer.append(&[Draft::Comment(answer.clone())])?;
                        forget(self, path, &alias, turn);
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

    fn kept_files(&self, path: &Path) -> Vec<KeptFile> {
        let Some(folder) = self.kept_folder() else { return Vec::new() };
        let Ok(all) = fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = all.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let path = real(path);
        let files = paths.into_iter().filter_map(KeptFile::read);
        files.filter(|file| file.origin.discussion == path).collect()
    }
}

/// Who answered, and the number of the turn that they answered.
///
/// # Errors
/// Why the answer has no place in the discussion.
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

/// Returns whether the last turn says what the call of a kept answer cost: a run that went on before the answer was taken
/// in recorded the call as one that was broken off.
fn is_counted(snapshot: &Snapshot, alias: &Alias) -> bool {
    let Some(turn) = snapshot.state.turns.last() else { return false };
    // A call that was broken off is no failure of the state: only its cost counts.
    snapshot.transcript.entries.iter().skip(turn.entry).any(|entry| match &entry.kind {
        EntryKind::Control(Control::Failed(failed)) => {
            failed.who == *alias && failed.message == KILLED
        }
        _ => false,
    })
}

/// Their call is in the file now, so it no longer counts apart.
fn forget(workspace: &Workspace, path: &Path, alias: &Alias, turn: u32) {
    if let Ok(notes) = workspace.open_with(path, Reservations::of) {
        let _ = notes.recorded(alias, turn);
    }
}
