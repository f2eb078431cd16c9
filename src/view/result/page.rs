//! A result as a Markdown page: the outcome first, for people who did not take part.

use std::fmt::Write as _;

use super::discussion::{DiscussionResult, FinalOutcome, Metadata, VotingResults};
use super::text_review::{changes_section, findings_section};
use crate::engine::{Snapshot, Standing, Step, Stop, next};
use crate::state::{Item, ItemKind, Speaker};
use crate::template::Method;
use crate::transcript::{encode, inline};
use crate::view::waiting::ANYBODY;

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
    let facts = &result.outcome.facts;
    let mut page =
        format!("# {}\n\n{}\n", inline(&snapshot.state.title), headline(snapshot, result));
    for one in facts.standing_ones() {
        let word = if facts.in_force { "Decision" } else { "Answer" };
        let _ = write!(page, "\n{word}: {}\n", inline(&one.text));
    }
    if let Some(reason) = &result.outcome.reason {
        let _ = write!(page, "\nReason: {}\n", inline(reason));
    }
    let text = result.outcome.text_alone();
    if !text.is_empty() {
        let heading = result.outcome.text_heading();
        let _ = write!(page, "\n## {heading}\n\n{}\n", encode(&text));
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
    section(&mut page, "Decisions", decisions(result));
    section(&mut page, "Notes on the decision", notes(result));
    for kind in [ItemKind::Task, ItemKind::Question].into_iter().chain(ItemKind::plain()) {
        section(&mut page, kind.title(), items(snapshot, kind));
    }
    section(&mut page, "Cost and time", cost(&result.metadata, result.total_duration_ms));
    page
}

/// Returns the outcome in one sentence.
fn headline(snapshot: &Snapshot, result: &DiscussionResult) -> String {
    let outcome = snapshot.outcome();
    let degraded = if result.consensus.degraded { " Some participants failed." } else { "" };
    let stuck = matches!(next(snapshot, 0), Ok(Step::Stop(Stop::TooFew)));
    let said = if outcome.standing == Standing::Open && !snapshot.is_finished() && !stuck {
        let turns = match snapshot.state.turns.len() {
            0 => "no turns yet".to_owned(),
            1 => "1 turn so far".to_owned(),
            turns => format!("{turns} turns so far"),
        };
        format!("Open, in the phase {}: {turns}.", snapshot.phase().title())
    } else {
        inline(&result.headline())
    };
    format!("{said}{degraded}")
}

impl DiscussionResult {
    /// Returns the outcome in one or two sentences: how it stands, and how it came about.
    pub fn headline(&self) -> String {
        let facts = &self.outcome.facts;
        let words = sentence(facts.words());
        match facts.standing {
            Standing::Open => match self.reason_for_no_decision() {
                Some(reason) => format!("{words} {reason}"),
                None => words,
            },
            Standing::Verdict => format!("Verdict: {words}"),
            Standing::Answered => match &self.consensus.synthesizer {
                Some(who) => format!("{words} Synthesis by {who}."),
                None => words,
            },
            Standing::InForce if facts.decided_by.as_deref() == Some("vote") => {
                match &self.voting_results {
                    Some(voting) => format!("{words} {}", voting.sentence()),
                    None => words,
                }
            }
            Standing::InForce | Standing::NotAdopted | Standing::Replaced | Standing::Withdrawn => {
                words
            }
        }
    }

    /// Returns the reason why nothing is decided yet, in a sentence.
    fn reason_for_no_decision(&self) -> Option<String> {
        if !self.waiting_for.is_empty() {
            let who: Vec<String> = (self.waiting_for.iter())
                .map(|who| if who == ANYBODY { "a person".to_owned() } else { format!("@{who}") })
                .collect();
            return Some(format!("Waiting for {}.", who.join(", ")));
        }
        self.error.as_ref().map(|error| sentence(&error.message))
    }
}

impl VotingResults {
    /// Returns how the ballot ended, in a sentence.
    fn sentence(&self) -> String {
        let all: usize = self.votes.values().sum();
        let won = self.votes.get(&self.winner).copied().unwrap_or(0);
        match &self.tie_broken_by {
            Some(who) => format!("A tie, decided for {} by {who}.", self.winner),
            None => format!("Consensus: {} by {won} of {all} votes.", self.winner),
        }
    }
}

impl FinalOutcome {
    /// Returns the heading of the text: a text that was not adopted is a proposal.
    pub(crate) fn text_heading(&self) -> &'static str {
        match self.facts.standing {
            Standing::Open | Standing::NotAdopted => "Proposed text",
            _ => "Text",
        }
    }
}

/// Returns words as a sentence.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let rest = letters.as_str();
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{rest}{end}")
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
    let is_weighted = snapshot.config.rules.method == Method::Voting;
    let mut lines: Vec<String> = ballot
        .votes
        .iter()
        .map(|vote| {
            let sure = vote.confidence.filter(|_| vote.line > 0);
            let sure = sure.map(|share| format!(", {:.0} % sure", share * 100.0));
            let person =
                if matches!(vote.speaker, Speaker::Person(_)) { " (a person)" } else { "" };
            let weight = is_weighted.then(|| weight_in_words(vote.weight(&snapshot.config)));
            format!(
                "- {}{person}: {}{}{}",
                inline(vote.name.as_str()),
                inline(vote.choice.as_str()),
                sure.unwrap_or_default(),
                weight.unwrap_or_default()
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

/// Returns the weight of a vote with at most two decimals: `, weight 0.75`.
fn weight_in_words(weight: f64) -> String {
    format!(", weight {}", (weight * 100.0).round() / 100.0)
}

/// Returns each proposal with its state.
fn decisions(result: &DiscussionResult) -> Vec<String> {
    let decisions = result.outcome.facts.decisions.iter().filter(|one| one.number.is_some());
    decisions
        .map(|one| {
            let supported = match one.supporters.as_slice() {
                [] => String::new(),
                names => format!(", supported by {}", names.join(", ")),
            };
            let label = one.label().unwrap_or_default();
            let text = inline(one.stated_text());
            let words = inline(one.words());
            format!("- {label}: {text} ({}{supported}, line {}): {words}", one.author, one.line)
        })
        .collect()
}

/// Returns when people look at the decision again, the files that it is about, and what became of it.
fn notes(result: &DiscussionResult) -> Vec<String> {
    result.outcome.notes.markdown().into_iter().map(|line| format!("- {line}")).collect()
}

/// Returns the items of a kind as lines of a list; of questions, only those that are open.
fn items(snapshot: &Snapshot, kind: ItemKind) -> Vec<String> {
    let items = snapshot.state.items.of(kind).iter();
    let shown = items.filter(|item| kind != ItemKind::Question || item.is_open());
    let line = |item: &Item| {
        let (label, text, raised) = (item.label(), inline(&item.text), item.raised_words());
        if kind == ItemKind::Task {
            let done = if item.is_open() { " " } else { "x" };
            let whose = item.assignee.as_deref().map(|who| format!(" ({})", inline(who)));
            let whose = whose.unwrap_or_default();
            return format!("- [{done}] {label}: {text}{whose} (line {}{raised})", item.line);
        }
        let closed = if item.is_open() { String::new() } else { format!(", {}", item.words()) };
        format!("- {label}: {text} ({}, line {}{raised}{closed})", item.author, item.line)
    };
    shown.map(line).collect()
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
