//! The rules by which a discussion is read: configuration, templates and personas of the trusted commit, and what a
//! branch changes in them.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::OnceLock;

use super::GateReport;
use super::effects::rules_of;
use super::judge::Finding;
use super::sides::{Objects, Side};
use crate::codes::ProblemCode;
use crate::config::{Project, Setup};
use crate::problem::{Problem, Severity};
use crate::provider::Environment;
use crate::store::{Document, FileMode, HistoryReader};
use crate::transcript::visible_line;
use crate::workspace::error::WorkspaceError;
use crate::workspace::resources::Catalogue;
use crate::workspace::{Checks, Workspace};

/// The maximum number of discussions that a message names.
const MAX_NAMED: usize = 3;

/// Returns true if a file of a project belongs to its rules.
fn is_rule_file(within: &str) -> bool {
    let is_below = |folder: &str, ends: &[&str]| {
        within
            .strip_prefix(folder)
            .is_some_and(|name| !name.contains('/') && ends.iter().any(|end| name.ends_with(end)))
    };
    within == Project::FILE
        || within == "participants.yaml"
        || is_below("templates/", &[".md"])
        || is_below("participants/", &[".yaml", ".yml"])
}

/// Returns the paths and texts of the rules in a tree, from the project's root.
fn rule_files(side: &Side, root: &[u8], objects: &Objects) -> Vec<(String, Rc<str>)> {
    let files = side.tree.below(root).filter(|(_, file)| file.mode == FileMode::File);
    files
        .filter_map(|(path, file)| {
            let within = std::str::from_utf8(&path[root.len()..]).ok()?;
            is_rule_file(within).then(|| Some((within.to_owned(), objects.text(&file.object)?)))?
        })
        .collect()
}

impl Checks<'_> {
    /// Returns a workspace with the rules of a side; none if they are those of this workspace. `root` is the folder of
    /// the project now, `trusted_root` the one that it had in the trusted commit.
    pub(super) fn trusted_rules(
        &self,
        (trusted, trusted_root): (&Side, &[u8]),
        root: &[u8],
        objects: &Objects,
        history: &HistoryReader,
    ) -> Result<Option<Workspace>, WorkspaceError> {
        let files = rule_files(trusted, trusted_root, objects);
        let project = history.path_of(root);
        let is_same = |(within, text): &(String, Rc<str>)| {
            std::fs::read(project.join(within)).is_ok_and(|bytes| bytes == text.as_bytes())
        };
        let present = rule_paths(&project);
        let known: BTreeSet<String> = files.iter().map(|(within, _)| within.clone()).collect();
        if files.iter().all(is_same) && present == known {
            return Ok(None);
        }
        // Without a configuration, the folder of the rules is no project.
        let is_project =
            |files: &[(String, Rc<str>)]| files.iter().any(|(path, _)| path == Project::FILE);
        if !is_project(&files) && !project.join(Project::FILE).is_file() {
            return Ok(None);
        }
        let mut all = if is_project(&files) { files } else { Vec::new() };
        all.extend(abilities(&all, trusted, trusted_root, objects));
        let user = self.setup.user_dir.as_deref();
        // Broken rules are read as if there were none.
        let setup = load_rules(&all, user, &self.environment)
            .or_else(|_| load_rules(&[], user, &self.environment))?;
        let catalogue = Catalogue::new(&setup);
        let committers = OnceLock::new();
        let _ = committers.set(self.committers().to_vec());
        Ok(Some(Workspace {
            setup,
            catalogue,
            providers: OnceLock::new(),
            environment: self.environment.clone(),
            clock: std::sync::Arc::clone(&self.clock),
            ledger: None,
            lock_wait: self.lock_wait,
            allows_secrets: false,
            uses_git: false,
            committers,
        }))
    }

    /// Reports changed rules: as a warning if they change how an earlier discussion is read, else as a note.
    pub(super) fn judge_rules(
        &self,
        trusted: &Workspace,
        (trusted_side, trusted_root): (&Side, &[u8]),
        (head, root): (&Side, &[u8]),
        (history, objects): (&HistoryReader, &Objects),
        report: &mut GateReport,
    ) {
        let of_head = rule_files(head, root, objects);
        let of_trusted = rule_files(trusted_side, trusted_root, objects);
        let paths = |files: &[(String, Rc<str>)]| -> BTreeSet<String> {
            files.iter().map(|(path, text)| format!("{path}\0{text}")).collect()
        };
        let (one, two) = (paths(&of_head), paths(&of_trusted));
        let changed: BTreeSet<&str> =
            one.symmetric_difference(&two).filter_map(|it| it.split('\0').next()).collect();
        let mailmap = |side: &Side| objects.text_at(&side.tree, b".mailmap");
        let mut named: Vec<String> = changed.iter().map(|it| (*it).to_owned()).collect();
        if mailmap(head) != mailmap(trusted_side) {
            named.push(".mailmap".to_owned());
        }
        for file in &named {
            let message = format!(
                "this branch changes {}; the check uses the version of the commit it is compared with",
                visible_line(file)
            );
            report.whole.push(Problem::new(
                Severity::Note,
                ProblemCode::RulesChanged,
                (0, 0),
                message,
            ));
        }
        if !changed.is_empty() {
            let mut affected: Vec<String> = Vec::new();
            let all =
                trusted_side.files.keys().filter_map(|path| trusted_side.version(path, objects));
            for version in all {
                let document = Document::of_git(history.path_of(&version.path), version.text());
                let before = trusted.snapshot_of(&document).ok().as_ref().map(rules_of);
                let after = self.snapshot_of(&document).ok().as_ref().map(rules_of);
                if before != after {
                    affected.push(visible_line(&version.shown_path()));
                }
            }
            if !affected.is_empty() {
                let more = affected.len().saturating_sub(MAX_NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let message = format!(
                    "this branch changes {}, which changes how earlier discussions count: {}{more}",
                    visible_line(&named.join(", ")),
                    affected.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", "),
                );
                report.whole.push(Problem::new(
                    Severity::Warning,
                    ProblemCode::RulesChanged,
                    (0, 0),
                    message,
                ));
            }
        }
        judge_attributes(head, trusted_side, objects, history, report);
    }
}

/// Loads rules like those of a folder.
fn load_rules(
    files: &[(String, Rc<str>)],
    user: Option<&Path>,
    environment: &Environment,
) -> Result<Setup, WorkspaceError> {
    let folder = environment.temporary_folder().map_err(WorkspaceError::Io)?;
    let folder = folder.as_ref();
    // The folder is a project of its own even if the rules have no configuration.
    let empty = (Project::FILE.to_owned(), Rc::from(""));
    for (within, text) in std::iter::once(&empty).chain(files) {
        let path = folder.join(within);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(WorkspaceError::Io)?;
        }
        std::fs::write(&path, text.as_bytes()).map_err(WorkspaceError::Io)?;
    }
    Ok(Setup::load(folder, user)?)
}

/// Returns the rule files of a project on disk.
fn rule_paths(project: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["", "templates", "participants"] {
        let Ok(entries) = std::fs::read_dir(project.join(folder)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let within = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if is_rule_file(&within) && entry.path().is_file() {
                found.insert(within);
            }
        }
    }
    found
}

/// Returns the files that personas name as their abilities: every word of their files that is a path in the tree.
fn abilities(
    files: &[(String, Rc<str>)],
    side: &Side,
    root: &[u8],
    objects: &Objects,
) -> Vec<(String, Rc<str>)> {
    let personas = files.iter().filter(|(path, _)| path.starts_with("participants"));
    let is_between = |c: char| c.is_whitespace() || "[],'\"".contains(c);
    let words: BTreeSet<&str> = personas
        .flat_map(|(_, text)| text.split(is_between))
        .filter(|it| it.contains('.'))
        .collect();
    let is_plain =
        |word: &&str| !word.starts_with('/') && !word.split('/').any(|part| part == "..");
    words
        .into_iter()
        .filter(is_plain)
        .filter_map(|word| {
            let path = [root, word.as_bytes()].concat();
            Some((word.to_owned(), objects.text_at(&side.tree, &path)?))
        })
        .collect()
}

/// Warns about attributes that switch off merges or differences of discussions.
fn judge_attributes(
    head: &Side,
    trusted: &Side,
    objects: &Objects,
    history: &HistoryReader,
    report: &mut GateReport,
) {
    let is_attributes =
        |path: &&Vec<u8>| **path == b".gitattributes" || path.ends_with(b"/.gitattributes");
    let all = head.tree.0.keys().chain(trusted.tree.0.keys());
    let files: BTreeSet<&Vec<u8>> = all.filter(is_attributes).collect();
    let pages: Vec<String> = head
        .files
        .keys()
        .chain(trusted.files.keys())
        .map(|path| String::from_utf8_lossy(path).to_lowercase())
        .collect();
    for path in files {
        let before = objects.text_at(&trusted.tree, path);
        let known: BTreeSet<&str> =
            before.as_deref().map(|text| text.lines().collect()).unwrap_or_default();
        let text = objects.text_at(&head.tree, path).unwrap_or_else(|| Rc::from(""));
        let folder = &path[..path.len() - ".gitattributes".len()];
        let folder = String::from_utf8_lossy(folder).to_lowercase();
        let hides = |line: &&str| {
            let mut words = line.split_whitespace();
            let pattern = words.next().unwrap_or_default();
            // A macro may be given to any pattern.
            let is_of_pages = pattern.starts_with("[attr]")
                || pattern.starts_with('"')
                || may_match(pattern, &folder, &pages);
            is_of_pages
                && !pattern.starts_with('#')
                && words.any(|word| {
                    matches!(word, "-merge" | "-diff" | "binary" | "linguist-generated")
                        || word.starts_with("linguist-generated=")
                        || word.starts_with("merge=") && word != "merge=discussions"
                })
        };
        // Without its driver, a merge leaves conflicts in discussions, or takes one side.
        let drives = |line: &&str| {
            !line.starts_with('#')
                && line.split_whitespace().any(|word| word == "merge=discussions")
        };
        let dropped =
            known.iter().copied().find(drives).filter(|_| !text.lines().any(|it| drives(&it)));
        let hiding = text.lines().find(|line| !known.contains(line) && hides(line));
        if let Some(line) = dropped.filter(|_| hiding.is_none()) {
            let message = format!(
                "`{}` is gone, so git no longer merges discussions with the program",
                visible_line(line)
            );
            let finding = Finding::new(Severity::Warning, ProblemCode::RulesChanged, 0, message);
            report.add(history.path_of(path), finding);
        }
        if let Some(line) = hiding {
            let message = format!(
                "`{}` switches off merges or differences of discussions, so reviewers may not see a change",
                visible_line(line)
            );
            let finding = Finding::new(Severity::Warning, ProblemCode::RulesChanged, 0, message);
            report.add(history.path_of(path), finding);
        }
    }
}

/// Returns true if a pattern of attributes in a folder may match a page: the characters before its first wildcard begin
/// a page's path, and those after its last one end in `.md`.
fn may_match(pattern: &str, folder: &str, pages: &[String]) -> bool {
    const WILDCARDS: [char; 5] = ['*', '?', '[', ']', '\\'];
    let pattern = pattern.to_lowercase();
    let end = pattern.rsplit(WILDCARDS).next().unwrap_or_default();
    let begin = pattern.split(WILDCARDS).next().unwrap_or_default();
    // Only a pattern with a slash is one from the folder on.
    let is_anchored = pattern.contains('/');
    let begin = format!("{folder}{}", begin.trim_start_matches('/'));
    let begins = |page: &String| page.starts_with(if is_anchored { &begin } else { folder });
    (end.ends_with(".md") || ".md".ends_with(end)) && pages.iter().any(begins)
}
