//! The record of an act that ended the discussion: a ballot that decides or blocks, an answer, a verdict, a closing.
//!
//! It is for readers of the file, with the date of the act. No program reads what it says, so it can never contradict
//! the outcome: each output computes that again. A record is missing if the outcome differs from the one of the text
//! above the last record, so a killed run and its successor write it once, with the same bytes.

use super::next::{Step, Stop, if_open};
use super::outcome::{Outcome, Standing};
use super::snapshot::Snapshot;
use crate::transcript::{Control, Draft, EndedLine, Entry, EntryKind, Time, append, render};

/// How a discussion ended, in the words of a record.
#[derive(Debug, PartialEq, Eq)]
struct EndWords {
    /// `decided by vote`.
    words: String,
    /// The decision, in one line.
    decision: Option<String>,
}

impl EndWords {
    /// Returns the words for the end of a discussion, from its file alone; `None` if it is open.
    fn of(snapshot: &Snapshot) -> Option<Self> {
        let outcome = Outcome::of(snapshot);
        if outcome.standing == Standing::Open {
            return None;
        }
        let label = match outcome.standing {
            Standing::InForce => "Decision",
            _ => "Answer",
        };
        let more = outcome.standing_items().count().saturating_sub(1);
        let decision = outcome.decision().map(|item| {
            let more = if more > 0 { format!(" (+{more})") } else { String::new() };
            format!("**{label}:** {}{more}", item.text)
        });
        Some(Self { words: outcome.words(), decision })
    }

    fn record(self, at: Time, by: Option<String>) -> Control {
        let heading = format!("Ended on {}: {}", at.format("%Y-%m-%d"), self.words);
        Control::Ended(Box::new(EndedLine {
            at: Some(at),
            by,
            heading: Some(heading),
            decision: self.decision,
        }))
    }
}

impl Snapshot {
    /// Returns the record of the end that a run has to write: the discussion ended by itself, and the file does not
    /// record this end yet. `now` is the time of the act if the file states none.
    pub(crate) fn end_of_run(&self, now: Time) -> Option<Control> {
        if !self.ends_by_itself() {
            return None;
        }
        Some(self.unrecorded_end()?.record(self.newest_time().unwrap_or(now), None))
    }

    /// Returns the record of the end that a person's vote brought about, if the file does not record this end yet.
    pub(crate) fn end_of_vote(&self, by: &str, now: Time) -> Option<Control> {
        if !self.ends_by_itself() {
            return None;
        }
        Some(self.unrecorded_end()?.record(now, Some(by.to_owned())))
    }

    /// Returns the record of a closing that is not in the file yet.
    pub(crate) fn end_of_closing(&self, closing: &Draft, by: &str, now: Time) -> Option<Control> {
        let text = &self.transcript.text;
        let text = format!("{text}{}", append(text, std::slice::from_ref(closing)));
        let mut end = EndWords::of(&Self::unsettled(&text, self.config.clone()))?;
        let says_who = [format!("decided by {by}"), "closed without a decision".to_owned()];
        if !says_who.contains(&end.words) {
            end.words = format!("{}; closed by {by}", end.words);
        }
        Some(end.record(now, Some(by.to_owned())))
    }

    /// Returns true if an entry records the end that the text above it has. A run that only continues a killed one
    /// writes such a record and nothing else.
    pub(crate) fn records_true_end(&self, entry: &Entry) -> bool {
        let EntryKind::Control(Control::Ended(end)) = &entry.kind else { return false };
        let words = EndWords::of(&self.until(entry.span.start));
        let (Some(words), Some(at)) = (words, end.at) else { return false };
        let told = render(&Draft::Control(words.record(at, end.by.clone())));
        let told = told.trim_end_matches("---\n").trim_end();
        self.transcript.text[entry.span.clone()].trim_end().replace("\r\n", "\n") == told
    }

    fn ends_by_itself(&self) -> bool {
        let step = || if_open(self, usize::MAX, true);
        !self.state.closed && matches!(step(), Ok(Step::Stop(Stop::Finished)))
    }

    fn unrecorded_end(&self) -> Option<EndWords> {
        let end = EndWords::of(self)?;
        let is_record = |kind: &EntryKind| matches!(kind, EntryKind::Control(Control::Ended(_)));
        let last = self.transcript.entries.iter().rfind(|entry| is_record(&entry.kind));
        let recorded = last.and_then(|last| EndWords::of(&self.until(last.span.start)));
        (recorded.as_ref() != Some(&end)).then_some(end)
    }

    /// Returns the newest time that the file records.
    fn newest_time(&self) -> Option<Time> {
        self.transcript.entries.iter().filter_map(|entry| entry.kind.time()).max()
    }
}
