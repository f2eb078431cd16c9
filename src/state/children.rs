//! Sub-discussions: those that the file records, and those that participants request with `DISCUSS:`.

use super::discussion_config::DiscussionConfig;
use super::fold::State;
use super::speaker::Speaker;
use crate::transcript::{Alias, Body, ChildEnd, ChildFile, ChildLine, Marker};

/// A sub-discussion of this discussion.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// The control line that opened it.
    pub line: ChildLine,
    /// Byte offset after that line; the text up to it is what the file contained when the sub-discussion was opened.
    pub cut: usize,
    /// Index of the phase visit in which it was opened.
    pub visit: usize,
    /// The control line that ended it; none while it is open.
    pub end: Option<ChildEnd>,
}

impl State {
    /// Returns the first sub-discussion that has no end yet.
    pub fn open_child(&self) -> Option<&Child> {
        self.children.iter().find(|child| child.end.is_none())
    }

    /// Returns true if the sub-discussion in a file has no end yet.
    pub(crate) fn is_open(&self, file: &ChildFile) -> bool {
        self.children.iter().any(|child| child.line.file == *file && child.end.is_none())
    }

    /// Returns the sub-discussions that phases of the template opened in the current visit.
    pub(crate) fn children_here(&self) -> impl Iterator<Item = &Child> {
        let visit = self.place.number();
        self.children.iter().filter(move |child| child.visit == visit && child.line.by.is_none())
    }

    /// Returns the sub-discussion in a file if it has no end yet.
    pub(super) fn child_mut(&mut self, file: &ChildFile) -> Option<&mut Child> {
        self.children.iter_mut().find(|child| child.line.file == *file && child.end.is_none())
    }
}

/// A sub-discussion that a participant requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscussionRequest {
    /// The question.
    pub question: String,
    /// The options to choose from, if the participant named any.
    pub choices: Vec<String>,
    /// The participant that requests it.
    pub by: Alias,
    /// The number of the turn in which it was requested; none before the first turn.
    pub turn: Option<u32>,
    /// Line in the file.
    pub line: usize,
    /// The file of the sub-discussion, once it was opened.
    pub opened: Option<ChildFile>,
}

/// All requests, in file order.
#[derive(Clone, Debug, Default)]
pub(super) struct Requests(Vec<DiscussionRequest>);

impl Requests {
    /// Records the request in a comment, if it is allowed. A participant can have one open request at a time. In a
    /// phase that requires something else, such as a vote or the final text, a request is ignored.
    pub(super) fn take(
        &mut self,
        speaker: &Speaker,
        body: &Body,
        phase: usize,
        turn: Option<u32>,
        config: &DiscussionConfig,
    ) {
        let Some(by) = speaker.alias().filter(|_| config.opens_discussions(phase)) else { return };
        let waits = |one: &DiscussionRequest| one.opened.is_none() && one.by == *by;
        let asked = body.marks.iter().find(|mark| mark.marker == Marker::Discuss);
        let Some(mark) = asked.filter(|_| !self.0.iter().any(waits)) else { return };
        let (question, choices) = parts(&mark.text);
        if !question.is_empty() {
            let (question, by) = (question.to_owned(), by.clone());
            self.0.push(DiscussionRequest {
                question,
                choices,
                by,
                turn,
                line: mark.line,
                opened: None,
            });
        }
    }

    /// Records that a requested sub-discussion was opened.
    pub(super) fn open(&mut self, line: &ChildLine) {
        let Some(by) = &line.by else { return };
        let of = |one: &&mut DiscussionRequest| one.opened.is_none() && one.by == *by;
        if let Some(request) = self.0.iter_mut().find(of).filter(|one| one.turn == line.turn) {
            request.opened = Some(line.file.clone());
        }
    }

    pub(super) fn list(self) -> Vec<DiscussionRequest> {
        self.0
    }
}

/// Splits a text into the question and the options in brackets at its end.
fn parts(text: &str) -> (&str, Vec<String>) {
    let text = text.trim();
    let cut = text.strip_suffix(']').and_then(|text| text.rsplit_once(" ["));
    let Some((question, choices)) = cut else { return (text, Vec::new()) };
    let choices = choices.split(',').map(str::trim).filter(|choice| !choice.is_empty());
    (question.trim(), choices.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_from_brackets_at_the_end() {
        for (text, question, choices) in [
            ("Redis or PostgreSQL?", "Redis or PostgreSQL?", vec![]),
            ("Which one? [Redis, PostgreSQL]", "Which one?", vec!["Redis", "PostgreSQL"]),
            ("What of [a](b)?", "What of [a](b)?", vec![]),
            ("a[0] or a[1]", "a[0] or a[1]", vec![]),
            ("Now? [,]", "Now?", vec![]),
        ] {
            let found = parts(text);
            assert_eq!(found.0, question);
            assert_eq!(found.1, choices);
        }
    }
}
