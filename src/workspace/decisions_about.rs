//! The decisions about some files: those that name the files, and those of discussions that read them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Decisions;
use super::decision_log::DecisionFilter;
use super::decision_notes::FileList;
use super::error::WorkspaceError;
use super::find::DiscussionNames;
use crate::engine::Snapshot;
use crate::material::shown_files;
use crate::transcript::Time;
use crate::view::{Decided, Recalled, Sighted};

impl Decisions<'_> {
    /// Returns the decisions in force about some files, which are paths from the working folder; then those nearest to a
    /// question, like [`Decisions::recall`]; then those of discussions that read one of the files. An empty question is
    /// near to no decision.
    ///
    /// # Errors
    /// Fails like [`Decisions::filtered_decisions`].
    pub fn recall_about(
        &self,
        question: &str,
        files: &[PathBuf],
        most: usize,
        since: Option<Time>,
    ) -> Result<Vec<Recalled>, WorkspaceError> {
        let is_asked = !question.trim().is_empty();
        let near = if is_asked { self.recall(question, 0, since)? } else { Vec::new() };
        let (mut about, mut reading) = (Vec::new(), Vec::new());
        if !files.is_empty() {
            let is_wanted = |one: &Decided| {
                let at = one.at.parse::<Time>().ok();
                !one.repeats_parent && since.is_none_or(|since| at.is_some_and(|at| at >= since))
            };
            let filter = DecisionFilter { files: files.to_vec(), ..self.decision_filter() };
            let log = self.filtered_decisions(&filter)?.decided;
            about.extend(
                log.iter()
                    .filter(|one| is_wanted(one))
                    .map(|one| Recalled { names_files: true, ..Recalled::of(one, 0.0, 0.0) }),
            );
            let read = self.decisions_of_readers(&FileList::new(self.listed_files(files)?))?;
            reading.extend(
                read.into_iter().filter(|(one, _)| is_wanted(one)).map(|(one, read_files)| {
                    Recalled { read_files, ..Recalled::of(&one, 0.0, 0.0) }
                }),
            );
        }
        Ok(merged(about, near, reading, most))
    }

    /// Returns the decisions and answers of discussions that read one of the files, each with those files, newest first.
    fn decisions_of_readers(
        &self,
        files: &FileList,
    ) -> Result<Vec<(Decided, Vec<String>)>, WorkspaceError> {
        let look = |snapshot: &Snapshot, sighted: &Sighted, _: &Path| {
            let mut read = files_read(snapshot);
            read.retain(|file| files.has_file(file));
            let decided = (!read.is_empty()).then(|| Decided::of(snapshot, sighted));
            decided.flatten().map(|decided| (decided, read))
        };
        let (_, all, links) = self.discussions().read_linked(None, look)?;
        let (names, mut found) = (DiscussionNames::of(self), Vec::new());
        for (path, one) in all {
            let Ok(Some((mut decided, read))) = one else { continue };
            self.link(&links, &names, &path, &mut decided);
            if decided.facts.decision.is_some() {
                found.push((decided, read));
            }
        }
        found.sort_by(|(one, _), (other, _)| other.at.cmp(&one.at));
        Ok(found)
    }
}

/// Returns the files that a discussion shows its participants.
fn files_read(snapshot: &Snapshot) -> Vec<String> {
    let transcript = &snapshot.transcript;
    let mut files = shown_files(transcript.preamble_text());
    let parameters = transcript.head.as_ref().map(|head| &head.parameters);
    let artifact = parameters.and_then(|all| all.get("artifact")?.as_str());
    files.extend(artifact.map(str::to_owned));
    files
}

/// Merges three lists without a file twice: decisions about the files come first, the nearest of them at the top.
fn merged(
    about: Vec<Recalled>,
    near: Vec<Recalled>,
    reading: Vec<Recalled>,
    most: usize,
) -> Vec<Recalled> {
    let own: HashSet<String> = about.iter().map(|one| one.file.clone()).collect();
    let (both, others): (Vec<_>, Vec<_>) =
        near.into_iter().partition(|one| own.contains(&one.file));
    let mut known = HashSet::new();
    let both = both.into_iter().map(|one| Recalled { names_files: true, ..one });
    let mut all: Vec<Recalled> = Vec::new();
    for one in both.chain(about).chain(others) {
        if known.insert(one.file.clone()) {
            all.push(one);
        }
    }
    for one in reading {
        match all.iter_mut().find(|known| known.file == one.file) {
            Some(known) => known.read_files = one.read_files,
            None => all.push(one),
        }
    }
    all.truncate(if most == 0 { usize::MAX } else { most });
    all
}
