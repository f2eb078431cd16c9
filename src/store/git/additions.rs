//! Lists the statements that each commit added to discussions: comments, votes, and control lines that name a person.
//!
//! A statement is new if the versions of its file before the commit do not contain it. Renaming or splitting a
//! discussion adds no statement.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::commits::{Commit, CommittedChange, changes_from, commits};
use super::repository::Repository;
use crate::store::merge::plain;
use crate::transcript::{
    Accepted, Comment, Control, Entry, EntryKind, Marker, MarkerSet, Name, PhaseLine, parse,
    sync_point,
};

/// One statement that a commit added.
#[derive(Clone, Debug)]
pub(crate) struct Addition {
    pub(crate) commit: Rc<Commit>,
    /// Path of the file, relative to the top of the tree.
    pub(crate) path: String,
    /// Line in the commit's version, counted from 1.
    pub(crate) line: usize,
    pub(crate) statement: Statement,
}

/// The content of a statement, and its author.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    /// A comment.
    Comment {
        name: Name,
        has_vote: bool,
        /// True if it withdraws a decision.
        withdraws: bool,
        /// True if it has a `REPLY` line, as the answers of models do.
        has_receipt: bool,
    },
    /// `STATUS: .., by: ..`
    Status { by: String },
    /// `PHASE: .., by: ..`
    Phase {
        by: String,
        id: String,
        /// The phase of the `PHASE` line before this one; `None` if this is the first one.
        before: Option<String>,
        /// True if `by` has commented since that line.
        has_spoken: bool,
    },
    /// `VOTE-RESET` without a `PHASE` line above it. `lost` lists the people and personas that lose their votes.
    VoteReset { lost: Vec<String> },
    /// `ACCEPTED ..`
    Accepted(Accepted),
}

/// The changes of commits to discussions.
#[derive(Debug, Default)]
pub(crate) struct Additions {
    /// Statements, oldest first.
    pub(crate) added: Vec<Addition>,
    /// Discussions that a commit replaced by other content, each with the last such commit.
    pub(crate) replaced: BTreeMap<String, Rc<Commit>>,
}

/// Texts by object id, each kept until its last use.
type Texts = HashMap<String, String>;

/// Collects the statements added by commits that are reachable from `HEAD` but not from `since`.
pub(super) fn additions(repository: &Repository, since: Option<&str>) -> io::Result<Additions> {
    let steps = commits(repository, since)?;
    let (objects, uses) = schedule(&steps);
    let mut walk = Walk { repository, found: Additions::default(), failed: None };
    let mut texts = Texts::new();
    let mut steps = steps.into_iter().enumerate().peekable();
    let mut advance = |texts: &mut Texts, walk: &mut Walk<'_>, arrived: usize| {
        while let Some((at, _)) = steps.peek() {
            if uses.needed[*at] > arrived {
                return;
            }
            let Some((at, (commit, changes))) = steps.next() else { return };
            walk.judge(Rc::new(commit), &changes, texts);
            for object in &uses.last[at] {
                texts.remove(object);
            }
        }
    };
    advance(&mut texts, &mut walk, 0);
    repository.contents(&objects, |index, text| {
        // An object that is missing here belongs to a partial clone. The comparison of versions reports that.
        texts.insert(objects[index].clone(), text.unwrap_or_default());
        advance(&mut texts, &mut walk, index + 1);
        ControlFlow::Continue(())
    })?;
    match walk.failed {
        Some(error) => Err(error),
        None => Ok(walk.found),
    }
}

/// The objects to read before each step, and the texts that no later step needs.
struct Uses {
    /// Number of objects to read before each step.
    needed: Vec<usize>,
    last: Vec<Vec<String>>,
}

/// Lists the objects in the order in which the steps need them, each once.
fn schedule(steps: &[(Commit, Vec<CommittedChange>)]) -> (Vec<String>, Uses) {
    let mut objects: Vec<String> = Vec::new();
    let mut last_use: HashMap<&str, usize> = HashMap::new();
    let mut needed = Vec::with_capacity(steps.len());
    for (at, (_, changes)) in steps.iter().enumerate() {
        let all =
            changes.iter().flat_map(|change| change.old.iter().chain([&change.new]).flatten());
        for object in all {
            if last_use.insert(object, at).is_none() {
                objects.push(object.clone());
            }
        }
        needed.push(objects.len());
    }
    let mut last = vec![Vec::new(); steps.len()];
    for (object, at) in last_use {
        last[at].push(object.to_owned());
    }
    (objects, Uses { needed, last })
}

struct Walk<'a> {
    repository: &'a Repository,
    found: Additions,
    failed: Option<io::Error>,
}

impl Walk<'_> {
    fn judge(&mut self, commit: Rc<Commit>, changes: &[CommittedChange], texts: &Texts) {
        let text = |object: &Option<String>| object.as_ref().and_then(|object| texts.get(object));
        for change in changes {
            let is_left = text(&change.new).is_some_and(|new| is_discussion(new));
            let was = |object: &Option<String>| text(object).is_some_and(|old| is_discussion(old));
            if !is_left && !change.is_removed && change.old.iter().any(was) {
                self.found.replaced.insert(change.path.clone(), Rc::clone(&commit));
            }
        }
        let is_merge = commit.parents.len() > 1;
        let mut added = added_by(changes, &|object| texts.get(object).cloned());
        if is_merge && !added.is_empty() {
            match self.added_by_merge(&commit, added) {
                Ok(left) => added = left,
                Err(error) => return self.failed = Some(error),
            }
        }
        self.found.added.extend(added.into_iter().map(|(path, one)| Addition {
            commit: Rc::clone(&commit),
            path,
            line: one.line,
            statement: one.statement,
        }));
    }

    /// Keeps the statements that a merge contains more often than its two sides account for: with `n` copies in one
    /// parent, `m` in the other and `b` in their base, `n + m - b` are legitimate. Whole trees are compared, since a
    /// merge may rename files.
    fn added_by_merge(
        &self,
        commit: &Commit,
        found: Vec<(String, FoundAddition)>,
    ) -> io::Result<Vec<(String, FoundAddition)>> {
        let mut left: Option<HashMap<String, usize>> = None;
        for parent in &commit.parents {
            let changes = changes_from(self.repository, parent, &commit.id)?;
            let texts = read_all(self.repository, &changes)?;
            let mut counts: HashMap<String, usize> = HashMap::new();
            for (_, one) in added_by(&changes, &|object| texts.get(object).cloned()) {
                *counts.entry(one.key).or_default() += 1;
            }
            left = Some(match left {
                None => counts,
                Some(mut least) => {
                    least.retain(|key, count| {
                        *count = (*count).min(counts.get(key).copied().unwrap_or_default());
                        *count > 0
                    });
                    least
                }
            });
        }
        let mut left = left.unwrap_or_default();
        if let ([one, other], false) = (&commit.parents[..], left.is_empty()) {
            self.allow_both_sides(one, other, &found, &mut left)?;
        }
        // Of equal statements, the last ones count as new.
        let mut kept: Vec<(String, FoundAddition)> = found
            .into_iter()
            .rev()
            .filter(|(_, one)| match left.get_mut(&one.key) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                _ => false,
            })
            .collect();
        kept.reverse();
        Ok(kept)
    }

    /// Subtracts statements that both sides added independently, for example two equal votes of one person.
    fn allow_both_sides(
        &self,
        one: &str,
        other: &str,
        found: &[(String, FoundAddition)],
        left: &mut HashMap<String, usize>,
    ) -> io::Result<()> {
        let base = self.repository.ask(["merge-base", one, other]).unwrap_or_default();
        // Reads each file once, however many of its statements are in doubt.
        let paths: BTreeSet<&String> = found.iter().map(|(path, _)| path).collect();
        for path in paths {
            let sides = [one, other, base.trim()];
            // Without a common commit the base is empty, and a bare `:path` would name git's index.
            let sides = sides.iter().filter(|side| !side.is_empty());
            let objects: Vec<String> = sides.map(|side| format!("{side}:{path}")).collect();
            let mut held: Vec<HashMap<String, usize>> = vec![HashMap::new(); 3];
            self.repository.contents(&objects, |index, text| {
                for one in statements(&text.unwrap_or_default(), 0) {
                    *held[index].entry(one.key).or_default() += 1;
                }
                ControlFlow::Continue(())
            })?;
            let [ours, theirs, before] = &held[..] else { continue };
            for (key, count) in left.iter_mut() {
                let of = |held: &HashMap<String, usize>| held.get(key).copied().unwrap_or_default();
                let honest = (of(ours) + of(theirs)).saturating_sub(of(before));
                *count = count.saturating_sub(honest.saturating_sub(of(ours).max(of(theirs))));
            }
        }
        left.retain(|_, count| *count > 0);
        Ok(())
    }
}

/// Returns true if a text is a discussion and not a page.
fn is_discussion(text: &str) -> bool {
    parse(text).is_discussion()
}

fn read_all(repository: &Repository, changes: &[CommittedChange]) -> io::Result<Texts> {
    let all = changes.iter().flat_map(|change| change.old.iter().chain([&change.new]).flatten());
    let objects: Vec<String> = all.cloned().collect();
    let mut texts = Texts::new();
    repository.contents(&objects, |index, text| {
        texts.insert(objects[index].clone(), text.unwrap_or_default());
        ControlFlow::Continue(())
    })?;
    Ok(texts)
}

/// A statement with its place in a text.
#[derive(Clone, Debug)]
struct FoundAddition {
    /// Identity of the statement: author and words, independent of the program's lines next to it.
    key: String,
    line: usize,
    statement: Statement,
}

/// Lists the statements that `after` contains and `before` does not, with their lines.
pub(crate) fn added(before: &str, after: &str) -> Vec<(usize, Statement)> {
    let (old, new) = ("old".to_owned(), "new".to_owned());
    let text = |object: &String| Some(if *object == old { before } else { after }.to_owned());
    let change = CommittedChange {
        old: vec![Some(old.clone())],
        new: Some(new),
        ..CommittedChange::default()
    };
    let found = added_by(&[change], &text).into_iter();
    found.map(|(_, one)| (one.line, one.statement)).collect()
}

/// Statements of a changed file that its older versions lack, and statements that only the older versions contain.
struct Difference {
    /// True if no older version of the file exists.
    is_new_file: bool,
    added: Vec<FoundAddition>,
    /// Number of removed statements, by key.
    gone: HashMap<String, usize>,
}

/// Returns the statements that the new versions contain and the old ones do not.
///
/// Statements that a new file takes over from one other changed file are not new, because a discussion can be renamed
/// or split. A file that existed before cannot take over statements, and a new file cannot take them from several
/// files: a commit could otherwise move a vote out of a deleted file.
fn added_by(
    changes: &[CommittedChange],
    text: &dyn Fn(&String) -> Option<String>,
) -> Vec<(String, FoundAddition)> {
    let mut all: Vec<Difference> = changes.iter().map(|change| compare(change, text)).collect();
    for at in 0..all.len() {
        if !all[at].is_new_file || all[at].added.is_empty() {
            continue;
        }
        let shared = |other: &Difference| {
            all[at].added.iter().filter(|one| other.gone.contains_key(&one.key)).count()
        };
        let source = (0..all.len()).rev().max_by_key(|other| shared(&all[*other]));
        let Some(source) = source else { continue };
        let mut gone = std::mem::take(&mut all[source].gone);
        take_off(&mut all[at].added, &mut gone);
        all[source].gone = gone;
    }
    let named = changes.iter().zip(all).flat_map(|(change, difference)| {
        difference.added.into_iter().map(|one| (change.path.clone(), one))
    });
    named.collect()
}

/// Compares a file with its own older versions.
fn compare(change: &CommittedChange, text: &dyn Fn(&String) -> Option<String>) -> Difference {
    let read = |object: &Option<String>| object.as_ref().and_then(text).unwrap_or_default();
    let after = read(&change.new);
    let after = plain(&after);
    let befores: Vec<String> =
        change.old.iter().map(|old| plain(&read(old)).into_owned()).collect();
    // Most commits only append; the rest of a long discussion need not be parsed again for each.
    let from = match &befores[..] {
        [before] if after.starts_with(before.as_str()) => last_comment(before),
        _ => 0,
    };
    let mut gone: HashMap<String, usize> = HashMap::new();
    for before in &befores {
        let mut counts: HashMap<String, usize> = HashMap::new();
        statements(before, from)
            .into_iter()
            .for_each(|one| *counts.entry(one.key).or_default() += 1);
        for (key, count) in counts {
            let most = gone.entry(key).or_default();
            *most = (*most).max(count);
        }
    }
    let mut added = statements(&after, from);
    take_off(&mut added, &mut gone);
    Difference { is_new_file: change.old.iter().all(Option::is_none), added, gone }
}

/// Removes known statements: of equal ones, at most as many as `known` counts.
fn take_off(added: &mut Vec<FoundAddition>, known: &mut HashMap<String, usize>) {
    added.retain(|one| match known.get_mut(&one.key) {
        Some(count) if *count > 1 => {
            *count -= 1;
            false
        }
        Some(_) => {
            known.remove(&one.key);
            false
        }
        None => true,
    });
}

/// Number of bytes at the end that are searched for the start of a comment.
const TAIL: usize = 64 * 1024;

/// Finds a position near the end at which parsing can start; 0 if there is none.
fn last_comment(text: &str) -> usize {
    let mut start = text.len().saturating_sub(TAIL);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    if start == 0 { 0 } else { sync_point(&text[start..]).map_or(0, |at| start + at) }
}

/// Lists the statements of a text from a position that [`last_comment`] returned.
fn statements(text: &str, from: usize) -> Vec<FoundAddition> {
    if from == 0 {
        return read_statements(text, 0);
    }
    // The heading keeps the parser from reading the first `---` as front matter.
    let tail = format!("#\n\n{}", &text[from..]);
    let above = memchr::memchr_iter(b'\n', &text.as_bytes()[..from]).count();
    let needs_all = |one: &FoundAddition| {
        matches!(one.statement, Statement::Phase { .. } | Statement::VoteReset { .. })
    };
    let found = read_statements(&tail, above);
    if found.iter().any(needs_all) {
        let all = read_statements(text, 0);
        let first = above + 1;
        return all.into_iter().filter(|one| one.line >= first).collect();
    }
    found
}

/// Number of lines of the heading above a tail.
const HEADING: usize = 2;

fn read_statements(text: &str, above: usize) -> Vec<FoundAddition> {
    let read = parse(text);
    let line = |line: usize| if above == 0 { line } else { (line + above).saturating_sub(HEADING) };
    let mut context = DiffContext::default();
    let mut found = Vec::new();
    for entry in &read.entries {
        let statement = context.statement(entry);
        if let Some(statement) = statement {
            found.push(FoundAddition { key: key(text, entry), line: line(entry.line), statement });
        }
    }
    found
}

/// Returns the identity of a statement: for a comment its author and words, for a control line its text.
fn key(text: &str, entry: &Entry) -> String {
    match &entry.kind {
        EntryKind::Comment(Comment { name, stored, .. }) => {
            let words: Vec<&str> = stored.lines().map(str::trim_end).collect();
            format!("{}\n{}", name.as_str().to_lowercase(), words.join("\n"))
        }
        EntryKind::Control(_) | EntryKind::Stray(_) => {
            plain(&text[entry.span.clone()]).trim_end().to_owned()
        }
    }
}

/// The state of the text above an entry.
#[derive(Default)]
struct DiffContext {
    phase: Option<String>,
    /// Authors of comments since the last `PHASE` line.
    spoke: Vec<String>,
    /// The votes that count, by the voter's name in lower case.
    votes: BTreeMap<String, String>,
    is_below_phase: bool,
}

impl DiffContext {
    fn statement(&mut self, entry: &Entry) -> Option<Statement> {
        let is_below_phase = std::mem::take(&mut self.is_below_phase);
        match &entry.kind {
            EntryKind::Comment(comment) if comment.acknowledged() => Some(self.comment(comment)),
            EntryKind::Comment(_) | EntryKind::Stray(_) => None,
            EntryKind::Control(Control::Phase(PhaseLine { id, by })) => {
                self.is_below_phase = true;
                let spoke = std::mem::take(&mut self.spoke);
                let before = self.phase.clone();
                let statement = by.as_ref().map(|by| Statement::Phase {
                    has_spoken: spoke.contains(&by.to_lowercase()),
                    by: by.clone(),
                    id: id.clone(),
                    before,
                });
                self.phase = Some(id.clone());
                statement
            }
            EntryKind::Control(Control::VoteReset) => {
                let lost = std::mem::take(&mut self.votes).into_values().collect();
                (!is_below_phase).then_some(Statement::VoteReset { lost })
            }
            EntryKind::Control(Control::Status(line)) => {
                line.by.clone().map(|by| Statement::Status { by })
            }
            EntryKind::Control(Control::Accepted(line)) => {
                Some(Statement::Accepted((**line).clone()))
            }
            EntryKind::Control(_) => None,
        }
    }

    fn comment(&mut self, comment: &Comment) -> Statement {
        let name = &comment.name;
        let body = comment.read(&MarkerSet::default());
        let has = |marker: Marker| body.marks.iter().any(|mark| mark.marker == marker);
        let has_vote = has(Marker::Vote) && !comment.mixed;
        self.spoke.push(name.as_str().to_lowercase());
        if has_vote {
            self.votes.insert(name.as_str().to_lowercase(), name.to_string());
        }
        Statement::Comment {
            name: name.clone(),
            has_vote,
            withdraws: has(Marker::Withdrawn),
            has_receipt: comment.reply.is_some(),
        }
    }
}
