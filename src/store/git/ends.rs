//! Discussions of an earlier commit that were replaced: by a page, a link, or an empty file.
//!
//! Every view of a branch shows a deleted discussion. But checks that look at discussions only
//! would miss a discussion that was emptied, or replaced by a link or a page.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use super::deletions::{DeletedDiscussion, Present, changes};
use super::range::Earlier;
use super::repository::{Repository, literal};
use crate::transcript::parse;

/// The content that replaced a discussion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiscussionEnding {
    /// An empty file, or one with only white space.
    Emptied,
    /// A text that is not a discussion.
    Page,
    /// A pointer of Git LFS; git does not have the text that it points to.
    Pointer,
    /// A link.
    Link,
    /// A folder or a submodule.
    Folder,
}

/// A discussion that was replaced by other content.
#[derive(Clone, Debug)]
pub(crate) struct Ended<'e> {
    pub(crate) earlier: &'e Earlier,
    pub(crate) ending: DiscussionEnding,
    /// The commit that replaced it, described for people; untrusted text. `None` if the change is not committed.
    pub(crate) commit: Option<String>,
    /// True if the commit's message says that the discussion is removed on purpose.
    pub(crate) is_meant: bool,
}

/// The first line of a Git LFS pointer begins with this text.
const POINTER: &str = "version https://git-lfs.github.com/spec/";

pub(super) fn ended_discussions<'e>(
    repository: &Repository,
    earlier: &'e [Earlier],
    present: Present<'_>,
    since: Option<&str>,
) -> io::Result<Vec<Ended<'e>>> {
    let mut found = Vec::new();
    for (one, state) in earlier.iter().zip(states(repository, earlier, present)?) {
        let ending = match (state, present) {
            (EndState::Ended(ending), Present::Files) => Some((ending, true)),
            (EndState::Ended(ending), Present::Index(_)) => Some((ending, false)),
            (EndState::Discussion, Present::Files) => in_files(one).map(|ending| (ending, false)),
            (EndState::Discussion | EndState::Missing, _) => None,
        };
        let Some((ending, is_committed)) = ending else { continue };
        let (commit, is_meant) = if is_committed {
            last_change(repository, &one.in_tree, since)?
        } else {
            (None, false)
        };
        found.push(Ended { earlier: one, ending, commit, is_meant });
    }
    Ok(found)
}

enum EndState {
    Discussion,
    Ended(DiscussionEnding),
    /// Nothing is at the path. The search for deleted discussions reports that.
    Missing,
}

/// Returns the state of each path in the last commit, or in the index of the next commit.
fn states(
    repository: &Repository,
    earlier: &[Earlier],
    present: Present<'_>,
) -> io::Result<Vec<EndState>> {
    // Both commands print the mode first, but the object in different columns.
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
    let mut states: Vec<EndState> = Vec::with_capacity(earlier.len());
    for (index, one) in earlier.iter().enumerate() {
        states.push(match entries.get(one.in_tree.as_str()) {
            None => EndState::Missing,
            Some((mode, object)) if mode.starts_with("100") => {
                objects.push((*object).to_owned());
                whose.push(index);
                EndState::Discussion
            }
            Some(("120000", _)) => EndState::Ended(DiscussionEnding::Link),
            Some(_) => EndState::Ended(DiscussionEnding::Folder),
        });
    }
    repository.contents(&objects, |at, text| {
        if let Some(ending) = text.as_deref().and_then(ending_of) {
            states[whose[at]] = EndState::Ended(ending);
        }
        ControlFlow::Continue(())
    })?;
    Ok(states)
}

/// Returns the content of the working tree that replaced a discussion, or `None` if a discussion is still there.
fn in_files(one: &Earlier) -> Option<DiscussionEnding> {
    let found = std::fs::symlink_metadata(&one.path).ok()?;
    if found.is_symlink() {
        return Some(DiscussionEnding::Link);
    }
    if !found.is_file() {
        return Some(DiscussionEnding::Folder);
    }
    let document = crate::store::read::read(&one.path).ok()?;
    ending_of(&document.text)
}

fn ending_of(text: &str) -> Option<DiscussionEnding> {
    if text.trim().is_empty() {
        return Some(DiscussionEnding::Emptied);
    }
    if text.starts_with(POINTER) {
        return Some(DiscussionEnding::Pointer);
    }
    (!parse(text).is_discussion()).then_some(DiscussionEnding::Page)
}

/// Returns the last commit that changed a file, described for people, and true if its message says that a discussion is
/// removed on purpose.
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
    Ok((Some(format!("commit {commit}")), DeletedDiscussion::names(trailer, in_tree)))
}
