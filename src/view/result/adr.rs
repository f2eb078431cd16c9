//! Exports a result as an architecture decision record, in the format MADR 4.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use super::discussion::DiscussionResult;
use super::page::{clipped, cost};
use super::text_review::{changes_section, findings_section};
use crate::engine::{By, DecisionStatus, Outcome, Snapshot, Standing};
use crate::similarity::normal;
use crate::state::{Speaker, TaskStatus};
use crate::transcript::{Alias, Control, EntryKind, Name, StatusWord, encode, inline};
use crate::view::status::deciding;

/// Builds the record. Text from outside is encoded, so that no author can forge its front matter or a heading.
pub(super) fn adr(snapshot: &Snapshot, result: &DiscussionResult) -> String {
    let outcome = &result.outcome;
    let facts = &outcome.facts;
    let (ballot, _) = deciding(snapshot);
    let (makers, consulted) = makers_and_consulted(snapshot);
    let date = result.metadata.completed_at.get(..10).unwrap_or_default();
    let mut page = format!(
        "---\nstatus: {}\ndate: {date}\ndecision-makers: [{}]\nconsulted: [{}]\n---\n\n# {}\n",
        status(snapshot.outcome()),
        makers.join(", "),
        consulted.join(", "),
        inline(&snapshot.state.title)
    );
    let context = context(snapshot);
    let context = if context.is_empty() { "No context was given.".to_owned() } else { context };
    let _ = write!(page, "\n## Context and Problem Statement\n\n{context}\n");
    let options = options(snapshot);
    list(&mut page, "## Considered Options", options.iter().map(|it| format!("* {}", inline(it))));
    page.push_str("\n## Decision Outcome\n");
    if facts.in_force {
        for one in facts.standing_ones() {
            let _ =
                writeln!(page, "\nChosen option: \"{}\" ({}).", inline(&one.text), facts.words());
            if let Some(reason) = &one.reason {
                let _ = writeln!(page, "\nReason: {}", inline(reason));
            }
        }
    } else {
        let _ = writeln!(page, "\nNo option was chosen: {}.", facts.words());
    }
    let text = outcome.text_alone();
    if !text.is_empty() {
        let _ = write!(page, "\n{}\n", lowered(&text, 2));
    }
    if let Some(note) = result.review.opinion_note() {
        let _ = write!(page, "\n{note}\n");
    }
    page.push_str(&findings_section(&result.review, "###"));
    page.push_str(&changes_section(&result.review, "###"));
    let concerns = snapshot.state.concerns.iter();
    let mut told = HashSet::new();
    let bad = concerns
        .filter(|one| told.insert(normal(&one.text)))
        .map(|one| format!("* Bad, because {}", inline(&lower_first(&one.text))));
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
    let stated = facts.decisions.iter().filter(|one| one.number.is_some());
    let stated = stated.map(|one| {
        let text = inline(&one.labelled());
        format!("* {text} ({}): {}", one.author, inline(one.words()))
    });
    let open = outcome
        .open_questions
        .iter()
        .map(|one| format!("* Open: {} ({})", inline(&one.text), one.author));
    let votes = ballot.votes.iter().map(|vote| format!("* {}: {}", vote.name, vote.choice));
    let dissent = outcome.dissent.iter().map(|one| {
        let who = format!("{} votes {}", one.participant, one.vote_in_words());
        format!("* Dissent: {who}: {}", inline(&one.text))
    });
    let spent = cost(&result.metadata, result.total_duration_ms);
    let spent = spent.iter().map(|line| format!("* {}", line.trim_start_matches("- ")));
    let notes =
        outcome.notes.markdown().into_iter().map(|line| format!("* {}", capitalized(&line)));
    let source = std::iter::once(format!("* Discussion: {}", inline(&result.file)));
    list(
        &mut page,
        "## More Information",
        source.chain(notes).chain(votes).chain(dissent).chain(stated).chain(open).chain(spent),
    );
    page
}

/// Returns the status of a record in MADR's words.
fn status(outcome: &Outcome) -> String {
    match outcome.standing {
        Standing::Open | Standing::Answered => "proposed".to_owned(),
        Standing::InForce => "accepted".to_owned(),
        Standing::NotAdopted => "rejected".to_owned(),
        Standing::Withdrawn => "deprecated".to_owned(),
        Standing::Replaced => {
            let by = outcome.items.iter().rev().find_map(|item| match &item.by {
                Some(By::Other(other)) => Some(other),
                _ => None,
            });
            match by {
                Some(other) => {
                    let title = inline(&other.title).replace(['[', ']'], "");
                    format!("superseded by [{title}]({})", other.file)
                }
                None => "superseded".to_owned(),
            }
        }
        // A verdict is no decision.
        Standing::Verdict if outcome.status == DecisionStatus::Blocked => "rejected".to_owned(),
        Standing::Verdict => "accepted".to_owned(),
    }
}

/// The people who voted, stated a decision or closed the discussion, and all others who took part, as YAML strings.
fn makers_and_consulted(snapshot: &Snapshot) -> (Vec<String>, Vec<String>) {
    let (config, state) = (&snapshot.config, &snapshot.state);
    let decided = deciders(snapshot);
    let (mut makers, mut consulted): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let spoke = |alias: &&Alias| state.last_said(&Speaker::Persona((*alias).clone())).is_some();
    // Participants of the head come first, so that their order does not depend on the order of answers.
    let seated = config.seats().filter(spoke).cloned().map(Speaker::Persona);
    let others = state.said.iter().map(|said| said.speaker.clone());
    for speaker in seated.chain(others).filter(Speaker::counts) {
        let name = match speaker.alias() {
            Some(alias) => config.name_of(alias),
            None => speaker.handle(),
        };
        let is_maker = config.is_person(&speaker) && decided.contains(&name.to_lowercase());
        let list = if is_maker { &mut makers } else { &mut consulted };
        let name = quoted(name);
        if !list.contains(&name) {
            list.push(name);
        }
    }
    // A person may close a discussion without a comment.
    let closer = closer(snapshot).filter(|name| !is_known(&makers, name));
    makers.extend(closer.map(|name| quoted(name.as_str())));
    (makers, consulted)
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn is_known(names: &[String], name: &Name) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(&quoted(name.as_str())))
}

/// Returns the names of all who voted, stated a decision or closed the discussion, in lower case.
fn deciders(snapshot: &Snapshot) -> BTreeSet<String> {
    let (ballot, _) = deciding(snapshot);
    let voters = ballot.votes.iter().map(|vote| vote.name.to_string());
    let authors = snapshot.state.decisions.iter().map(|one| one.author.to_string());
    let closer = closer(snapshot).map(|name| name.to_string());
    voters.chain(authors).chain(closer).map(|name| name.to_lowercase()).collect()
}

/// Returns the person who closed the discussion; `None` if it is open or the file does not name the person.
fn closer(snapshot: &Snapshot) -> Option<Name> {
    let lines = snapshot.transcript.entries.iter().rev();
    let last = lines.into_iter().find_map(|entry| match &entry.kind {
        EntryKind::Control(Control::Status(line)) => Some(line),
        _ => None,
    })?;
    let by = last.by.as_deref().filter(|_| last.status == StatusWord::Closed)?;
    Name::parse(by).ok()
}

/// Returns the text below the title, with headings one level below the record's own. Omits sections that contain only
/// placeholders of the template.
pub(super) fn context(snapshot: &Snapshot) -> String {
    let text = filled_in(snapshot);
    let mut lines = text.lines();
    let below = if lines.any(|line| line.starts_with("# ")) {
        lines.collect::<Vec<_>>().join("\n")
    } else {
        text.clone()
    };
    deeper(below.trim(), 1)
}

/// Returns the preamble without unfilled placeholders, and without headings that have no text left below them.
fn filled_in(snapshot: &Snapshot) -> String {
    let text = snapshot.transcript.preamble_text();
    let asked: Vec<String> =
        snapshot.unfilled_placeholders().into_iter().map(|one| one.text).collect();
    if asked.is_empty() {
        return text.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let drop_empty_headings = |kept: &mut Vec<&str>, level: usize| {
        while let Some(at) = kept.iter().rposition(|line| !line.trim().is_empty()) {
            // The title stays. A heading has no text if the next heading is not a subheading of it; then it is removed.
            if heading_level(kept[at]) < level.max(2) {
                break;
            }
            kept.truncate(at);
        }
    };
    for line in text.lines().filter(|line| !asked.iter().any(|asked| asked == line.trim())) {
        if let level @ 1.. = heading_level(line) {
            drop_empty_headings(&mut kept, level);
        }
        kept.push(line);
    }
    drop_empty_headings(&mut kept, 2);
    kept.join("\n")
}

fn heading_level(line: &str) -> usize {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&level) && line[level..].starts_with(' ') { level } else { 0 }
}

/// Returns the options: those of the vote if they are answers, otherwise those that a section of the context lists.
/// Returns none if there is only one.
fn options(snapshot: &Snapshot) -> Vec<String> {
    let of_vote = snapshot.config.parameters.get("options").and_then(|list| list.as_array());
    let options: Vec<String> = match of_vote {
        Some(list) => list.iter().filter_map(|it| it.as_str()).map(str::to_owned).collect(),
        None => listed_options(&filled_in(snapshot)),
    };
    if options.len() > 1 { options } else { Vec::new() }
}

/// Returns the headings and list items below a heading that contains the word `option`.
fn listed_options(text: &str) -> Vec<String> {
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
                // Each named option has a list of its own below it.
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

/// Encodes a text from an author and lowers its headings below the record's own.
fn lowered(text: &str, by: usize) -> String {
    deeper(&encode(text), by)
}

pub(super) fn deeper(text: &str, by: usize) -> String {
    let mut fenced = false;
    let lines = text.lines().map(|line| {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        }
        let level = line.bytes().take_while(|b| *b == b'#').count();
        let heads = !fenced && (1..=6).contains(&level) && line[level..].starts_with(' ');
        if heads { format!("{}{}", "#".repeat(by.min(6 - level)), line) } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn list(page: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        let _ = write!(page, "\n{heading}\n\n{}\n", items.join("\n"));
    }
}

/// Changes a text so that it can continue a sentence: makes its first letter lowercase, unless the word is an acronym.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

/// Returns a line with its first letter in upper case.
fn capitalized(line: &str) -> String {
    let mut chars = line.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
