//! Discussions that are no longer at their path: deleted, or continued under another name.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::classify_change::ChangeClassifier;
use super::history::{Rewrite, RewriteKind, history_in};
use super::repository::Repository;
use crate::store::error::StoreError;
use crate::store::merge::{Acceptances, goes_on};
use crate::transcript::{Accepted, parse};

/// Git pathspec for all files that may be discussions.
pub(super) const PAGES: &str = ":(top,icase,glob)**/*.md";

/// The state to compare with the last commit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Present<'a> {
    /// The files of the working tree.
    Files,
    /// The content of the next commit, in the repository's index or in another index file.
    Index(Option<&'a Path>),
}

/// A discussion that is no longer at the path that it had in the last commit or in an earlier one.
#[derive(Clone, Debug)]
pub(crate) struct DeletedDiscussion {
    /// Its former path.
    pub(crate) path: PathBuf,
    /// Its last content.
    pub(crate) text: String,
    /// Its former path, relative to the top of the tree.
    in_tree: String,
    /// The commit that deleted it, or `None` if the deletion is not committed.
    taken: Option<DeletingCommit>,
}

/// A commit that deleted a file.
#[derive(Clone, Debug, Default)]
struct DeletingCommit {
    id: String,
    parents: Vec<String>,
    author: String,
    date: String,
    subject: String,
    /// True if its message says that the deletion is intended.
    is_meant: bool,
}

/// All deleted discussions of a repository.
#[derive(Debug, Default)]
pub(crate) struct Deletions {
    gone: Vec<DeletedDiscussion>,
    repository: Option<Repository>,
    /// Only deletions after this commit are reported.
    since: Option<String>,
    /// The present files: the object as a git revision, and the path.
    present: Vec<(String, PathBuf)>,
    /// `ACCEPTED` lines that do not count, because someone other than their author committed them.
    refused: Vec<Accepted>,
}

/// Returns the missing discussions of the repository around a folder: those that `present` lacks, and with `history`
/// also those that a commit of this branch deleted. If `since` is given, only commits after it count. Empty without a
/// repository or a commit.
///
/// # Errors
/// Fails if git cannot read the history.
pub(crate) fn departed(
    folder: &Path,
    present: Present<'_>,
    history: bool,
    since: Option<&str>,
) -> Result<Deletions, StoreError> {
    let fail = |source| StoreError::Io {
        path: folder.to_owned(),
        doing: "reading the git history",
        source,
    };
    let Some(repository) = Repository::find_repository(folder) else {
        return Ok(Deletions::default());
    };
    look(repository, present, history, since).map_err(fail)
}

fn look(
    repository: Repository,
    present: Present<'_>,
    history: bool,
    since: Option<&str>,
) -> io::Result<Deletions> {
    // Before the first commit, no discussion can be missing.
    let Ok(tree) = repository.ask(["ls-tree", "-r", "-z", "--full-tree", "--name-only", "HEAD"])
    else {
        return Ok(Deletions::default());
    };
    let head: Vec<&str> = tree.split('\0').filter(|path| is_page(path)).collect();
    let index = match present {
        Present::Files => None,
        Present::Index(index) => index,
    };
    let listed = ["ls-files", "-z", "--cached", "--stage", "--full-name", "--", PAGES];
    let listed = repository.ask_with_index(listed, index)?;
    let staged: BTreeMap<&str, &str> = listed.split('\0').filter_map(staged).collect();
    let lost: HashSet<String> = match present {
        Present::Files => {
            let asked = ["ls-files", "-z", "--deleted", "--full-name", "--", PAGES];
            repository.ask(asked)?.split('\0').map(str::to_owned).collect()
        }
        Present::Index(_) => HashSet::new(),
    };
    let merging = repository.is_merging();
    let stands = |path: &str| match present {
        Present::Files if !staged.contains_key(path) => repository.top().join(path).exists(),
        Present::Files => !lost.contains(path),
        Present::Index(_) => staged.contains_key(path),
    };
    // A deletion by the other side of a merge is reported for the other side, not for this one.
    let theirs = |path: &str| merging && !repository.names(&format!("MERGE_HEAD:{path}"));
    let missing = head.iter().filter(|path| !stands(path) && !theirs(path));
    let mut found: Vec<(String, Option<DeletingCommit>)> =
        missing.map(|path| ((*path).to_owned(), None)).collect();
    if history {
        let held: HashSet<&str> = head.iter().copied().collect();
        let taken = find_deletions(&repository, since)?.into_iter();
        found.extend(
            taken
                .filter(|(path, _)| !held.contains(path.as_str()))
                .map(|(path, taken)| (path, Some(taken))),
        );
    }
    let present: Vec<(String, PathBuf)> = match present {
        Present::Files => head
            .iter()
            .filter(|path| stands(path))
            .map(|path| (format!("HEAD:{path}"), repository.top().join(path)))
            .collect(),
        Present::Index(_) => staged
            .iter()
            .map(|(path, hash)| ((*hash).to_owned(), repository.top().join(path)))
            .collect(),
    };
    let gone = texts(&repository, found)?;
    Ok(Deletions {
        gone,
        repository: Some(repository),
        since: since.map(str::to_owned),
        present,
        refused: Vec::new(),
    })
}

pub(super) fn is_page(path: &str) -> bool {
    path.len() > 3 && path.is_char_boundary(path.len() - 3) && {
        path[path.len() - 3..].eq_ignore_ascii_case(".md")
    }
}

/// Returns path and object of a line of `ls-files --stage`.
fn staged(line: &str) -> Option<(&str, &str)> {
    let (about, path) = line.split_once('\t')?;
    Some((path, about.split(' ').nth(1)?))
}

/// Returns the log of this branch for some paths, only for commits after `since` if given. Each entry consists of the
/// requested format, a NUL byte, and the paths that the message says are removed on purpose, joined by commas.
pub(super) fn changes(
    repository: &Repository,
    options: &[&str],
    format: &str,
    since: Option<&str>,
    paths: &str,
) -> io::Result<String> {
    let trailer = DeletedDiscussion::TRAILER;
    let format = format!("--format={format}%x00%(trailers:key={trailer},valueonly,separator=%x2C)");
    let without = since.map(|commit| format!("^{commit}"));
    let mut asked = options.to_vec();
    asked.extend([&*format, "HEAD"]);
    asked.extend(without.as_deref());
    asked.extend(["--", paths]);
    repository.log(asked)
}

/// Finds the last commit that deleted each file; a merge counts only if no other commit deleted it.
fn find_deletions(
    repository: &Repository,
    since: Option<&str>,
) -> io::Result<BTreeMap<String, DeletingCommit>> {
    let options = ["--no-renames", "-m", "--diff-filter=D", "--name-only", "-z"];
    let told = changes(repository, &options, "%H%x00%P%x00%an <%ae>%x00%aI%x00%s", since, PAGES)?;
    let mut found: BTreeMap<String, DeletingCommit> = BTreeMap::new();
    let mut words = told.split('\0').peekable();
    while let Some(id) = words.next().filter(|id| !id.is_empty()) {
        let mut next = || words.next().unwrap_or_default().to_owned();
        let (parents, author, date, subject, trailer) = (next(), next(), next(), next(), next());
        let taken = DeletingCommit {
            id: id.to_owned(),
            parents: parents.split_whitespace().map(str::to_owned).collect(),
            author,
            date,
            subject,
            is_meant: false,
        };
        // Every requested path ends in `.md`, and no commit id does.
        while let Some(path) = words.next_if(|word| is_page(word)) {
            let path = path.strip_prefix('\n').unwrap_or(path);
            let is_meant = DeletedDiscussion::names(&trailer, path);
            let taken = DeletingCommit { is_meant, ..taken.clone() };
            match found.get_mut(path) {
                Some(known) if known.parents.len() > 1 && taken.parents.len() < 2 => *known = taken,
                Some(_) => {}
                None => {
                    found.insert(path.to_owned(), taken);
                }
            }
        }
    }
    Ok(found)
}

/// Reads the last content of each file; files that were not discussions are dropped.
fn texts(
    repository: &Repository,
    found: Vec<(String, Option<DeletingCommit>)>,
) -> io::Result<Vec<DeletedDiscussion>> {
    let mut objects = Vec::new();
    let mut whose = Vec::new();
    for (index, (path, taken)) in found.iter().enumerate() {
        let head = ["HEAD".to_owned()];
        let before = taken.as_ref().map_or(&head[..], |taken| &taken.parents);
        for commit in before {
            objects.push(format!("{commit}:{path}"));
            whose.push(index);
        }
    }
    let mut texts: Vec<Option<String>> = vec![None; found.len()];
    repository.contents(&objects, |at, text| {
        let place = &mut texts[whose[at]];
        *place = place.take().or(text);
        ControlFlow::Continue(())
    })?;
    let all = found.into_iter().zip(texts);
    Ok(all
        .filter_map(|((in_tree, taken), text)| {
            let text = text.filter(|text| parse(text).is_discussion())?;
            Some(DeletedDiscussion { path: repository.top().join(&in_tree), text, in_tree, taken })
        })
        .collect())
}

impl Deletions {
    /// Returns the missing discussions.
    pub(crate) fn deleted(&self) -> &[DeletedDiscussion] {
        &self.gone
    }

    /// Returns the changes of deleted discussions that this text continues: earlier rewrites, and losses by the move.
    pub(super) fn rewrites_in(&self, now: &str) -> io::Result<Vec<Rewrite>> {
        let mut found = Vec::new();
        for one in self.gone.iter().filter(|one| goes_on(&one.text, now)) {
            found.extend(self.rewrites(one, now)?);
        }
        Ok(found)
    }

    /// Rejects `ACCEPTED` lines, so that the changes they accept are reported.
    pub(crate) fn refuse(&mut self, lines: Vec<Accepted>) {
        self.refused = lines;
    }

    /// Returns the `ACCEPTED` lines of a text that count.
    pub(super) fn acceptances(&self, text: &str) -> Acceptances {
        Acceptances::of(text).without(&self.refused)
    }

    /// Finds the present file that continues a deleted discussion, and the rewrites on the way to that file. `None` if
    /// no file continues the discussion.
    ///
    /// # Errors
    /// Fails if git fails.
    pub(crate) fn find_continuation(
        &self,
        one: &DeletedDiscussion,
    ) -> Result<Option<(PathBuf, Vec<Rewrite>)>, StoreError> {
        let fail = |source| StoreError::Io {
            path: one.path.clone(),
            doing: "reading the git history",
            source,
        };
        let Some(repository) = &self.repository else { return Ok(None) };
        let objects: Vec<String> = self.present.iter().map(|(object, _)| object.clone()).collect();
        let mut now = None;
        let read = repository.contents(&objects, |index, text| {
            let text = text.filter(|text| goes_on(&one.text, text));
            now = text.map(|text| (self.present[index].1.clone(), text));
            if now.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        read.map_err(fail)?;
        let Some((path, now)) = now else { return Ok(None) };
        self.rewrites(one, &now).map(|rewrites| Some((path, rewrites))).map_err(fail)
    }

    fn rewrites(&self, one: &DeletedDiscussion, now: &str) -> io::Result<Vec<Rewrite>> {
        let accepted = self.acceptances(now);
        let mut found = Vec::new();
        if let (Some(repository), Some(_)) = (&self.repository, &one.taken) {
            let before =
                history_in(repository, &one.in_tree, now, self.since.as_deref(), &accepted)?
                    .unwrap_or_default();
            found.extend(before.into_iter().filter(|it| it.kind != RewriteKind::Deleted));
        }
        let verdicts = ChangeClassifier::new(&accepted).all(&[&one.text], Some(now), false);
        found.extend(verdicts.into_iter().map(|verdict| {
            let DeletingCommit { id, author, date, subject, .. } =
                one.taken.clone().unwrap_or_default();
            let commit = one.taken.is_some().then_some(id);
            verdict.of(commit, author, date, subject)
        }));
        Ok(found)
    }
}

impl DeletedDiscussion {
    /// Returns true if the commit that deleted the discussion says that the deletion is intended.
    pub(crate) fn is_meant(&self) -> bool {
        self.taken.as_ref().is_some_and(|taken| taken.is_meant)
    }

    /// Returns the commit that deleted the discussion, with author and subject; untrusted text. `None` if the deletion
    /// is not committed.
    pub(crate) fn commit(&self) -> Option<String> {
        let DeletingCommit { id, author, subject, .. } = self.taken.as_ref()?;
        Some(format!("commit {} by {author} ({subject})", id.get(..12).unwrap_or(id)))
    }

    /// Returns the discussion's former path, relative to the top of the tree; untrusted text.
    pub(crate) fn in_tree(&self) -> &str {
        &self.in_tree
    }

    /// Returns true if the trailers of a commit's message name a path of the tree.
    pub(super) fn names(trailers: &str, in_tree: &str) -> bool {
        trailers.split(',').any(|meant| meant.trim() == in_tree)
    }

    /// Trailer of a commit message that names an intentionally deleted discussion.
    pub(crate) const TRAILER: &str = "Removes-Discussion";
}
