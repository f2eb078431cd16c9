//! The steps of the main branch: its commits along the first parents.

use std::collections::HashMap;

use crate::store::{HistoryReader, LoggedCommit, PathChange};
use crate::workspace::error::WorkspaceError;

/// One step along the first parents.
pub(super) struct Step {
    /// The commits that it brings, oldest first.
    pub(super) commits: Vec<usize>,
    /// What it changes in comparison with the step before.
    pub(super) changes: Vec<PathChange>,
}

/// Returns the steps along the first parents, oldest first.
pub(super) fn steps(
    history: &HistoryReader,
    logged: &[LoggedCommit],
) -> Result<Vec<Step>, WorkspaceError> {
    let index: HashMap<&str, usize> =
        logged.iter().enumerate().map(|(at, one)| (one.commit.id.as_str(), at)).collect();
    let mut chain = Vec::new();
    let mut at = logged.len().checked_sub(1);
    while let Some(here) = at {
        chain.push(here);
        at = logged[here]
            .commit
            .parents
            .first()
            .and_then(|parent| index.get(parent.as_str()))
            .copied();
    }
    chain.reverse();
    let has_merge = chain.iter().any(|here| logged[*here].commit.parents.len() > 1);
    let first_parents = if has_merge { history.first_parents("HEAD", &[])? } else { Vec::new() };
    let mut of_merges: HashMap<String, Vec<PathChange>> = first_parents
        .into_iter()
        .filter(|one| one.commit.parents.len() > 1)
        .map(|one| (one.commit.id.clone(), one.changes.into_iter().flatten().collect()))
        .collect();
    let mut is_known = vec![false; logged.len()];
    let mut all = Vec::new();
    for here in chain {
        let mut commits = Vec::new();
        let mut open = vec![here];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut is_known[at], true) {
                continue;
            }
            commits.push(at);
            let parents = logged[at].commit.parents.iter();
            open.extend(parents.filter_map(|parent| index.get(parent.as_str())).copied());
        }
        commits.sort_unstable();
        let one = &logged[here];
        let changes = match one.commit.parents.len() {
            0 | 1 => one.changes.first().cloned().unwrap_or_default(),
            _ => of_merges.remove(&one.commit.id).unwrap_or_default(),
        };
        all.push(Step { commits, changes });
    }
    Ok(all)
}
