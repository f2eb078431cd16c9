//! Judges one discussion: its head against its bases. Pure: what it needs of files and of git comes as values and
//! functions.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::super::people::{People, fold};
use super::acceptance::AcceptedLines;
use super::compare::new_blocks;
use super::explain::{Explanation, JudgedCommits, NameKind, Place, RunTraces, kind_of};
use super::version::Version;
use crate::codes::{Fix, ProblemCode};
use crate::engine::Snapshot;
use crate::problem::Severity;
use crate::store::{BlockText, Commit, CommitWords, DiscussionBlock};
use crate::transcript::{Name, visible_line};
use crate::view::PublishedChange;

/// What is judged, and how strictly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GateMode {
    /// The commits of a branch, with files that are not committed.
    Branch,
    /// The index, before there is a message.
    Staged,
    /// A step of the main branch, which cannot be undone.
    Main,
}

/// One thing to report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::workspace) struct Finding {
    pub(super) severity: Severity,
    pub(super) code: ProblemCode,
    /// The line in the head, from 1; 0 without one.
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) fix: Option<Fix>,
    /// The old and the new text of a changed block.
    pub(super) texts: Option<(String, String)>,
    /// The change, if a person can accept it.
    pub(super) loss: Option<PublishedChange>,
    /// The line of a message that would explain this.
    pub(super) message_line: Option<String>,
    /// True if it is not reported: an acceptance records it, so that a merge applies it to other versions.
    pub(in crate::workspace) is_silent: bool,
}

impl Finding {
    pub(super) fn new(
        severity: Severity,
        code: ProblemCode,
        line: usize,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity,
            code,
            line,
            message: message.into(),
            fix: None,
            texts: None,
            loss: None,
            message_line: None,
            is_silent: false,
        }
    }
}

/// How often blocks occur in all discussions of one side.
pub(super) type BlockCounts = HashMap<BlockText, usize>;

/// A lookup of a sub-discussion's version: the path of the discussion above it, and the name of its file.
type ChildLookup<'a> = &'a dyn Fn(&[u8], &str) -> Option<Rc<Version>>;

/// A search for older versions of a discussion, in which some of these blocks may have been.
type OlderVersions<'a> = &'a dyn Fn(&Version, &[&BlockText]) -> Vec<Version>;

/// What all discussions of a check have in common.
pub(super) struct JudgeContext<'a> {
    pub(super) mode: GateMode,
    pub(super) people: &'a People,
    pub(super) commits: &'a JudgedCommits<'a>,
    /// Evaluates a text by the trusted rules.
    pub(super) evaluate: &'a dyn Fn(&[u8], &str) -> Option<Snapshot>,
    /// Returns true if a name is a persona's by the trusted rules.
    pub(super) is_persona: &'a dyn Fn(&Name) -> bool,
    /// Returns true if the head has this sub-discussion's file, below a discussion at a path.
    pub(super) has_child: &'a dyn Fn(&[u8], &str) -> bool,
    /// Returns the head's version of a sub-discussion, below a discussion at a path.
    pub(super) child: ChildLookup<'a>,
    /// Describes a commit for people.
    pub(super) describe: &'a dyn Fn(&Commit) -> String,
    /// Returns the version of a discussion after a commit that changed it.
    pub(super) version_after: &'a dyn Fn(&CommitWords, &BlockText) -> Option<Version>,
    /// Returns older versions of a discussion that may have had some of these blocks. They are asked for only before an
    /// error.
    pub(super) older_versions: OlderVersions<'a>,
    /// Returns the present version of a discussion of main.
    pub(super) present: &'a dyn Fn(&Version) -> Option<Rc<Version>>,
    /// The blocks of all discussions of the bases and of the head.
    pub(super) base_counts: &'a BlockCounts,
    pub(super) head_counts: &'a BlockCounts,
    /// `ACCEPTED` lines that count whoever committed them; on main, those of the last commit.
    pub(super) accepted_by_anyone: Option<&'a AcceptedLines>,
}

/// One discussion of the head with its earlier versions.
pub(super) struct JudgedDiscussion<'v> {
    pub(super) head: &'v Version,
    /// Its versions in the bases, which differ from the head.
    pub(super) bases: Vec<&'v Version>,
    /// Other versions whose blocks are not new: that of the trusted commit, those of operations in progress.
    pub(super) known: Vec<&'v Version>,
    /// True to judge only what was lost, since others wrote what is new.
    pub(super) only_losses: bool,
}

/// The judgement of one discussion while it is made.
pub(super) struct Judge<'c, 'a, 'v> {
    pub(super) context: &'c JudgeContext<'a>,
    pub(super) case: &'c JudgedDiscussion<'v>,
    pub(super) place: Place<'v>,
    pub(super) snapshot: Option<Snapshot>,
    pub(super) traces: RunTraces,
    pub(super) accepted: AcceptedLines,
    /// The indices of blocks of the head that are the new texts of accepted changes.
    pub(super) new_texts: HashSet<usize>,
    /// The indices of new blocks that are explained, or reported already as control lines.
    pub(super) explained: HashSet<usize>,
    /// The people of unexplained blocks, folded.
    pub(super) doubted: BTreeSet<String>,
    /// The people whose votes the head no longer counts, as far as somebody asked.
    pub(super) dropped: OnceCell<Vec<String>>,
    pub(super) found: Vec<Finding>,
}

/// Judges a discussion.
pub(super) fn judge(context: &JudgeContext<'_>, case: &JudgedDiscussion<'_>) -> Vec<Finding> {
    let head = case.head;
    let snapshot = (context.evaluate)(&head.path, head.text());
    let earlier: Vec<&Version> = case.bases.iter().chain(&case.known).copied().collect();
    let new = new_blocks(head, &earlier);
    let blocks: Vec<&DiscussionBlock> = new.iter().map(|index| &head.blocks[*index]).collect();
    let traces = RunTraces::of(head, &blocks);
    let mut judge = Judge {
        context,
        case,
        place: Place::of(head),
        snapshot,
        traces,
        accepted: AcceptedLines::default(),
        new_texts: HashSet::new(),
        explained: HashSet::new(),
        doubted: BTreeSet::new(),
        dropped: OnceCell::new(),
        found: Vec::new(),
    };
    judge.acceptances(&new);
    judge.topic();
    judge.losses();
    if case.only_losses {
        return judge.found;
    }
    judge.names(&new);
    judge.order_of_authors(&new);
    judge.effects(&new);
    judge.spellings(&new);
    judge.frame();
    judge.found
}

impl<'v> Judge<'_, '_, 'v> {
    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: ProblemCode,
        line: usize,
        message: String,
    ) {
        self.found.push(Finding::new(severity, code, line, message));
    }

    pub(super) fn is_main(&self) -> bool {
        self.context.mode == GateMode::Main
    }

    /// Returns the error for a change of the head that no message can explain, or a warning on main.
    pub(super) fn error(&self) -> Severity {
        if self.is_main() { Severity::Warning } else { Severity::Error }
    }

    pub(super) fn kind(&self, name: &str) -> NameKind {
        kind_of(name, self.snapshot.as_ref(), self.context.people, self.context.is_persona)
    }

    pub(super) fn explain(
        &self,
        name: &str,
        text: &BlockText,
        copy: usize,
    ) -> Option<Explanation<'_>> {
        self.context.commits.explain(self.context.people, name, text, self.place, copy)
    }

    /// Describes the commit that added a block, or else the change as a whole.
    pub(super) fn adder(&self, text: &BlockText) -> String {
        match self.context.commits.adding(text, self.place).next() {
            Some(words) => (self.context.describe)(&words.commit),
            None => "this branch".to_owned(),
        }
    }

    pub(super) fn loser(&self, text: &BlockText, place: Place<'_>) -> Option<&Commit> {
        let losing = self.context.commits.losing(text, place);
        let losing = losing.or_else(|| self.context.commits.losing(text, self.place));
        losing.map(|words| &words.commit)
    }

    /// Reads the new `ACCEPTED` lines, and reports those that do not count.
    pub(super) fn acceptances(&mut self, new: &[usize]) {
        let head = self.case.head;
        if let Some(all) = self.context.accepted_by_anyone {
            self.accepted = all.clone();
            for (index, by) in new.iter().filter_map(|at| {
                let line = head.accepted(&head.blocks[*at])?;
                Some((*at, line.by.clone()))
            }) {
                self.explained.insert(index);
                let block = &head.blocks[index];
                let Some(by) = by.filter(|by| self.explain(by, &block.text, 0).is_none()) else {
                    continue;
                };
                let message = format!(
                    "{} adds an `ACCEPTED` line in the name of {}",
                    self.adder(&block.text),
                    visible_line(&by),
                );
                self.add(Severity::Note, ProblemCode::AuthorDiffers, block.line, message);
            }
            return;
        }
        let mut copies: HashMap<&BlockText, usize> = HashMap::new();
        for index in new {
            let block = &head.blocks[*index];
            let Some(line) = head.accepted(block) else { continue };
            self.explained.insert(*index);
            // A line without a name accepts nothing.
            let Some(by) = line.by.clone() else { continue };
            let copy = copies.entry(&block.text).and_modify(|copy| *copy += 1).or_insert(0);
            let explanation = match self.kind(&by) {
                NameKind::Person => self.explain(&by, &block.text, *copy),
                NameKind::Model | NameKind::Agent | NameKind::Report => None,
            };
            let people = self.context.people;
            let may_accept = !people.lists_anybody() || people.lists(&by);
            match explanation {
                Some(Explanation::Vouched(commit)) => {
                    let message = format!(
                        "{} records an `ACCEPTED` line of {}, as {} says",
                        self.adder(&block.text),
                        visible_line(&by),
                        message_of(commit),
                    );
                    self.add(Severity::Note, ProblemCode::AuthorDiffers, block.line, message);
                    self.accepted.add(line.clone(), may_accept);
                }
                Some(_) => self.accepted.add(line.clone(), may_accept),
                None => {
                    self.doubt(*index, &by, "an `ACCEPTED` line", true);
                }
            }
        }
    }

    /// Reports a new block in a name that nothing explains.
    pub(super) fn doubt(&mut self, index: usize, name: &str, what: &str, counts: bool) {
        let block = &self.case.head.blocks[index];
        self.doubted.insert(fold(name));
        let adding = self.context.commits.adding(&block.text, self.place).next();
        let mut severity = if counts && self.context.people.know(name) {
            Severity::Error
        } else {
            Severity::Warning
        };
        if self.context.mode != GateMode::Branch {
            severity = Severity::Warning;
        }
        let who = visible_line(name);
        let line =
            adding.and_then(|words| self.context.people.line_for(name, &words.commit.author));
        let line = line.map(|line| {
            format!("; if {who} and the author are one person, list both addresses in discussions.yaml: `{line}`")
        });
        let message = format!(
            "{} adds {what} in the name of {who}; if {who} agreed, add `Recorded-for: {who}` to the message of any \
             commit of the branch, also of an empty one{}",
            self.adder(&block.text),
            line.unwrap_or_default(),
        );
        let mut finding = Finding::new(severity, ProblemCode::AuthorDiffers, block.line, message);
        finding.fix = Some(Fix::ExplainInMessage);
        finding.message_line = Some(format!("Recorded-for: {who}"));
        self.found.push(finding);
    }
}

/// The note about an author's own edit.
pub(super) const OWN_EDIT: &str =
    "an author edited their own comment, which no later turn has seen";

/// Names the commit whose message says something.
pub(super) fn message_of(commit: &Commit) -> String {
    match commit.short() {
        "" => "its message".to_owned(),
        short => format!("the message of {short} by {}", visible_line(&commit.author.name)),
    }
}
