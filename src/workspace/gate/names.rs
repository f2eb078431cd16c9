//! Explains the new blocks of a discussion, and reports those that nothing explains. Pure.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::people::fold;
use super::effects::Effects;
use super::explain::{Explanation, NameKind};
use super::judge::{BlockCounts, Finding, Judge, message_of};
use super::version::Version;
use crate::codes::ProblemCode;
use crate::problem::Severity;
use crate::state::Speaker;
use crate::store::{BlockKind, BlockText, DiscussionBlock};
use crate::transcript::{Accepted, Alias, Control, MarkerSet, visible_line};

impl<'v> Judge<'_, '_, 'v> {
    /// Explains the new blocks, and reports those that nothing explains.
    pub(super) fn names(&mut self, new: &[usize]) {
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
                return self.reports_child(index).then_some(Explanation::Run);
            }
            NameKind::Model if self.traces.has_own_receipt(head, block) => {
                return Some(Explanation::Run);
            }
            NameKind::Model | NameKind::Person => {}
        }
        if self.new_texts.contains(&index) {
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

    /// Returns true if a comment in the program's name tells the outcome of a sub-discussion that ended above it: the
    /// head has it with this status, and with each text that the comment marks.
    fn reports_child(&self, index: usize) -> bool {
        let head = self.case.head;
        let Some(comment) = head.comment(&head.blocks[index]) else { return false };
        let marks = comment.read(&MarkerSet::default()).marks;
        let is_told = |control: &Control| {
            let Control::ChildEnd(end) = control else { return false };
            let Some(child) = (self.context.child)(&head.path, end.file.as_str()) else {
                return false;
            };
            let snapshot = (self.context.evaluate)(&child.path, child.text());
            let is_status = snapshot.is_none_or(|it| it.outcome().status.as_str() == end.status);
            is_status && marks.iter().all(|mark| child.text().contains(mark.text.trim()))
        };
        let mut above = head.blocks[..index].iter().filter_map(|block| head.control(block));
        above.any(is_told)
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
        if self.new_texts.contains(&index) {
            return Some(Explanation::Accepted);
        }
        match control {
            Control::Phase(line) => match &line.by {
                None => run(),
                Some(by) => match self.kind(by) {
                    // A run never speaks for a person.
                    NameKind::Person => self.explain(by, &block.text, copy),
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
            // A turn that asks only people waits for their words.
            Control::Turn(turn) if self.asks_people(&turn.asks) => Some(Explanation::Run),
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

    fn asks_people(&self, asks: &[Alias]) -> bool {
        let is_person = |alias: &Alias| {
            let config = self.snapshot.as_ref().map(|snapshot| &snapshot.config);
            config.is_some_and(|it| it.is_person(&Speaker::Persona(alias.clone())))
        };
        !asks.is_empty() && asks.iter().all(is_person)
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
                let counts = effect.is_some() || head.has_marker(block);
                let severity = if counts { Severity::Warning } else { Severity::Note };
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
                            "{} adds a comment in the program's name without a sub-discussion that ended like this; \
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
        let reason = if head.comment(block).is_some_and(|comment| comment.reply.is_some()) {
            "with the receipt of another answer"
        } else {
            "without a receipt; the program records one with every answer of a model"
        };
        let message = format!(
            "{} adds {what} of {} {reason}; let a run write it, or remove it",
            self.adder(&block.text),
            visible_line(name),
        );
        let mut finding = Finding::new(severity, ProblemCode::ReceiptMissing, block.line, message);
        finding.message_line = Some(format!("Recorded-for: {}", visible_line(name)));
        self.found.push(finding);
    }

    fn doubt_control(&mut self, index: usize, what: &str) {
        let head = self.case.head;
        let block = &head.blocks[index];
        let dropped = self.dropped_votes();
        let drops = match dropped {
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
    fn dropped_votes(&self) -> &[String] {
        self.dropped.get_or_init(|| self.find_dropped_votes())
    }

    fn find_dropped_votes(&self) -> Vec<String> {
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
        let head = self.case.head;
        let known: HashSet<&BlockText> = self
            .case
            .bases
            .iter()
            .flat_map(|base| base.blocks.iter().map(|block| &block.text))
            .collect();
        let given_up: Vec<&Accepted> = head
            .blocks
            .iter()
            .filter_map(|block| head.accepted(block))
            .filter(|line| line.now.is_none())
            .collect();
        let gave_up = |block: &DiscussionBlock| {
            let Some(name) = head.name(block) else { return false };
            given_up.iter().any(|line| {
                line.was == head.hash(block)
                    && line.by.as_deref().is_some_and(|by| fold(by) == fold(&name))
            })
        };
        let mut open: Vec<usize> = unexplained.to_vec();
        open.retain(|index| !gave_up(&head.blocks[*index]));
        let mut found = HashSet::new();
        let counts = head.counts();
        let wanted: Vec<&BlockText> = open.iter().map(|at| &head.blocks[*at].text).collect();
        for version in (self.context.older_versions)(head, &wanted) {
            if version.topic() != head.topic() {
                continue;
            }
            let places = OlderPlaces::of(&version, head, &known);
            let is_back = |index: &usize| {
                let text = &head.blocks[*index].text;
                // A copy of what is still there is no return.
                let count = |counts: &HashMap<&BlockText, usize>| counts.get(text).copied();
                count(&places.counts) >= count(&counts) && places.fit(text, *index)
            };
            open.retain(|index| !(is_back(index) && found.insert(*index)));
            if open.is_empty() {
                break;
            }
        }
        found
    }
}

/// The places of the blocks of an older version, compared with the order of the head.
struct OlderPlaces<'v> {
    counts: HashMap<&'v BlockText, usize>,
    /// The first place of each block in the older version.
    first: HashMap<&'v BlockText, usize>,
    /// For each block of the head, the first place in the older version of all blocks below it.
    below: Vec<usize>,
    /// The number of blocks of the head above the first one that the bases have and the older version lacks.
    is_old_until: usize,
}

impl<'v> OlderPlaces<'v> {
    fn of(version: &'v Version, head: &Version, known: &HashSet<&BlockText>) -> Self {
        let mut first = HashMap::new();
        for (place, block) in version.blocks.iter().enumerate() {
            first.entry(&block.text).or_insert(place);
        }
        let mut lowest = usize::MAX;
        let mut below: Vec<usize> = head
            .blocks
            .iter()
            .rev()
            .map(|block| {
                let here = first.get(&block.text).copied().unwrap_or(usize::MAX);
                let below = lowest;
                lowest = lowest.min(here);
                below
            })
            .collect();
        below.reverse();
        let is_newer = |text: &BlockText| known.contains(text) && !first.contains_key(text);
        let newer = head.blocks.iter().position(|block| is_newer(&block.text));
        let is_old_until = newer.unwrap_or(head.blocks.len());
        Self { counts: version.counts(), first, below, is_old_until }
    }

    /// Returns true if the older version has a block, and if the block stands in the head below all that was above it
    /// and above all that is newer.
    fn fit(&self, text: &BlockText, index: usize) -> bool {
        let Some(place) = self.first.get(text) else { return false };
        self.below[index] >= *place && index <= self.is_old_until
    }
}
