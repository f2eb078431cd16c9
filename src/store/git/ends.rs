//! Discussions of an earlier commit whose place something else has taken: a page, nothing, a link.
//!
//! Deleting a discussion shows in every view of a branch. Emptying it, or putting a link or a page in its place, would
//! otherwise hide it from all that look at discussions only.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use super::gone::{Gone, Present, changes};
use super::range::Earlier;
use super::repository::{Repository, literal};
use crate::transcript::parse;

/// What stands in a discussion's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A file without a byte but blanks.
    Emptied,
    /// Text that is no discussion.
    Page,
    /// A pointer of Git LFS, whose text git does not hold.
    Pointer,
    /// A link.
    Link,
    /// A folder or a submodule.
    Folder,
}

/// A discussion whose place something else has taken.
#[derive(Clone, Debug)]
pub(crate) struct Ended<'e> {
    pub(crate) earlier: &'e Earlier,
    pub(crate) ending: Ending,
    /// The commit that did it, in words, untrusted text; `None` if it is not committed.
    pub(crate) commit: Option<String>,
    /// The commit's message says that the discussion is removed on purpose.
    pub(crate) is_meant: bool,
}

/// The line that a pointer of Git LFS begins with.
const POINTER: &str = "version https://git-lfs.github.com/spec/";

pub(super) fn ended<'e>(
    repository: &Repository,
    earlier: &'e [Earlier],
    present: Present<'_>,
    since: Option<&str>,
) -> io::Result<Vec<Ended<'e>>> {
    let mut found = Vec::new();
    for (one, state) in earlier.iter().zip(states(repository, earlier, present)?) {
        let ending = match (state, present) {
            (State::Ended(ending), Present::Files) => Some((ending, true)),
            (State::Ended(ending), Present::Index(_)) => Some((ending, false)),
            (State::Discussion, Present::Files) => in_files(one).map(|ending| (ending, false)),
            (State::Discussion | State::Missing, _) => None,
        };
        let Some((ending, is_committed)) = ending else { continue };
        let (commit, is_meant) = match is_committed {
            true => last_change(repository, &one.in_tree, since)?,
            false => (None, false),
        };
        found.push(Ended { earlier: one, ending, commit, is_meant });
    }
    Ok(found)
}

enum State {
    Discussion,
    Ended(Ending),
    /// Nothing is there, which the search for removed discussions reports.
    Missing,
}

/// What stands in the place of each: in the last commit, or in what is to be committed.
fn states(
    repository: &Repository,
    earlier: &[Earlier],
    present: Present<'_>,
) -> io::Result<Vec<State>> {
    // Both tell the mode first; where the object stands differs.
    let (listed, object_at) = match present {
        Present::Files => {
            (repository.ask(["ls-tree", "-r", "-t", "-z", "--full-tree", "HEAD"])?, 2)
        }
        Present::Index(index) => {
            let asked = ["ls-files", "-z", "--cached", "--stage", "--full-name"];
            (repository.ask_with_index(asked, index)?, 1)
        }
    };
    let entries: HashMap<&str, (&str, &str)> = listed
        .split('\0')
        .filter_map(|line| {
            let (about, path) = line.split_once('\t')?;
            let words: Vec<&str> = about.split(' ').collect();
            Some((path, (*words.first()?, *words.get(object_at)?)))
        })
        .collect();
    let mut objects = Vec::new();
    let mut whose = Vec::new();
    let mut states: Vec<State> = Vec::with_capacity(earlier.len());
    for (index, one) in earlier.iter().enumerate() {
        states.push(match entries.get(one.in_tree.as_str()) {
            None => State::Missing,
            Some((mode, object)) if mode.starts_with("100") => {
                objects.push((*object).to_owned());
                whose.push(index);
                State::Discussion
            }
            Some(("120000", _)) => State::Ended(Ending::Link),
            Some(_) => State::Ended(Ending::Folder),
        });
    }
    repository.contents(&objects, |at, text| {
        if let Some(ending) = text.as_deref().and_then(ending_of) {
            states[whose[at]] = State::Ended(ending);
        }
        ControlFlow::Continue(())
    })?;
    Ok(states)
}

/// What the working tree has in its place, if that is no discussion.
fn in_files(one: &Earlier) -> Option<Ending> {
    let found = std::fs::symlink_metadata(&one.path).ok()?;
    if found.is_symlink() {
        return Some(Ending::Link);
    }
    if !found.is_file() {
        return Some(Ending::Folder);
    }
    let document = crate::store::read::read(&one.path).ok()?;
    ending_of(&document.text)
}

fn ending_of(text: &str) -> Option<Ending> {
    if text.trim().is_empty() {
        return Some(Ending::Emptied);
    }
    if text.starts_with(POINTER) {
        return Some(Ending::Pointer);
    }
    (!parse(text).is_discussion()).then_some(Ending::Page)
}

/// The last commit that changed a file, in words, and whether its message says that a discussion is removed on purpose.
fn last_change(
    repository: &Repository,
    in_tree: &str,
    since: Option<&str>,
) -> io::Result<(Option<String>, bool)> {
    let options = ["-1", "--no-patch", "--full-history"];
    let literal = literal(in_tree);
    let told = changes(repository, &options, "%h by %an <%ae> (%s)", since, &literal)?;
    let Some((commit, trailer)) = told.trim_end().split_once('\0') else {
        return Ok((None, false));
    };
    Ok((Some(format!("commit {commit}")), Gone::names(trailer, in_tree)))
}
