//! Earlier decisions: finds those nearest to a question, and writes the section of a new discussion that lists them.

use std::path::Path;

use super::Workspace;
use super::create::{CreateError, NewDiscussion};
use super::environment::link_between;
use super::error::WorkspaceError;
use super::find::DiscussionNames;
use super::folder::{FoundFile, each, files_below};
use super::overview::is_discussion;
use super::superseded::ReplacedDecision;
use crate::engine::Decision;
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

impl Workspace {
    /// Returns the decisions nearest to a question, the nearest first: at most `most` of them (0: all), and none older
    /// than `since`. Leaves out superseded decisions, and discussions that cannot be read, as every list of decisions
    /// does.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub fn recall(
        &self,
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
            Some((stand, self.links_of(file, &document, &names)))
        });
        let (stands, links): (Vec<_>, Vec<_>) = seen.into_iter().map(Option::unzip).unzip();
        let replaced = ReplacedDecision::of(links.into_iter().flatten());
        let mut with = vec![0; words.len()];
        let readable = stands.iter().flatten().count();
        for stand in stands.iter().flatten() {
            with.iter_mut().zip(stand).for_each(|(count, stands)| *count += usize::from(*stands));
        }
        let corpus = Corpus { files: readable, with };
        let stands: Vec<Vec<bool>> = stands.into_iter().map(Option::unwrap_or_default).collect();
        let read = each(&promising(&corpus, &stands), |index| {
            let file = &files[*index];
            let document = self.readable(file)?;
            let snapshot = self.snapshot_of(&document).ok()?;
            let sighted = self.sighted(&file.path, &document, &snapshot, &names, now);
            if !(is_discussion(&document, &snapshot) && replaced.in_force(&file.path, &snapshot)) {
                return None;
            }
            let updated = sighted.updated(&snapshot);
            let is_late = since.is_none_or(|since| updated.is_some_and(|at| at >= since));
            let agreed = Decision::of(&snapshot).reached;
            let passages = passages(&snapshot, updated);
            let looked = Looked { file: *index, passages, agreed, updated };
            is_late.then_some((looked, (snapshot, sighted)))
        });
        let (looked, whole): (Vec<Looked>, Vec<_>) = read.into_iter().flatten().unzip();
        let place = |file: usize| looked.partition_point(|one| one.file < file);
        let all = nearest(&words, &corpus, &looked, now);
        let found = all.into_iter().filter(|near| near.share >= LEAST).filter_map(|near| {
            let (snapshot, sighted) = &whole[place(near.file)];
            Some((Decided::of(snapshot, sighted)?, near))
        });
        let (mut decided, near): (Vec<Decided>, Vec<_>) = found.unzip();
        // A sub-discussion's decision that its parent repeats is shown only with the parent.
        Decided::tell_repeated(&mut decided);
        let own = decided.iter().zip(near).filter(|(decided, _)| !decided.repeats_parent);
        let told = own.map(|(decided, near)| {
            let mut one = Recalled::of(decided, near.score, near.share);
            one.is_near = near_enough(question, &[&one.title, &one.decision]);
            one
        });
        Ok(told.take(if most == 0 { usize::MAX } else { most }).collect())
    }

    /// Returns earlier decisions that a new discussion may repeat, at most three; none if its text already lists some.
    ///
    /// # Errors
    /// Fails like [`Workspace::recall`].
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
        let asked = new.recall.map(Recall::of).transpose().map_err(CreateError::Recall)?;
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
                inline(&cut(&one.decision)),
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
