//! Decisions that were in force at the base and are not in force at the head, by whatever means, also by another file.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

use super::compare::{lost_blocks, new_blocks};
use super::judge::{Finding, JudgeContext};
use super::sides::{Objects, Side};
use super::version::Version;
use super::{GateReport, GateScope};
use crate::codes::ProblemCode;
use crate::engine::{
    By, Decider, Item, ItemState, LinkedDiscussion, Outcome, Snapshot, Superseding,
};
use crate::problem::Severity;
use crate::store::HistoryReader;
use crate::transcript::{Control, visible_line};
use crate::workspace::people::fold;

/// The word of links between discussions.
const LINK: &str = "SUPERSEDES";

/// The discussions of one side, evaluated, with the links between them applied.
struct DecidedSide(HashMap<Vec<u8>, Outcome>);

/// Reports each decision that was in force in a base and is not in the head.
pub(super) fn judge_decisions(
    context: &JudgeContext<'_>,
    base: &Side,
    head: &Side,
    continued: &[(Rc<Version>, Option<Vec<u8>>)],
    (history, objects, scope): (&HistoryReader, &Objects, &GateScope),
    report: &mut GateReport,
) {
    let mut paths: BTreeSet<Vec<u8>> = continued
        .iter()
        .flat_map(|(base, head)| [Some(base.path.clone()), head.clone()])
        .flatten()
        .collect();
    let new = head.differing(base, objects);
    paths.extend(new.iter().map(|version| version.path.clone()));
    let is_linked = |version: &Version| version.text().contains(LINK);
    // A link in a file that did not change leads elsewhere if another file takes the place of its target.
    let is_moved =
        |(base, head): &(Rc<Version>, Option<Vec<u8>>)| head.as_deref() != Some(&base.path[..]);
    if new.iter().any(|version| is_linked(version))
        || continued.iter().any(|it| is_linked(&it.0) || is_moved(it))
    {
        for side in [base, head] {
            for path in side.files.keys() {
                let text = side.text(path, objects).unwrap_or_else(|| Rc::from(""));
                if text.contains(LINK) {
                    paths.insert(path.clone());
                }
            }
        }
    }
    let after = DecidedSide::of(context, head, paths.clone(), objects);
    // A new link may lead to a discussion that did not change.
    paths.extend(after.0.keys().cloned());
    let before = DecidedSide::of(context, base, paths, objects);
    let mut moves: HashMap<&Vec<u8>, &Option<Vec<u8>>> = HashMap::new();
    for (base, head) in continued {
        moves.entry(&base.path).or_insert(head);
    }
    let path_now = |path: &Vec<u8>| match moves.get(path) {
        Some(head) => (*head).clone(),
        None => Some(path.clone()),
    };
    let mut all: Vec<&Vec<u8>> = before.0.keys().collect();
    all.sort();
    for path in all {
        // A removed discussion is reported as a whole.
        let Some(now) = path_now(path).filter(|now| scope.has(history, now)) else { continue };
        let (Some(old), Some(new)) = (before.0.get(path), after.0.get(&now)) else { continue };
        let versions = base.version(path, objects).zip(head.version(&now, objects));
        let Some((version, version_now)) = versions else { continue };
        let acts = NewActs::of(&version, &version_now);
        for (item, later) in new.ended_since(old) {
            let finding = ended(item, later, new, &acts);
            report.add(history.path_of(&now), finding);
        }
        for item in new.in_force() {
            let before = old.items.iter().find(|it| is_same(it, item));
            if let Some(finding) = before.and_then(|before| acts.taken_over(before, item)) {
                report.add(history.path_of(&now), finding);
                continue;
            }
            let is_freed = before.and_then(|it| match &it.by {
                Some(By::Other(other)) => Some(other.file.as_bytes()),
                _ => None,
            });
            // The end of what replaced it is reported there.
            let is_told = is_freed.is_some_and(|other| !base.is_same(head, other));
            if !before.is_some_and(Item::is_in_force) && !is_told && !acts.adopt(item) {
                report.add(history.path_of(&now), adopted_by_older_act(item));
            }
        }
    }
    judge_children(base, head, continued, (history, objects, scope), report);
}

fn is_same(one: &Item, other: &Item) -> bool {
    one.text == other.text && one.number.is_some() == other.number.is_some()
}

/// The blocks that are new in a discussion, as far as they may adopt a decision.
struct NewActs<'v> {
    head: &'v Version,
    new: Vec<usize>,
    /// The indices of the new texts of changed blocks, which are reported as changes.
    changed: HashSet<usize>,
}

impl<'v> NewActs<'v> {
    fn of(base: &Version, head: &'v Version) -> Self {
        let changed = lost_blocks(base, head).into_iter().filter_map(|lost| lost.now).collect();
        Self { head, new: new_blocks(head, &[base]), changed }
    }

    /// Adds the first new phase, reset or status to a reason: its line, and who wrote it.
    fn reason_with_act(&self, reason: &str) -> String {
        let act = self.new.iter().map(|at| &self.head.blocks[*at]).find(|block| {
            matches!(
                self.head.control(block),
                Some(Control::Phase(_) | Control::VoteReset | Control::Status(_))
            )
        });
        let Some(block) = act else { return reason.to_owned() };
        let text = self.head.own(block).lines().next().unwrap_or_default();
        format!("{reason}, since line {} is `{}`", block.line, visible_line(text))
    }

    /// Reports a decision that counts as decided by somebody else, since an act was inserted above the one that decided
    /// it.
    fn taken_over(&self, before: &Item, now: &Item) -> Option<Finding> {
        let (old, new) = (person(before)?, person(now)?);
        let is_act = |at: &usize| {
            matches!(
                self.head.control(&self.head.blocks[*at]),
                Some(Control::Phase(_) | Control::Status(_))
            )
        };
        let last = (0..self.head.blocks.len()).filter(|at| !self.new.contains(at)).rfind(is_act)?;
        let act = self.new.iter().find(|at| is_act(at) && **at < last)?;
        (before.is_in_force() && fold(old) != fold(new)).then(|| {
            let message = format!(
                "the decision `{}`, decided by {}, now counts as decided by {}, since a line was inserted above the \
                 older one; remove it",
                visible_line(&now.text),
                visible_line(old),
                visible_line(new),
            );
            let line = self.head.blocks[*act].line;
            Finding::new(Severity::Warning, ProblemCode::AnswerMoved, line, message)
        })
    }

    fn has(&self, name: &str) -> bool {
        let names = || self.new.iter().filter_map(|at| self.head.name(&self.head.blocks[*at]));
        names().any(|other| fold(&other) == fold(name))
    }

    /// Returns true if a new block may be what adopts an item, or if its text was changed.
    fn adopt(&self, item: &Item) -> bool {
        let of_item = |entry| self.head.blocks.iter().position(|block| block.entry == Some(entry));
        let at = item.entry.and_then(of_item);
        if at.is_some_and(|at| self.changed.contains(&at)) {
            return true;
        }
        match &item.decided_by {
            Some(Decider::Person(Some(name))) => self.has(name.as_str()),
            // What is inserted above a ballot is adopted by votes of people who did not see it.
            Some(Decider::Vote) => {
                let below =
                    |index: &&usize| at.is_none_or(|at| item.number.is_none() || **index > at);
                let is_inserted = at.is_some_and(|at| self.new.contains(&at));
                let mut new = self.new.iter().filter(below);
                !is_inserted || new.any(|at| self.head.effect(&self.head.blocks[*at]).is_some())
            }
            Some(Decider::Person(None)) | None => !self.new.is_empty(),
        }
    }
}

/// Returns the name of the person who decided an item.
fn person(item: &Item) -> Option<&str> {
    match &item.decided_by {
        Some(Decider::Person(Some(name))) => Some(name.as_str()),
        _ => None,
    }
}

fn adopted_by_older_act(item: &Item) -> Finding {
    let decided = match &item.decided_by {
        Some(Decider::Person(Some(name))) => format!("{}, who wrote", visible_line(name.as_str())),
        _ => "an older vote, which has".to_owned(),
    };
    let author = item.author.as_ref().map(|name| format!(" of {}", visible_line(name.as_str())));
    let message = format!(
        "the decision `{}`{} now counts as decided by {decided} nothing new: it was inserted above an older act, or a \
         link leads to another file; remove it, or let them decide it again",
        visible_line(&item.text),
        author.unwrap_or_default(),
    );
    Finding::new(Severity::Warning, ProblemCode::AnswerMoved, item.line, message)
}

/// Reports sub-discussions whose file another discussion took.
fn judge_children(
    base: &Side,
    head: &Side,
    continued: &[(Rc<Version>, Option<Vec<u8>>)],
    (history, objects, scope): (&HistoryReader, &Objects, &GateScope),
    report: &mut GateReport,
) {
    let swapped: HashMap<&[u8], &Vec<u8>> = continued
        .iter()
        .filter_map(|(old, now)| {
            let now = now.as_ref().filter(|now| **now != old.path)?;
            head.files.contains_key(&old.path).then_some((old.path.as_slice(), now))
        })
        .collect();
    if swapped.is_empty() {
        return;
    }
    for (path, _) in head.files.iter().filter(|(path, _)| scope.has(history, path)) {
        let folder = path.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
        let children = |side: &Side| -> BTreeSet<String> {
            let text = side.text(path, objects);
            let version = text
                .filter(|text| text.contains("<!-- CHILD"))
                .and_then(|_| side.version(path, objects));
            let Some(version) = version else { return BTreeSet::new() };
            let controls = version.blocks.iter().filter_map(|block| version.control(block));
            let files = controls.filter_map(|control| match control {
                Control::Child(child) => Some(child.file.as_str().to_owned()),
                Control::ChildEnd(end) => Some(end.file.as_str().to_owned()),
                _ => None,
            });
            files.collect()
        };
        for within in children(head).intersection(&children(base)) {
            let child = [&path[..folder], within.as_bytes()].concat();
            if let Some(now) = swapped.get(child.as_slice()) {
                let message = format!(
                    "the sub-discussion {} is another discussion now; the earlier one is {}; give it another name",
                    visible_line(within),
                    visible_line(&String::from_utf8_lossy(now.as_slice())),
                );
                let finding = Finding::new(Severity::Warning, ProblemCode::AnswerMoved, 0, message);
                report.add(history.path_of(path), finding);
            }
        }
    }
}

impl DecidedSide {
    /// Evaluates the discussions at these paths, and those that they link to.
    fn of(
        context: &JudgeContext<'_>,
        side: &Side,
        mut open: BTreeSet<Vec<u8>>,
        objects: &Objects,
    ) -> Self {
        let mut snapshots: HashMap<Vec<u8>, Snapshot> = HashMap::new();
        let mut links = Vec::new();
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        while let Some(path) = open.pop_first() {
            if !seen.insert(path.clone()) {
                continue;
            }
            let Some(version) = side.version(&path, objects) else { continue };
            let Some(snapshot) = (context.evaluate)(&path, version.text()) else { continue };
            for link in &snapshot.outcome().links {
                let target = linked_path(&path, &link.file);
                links.push((as_path(&path), as_path(&target), link.clone()));
                open.insert(target);
            }
            snapshots.insert(path, snapshot);
        }
        let shown: HashMap<&Vec<u8>, String> = snapshots
            .keys()
            .map(|path| (path, visible_line(&String::from_utf8_lossy(path))))
            .collect();
        let discussions = snapshots
            .iter()
            .map(|(path, snapshot)| {
                let (file, title) = (shown[path].as_str(), snapshot.state.title.as_str());
                let outcome = snapshot.outcome();
                (as_path(path), LinkedDiscussion { outcome, file, name: file, title })
            })
            .collect();
        let superseding = Superseding::of(&discussions, links);
        drop(discussions);
        drop(shown);
        let applied = snapshots.into_iter().map(|(path, mut snapshot)| {
            superseding.apply(&as_path(&path), &mut snapshot);
            let outcome = snapshot.outcome().clone();
            (path, outcome)
        });
        Self(applied.collect())
    }
}

fn as_path(path: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(path).into_owned())
}

/// Returns the path that a link in a file leads to.
fn linked_path(from: &[u8], file: &str) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = from.split(|byte| *byte == b'/').collect();
    parts.pop();
    for part in file.as_bytes().split(|byte| *byte == b'/') {
        match part {
            b"." | b"" => {}
            b".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join(&b'/')
}

fn ended(item: &Item, later: Option<&Item>, now: &Outcome, acts: &NewActs<'_>) -> Finding {
    let decider = match &item.decided_by {
        Some(Decider::Person(Some(name))) => Some(name.as_str()),
        _ => None,
    };
    let decided = match (&item.decided_by, decider) {
        (_, Some(name)) => format!("decided by {}", visible_line(name)),
        (Some(Decider::Vote), _) => "decided by vote".to_owned(),
        _ => "decided by a person".to_owned(),
    };
    let in_line = later.and_then(|later| later.ended_in_line);
    let in_line = in_line.map(|line| format!(" in line {line}")).unwrap_or_default();
    let (how, by) = match later.map(|later| (later.state, &later.by)) {
        Some((ItemState::Withdrawn, Some(By::Name(name)))) => {
            (format!("{} withdraws it{in_line}", visible_line(name.as_str())), Some(name.as_str()))
        }
        Some((ItemState::Replaced, Some(By::Other(other)))) => {
            (format!("{} replaces it", visible_line(&other.file)), None)
        }
        Some((ItemState::Replaced, Some(By::Item(number)))) => {
            let replacing = now.numbered(*number);
            let by = match replacing.and_then(|it| it.decided_by.as_ref()) {
                Some(Decider::Person(Some(name))) => Some(name.as_str()),
                _ => None,
            };
            // An older act decides nothing about what was inserted above it.
            let author = replacing.and_then(|it| it.author.as_ref()).map(|name| name.as_str());
            let of = author.map(|name| format!(" of {}", visible_line(name))).unwrap_or_default();
            let by = by.filter(|name| acts.has(name)).or(author);
            (format!("D{number}{of} replaces it{in_line}"), by)
        }
        Some(_) => (acts.reason_with_act("the act that decided it no longer counts"), None),
        None if item.text.is_empty() || !acts.head.text().contains(&item.text) => {
            ("its text is gone".to_owned(), None)
        }
        None => (acts.reason_with_act("the votes that decided it no longer count"), None),
    };
    let is_deciders = decider.zip(by).is_some_and(|(one, other)| fold(one) == fold(other));
    let severity = if is_deciders { Severity::Note } else { Severity::Warning };
    let line = if in_line.is_empty() {
        0
    } else {
        later.and_then(|later| later.ended_in_line).unwrap_or_default()
    };
    let label = item.label().map(|label| format!(" ({label})")).unwrap_or_default();
    let message = format!(
        "the decision `{}`{label}, {decided}, is no longer in force: {how}; if that is not meant, take it back",
        visible_line(&item.text)
    );
    Finding::new(severity, ProblemCode::DecisionEnded, line, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_leads_to_a_path_of_the_tree() {
        let path =
            |from: &str, file: &str| String::from_utf8(linked_path(from.as_bytes(), file)).unwrap();
        assert_eq!(path("discussions/a.md", "b.md"), "discussions/b.md");
        assert_eq!(path("discussions/x/a.md", "../b.md"), "discussions/b.md");
    }
}
