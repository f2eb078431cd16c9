//! Judges words that only a branch had: they may come and go, but only by their author.

use std::collections::HashSet;
use std::rc::Rc;

use super::GateReport;
use super::judge::{Finding, JudgeContext, OWN_EDIT};
use super::sides::Objects;
use super::version::Version;
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;
use crate::store::{BlockText, CommitWords, HistoryReader, block_hash};
use crate::transcript::{Accepted, Control, visible_line};
use crate::view::PublishedChange;
use crate::workspace::Workspace;
use crate::workspace::people::People;

impl Workspace {
    /// Judges words that only the branch had: an author's edit is a note, another person's is an error.
    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    pub(super) fn judge_range(
        &self,
        context: &JudgeContext<'_>,
        people: &People,
        old: &[Vec<Rc<Version>>],
        differing: &[Rc<Version>],
        objects: &Objects,
        report: &mut GateReport,
        history: &HistoryReader,
    ) {
        let in_base: HashSet<&BlockText> = old
            .iter()
            .flatten()
            .flat_map(|version| version.blocks.iter().map(|block| &block.text))
            .collect();
        let accepted: Vec<String> = differing
            .iter()
            .flat_map(|version| version.blocks.iter().filter_map(|block| version.accepted(block)))
            .map(|line| line.was.clone())
            .collect();
        let words = context.commits.words;
        for (at, commit) in words.iter().enumerate() {
            for (text, lost) in &commit.lost {
                let Some(name) = text.as_str().strip_prefix("Name: ") else { continue };
                let name = name.lines().next().unwrap_or_default();
                if in_base.contains(text) || context.head_counts.contains_key(text) {
                    continue;
                }
                let added = words[..at].iter().rev().find(|earlier| {
                    earlier.added.get(text).is_some_and(|it| !it.topics.is_disjoint(&lost.topics))
                });
                let Some(added) = added.filter(|it| people.is(name, &it.commit.author)) else {
                    continue;
                };
                let place = differing.iter().find(|version| {
                    lost.topics.contains(version.topic()) || lost.paths.contains(&version.path)
                });
                let path = place.map(|it| it.path.clone()).or_else(|| lost.paths.first().cloned());
                let path = history.path_of(&path.unwrap_or_default());
                let is_author = people.is(name, &commit.commit.author);
                if is_author && !is_seen(commit, text, objects) {
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

/// Returns true if a turn stands below a block in the version that a commit changed.
fn is_seen(commit: &CommitWords, text: &BlockText, objects: &Objects) -> bool {
    commit.pages.iter().filter_map(|page| objects.text(page.old.as_ref()?)).any(|old| {
        let version = Version::new(Vec::new(), old.to_string());
        let place = version.blocks.iter().position(|block| block.text == *text);
        place.is_some_and(|place| {
            let below = version.blocks[place..].iter();
            below.into_iter().any(|block| matches!(version.control(block), Some(Control::Turn(_))))
        })
    })
}
