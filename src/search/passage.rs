//! The places of a discussion that may be found.

use std::collections::HashSet;

use super::kind::FoundKind;
use crate::engine::Snapshot;
use crate::state::{DecisionState, QuestionStatus};
use crate::transcript::{Comment, Control, EntryKind, Time};

/// How much a question that was answered counts.
const ANSWERED: f64 = 2.0;
/// How much a decision counts that holds no more.
const PAST: f64 = 0.5;

/// A place that may be found, of one or more lines.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    pub(crate) kind: FoundKind,
    /// Number of its first line, from 1.
    pub(crate) line: usize,
    /// Who says it, by name.
    pub(crate) author: Option<String>,
    pub(crate) text: String,
    /// When it was said, as far as the file tells: the time of the next entry that has one.
    pub(crate) at: Option<Time>,
    /// How much it counts.
    pub(crate) weight: f64,
}

/// All of a discussion, in no order. What a marker says is a passage of its own and stands in its comment too;
/// `updated` is when the file was changed last.
pub(crate) fn passages(snapshot: &Snapshot, updated: Option<Time>) -> Vec<Passage> {
    let mut all = preamble(snapshot);
    let times = times(snapshot, updated);
    let at = |line: usize| {
        let after = times.partition_point(|(of, _)| *of <= line);
        after.checked_sub(1).and_then(|index| times[index].1)
    };
    let state = &snapshot.state;
    let mut add = |kind: FoundKind, line, author: &dyn ToString, text: &str, share: f64| {
        all.push(Passage {
            kind,
            line,
            author: Some(author.to_string()),
            text: text.to_owned(),
            at: at(line),
            weight: kind.weight() * share,
        });
    };
    for one in &state.decisions {
        let share = if one.state == DecisionState::Live { 1.0 } else { PAST };
        add(FoundKind::Decision, one.line, &one.author, &one.text, share);
    }
    for one in &state.questions {
        let share = if one.status == QuestionStatus::Answered { ANSWERED } else { 1.0 };
        add(FoundKind::Question, one.line, &one.author, &one.text, share);
    }
    for one in &state.tasks {
        add(FoundKind::Task, one.line, &one.author, &one.text, 1.0);
    }
    for one in &state.concerns {
        add(FoundKind::Concern, one.line, &one.author, &one.text, 1.0);
    }
    let last = snapshot.final_text().map(|(said, _)| said.entry);
    for (index, entry) in snapshot.transcript.entries.iter().enumerate() {
        if let EntryKind::Comment(comment) = &entry.kind {
            let kind = if last == Some(index) { FoundKind::Outcome } else { FoundKind::Comment };
            add(kind, comment.stored_line, &comment.name, &comment.body(), 1.0);
        }
    }
    all
}

/// The title, and what else stands before the first comment.
fn preamble(snapshot: &Snapshot) -> Vec<Passage> {
    let transcript = &snapshot.transcript;
    let before = transcript.text.get(..transcript.preamble.start).unwrap_or_default();
    let first = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let text = transcript.preamble_text();
    let title = text.lines().position(|line| line.starts_with("# "));
    let of = |kind: FoundKind, line, text: String| Passage {
        kind,
        line,
        author: None,
        text,
        at: None,
        weight: kind.weight(),
    };
    let context: Vec<&str> = text
        .lines()
        .enumerate()
        .map(|(index, line)| if Some(index) == title { "" } else { line })
        .collect();
    let title = title.map(|line| of(FoundKind::Title, first + line, snapshot.state.title.clone()));
    let context = of(FoundKind::Context, first, context.join("\n"));
    title.into_iter().chain([context]).collect()
}

/// By the line on which an entry begins, when it was written: people's comments hold no time, so that of what comes next.
fn times(snapshot: &Snapshot, updated: Option<Time>) -> Vec<(usize, Option<Time>)> {
    let mut next = updated;
    let entries = snapshot.transcript.entries.iter().rev();
    let mut times: Vec<(usize, Option<Time>)> = entries
        .map(|entry| {
            let own = match &entry.kind {
                EntryKind::Comment(Comment { reply: Some(reply), .. }) => reply.at,
                EntryKind::Control(Control::Turn(line)) => line.at,
                EntryKind::Control(Control::Pass(line)) => line.at,
                EntryKind::Control(Control::Failed(line)) => line.at,
                _ => None,
            };
            next = own.or(next);
            (entry.line, next)
        })
        .collect();
    times.reverse();
    times
}

/// Lines on which markers stand: what is found there is told once.
pub(super) fn marked(passages: &[Passage]) -> HashSet<usize> {
    use FoundKind::{Concern, Decision, Question, Task};
    let markers =
        passages.iter().filter(|it| matches!(it.kind, Decision | Question | Task | Concern));
    markers.map(|passage| passage.line).collect()
}
