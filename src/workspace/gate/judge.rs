//! Judges one discussion: its head against its bases. Pure: what it needs of files and of git comes as values and
//! functions.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::people::{People, fold};
use super::acceptance::{Acceptance, AcceptedLines};
use super::compare::{kept_blocks, lost_blocks, new_blocks};
use super::effects::Effects;
use super::explain::{Explanation, JudgedCommits, NameKind, Place, RunTraces, kind_of};
use super::markup::{hidden, leaves_open, looks_like_comment_of};
use super::version::Version;
use crate::codes::{Fix, ProblemCode};
use crate::engine::Snapshot;
use crate::problem::Severity;
use crate::store::{BlockKind, BlockText, Commit, CommitWords, DiscussionBlock, renumbered};
use crate::transcript::{Accepted, Control, Name, visible_line};
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
        }
    }
}

/// How often blocks occur in all discussions of one side.
pub(super) type BlockCounts = HashMap<BlockText, usize>;

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
    /// Describes a commit for people.
    pub(super) describe: &'a dyn Fn(&Commit) -> String,
    /// Returns the version of a discussion after a commit that changed it.
    pub(super) version_after: &'a dyn Fn(&CommitWords, &BlockText) -> Option<Version>,
    /// Returns older versions of a discussion, which are asked for only before an error.
    pub(super) older_versions: &'a dyn Fn(&Version) -> Vec<Version>,
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
struct Judge<'c, 'a, 'v> {
    context: &'c JudgeContext<'a>,
    case: &'c JudgedDiscussion<'v>,
    place: Place<'v>,
    snapshot: Option<Snapshot>,
    traces: RunTraces,
    accepted: AcceptedLines,
    /// The indices of new blocks that are explained, or reported already as control lines.
    explained: HashSet<usize>,
    /// The people of unexplained blocks, folded.
    doubted: BTreeSet<String>,
    found: Vec<Finding>,
}

/// Judges a discussion.
pub(super) fn judge(context: &JudgeContext<'_>, case: &JudgedDiscussion<'_>) -> Vec<Finding> {
    let head = case.head;
    let snapshot = (context.evaluate)(&head.path, head.text());
    let earlier: Vec<&Version> = case.bases.iter().chain(&case.known).copied().collect();
    let new = new_blocks(head, &earlier);
    let blocks: Vec<&DiscussionBlock> = new.iter().map(|index| &head.blocks[*index]).collect();
    let has_child = |file: &str| (context.has_child)(&head.path, file);
    let traces = RunTraces::of(head, &blocks, snapshot.as_ref(), &has_child);
    let mut judge = Judge {
        context,
        case,
        place: Place::of(head),
        snapshot,
        traces,
        accepted: AcceptedLines::default(),
        explained: HashSet::new(),
        doubted: BTreeSet::new(),
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
    judge.frame();
    judge.found
}

impl<'v> Judge<'_, '_, 'v> {
    fn add(&mut self, severity: Severity, code: ProblemCode, line: usize, message: String) {
        self.found.push(Finding::new(severity, code, line, message));
    }

    fn is_main(&self) -> bool {
        self.context.mode == GateMode::Main
    }

    /// Returns the error for a change of the head that no message can explain, or a warning on main.
    fn error(&self) -> Severity {
        if self.is_main() { Severity::Warning } else { Severity::Error }
    }

    fn kind(&self, name: &str) -> NameKind {
        kind_of(name, self.snapshot.as_ref(), self.context.people, self.context.is_persona)
    }

    fn explain(&self, name: &str, text: &BlockText, copy: usize) -> Option<Explanation<'_>> {
        self.context.commits.explain(self.context.people, name, text, self.place, copy)
    }

    /// Describes the commit that added a block, or else the change as a whole.
    fn adder(&self, text: &BlockText) -> String {
        match self.context.commits.adding(text, self.place).next() {
            Some(words) => (self.context.describe)(&words.commit),
            None => "this branch".to_owned(),
        }
    }

    fn loser(&self, text: &BlockText, place: Place<'_>) -> Option<&Commit> {
        let losing = self.context.commits.losing(text, place);
        let losing = losing.or_else(|| self.context.commits.losing(text, self.place));
        losing.map(|words| &words.commit)
    }

    /// Reads the new `ACCEPTED` lines, and reports those that do not count.
    fn acceptances(&mut self, new: &[usize]) {
        let head = self.case.head;
        if let Some(all) = self.context.accepted_by_anyone {
            self.accepted = all.clone();
            self.explained
                .extend(new.iter().filter(|at| head.accepted(&head.blocks[**at]).is_some()));
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
    fn doubt(&mut self, index: usize, name: &str, what: &str, counts: bool) {
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
             commit of the branch, also of an empty one: `git commit --allow-empty -m 'Recorded-for: {}'`{}",
            self.adder(&block.text),
            who.replace('\'', "'\\''"),
            line.unwrap_or_default(),
        );
        let mut finding = Finding::new(severity, ProblemCode::AuthorDiffers, block.line, message);
        finding.message_line = Some(format!("Recorded-for: {who}"));
        self.found.push(finding);
    }

    /// Judges a changed topic or head.
    fn topic(&mut self) {
        let head = self.case.head;
        let mut seen = HashSet::new();
        for base in &self.case.bases {
            if base.topic() == head.topic() || !seen.insert(base.topic()) {
                continue;
            }
            let texts = texts_of(base, 0, head, Some(0));
            let what = changed_part(base, head);
            if let Some(line) = self.accepted.take(&base.hash(&base.blocks[0]), None, false) {
                let severity = if self.is_main() { Severity::Note } else { Severity::Warning };
                self.note_acceptance(&line, severity, &format!("a change of {what}"), texts);
                continue;
            }
            let changers: Vec<&Commit> = self
                .context
                .commits
                .adding(head.topic(), self.place)
                .map(|it| &it.commit)
                .collect();
            let is_own = |name: &str| {
                changers.iter().any(|commit| self.context.people.is(name, &commit.author))
            };
            let comments = base.blocks.iter().filter(|block| block.kind == BlockKind::Comment);
            let others: Vec<String> = comments
                .filter_map(|block| base.name(block))
                .filter(|name| !is_own(name))
                .collect();
            let Some(first) = others.first() else { continue };
            let who = changers.first().map(|commit| (self.context.describe)(commit));
            let message = format!(
                "{} changed {what} below the words of {}; put it back, or accept the change",
                who.unwrap_or_else(|| "this branch".to_owned()),
                visible_line(first),
            );
            let severity = if self.is_forgiven(base, 0) { continue } else { Severity::Error };
            let mut finding = Finding::new(severity, ProblemCode::HistoryRewritten, 1, message);
            (finding.fix, finding.texts) = (Some(Fix::Accept), Some(texts));
            finding.loss = Some(published_change(base, 0, head, Some(0)));
            self.found.push(finding);
        }
    }

    /// Returns true if the last commit of main has a block again.
    fn is_forgiven(&self, base: &Version, index: usize) -> bool {
        let text = &base.blocks[index].text;
        let count = |version: &Version| version.counts().get(text).copied().unwrap_or(0);
        self.is_main() && self.context.head_counts.get(text).copied().unwrap_or(0) >= count(base)
    }

    fn note_acceptance(
        &mut self,
        line: &Acceptance,
        severity: Severity,
        what: &str,
        texts: (String, String),
    ) {
        let by = visible_line(line.line.by.as_deref().unwrap_or("somebody"));
        let (severity, more) = if line.may_accept || severity == Severity::Note || self.is_main() {
            (severity, "")
        } else {
            (
                Severity::Error,
                ", but `people:` in discussions.yaml does not list that name; a listed person has to accept it",
            )
        };
        // On main, and before a commit, an author's own acceptance is no news.
        if severity == Severity::Note && self.context.mode != GateMode::Branch {
            return;
        }
        let message = format!("{by} accepts {what}{more}");
        let mut finding = Finding::new(severity, ProblemCode::ChangeAccepted, 0, message);
        finding.texts = (severity == Severity::Error).then_some(texts);
        self.found.push(finding);
    }

    /// Judges the blocks that the head lost or moved.
    fn losses(&mut self) {
        let head = self.case.head;
        let mut seen: HashSet<(&BlockText, usize)> = HashSet::new();
        for base in &self.case.bases {
            let mut copies: HashMap<&BlockText, usize> = HashMap::new();
            for lost in lost_blocks(base, head) {
                let block = &base.blocks[lost.base];
                let copy = copies.entry(&block.text).and_modify(|copy| *copy += 1).or_insert(0);
                if !seen.insert((&block.text, *copy)) {
                    continue;
                }
                let owner = base.name(block);
                let texts = texts_of(base, lost.base, head, lost.now);
                let is_comment = block.kind == BlockKind::Comment;
                let author = owner.as_deref().filter(|_| is_comment);
                if let Some(line) = self.accepted.take(&base.hash(block), author, lost.is_moved) {
                    let by = line.line.by.as_deref().unwrap_or_default();
                    let is_own = owner.as_deref().is_some_and(|owner| fold(owner) == fold(by));
                    let severity = if is_own { Severity::Note } else { Severity::Warning };
                    let change = describe_loss(base, lost.base, head, lost.now, lost.is_moved);
                    let of = owner.as_deref().map_or("the program".to_owned(), visible_line);
                    let what = format!("a change to what {of} wrote: {change}");
                    self.note_acceptance(&line, severity, &what, texts);
                    continue;
                }
                if self.is_forgiven(base, lost.base) && !lost.is_moved {
                    continue;
                }
                self.report_loss(base, lost.base, lost.now, lost.is_moved, texts);
            }
        }
    }

    fn report_loss(
        &mut self,
        base: &Version,
        index: usize,
        now: Option<usize>,
        is_moved: bool,
        texts: (String, String),
    ) {
        let block = &base.blocks[index];
        let owner = base.name(block);
        let commit = self.loser(&block.text, Place::of(base)).cloned();
        let is_author = match (&owner, &commit) {
            (Some(owner), Some(commit)) => self.context.people.is(owner, &commit.author),
            _ => false,
        };
        let change = describe_loss(base, index, self.case.head, now, is_moved);
        let by = commit.as_ref().map(|commit| (self.context.describe)(commit));
        let by = by.unwrap_or_else(|| "this branch".to_owned());
        let count = |counts: &BlockCounts| counts.get(&block.text).copied().unwrap_or(0);
        let goes_elsewhere = count(self.context.head_counts) >= count(self.context.base_counts);
        if !is_moved
            && goes_elsewhere
            && self.context.mode != GateMode::Main
            && base.effect(block).is_none()
        {
            let is_model = owner.as_deref().is_none_or(|name| self.kind(name) != NameKind::Person);
            let severity = if is_author || is_model { Severity::Note } else { Severity::Warning };
            let of = owner.as_deref().map_or("the program".to_owned(), visible_line);
            let message = format!("{by} moved a comment by {of} into another discussion");
            return self.add(severity, ProblemCode::HistoryInserted, 0, message);
        }
        let is_seen = base.blocks[index..]
            .iter()
            .any(|block| matches!(base.control(block), Some(Control::Turn(_))));
        if is_author && !is_moved && self.is_main() && !is_seen {
            let mut note = Finding::new(Severity::Note, ProblemCode::OwnEdit, 0, OWN_EDIT);
            note.loss = Some(published_change(base, index, self.case.head, now));
            self.found.push(note);
            return;
        }
        let severity = match self.context.mode {
            GateMode::Staged if is_author => Severity::Warning,
            _ => Severity::Error,
        };
        let message = format!("{by} changed or removed older text: {change}; put it back");
        let mut finding = Finding::new(severity, ProblemCode::HistoryRewritten, 0, message);
        (finding.fix, finding.texts) = (Some(Fix::Accept), Some(texts));
        finding.loss = Some(published_change(base, index, self.case.head, now));
        self.found.push(finding);
    }

    /// Explains the new blocks, and reports those that nothing explains.
    fn names(&mut self, new: &[usize]) {
        let head = self.case.head;
        let mut copies: HashMap<&BlockText, usize> = HashMap::new();
        let mut unexplained = Vec::new();
        let mut vouched: Vec<(usize, String, String)> = Vec::new();
        for index in new {
            let block = &head.blocks[*index];
            if self.explained.contains(index) || block.kind == BlockKind::Stray {
                self.explained.insert(*index);
                continue;
            }
            let copy = copies.entry(&block.text).and_modify(|copy| *copy += 1).or_insert(0);
            let explanation = match head.control(block) {
                Some(control) => self.explain_control(*index, control, *copy),
                None => self.explain_comment(*index, *copy),
            };
            match explanation {
                Some(Explanation::Vouched(commit)) => {
                    vouched.push((*index, message_of(commit), self.adder(&block.text)));
                    self.explained.insert(*index);
                }
                Some(_) => {
                    self.explained.insert(*index);
                }
                None => unexplained.push(*index),
            }
        }
        for (index, message, adder) in vouched {
            let block = &head.blocks[index];
            let who = head.name(block).unwrap_or_default();
            let message = format!(
                "{adder} records {} of {}, as {message} says",
                self.described(index),
                visible_line(&who),
            );
            self.add(Severity::Note, ProblemCode::AuthorDiffers, block.line, message);
        }
        if !unexplained.is_empty() {
            self.report_unexplained(&unexplained);
        }
    }

    fn explain_comment(&self, index: usize, copy: usize) -> Option<Explanation<'_>> {
        let head = self.case.head;
        let block = &head.blocks[index];
        let name = head.name(block)?;
        match self.kind(&name) {
            NameKind::Agent => return Some(Explanation::Own),
            NameKind::Report => {
                let ends = |control: &Control| match control {
                    Control::ChildEnd(end) => {
                        (self.context.has_child)(&head.path, end.file.as_str())
                    }
                    _ => false,
                };
                let mut all = head.blocks[..index].iter().filter_map(|block| head.control(block));
                return all.any(ends).then_some(Explanation::Run);
            }
            NameKind::Model if self.traces.has_own_receipt(head, block) => {
                return Some(Explanation::Run);
            }
            NameKind::Model | NameKind::Person => {}
        }
        if self.accepted.is_new_text(&head.hash(block)) {
            return Some(Explanation::Accepted);
        }
        let count = |counts: &BlockCounts| counts.get(&block.text).copied().unwrap_or(0);
        let of_base = count(self.context.base_counts);
        if of_base > 0 && count(self.context.head_counts) <= of_base && head.effect(block).is_none()
        {
            return Some(Explanation::Moved);
        }
        self.explain(&name, &block.text, copy)
    }

    fn explain_control(
        &self,
        index: usize,
        control: &Control,
        copy: usize,
    ) -> Option<Explanation<'_>> {
        let head = self.case.head;
        let block = &head.blocks[index];
        let run = || self.traces.has_run().then_some(Explanation::Run);
        if self.accepted.is_new_text(&head.hash(block)) {
            return Some(Explanation::Accepted);
        }
        match control {
            Control::Phase(line) => match &line.by {
                None => run(),
                Some(by) => match self.kind(by) {
                    NameKind::Person => self
                        .explain(by, &block.text, copy)
                        .or_else(|| run().filter(|_| self.has_spoken(index, by))),
                    NameKind::Agent => Some(Explanation::Own),
                    NameKind::Model | NameKind::Report => None,
                },
            },
            Control::Status(line) => {
                let by = line.by.as_deref()?;
                match self.kind(by) {
                    NameKind::Person => self.explain(by, &block.text, copy),
                    NameKind::Agent => Some(Explanation::Own),
                    NameKind::Model | NameKind::Report => None,
                }
            }
            Control::VoteReset => {
                let above = index.checked_sub(1)?;
                let is_phase = matches!(head.control(&head.blocks[above]), Some(Control::Phase(_)));
                if is_phase && self.explained.contains(&above) {
                    return Some(Explanation::Run);
                }
                run()
            }
            Control::Turn(_) | Control::Pass(_) | Control::Failed(_) => run(),
            Control::Child(line) => {
                let has_child = (self.context.has_child)(&head.path, line.file.as_str());
                has_child.then_some(Explanation::Run).or_else(run)
            }
            Control::ChildEnd(line) => {
                (self.context.has_child)(&head.path, line.file.as_str()).then_some(Explanation::Run)
            }
            Control::Accepted(_) => Some(Explanation::Own),
        }
    }

    /// Returns true if a person has commented since the last phase above a block.
    fn has_spoken(&self, index: usize, name: &str) -> bool {
        let head = self.case.head;
        let above = head.blocks[..index].iter().rev();
        above
            .take_while(|block| !matches!(head.control(block), Some(Control::Phase(_))))
            .filter(|block| block.kind == BlockKind::Comment)
            .any(|block| head.name(block).is_some_and(|other| fold(&other) == fold(name)))
    }

    /// Says what a new block is: `a vote`, `a comment`.
    fn described(&self, index: usize) -> String {
        let head = self.case.head;
        let block = &head.blocks[index];
        match head.control(block) {
            Some(Control::Status(_)) => "a `STATUS` line".to_owned(),
            Some(Control::Phase(_)) => "a `PHASE` line".to_owned(),
            Some(Control::VoteReset) => "a `VOTE-RESET` line".to_owned(),
            Some(Control::Turn(_)) => "a `TURN` line".to_owned(),
            Some(Control::Pass(_)) => "a `PASS` line".to_owned(),
            Some(Control::Failed(_)) => "a `FAILED` line".to_owned(),
            Some(Control::Child(_)) => "a `CHILD` line".to_owned(),
            Some(Control::ChildEnd(_)) => "a `CHILD-END` line".to_owned(),
            Some(Control::Accepted(_)) => "an `ACCEPTED` line".to_owned(),
            None if head.has_vote(block) => "a vote".to_owned(),
            None => match head.effect(block) {
                Some(effect) => {
                    let word = effect.split(':').next().unwrap_or_default().to_owned();
                    if word == "WITHDRAWN" {
                        "a withdrawal".to_owned()
                    } else {
                        format!("a `{word}` line")
                    }
                }
                None => "a comment".to_owned(),
            },
        }
    }

    fn report_unexplained(&mut self, unexplained: &[usize]) {
        let head = self.case.head;
        let returned = self.returned(unexplained);
        for index in unexplained {
            let block = &head.blocks[*index];
            let what = self.described(*index);
            if returned.contains(index) {
                self.explained.insert(*index);
                let who =
                    head.name(block).map_or("the program".to_owned(), |name| visible_line(&name));
                let effect = head.effect(block);
                let severity = if effect.is_some() { Severity::Warning } else { Severity::Note };
                let effect = effect.map(|effect| format!(" ({})", visible_line(&effect)));
                let message = format!(
                    "{} brings back {what} of {who} that this discussion had before{}",
                    self.adder(&block.text),
                    effect.unwrap_or_default(),
                );
                self.add(severity, ProblemCode::HistoryInserted, block.line, message);
                continue;
            }
            let name = head.name(block);
            match (head.control(block), name) {
                (Some(_), Some(name)) => match self.kind(&name) {
                    NameKind::Model | NameKind::Report => self.doubt_control(*index, &what),
                    NameKind::Person | NameKind::Agent => self.doubt(*index, &name, &what, true),
                },
                (Some(control), None) => {
                    if matches!(control, Control::Turn(_)) {
                        let message = format!(
                            "{} adds {what} without an answer below it",
                            self.adder(&block.text)
                        );
                        self.add(
                            Severity::Warning,
                            ProblemCode::ReceiptMissing,
                            block.line,
                            message,
                        );
                    } else {
                        self.doubt_control(*index, &what);
                    }
                    self.explained.insert(*index);
                }
                (None, Some(name)) => match self.kind(&name) {
                    NameKind::Model => self.doubt_answer(*index, &name, &what),
                    NameKind::Report => {
                        let message = format!(
                            "{} adds a comment in the program's name without the sub-discussion that it reports; \
                             remove it, or commit that file too",
                            self.adder(&block.text)
                        );
                        self.add(
                            Severity::Warning,
                            ProblemCode::ReceiptMissing,
                            block.line,
                            message,
                        );
                    }
                    NameKind::Person | NameKind::Agent => {
                        let counts = head.effect(block).is_some();
                        self.doubt(*index, &name, &what, counts);
                    }
                },
                (None, None) => {}
            }
        }
    }

    fn doubt_answer(&mut self, index: usize, name: &str, what: &str) {
        let head = self.case.head;
        let block = &head.blocks[index];
        self.doubted.insert(fold(name));
        let counts = head.effect(block).is_some();
        let severity = if counts { self.error() } else { Severity::Warning };
        let reason = match head.comment(block).is_some_and(|comment| comment.reply.is_some()) {
            true => "with the receipt of another answer",
            false => "without a receipt; the program records one with every answer of a model",
        };
        let message = format!(
            "{} adds {what} of {} {reason}; let a run write it, or remove it",
            self.adder(&block.text),
            visible_line(name),
        );
        self.add(severity, ProblemCode::ReceiptMissing, block.line, message);
    }

    fn doubt_control(&mut self, index: usize, what: &str) {
        let head = self.case.head;
        let block = &head.blocks[index];
        let dropped = self.dropped_votes();
        let drops = match &dropped[..] {
            [] => String::new(),
            names => format!(", which drops the votes of {}", names.join(", ")),
        };
        let (code, way) = match head.control(block) {
            Some(Control::VoteReset) => (
                ProblemCode::VotesReset,
                "without a `PHASE` line above it that a person or a run wrote",
            ),
            Some(Control::Status(_)) => {
                (ProblemCode::ReceiptMissing, "without the name of a person")
            }
            _ => (
                ProblemCode::ReceiptMissing,
                "without a run: no answer with a receipt comes with it",
            ),
        };
        let message = format!(
            "{} adds {what} {way}{drops}; remove it, and use the program instead",
            self.adder(&block.text)
        );
        self.add(self.error(), code, block.line, message);
    }

    /// Returns the people whose votes the head no longer counts.
    fn dropped_votes(&self) -> Vec<String> {
        let Some(after) = self.snapshot.as_ref().map(Effects::of) else { return Vec::new() };
        let mut names = BTreeSet::new();
        for base in &self.case.bases {
            let before = (self.context.evaluate)(&base.path, base.text());
            let Some(before) = before.as_ref().map(Effects::of) else { continue };
            let lost = before.different_votes(&after).filter(|it| it.after.is_empty());
            names.extend(lost.map(|it| visible_line(it.name)));
        }
        names.into_iter().collect()
    }

    /// Returns the unexplained blocks that an older version of the trusted discussion had, at a place below all that
    /// was above them and above all that is newer.
    fn returned(&self, unexplained: &[usize]) -> HashSet<usize> {
        if self.context.mode == GateMode::Main {
            return HashSet::new();
        }
        let head = self.case.head;
        let older = (self.context.older_versions)(head);
        let known: HashSet<&BlockText> = self
            .case
            .bases
            .iter()
            .flat_map(|base| base.blocks.iter().map(|block| &block.text))
            .collect();
        let is_back = |index: &&usize| {
            let block = &head.blocks[**index];
            let name = head.name(block);
            let gave_up = head.blocks.iter().filter_map(|other| head.accepted(other)).any(|line| {
                line.was == head.hash(block)
                    && line.now.is_none()
                    && name.is_some()
                    && line.by.as_deref().map(fold) == name.as_deref().map(fold)
            });
            !gave_up
                && older.iter().any(|version| {
                    let place = version.blocks.iter().position(|it| it.text == block.text);
                    let Some(place) = place.filter(|_| version.topic() == head.topic()) else {
                        return false;
                    };
                    let above: HashSet<&BlockText> =
                        version.blocks[..place].iter().map(|it| &it.text).collect();
                    let all: HashSet<&BlockText> =
                        version.blocks.iter().map(|it| &it.text).collect();
                    let is_below = head.blocks[**index + 1..]
                        .iter()
                        .all(|later| !above.contains(&later.text) || later.text == block.text);
                    let is_above = head.blocks[..**index].iter().all(|earlier| {
                        !known.contains(&earlier.text) || all.contains(&earlier.text)
                    });
                    is_below && is_above
                })
        };
        unexplained.iter().filter(is_back).copied().collect()
    }

    /// Checks that the new blocks of each author stand in the order of the author's last commit, and refer to the
    /// numbers that they had there.
    fn order_of_authors(&mut self, new: &[usize]) {
        if self.context.mode != GateMode::Branch {
            return;
        }
        let head = self.case.head;
        let mut by_author: HashMap<String, Vec<usize>> = HashMap::new();
        for index in new.iter().filter(|index| self.explained.contains(index)) {
            if let Some(name) = head.name(&head.blocks[*index]) {
                by_author.entry(fold(&name)).or_default().push(*index);
            }
        }
        let mut authors: Vec<(String, Vec<usize>)> = by_author.into_iter().collect();
        authors.sort();
        for (person, own) in authors {
            let first = &head.blocks[own[own.len() - 1]];
            let name = head.name(first).unwrap_or_default();
            let adding = own.iter().filter_map(|index| {
                let words =
                    self.context.commits.adding(&head.blocks[*index].text, self.place).next()?;
                self.context.people.is(&name, &words.commit.author).then_some(words)
            });
            let position = |words: &&CommitWords| {
                self.context.commits.words.iter().position(|it| it.commit.id == words.commit.id)
            };
            let Some(last) = adding.max_by_key(position) else { continue };
            let Some(then) = (self.context.version_after)(last, head.topic()) else { continue };
            let texts: HashSet<&BlockText> =
                own.iter().map(|index| &head.blocks[*index].text).collect();
            let ours = |version: &Version| -> Vec<BlockText> {
                let all = version.blocks.iter().filter(|block| texts.contains(&block.text));
                all.map(|block| block.text.clone()).collect()
            };
            let (before, after) = (ours(&then), ours(head));
            let mut rest = after.iter();
            let kept: Vec<&BlockText> = before.iter().filter(|text| after.contains(text)).collect();
            if !kept.iter().all(|text| rest.any(|other| other == *text)) {
                let message = format!(
                    "the words of {} stand in another order than in their last commit, {}; put them back in order",
                    visible_line(&name),
                    (self.context.describe)(&last.commit),
                );
                self.doubted.insert(person);
                self.add(self.error(), ProblemCode::HistoryRewritten, first.line, message);
            }
            self.note_renumbered(&then);
        }
    }

    /// Warns about numbers that refer to another item than in an earlier version.
    fn note_renumbered(&mut self, before: &Version) {
        for moved in renumbered(before.text(), self.case.head.text()) {
            let after = moved
                .after
                .as_deref()
                .map_or("nothing".to_owned(), |text| format!("`{}`", visible_line(text)));
            let message = format!(
                "{} referred to `{}` and now refers to {after}, because something was inserted above; repeat the line \
                 with the right number",
                moved.name,
                visible_line(&moved.before),
            );
            let is_known =
                |it: &Finding| it.line == moved.line && it.code == ProblemCode::AnswerMoved;
            if !self.found.iter().any(is_known) {
                self.add(Severity::Warning, ProblemCode::AnswerMoved, moved.line, message);
            }
        }
    }

    /// Compares what counts: each person's vote and statements, as far as no block explains a difference.
    fn effects(&mut self, new: &[usize]) {
        let head = self.case.head;
        let Some(after) = self.snapshot.as_ref().map(Effects::of) else { return };
        let bases = self.case.bases.clone();
        for base in bases {
            let Some(before) = (self.context.evaluate)(&base.path, base.text()) else { continue };
            let before = Effects::of(&before);
            let kept = kept_blocks(base, head);
            if base.blocks.len() != kept.len() && self.is_main() {
                continue;
            }
            let differing: Vec<(String, String, String, bool)> = before
                .different_votes(&after)
                .map(|it| {
                    (it.person.to_owned(), it.name.to_owned(), it.in_words(), it.after.is_empty())
                })
                .collect();
            let mut others: Option<Effects> = None;
            let mut dropped = Vec::new();
            for (person, name, words, is_dropped) in differing {
                let is_of = |index: &usize| {
                    head.name(&head.blocks[*index]).is_some_and(|name| fold(&name) == person)
                };
                let lost_own = base.blocks.iter().enumerate().any(|(index, block)| {
                    !kept.values().any(|it| *it == index)
                        && base.name(block).is_some_and(|name| fold(&name) == person)
                });
                if self.doubted.contains(&person) || lost_own {
                    continue;
                }
                let has_new = new
                    .iter()
                    .any(|index| is_of(index) && head.comment(&head.blocks[*index]).is_some());
                let expected = if has_new {
                    self.composed(base, &kept, new, Some(&person))
                } else {
                    if others.is_none() {
                        others = self.composed(base, &kept, new, None);
                    }
                    others.clone()
                };
                let Some(expected) = expected else { continue };
                if expected.votes_of(&person) == after.votes_of(&person) {
                    if is_dropped {
                        dropped.push(visible_line(&name));
                    }
                    continue;
                }
                let message = format!(
                    "this branch changes the vote of {} ({words}) without a comment of {}; put the text back that \
                     made it count",
                    visible_line(&name),
                    visible_line(&name),
                );
                self.add(self.error(), ProblemCode::HistoryRewritten, 0, message);
            }
            if !dropped.is_empty() {
                let is_end = |index: &&usize| {
                    matches!(
                        head.control(&head.blocks[**index]),
                        Some(Control::Phase(_) | Control::VoteReset | Control::Status(_))
                    )
                };
                let at = new.iter().find(is_end);
                let line = at.map_or(0, |index| head.blocks[*index].line);
                let message = format!("the votes of {} no longer count", dropped.join(", "));
                self.add(Severity::Note, ProblemCode::VotesReset, line, message);
            }
            if base.blocks.len() == kept.len() {
                let lost: Vec<(String, String)> = before
                    .lost_statements(&after)
                    .map(|(name, text)| (name.to_owned(), text))
                    .filter(|(name, _)| !self.doubted.contains(&fold(name)))
                    .collect();
                for (name, text) in lost {
                    let message = format!(
                        "`{}` of {} no longer counts; remove what was inserted above it",
                        visible_line(&text),
                        visible_line(&name),
                    );
                    self.add(self.error(), ProblemCode::HistoryRewritten, 0, message);
                }
            }
            self.note_renumbered(base);
            self.note_inserted(&kept, new);
        }
    }

    /// Evaluates the blocks of a base with the explained control lines and, if given, with the new words of a person.
    fn composed(
        &self,
        base: &Version,
        kept: &HashMap<usize, usize>,
        new: &[usize],
        person: Option<&str>,
    ) -> Option<Effects> {
        let head = self.case.head;
        let mut text = String::with_capacity(head.text().len());
        for (index, block) in head.blocks.iter().enumerate() {
            let is_new = new.contains(&index);
            if let Some(old) = kept.get(&index).filter(|_| !is_new) {
                text.push_str(base.raw(&base.blocks[*old]));
                continue;
            }
            let is_own = || {
                head.name(block).is_some_and(|name| Some(fold(&name).as_str()) == person)
                    && self.explained.contains(&index)
            };
            let is_accepted = || self.accepted.is_new_text(&head.hash(block));
            let is_topic = block.kind == BlockKind::Topic;
            // A block of another base or of the trusted version counts too.
            if is_topic || !is_new || head.control(block).is_some() || is_own() || is_accepted() {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(head.raw(block));
            }
        }
        (self.context.evaluate)(&head.path, &text).as_ref().map(Effects::of)
    }

    fn note_inserted(&mut self, kept: &HashMap<usize, usize>, new: &[usize]) {
        let last = kept.keys().max().copied().unwrap_or(0);
        let head = self.case.head;
        let between = new
            .iter()
            .find(|index| **index < last && head.blocks[**index].kind == BlockKind::Comment);
        if let Some(index) = between.copied()
            && !self
                .found
                .iter()
                .any(|it| it.code == ProblemCode::HistoryInserted && it.message == INSERTED)
        {
            self.add(
                Severity::Note,
                ProblemCode::HistoryInserted,
                head.blocks[index].line,
                INSERTED.to_owned(),
            );
        }
    }

    /// Compares what a Markdown reader sees.
    fn frame(&mut self) {
        if self.is_main() {
            return;
        }
        let head = self.case.head;
        let starts = |version: &Version| -> Vec<usize> {
            version.blocks.iter().skip(1).map(|block| block.own.start).collect()
        };
        let now = hidden(head.text(), &starts(head));
        for base in &self.case.bases {
            let before = hidden(base.text(), &starts(base));
            let kept = kept_blocks(base, head);
            let newly = (1..head.blocks.len()).find(|index| {
                let old = kept.get(index).and_then(|old| old.checked_sub(1));
                now.get(index - 1) == Some(&true)
                    && old.is_some_and(|old| before.get(old) == Some(&false))
            });
            if let Some(index) = newly {
                let line = head.blocks[index].line;
                let message = "readers of the Markdown do not see this older text, because a comment, a fence or \
                               `<details>` above it is not closed; close it"
                    .to_owned();
                self.add(Severity::Error, ProblemCode::MarkupOpen, line, message);
                break;
            }
        }
    }
}

/// Returns warnings about comments that leave markup open, or that look like the comment of another person.
pub(super) fn markup_findings(version: &Version) -> Vec<Finding> {
    let mut found = Vec::new();
    let names: BTreeSet<String> = version
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Comment)
        .filter_map(|block| version.name(block))
        .collect();
    for block in version.blocks.iter().filter(|block| block.kind == BlockKind::Comment) {
        let own = version.own(block);
        if leaves_open(own) {
            let message = "this comment leaves a comment, a fence or `<details>` open, which hides what is below it from \
                           readers of the Markdown; close it";
            found.push(Finding::new(
                Severity::Warning,
                ProblemCode::MarkupOpen,
                block.line,
                message,
            ));
        }
        let author = version.name(block).unwrap_or_default();
        let others: Vec<&str> =
            names.iter().filter(|name| **name != author).map(String::as_str).collect();
        let body = own.find('\n').map_or(own.len(), |end| end + 1)..own.len();
        if let Some(name) = looks_like_comment_of(own, body, &others) {
            let message =
                format!("a part of this comment looks like a comment by {}", visible_line(&name));
            found.push(Finding::new(
                Severity::Warning,
                ProblemCode::CommentDisguised,
                block.line,
                message,
            ));
        }
    }
    found
}

/// The note about inserted comments.
const INSERTED: &str = "comments were inserted between older ones, which are unchanged; a rebase, a merge or a squash does this";

/// The note about an author's own edit.
pub(super) const OWN_EDIT: &str =
    "an author edited their own comment, which no later turn has seen";

/// Names the commit whose message says something.
fn message_of(commit: &Commit) -> String {
    match commit.short() {
        "" => "its message".to_owned(),
        short => format!("the message of {short} by {}", visible_line(&commit.author.name)),
    }
}

/// Returns the old and the new text of a block.
fn texts_of(base: &Version, index: usize, head: &Version, now: Option<usize>) -> (String, String) {
    let old = base.blocks[index].text.as_str().to_owned();
    (old, now.map(|now| head.blocks[now].text.as_str().to_owned()).unwrap_or_default())
}

/// Returns the change of a block as a person can accept it.
fn published_change(
    base: &Version,
    index: usize,
    head: &Version,
    now: Option<usize>,
) -> PublishedChange {
    let block = &base.blocks[index];
    let after = match index {
        0 | 1 => Accepted::START.to_owned(),
        _ => base.hash(&base.blocks[index - 1]),
    };
    let of = base.name(block).filter(|_| block.kind == BlockKind::Comment);
    let now = now.map(|now| {
        let block = &head.blocks[now];
        (head.hash(block), block.text.as_str().to_owned())
    });
    PublishedChange { was: base.hash(block), after, text: block.text.as_str().to_owned(), of, now }
}

/// Says which part of a topic block changed.
fn changed_part(base: &Version, head: &Version) -> &'static str {
    match base.transcript.preamble_text().trim() == head.transcript.preamble_text().trim() {
        true => "the settings in the head",
        false => "the question",
    }
}

/// Says what a loss takes away: `it drops Rob's READY`.
pub(super) fn describe_loss(
    base: &Version,
    index: usize,
    head: &Version,
    now: Option<usize>,
    is_moved: bool,
) -> String {
    let block = &base.blocks[index];
    let name = base.name(block).map(|name| visible_line(&name));
    let effect = base.effect(block).map(|effect| visible_line(&effect));
    let after = now.and_then(|now| head.effect(&head.blocks[now])).map(|it| visible_line(&it));
    let whose = |effect: &str| match &name {
        Some(name) => format!("{name}'s {effect}"),
        None => effect.to_owned(),
    };
    match (effect, after) {
        (Some(effect), _) if is_moved => format!("it moves {}", whose(&effect)),
        (Some(effect), Some(after)) if effect != after => {
            format!("it changes {} to {after}", whose(&effect))
        }
        (Some(effect), None) => format!("it drops {}", whose(&effect)),
        (Some(effect), Some(_)) => format!("it changes the text with {}", whose(&effect)),
        (None, _) => {
            let what = match (block.kind, &name) {
                (BlockKind::Comment, Some(name)) => format!("a comment of {name}"),
                (BlockKind::Control, _) => "a line of the program".to_owned(),
                _ => "a text".to_owned(),
            };
            let does = match (is_moved, now) {
                (true, _) => "moves",
                (false, Some(_)) => "changes",
                (false, None) => "drops",
            };
            format!("it {does} {what}")
        }
    }
}
