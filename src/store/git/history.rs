//! Was a discussion only ever appended to? Git's history knows.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::difference::difference;
use super::repository::{Repository, literal};
use crate::store::error::StoreError;
use crate::store::merge::{Key, entry_key, plain};
use crate::store::merge::{Renumbered, renumbered};
use crate::store::read::read;
use crate::store::sidecar::Sidecar;
use crate::transcript::parse;

/// How a version breaks the rule that every version begins with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewriteKind {
    /// Older text was changed or removed.
    Changed,
    /// A merge lost blocks of one of its parents, or changed them.
    Merge,
    /// Whole blocks were put between older ones, of which every one stands as it stood and in its order: what a rebase,
    /// a squash or a stash comes to.
    Inserted,
    /// Blocks that were put between others made a number name something else than its author meant.
    Renumbered,
    /// The file was removed.
    Deleted,
}

/// One version that does not continue the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The commit in hexadecimal; `None` is the file as it stands, not committed yet.
    pub commit: Option<String>,
    /// Name and address as git has them, untrusted text; empty where nothing is committed.
    pub author: String,
    /// ISO 8601, of the author; empty where nothing is committed.
    pub date: String,
    /// The message's first line, untrusted text.
    pub subject: String,
    /// What happened.
    pub kind: RewriteKind,
    /// A unified diff of the older text; what was appended is left out. Where numbers name something else: what they
    /// named and what they name.
    pub diff: String,
}

/// Compares every committed version of a discussion with its parents, and the file as it stands with `HEAD`. `None`
/// when there is no git, no repository, or no commit that holds the file. Renames are not followed.
///
/// # Errors
/// A path that names no regular file, and a history that git cannot read.
pub fn history(path: &Path) -> Result<Option<Vec<Rewrite>>, StoreError> {
    let sidecar = Sidecar::of(path)?;
    let folder = sidecar.folder.parent().unwrap_or(Path::new("."));
    let (Some(repository), Some(name)) = (Repository::around(folder), sidecar.name().to_str())
    else {
        return Ok(None);
    };
    let fail =
        |source| StoreError::Io { path: path.to_owned(), doing: "reading the git history", source };
    let in_tree = repository.path_of(name);
    let Ok(commits) = commits(&repository, &in_tree) else { return Ok(None) };
    if commits.is_empty() {
        return Ok(None);
    }
    let (mut rewrites, head) = walk(&repository, &commits, &in_tree).map_err(fail)?;
    if let Some(head) = head {
        let now = read(path)?.text;
        let found = judge(&[&head], Some(&now), repository.is_merging());
        rewrites.extend(found.into_iter().chain(moved_numbers(&[&head], Some(&now))).map(
            |(kind, diff)| Rewrite {
                commit: None,
                author: String::new(),
                date: String::new(),
                subject: String::new(),
                kind,
                diff,
            },
        ));
    }
    Ok(Some(rewrites))
}

/// A commit that changed the file, or that merged two that did.
struct Step {
    id: String,
    /// The commits before it that changed the file.
    parents: Vec<String>,
    author: String,
    date: String,
    subject: String,
}

fn commits(repository: &Repository, path: &str) -> io::Result<Vec<Step>> {
    let output = repository.ask([
        "rev-list",
        "--topo-order",
        "--reverse",
        "--simplify-merges",
        "--parents",
        "--format=%an <%ae>%x00%aI%x00%s",
        "HEAD",
        "--",
        &literal(path),
    ])?;
    let mut lines = output.split('\n');
    let mut steps = Vec::new();
    while let (Some(header), Some(line)) = (lines.next(), lines.next()) {
        let mut ids = header.split(' ').skip(1).map(str::to_owned);
        let mut fields = line.split('\0').map(str::to_owned);
        let Some(id) = ids.next() else { break };
        steps.push(Step {
            id,
            parents: ids.collect(),
            author: fields.next().unwrap_or_default(),
            date: fields.next().unwrap_or_default(),
            subject: fields.next().unwrap_or_default(),
        });
    }
    Ok(steps)
}

/// Judges every commit, parents first, and returns the text that `HEAD` has. A text is kept until its last child was
/// judged.
fn walk(
    repository: &Repository,
    steps: &[Step],
    path: &str,
) -> io::Result<(Vec<Rewrite>, Option<String>)> {
    let mut children: HashMap<&str, usize> = HashMap::new();
    for parent in steps.iter().flat_map(|step| &step.parents) {
        *children.entry(parent).or_default() += 1;
    }
    let mut texts: HashMap<&str, Option<String>> = HashMap::new();
    let mut rewrites = Vec::new();
    let mut head = None;
    let objects =
        steps.iter().map(|step| &*step.id).chain(["HEAD"]).map(|id| format!("{id}:{path}"));
    let mut lacks = false;
    let read = repository.contents(&objects.collect::<Vec<_>>(), |index, text| {
        let Some(step) = steps.get(index) else {
            head = text;
            return ControlFlow::Break(());
        };
        // The commit names a version that is not here.
        lacks = text.is_none() && repository.names(&format!("{}:{path}", step.id));
        if lacks {
            return ControlFlow::Break(());
        }
        let parents: Vec<&str> = step
            .parents
            .iter()
            .filter_map(|parent| texts.get(parent.as_str())?.as_deref())
            .collect();
        rewrites.extend(step.rewrites(&parents, text.as_deref(), repository));
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
    // Older versions of git end where they may not fetch.
    let stopped = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    if lacks || read.as_ref().is_err_and(stopped) {
        return Err(io::Error::other(format!(
            "this is a partial clone, which left out older versions of the file, and checking fetches nothing; \
             `git log -p -- :/{path}` brings them"
        )));
    }
    read?;
    Ok((rewrites, head))
}

impl Step {
    fn rewrites(
        &self,
        parents: &[&str],
        child: Option<&str>,
        repository: &Repository,
    ) -> impl Iterator<Item = Rewrite> {
        let found = self.judge(parents, child, repository);
        found.into_iter().chain(moved_numbers(parents, child)).map(|(kind, diff)| Rewrite {
            commit: Some(self.id.clone()),
            author: self.author.clone(),
            date: self.date.clone(),
            subject: self.subject.clone(),
            kind,
            diff,
        })
    }

    fn judge(
        &self,
        parents: &[&str],
        child: Option<&str>,
        repository: &Repository,
    ) -> Option<(RewriteKind, String)> {
        // A merge with a side on which the file was deleted repeats what that side's own commit is reported for.
        if child.is_none() && parents.len() < self.parents.len() {
            return None;
        }
        let found = judge(parents, child, self.parents.len() > 1)?;
        if found.0 != RewriteKind::Merge && self.is_merge(repository) {
            return judge(parents, child, true);
        }
        Some(found)
    }

    /// Whether it has several parents; those that do not have the file under this name are not among [`Step::parents`].
    fn is_merge(&self, repository: &Repository) -> bool {
        let told = repository.ask(["rev-list", "--no-walk", "--parents", &self.id]);
        told.is_ok_and(|line| line.split_whitespace().count() > 2)
    }
}

/// What a version does to those before it, with the difference to the first that it does not continue.
fn judge(parents: &[&str], child: Option<&str>, merged: bool) -> Option<(RewriteKind, String)> {
    let Some(child) = child else {
        let parent = parents.first()?;
        return Some((RewriteKind::Deleted, difference(parent, "")));
    };
    let child = plain(child);
    let broken = parents.iter().map(|parent| plain(parent)).find(|parent| {
        let continues = child.starts_with(parent.as_ref());
        !(continues || merged && holds_blocks(&child, parent))
    })?;
    let kind = match merged {
        true => RewriteKind::Merge,
        false if holds_in_order(&child, &broken) => RewriteKind::Inserted,
        false => RewriteKind::Changed,
    };
    Some((kind, difference(&broken, &child)))
}

/// The numbers that name something else than in the versions before, where blocks were put between others.
fn moved_numbers(parents: &[&str], child: Option<&str>) -> Option<(RewriteKind, String)> {
    let child = plain(child?);
    let parents = parents.iter().map(|parent| plain(parent));
    let rest = parents.filter(|parent| !child.starts_with(parent.as_ref()));
    let found: Vec<Renumbered> = rest.flat_map(|parent| renumbered(&parent, &child)).collect();
    let lines = found.iter().map(|Renumbered { line, name, before, after }| {
        let after = after.as_deref().unwrap_or("nothing");
        format!("@@ line {line} @@\n-{name}: {before}\n+{name}: {after}\n")
    });
    let told: String = lines.collect();
    (!told.is_empty()).then(|| (RewriteKind::Renumbered, format!("--- before\n+++ after\n{told}")))
}

/// Whether a text has the same beginning as the one before and every block of it in its order, with others between.
fn holds_in_order(text: &str, before: &str) -> bool {
    let (read, before_read) = (parse(text), parse(before));
    let mut found = read.entries.iter().map(|entry| entry_key(text, entry));
    let mut wanted = before_read.entries.iter().map(|entry| entry_key(before, entry));
    wanted.all(|wanted| found.any(|found| found == wanted))
        && text[..read.preamble.end] == before[..before_read.preamble.end]
}

/// Whether a merged text has the same beginning as a parent and every block of it.
fn holds_blocks(merged: &str, parent: &str) -> bool {
    let (merged_read, parent_read) = (parse(merged), parse(parent));
    let mut held: HashMap<Key, usize> = HashMap::new();
    for entry in &merged_read.entries {
        *held.entry(entry_key(merged, entry)).or_default() += 1;
    }
    let all =
        parent_read.entries.iter().all(|entry| match held.get_mut(&entry_key(parent, entry)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        });
    all && merged[..merged_read.preamble.end] == parent[..parent_read.preamble.end]
}
