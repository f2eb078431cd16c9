//! A result as a record of an architecture decision, in the form of MADR 4.

use std::fmt::Write as _;

use super::discussion::DiscussionResult;
use super::page::{clipped, cost};
use crate::engine::{Decision, Snapshot, Status};
use crate::state::TaskStatus;
use crate::transcript::{encode, inline};
use crate::view::status;

/// Builds the record. Everything that comes from outside is encoded: nobody's words can pass for its front matter or
/// for a heading of its own.
pub(super) fn adr(snapshot: &Snapshot, result: &DiscussionResult) -> String {
    let decision = Decision::of(snapshot);
    let outcome = &result.outcome;
    let (ballot, _) = status::deciding(snapshot);
    let makers: Vec<String> =
        ballot.votes.iter().map(|vote| format!("\"{}\"", vote.name)).collect();
    let makers = match makers.is_empty() {
        true => result.participating_providers.iter().map(|who| format!("\"{who}\"")).collect(),
        false => makers,
    };
    let date = result.metadata.completed_at.get(..10).unwrap_or_default();
    let mut page = format!(
        "---\nstatus: {}\ndate: {date}\ndecision-makers: [{}]\n---\n\n# {}\n",
        word(&decision),
        makers.join(", "),
        inline(&snapshot.state.title)
    );
    let context = context(snapshot);
    let context = if context.is_empty() { "None was written down.".to_owned() } else { context };
    let _ = write!(page, "\n## Context and Problem Statement\n\n{context}\n");
    let chosen =
        outcome.decision.as_deref().or(decision.tally.outcome.as_ref().map(|it| it.as_str()));
    let options = options(snapshot, chosen);
    list(&mut page, "## Considered Options", options.iter().map(|it| format!("* {}", inline(it))));
    page.push_str("\n## Decision Outcome\n");
    match chosen {
        Some(chosen) if decision.reached => {
            let how = lower(&result.headline());
            let _ = writeln!(page, "\nChosen option: \"{}\" ({how}).", inline(chosen));
        }
        _ => {
            let _ = writeln!(page, "\nNothing is chosen: {}.", lower(&result.headline()));
        }
    }
    let text = outcome.text_alone();
    if !text.is_empty() {
        let _ = write!(page, "\n{}\n", lowered(&text, 2));
    }
    let concerns = snapshot.state.concerns.iter();
    let bad = concerns
        .map(|one| {
            format!(
                "* Bad, because of a concern of {}: {} (line {})",
                one.author,
                inline(&one.text),
                one.line
            )
        })
        .chain(outcome.dissent.iter().map(|one| {
            let who = format!("{} votes {}", one.participant, one.vote_in_words());
            format!("* Bad, because {who}: {} (line {})", inline(&one.text), one.line)
        }));
    list(&mut page, "### Consequences", bad);
    let tasks = snapshot.state.tasks.iter().map(|task| {
        let done = if task.status == TaskStatus::Done { "x" } else { " " };
        let whose = task.assignee.as_deref().map(|who| format!(" ({})", inline(who)));
        format!("* [{done}] {}{}", inline(&task.text), whose.unwrap_or_default())
    });
    let conditions = outcome.conditions.iter().map(|one| {
        format!(
            "* Condition of {} ({}): {}",
            one.participant,
            one.vote,
            inline(&clipped(&one.text))
        )
    });
    list(&mut page, "### Confirmation", tasks.chain(conditions));
    let stated = snapshot.state.decisions.iter().map(|one| {
        format!("* D{}: {} ({}, line {})", one.number, inline(&one.text), one.author, one.line)
    });
    let open = outcome
        .open_questions
        .iter()
        .map(|one| format!("* Open: {} ({}, line {})", inline(&one.text), one.author, one.line));
    let votes = ballot.votes.iter().map(|vote| format!("* {}: {}", vote.name, vote.choice));
    let spent = cost(&result.metadata, result.total_duration_ms);
    let spent = spent.iter().map(|line| format!("* {}", line.trim_start_matches("- ")));
    let source = std::iter::once(format!("* The discussion: {}", inline(&result.file)));
    list(
        &mut page,
        "## More Information",
        source.chain(votes).chain(stated).chain(open).chain(spent),
    );
    page
}

/// The status of a record, in MADR's words.
fn word(decision: &Decision) -> &'static str {
    match (decision.status, decision.reached) {
        (_, true) => "accepted",
        (Status::Blocked, _) => "rejected",
        (Status::Closed, _) => "rejected",
        _ => "proposed",
    }
}

/// What stands below the title, with headings that fit below the record's own.
fn context(snapshot: &Snapshot) -> String {
    let text = snapshot.transcript.preamble_text();
    let below = text.lines().skip_while(|line| !line.starts_with("# ")).skip(1);
    let below: Vec<&str> = below.collect();
    let below = if below.is_empty() { text.to_owned() } else { below.join("\n") };
    deeper(below.trim(), 1)
}

/// The options: those of the vote where they are answers, else those that a section of the context lists, else what
/// somebody stated as a decision.
fn options(snapshot: &Snapshot, chosen: Option<&str>) -> Vec<String> {
    let of_vote = snapshot.config.parameters.get("options").and_then(|list| list.as_array());
    let mut options: Vec<String> = match of_vote {
        Some(list) => list.iter().filter_map(|it| it.as_str()).map(str::to_owned).collect(),
        None => listed(snapshot.transcript.preamble_text()),
    };
    if options.is_empty() {
        options = snapshot.state.decisions.iter().map(|one| one.text.clone()).collect();
    }
    if options.is_empty() {
        options.extend(chosen.map(str::to_owned));
    }
    options
}

/// Headings and items below a heading that speaks of options.
fn listed(text: &str) -> Vec<String> {
    let level = |line: &str| line.bytes().take_while(|b| *b == b'#').count();
    let mut found = Vec::new();
    let mut within = 0;
    for line in text.lines() {
        match level(line) {
            0 if within > 0 => {
                let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
                found.extend(item.map(|item| item.trim().to_owned()));
            }
            0 => {}
            deep if within > 0 && deep > within => {
                // Named options have lists of their own below them.
                return headings(text, within, deep);
            }
            deep => {
                let speaks = line.to_lowercase().contains("option") && deep > 1;
                within = if speaks { deep } else { 0 };
            }
        }
    }
    found
}

fn headings(text: &str, above: usize, deep: usize) -> Vec<String> {
    let level = |line: &str| line.bytes().take_while(|b| *b == b'#').count();
    let section = text
        .lines()
        .skip_while(|line| level(line) != above || !line.to_lowercase().contains("option"));
    let section = section.skip(1).take_while(|line| level(line) == 0 || level(line) > above);
    section.filter(|line| level(line) == deep).map(|line| line[deep..].trim().to_owned()).collect()
}

/// A text of somebody's, encoded, with its headings below the record's own.
fn lowered(text: &str, by: usize) -> String {
    deeper(&encode(text), by)
}

fn deeper(text: &str, by: usize) -> String {
    let mut fenced = false;
    let lines = text.lines().map(|line| {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        }
        let level = line.bytes().take_while(|b| *b == b'#').count();
        let heads = !fenced && (1..=6).contains(&level) && line[level..].starts_with(' ');
        match heads {
            true => format!("{}{}", "#".repeat(by.min(6 - level)), line),
            false => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn list(page: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        let _ = write!(page, "\n{heading}\n\n{}\n", items.join("\n"));
    }
}

/// A sentence within another.
fn lower(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut chars = sentence.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}
