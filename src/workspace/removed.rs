//! Discussions that git knows and that are missing from the folders of discussions.

use std::path::{Path, PathBuf};

use super::Workspace;
use super::check::{is_visible_discussion, rewrite};
use super::ended::moved_out;
use super::error::WorkspaceError;
use super::gate::Gate;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::store::{self, DeletedDiscussion, Deletions, Rewrite};
use crate::transcript::{EntryKind, Text, parse, visible_line};
use crate::view::{self, Checked};

impl Workspace {
    /// Returns the problems of missing discussions below the checked folders, unless a checked file continues them.
    ///
    /// # Errors
    /// Fails if git cannot read the other versions.
    pub(super) fn removed(
        &self,
        names: &[PathBuf],
        departed: &Deletions,
        all: &[Checked],
        gate: Option<&Gate>,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let own = [self.output_directory()];
        let named: Vec<PathBuf> = match names {
            [] => own.to_vec(),
            names => names.iter().map(|name| self.setup.cwd.join(name)).collect(),
        };
        let mut named: Vec<PathBuf> = named.iter().map(|name| real(name)).collect();
        let earlier = gate.iter().flat_map(|gate| &gate.earlier);
        named.extend(earlier.map(|one| one.path.clone()));
        let mut told = Vec::new();
        for one in departed.deleted() {
            let below = |name: &PathBuf| {
                one.path.starts_with(name) && is_visible_discussion(&one.path, name)
            };
            let goes_on = || all.iter().any(|other| store::goes_on(&one.text, &other.text));
            if !named.iter().any(below) || goes_on() {
                continue;
            }
            let rewrites = departed.find_continuation(one)?;
            let problems: Vec<Problem> = match &rewrites {
                Some((path, _)) if gate.is_some_and(|gate| !gate.holds(path)) => {
                    let lost = rewrites.iter().flat_map(|(_, all)| all).map(rewrite);
                    [moved_out(one.in_tree(), one.is_meant())].into_iter().chain(lost).collect()
                }
                Some((_, rewrites)) => rewrites.iter().map(rewrite).collect(),
                None => vec![removal(one)],
            };
            if !problems.is_empty() {
                told.push(Checked {
                    file: self.exactly(&one.path),
                    problems: problems.iter().map(view::Problem::from).collect(),
                    text: Text::default(),
                    diffs: rewrites
                        .into_iter()
                        .flat_map(|(_, all)| all)
                        .map(|it: Rewrite| it.diff)
                        .collect(),
                    is_discussion: true,
                });
            }
        }
        Ok(told)
    }
}

/// Returns the canonical path that git uses; missing parts of it stay as they are.
pub(super) fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|folder| {
        let rest = path.strip_prefix(folder).ok()?;
        Some(folder.canonicalize().ok()?.join(rest))
    });
    found.unwrap_or_else(|| path.to_owned())
}

fn removal(one: &DeletedDiscussion) -> Problem {
    let entries = parse(&one.text).entries;
    let said = entries.iter().filter(|entry| matches!(entry.kind, EntryKind::Comment(_))).count();
    let what = if said == 1 { "1 comment".to_owned() } else { format!("{said} comments") };
    let by = match one.commit() {
        Some(commit) => format!("{commit} removed this discussion, and with it {what}"),
        None => {
            format!(
                "this discussion is in the last commit but would be removed, and with it {what}"
            )
        }
    };
    if one.is_meant() {
        let words = "as its message says";
        return Problem::new(
            Severity::Note,
            ProblemCode::DiscussionGone,
            (0, 0),
            format!("{by}, {words}"),
        );
    }
    let message = format!(
        "{by}; put it back, or end the message of the commit that removes it with the line `{}: {}`",
        DeletedDiscussion::TRAILER,
        visible_line(one.in_tree()),
    );
    Problem::new(Severity::Error, ProblemCode::DiscussionGone, (0, 0), message)
}
