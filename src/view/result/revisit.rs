//! A decided discussion as the context of a new one: the question then, what was decided and why, who disagreed, and
//! what became of it.

use super::adr::{context, deeper};
use super::discussion::{DiscussionResult, FinalOutcome};
use crate::engine::{Snapshot, in_line};
use crate::transcript::{Comment, EntryKind, decode, inline, visible_line};
use crate::view::sentence::reason_of;
use crate::view::{DecisionNotes, clipped, status};

/// The maximum number of bytes of the old question, and of each old text. A prompt has to hold all of them.
const LONGEST: usize = 64 * 1024;

/// The maximum number of characters of one reason or note.
const REASON: usize = 2_000;

/// Returns the context for a discussion that looks at a decided one again; `link` leads to its file. The text is not
/// encoded yet. Headings of old texts are lowered, so that no text can pass for a section.
pub(crate) fn revisit_context(
    snapshot: &Snapshot,
    result: &DiscussionResult,
    link: &str,
) -> String {
    let outcome = &result.outcome;
    let title = inline(&visible_line(&snapshot.state.title)).replace(['[', ']'], "");
    let mut text = format!(
        "This question was decided before, in [{title}]({link}). Should the decision stay, change, or be replaced?"
    );
    let mut section = |heading: &str, body: String| {
        if !body.is_empty() {
            text.push_str(&format!("\n\n## {heading}\n\n{body}"));
        }
    };
    section("The question then", question(snapshot));
    section("What was decided", decision_text(snapshot, result));
    section("Why", reasons(snapshot, outcome));
    section("Dissent", dissent(snapshot, outcome));
    section("What became of it", hindsight(snapshot));
    text
}

/// Returns the text of the old question, without the files that were copied into it.
fn question(snapshot: &Snapshot) -> String {
    let text = decode(&context(snapshot));
    match text.find("### Material\n").filter(|at| *at == 0 || text[..*at].ends_with('\n')) {
        Some(at) => {
            let kept = text[..at].trim_end();
            shortened(&format!("{kept}\n\n(Its material is in the old file.)"))
        }
        None => shortened(text.trim()),
    }
}

fn decision_text(snapshot: &Snapshot, result: &DiscussionResult) -> String {
    let facts = &result.outcome.facts;
    let mut lines = vec![result.headline()];
    let stated: Vec<String> = facts
        .decisions
        .iter()
        .map(|one| {
            let text = inline(&visible_line(&one.labelled()));
            let words = inline(one.words());
            match one.author.as_str() {
                "" => format!("- {text} ({words})"),
                author => format!("- {text} ({}, {words})", inline(author)),
            }
        })
        .collect();
    if !stated.is_empty() {
        lines.push(stated.join("\n"));
    }
    // The comments that state the decisions of people follow as reasons.
    let by_people = facts.decided_by.as_deref().is_some_and(|by| by != "vote");
    if by_people && snapshot.state.decisions.iter().any(|one| result.outcome.line == Some(one.line))
    {
        return lines.join("\n\n");
    }
    // The list above states the decisions already.
    let alone = result.outcome.text_alone();
    if !alone.is_empty() {
        lines.push(shortened(&deeper(&alone, 2)));
    }
    lines.join("\n\n")
}

/// Returns the reasons of the votes for the outcome, and the comments that state a decision beside the final text.
fn reasons(snapshot: &Snapshot, outcome: &FinalOutcome) -> String {
    let (ballot, _) = status::deciding(snapshot);
    let dissents = |name: &str| outcome.dissent.iter().any(|one| one.participant == name);
    let votes = ballot.votes.iter().filter(|vote| !dissents(vote.name.as_str())).map(|vote| {
        let reason = in_line(&reason_of(snapshot, vote));
        let reason =
            if reason.is_empty() { reason } else { format!(": {}", clipped(&reason, REASON)) };
        format!("- {} votes {}{}", inline(vote.name.as_str()), vote.choice, inline(&reason))
    });
    let votes: Vec<String> = votes.collect();
    let mut parts: Vec<String> =
        Some(votes.join("\n")).filter(|it| !it.is_empty()).into_iter().collect();
    let mut last = 0;
    for one in outcome.facts.decisions.iter().filter(|one| one.stands() && one.number.is_some()) {
        let Some((line, comment)) = comment_at(snapshot, one.line).filter(|it| it.0 > last) else {
            continue;
        };
        last = line;
        let body = comment.body();
        let is_more = in_line(&body) != in_line(&format!("DECISION: {}", one.stated_text()));
        if is_more && body != outcome.text {
            let author = inline(&one.author);
            parts.push(format!("{author} wrote:\n\n{}", shortened(&deeper(&body, 2))));
        }
    }
    parts.join("\n\n")
}

/// Returns the comment that contains a line of the file, and its own line.
fn comment_at(snapshot: &Snapshot, line: usize) -> Option<(usize, &Comment)> {
    let entries = &snapshot.transcript.entries;
    let at = entries.partition_point(|entry| entry.line <= line);
    entries[..at].iter().rev().find_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => Some((entry.line, comment)),
        _ => None,
    })
}

fn dissent(snapshot: &Snapshot, outcome: &FinalOutcome) -> String {
    let (ballot, _) = status::deciding(snapshot);
    let lines = outcome.dissent.iter().map(|one| {
        let vote = ballot.votes.iter().find(|vote| vote.name.as_str() == one.participant);
        let whole =
            vote.filter(|_| !one.afterwards).map(|vote| in_line(&reason_of(snapshot, vote)));
        let text = clipped(&whole.unwrap_or_else(|| one.text.clone()), REASON);
        format!("- {} votes {}: {}", inline(&one.participant), one.vote_in_words(), inline(&text))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns what people noted about the decisions, a line each.
fn hindsight(snapshot: &Snapshot) -> String {
    let notes = DecisionNotes::of(snapshot.outcome());
    let mut lines = notes.markdown();
    if notes.hindsight.is_empty() {
        lines.push("nothing was noted (`HINDSIGHT:`)".to_owned());
    }
    lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// Cuts a text at [`LONGEST`] bytes, at the end of a line, and says so.
fn shortened(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let mut most = LONGEST;
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    let end = text[..most].rfind('\n').unwrap_or(most);
    format!("{}\n\n(cut here; the whole text is in the old file)", text[..end].trim_end())
}
