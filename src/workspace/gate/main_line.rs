//! Judges the main branch, step by step along the first parents of its commits. What is published cannot be undone, so
//! only words that the branch had and its last commit lacks are errors.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::acceptance::AcceptedLines;
use super::branch::accepted_lines;
use super::continuation::{EarlierVersions, continuations};
use super::explain::{JudgedCommits, recorded_people};
use super::gone_projects::has_project;
use super::judge::{BlockCounts, GateMode, JudgeContext, JudgedDiscussion, judge};
use super::main_projects::roots_over_time;
use super::main_steps::{Step, steps};
use super::older_pages::OlderPages;
use super::sides::{Objects, Side, as_folder, in_tree, is_listed};
use super::version::{Version, is_agent_name};
use super::{GateReport, GateScope, HeadDiscussion, commit_words, cut_history, lacks_objects};
use crate::engine::Snapshot;
use crate::participant::{ParticipantKind, Persona};
use crate::store::{
    Commit, CommitWords, Document, FileMode, HistoryReader, ObjectId, PathChange, VersionReader,
    is_page,
};
use crate::transcript::Name;
use crate::workspace::error::WorkspaceError;
use crate::workspace::people::People;
use crate::workspace::{Checks, Workspace};

/// What all steps have in common.
struct MainLine<'a> {
    workspace: &'a Workspace,
    history: &'a HistoryReader,
    objects: &'a Objects,
    people: &'a People,
    head: &'a Side,
    folders: &'a [Vec<u8>],
    /// The files to which links among the discussions lead.
    link_targets: &'a HashSet<Vec<u8>>,
    recorded: &'a HashMap<String, &'a Commit>,
    removals: &'a HashSet<String>,
    boundaries: &'a HashSet<String>,
    /// The states of the discussions of the last commit, which say whose names are participants'.
    snapshots: OnceCell<Vec<Snapshot>>,
    /// Whether a name is a participant's that is no person, because all discussions are asked.
    personas: RefCell<HashMap<Name, bool>>,
    /// What the steps before had, for words that come back.
    older: RefCell<OlderPages>,
    accepted: &'a AcceptedLines,
    head_counts: &'a BlockCounts,
}

impl Checks<'_> {
    /// Judges all steps up to the last commit, and what is not committed.
    ///
    /// # Errors
    /// Fails if git cannot read the history.
    pub(in crate::workspace) fn judge_main(
        &self,
        history: &HistoryReader,
        scope: &GateScope,
    ) -> Result<GateReport, WorkspaceError> {
        let mut report = GateReport::default();
        let objects = Objects::open(history)?;
        let root = self.root_in_tree(history);
        let own = in_tree(history.top(), &super::super::history::real(&self.output_directory()));
        let own = as_folder(own.unwrap_or_default());
        let folders = match &scope.folders[..] {
            [] => vec![own],
            named => named
                .iter()
                .filter_map(|folder| in_tree(history.top(), folder))
                .map(as_folder)
                .collect(),
        };
        let has_head = history.has_commit("HEAD");
        let tree = if has_head { history.tree("HEAD")? } else { Default::default() };
        let committed = Side::new(tree.clone(), folders.clone(), &objects);
        let mut head = Side::new(tree, folders.clone(), &objects);
        self.insist_folders_inside(history, &head)?;
        let changed = head.lay_over_files(history, &objects)?;
        for (path, file) in head.files.iter().filter(|(path, _)| scope.has(history, path)) {
            let text = || head.text(path, &objects).map(|text| text.to_string());
            report.discussions.push(HeadDiscussion {
                path: history.path_of(path),
                text: if file.is_skipped { text() } else { None },
                base: None,
                is_skipped: file.is_skipped,
                is_unchanged: false,
            });
        }
        report.add_files_of_submodules(&head, (history, scope));
        report.projects = self.projects_below(history, &[&head]);
        if !has_head {
            return Ok(report);
        }
        let logged = history.commits(&["HEAD"], &[])?;
        let others: Vec<Vec<u8>> = report
            .projects
            .iter()
            .filter_map(|folder| in_tree(history.top(), folder))
            .map(as_folder)
            .collect();
        // A project that moved below this folder is judged there, with what it was here.
        if !has_project(&committed.tree, &root)
            && others.iter().any(|other| roots_over_time(&logged, other).contains(&root))
        {
            return Ok(report);
        }
        let boundaries = history.boundaries();
        let mut versions = VersionReader::default();
        let mut words: Vec<Option<CommitWords>> = objects.with_reader(|reader| {
            versions.load(reader, &logged);
            logged.iter().map(|logged| Some(versions.words(reader, logged))).collect()
        });
        let people =
            self.people_of(history, &committed, Some("HEAD"), (&root, &scope.listed), &objects);
        let messages = || logged.iter().map(|logged| &logged.commit);
        let recorded = recorded_people(messages());
        let removals: HashSet<String> =
            messages().flat_map(|commit| commit.removed_discussions().map(str::to_owned)).collect();
        let all: Vec<Rc<Version>> =
            head.files.keys().filter_map(|path| head.version(path, &objects)).collect();
        let mut head_counts: BlockCounts = HashMap::new();
        for block in all.iter().flat_map(|version| &version.blocks) {
            *head_counts.entry(block.text.clone()).or_default() += 1;
        }
        let mut accepted = AcceptedLines::default();
        for lines in accepted_lines(&head, &objects).into_values() {
            accepted.extend(lines);
        }
        let link_targets = committed.link_targets(&objects);
        let mut all_folders = folders.clone();
        let roots = roots_over_time(&logged, &root);
        if scope.folders.is_empty() {
            all_folders.extend(self.earlier_folders(&logged, &roots, &objects));
        }
        let line = MainLine {
            workspace: self,
            history,
            objects: &objects,
            people: &people,
            head: &head,
            folders: &all_folders,
            link_targets: &link_targets,
            recorded: &recorded,
            removals: &removals,
            boundaries: &boundaries,
            snapshots: OnceCell::new(),
            personas: RefCell::default(),
            older: RefCell::default(),
            accepted: &accepted,
            head_counts: &head_counts,
        };
        let mut state: BTreeMap<Vec<u8>, ObjectId> = BTreeMap::new();
        let all_present: OnceCell<Vec<Rc<Version>>> = OnceCell::new();
        for step in steps(history, &logged)? {
            let own: Vec<CommitWords> =
                step.commits.iter().filter_map(|index| words[*index].take()).collect();
            let is_cut = own.iter().any(|words| boundaries.contains(&words.commit.id));
            let parts = (history, &objects);
            let gone = self.removed_projects(&step.changes, (&committed, &others, &roots), parts);
            let earlier = if gone.is_empty() { None } else { Some(&state) };
            let pages: Vec<(Vec<u8>, ObjectId)> = earlier
                .into_iter()
                .flatten()
                .filter(|(path, _)| gone.iter().any(|one| is_listed(path, &one.folder)))
                .map(|(path, object)| (path.clone(), ObjectId::clone(object)))
                .collect();
            let before = state.clone_changed(&step.changes);
            state.apply(&step.changes);
            if is_cut {
                let cut = own.iter().find(|words| boundaries.contains(&words.commit.id));
                let id = cut.map(|words| words.commit.id.clone()).unwrap_or_default();
                report.whole.push(cut_history(&id));
                continue;
            }
            line.judge_step(&step, &own, &before, &state, &versions, scope, &mut report);
            line.older.borrow_mut().add_step(&step.changes, &own);
            if !pages.is_empty() && scope.files.is_empty() {
                let present = all_present.get_or_init(|| self.all_discussions(&head, parts));
                let lost = pages.iter().filter_map(|(path, object)| line.version(path, object));
                let lost: Vec<Rc<Version>> = lost.collect();
                line.judge_versions(&lost, &[], (&own, present), &mut report);
            }
        }
        line.judge_uncommitted(&committed, &changed, &mut versions, scope, &mut report);
        if objects.lacks_objects() {
            report.whole.push(lacks_objects());
        }
        Ok(report)
    }
}

/// The pages of a commit, by path.
trait PageState {
    fn apply(&mut self, changes: &[PathChange]);
    fn clone_changed(&self, changes: &[PathChange]) -> BTreeMap<Vec<u8>, ObjectId>;
}

impl PageState for BTreeMap<Vec<u8>, ObjectId> {
    fn apply(&mut self, changes: &[PathChange]) {
        for change in changes.iter().filter(|change| is_page(&change.path)) {
            match &change.new {
                Some((FileMode::File, object)) => {
                    self.insert(change.path.clone(), ObjectId::clone(object));
                }
                _ => {
                    self.remove(&change.path);
                }
            }
        }
    }

    fn clone_changed(&self, changes: &[PathChange]) -> BTreeMap<Vec<u8>, ObjectId> {
        let paths = changes.iter().map(|change| &change.path);
        paths.filter_map(|path| Some((path.clone(), self.get(path)?.clone()))).collect()
    }
}

impl MainLine<'_> {
    fn snapshots(&self) -> &[Snapshot] {
        self.snapshots.get_or_init(|| {
            let paths = self.head.files.keys();
            let versions = paths.filter_map(|path| self.head.version(path, self.objects));
            versions
                .filter_map(|version| {
                    let path = self.history.path_of(&version.path);
                    self.workspace.snapshot_of(&Document::of_git(path, version.text())).ok()
                })
                .collect()
        })
    }

    /// Returns true if any discussion of the last commit has a persona with a name.
    fn is_persona_anywhere(&self, name: &Name) -> bool {
        let known = self.personas.borrow().get(name).copied();
        known.unwrap_or_else(|| {
            let is_it = |persona: &Persona| persona.kind != ParticipantKind::Human;
            let mut personas = self.snapshots().iter().filter_map(|it| it.config.by_name(name));
            let answer = self.is_persona(name) || personas.any(is_it);
            self.personas.borrow_mut().insert(name.clone(), answer);
            answer
        })
    }

    fn is_listed(&self, path: &[u8]) -> bool {
        self.link_targets.contains(path)
            || self.folders.iter().any(|folder| is_listed(path, folder))
    }

    fn is_persona(&self, name: &Name) -> bool {
        let persona = self.workspace.setup.roster.by_name(name);
        persona.is_some_and(|it| it.kind != ParticipantKind::Human)
    }

    fn version(&self, path: &[u8], object: &ObjectId) -> Option<Rc<Version>> {
        self.objects.version_once(object, path)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one step")]
    fn judge_step(
        &self,
        step: &Step,
        words: &[CommitWords],
        before: &BTreeMap<Vec<u8>, ObjectId>,
        after: &BTreeMap<Vec<u8>, ObjectId>,
        versions: &VersionReader,
        scope: &GateScope,
        report: &mut GateReport,
    ) {
        let changed: BTreeSet<&Vec<u8>> = step
            .changes
            .iter()
            .map(|change| &change.path)
            .filter(|path| self.is_listed(path) && self.is_wanted(path, scope))
            .collect();
        if changed.is_empty() {
            return;
        }
        let is_appended = |path: &Vec<u8>| match (before.get(path), after.get(path)) {
            (Some(old), Some(new)) => versions.is_appended(old, new),
            (None, Some(_)) => true,
            _ => false,
        };
        if changed.iter().all(|path| is_appended(path)) && self.is_plain(words) {
            return;
        }
        let old: Vec<Rc<Version>> =
            changed.iter().filter_map(|path| self.version(path, before.get(*path)?)).collect();
        let new: Vec<Rc<Version>> =
            changed.iter().filter_map(|path| self.version(path, after.get(*path)?)).collect();
        self.judge_versions(&old, &new, (words, &[]), report);
    }

    fn is_wanted(&self, path: &[u8], scope: &GateScope) -> bool {
        scope.files.is_empty() || scope.has(self.history, path)
    }

    /// Returns true if every new block is its commit's author's, or has a receipt.
    fn is_plain(&self, words: &[CommitWords]) -> bool {
        words.iter().all(|words| {
            let has_receipt =
                words.added.keys().any(|text| text.as_str().contains("\n<!-- REPLY "));
            words.added.keys().all(|text| {
                let text = text.as_str();
                if let Some(rest) = text.strip_prefix("Name: ") {
                    let name = rest.lines().next().unwrap_or_default();
                    let is_answer = || {
                        text.contains("\n<!-- REPLY ")
                            && Name::parse(name).is_ok_and(|name| self.is_persona(&name))
                    };
                    return is_agent_name(name)
                        || is_answer()
                        || self.people.is(name, &words.commit.author);
                }
                // A control line of a run needs the run's answers; one with a name needs a look.
                !text.starts_with("<!-- ")
                    || text.starts_with("<!-- DISCUSSION")
                    || has_receipt && !text.contains("by:")
            })
        })
    }

    fn judge_uncommitted(
        &self,
        committed: &Side,
        changed: &[(Vec<u8>, Option<String>, Option<String>)],
        versions: &mut VersionReader,
        scope: &GateScope,
        report: &mut GateReport,
    ) {
        if changed.is_empty() {
            return;
        }
        let words = [versions.words_of_texts(self.workspace.check().pending_commit(), changed)];
        let wanted =
            || changed.iter().map(|(path, _, _)| path).filter(|path| self.is_wanted(path, scope));
        let old: Vec<Rc<Version>> =
            wanted().filter_map(|path| committed.version(path, self.objects)).collect();
        let new: Vec<Rc<Version>> =
            wanted().filter_map(|path| self.head.version(path, self.objects)).collect();
        self.judge_versions(&old, &new, (&words, &[]), report);
    }

    /// Judges discussions of one step. `elsewhere` are those of the last commit that may continue the old ones of a
    /// project that is gone.
    fn judge_versions(
        &self,
        old: &[Rc<Version>],
        new: &[Rc<Version>],
        (words, elsewhere): (&[CommitWords], &[Rc<Version>]),
        report: &mut GateReport,
    ) {
        let of_topic = |version: &Version| {
            elsewhere.iter().find(|it| it.topic() == version.topic()).map(Rc::clone)
        };
        let present = |version: &Version| match elsewhere {
            [] => self.present_version(version),
            _ => of_topic(version),
        };
        let mut accepted = self.accepted.clone();
        elsewhere.iter().for_each(|it| accepted.extend(AcceptedLines::of(it)));
        let commits = JudgedCommits::new(words, self.recorded, self.boundaries);
        let evaluate = |path: &[u8], text: &str| {
            let _ = (path, text);
            None
        };
        let describe = |commit: &Commit| commit_words(self.history, self.objects, commit);
        let is_persona = |name: &Name| self.is_persona_anywhere(name);
        let base_counts = HashMap::new();
        let context = JudgeContext {
            mode: GateMode::Main,
            people: self.people,
            commits: &commits,
            evaluate: &evaluate,
            is_persona: &is_persona,
            has_child: &|parent, file| {
                let folder = parent.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
                self.head.tree.get(&[&parent[..folder], file.as_bytes()].concat()).is_some()
            },
            child: &|parent, file| {
                let folder = parent.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
                self.head.version(&[&parent[..folder], file.as_bytes()].concat(), self.objects)
            },
            describe: &describe,
            version_after: &|_, _| None,
            older_versions: &|version, blocks| {
                self.older.borrow().versions(version, blocks, self.objects)
            },
            present: &present,
            base_counts: &base_counts,
            head_counts: self.head_counts,
            accepted_by_anyone: Some(&accepted),
        };
        let pairs = continuations(&[old.to_vec()], new);
        let earlier = EarlierVersions::of(&pairs);
        for version in new {
            let own = earlier.at(&version.path);
            let case = JudgedDiscussion {
                head: version,
                bases: own.iter().map(Rc::as_ref).collect(),
                known: Vec::new(),
                only_losses: false,
            };
            for mut finding in judge(&context, &case) {
                // The lines are those of an older version.
                finding.line = 0;
                report.add(self.place_of(version), finding);
            }
        }
        for (base, _) in pairs.iter().filter(|(_, head)| head.is_none()) {
            // A discussion that is back is compared with what it is now.
            if let Some(now) = present(base) {
                let case = JudgedDiscussion {
                    head: &now,
                    bases: vec![base],
                    known: Vec::new(),
                    only_losses: true,
                };
                for mut finding in judge(&context, &case) {
                    finding.line = 0;
                    report.add(self.history.path_of(&now.path), finding);
                }
            } else {
                let finding = self.workspace.check().judge_removed(
                    &context,
                    base,
                    self.head,
                    self.removals,
                    self.objects,
                );
                report.add(self.history.path_of(&base.path), finding);
            }
        }
    }

    /// Returns the discussion of the last commit with the topic of another version, or at its path.
    fn present_version(&self, version: &Version) -> Option<Rc<Version>> {
        self.head
            .with_topic(version.topic(), self.objects)
            .or_else(|| self.head.version(&version.path, self.objects))
    }

    /// Returns the present path of a discussion.
    fn place_of(&self, version: &Version) -> std::path::PathBuf {
        match self.present_version(version) {
            Some(now) => self.history.path_of(&now.path),
            None => self.history.path_of(&version.path),
        }
    }
}
