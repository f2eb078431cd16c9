//! Decisions that were in force at the base and are not in force at the head, by whatever means, also by another file.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

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
use crate::transcript::visible_line;
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
    if new.iter().any(|version| is_linked(version)) || continued.iter().any(|(it, _)| is_linked(it))
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
    let path_now = |path: &Vec<u8>| {
        let pair = continued.iter().find(|(base, _)| base.path == *path);
        pair.map_or_else(|| Some(path.clone()), |(_, head)| head.clone())
    };
    let mut all: Vec<&Vec<u8>> = before.0.keys().collect();
    all.sort();
    for path in all {
        // A removed discussion is reported as a whole.
        let Some(now) = path_now(path).filter(|now| scope.has(history, now)) else { continue };
        let (Some(old), Some(new)) = (before.0.get(path), after.0.get(&now)) else { continue };
        for (item, later) in new.ended_since(old) {
            let finding = ended(item, later, new);
            report.add(history.path_of(&now), finding);
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

fn ended(item: &Item, later: Option<&Item>, now: &Outcome) -> Finding {
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
            let by = match &now.decided_by {
                Some(Decider::Person(Some(name))) => Some(name.as_str()),
                _ => None,
            };
            (format!("D{number} replaces it{in_line}"), by)
        }
        Some(_) => ("the act that decided it no longer counts".to_owned(), None),
        None => ("its text is gone".to_owned(), None),
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
