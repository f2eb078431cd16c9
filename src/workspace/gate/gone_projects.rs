//! Projects whose configuration is gone: their folder is on no disk, so nothing else opens them.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use super::explain::Place;
use super::judge::{Finding, JudgeContext, JudgedDiscussion, judge};
use super::moved_project::MovedProjects;
use super::sides::{Objects, Side, as_folder, folder_in, in_tree};
use super::version::Version;
use super::{GateReport, GateScope};
use crate::codes::ProblemCode;
use crate::config::Project;
use crate::problem::Severity;
use crate::store::{BlockKind, BlockText, HistoryReader, Tree};
use crate::transcript::visible_line;
use crate::workspace::Checks;

/// What the judgement of removed discussions needs.
pub(super) struct RemovedCase<'a> {
    pub(super) context: &'a JudgeContext<'a>,
    /// The base and the head.
    pub(super) sides: (&'a Side, &'a Side),
    /// The removals that messages allow.
    pub(super) removals: &'a HashSet<String>,
    pub(super) parts: (&'a HistoryReader, &'a Objects, &'a GateScope),
}

impl Checks<'_> {
    /// Returns the discussions of the projects below the working folder, of a tree, as far as a filter takes them.
    pub(super) fn discussions_below(
        &self,
        side: &Side,
        wants: impl Fn(&[u8]) -> bool,
        (history, objects): (&HistoryReader, &Objects),
    ) -> Vec<Rc<Version>> {
        let default = self.setup.default_directory();
        let folders: Vec<Vec<u8>> = self
            .projects_below(history, &[side])
            .iter()
            .filter_map(|folder| in_tree(history.top(), folder))
            .map(as_folder)
            .filter(|root| wants(root))
            .map(|root| folder_in(&side.tree, &root, objects, &default))
            .collect();
        if folders.is_empty() {
            return Vec::new();
        }
        let all = Side::new(side.tree.clone(), folders, objects);
        all.files.keys().filter_map(|path| all.version(path, objects)).collect()
    }

    /// Reports the discussions of a base that the head does not continue. `root` is the folder of the project now,
    /// `base_root` the one that it had in the base.
    pub(super) fn judge_lost(
        &self,
        removed: &RemovedCase<'_>,
        lost: &[&Rc<Version>],
        (moved, root, base_root): (&MovedProjects<'_>, &[u8], &[u8]),
        report: &mut GateReport,
    ) {
        if lost.is_empty() {
            return;
        }
        let RemovedCase { context, sides: (side, head), removals, parts: (history, objects, _) } =
            removed;
        let later = moved.later_roots(base_root);
        // A project that is gone from its folder is judged where it is now; of several places, in the first one.
        let is_told = !later.is_empty() && later[0] != root;
        for base in lost {
            if is_told || moved.is_elsewhere(root, base_root, base.topic()) {
                continue;
            }
            let finding = self.judge_removed(context, base, head, removals, objects);
            let moved_words = words_elsewhere(context, base);
            let within = side.folders.iter().find_map(|folder| base.path.strip_prefix(&folder[..]));
            let place = match (head.folders.first(), within) {
                (Some(folder), Some(within)) if root != base_root => {
                    [folder.as_slice(), within].concat()
                }
                _ => base.path.clone(),
            };
            report.add(history.path_of(&place), finding);
            if let Some(finding) = moved_words {
                report.add(history.path_of(&place), finding);
            }
        }
    }

    /// Reports the discussions of projects that a base has and the head lacks, unless another project took them over.
    pub(super) fn judge_gone_projects(
        &self,
        removed: &RemovedCase<'_>,
        moved: &MovedProjects<'_>,
        report: &mut GateReport,
    ) {
        let RemovedCase { context, sides: (base, head), removals, parts } = removed;
        let (history, objects, scope) = *parts;
        let own = self.root_in_tree(history);
        let here: Vec<Vec<u8>> = self
            .projects_below(history, &[head])
            .iter()
            .filter_map(|folder| in_tree(history.top(), folder))
            .map(as_folder)
            .chain([own.clone()])
            .collect();
        // A project that moved below the working folder is judged there.
        let is_judged = |root: &[u8]| moved.later_roots(root).iter().any(|now| here.contains(now));
        let is_gone =
            |root: &[u8]| root != own && !has_project(&head.tree, root) && !is_judged(root);
        let gone = self.discussions_below(base, is_gone, (history, objects));
        if gone.is_empty() {
            return;
        }
        let elsewhere = self.discussions_below(head, |_| true, (history, objects));
        let own = head.files.keys().filter_map(|path| head.version(path, objects));
        let now: Vec<Rc<Version>> = elsewhere.into_iter().chain(own).collect();
        for base in gone.iter().filter(|base| scope.has(history, &base.path)) {
            let all: HashSet<&BlockText> = base.blocks.iter().map(|block| &block.text).collect();
            let shared = |head: &&Rc<Version>| {
                head.blocks.iter().filter(|block| all.contains(&block.text)).count()
            };
            let of_topic = now.iter().filter(|version| version.topic() == base.topic());
            let Some(head) = of_topic.max_by_key(shared) else {
                let finding = self.judge_removed(context, base, head, removals, objects);
                report.add(history.path_of(&base.path), finding);
                continue;
            };
            // The project that took it over does not know what it was before.
            let case =
                JudgedDiscussion { head, bases: vec![base], known: Vec::new(), only_losses: true };
            for finding in judge(context, &case) {
                report.add(history.path_of(&head.path), finding);
            }
        }
    }
}

/// Warns about the words of others in a removed discussion that are below another question now.
fn words_elsewhere(context: &JudgeContext<'_>, base: &Version) -> Option<Finding> {
    let by = context.commits.losing(base.topic(), Place::of(base)).map(|words| &words.commit);
    let is_others = |name: &String| by.is_none_or(|by| !context.people.is(name, &by.author));
    let comments = base.blocks.iter().filter(|block| block.kind == BlockKind::Comment);
    let moved = comments.filter(|block| context.head_counts.contains_key(&block.text));
    let names: BTreeSet<String> =
        moved.filter_map(|block| base.name(block)).filter(is_others).collect();
    let names: Vec<String> = names.iter().map(|name| visible_line(name)).collect();
    (!names.is_empty()).then(|| {
        let message = format!(
            "comments of {} are below another question now; put them back, or let them write there",
            names.join(", ")
        );
        Finding::new(Severity::Warning, ProblemCode::HistoryInserted, 0, message)
    })
}

/// Returns true if a tree has the configuration of a project. `root` is its folder, empty or ending in `/`.
pub(super) fn has_project(tree: &Tree, root: &[u8]) -> bool {
    tree.get(&[root, Project::FILE.as_bytes()].concat()).is_some()
}
