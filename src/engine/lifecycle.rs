//! Notes about decisions that depend on the time at which they were written: hindsight counts only after the end, and
//! closing a discussion that is already decided clears the dates above.

use super::decision::{Decision, DecisionStatus};
use super::snapshot::Snapshot;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::state::{DiscussionConfig, Lifecycle, State};
use crate::transcript::{Control, Entry, EntryKind, StatusWord, Transcript};

/// The maximum number of times that the discussion is evaluated at an earlier point, for each of the two rules. Each
/// evaluation reads the file up to that point, so without a limit a file could take quadratic time.
const MOST: usize = 32;

/// Removes the notes that do not count, and adds a problem for hindsight that was written too early. Problems stay
/// unsorted. Returns true if it added one.
pub(super) fn settle(
    transcript: &Transcript,
    config: &DiscussionConfig,
    state: &mut State,
) -> bool {
    clear_dates(transcript, config, state);
    drop_early(transcript, config, state)
}

/// Returns the notes about the discussion and about each of its decisions.
fn notes(state: &mut State) -> impl Iterator<Item = &mut Lifecycle> {
    let decisions = state.decisions.iter_mut().map(|decision| &mut decision.lifecycle);
    std::iter::once(&mut state.lifecycle).chain(decisions)
}

/// Returns the status of the discussion just before an entry.
fn status_before(
    transcript: &Transcript,
    config: &DiscussionConfig,
    entry: &Entry,
) -> DecisionStatus {
    let before = &transcript.text[..entry.span.start];
    Decision::of(&Snapshot::unsettled(before, config.clone())).status
}

/// Clears each review date above a line that closed a discussion that was already decided. If the closing itself
/// decided it, the date stays.
fn clear_dates(transcript: &Transcript, config: &DiscussionConfig, state: &mut State) {
    let dates = notes(state).filter_map(|one| one.review_by.as_ref());
    let Some(first) = dates.map(|date| date.line).min() else { return };
    let mut closed = false;
    let mut closings = Vec::new();
    for entry in &transcript.entries {
        let EntryKind::Control(Control::Status(status)) = &entry.kind else { continue };
        let closes = status.status == StatusWord::Closed;
        if closes && !closed && entry.line > first {
            closings.push(entry);
        }
        closed = closes;
    }
    for closing in closings.into_iter().rev().take(MOST) {
        if status_before(transcript, config, closing) == DecisionStatus::Open {
            continue;
        }
        for one in notes(state) {
            one.review_by.take_if(|date| date.line < closing.line);
        }
        // An earlier closing is below fewer dates, so it clears nothing more.
        return;
    }
}

/// Removes hindsight that was written before the discussion had ended.
fn drop_early(transcript: &Transcript, config: &DiscussionConfig, state: &mut State) -> bool {
    let mut lines: Vec<usize> =
        notes(state).flat_map(|one| one.hindsight.iter().map(|it| it.line)).collect();
    if lines.is_empty() {
        return false;
    }
    lines.sort_unstable();
    let mut lines = lines.into_iter().peekable();
    let (mut ended, mut evaluated, mut early) = (None, 0, Vec::new());
    for (index, entry) in transcript.entries.iter().enumerate() {
        // The discussion may have gone on.
        if let EntryKind::Control(
            Control::Status(_) | Control::VoteReset | Control::Turn(_) | Control::Phase(_),
        ) = &entry.kind
        {
            ended = None;
        }
        let next = transcript.entries.get(index + 1).map_or(usize::MAX, |next| next.line);
        while let Some(line) = lines.next_if(|line| *line < next) {
            if ended != Some(true) && evaluated < MOST {
                evaluated += 1;
                let status = status_before(transcript, config, entry);
                ended = Some(status != DecisionStatus::Open);
            }
            if ended == Some(false) {
                early.push(line);
            }
        }
    }
    for one in notes(state) {
        one.hindsight.retain(|it| early.binary_search(&it.line).is_err());
    }
    let added = !early.is_empty();
    state.problems.extend(early.into_iter().map(|line| {
        let message = "this hindsight is ignored, because the discussion had not ended yet; write it after the end, or \
                       close the discussion first";
        Problem::new(Severity::Warning, ProblemCode::HindsightEarly, (line, 1), message)
    }));
    added
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::participant::Roster;
    use crate::state::Defaults;
    use crate::template::Template;

    const TEMPLATE: &str = "---
id: few
title: Few
summary: few
participants: {default: [architect, security]}
phases:
  - {id: vote, instructions: x, voting_mode: true}
---
# {{ title }}
";

    fn said(name: &str, body: &str) -> String {
        format!("---\n\nName: {name}\n\n{body}\n\n---\n\n")
    }

    fn votes() -> String {
        ["AI-Architect", "AI-Security", "Rob"].map(|name| said(name, "VOTE: READY")).concat()
    }

    fn read(blocks: &[String]) -> Snapshot {
        let template = Arc::new(Template::read(TEMPLATE, "few.md", "few").unwrap());
        let roster = Arc::new(Roster::bundled());
        let text = format!("# T\n\n{}", blocks.concat());
        Snapshot::read(text, &template, &roster, &Defaults::default()).unwrap()
    }

    fn closed() -> String {
        "<!-- STATUS: CLOSED, by: Rob -->\n\n".to_owned()
    }

    fn day(snapshot: &Snapshot) -> Option<String> {
        snapshot.state.lifecycle.review_by.as_ref().map(|day| day.date.to_string())
    }

    #[test]
    fn copy_of_a_snapshot_keeps_its_date_if_another_clears_it() {
        let mut edited = read(&[said("Rob", "REVIEW-BY: 2027-06-01")]);
        let copy = edited.clone();
        edited.edit_state(|state| state.lifecycle.review_by = None);
        assert_eq!(day(&edited), None);
        assert_eq!(day(&copy).as_deref(), Some("2027-06-01"));
    }

    #[test]
    fn closing_a_decided_discussion_clears_the_date_and_closing_an_open_one_keeps_it() {
        let date = said("Rob", "REVIEW-BY: 2027-06-01");
        let decided = read(&[votes(), date.clone(), closed()]);
        assert_eq!(decided.state.closed.then(|| day(&decided)), Some(None));
        let open = read(&[date.clone(), closed()]);
        assert_eq!(day(&open).as_deref(), Some("2027-06-01"), "the closing made the decision");
        let later = read(&[votes(), closed(), date.clone()]);
        assert_eq!(day(&later).as_deref(), Some("2027-06-01"), "it is below the closing");
        let twice = read(&[date, closed(), closed()]);
        assert_eq!(day(&twice).as_deref(), Some("2027-06-01"), "the second line closes nothing");
    }

    #[test]
    fn hindsight_counts_only_after_the_end() {
        let hindsight = |result: &str| said("Rob", &format!("HINDSIGHT: {result}, as feared"));
        let reopened = "<!-- STATUS: OPEN, by: Rob -->\n\n".to_owned();
        let all = [
            hindsight("held"),
            closed(),
            hindsight("failed"),
            reopened,
            hindsight("mixed"),
            votes(),
            hindsight("held"),
        ];
        let snapshot = read(&all);
        let counted = snapshot.state.lifecycle.hindsight.iter().map(|one| one.result.as_str());
        assert_eq!(counted.collect::<Vec<_>>(), ["failed", "held"]);
        let early = snapshot.state.problems.iter();
        let early = early.filter(|one| one.code == ProblemCode::HindsightEarly).count();
        assert_eq!(early, 2);
    }

    /// A file with very many closings and hindsight is evaluated a limited number of times.
    #[test]
    fn many_closings_are_read_in_linear_time() {
        let one =
            [closed(), said("Rob", "HINDSIGHT: held"), "<!-- STATUS: OPEN -->\n\n".to_owned()];
        let all = [said("Rob", "REVIEW-BY: 2027-06-01"), one.concat().repeat(500)];
        let snapshot = read(&all);
        assert_eq!(snapshot.state.lifecycle.hindsight.len(), 500);
        assert_eq!(day(&snapshot).as_deref(), Some("2027-06-01"));
    }
}
