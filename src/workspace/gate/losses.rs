//! Judges what the head of a discussion lost, moved or changed. Pure.

use std::collections::{HashMap, HashSet};

use super::super::people::fold;
use super::acceptance::Acceptance;
use super::compare::lost_blocks;
use super::explain::{NameKind, Place};
use super::judge::{BlockCounts, Finding, GateMode, Judge, OWN_EDIT};
use super::version::Version;
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;
use crate::store::{BlockKind, BlockText, Commit};
use crate::transcript::{Accepted, Control, visible_line};
use crate::view::PublishedChange;

impl<'v> Judge<'_, '_, 'v> {
    /// Judges a changed topic or head.
    pub(super) fn topic(&mut self) {
        let head = self.case.head;
        let mut seen = HashSet::new();
        // A topic that one of the bases has is published.
        if self.case.bases.iter().any(|base| base.topic() == head.topic()) {
            return;
        }
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
            // Who closed, advanced or accepted answered for the topic too.
            let Some(first) = base.names().find(|name| !is_own(name)) else {
                let mut silent = Finding::new(Severity::Note, ProblemCode::OwnEdit, 0, OWN_EDIT);
                silent.loss = Some(published_change(base, 0, head, Some(0)));
                silent.is_silent = true;
                self.found.push(silent);
                continue;
            };
            let who = changers.first().map(|commit| (self.context.describe)(commit));
            let message = format!(
                "{} changed {what} below the words of {}; put it back, or accept the change",
                who.unwrap_or_else(|| "this branch".to_owned()),
                visible_line(&first),
            );
            let severity = if self.is_forgiven(base, 0) { continue } else { Severity::Error };
            let mut finding = Finding::new(severity, ProblemCode::HistoryRewritten, 1, message);
            (finding.fix, finding.texts) = (Some(Fix::AcceptPublished), Some(texts));
            finding.loss = Some(published_change(base, 0, head, Some(0)));
            self.found.push(finding);
        }
    }

    /// Returns true if the last commit of main has a block again.
    fn is_forgiven(&self, base: &Version, index: usize) -> bool {
        let text = &base.blocks[index].text;
        let count = |version: &Version| version.counts().get(text).copied().unwrap_or(0);
        if !self.is_main() {
            return false;
        }
        // A vote counts where it stands; other words may be in another discussion now.
        let present =
            (self.context.present)(base).filter(|_| base.effect(&base.blocks[index]).is_some());
        let now = match present {
            Some(present) => count(&present),
            None => self.context.head_counts.get(text).copied().unwrap_or(0),
        };
        now >= count(base)
    }

    /// Returns true if an `ACCEPTED` line that this base lacks, and that another earlier version has, accepts the change
    /// of a text.
    fn is_accepted_elsewhere(&self, base: &Version, hash: &str) -> bool {
        let others = self.case.bases.iter().chain(&self.case.known);
        let of_base: HashSet<&BlockText> = base.blocks.iter().map(|block| &block.text).collect();
        let lines = others.flat_map(|other| {
            let lines = other.blocks.iter().filter(|block| !of_base.contains(&block.text));
            lines.filter_map(|block| other.accepted(block))
        });
        lines.into_iter().any(|line| line.was == hash)
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
    pub(super) fn losses(&mut self) {
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
                    let new_text = self.accepted_text(base, lost.base, &line, lost.now);
                    // A line of somebody who may not accept is an error of its own.
                    self.new_texts.extend(new_text);
                    let now = new_text.or(lost.now);
                    let change = describe_loss(base, lost.base, head, now, lost.is_moved);
                    let of = owner.as_deref().map_or("the program".to_owned(), visible_line);
                    let what = format!("a change to what {of} wrote: {change}");
                    self.note_acceptance(&line, severity, &what, texts);
                    continue;
                }
                let is_back = self.is_forgiven(base, lost.base) && !lost.is_moved;
                if is_back || self.is_accepted_elsewhere(base, &base.hash(block)) {
                    continue;
                }
                self.report_loss(base, lost.base, lost.now, lost.is_moved, texts);
            }
        }
    }

    /// Returns the block of the head that is the new text of an accepted change: of the same kind and in the same name
    /// as the lost block, and the new text of no other change.
    fn accepted_text(
        &self,
        base: &Version,
        index: usize,
        line: &Acceptance,
        successor: Option<usize>,
    ) -> Option<usize> {
        let head = self.case.head;
        let lost = &base.blocks[index];
        let owner = base.name(lost).as_deref().map(fold);
        let hash = line.line.now.as_deref().filter(|now| *now != line.line.was)?;
        let is_it = |at: &usize| {
            let block = &head.blocks[*at];
            block.kind == lost.kind
                && head.name(block).as_deref().map(fold) == owner
                && head.hash(block) == hash
                && !self.new_texts.contains(at)
        };
        successor.filter(is_it).or_else(|| (1..head.blocks.len()).rev().find(is_it))
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
            // A commit that moves words loses none: ask who changed the file.
            (Some(owner), None) => {
                let mut changing = self.context.commits.changing(&base.path).peekable();
                changing.peek().is_some()
                    && changing.all(|words| self.context.people.is(owner, &words.commit.author))
            }
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
        (finding.fix, finding.texts) = (Some(Fix::AcceptPublished), Some(texts));
        finding.loss = Some(published_change(base, index, self.case.head, now));
        self.found.push(finding);
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
pub(super) fn changed_part(base: &Version, head: &Version) -> &'static str {
    if base.transcript.preamble_text().trim() == head.transcript.preamble_text().trim() {
        "the settings in the head"
    } else {
        "the question"
    }
}

/// Says what a loss takes away: `it drops Rob's READY`.
fn describe_loss(
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
