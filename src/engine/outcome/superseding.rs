//! What the discussions of a project replace of each other: which `SUPERSEDES:` links count, and what they change.
//!
//! Of links in a circle the oldest does not count, so one decision always stays in force.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use super::{
    By, ItemState, MAX_INHERITED_PATTERNS, OtherDecision, Outcome, Standing, SupersedingLink,
};
use crate::engine::snapshot::Snapshot;

/// A link between two discussions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProjectLink {
    /// The discussion with the link.
    pub(crate) from: PathBuf,
    /// The discussion that it leads to.
    pub(crate) to: PathBuf,
    /// The link itself.
    pub(crate) link: SupersedingLink,
    /// True if the link counts: it replaces a decision, and is not the oldest of a circle.
    pub(crate) counts: bool,
    /// True if it does not count because it is the oldest of a circle.
    pub(crate) is_circular: bool,
}

/// A discussion of the project.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkedDiscussion<'o> {
    /// What its file alone says.
    pub(crate) outcome: &'o Outcome,
    /// The file, as it is shown.
    pub(crate) file: &'o str,
    /// The name that finds it.
    pub(crate) name: &'o str,
    /// The title.
    pub(crate) title: &'o str,
}

/// What other discussions change of one outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkEffects {
    /// The indices of the items that other discussions replaced, each with the decision that replaced it.
    replaced: Vec<(usize, OtherDecision)>,
    /// The patterns of affected files that items take over from the decisions that they replaced, by index.
    inherited: Vec<(usize, Vec<String>)>,
}

impl Outcome {
    /// Applies what other discussions replaced.
    pub(crate) fn apply(&mut self, effects: &LinkEffects) {
        for (index, other) in &effects.replaced {
            let item = &mut self.items[*index];
            item.state = ItemState::Replaced;
            item.by = Some(By::Other(other.clone()));
        }
        for (index, patterns) in &effects.inherited {
            self.items[*index].inherited_affects.clone_from(patterns);
        }
        self.stand();
    }
}

/// The links of a project, and their effects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Superseding {
    /// All links, the newest first.
    pub(crate) links: Vec<ProjectLink>,
    effects: HashMap<PathBuf, LinkEffects>,
    /// The indices of the links that count, by the discussion that they lead to.
    to: HashMap<PathBuf, Vec<usize>>,
    /// The indices of all links by the discussion that they come from.
    from: HashMap<PathBuf, Vec<usize>>,
}

impl Superseding {
    /// Computes which links count, and their effects. `links` are the links that count in their own files, with the
    /// files that they come from and lead to.
    pub(crate) fn of(
        discussions: &HashMap<PathBuf, LinkedDiscussion<'_>>,
        links: Vec<(PathBuf, PathBuf, SupersedingLink)>,
    ) -> Self {
        let mut links: Vec<ProjectLink> = links
            .into_iter()
            .map(|(from, to, link)| ProjectLink {
                from,
                to,
                link,
                counts: false,
                is_circular: false,
            })
            .collect();
        links.sort_by(|one, other| {
            (other.link.at, &other.from, other.link.line).cmp(&(
                one.link.at,
                &one.from,
                one.link.line,
            ))
        });
        let mut graph = Graph::of(discussions, &links);
        for one in &mut links {
            let Some((from, to)) = graph.ends(one) else {
                // A decision record of another tool is no discussion.
                one.counts = !discussions.contains_key(&one.to);
                continue;
            };
            if graph.has_path(to, from) {
                one.is_circular = true;
            } else {
                graph.join(from, to);
                one.counts = true;
            }
        }
        let mut all = Self { links, ..Self::default() };
        for (index, one) in all.links.iter().enumerate() {
            all.from.entry(one.from.clone()).or_default().push(index);
            if one.counts {
                all.to.entry(one.to.clone()).or_default().push(index);
            }
        }
        all.replace(discussions);
        all.inherit(discussions, &graph);
        all
    }

    /// Applies what the links change of a discussion.
    pub(crate) fn apply(&self, path: &Path, snapshot: &mut Snapshot) {
        if let Some(effects) = self.effects.get(path) {
            snapshot.edit_outcome(|outcome| outcome.apply(effects));
        }
    }

    /// Returns the discussions of which the links change something.
    pub(crate) fn changed(&self) -> impl Iterator<Item = &Path> {
        self.effects.keys().map(PathBuf::as_path)
    }

    /// Returns the links that count and lead to a discussion, the newest first.
    pub(crate) fn to(&self, path: &Path) -> impl Iterator<Item = &ProjectLink> {
        self.to.get(path).into_iter().flatten().map(|index| &self.links[*index])
    }

    /// Returns the links that count and come from a discussion, the newest first.
    pub(crate) fn from(&self, path: &Path) -> impl Iterator<Item = &ProjectLink> {
        self.written_in(path).filter(|one| one.counts)
    }

    /// Returns all links of a discussion, the newest first, also those that do not count.
    pub(crate) fn written_in(&self, path: &Path) -> impl Iterator<Item = &ProjectLink> {
        self.from.get(path).into_iter().flatten().map(|index| &self.links[*index])
    }

    /// Returns the files that discussions supersede as a whole, each with these discussions.
    pub(crate) fn whole_files(&self) -> HashMap<&Path, Vec<&Path>> {
        let mut files: HashMap<&Path, Vec<&Path>> = HashMap::new();
        for one in self.links.iter().filter(|one| one.counts && one.link.number.is_none()) {
            files.entry(&one.to).or_default().push(&one.from);
        }
        files
    }

    /// Finds the decisions that the links replaced. Of several links to one decision, the newest names its successor.
    fn replace(&mut self, discussions: &HashMap<PathBuf, LinkedDiscussion<'_>>) {
        let mut done: HashSet<(&Path, usize)> = HashSet::new();
        let counting = self.links.iter().filter(|one| one.counts);
        for ProjectLink { from, to, link, .. } in counting {
            let (Some(target), Some(source)) = (discussions.get(to), discussions.get(from)) else {
                continue;
            };
            for index in targets(target.outcome, link) {
                if done.insert((to.as_path(), index)) {
                    let other = OtherDecision {
                        file: source.file.to_owned(),
                        name: source.name.to_owned(),
                        title: source.title.to_owned(),
                        number: link.own,
                    };
                    self.effects.entry(to.clone()).or_default().replaced.push((index, other));
                }
            }
        }
    }

    /// Hands the patterns of affected files to the decisions that replaced their own.
    fn inherit(&mut self, discussions: &HashMap<PathBuf, LinkedDiscussion<'_>>, graph: &Graph) {
        let mut patterns: Vec<Vec<String>> = vec![Vec::new(); graph.next.len()];
        for (path, places) in &graph.places {
            let Some(known) = discussions.get(path) else { continue };
            for (index, item) in known.outcome.items.iter().enumerate() {
                let own = item.notes.affects.iter().map(|one| one.pattern.clone());
                patterns[places.first_item + index].extend(own);
            }
            // The notes about the outcome as a whole pass on only if nothing of it is left.
            let mut after = known.outcome.clone();
            if let Some(effects) = self.effects.get(path) {
                after.apply(effects);
            }
            if after.standing == Standing::Replaced {
                let whole = known.outcome.notes.affects.iter().map(|one| one.pattern.clone());
                let whole: Vec<String> = whole.collect();
                for index in 0..known.outcome.items.len() {
                    patterns[places.first_item + index].extend(whole.iter().cloned());
                }
            }
        }
        let own: Vec<usize> = patterns.iter().map(Vec::len).collect();
        for node in graph.sinks_first() {
            let mut all = std::mem::take(&mut patterns[node]);
            for next in &graph.next[node] {
                for pattern in &patterns[*next] {
                    if all.len() < own[node] + MAX_INHERITED_PATTERNS && !all.contains(pattern) {
                        all.push(pattern.clone());
                    }
                }
            }
            patterns[node] = all;
        }
        for (path, places) in &graph.places {
            let Some(known) = discussions.get(path) else { continue };
            for index in 0..known.outcome.items.len() {
                let node = places.first_item + index;
                let inherited = patterns[node].split_off(own[node]);
                if !inherited.is_empty() {
                    self.effects
                        .entry(path.clone())
                        .or_default()
                        .inherited
                        .push((index, inherited));
                }
            }
        }
    }
}

/// Returns the indices of the items that a link replaces.
fn targets(target: &Outcome, link: &SupersedingLink) -> Vec<usize> {
    let fits = |index: &usize| {
        let item = &target.items[*index];
        item.stood
            && item.stands()
            && (link.number.is_none() || item.number == link.number)
            && (link.is_of_people || !item.is_of_people)
    };
    (0..target.items.len()).filter(fits).collect()
}

/// The nodes of one discussion: its items, and nodes that stand for several of them.
#[derive(Clone, Copy, Debug)]
struct Places {
    first_item: usize,
    /// Leads from all adopted items: the outcome as a whole replaces something.
    from_whole: usize,
    /// Leads to all items: the outcome as a whole is replaced.
    to_whole: usize,
    /// Leads to the items that only models adopted.
    to_models: usize,
}

/// Which decision replaces which: an edge leads from a decision to the one that it replaces.
struct Graph {
    places: BTreeMap<PathBuf, Places>,
    /// The indices of the items with a number, by discussion.
    numbered: HashMap<(PathBuf, u32), usize>,
    /// For each node of an item, whether people stand behind it.
    is_of_people: Vec<bool>,
    next: Vec<Vec<usize>>,
    previous: Vec<Vec<usize>>,
}

impl Graph {
    fn of(discussions: &HashMap<PathBuf, LinkedDiscussion<'_>>, links: &[ProjectLink]) -> Self {
        let mut graph = Self {
            places: BTreeMap::new(),
            numbered: HashMap::new(),
            is_of_people: Vec::new(),
            next: Vec::new(),
            previous: Vec::new(),
        };
        for path in links.iter().flat_map(|one| [&one.from, &one.to]) {
            if let (Some(known), false) = (discussions.get(path), graph.places.contains_key(path)) {
                graph.add(path, known.outcome);
            }
        }
        graph
    }

    fn add(&mut self, path: &Path, outcome: &Outcome) {
        let first_item = self.next.len();
        let count = outcome.items.len();
        let places = Places {
            first_item,
            from_whole: first_item + count,
            to_whole: first_item + count + 1,
            to_models: first_item + count + 2,
        };
        self.next.resize(first_item + count + 3, Vec::new());
        self.previous.resize(first_item + count + 3, Vec::new());
        self.is_of_people.resize(first_item + count + 3, false);
        for (index, item) in outcome.items.iter().enumerate() {
            let node = first_item + index;
            self.is_of_people[node] = item.is_of_people;
            if let Some(number) = item.number {
                self.numbered.insert((path.to_owned(), number), node);
            }
            if item.decided_by.is_some() && item.state != ItemState::Withdrawn {
                self.join(node, places.from_whole);
            }
            self.join(places.to_whole, node);
            if !item.is_of_people {
                self.join(places.to_models, node);
            }
        }
        for (index, item) in outcome.items.iter().enumerate() {
            if let Some(By::Item(number)) = item.by
                && item.state == ItemState::Replaced
                && let Some(by) = self.numbered.get(&(path.to_owned(), number)).copied()
                && by != first_item + index
            {
                self.join(by, first_item + index);
            }
        }
        self.places.insert(path.to_owned(), places);
    }

    /// Returns the nodes between which a link leads; `None` if it leads to nothing that it may replace.
    fn ends(&self, one: &ProjectLink) -> Option<(usize, usize)> {
        if one.from == one.to {
            return None;
        }
        let (from, to) = (self.places.get(&one.from)?, self.places.get(&one.to)?);
        let item =
            |path: &Path, number: u32| self.numbered.get(&(path.to_owned(), number)).copied();
        let source = match one.link.own {
            Some(number) => item(&one.from, number)?,
            None => from.from_whole,
        };
        let target = match one.link.number {
            Some(number) => {
                let node = item(&one.to, number)?;
                (one.link.is_of_people || !self.is_of_people[node]).then_some(node)?
            }
            None if one.link.is_of_people => to.to_whole,
            None => to.to_models,
        };
        Some((source, target))
    }

    fn join(&mut self, from: usize, to: usize) {
        self.next[from].push(to);
        self.previous[to].push(from);
    }

    /// Returns true if a path leads from one node to another. Searches from both ends in turn, so that joining long
    /// chains takes little more than linear time.
    fn has_path(&self, from: usize, to: usize) -> bool {
        if from == to {
            return true;
        }
        let (mut ahead, mut back) = (HashSet::from([from]), HashSet::from([to]));
        let (mut forward, mut backward) = (VecDeque::from([from]), VecDeque::from([to]));
        while let (Some(one), Some(other)) = (forward.pop_front(), backward.pop_front()) {
            for &next in &self.next[one] {
                if back.contains(&next) {
                    return true;
                }
                if ahead.insert(next) {
                    forward.push_back(next);
                }
            }
            for &previous in &self.previous[other] {
                if ahead.contains(&previous) {
                    return true;
                }
                if back.insert(previous) {
                    backward.push_back(previous);
                }
            }
        }
        false
    }

    /// Returns the nodes so that each comes after all nodes to which it leads.
    fn sinks_first(&self) -> Vec<usize> {
        let mut left: Vec<usize> = self.next.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..left.len()).filter(|node| left[*node] == 0).collect();
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            at += 1;
            for &previous in &self.previous[node] {
                left[previous] -= 1;
                if left[previous] == 0 {
                    order.push(previous);
                }
            }
        }
        order
    }
}
