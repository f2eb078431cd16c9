//! Decision records that other tools made: the Markdown files in the folders that `adr` in `discussions.yaml` names.
//! They are only read. All of them are read for each question, because nothing is stored between two questions.

mod export;
mod relations;

use std::collections::{HashMap, HashSet};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::Decisions;
use super::decisions::Remembered;
use super::environment::plain;
use super::files::{FoundFile, each, files_below};
use super::find::DiscussionNames;
use super::overview::{ReadDiscussion, Search, WHOLE_FILE};
use crate::adr::{self, Record, RecordName, StatusKind};
use crate::boundary::{self, Purpose};
use crate::codes::ProblemCode;
use crate::engine::{ItemState, Standing, Superseding};
use crate::problem::{Problem, Severity};
use crate::search::{Looked, SearchWords, record_passages};
use crate::transcript::{Text, Time, parse, visible_line};
use crate::view::{
    Checked, Decided, DecisionLink, RecordLinks, Sighted, Unreadable, midnight, record_state,
    record_status,
};
use relations::Relations;

/// The largest record in bytes.
const LARGEST: u64 = 1 << 20;
/// The maximum number of files.
const MOST: usize = 20_000;

/// A record and its file.
pub(super) struct FoundRecord {
    pub(super) path: PathBuf,
    pub(super) number: Option<u32>,
    /// The whole file.
    pub(super) text: Text,
    pub(super) record: Record,
}

/// All records of a project.
#[derive(Default)]
pub(super) struct Records {
    /// The records by folder and path.
    pub(super) found: Vec<FoundRecord>,
    /// Files and folders that cannot be read, with the reason.
    unread: Vec<(PathBuf, Problem)>,
    /// All Markdown files in the folders, records or not.
    files: HashSet<PathBuf>,
    relations: Relations,
}

impl Decisions<'_> {
    /// Returns the folders with decision records, absolute.
    fn record_folders(&self) -> Vec<PathBuf> {
        let folders = self.setup.config.adr.iter().flatten();
        folders.map(|folder| plain(&self.setup.base().join(folder))).collect()
    }

    /// Reads all records; a file or a folder that cannot be read does not hide the others.
    pub(super) fn records(&self) -> Records {
        self.records_with(|path| self.read_record(path))
    }

    fn records_with(
        &self,
        read: impl Fn(&Path) -> Result<Option<FoundRecord>, Problem> + Sync,
    ) -> Records {
        let mut records = Records::default();
        let mut files: Vec<FoundFile> = Vec::new();
        for folder in self.record_folders() {
            match self.record_files(&folder) {
                Ok(found) => files.extend(
                    found.into_iter().filter(|file| records.files.insert(file.path.clone())),
                ),
                Err(problem) => records.unread.push((folder, problem)),
            }
        }
        if let Some(first) = files.get(MOST) {
            let message = format!("this and later files are not read: at most {MOST} records are");
            records.unread.push((first.path.clone(), unreadable(message)));
            files.truncate(MOST);
        }
        let output = self.output_directory();
        let all = each(&files, |file| {
            let found = read(&file.path)?;
            // Discussions are listed as discussions, even in a folder of records.
            let is_listed = |one: &FoundRecord| {
                one.path.starts_with(&output) && parse(one.text.clone()).is_discussion()
            };
            Ok(found.filter(|one| !is_listed(one)))
        });
        for (file, one) in files.into_iter().zip(all) {
            match one {
                Ok(found) => records.found.extend(found),
                Err(problem) => records.unread.push((file.path, problem)),
            }
        }
        records.relations = Relations::of(&records.found);
        records
    }

    /// Returns the Markdown files of a folder with records.
    fn record_files(&self, folder: &Path) -> Result<Vec<FoundFile>, Problem> {
        let place = boundary::ensure_within(folder, self.setup.base());
        let place = place.and_then(|place| self.setup.reach.limit(place));
        place.map_err(|error| unreadable(error.to_string()))?;
        if !folder.is_dir() {
            let message = "there is no such folder; correct `adr` in discussions.yaml";
            return Err(unreadable(message.to_owned()));
        }
        files_below(folder).map_err(|error| unreadable(error.to_string()))
    }

    /// Reads one file; `None` if it is no record.
    fn read_record(&self, path: &Path) -> Result<Option<FoundRecord>, Problem> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = RecordName::of(&name) else { return Ok(None) };
        let place = boundary::ensure_within(path, self.setup.base());
        let place = place.and_then(|place| self.setup.reach.limit(place));
        let place = place.map_err(|error| unreadable(error.to_string()))?;
        let failed = |error: io::Error| unreadable(format!("cannot be read: {error}"));
        let (file, facts) = place.open(Purpose::Read).map_err(failed)?;
        if !facts.is_file() {
            return Err(unreadable("this is not a regular file".to_owned()));
        }
        let mut bytes = Vec::new();
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LARGEST {
            let message = format!("this is larger than a decision record may be, {LARGEST} bytes");
            return Err(unreadable(message));
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) if memchr::memchr(0, text.as_bytes()).is_none() => text,
            _ => {
                let message = "this file is not text in UTF-8, so it is skipped";
                let code = ProblemCode::FileNotUtf8;
                return Err(Problem::new(Severity::Note, code, (0, 0), message));
            }
        };
        Ok(adr::read(&text, name).map(|record| FoundRecord {
            path: path.to_owned(),
            number: name.number,
            text: text.into(),
            record,
        }))
    }

    /// Returns the entries of the decision log for the records below a folder; without a folder, for all.
    pub(super) fn decided_records(
        &self,
        records: &Records,
        folder: Option<&Path>,
        superseding: &Superseding,
    ) -> Vec<Decided> {
        let below = folder.map(|folder| plain(&self.setup.cwd.join(folder)));
        let (names, by_discussion) = (DiscussionNames::of(self), superseding.whole_files());
        let listed = records.found.iter().enumerate();
        let listed =
            listed.filter(|(_, one)| below.as_ref().is_none_or(|it| one.path.starts_with(it)));
        listed
            .filter_map(|(index, one)| {
                let by_discussion = by_discussion.get(one.path.as_path());
                let by_discussion = by_discussion.map_or(&[][..], Vec::as_slice);
                self.decided_record(records, &names, index, by_discussion)
            })
            .collect()
    }

    /// Returns the entry of a record; `by_discussion` are the discussions that replace it.
    pub(super) fn decided_record(
        &self,
        records: &Records,
        names: &DiscussionNames<'_>,
        index: usize,
        by_discussion: &[&Path],
    ) -> Option<Decided> {
        let one = &records.found[index];
        let link = |path: &Path| DecisionLink {
            file: self.exactly(path),
            decision: None,
            own: None,
            name: names.of_file(path),
        };
        let path = |at: &usize| records.found[*at].path.as_path();
        let replaced_by = records.relations.replaced_by(index).iter().map(path);
        let links = RecordLinks {
            replaces: records.relations.replaces(index).iter().map(path).map(link).collect(),
            replaced_by: replaced_by.chain(by_discussion.iter().copied()).map(link).collect(),
        };
        let sighted = self.sighted_record(&one.path, names);
        Decided::of_record(&one.record, one.number, links, &sighted)
    }

    /// Returns the records that contain all words and pass the filters. `first` is the index of the first record among
    /// all searched files; `with` counts the files that contain each word.
    pub(super) fn searched_records(
        &self,
        search: &Search,
        (records, names): (&Records, &DiscussionNames<'_>),
        words: &SearchWords,
        (first, with): (usize, &mut [usize]),
    ) -> Vec<ReadDiscussion> {
        let mut all = Vec::new();
        for (index, one) in records.found.iter().enumerate() {
            let stands = words.stand_in(one.text.as_bytes());
            with.iter_mut().zip(&stands).for_each(|(count, stands)| *count += usize::from(*stands));
            let status = record_status(&one.record);
            let state = record_state(&one.record, !records.relations.replaced_by(index).is_empty());
            let updated = records.date(index);
            let passes = search.by.is_none()
                && search.status.is_none_or(|wanted| wanted == status)
                && search.since.is_none_or(|since| updated.is_some_and(|at| at >= since));
            if stands.is_empty() || stands.contains(&false) || !passes {
                continue;
            }
            let mut looked = records.looked(index, first + index);
            looked.passages.retain(|one| search.kind.is_none_or(|kind| kind == one.kind));
            let (sighted, title) =
                (self.sighted_record(&one.path, names), one.record.title.clone());
            let words = state.map_or("no status", ItemState::as_str).replace('-', " ");
            let standing = match state {
                None | Some(ItemState::Proposed) => Standing::Open,
                Some(ItemState::Answered) => Standing::Answered,
                Some(ItemState::InForce) => Standing::InForce,
                Some(ItemState::NotAdopted) => Standing::NotAdopted,
                Some(ItemState::Replaced) => Standing::Replaced,
                Some(ItemState::Withdrawn) => Standing::Withdrawn,
            };
            let states =
                state.map(|state| (WHOLE_FILE, (state, words.clone()))).into_iter().collect();
            all.push(ReadDiscussion { looked, sighted, title, status, standing, states, words });
        }
        all
    }

    /// Returns the facts about a record's file that its text does not contain.
    pub(super) fn sighted_record(&self, path: &Path, names: &DiscussionNames<'_>) -> Sighted {
        let file = self.exactly(path);
        Sighted { name: names.of_file(path), file, modified: None, now: self.now(), parent: None }
    }

    /// Returns the messages about records that cannot be read.
    pub(super) fn unreadable_records(
        &self,
        records: &Records,
        folder: Option<&Path>,
    ) -> Vec<Unreadable> {
        let below = folder.map(|folder| plain(&self.setup.cwd.join(folder)));
        let told = records.unread.iter();
        let told = told.filter(|(path, _)| below.as_ref().is_none_or(|it| path.starts_with(it)));
        let message = |path: &Path, message: &str| format!("{}: {message}", self.shown_path(path));
        told.map(|(path, problem)| Unreadable {
            message: message(path, &problem.message),
            fix: problem.fix,
        })
        .collect()
    }

    /// Returns the problems of the records that are named by a path, or that are below a named folder; without names,
    /// of all.
    pub(super) fn check_records(&self, names: &[PathBuf]) -> Vec<Checked> {
        let named: Vec<PathBuf> =
            names.iter().map(|name| plain(&self.setup.cwd.join(name))).collect();
        let is_named =
            |path: &Path| named.is_empty() || named.iter().any(|name| path.starts_with(name));
        let folders = self.record_folders();
        if !folders
            .iter()
            .any(|folder| is_named(folder) || named.iter().any(|name| name.starts_with(folder)))
        {
            return Vec::new();
        }
        let records = self.records();
        let checked = |path: &Path, text: &Text, problems: &[Problem]| Checked {
            file: self.exactly(path),
            problems: problems.to_vec(),
            text: text.clone(),
            diffs: Vec::new(),
            is_discussion: false,
        };
        let problems = self.check().record_problems(&records, &folders);
        let found = records.found.iter().zip(&problems);
        let found = found.filter(|(one, problems)| !problems.is_empty() && is_named(&one.path));
        let found = found.map(|(one, problems)| checked(&one.path, &one.text, problems));
        let unread = records.unread.iter().filter(|(path, _)| is_named(path));
        let unread = unread
            .map(|(path, problem)| checked(path, &Text::default(), std::slice::from_ref(problem)));
        found.chain(unread).collect()
    }
}

impl Records {
    /// Returns true if a record is accepted and no record replaced it.
    pub(super) fn in_force(&self, index: usize) -> bool {
        self.found[index].record.is_accepted() && self.relations.replaced_by(index).is_empty()
    }

    /// Returns the record at an index as a text that was searched; `file` is its index in the list of files.
    pub(super) fn looked(&self, index: usize, file: usize) -> Looked {
        let FoundRecord { text, record, .. } = &self.found[index];
        let (in_force, updated) = (self.in_force(index), self.date(index));
        let passages = record_passages(record, text, in_force, updated);
        Looked { file, passages, agreed: in_force, updated }
    }

    /// Returns a record as a text in which a question is looked for; `None` unless it may be in force: a record without a
    /// status may be, because MADR allows to leave it out.
    pub(super) fn recalled(
        &self,
        index: usize,
        file: usize,
        by_discussion: &HashMap<&Path, Vec<&Path>>,
        wanted: Remembered,
    ) -> Option<Looked> {
        let one = &self.found[index];
        let may_be = matches!(one.record.kind(), None | Some(StatusKind::Accepted));
        let replaced = !self.relations.replaced_by(index).is_empty()
            || by_discussion.contains_key(one.path.as_path());
        let is_wanted = match wanted {
            Remembered::Standing => may_be && !replaced,
            Remembered::All => one.record.is_decided(),
        };
        is_wanted.then(|| self.looked(index, file))
    }

    /// Returns the first second of the day of a record.
    pub(super) fn date(&self, index: usize) -> Option<Time> {
        midnight(&self.found[index].record)
    }
}

fn unreadable(message: String) -> Problem {
    let message = visible_line(&message);
    Problem::new(Severity::Warning, ProblemCode::Unreadable, (0, 0), message)
}

#[cfg(test)]
mod tests;
