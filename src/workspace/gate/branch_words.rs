//! Judges words that only a branch had: they may come and go, but only by their author.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::GateReport;
use super::judge::{Finding, JudgeContext, OWN_EDIT};
use super::losses::changed_part;
use super::removed::REMOVES;
use super::sides::Objects;
use super::version::Version;
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;
use crate::store::{AddedBlock, BlockText, CommitWords, HistoryReader, ObjectId, block_hash};
use crate::transcript::{Accepted, visible_line};
use crate::view::PublishedChange;
use crate::workspace::Checks;
use crate::workspace::people::People;

impl Checks<'_> {
    /// Judges a topic that only the branch had, and that an ordinary commit changed below the words of others.
    fn judge_topics(
        &self,
        context: &JudgeContext<'_>,
        old: &[Vec<Rc<Version>>],
        differing: &[Rc<Version>],
        (commit, accepted, objects): (&CommitWords, &HashSet<String>, &Objects),
        report: &mut GateReport,
        history: &HistoryReader,
    ) {
        // A merge changes only what none of its parents has.
        let is_merge = commit.commit.parents.len() > 1;
        let read = |path: &[u8], object: Option<&ObjectId>| {
            let version = Version::new(path.to_vec(), objects.text(object?)?.to_string());
            version.transcript.is_discussion().then_some(version)
        };
        // Only a lost topic can be a changed one; no other version is read.
        let pages = || commit.pages.iter().filter(|page| page.old != page.new);
        for page in pages().filter(|page| commit.lost_topics.contains(&page.path)) {
            let Some(before) = read(&page.path, page.old.as_ref()) else { continue };
            let topic = before.topic();
            let is_known = |version: &Rc<Version>| version.topic() == topic;
            // What the base has is compared with the base, and what is there again is no loss.
            let is_base = old.iter().flatten().any(is_known);
            if is_base || differing.iter().any(is_known) {
                continue;
            }
            let after: Vec<Version> =
                pages().filter_map(|page| read(&page.path, page.new.as_ref())).collect();
            let is_kept = after.iter().any(|version| version.topic() == topic);
            let all: HashSet<&BlockText> =
                before.blocks.iter().skip(1).map(|block| &block.text).collect();
            let shares = |version: &&Version| {
                version.blocks.iter().skip(1).any(|block| all.contains(&block.text))
            };
            let successor = after.iter().find(|version| version.path == before.path);
            let successor = successor.filter(shares).or_else(|| after.iter().find(shares));
            let Some(after) = successor.filter(|_| !is_kept) else { continue };
            if is_merge && !commit.added.contains_key(after.topic()) {
                continue;
            }
            let was = before.hash(&before.blocks[0]);
            let is_other = |name: &String| !context.people.is(name, &commit.commit.author);
            let Some(other) = before.names().find(is_other) else { continue };
            if accepted.contains(&was) {
                continue;
            }
            let message = format!(
                "{} changed {} of this branch below the words of {}; put it back, or accept the change",
                (context.describe)(&commit.commit),
                changed_part(&before, after),
                visible_line(&other),
            );
            let shares_with_head = |version: &&Rc<Version>| shares(&version.as_ref());
            let place = differing.iter().find(|it| it.path == after.path);
            let place = place.or_else(|| differing.iter().find(shares_with_head));
            let Some(place) = place else { continue };
            let mut finding =
                Finding::new(Severity::Error, ProblemCode::HistoryRewritten, 1, message);
            finding.fix = Some(Fix::AcceptPublished);
            let texts = (topic.as_str().to_owned(), after.topic().as_str().to_owned());
            finding.texts = Some(texts.clone());
            finding.loss = Some(PublishedChange {
                was,
                after: Accepted::START.to_owned(),
                text: texts.0,
                of: None,
                now: Some((after.hash(&after.blocks[0]), texts.1)),
            });
            report.add(history.path_of(&place.path), finding);
        }
    }

    /// Judges words that only the branch had: an author's edit is a note, another person's is an error.
    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    pub(super) fn judge_range(
        &self,
        context: &JudgeContext<'_>,
        people: &People,
        old: &[Vec<Rc<Version>>],
        differing: &[Rc<Version>],
        (objects, removals): (&Objects, &HashSet<String>),
        report: &mut GateReport,
        history: &HistoryReader,
    ) {
        let accepted: HashSet<String> = differing
            .iter()
            .flat_map(|version| version.blocks.iter().filter_map(|block| version.accepted(block)))
            .map(|line| line.was.clone())
            .collect();
        let known = KnownBlocks::of(old, differing);
        let words = context.commits.words;
        for (at, commit) in words.iter().enumerate() {
            self.judge_topics(
                context,
                old,
                differing,
                (commit, &accepted, objects),
                report,
                history,
            );
            let mut all: Vec<(&BlockText, &AddedBlock)> = commit.lost.iter().collect();
            all.sort_by_key(|(text, _)| *text);
            for (text, lost) in all {
                let Some(name) = name_in(text) else { continue };
                let name = name.as_str();
                // An equal block in another discussion is not this one.
                if known.has(text, lost) {
                    continue;
                }
                let is_kept = context.head_counts.contains_key(text);
                if is_kept && effect_of(text).is_none() {
                    continue;
                }
                let earlier = context.commits.adding_anywhere(text).filter(|before| *before < at);
                let added = earlier.map(|before| &words[before]).find(|earlier| {
                    earlier.added.get(text).is_some_and(|it| !it.topics.is_disjoint(&lost.topics))
                });
                let Some(added) = added.filter(|it| people.is(name, &it.commit.author)) else {
                    continue;
                };
                let place = known.place_of(lost);
                let path = place.or(lost.paths.first()).map_or(&[][..], Vec::as_slice);
                let shown = visible_line(&String::from_utf8_lossy(path));
                // A message may remove a discussion that only the branch had, too.
                if place.is_none() && removals.contains(&shown) {
                    continue;
                }
                let path = history.path_of(path);
                let is_author = people.is(name, &commit.commit.author);
                if is_author && !lost.is_seen {
                    let note = Finding::new(Severity::Note, ProblemCode::OwnEdit, 0, OWN_EDIT);
                    report.add(path, note);
                    continue;
                }
                let was = block_hash(text.as_str());
                if accepted.contains(&was) {
                    continue;
                }
                let which = if is_author {
                    "that a turn has seen".to_owned()
                } else {
                    let adder = (context.describe)(&added.commit);
                    format!("which {adder} had added on this branch")
                };
                let message = format!(
                    "{} changed or removed words of {}, {which}; put them back",
                    (context.describe)(&commit.commit),
                    visible_line(name),
                );
                let mut finding =
                    Finding::new(Severity::Error, ProblemCode::HistoryRewritten, 0, message);
                finding.fix = Some(Fix::AcceptPublished);
                finding.message_line = place.is_none().then(|| format!("{REMOVES}: {shown}"));
                finding.texts = Some((text.as_str().to_owned(), String::new()));
                finding.loss = Some(PublishedChange {
                    was,
                    after: Accepted::START.to_owned(),
                    text: text.as_str().to_owned(),
                    of: Some(name.to_owned()),
                    now: None,
                });
                report.add(path, finding);
            }
        }
    }
}

/// The blocks of both sides, as far as their discussions differ.
struct KnownBlocks<'v> {
    with_block: HashMap<&'v BlockText, Vec<&'v Version>>,
    /// The first discussion of the head with a topic.
    by_topic: HashMap<&'v BlockText, &'v Version>,
    /// The discussions of the head by path.
    by_path: HashMap<&'v [u8], &'v Version>,
}

impl<'v> KnownBlocks<'v> {
    fn of(old: &'v [Vec<Rc<Version>>], differing: &'v [Rc<Version>]) -> Self {
        let mut known =
            Self { with_block: HashMap::new(), by_topic: HashMap::new(), by_path: HashMap::new() };
        for version in old.iter().flatten().chain(differing) {
            for block in &version.blocks {
                known.with_block.entry(&block.text).or_default().push(version);
            }
        }
        for version in differing {
            known.by_topic.entry(version.topic()).or_insert(version);
            known.by_path.insert(&version.path, version);
        }
        known
    }

    /// Returns true if a side has a block in the discussion that lost it.
    fn has(&self, text: &BlockText, lost: &AddedBlock) -> bool {
        let is_place = |version: &&Version| {
            lost.topics.contains(version.topic()) || lost.paths.contains(&version.path)
        };
        self.with_block.get(text).is_some_and(|versions| versions.iter().any(is_place))
    }

    /// Returns the path in the head of the discussion that lost a block.
    fn place_of(&self, lost: &AddedBlock) -> Option<&Vec<u8>> {
        let by_topic = lost.topics.iter().find_map(|topic| self.by_topic.get(topic));
        let by_path = || lost.paths.iter().find_map(|path| self.by_path.get(path.as_slice()));
        let found = by_topic.or_else(by_path);
        found.map(|version| &version.path)
    }
}

/// Returns a version with a single block.
fn version_of_block(text: &BlockText) -> Version {
    Version::new(Vec::new(), format!("# T\n\n---\n\n{}\n", text.as_str()))
}

/// Returns the name in a block: the author of a comment, or the person in a control line.
fn name_in(text: &BlockText) -> Option<String> {
    if let Some(name) = text.as_str().strip_prefix("Name: ") {
        return name.lines().next().map(str::to_owned);
    }
    if !text.as_str().contains("by:") {
        return None;
    }
    version_of_block(text).names().next()
}

fn effect_of(text: &BlockText) -> Option<String> {
    let version = version_of_block(text);
    version.effect(version.blocks.get(1)?)
}
