//! A second discussion of a decided question. Its context holds what was decided, why, and what became of it, and what
//! git says about the affected files since.

use std::path::Path;

use super::Decisions;
use super::comment::CommentRequest;
use super::decision_notes::matcher;
use super::discuss::{Prepared, Question};
use super::environment::{link_between, name};
use super::error::WorkspaceError;
use crate::engine::{Decision, DecisionStatus, Snapshot};
use crate::store::{self, ChangedFile, DecidedIn, LaterChanges, LaterCommit};
use crate::transcript::{fenced, visible_line};
use crate::view::{self, clipped, discussion_result};

/// The default pattern.
const PATTERN: &str = "second-look";
/// The beginning of the title.
const PREFIX: &str = "Revisit: ";
/// The maximum number of commits in the context.
const COMMITS: usize = 30;
/// The maximum number of lines about changed files.
const STAT: usize = 60;
/// The maximum number of characters of a commit's subject, a path or a pattern.
const ONE: usize = 200;

impl Decisions<'_> {
    /// Creates a discussion that looks at the decision of another one again. Its context holds the old question, text,
    /// reasons, dissent and hindsight, and what changed in the affected files since the commit in which it was decided.
    /// The first comment, by `author`, says which decisions in force it supersedes.
    ///
    /// `again` holds the settings: without a topic, the title is that of the old discussion; without a pattern, it is
    /// `second-look`; its context comes after the old one.
    ///
    /// # Errors
    /// Fails if the discussion is still open, if the author may not comment, or like `Discussions::question`.
    pub fn revisit(
        &self,
        discussion: &Path,
        again: &Question,
        author: &str,
    ) -> Result<Prepared, WorkspaceError> {
        let path = self.find(discussion)?;
        let document = self.document(&path)?;
        let snapshot = self.in_force(&path, self.snapshot_of(&document)?);
        if snapshot.outcome().status == DecisionStatus::Open {
            return Err(WorkspaceError::StillOpen { file: self.shown_path(&path) });
        }
        self.discussions().admit(&name(author.trim().trim_start_matches('@'))?)?;
        let title = snapshot.state.title.trim_start_matches(PREFIX);
        let named = Some(again.topic.trim()).filter(|topic| !topic.is_empty());
        let (mut new, unused) = self.discussions().plan_discussion(&Question {
            topic: named.map_or_else(|| format!("{PREFIX}{title}"), str::to_owned),
            pattern: Some(again.pattern.clone().unwrap_or_else(|| PATTERN.to_owned())),
            // The context contains the decision, so it is not recalled again.
            recall: again.recall.or(Some(0)),
            ..again.clone()
        })?;
        let place = self.discussions().place_of(&new)?;
        let link = link_between(place.parent().unwrap_or(Path::new("")), &path);
        let result = discussion_result(&snapshot, &self.exactly(&path), None);
        let old = view::revisit_context(&snapshot, &result, &link);
        let since = self.since_decided(&path, &snapshot)?;
        let old = format!("{old}\n\n## What changed since\n\n{since}");
        let more = new.context.take().filter(|text| !text.trim().is_empty());
        let more = more.map(|text| format!("\n\n## Now\n\n{text}")).unwrap_or_default();
        let shown = self.shown_path(&path);
        new.context = Some(self.clear(&format!("the context (from {shown})"), &old)? + &more);
        let created = self.discussions().create(&new)?;
        let links = supersede_links(&snapshot, &link);
        if !links.is_empty() {
            let comment = CommentRequest { author: author.to_owned(), text: links, vote: None };
            if let Err(error) = self.discussions().comment(&created, &comment) {
                // A file that cannot be removed stays and contains the question.
                let _ = self.take_back(&created);
                return Err(error);
            }
        }
        self.discussions().prepared(created, unused)
    }

    /// Returns what changed in the affected files since the decision, or what is missing to know it.
    fn since_decided(&self, path: &Path, snapshot: &Snapshot) -> Result<String, WorkspaceError> {
        let patterns = affected_patterns(snapshot);
        if patterns.is_empty() {
            return Ok("Unknown: the decision names no files (`AFFECTS:`).".to_owned());
        }
        let live = standing_texts(snapshot);
        let decided = store::decided_in(path, |text| {
            self.exact_text(path, text).is_ok_and(|version| {
                let stated = standing_texts(&version);
                version.outcome().status != DecisionStatus::Open
                    && live.iter().all(|text| stated.contains(text))
            })
        })?;
        let shown: Vec<String> = patterns.iter().map(|one| code(one)).collect();
        let shown = format!("The decision affects {}.", shown.join(", "));
        let commit = match decided {
            DecidedIn::Commit(commit) => commit,
            missing => return Ok(format!("{shown}\n\nUnknown: {}.", reason(&missing))),
        };
        let root = self.setup.root.canonicalize().unwrap_or_else(|_| self.setup.root.clone());
        let named: Vec<&str> = patterns.iter().map(String::as_str).collect();
        let matcher = matcher(&named);
        let mut left_out = 0;
        let changes = store::later_changes(&root, &commit, |file| {
            let in_project = file.strip_prefix(&root);
            let is_affected = |file: &Path| {
                let matcher = matcher.as_ref();
                matcher.is_some_and(|it| it.matched_path_or_any_parents(file, false).is_ignore())
            };
            in_project.is_ok_and(is_affected) && !self.holds_credentials(file)
        })?;
        let changes = LaterChanges {
            commits: changes
                .commits
                .into_iter()
                .map(|one| self.without_secret(one, &mut left_out))
                .collect(),
            ..changes
        };
        let short = commit.get(..12).unwrap_or(&commit);
        Ok(format!(
            "{shown} It was decided in commit {short}.\n\n{}",
            describe_changes(&changes, left_out)
        ))
    }

    /// Removes the subject of a commit if it contains a secret.
    fn without_secret(&self, commit: LaterCommit, left_out: &mut usize) -> LaterCommit {
        if self.may_be_sent(&commit.subject) {
            return commit;
        }
        *left_out += 1;
        LaterCommit { subject: "(left out: it looks like a secret)".to_owned(), ..commit }
    }
}

/// Returns the texts of the decisions that stand.
fn standing_texts(snapshot: &Snapshot) -> Vec<String> {
    snapshot.outcome().standing_items().map(|item| item.text.clone()).collect()
}

/// Returns the first comment: a `SUPERSEDES:` paragraph for each decision in force, or for the whole outcome if it
/// has no number. Empty if nothing is in force or answered.
fn supersede_links(snapshot: &Snapshot, link: &str) -> String {
    let standing: Vec<Option<String>> =
        snapshot.outcome().standing_items().map(Decision::label).collect();
    if standing.contains(&None) {
        return format!("SUPERSEDES: {link}");
    }
    let lines = standing.iter().flatten().map(|label| format!("SUPERSEDES: {link}#{label}"));
    lines.collect::<Vec<_>>().join("\n\n")
}

/// Returns the patterns of the affected files, of the discussion and of its decisions that stand, each once.
fn affected_patterns(snapshot: &Snapshot) -> Vec<String> {
    let outcome = snapshot.outcome();
    let own = outcome.standing_items().map(|item| &item.notes);
    let own = std::iter::once(&outcome.notes).chain(own).flat_map(|notes| &notes.affects);
    let inherited = outcome.standing_items().flat_map(|item| &item.inherited_affects);
    let mut patterns: Vec<String> = Vec::new();
    for pattern in own.map(|one| &one.pattern).chain(inherited) {
        if !patterns.contains(pattern) {
            patterns.push(pattern.clone());
        }
    }
    patterns
}

/// Returns the reason why the commit of a decision is unknown.
fn reason(missing: &DecidedIn) -> &'static str {
    match missing {
        DecidedIn::NoRepository => "the discussion is in no git repository",
        DecidedIn::Commit(_) | DecidedIn::NotCommitted => "no commit contains the decision yet",
        DecidedIn::Cut => "this clone is shallow and lacks the commit in which it was decided",
    }
}

/// Returns the commits and the changed files, in fences.
fn describe_changes(changes: &LaterChanges, left_out: usize) -> String {
    if changes.commits.is_empty() && changes.files.is_empty() {
        return "No later commit changed these files.".to_owned();
    }
    let one = |commit: &LaterCommit| {
        format!("{} {} {}", commit.id, commit.day, clipped(&visible_line(&commit.subject), ONE))
    };
    let commits: Vec<String> = changes.commits.iter().take(COMMITS).map(one).collect();
    let mut text = format!(
        "{}{}:\n\n{}",
        plural(changes.commits.len(), "later commit"),
        bound_note(changes.commits.len(), COMMITS),
        fenced("text", &commits.join("\n"))
    );
    if left_out > 0 {
        text.push_str(&format!(
            "\n\n{} left out, because of what looks like a secret.",
            plural(left_out, "subject")
        ));
    }
    text.push_str(&format!("\n\n{}", stat(&changes.files)));
    text
}

/// Returns the lines about changed files, with their sum.
fn stat(files: &[ChangedFile]) -> String {
    if files.is_empty() {
        return "The files are the same as then.".to_owned();
    }
    // The sum takes a line too.
    let shown = &files[..files.len().min(STAT - 1)];
    let paths: Vec<String> =
        shown.iter().map(|file| clipped(&visible_line(&file.path), ONE)).collect();
    let width = paths.iter().map(|path| path.chars().count()).max().unwrap_or_default();
    let lines = shown.iter().zip(&paths).map(|(file, path)| match file.lines {
        Some((added, removed)) => format!("{path:<width$} | +{added} -{removed}"),
        None => format!("{path:<width$} | binary"),
    });
    let (added, removed) =
        files.iter().filter_map(|file| file.lines).fold((0_u64, 0_u64), |sum, one| {
            (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1))
        });
    let more = files.len() - shown.len();
    let more = if more > 0 { format!(" ({more} more than shown)") } else { String::new() };
    let sum = format!("{}{more}: +{added} -{removed}", plural(files.len(), "file"));
    let lines: Vec<String> = lines.chain([sum]).collect();
    fenced("text", &lines.join("\n"))
}

/// Returns a pattern as code; a backtick cannot end it.
fn code(pattern: &str) -> String {
    format!("`{}`", clipped(&visible_line(pattern), ONE).replace('`', "'"))
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn bound_note(count: usize, most: usize) -> String {
    if count > most { format!(", the newest {most}") } else { String::new() }
}
