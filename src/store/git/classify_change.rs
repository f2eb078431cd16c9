//! The verdict on a version of a discussion, compared with the versions before it, and their differences.

use std::collections::HashMap;
use std::time::Duration;

use super::history::{Rewrite, RewriteKind};
use crate::store::merge::{
    Acceptances, BlockKey, Lost, Renumbered, appended_from, entry_at, entry_key, lost_text, plain,
    renumbered,
};
use crate::text_diff::{TextComparison, TextUnit};
use crate::transcript::parse;

/// The comparison of versions. Accepted changes are excused.
pub(super) struct ChangeClassifier<'a> {
    accepted: &'a Acceptances,
}

/// The fault of a version.
pub(super) struct ChangeVerdict {
    pub(super) kind: RewriteKind,
    diff: String,
    lost: Vec<Lost>,
}

impl ChangeVerdict {
    /// Converts the verdict to a rewrite, with the data of a commit.
    pub(super) fn of(
        self,
        commit: Option<String>,
        author: String,
        date: String,
        subject: String,
    ) -> Rewrite {
        let Self { kind, diff, lost } = self;
        Rewrite { commit, author, date, subject, kind, diff, lost }
    }
}

impl<'a> ChangeClassifier<'a> {
    pub(super) fn new(accepted: &'a Acceptances) -> Self {
        Self { accepted }
    }

    /// Returns all faults of a version, compared with the versions before it.
    pub(super) fn all(
        &self,
        parents: &[&str],
        child: Option<&str>,
        merged: bool,
    ) -> Vec<ChangeVerdict> {
        let changed = self.changed(parents, child, merged);
        changed.into_iter().chain(self.moved_numbers(parents, child)).collect()
    }

    /// Returns the fault of the child, with a diff to the first parent that the child does not continue.
    fn changed(
        &self,
        parents: &[&str],
        child: Option<&str>,
        merged: bool,
    ) -> Option<ChangeVerdict> {
        let Some(child) = child else {
            let parent = parents.first()?;
            let all = Lost::all_of(parent);
            let diff = difference(parent, "");
            let verdict = ChangeVerdict { kind: RewriteKind::Deleted, diff, lost: vec![all] };
            return (!self.accepted.cover(&verdict.lost[0])).then_some(verdict);
        };
        let child = plain(child);
        let broken = parents.iter().map(|parent| plain(parent)).filter(|parent| {
            let continues = child.starts_with(parent.as_ref());
            !(continues || merged && holds_blocks(&child, parent))
        });
        let mut first: Option<ChangeVerdict> = None;
        for parent in broken {
            let (excused, gone) = self.not_agreed(&parent, &child, merged);
            let kind = if excused {
                if merged || !self.is_interspersed(&parent, &child) {
                    continue;
                }
                RewriteKind::Inserted
            } else if merged {
                RewriteKind::Merge
            } else if holds_in_order(&child, &parent) {
                RewriteKind::Inserted
            } else {
                RewriteKind::Changed
            };
            match &mut first {
                Some(first) => first.lost.extend(gone),
                None => {
                    let diff = difference(&parent, &child);
                    first = Some(ChangeVerdict { kind, diff, lost: gone });
                }
            }
        }
        first
    }

    /// Returns true if text was lost and every loss was accepted; also returns the unaccepted losses.
    fn not_agreed(&self, parent: &str, child: &str, merged: bool) -> (bool, Vec<Lost>) {
        let (mut gone, _) = lost_text(parent, child);
        // A merge may put the blocks of two branches in any order, so a moved block is no loss.
        gone.retain(|lost| !(merged && lost.is_moved()));
        let all = gone.len();
        let accepted = self.accepted.since(parent);
        if !accepted.is_empty() {
            gone.retain(|lost| !accepted.naming(lost.author()).cover_among(lost, self.accepted));
        }
        (all > 0 && gone.is_empty(), gone)
    }

    /// Returns true if unaccepted text was inserted between the parts of the earlier version.
    fn is_interspersed(&self, parent: &str, child: &str) -> bool {
        let known = self.accepted.new_texts();
        lost_text(parent, child).1.iter().any(|hash| !known.contains(hash.as_str()))
    }

    /// Returns the numbers that name another item than before, because blocks were inserted.
    fn moved_numbers(&self, parents: &[&str], child: Option<&str>) -> Option<ChangeVerdict> {
        let child = plain(child?);
        let parents = parents.iter().map(|parent| plain(parent));
        let mut lost = Vec::new();
        let mut told = String::new();
        for parent in parents.filter(|parent| !child.starts_with(parent.as_ref())) {
            let accepted = self.accepted.since(&parent);
            for Renumbered { line, name, before, after } in renumbered(&parent, &child) {
                let Some((key, behind)) = entry_at(&child, line) else { continue };
                if accepted.accepts_move(&key.hash()) {
                    continue;
                }
                let after = after.as_deref().unwrap_or("nothing");
                told.push_str(&format!("@@ line {line} @@\n-{name}: {before}\n+{name}: {after}\n"));
                let text = key.as_str().to_owned();
                let now = Some((key.hash(), text.clone()));
                lost.push(Lost { was: key.hash(), after: behind, text, now, is_seen: true });
            }
        }
        let diff = format!("--- before\n+++ after\n{told}");
        (!told.is_empty()).then_some(ChangeVerdict { kind: RewriteKind::Renumbered, diff, lost })
    }
}

/// Returns true if a text contains the beginning and every block of an earlier text in order. Other blocks may be in
/// between.
fn holds_in_order(text: &str, before: &str) -> bool {
    let (read, before_read) = (parse(text), parse(before));
    let mut found = read.entries.iter().map(|entry| entry_key(text, entry));
    let mut wanted = before_read.entries.iter().map(|entry| entry_key(before, entry));
    wanted.all(|wanted| found.any(|found| found == wanted))
        && text[..read.preamble.end] == before[..before_read.preamble.end]
}

/// Returns true if a merged text contains the beginning and every block of a parent.
fn holds_blocks(merged: &str, parent: &str) -> bool {
    let (merged_read, parent_read) = (parse(merged), parse(parent));
    let mut held: HashMap<BlockKey, usize> = HashMap::new();
    for entry in &merged_read.entries {
        *held.entry(entry_key(merged, entry)).or_default() += 1;
    }
    let all =
        parent_read.entries.iter().all(|entry| match held.get_mut(&entry_key(parent, entry)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        });
    all && merged[..merged_read.preamble.end] == parent[..parent_read.preamble.end]
}

/// Maximum time of one comparison; after it, the result becomes coarse.
const PATIENCE: Duration = Duration::from_secs(2);

/// Returns a unified diff of the changed part. Text that was only appended is left out.
pub(super) fn difference(old: &str, new: &str) -> String {
    let changed = &new[..appended_from(old, new)];
    let compared = TextComparison::with_patience(PATIENCE, TextUnit::Lines, old, changed);
    compared.unified(3, ("before", "after"))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn appended_text_is_no_difference() {
        let shown = difference("one\ntwo\nthree\n", "one\n2\nthree\nfour\nfive\n");
        assert!(shown.contains("-two\n+2\n") && !shown.contains("four"), "{shown}");
    }
}
