//! Earlier decisions: finds those nearest to a question, lists them in a new discussion, and computes which are
//! superseded, from the links of all discussions at once.

use std::path::Path;

use memchr::memmem;

use super::Workspace;
use super::create::{CreateError, NewDiscussion};
use super::environment::{link_between, plain};
use super::error::WorkspaceError;
use super::files::{FoundFile, each, files_below};
use super::find::DiscussionNames;
use super::overview::is_discussion;
use super::replaced::{KnownLinks, ReplacedDecision, SupersedeLink};
use crate::boundary;
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::search::{
    Corpus, Looked, SearchWords, near_enough, nearest, passages, promising, seconds_before,
};

use crate::state::DecisionState;
use crate::store::{self, Document};
use crate::template::{Recall, Template};
use crate::transcript::{Time, inline, visible_line};
use crate::view::{self, Decided, DecisionLink, Recalled, Sighted};

/// The maximum number of earlier decisions that the program points out by itself.
const NOTED: usize = 3;
/// The minimum similarity: a decision that shares less with a question is unrelated.
const LEAST: f64 = 0.2;
/// The maximum size of the section in bytes: 1,500 tokens of four letters.
const SECTION: usize = 6_000;
/// The maximum number of characters of one decision in it.
const ONE: usize = 600;
/// The maximum number of discussions of a circle that a message names.
const NAMED: usize = 10;
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
        let records = self.records();
        let by_discussion = replaced.whole_files();
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
                let looked = records.recalled(*index - files.len(), *index, &by_discussion)?;
                let is_late =
                    since.is_none_or(|since| looked.updated.is_some_and(|at| at >= since));
                return is_late.then_some((looked, None));
            };
            let document = self.readable(file)?;
            let snapshot = self.snapshot_of(&document).ok()?;
            let sighted = self.sighted(&file.path, &document, &snapshot, &names, now);
            if !(is_discussion(&document, &snapshot) && replaced.in_force(&file.path, &snapshot)) {
                return None;
            }
            let updated = sighted.updated(&snapshot);
            let is_late = since.is_none_or(|since| updated.is_some_and(|at| at >= since));
            let agreed = snapshot.outcome().consensus.reached;
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
                None => self.decided_record(&records, &names, near.file - files.len(), &[]),
            };
            Some((decided?, near))
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

/// The word that every file with a link contains.
const WORD: &[u8] = b"SUPERSEDES";

impl Workspace {
    /// Returns the links of these files.
    fn replaced_in(&self, files: &[FoundFile]) -> ReplacedDecision {
        let names = DiscussionNames::of(self);
        let links = each(files, |file| Some(self.links_of(file, &self.readable(file)?, &names)));
        ReplacedDecision::of(links.into_iter().flatten())
    }

    /// Returns the links of a file that was read.
    fn links_of(
        &self,
        file: &FoundFile,
        document: &Document,
        names: &DiscussionNames,
    ) -> Vec<SupersedeLink> {
        let read = || {
            memmem::find(document.text.as_bytes(), WORD)?;
            let snapshot = self.snapshot_of(document).ok()?;
            let sighted = self.sighted(&file.path, document, &snapshot, names, self.now());
            Some(self.links_of_snapshot(&file.path, &snapshot, &sighted))
        };
        read().unwrap_or_default()
    }

    /// Returns the links of a discussion that was read; none while it is undecided.
    pub(super) fn links_of_snapshot(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        sighted: &Sighted,
    ) -> Vec<SupersedeLink> {
        // Most discussions have no link, and their decision takes longer to compute.
        if snapshot.state.superseded.is_empty() {
            return Vec::new();
        }
        let decided = Decided::of(snapshot, sighted);
        decided.map(|one| self.links(path, snapshot, &one.at)).unwrap_or_default()
    }

    /// Returns the links of all discussions below a folder.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub(super) fn replaced_below(&self, folder: &Path) -> Result<ReplacedDecision, WorkspaceError> {
        self.setup.insist_inside(folder)?;
        let files = if folder.is_dir() { files_below(folder)? } else { Vec::new() };
        Ok(self.replaced_in(&files))
    }

    pub(super) fn links(&self, path: &Path, snapshot: &Snapshot, at: &str) -> Vec<SupersedeLink> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let live = |number: u32| {
            let found = snapshot.state.decisions.iter().find(|one| one.number == number);
            found.is_some_and(|one| one.state == DecisionState::Live)
        };
        let all = snapshot.state.superseded.iter().filter(|one| one.by.is_none_or(live));
        all.map(|one| SupersedeLink {
            from: plain(path),
            by: one.by,
            to: plain(&folder.join(&one.file)),
            number: one.number,
            at: at.to_owned(),
        })
        .collect()
    }

    /// Adds to each decision the decisions that it supersedes and those that supersede it.
    pub(super) fn link(
        &self,
        replaced: &ReplacedDecision,
        path: &Path,
        snapshot: &Snapshot,
        one: &mut Decided,
    ) {
        let path = plain(path);
        let of = |file: &Path, decision: Option<u32>, own: Option<u32>| DecisionLink {
            file: self.exactly(file),
            decision: decision.map(|number| format!("D{number}")),
            own: own.map(|number| format!("D{number}")),
            name: self.name(file),
        };
        let replacing = replaced.leading_to(&path);
        one.replaced_by = replacing.map(|link| of(&link.from, link.by, link.number)).collect();
        let old = replaced.coming_from(&path);
        one.replaces = old.map(|link| of(&link.to, link.number, link.by)).collect();
        one.in_force = replaced.in_force(&path, snapshot);
        replaced.keep_in_force(&path, snapshot, &mut one.reviews);
        for link in replaced.leading_to(&path) {
            one.notes.supersede(link.number);
            let over = |number: u32| link.number.is_none_or(|replaced| replaced == number);
            for stated in one.decisions.iter_mut().filter(|stated| over(stated.number)) {
                stated.review_by = None;
            }
        }
    }

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
        let all = known.links_beside(path, self);
        let own = plain(path);
        let mut problems = Vec::new();
        let circle = all.circle_of(&own).iter().take(NAMED);
        let circle: Vec<String> = circle.map(|file| visible_line(&self.exactly(file))).collect();
        if let (Some(first), false) = (snapshot.state.superseded.first(), circle.is_empty()) {
            let message = format!(
                "these discussions replace each other in a circle, so none may be in force; remove one of the \
                 links: {}",
                circle.join(", ")
            );
            let place = (first.line, first.column);
            let code = ProblemCode::LinkContradicted;
            problems.push(Problem::new(Severity::Warning, code, place, message));
        }
        for one in &snapshot.state.superseded {
            let to = plain(&folder.join(&one.file));
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
            let target = if inside { self.snapshot(&to).ok() } else { None };
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
            let mine = |link: &&SupersedeLink| {
                link.from == own && link.to == to && link.number == one.number && link.by == one.by
            };
            let Some(mine) = all.between(&own, &to).find(mine) else { continue };
            let against = all.between(&to, &own).find(|other| mine.opposes(other));
            if let Some(other) = against {
                let which = if mine.is_later(other) {
                    "this link is later and counts"
                } else {
                    "the other link is later and counts"
                };
                let message =
                    format!("{shown} says that it replaces this discussion's decision; {which}");
                problems.push(warn(ProblemCode::LinkContradicted, message));
            }
            let rival = |other: &&SupersedeLink| {
                let settled =
                    |a: &Path, b: &Path| all.between(a, b).any(|it| it.from == a && it.to == b);
                mine.competes(other)
                    && mine.is_later(other)
                    && !settled(&mine.from, &other.from)
                    && !settled(&other.from, &mine.from)
            };
            if let Some(other) = all.all_to(&to).find(rival) {
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
