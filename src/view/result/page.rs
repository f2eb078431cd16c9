//! A result as a Markdown page: the outcome first, for people who did not take part.

use std::fmt::Write as _;

use super::discussion::{DiscussionResult, Metadata};
use super::text_review::{changes_section, findings_section};
use crate::engine::{ConsensusState, DecisionStatus, Snapshot, Step, Stop, next};
use crate::state::{QuestionStatus, Speaker, TaskStatus};
use crate::transcript::{encode, inline};
use crate::view::item::raised;
use crate::view::next_step::ANYBODY;

/// The maximum length of a reason in a list, in characters. The file contains the whole reason, at the line that is
/// given.
const LONGEST: usize = 360;

/// A page in parts, so that each format can show the difference between two texts in its own way.
pub(super) struct PageParts {
    /// The part up to the findings.
    pub(super) before: String,
    /// The section with the changes after the review; empty if there is none.
    pub(super) changes: String,
    /// The part from the votes on.
    pub(super) after: String,
}

/// Builds the page of a discussion. Text from authors is encoded, so that it cannot forge a heading of the page or the
/// words of another author.
pub(super) fn page(snapshot: &Snapshot, result: &DiscussionResult) -> PageParts {
    let decision = snapshot.outcome().consensus.clone();
    let mut page = format!(
        "# {}\n\n{}\n",
        inline(&snapshot.state.title),
        headline(snapshot, result, &decision)
    );
    if let Some(sentence) = &result.outcome.decision {
        let word = if result.consensus.reached { "Decision" } else { "Proposed" };
        let _ = write!(page, "\n{word}: {}\n", inline(sentence));
    }
    if let Some(reason) = &result.outcome.reason {
        let _ = write!(page, "\nReason: {}\n", inline(reason));
    }
    let text = result.outcome.text_alone();
    if !text.is_empty() {
        let _ = write!(page, "\n## Text\n\n{}\n", encode(&text));
    }
    if let Some(note) = result.review.opinion_note() {
        let _ = write!(page, "\n{note}\n");
    }
    page.push_str(&findings_section(&result.review, "##"));
    let changes = changes_section(&result.review, "##");
    PageParts { before: page, changes, after: details(snapshot, result) }
}

/// Returns everything below the text and its review.
fn details(snapshot: &Snapshot, result: &DiscussionResult) -> String {
    let mut page = String::new();
    section(&mut page, "Votes", votes(snapshot, result));
    let dissent = result
        .outcome
        .dissent
        .iter()
        .map(|one| line(&one.participant, &one.vote_in_words(), &one.text, one.line));
    section(&mut page, "Dissent", dissent.collect());
    let conditions = result
        .outcome
        .conditions
        .iter()
        .map(|one| line(&one.participant, &one.vote, &clipped(&one.text), one.line));
    section(&mut page, "Conditions", conditions.collect());
    section(&mut page, "Decisions", decisions(snapshot));
    section(&mut page, "Notes on the decision", notes(snapshot, result));
    section(&mut page, "Tasks", tasks(snapshot));
    section(&mut page, "Open questions", questions(snapshot));
    section(&mut page, "Concerns", concerns(snapshot));
    section(&mut page, "Cost and time", cost(&result.metadata, result.total_duration_ms));
    page
}

/// Returns the outcome in one sentence.
fn headline(snapshot: &Snapshot, result: &DiscussionResult, decision: &ConsensusState) -> String {
    let status = decision.status;
    let closed = if status == DecisionStatus::Closed { "Closed. " } else { "" };
    let blocked = &decision.tally.blocked_by;
    let degraded = if result.consensus.degraded { " Some participants failed." } else { "" };
    let finished = snapshot.is_finished() || decision.reached || status == DecisionStatus::Closed;
    let stuck = matches!(next(snapshot, 0), Ok(Step::Stop(Stop::TooFew)));
    let said = match (&decision.verdict, blocked.is_empty()) {
        (None, true) if !finished && !stuck => {
            let turns = snapshot.state.turns.len();
            let (phase, turns) = (
                snapshot.phase().title(),
                match turns {
                    0 => "no turns yet".to_owned(),
                    1 => "1 turn so far".to_owned(),
                    turns => format!("{turns} turns so far"),
                },
            );
            format!("Open, in the phase {phase}: {turns}.")
        }
        (Some(verdict), _) => format!("Verdict: {}.", verdict.is),
        (None, false) => format!("Blocked by {}.", inline(&blocked.join(", "))),
        (None, true) => result.headline(),
    };
    format!("{closed}{said}{degraded}")
}

impl DiscussionResult {
    /// Returns the outcome in one sentence. A text that was not voted on is an outcome, but not consensus.
    pub fn headline(&self) -> String {
        let by = |what: &str| match &self.consensus.synthesizer {
            Some(who) => format!("{what} by {who}"),
            None => what.to_owned(),
        };
        if !self.waiting_for.is_empty() {
            let who: Vec<String> = (self.waiting_for.iter())
                .map(|who| if who == ANYBODY { "a person".to_owned() } else { format!("@{who}") })
                .collect();
            return format!("Waiting for {}.", who.join(", "));
        }
        match (&self.error, self.consensus.reached, &self.voting_results) {
            (Some(error), ..) if !self.consensus.reached => {
                let mut message = error.message.clone();
                if let Some(first) = message.get(..1) {
                    message.replace_range(..1, &first.to_uppercase());
                }
                format!("{message}.")
            }
            (_, true, _) if self.consensus.method == "synthesis" => format!("{}.", by("Synthesis")),
            (_, true, _) if self.consensus.method == "moderator" => format!("{}.", by("Decided")),
            (_, true, Some(voting)) => {
                let all: usize = voting.votes.values().sum();
                let won = voting.votes.get(&voting.winner).copied().unwrap_or(0);
                match &voting.tie_broken_by {
                    Some(who) => format!("A tie, decided for {} by {who}.", voting.winner),
                    None => format!("Consensus: {} by {won} of {all} votes.", voting.winner),
                }
            }
            (_, true, None) => "Consensus is reached.".to_owned(),
            (_, false, _) => "No consensus.".to_owned(),
        }
    }
}

fn section(page: &mut String, title: &str, lines: Vec<String>) {
    if !lines.is_empty() {
        let _ = write!(page, "\n## {title}\n\n{}\n", lines.join("\n"));
    }
}

fn line(who: &str, vote: &str, text: &str, place: usize) -> String {
    let text = if text.is_empty() { String::new() } else { format!(": {}", inline(text)) };
    format!("- {} ({}){text} (line {place})", inline(who), inline(vote))
}

pub(super) fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

fn votes(snapshot: &Snapshot, result: &DiscussionResult) -> Vec<String> {
    let (ballot, _) = crate::view::status::deciding(snapshot);
    let mut lines: Vec<String> = ballot
        .votes
        .iter()
        .map(|vote| {
            let sure = vote.confidence.filter(|_| vote.line > 0);
            let sure = sure.map(|share| format!(", {:.0} % sure", share * 100.0));
            let person =
                if matches!(vote.speaker, Speaker::Person(_)) { " (a person)" } else { "" };
            format!(
                "- {}{person}: {}{}",
                inline(vote.name.as_str()),
                inline(vote.choice.as_str()),
                sure.unwrap_or_default()
            )
        })
        .collect();
    if let (Some(share), Some(voting)) = (result.consensus.agreement_score, &result.voting_results)
        && !voting.winner.is_empty()
    {
        lines.push(format!(
            "- {} has {:.0} % of the weighted votes",
            inline(&voting.winner),
            share * 100.0
        ));
    }
    lines
}

fn decisions(snapshot: &Snapshot) -> Vec<String> {
    let decisions = snapshot.state.decisions.iter();
    decisions
        .map(|decision| {
            let names: Vec<&str> = decision.supporters.iter().map(|name| name.as_str()).collect();
            let supported = if names.is_empty() {
                String::new()
            } else {
                format!(", supported by {}", names.join(", "))
            };
            format!(
                "- D{}: {} ({}{supported}, line {})",
                decision.number,
                inline(&decision.text),
                decision.author,
                decision.line
            )
        })
        .collect()
}

/// Returns when people look at the decision again, the files that it is about, and what became of it.
fn notes(snapshot: &Snapshot, result: &DiscussionResult) -> Vec<String> {
    let notes = result.outcome.notes.markdown().into_iter().map(|line| format!("- {line}"));
    let unvoted = snapshot.outcome().consensus.unvoted && !result.outcome.notes.is_empty();
    unvoted.then(|| "- The text was not voted on.".to_owned()).into_iter().chain(notes).collect()
}

fn tasks(snapshot: &Snapshot) -> Vec<String> {
    let tasks = snapshot.state.tasks.iter();
    tasks
        .map(|task| {
            let done = if task.status == TaskStatus::Done { "x" } else { " " };
            let whose = task.assignee.as_deref().map(|who| format!(" ({})", inline(who)));
            let whose = whose.unwrap_or_default();
            format!(
                "- [{done}] T{}: {}{whose} (line {}{})",
                task.number,
                inline(&task.text),
                task.line,
                raised(task.raised)
            )
        })
        .collect()
}

fn questions(snapshot: &Snapshot) -> Vec<String> {
    let open = snapshot.state.questions.iter().filter(|one| one.status == QuestionStatus::Open);
    open.map(|one| {
        let raised = raised(one.raised);
        let text = inline(&one.text);
        format!("- Q{}: {text} ({}, line {}{raised})", one.number, one.author, one.line)
    })
    .collect()
}

fn concerns(snapshot: &Snapshot) -> Vec<String> {
    let concerns = snapshot.state.concerns.iter();
    concerns
        .map(|one| {
            let raised = raised(one.raised);
            format!("- {} ({}, line {}{raised})", inline(&one.text), one.author, one.line)
        })
        .collect()
}

/// Returns lines with calls, tokens, cost and duration, sub-discussions included; empty if no call was made.
pub(super) fn cost(metadata: &Metadata, ms: u64) -> Vec<String> {
    let cost = &metadata.cost_summary;
    if cost.total_calls == 0 {
        return Vec::new();
    }
    let about = if cost.estimated { "~" } else { "" };
    let calls = if cost.total_calls == 1 { "call" } else { "calls" };
    let mut lines = vec![format!(
        "- {} {calls}, {about}{} tokens, {}",
        cost.total_calls,
        cost.total_tokens,
        cost.money()
    )];
    let ends = [&metadata.started_at, &metadata.completed_at].map(String::as_str);
    let took = match ms.div_ceil(1000) {
        0..=1 if ms < 1000 => "less than 1 s".to_owned(),
        seconds @ 0..=59 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    };
    lines.push(match ends {
        ["", _] | [_, ""] => format!("- {took} of answering time"),
        [from, to] => format!("- {from} to {to}, {took} of answering time"),
    });
    lines
}
