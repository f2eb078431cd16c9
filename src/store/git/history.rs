//! Checks with git's history that a discussion was only ever appended to.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::classify_change::ChangeClassifier;
use super::deletions::Deletions;
use super::repository::{Repository, literal, version_at};
use crate::store::error::StoreError;
use crate::store::merge::{Acceptances, Lost};
use crate::store::private_files::Sidecar;
use crate::transcript::visible_line;

/// The way in which a version breaks the rule that each version begins with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewriteKind {
    /// Older text was changed or removed.
    Changed,
    /// A merge lost or changed blocks of one of its parents.
    Merge,
    /// Whole blocks were inserted between older ones, and all older blocks are unchanged and in order. A rebase, a
    /// squash or a stash does this.
    Inserted,
    /// Because of inserted blocks, a number now names another item than its author meant.
    Renumbered,
    /// The file was deleted.
    Deleted,
}

impl RewriteKind {
    /// Returns true if a commit with one parent can do this.
    fn is_of_one_side(self) -> bool {
        matches!(self, Self::Changed | Self::Inserted | Self::Deleted)
    }
}

/// A version that does not continue the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The commit id in hexadecimal, or `None` for the current, uncommitted file.
    pub commit: Option<String>,
    /// Name and address of the author according to git; untrusted text. Empty if not committed.
    pub author: String,
    /// The author's date in ISO 8601. Empty if not committed.
    pub date: String,
    /// The message's first line; untrusted text.
    pub subject: String,
    /// The kind of change.
    pub kind: RewriteKind,
    /// A unified diff of the older text, without appended text. For numbers that name another item: the old item and
    /// the new one.
    pub diff: String,
    /// Every part of the older text that is not at its place, unless the change was accepted.
    pub(in crate::store) lost: Vec<Lost>,
}

impl Rewrite {
    /// Returns authors and earlier texts of comments that their own authors edited. `None` if anything else changed, or
    /// if a turn has seen one of these comments.
    pub(crate) fn own_edits(&self) -> Option<Vec<(&str, &str)>> {
        if self.kind != RewriteKind::Changed || self.lost.is_empty() {
            return None;
        }
        let edited = |lost: &'_ Lost| {
            let is_same_author = lost
                .now
                .as_ref()
                .is_some_and(|(_, now)| now.lines().next() == lost.text.lines().next());
            is_same_author && !lost.is_moved() && !lost.is_seen
        };
        if !self.lost.iter().all(edited) {
            return None;
        }
        self.lost.iter().map(|lost| Some((lost.author()?, lost.text.as_str()))).collect()
    }
}

/// Compares every committed version of a discussion with its parents, and the current file with `HEAD`. Returns `None`
/// without git, without a repository, or if no commit contains the file. It does not search under other file names.
///
/// Changes that are accepted by `ACCEPTED` lines of the current file are not reported.
///
/// # Errors
/// Fails if the path does not name a regular file, or if git cannot read the history.
#[cfg(not(discussions_sealed))]
pub fn history(path: &Path) -> Result<Option<Vec<Rewrite>>, StoreError> {
    history_of(path, &crate::store::read::read(path)?.text, None, &Deletions::default())
}

/// Compares like [`history`], but for a given text, which may differ from the file, for example the text about to be
/// committed. With `since`, a commit id, only later commits are checked. Deleted discussions that this text continues
/// are checked too.
///
/// # Errors
/// Fails like [`history`], but the file need not exist.
pub(crate) fn history_of(
    path: &Path,
    now: &str,
    since: Option<&str>,
    departed: &Deletions,
) -> Result<Option<Vec<Rewrite>>, StoreError> {
    let sidecar = Sidecar::wherever(path)?;
    let folder = sidecar.folder.parent().unwrap_or(Path::new("."));
    let (Some(repository), Some(name)) =
        (Repository::find_repository(folder), sidecar.name().to_str())
    else {
        return Ok(None);
    };
    let fail =
        |source| StoreError::Io { path: path.to_owned(), doing: "reading the git history", source };
    let mut found = departed.rewrites_in(now).map_err(fail)?;
    let accepted = departed.acceptances(now);
    let in_tree = repository.path_of(name);
    let own = history_in(&repository, &in_tree, now, since, &accepted).map_err(fail)?;
    if own.is_none() && found.is_empty() {
        return Ok(None);
    }
    found.extend(own.unwrap_or_default());
    Ok(Some(found))
}

/// Compares a discussion's text, from its file or about to be committed, with the last commit only.
///
/// # Errors
/// Fails like [`history`], but the file need not exist.
pub(crate) fn uncommitted(
    path: &Path,
    now: &str,
    departed: &Deletions,
) -> Result<Vec<Rewrite>, StoreError> {
    let fail =
        |source| StoreError::Io { path: path.to_owned(), doing: "reading the git history", source };
    let mut found = departed.rewrites_in(now).map_err(fail)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    if let (Some(repository), Some(head)) =
        (Repository::find_repository(folder), version_at(path, "HEAD")?)
    {
        let accepted = departed.acceptances(now);
        found.extend(of_nobody(&ChangeClassifier::new(&accepted), &head, now, &repository));
    }
    Ok(found)
}

/// Returns the rewrites in a text that is not committed yet.
fn of_nobody(
    judge: &ChangeClassifier<'_>,
    head: &str,
    now: &str,
    repository: &Repository,
) -> impl Iterator<Item = Rewrite> {
    let found = judge.all(&[head], Some(now), repository.is_merging());
    let unknown = String::new;
    found.into_iter().map(move |verdict| verdict.of(None, unknown(), unknown(), unknown()))
}

/// Returns the rewrites of a path in the tree.
pub(super) fn history_in(
    repository: &Repository,
    in_tree: &str,
    now: &str,
    since: Option<&str>,
    accepted: &Acceptances,
) -> io::Result<Option<Vec<Rewrite>>> {
    let Ok(commits) = commits(repository, in_tree, since) else { return Ok(None) };
    if commits.is_empty() && since.is_none() {
        return Ok(None);
    }
    let judge = ChangeClassifier::new(accepted);
    let (mut rewrites, head) = walk(repository, &commits, in_tree, &judge)?;
    if let Some(head) = head {
        rewrites.extend(of_nobody(&judge, &head, now, repository));
    }
    Ok(Some(rewrites))
}

/// A commit that changed the file, or that merged two commits that did.
struct HistoryStep {
    id: String,
    /// The preceding commits that changed the file.
    parents: Vec<String>,
    author: String,
    date: String,
    subject: String,
}

fn commits(
    repository: &Repository,
    path: &str,
    since: Option<&str>,
) -> io::Result<Vec<HistoryStep>> {
    let without = since.map(|commit| format!("^{commit}"));
    let mut asked = vec![
        "rev-list",
        "--topo-order",
        "--reverse",
        "--simplify-merges",
        "--parents",
        "--format=%an <%ae>%x00%aI%x00%s",
        "HEAD",
    ];
    asked.extend(without.as_deref());
    let literal = literal(path);
    let output = repository.ask(asked.into_iter().chain(["--", &literal]))?;
    let mut lines = output.split('\n');
    let mut steps = Vec::new();
    while let (Some(header), Some(line)) = (lines.next(), lines.next()) {
        let mut ids = header.split(' ').skip(1).map(str::to_owned);
        let mut fields = line.split('\0').map(str::to_owned);
        let Some(id) = ids.next() else { break };
        steps.push(HistoryStep {
            id,
            parents: ids.collect(),
            author: fields.next().unwrap_or_default(),
            date: fields.next().unwrap_or_default(),
            subject: fields.next().unwrap_or_default(),
        });
    }
    Ok(steps)
}

/// Judges every commit, parents first, and returns the text in `HEAD`. Each text is kept until its last child is
/// judged.
fn walk(
    repository: &Repository,
    steps: &[HistoryStep],
    path: &str,
    judge: &ChangeClassifier<'_>,
) -> io::Result<(Vec<Rewrite>, Option<String>)> {
    let mut children: HashMap<&str, usize> = HashMap::new();
    for parent in steps.iter().flat_map(|step| &step.parents) {
        *children.entry(parent).or_default() += 1;
    }
    let mut texts: HashMap<&str, Option<String>> = HashMap::new();
    let mut rewrites = Vec::new();
    let mut head = None;
    // Parents outside the checked commits: their texts are only used for comparison.
    let judged: HashSet<&str> = steps.iter().map(|step| &*step.id).collect();
    let before: BTreeSet<&str> =
        children.keys().copied().filter(|parent| !judged.contains(parent)).collect();
    let before: Vec<&str> = before.into_iter().collect();
    let ids = before.iter().copied().chain(steps.iter().map(|step| &*step.id)).chain(["HEAD"]);
    let objects: Vec<String> = ids.map(|id| format!("{id}:{path}")).collect();
    let mut lacks = false;
    let read = repository.contents(&objects, |index, text| {
        if let Some(parent) = before.get(index) {
            texts.insert(parent, text);
            return ControlFlow::Continue(());
        }
        let Some(step) = steps.get(index - before.len()) else {
            head = text;
            return ControlFlow::Break(());
        };
        // The commit names a version that this clone does not have.
        lacks = text.is_none() && repository.names(&format!("{}:{path}", step.id));
        if lacks {
            return ControlFlow::Break(());
        }
        let parents: Vec<&str> = step
            .parents
            .iter()
            .filter_map(|parent| texts.get(parent.as_str())?.as_deref())
            .collect();
        rewrites.extend(step.rewrites(&parents, text.as_deref(), repository, judge));
        for parent in &step.parents {
            if let Some(left) = children.get_mut(parent.as_str()) {
                *left -= 1;
                if *left == 0 {
                    texts.remove(parent.as_str());
                }
            }
        }
        if children.contains_key(step.id.as_str()) {
            texts.insert(&step.id, text);
        }
        ControlFlow::Continue(())
    });
    // Older versions of git end their output if they are not allowed to fetch.
    let stopped = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    if lacks || read.as_ref().is_err_and(stopped) {
        return Err(io::Error::other(format!(
            "this partial clone lacks older versions of the file, and a check fetches nothing; get them with `git log \
             -p -- :/{}`",
            visible_line(path)
        )));
    }
    read?;
    Ok((rewrites, head))
}

impl HistoryStep {
    fn rewrites(
        &self,
        parents: &[&str],
        child: Option<&str>,
        repository: &Repository,
        judge: &ChangeClassifier<'_>,
    ) -> impl Iterator<Item = Rewrite> {
        // If the other side of a merge deleted the file, the report for that side's own commit is enough.
        let told = child.is_none() && parents.len() < self.parents.len();
        let mut found =
            if told { Vec::new() } else { judge.all(parents, child, self.parents.len() > 1) };
        let kind = found.first().map(|verdict| verdict.kind);
        if kind.is_some_and(|kind| kind.is_of_one_side()) && self.is_merge(repository) {
            found = judge.all(parents, child, true);
        }
        found.into_iter().map(|verdict| {
            let Self { id, author, date, subject, .. } = self;
            verdict.of(Some(id.clone()), author.clone(), date.clone(), subject.clone())
        })
    }

    /// Returns true if the commit has several parents. [`HistoryStep::parents`] omits parents that lack this file.
    fn is_merge(&self, repository: &Repository) -> bool {
        let told = repository.ask(["rev-list", "--no-walk", "--parents", &self.id]);
        told.is_ok_and(|line| line.split_whitespace().count() > 2)
    }
}
