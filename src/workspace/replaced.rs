//! Which decisions later discussions replaced, from the `SUPERSEDES:` links of all discussions of a folder.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::Workspace;
use super::environment::plain;
use crate::adr::cycles;
use crate::engine::Snapshot;
use crate::state::{DecisionState, State, StatedDecision};
use crate::view::DueReview;

/// A link from a discussion with a decision to the discussion that it supersedes.
pub(super) struct SupersedeLink {
    pub(super) from: PathBuf,
    /// The decision of `from` that supersedes; `None` means its whole outcome.
    pub(super) by: Option<u32>,
    pub(super) to: PathBuf,
    /// The decision of `to` that is superseded; `None` means all of them.
    pub(super) number: Option<u32>,
    /// The time of the decision of `from`, in RFC 3339.
    pub(super) at: String,
}

/// Returns true if two links' ends may be one decision; `None` means all decisions.
fn meet(one: Option<u32>, other: Option<u32>) -> bool {
    one.is_none() || other.is_none() || one == other
}

impl SupersedeLink {
    /// Returns true if two links supersede each other.
    pub(super) fn opposes(&self, other: &Self) -> bool {
        self.from == other.to
            && self.to == other.from
            && meet(self.by, other.number)
            && meet(self.number, other.by)
    }

    /// Returns true if two discussions supersede the same decision.
    pub(super) fn competes(&self, other: &Self) -> bool {
        self.from != other.from && self.to == other.to && meet(self.number, other.number)
    }

    pub(super) fn is_later(&self, other: &Self) -> bool {
        (&self.at, &self.from) > (&other.at, &other.from)
    }
}

/// All links of the discussions in a folder.
pub(super) struct ReplacedDecision {
    all: Vec<SupersedeLink>,
    /// True for each link that counts: of two that supersede each other, only the later one does.
    counts: Vec<bool>,
    /// The indices of the links by the discussion that they come from.
    from: HashMap<PathBuf, Vec<usize>>,
    /// The indices of the links by the discussion that they lead to.
    to: HashMap<PathBuf, Vec<usize>>,
    /// The circles of links that count, by the first discussion of each.
    circles: HashMap<PathBuf, Vec<PathBuf>>,
}

impl ReplacedDecision {
    /// Collects the links of all files.
    pub(super) fn of(files: impl Iterator<Item = Vec<SupersedeLink>>) -> Self {
        let all: Vec<SupersedeLink> = files.flatten().collect();
        let (mut from, mut to): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for (index, link) in all.iter().enumerate() {
            from.entry(link.from.clone()).or_default().push(index);
            to.entry(link.to.clone()).or_default().push(index);
        }
        let mut links = Self { counts: Vec::new(), all, from, to, circles: HashMap::new() };
        let counts = |link: &SupersedeLink| {
            let mut back = links.between(&link.to, &link.from);
            link.from != link.to && !back.any(|it| link.opposes(it) && it.is_later(link))
        };
        links.counts = links.all.iter().map(counts).collect();
        links.circles = links.find_circles();
        links
    }

    /// Finds the discussions that replace each other in a circle of three or more. Of two, the later one counts.
    fn find_circles(&self) -> HashMap<PathBuf, Vec<PathBuf>> {
        let files: BTreeSet<&PathBuf> =
            self.counting().flat_map(|link| [&link.from, &link.to]).collect();
        let files: Vec<&PathBuf> = files.into_iter().collect();
        let mut next = vec![Vec::new(); files.len()];
        for link in self.counting() {
            if let (Ok(from), Ok(to)) =
                (files.binary_search(&&link.from), files.binary_search(&&link.to))
            {
                next[from].push(to);
            }
        }
        let circles = cycles(&next, || {}).into_iter().map(|group| {
            let group: Vec<PathBuf> = group.into_iter().map(|at| files[at].clone()).collect();
            (group[0].clone(), group)
        });
        circles.collect()
    }

    /// Returns the discussions of a circle that begins with a discussion; none if there is no such circle.
    pub(super) fn circle_of(&self, path: &Path) -> &[PathBuf] {
        self.circles.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the links that count.
    fn counting(&self) -> impl Iterator<Item = &SupersedeLink> {
        self.all.iter().zip(&self.counts).filter(|(_, counts)| **counts).map(|(link, _)| link)
    }

    /// Returns links among which are all from one discussion to another.
    pub(super) fn between(&self, from: &Path, to: &Path) -> impl Iterator<Item = &SupersedeLink> {
        let (from, to) = (indices(&self.from, from), indices(&self.to, to));
        // Many discussions may have links to one, or one to many.
        let fewer = if from.len() < to.len() { from } else { to };
        fewer.iter().map(|index| &self.all[*index])
    }

    /// Returns all links that lead to a discussion.
    pub(super) fn all_to(&self, path: &Path) -> impl Iterator<Item = &SupersedeLink> {
        indices(&self.to, path).iter().map(|index| &self.all[*index])
    }

    /// Returns the links that count and come from a discussion.
    pub(super) fn coming_from(&self, path: &Path) -> impl Iterator<Item = &SupersedeLink> {
        let all = indices(&self.from, path).iter();
        all.filter(|index| self.counts[**index]).map(|index| &self.all[*index])
    }

    /// Returns the links that count and lead to a discussion.
    pub(super) fn leading_to(&self, path: &Path) -> impl Iterator<Item = &SupersedeLink> {
        let all = indices(&self.to, path).iter();
        all.filter(|index| self.counts[**index]).map(|index| &self.all[*index])
    }

    /// Returns true if no discussion supersedes another.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the files that discussions supersede as a whole, each with these discussions.
    pub(super) fn whole_files(&self) -> HashMap<&Path, Vec<&Path>> {
        let mut files: HashMap<&Path, Vec<&Path>> = HashMap::new();
        for link in self.counting().filter(|link| link.number.is_none()) {
            files.entry(&link.to).or_default().push(&link.from);
        }
        files
    }

    /// Returns true if a part of a discussion's outcome is not superseded.
    pub(super) fn in_force(&self, path: &Path, snapshot: &Snapshot) -> bool {
        let mut live = live(snapshot).peekable();
        let has_none = live.peek().is_none();
        let replaced = self.replaced_parts(path);
        !replaced.contains(&None)
            && (has_none || live.any(|one| !replaced.contains(&Some(one.number))))
    }

    /// Returns the parts of a discussion's outcome that others superseded; `None` stands for all of it.
    pub(super) fn replaced_parts(&self, path: &Path) -> HashSet<Option<u32>> {
        self.leading_to(&plain(path)).map(|link| link.number).collect()
    }

    /// Keeps the reviews of decisions that are in force.
    pub(super) fn keep_in_force(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        reviews: &mut Vec<DueReview>,
    ) {
        let replaced = self.replaced_parts(path);
        let is_whole_in_force = self.in_force(path, snapshot);
        reviews.retain(|one| is_whole_in_force && !replaced.contains(&one.number));
    }

    /// Removes the days for a review of the decisions that other discussions replaced.
    pub(super) fn clear_reviews(&self, path: &Path, state: &mut State) {
        let replaced = self.replaced_parts(path);
        let is_replaced = |number| replaced.contains(&None) || replaced.contains(&Some(number));
        for one in state.decisions.iter_mut().filter(|one| is_replaced(one.number)) {
            one.lifecycle.review_by = None;
        }
        if replaced.contains(&None) {
            state.lifecycle.review_by = None;
        }
    }

    /// Returns the decisions of a discussion that are in force.
    pub(super) fn decisions_in_force<'s>(
        &self,
        path: &Path,
        snapshot: &'s Snapshot,
    ) -> Vec<&'s StatedDecision> {
        let replaced = self.replaced_parts(path);
        let is_replaced = |one: &&StatedDecision| {
            replaced.contains(&None) || replaced.contains(&Some(one.number))
        };
        live(snapshot).filter(|one| !is_replaced(one)).collect()
    }
}

fn indices<'i>(all: &'i HashMap<PathBuf, Vec<usize>>, path: &Path) -> &'i [usize] {
    all.get(path).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the decisions of a discussion that it did not replace or withdraw itself.
pub(super) fn live(snapshot: &Snapshot) -> impl Iterator<Item = &StatedDecision> {
    snapshot.state.decisions.iter().filter(|one| one.state == DecisionState::Live)
}

/// The links of the folders of checked discussions. The files of a folder are read once, on first use, because many
/// discussions may have links.
#[derive(Default)]
pub(super) struct KnownLinks(Mutex<HashMap<PathBuf, Arc<ReplacedDecision>>>);

impl KnownLinks {
    /// Returns the links of the discussions beside a file; none if the folder cannot be read.
    pub(super) fn links_beside(&self, path: &Path, workspace: &Workspace) -> Arc<ReplacedDecision> {
        let own = workspace.output_directory();
        let folder = path.parent().unwrap_or(Path::new(""));
        let folder = if path.starts_with(&own) { own } else { folder.to_owned() };
        let mut known = self.0.lock();
        let links = known.entry(folder).or_insert_with_key(|folder| {
            let none = || ReplacedDecision::of(std::iter::empty());
            Arc::new(workspace.replaced_below(folder).unwrap_or_else(|_| none()))
        });
        Arc::clone(links)
    }
}
