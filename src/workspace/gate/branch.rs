//! Judges a branch against a commit, or the index against the last commit.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::acceptance::AcceptedLines;
use super::continuation::{EarlierVersions, continuations, version_of};
use super::decisions::judge_decisions;
use super::explain::{JudgedCommits, recorded_people};
use super::gone_projects::{RemovedCase, has_project};
use super::judge::{BlockCounts, GateMode, JudgeContext, JudgedDiscussion, judge};
use super::moved_project::MovedProjects;
use super::older_pages::OlderPages;
use super::sides::{Objects, Side, folder_in, in_tree};
use super::submodules::judge_submodules;
use super::version::Version;
use super::{GateReport, GateScope, HeadDiscussion, commit_words, cut_history, lacks_objects};
use crate::store::{BlockText, Commit, CommitWords, Document, HistoryReader, Tree, VersionReader};
use crate::workspace::Checks;
use crate::workspace::error::WorkspaceError;

/// The commits to compare, and the words between them.
struct Comparison {
    history: HistoryReader,
    objects: Objects,
    head: Side,
    bases: Vec<Side>,
    /// Other sides whose blocks are not new: the trusted one, and those of operations in progress.
    known: Vec<Side>,
    trusted: Option<String>,
    /// The folder of the project in the trusted commit, empty or ending in `/`.
    trusted_root: Vec<u8>,
    /// The folder of the project in each base.
    base_roots: Vec<Vec<u8>>,
    words: Vec<CommitWords>,
    boundaries: HashSet<String>,
    mode: GateMode,
}

impl Checks<'_> {
    /// Judges what the commits of a branch, and what is not committed, change in comparison with a commit.
    ///
    /// # Errors
    /// Fails if git cannot read the trees or the commits.
    pub(in crate::workspace) fn judge_branch(
        &self,
        history: &HistoryReader,
        commit: &str,
        scope: &GateScope,
    ) -> Result<GateReport, WorkspaceError> {
        let objects = Objects::open(history)?;
        let mut bases = if scope.is_replacement {
            vec![commit.to_owned()]
        } else {
            history.merge_bases(commit, "HEAD")
        };
        let boundaries = history.boundaries();
        let has_base = !bases.is_empty();
        if !has_base {
            bases.push(commit.to_owned());
        }
        let root = self.root_in_tree(history);
        let default = self.setup.default_directory();
        let present =
            in_tree(history.top(), &super::super::history::real(&self.output_directory()));
        let head_tree = history.tree("HEAD")?;
        let present = present.map_or_else(
            || folder_in(&head_tree, &root, &objects, &default),
            super::sides::as_folder,
        );
        let mut head = Side::new(head_tree, scoped_folders(scope, history, present), &objects);
        self.insist_folders_inside(history, &head)?;
        let changed = head.lay_over_files(history, &objects)?;
        let logged = history.commits(&["HEAD", &format!("^{commit}")], &[])?;
        let mut words: Vec<CommitWords> = objects.with_reader(|reader| {
            let mut versions = VersionReader::default();
            versions.load(reader, &logged);
            let mut words: Vec<CommitWords> =
                logged.iter().map(|logged| versions.words(reader, logged)).collect();
            if !changed.is_empty() {
                words.push(versions.words_of_texts(self.pending_commit(), &changed));
            }
            words
        });
        // Nobody knows who added the words of a commit at which the clone is cut off.
        for one in words.iter_mut().filter(|it| boundaries.contains(&it.commit.id)) {
            one.lost.clear();
        }
        let is_cut = words.iter().any(|it| boundaries.contains(&it.commit.id))
            || !has_base && !boundaries.is_empty();
        let earlier = |tree: Tree| {
            let root =
                MovedProjects::between(&tree, &head.tree, &objects, &default).earlier_root(&root);
            let own = folder_in(&tree, &root, &objects, &default);
            (Side::new(tree, scoped_folders(scope, history, own), &objects), root)
        };
        let (trusted_side, trusted_root) = earlier(history.tree(commit)?);
        let bases = bases
            .iter()
            .map(|base| Ok(earlier(history.tree(base)?)))
            .collect::<Result<Vec<(Side, Vec<u8>)>, WorkspaceError>>()?;
        let (bases, base_roots) = bases.into_iter().unzip();
        let comparison = Comparison {
            history: history.clone(),
            objects,
            head,
            bases,
            known: vec![trusted_side],
            trusted: Some(commit.to_owned()),
            trusted_root,
            base_roots,
            words,
            boundaries,
            mode: GateMode::Branch,
        };
        let mut report = self.compare_sides(&comparison, scope, &root)?;
        if is_cut {
            let cut =
                comparison.words.iter().find(|it| comparison.boundaries.contains(&it.commit.id));
            report.whole.push(cut_history(cut.map_or(commit, |it| it.commit.id.as_str())));
        }
        Ok(report)
    }

    /// Judges what the index changes in comparison with the last commit, and with a merge in progress.
    ///
    /// # Errors
    /// Fails if git cannot read the trees or the index.
    pub(in crate::workspace) fn judge_index(
        &self,
        history: &HistoryReader,
        index: Option<&Path>,
        scope: &GateScope,
    ) -> Result<GateReport, WorkspaceError> {
        let objects = Objects::open(history)?;
        let root = self.root_in_tree(history);
        let default = self.setup.default_directory();
        let side = |tree: Tree, root: &[u8]| {
            let own = folder_in(&tree, root, &objects, &default);
            Side::new(tree, scoped_folders(scope, history, own), &objects)
        };
        let head = side(history.index(index)?, &root);
        let earlier = |tree: Tree| {
            let root =
                MovedProjects::between(&tree, &head.tree, &objects, &default).earlier_root(&root);
            (side(tree, &root), root)
        };
        let has_head = history.has_commit("HEAD");
        let in_progress = if has_head { history.commits_in_progress() } else { Vec::new() };
        let (mut bases, mut base_roots) = (Vec::new(), Vec::new());
        let mut known = Vec::new();
        let in_head = has_head.then_some("HEAD");
        for name in in_head.into_iter().chain(in_progress) {
            let (taken_over, root) = earlier(history.tree(name)?);
            if matches!(name, "HEAD" | "MERGE_HEAD") {
                bases.push(taken_over);
                base_roots.push(root);
            } else {
                known.push(taken_over);
            }
        }
        let pages = |base: Option<&Side>| -> Vec<(Vec<u8>, Option<String>, Option<String>)> {
            let text =
                |side: &Side, path: &[u8]| side.text(path, &objects).map(|it| it.to_string());
            let old = base.map(|base| base.files.keys().cloned().collect::<BTreeSet<_>>());
            let mut paths = old.unwrap_or_default();
            paths.extend(head.files.keys().cloned());
            let differs = |path: &Vec<u8>| base.is_none_or(|base| !base.is_same(&head, path));
            let all = paths.into_iter().filter(differs);
            all.map(|path| {
                let old = base.and_then(|base| text(base, &path));
                let new = text(&head, &path);
                (path, old, new)
            })
            .collect()
        };
        let changed = pages(bases.first());
        let words = VersionReader::default().words_of_texts(self.pending_commit(), &changed);
        let comparison = Comparison {
            history: history.clone(),
            objects,
            head,
            bases,
            known,
            trusted: has_head.then(|| "HEAD".to_owned()),
            trusted_root: base_roots.first().unwrap_or(&root).clone(),
            base_roots,
            words: vec![words],
            boundaries: HashSet::new(),
            mode: GateMode::Staged,
        };
        self.compare_sides(&comparison, scope, &root)
    }

    fn compare_sides(
        &self,
        comparison: &Comparison,
        scope: &GateScope,
        root: &[u8],
    ) -> Result<GateReport, WorkspaceError> {
        let Comparison { history, objects, head, bases, known, trusted_root, .. } = comparison;
        let mut report = GateReport::default();
        let both: Vec<&Side> = bases.iter().chain([head]).collect();
        report.projects = self.projects_below(history, &both);
        // The discussions of a project that is gone are reported here.
        report.projects.retain(|folder| {
            let root = in_tree(history.top(), folder).map(super::sides::as_folder);
            root.is_none_or(|root| has_project(&head.tree, &root))
        });
        let base = bases.first();
        let trusted_side = known.first().filter(|_| comparison.mode == GateMode::Branch).or(base);
        let empty = Side::default();
        let trusted_side = trusted_side.unwrap_or(&empty);
        let people = self.people_of(
            history,
            trusted_side,
            comparison.trusted.as_deref(),
            (trusted_root, &scope.listed),
            objects,
        );
        let rules = self.trusted_rules((trusted_side, trusted_root), root, objects, history)?;
        let rules = rules.as_ref().unwrap_or(self);
        let messages = comparison.words.iter().map(|words| &words.commit);
        let recorded = recorded_people(messages.clone());
        let commits = JudgedCommits::new(&comparison.words, &recorded, &comparison.boundaries);
        let removals: HashSet<String> =
            messages.flat_map(|commit| commit.removed_discussions().map(str::to_owned)).collect();
        // The discussions that differ from any base.
        let mut differing: Vec<Rc<Version>> = Vec::new();
        let mut seen = HashSet::new();
        for base in bases {
            let new = head.differing(base, objects).into_iter();
            differing.extend(new.filter(|version| seen.insert(version.path.clone())));
        }
        if bases.is_empty() {
            differing = head.differing(&empty, objects);
        }
        let old: Vec<Vec<Rc<Version>>> =
            bases.iter().map(|base| base.differing(head, objects)).collect();
        let base_counts = max_counts(&old);
        let head_counts = counts(differing.iter());
        let evaluate = |path: &[u8], text: &str| {
            rules.snapshot_of(&Document::of_git(history.path_of(path), text)).ok()
        };
        let has_child = |parent: &[u8], file: &str| {
            let folder = parent.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
            let path = [&parent[..folder], file.as_bytes()].concat();
            head.files.contains_key(&path) || head.tree.get(&path).is_some()
        };
        let child = |parent: &[u8], file: &str| {
            let folder = parent.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
            head.version(&[&parent[..folder], file.as_bytes()].concat(), objects)
        };
        let is_persona = |name: &crate::transcript::Name| {
            let persona = rules.setup.roster.by_name(name);
            persona.is_some_and(|it| it.kind != crate::participant::ParticipantKind::Human)
        };
        let describe = |commit: &Commit| commit_words(history, objects, commit);
        let version_after =
            |words: &CommitWords, topic: &BlockText| version_after(words, topic, objects);
        let older_pages = OnceCell::new();
        let older_versions = |version: &Version, blocks: &[&BlockText]| {
            let pages = older_pages.get_or_init(|| {
                let commit = comparison.trusted.as_ref();
                let pages = commit.and_then(|commit| history.older_pages(commit).ok());
                OlderPages::of_history(pages.unwrap_or_default())
            });
            pages.versions(version, blocks, objects)
        };
        let context = JudgeContext {
            mode: comparison.mode,
            people: &people,
            commits: &commits,
            evaluate: &evaluate,
            is_persona: &is_persona,
            has_child: &has_child,
            child: &child,
            describe: &describe,
            version_after: &version_after,
            older_versions: &older_versions,
            present: &|_| None,
            base_counts: &base_counts,
            head_counts: &head_counts,
            accepted_by_anyone: None,
        };
        let continued = continuations(&old, &differing);
        let earlier = EarlierVersions::of(&continued);
        let others: Vec<EarlierVersions> =
            known.iter().map(|side| EarlierVersions::on(side, head, objects)).collect();
        let is_unread =
            |path: &[u8]| bases.iter().chain(known).any(|side| side.lacks(path, objects));
        let has_unread = bases.iter().chain(known).any(|side| {
            let differing = side.files.keys().filter(|path| {
                side.files.get(*path).map(|file| &file.object)
                    != head.files.get(*path).map(|file| &file.object)
            });
            differing.into_iter().any(|path| side.lacks(path, objects))
        });
        for (path, file) in head.files.iter().filter(|(path, _)| scope.has(history, path)) {
            let is_text_of_disk = comparison.mode == GateMode::Branch
                && !file.is_skipped
                && std::str::from_utf8(path).is_ok();
            let is_same = base.is_some_and(|base| base.is_same(head, path));
            let text = || head.text(path, objects).map(|text| text.to_string());
            let before = || {
                let text = base.and_then(|base| base.text(path, objects));
                let moved = || earlier.at(path).first().map(|base| base.text().to_owned());
                text.map(|text| text.to_string()).or_else(moved)
            };
            report.discussions.push(HeadDiscussion {
                path: history.path_of(path),
                text: if is_text_of_disk { None } else { text() },
                base: if is_same || is_unread(path) { text() } else { before() },
                is_skipped: file.is_skipped,
                is_unchanged: is_same && is_text_of_disk,
            });
        }
        for version in differing.iter().filter(|it| scope.has(history, &it.path)) {
            let own = earlier.at(&version.path);
            // What is not here cannot be compared, and the error about it is enough.
            if is_unread(&version.path) || has_unread && own.is_empty() {
                continue;
            }
            let same = |side: &&Side| side.is_same(head, &version.path);
            let own = own.iter().chain(bases.iter().filter(same).map(|_| version));
            let others = others.iter().flat_map(|earlier| earlier.at(&version.path));
            let others = others.chain(known.iter().filter(same).map(|_| version));
            let case = JudgedDiscussion {
                head: version,
                bases: own.map(Rc::as_ref).collect(),
                known: others.map(Rc::as_ref).collect(),
                only_losses: false,
            };
            for finding in judge(&context, &case) {
                report.add(history.path_of(&version.path), finding);
            }
        }
        for base in bases {
            for (path, _) in head.files.iter().filter(|(_, file)| file.is_link) {
                let is_file = base.files.get(path).is_some_and(|file| !file.is_link);
                let before = base.version(path, objects).filter(|_| is_file);
                if let Some(before) = before.filter(|_| scope.has(history, path)) {
                    let finding = self.judge_removed(&context, &before, head, &removals, objects);
                    report.add(history.path_of(path), finding);
                }
            }
        }
        let default = self.setup.default_directory();
        for (side, base_root) in bases.iter().zip(&comparison.base_roots) {
            let moved = MovedProjects::between(&side.tree, &head.tree, objects, &default);
            let removed = RemovedCase {
                context: &context,
                sides: (side, head),
                removals: &removals,
                parts: (history, objects, scope),
            };
            let lost: Vec<&Rc<Version>> = continued
                .iter()
                .filter(|(base, head)| head.is_none() && side.has(base, objects))
                .map(|(base, _)| base)
                // What the trusted commit has removed itself is not lost.
                .filter(|base| scope.has(history, &base.path))
                .filter(|base| version_of(trusted_side, base, objects).is_some())
                .filter(|base| !head.lacks(&base.path, objects))
                .collect();
            self.judge_lost(&removed, &lost, (&moved, root, base_root), &mut report);
            self.judge_gone_projects(&removed, &moved, &mut report);
        }
        if comparison.mode == GateMode::Branch {
            let parts = (objects, &removals);
            self.judge_range(&context, &people, &old, &differing, parts, &mut report, history);
        }
        if let Some(base) = bases.first() {
            let parts = (history, objects, scope);
            judge_decisions(&context, base, head, &continued, parts, &mut report);
        }
        self.judge_paths(bases, head, history, &mut report);
        if let Some(base) = bases.first() {
            judge_submodules(base, head, history, &mut report);
        }
        report.add_files_of_submodules(head, (history, scope));
        report.listed = self.listed_in(trusted_side, trusted_root, objects);
        if comparison.mode == GateMode::Branch {
            let (trusted, now) = ((trusted_side, trusted_root.as_slice()), (head, root));
            self.judge_rules(rules, trusted, now, (history, objects), &mut report);
        }
        if objects.lacks_objects() {
            report.whole.push(lacks_objects());
        }
        Ok(report)
    }
}

/// Returns the named folders inside of the repository, or else the project's own.
fn scoped_folders(scope: &GateScope, history: &HistoryReader, own: Vec<u8>) -> Vec<Vec<u8>> {
    if scope.folders.is_empty() {
        return vec![own];
    }
    let named = scope.folders.iter().filter_map(|folder| in_tree(history.top(), folder));
    let mut folders: Vec<Vec<u8>> = named.map(super::sides::as_folder).collect();
    // A named folder that contains the project's own, or is it, is compared with the earlier one.
    if !folders.contains(&own) {
        folders.push(own);
    }
    folders
}

fn counts<'v>(versions: impl Iterator<Item = &'v Rc<Version>>) -> BlockCounts {
    let mut all = HashMap::new();
    for block in versions.flat_map(|version| &version.blocks) {
        *all.entry(block.text.clone()).or_default() += 1;
    }
    all
}

fn max_counts(old: &[Vec<Rc<Version>>]) -> BlockCounts {
    let mut all: BlockCounts = HashMap::new();
    for versions in old {
        for (text, count) in counts(versions.iter()) {
            let most = all.entry(text).or_default();
            *most = (*most).max(count);
        }
    }
    all
}

/// Returns a discussion after a commit that changed it.
fn version_after(words: &CommitWords, topic: &BlockText, objects: &Objects) -> Option<Version> {
    let versions = words.pages.iter().filter_map(|page| {
        let text = objects.text(page.new.as_ref()?)?;
        Some(Version::new(page.path.clone(), text.to_string()))
    });
    versions.into_iter().find(|version| version.topic() == topic)
}

impl GateScope {
    /// Returns the scope of the named paths, which are absolute.
    pub(in crate::workspace) fn of(named: &[PathBuf], with_folders: bool) -> Self {
        let mut scope = Self::default();
        for path in named {
            let real = super::super::history::real(path);
            if path.is_dir() {
                if with_folders {
                    scope.folders.push(real);
                }
            } else {
                scope.files.push(real);
            }
        }
        scope
    }
}

/// The `ACCEPTED` lines of all discussions of a side, by path.
pub(super) fn accepted_lines(side: &Side, objects: &Objects) -> HashMap<Vec<u8>, AcceptedLines> {
    let with_lines = side.files.keys().filter(|path| {
        side.text(path, objects).is_some_and(|text| text.contains("<!-- ACCEPTED "))
    });
    with_lines
        .filter_map(|path| Some((path.clone(), AcceptedLines::of(&*side.version(path, objects)?))))
        .collect()
}
