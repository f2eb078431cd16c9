//! Discussions that stand no more where they stood: removed, or going on under another name.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::history::{Rewrite, RewriteKind, history_in};
use super::judge::Judge;
use super::repository::Repository;
use crate::store::error::StoreError;
use crate::store::merge::{Acceptances, goes_on};
use crate::transcript::{Accepted, parse};

/// All files that may be discussions.
pub(super) const PAGES: &str = ":(top,icase,glob)**/*.md";

/// What is compared with the last commit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Present<'a> {
    /// The files of the working tree.
    Files,
    /// What is to be committed, in the repository's index or another one.
    Index(Option<&'a Path>),
}

/// A discussion that stood in the last commit, or in one before it, and stands there no more.
#[derive(Clone, Debug)]
pub(crate) struct Gone {
    /// Where it stood.
    pub(crate) path: PathBuf,
    /// What it held at last.
    pub(crate) text: String,
    /// The same from the top of the tree.
    in_tree: String,
    /// The commit that took it away; `None`: none has yet.
    taken: Option<Taken>,
}

/// A commit that took a file away.
#[derive(Clone, Debug, Default)]
struct Taken {
    id: String,
    parents: Vec<String>,
    author: String,
    date: String,
    subject: String,
    /// Its message says that this is meant.
    is_meant: bool,
}

/// All of them in a repository.
#[derive(Debug, Default)]
pub(crate) struct Departed {
    gone: Vec<Gone>,
    repository: Option<Repository>,
    /// Only what came after this commit is told.
    since: Option<String>,
    /// What stands now, as git names it, and its path.
    present: Vec<(String, PathBuf)>,
    /// `ACCEPTED` lines that are not honoured, since somebody else committed them.
    refused: Vec<Accepted>,
}

/// The discussions that are gone from the repository around a folder: by `present`, and with `history` also by the commits
/// of this branch, of those after `since` only. None where there is no repository or no commit.
///
/// # Errors
/// A history that git cannot read.
pub(crate) fn departed(
    folder: &Path,
    present: Present<'_>,
    history: bool,
    since: Option<&str>,
) -> Result<Departed, StoreError> {
    let fail = |source| StoreError::Io {
        path: folder.to_owned(),
        doing: "reading the git history",
        source,
    };
    let Some(repository) = Repository::around(folder) else { return Ok(Departed::default()) };
    look(repository, present, history, since).map_err(fail)
}

fn look(
    repository: Repository,
    present: Present<'_>,
    history: bool,
    since: Option<&str>,
) -> io::Result<Departed> {
    // Before the first commit nothing can be gone.
    let Ok(tree) = repository.ask(["ls-tree", "-r", "-z", "--full-tree", "--name-only", "HEAD"])
    else {
        return Ok(Departed::default());
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
    // What the other side of a merge took away is its own affair.
    let theirs = |path: &str| merging && !repository.names(&format!("MERGE_HEAD:{path}"));
    let missing = head.iter().filter(|path| !stands(path) && !theirs(path));
    let mut found: Vec<(String, Option<Taken>)> =
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
    Ok(Departed {
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

/// Path and object of a line of `ls-files --stage`.
fn staged(line: &str) -> Option<(&str, &str)> {
    let (about, path) = line.split_once('\t')?;
    Some((path, about.split(' ').nth(1)?))
}

/// The log of this branch, of the commits after `since` only, about some paths: of each commit what the format says, a NUL
/// byte, and the paths that its message says are removed on purpose, with commas between them.
pub(super) fn changes(
    repository: &Repository,
    options: &[&str],
    format: &str,
    since: Option<&str>,
    paths: &str,
) -> io::Result<String> {
    let trailer = Gone::TRAILER;
    let format = format!("--format={format}%x00%(trailers:key={trailer},valueonly,separator=%x2C)");
    let without = since.map(|commit| format!("^{commit}"));
    let mut asked = vec!["log", "--no-show-signature", "--no-ext-diff", "--no-textconv"];
    asked.extend(options);
    asked.extend([&*format, "HEAD"]);
    asked.extend(without.as_deref());
    asked.extend(["--", paths]);
    repository.ask(asked)
}

/// The last commit that took each file away, a merge only where no other did.
fn find_deletions(
    repository: &Repository,
    since: Option<&str>,
) -> io::Result<BTreeMap<String, Taken>> {
    let options = ["--no-renames", "-m", "--diff-filter=D", "--name-only", "-z"];
    let told = changes(repository, &options, "%H%x00%P%x00%an <%ae>%x00%aI%x00%s", since, PAGES)?;
    let mut found: BTreeMap<String, Taken> = BTreeMap::new();
    let mut words = told.split('\0').peekable();
    while let Some(id) = words.next().filter(|id| !id.is_empty()) {
        let mut next = || words.next().unwrap_or_default().to_owned();
        let (parents, author, date, subject, trailer) = (next(), next(), next(), next(), next());
        let taken = Taken {
            id: id.to_owned(),
            parents: parents.split_whitespace().map(str::to_owned).collect(),
            author,
            date,
            subject,
            is_meant: false,
        };
        // All that is asked for ends so, and no commit's name does.
        while let Some(path) = words.next_if(|word| is_page(word)) {
            let path = path.strip_prefix('\n').unwrap_or(path);
            let is_meant = Gone::names(&trailer, path);
            let taken = Taken { is_meant, ..taken.clone() };
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

/// What they held at last; pages that were no discussions are left out.
fn texts(repository: &Repository, found: Vec<(String, Option<Taken>)>) -> io::Result<Vec<Gone>> {
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
            Some(Gone { path: repository.top().join(&in_tree), text, in_tree, taken })
        })
        .collect())
}

impl Departed {
    /// Those that are gone.
    pub(crate) fn gone(&self) -> &[Gone] {
        &self.gone
    }

    /// What those that go on in a text lost on the way, and how they were rewritten before.
    pub(super) fn followed(&self, now: &str) -> io::Result<Vec<Rewrite>> {
        let mut found = Vec::new();
        for one in self.gone.iter().filter(|one| goes_on(&one.text, now)) {
            found.extend(self.rewrites(one, now)?);
        }
        Ok(found)
    }

    /// Refuses `ACCEPTED` lines: what they excuse is reported.
    pub(crate) fn refuse(&mut self, lines: Vec<Accepted>) {
        self.refused = lines;
    }

    /// The `ACCEPTED` lines of a text that are honoured.
    pub(super) fn acceptances(&self, text: &str) -> Acceptances {
        Acceptances::of(text).without(&self.refused)
    }

    /// Finds the file that a discussion goes on in, other than those that are looked at, and what it lost on the way;
    /// `None` if it goes on in none.
    ///
    /// # Errors
    /// When git cannot tell.
    pub(crate) fn elsewhere(
        &self,
        one: &Gone,
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

    fn rewrites(&self, one: &Gone, now: &str) -> io::Result<Vec<Rewrite>> {
        let accepted = self.acceptances(now);
        let mut found = Vec::new();
        if let (Some(repository), Some(_)) = (&self.repository, &one.taken) {
            let before =
                history_in(repository, &one.in_tree, now, self.since.as_deref(), &accepted)?
                    .unwrap_or_default();
            found.extend(before.into_iter().filter(|it| it.kind != RewriteKind::Deleted));
        }
        let verdicts = Judge::new(&accepted).all(&[&one.text], Some(now), false);
        found.extend(verdicts.into_iter().map(|verdict| {
            let Taken { id, author, date, subject, .. } = one.taken.clone().unwrap_or_default();
            let commit = one.taken.is_some().then_some(id);
            verdict.of(commit, author, date, subject)
        }));
        Ok(found)
    }
}

impl Gone {
    /// Whether the commit that took it away says that this is meant.
    pub(crate) fn is_meant(&self) -> bool {
        self.taken.as_ref().is_some_and(|taken| taken.is_meant)
    }

    /// The commit that took it away, who made it and what it says, untrusted text; `None`: none has yet.
    pub(crate) fn commit(&self) -> Option<String> {
        let Taken { id, author, subject, .. } = self.taken.as_ref()?;
        Some(format!("commit {} by {author} ({subject})", id.get(..12).unwrap_or(id)))
    }

    /// Where it stood, from the top of the tree, untrusted text.
    pub(crate) fn in_tree(&self) -> &str {
        &self.in_tree
    }

    /// Whether the trailers of a commit's message name a path of the tree.
    pub(super) fn names(trailers: &str, in_tree: &str) -> bool {
        trailers.split(',').any(|meant| meant.trim() == in_tree)
    }

    /// What a commit's message says of a discussion that is meant to be gone.
    pub(crate) const TRAILER: &str = "Removes-Discussion";
}
