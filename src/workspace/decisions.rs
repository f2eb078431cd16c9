//! Earlier decisions: finds those nearest to a question, lists them in a new discussion, and computes which are
//! superseded, from the links of all discussions at once.

use std::path::Path;

use super::create::NewDiscussion;
use super::environment::{link_between, plain};
use super::error::WorkspaceError;
use super::files::{FoundFile, each, files_below};
use super::find::DiscussionNames;
use super::outcomes::{KnownLinks, linked_file};
use super::overview::is_discussion;
use super::{Checks, Decisions};
use crate::boundary;
use crate::codes::ProblemCode;
use crate::engine::{ProjectLink, Snapshot, Standing};
use crate::problem::{Problem, Severity};
use crate::search::{
    Corpus, Looked, SearchWords, near_enough, nearest, passages, promising, seconds_before,
};

use crate::store;
use crate::template::{Recall, Template};
use crate::transcript::{Time, inline, visible_line};
use crate::view::{self, Decided, Recalled};

/// The maximum number of earlier decisions that the program points out by itself.
const NOTED: usize = 3;
/// The minimum similarity: a decision that shares less with a question is unrelated.
const LEAST: f64 = 0.2;
/// The maximum size of the section in bytes: 1,500 tokens of four letters.
const SECTION: usize = 6_000;
/// The maximum number of characters of one decision in it.
const ONE: usize = 600;
/// The heading of the section.
const HEADING: &str = "## Decided before";

/// The outcomes that a recall finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remembered {
    /// Decisions in force and answers.
    Standing,
    /// All outcomes, each with its mark.
    All,
}

impl Decisions<'_> {
    /// Returns the decisions in force and the answers nearest to a question, the nearest first: at most `most` of them
    /// (0: all), and none older than `since`. Leaves out discussions that cannot be read, as every list of decisions does.
    ///
    /// # Errors
    /// Fails like `Discussions::list`.
    pub fn recall(
        &self,
        question: &str,
        most: usize,
        since: Option<Time>,
    ) -> Result<Vec<Recalled>, WorkspaceError> {
        self.recall_of(Remembered::Standing, question, most, since)
    }

    /// Returns what was ever decided about a question, and what was not: like [`Decisions::recall`], with all outcomes.
    ///
    /// # Errors
    /// Fails like `Discussions::list`.
    pub fn recall_all(
        &self,
        question: &str,
        most: usize,
        since: Option<Time>,
    ) -> Result<Vec<Recalled>, WorkspaceError> {
        self.recall_of(Remembered::All, question, most, since)
    }

    fn recall_of(
        &self,
        wanted: Remembered,
        question: &str,
        most: usize,
        since: Option<Time>,
    ) -> Result<Vec<Recalled>, WorkspaceError> {
        let folder = self.output_directory();
        self.setup.insist_inside(&folder)?;
        let files = if folder.is_dir() { files_below(&folder)? } else { Vec::new() };
        let words = SearchWords::of_question(question);
        let (names, now) = (DiscussionNames::of(self), self.now());
        // Each file is read once for two results: the question's words in it, and the decisions that it supersedes.
        let seen = each(&files, |file| {
            let document = self.readable(file)?;
            let stand = words.stand_in(document.text.as_bytes());
            Some((stand, self.linking(&file.path, &document)))
        });
        let (stands, linking): (Vec<_>, Vec<_>) = seen.into_iter().map(Option::unzip).unzip();
        let links = self.links_of(linking.into_iter().flatten().flatten().collect());
        let superseding = links.superseding;
        let records = self.records();
        let by_discussion = superseding.whole_files();
        let of_records = records.found.iter().map(|one| words.stand_in(one.text.as_bytes()));
        let stands: Vec<_> = stands.into_iter().chain(of_records.map(Some)).collect();
        let mut with = vec![0; words.len()];
        let readable = stands.iter().flatten().count();
        for stand in stands.iter().flatten() {
            with.iter_mut().zip(stand).for_each(|(count, stands)| *count += usize::from(*stands));
        }
        let corpus = Corpus { files: readable, with };
        let stands: Vec<Vec<bool>> = stands.into_iter().map(Option::unwrap_or_default).collect();
        let read = each(&promising(&corpus, &stands), |index| {
            let Some(file) = files.get(*index) else {
                let looked =
                    records.recalled(*index - files.len(), *index, &by_discussion, wanted)?;
                let is_late =
                    since.is_none_or(|since| looked.updated.is_some_and(|at| at >= since));
                return is_late.then_some((looked, None));
            };
            let document = self.readable(file)?;
            let mut snapshot = self.snapshot_of(&document).ok()?;
            superseding.apply(&plain(&file.path), &mut snapshot);
            let modified = document.modified;
            let sighted = self.discussions().sighted(&file.path, modified, &snapshot, &names, now);
            let outcome = snapshot.outcome();
            let is_wanted = match wanted {
                Remembered::Standing => outcome.decision().is_some(),
                Remembered::All => outcome.standing != Standing::Open,
            };
            if !(is_wanted && is_discussion(&document, &snapshot)) {
                return None;
            }
            let updated = sighted.updated(&snapshot);
            let is_late = since.is_none_or(|since| updated.is_some_and(|at| at >= since));
            let agreed = outcome.standing == Standing::InForce;
            let passages = passages(&snapshot, updated);
            let looked = Looked { file: *index, passages, agreed, updated };
            is_late.then_some((looked, Some((snapshot, sighted))))
        });
        let (looked, whole): (Vec<Looked>, Vec<_>) = read.into_iter().flatten().unzip();
        let place = |file: usize| looked.partition_point(|one| one.file < file);
        let all = nearest(&words, &corpus, &looked, now);
        let found = all.into_iter().filter(|near| near.share >= LEAST).filter_map(|near| {
            let decided = match &whole[place(near.file)] {
                Some((snapshot, sighted)) => Decided::of(snapshot, sighted),
                None => {
                    let index = near.file - files.len();
                    let by = by_discussion.get(records.found[index].path.as_path());
                    self.decided_record(&records, &names, index, by.map_or(&[], Vec::as_slice))
                }
            };
            Some((decided?, near))
        });
        let (mut decided, near): (Vec<Decided>, Vec<_>) = found.unzip();
        // A sub-discussion's decision that its parent repeats is shown only with the parent.
        Decided::tell_repeated(&mut decided);
        let own = decided.iter().zip(near).filter(|(decided, _)| !decided.repeats_parent);
        let told = own.map(|(decided, near)| {
            let mut one = Recalled::of(decided, near.score, near.share);
            one.is_near = near_enough(question, &[&one.title, &one.sentence]);
            one
        });
        Ok(told.take(if most == 0 { usize::MAX } else { most }).collect())
    }

    /// Returns earlier decisions that a new discussion may repeat, at most three; none if its text already lists some.
    ///
    /// # Errors
    /// Fails like [`Decisions::recall`].
    pub fn decided_before(&self, path: &Path) -> Result<Vec<Recalled>, WorkspaceError> {
        let snapshot = self.snapshot(path)?;
        if snapshot.transcript.preamble_text().lines().any(|line| line == HEADING) {
            return Ok(Vec::new());
        }
        let mut all = self.recall(&snapshot.state.title, 0, None)?;
        let own = self.exactly(path);
        all.retain(|one| one.is_near && one.file != own);
        all.truncate(NOTED);
        Ok(all)
    }

    /// Returns the text of a file, if it can be read and may be read.
    pub(super) fn readable(&self, file: &FoundFile) -> Option<store::Document> {
        self.document(&file.path).ok()
    }

    /// Returns the section with earlier decisions for a new discussion in `folder`; an empty text if it is not wanted
    /// or no decision is near.
    pub(super) fn recalled(
        &self,
        template: &Template,
        new: &NewDiscussion,
        folder: &Path,
    ) -> Result<String, WorkspaceError> {
        let asked = new.recall.map(Recall::of).transpose().map_err(WorkspaceError::refuse)?;
        let Some(rule) = asked.or(template.recall).or(self.setup.config.recall) else {
            return Ok(String::new());
        };
        if rule.n == 0 {
            return Ok(String::new());
        }
        let since = rule.within.and_then(|seconds| seconds_before(self.now(), seconds));
        let found = self.recall(&new.title, rule.n as usize, since)?;
        let mut section = String::new();
        for one in &found {
            let to = self.setup.cwd.join(&one.file);
            let day = one.at.get(..10).map(|day| format!(" ({day})")).unwrap_or_default();
            let cut = |text: &str| view::clipped(&visible_line(text), ONE);
            let item = format!(
                "- [{}]({}){day}: {}\n",
                inline(&cut(&one.title)).replace(['[', ']'], ""),
                link_between(folder, &to),
                inline(&cut(&one.marked_sentence())),
            );
            if HEADING.len() + section.len() + item.len() > SECTION {
                break;
            }
            section.push_str(&item);
        }
        if section.is_empty() {
            return Ok(section);
        }
        Ok(format!("{HEADING}\n\n{section}"))
    }
}

impl Checks<'_> {
    /// Returns the problems of a discussion's links: a target that does not exist, or a contradiction to another link.
    pub(super) fn wrong_links(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        known: &KnownLinks,
    ) -> Vec<Problem> {
        if snapshot.state.superseded.is_empty() {
            return Vec::new();
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = known.links_beside(path, self);
        let all = &beside.superseding;
        let own = plain(path);
        let mut problems = Vec::new();
        for one in &snapshot.state.superseded {
            let to = linked_file(path, &one.file);
            let shown = visible_line(&one.file);
            let warn = |code, message| {
                Problem::new(Severity::Warning, code, (one.line, one.column), message)
            };
            if to == own {
                let message = "to replace a decision of this discussion, write `(replaces D1)`; this link leads to \
                               its own file and is ignored";
                problems.push(warn(ProblemCode::LinkBroken, message.to_owned()));
                continue;
            }
            // The link comes from a foreign file, so it must not lead out of the project.
            let inside = boundary::ensure_within(&to, folder).is_ok();
            let known = || beside.end(&to).map(|end| end.snapshot.clone());
            let read = || known().or_else(|| self.snapshot(&to).ok());
            let target = if inside { read() } else { None };
            let Some(target) = target else {
                problems
                    .push(warn(ProblemCode::LinkBroken, format!("there is no discussion {shown}")));
                continue;
            };
            let has = |number: u32| target.state.decisions.iter().any(|it| it.number == number);
            if let Some(number) = one.number.filter(|number| !has(*number)) {
                let message = format!("there is no decision D{number} in {shown}");
                problems.push(warn(ProblemCode::LinkBroken, message));
                continue;
            }
            let mine = all.written_in(&own).find(|it| it.link.line == one.line);
            let Some(mine) = mine else { continue };
            if mine.is_circular {
                let message = format!(
                    "this link and later ones replace each other in a circle; it is the oldest and does not count, so \
                     the decision in {shown} stays in force"
                );
                problems.push(warn(ProblemCode::LinkContradicted, message));
                continue;
            }
            if !mine.counts {
                let message = format!(
                    "this link replaces nothing: people decided in {shown}, and no person stands behind this text"
                );
                problems.push(warn(ProblemCode::LinkNotCounted, message));
                continue;
            }
            let meets = |other: &&ProjectLink| {
                let (here, there) = (mine.link.number, other.link.number);
                other.from != own && (here.is_none() || there.is_none() || here == there)
            };
            let settled = |a: &Path, b: &Path| all.from(a).any(|it| it.to == b);
            let rival = all.to(&to).filter(meets).find(|other| {
                (mine.link.at, &own) > (other.link.at, &other.from)
                    && !settled(&own, &other.from)
                    && !settled(&other.from, &own)
            });
            if let Some(other) = rival {
                let other = visible_line(&self.exactly(&other.from));
                let message = format!(
                    "{other} already replaces this decision, and neither replaces the other; say which one is in \
                     force"
                );
                problems.push(warn(ProblemCode::LinkContradicted, message));
            }
        }
        problems
    }
}
