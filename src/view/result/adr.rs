//! Exports a result as an architecture decision record, in the format MADR 4.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use super::context::RecordContext;
pub(super) use super::context::{context, deeper};
use super::discussion::DiscussionResult;
use super::page::{clipped, cost};
use super::text_review::findings_section;
use crate::engine::{By, Decision, ItemState, Outcome, Snapshot, Standing};
use crate::similarity::normal;
use crate::state::{ItemKind, Speaker};
use crate::transcript::{Alias, Name, encode, inline, visible_line};
use crate::view::status::deciding;

/// Builds the record. Text from outside is encoded, so that no author can forge its front matter or a heading.
pub(super) fn adr(snapshot: &Snapshot, result: &DiscussionResult) -> String {
    let outcome = snapshot.outcome();
    let (makers, consulted) = makers_and_consulted(snapshot);
    let date = result.metadata.completed_at.get(..10).unwrap_or_default();
    let mut page = format!(
        "---\nstatus: {}\ndate: {date}\ndecision-makers: [{}]\nconsulted: [{}]\n---\n\n# {}\n",
        status(outcome),
        makers.join(", "),
        consulted.join(", "),
        inline(&snapshot.state.title)
    );
    let context = RecordContext::of(snapshot);
    let text = if context.text.is_empty() { "No context was given." } else { &context.text };
    let _ = write!(page, "\n## Context and Problem Statement\n\n{text}\n");
    let options = context.options.iter().map(|it| format!("* {}", inline(it)));
    list(&mut page, "## Considered Options", options);
    add_outcome(&mut page, outcome, result);
    if let Some(note) = result.review.opinion_note() {
        let _ = write!(page, "\n{note}\n");
    }
    page.push_str(&findings_section(&result.review, "###"));
    list(&mut page, "### Consequences", consequences(snapshot).into_iter());
    list(&mut page, "### Confirmation", confirmation(snapshot, result).into_iter());
    let section = context.options_section.trim();
    if !section.is_empty() {
        let section = deeper(section, 1);
        let _ = write!(page, "\n## Pros and Cons of the Options\n\n{section}\n");
    }
    let more = more_information(snapshot, result, &context.material);
    list(&mut page, "## More Information", more.into_iter());
    page
}

/// Returns the status of the record, in MADR's words.
fn status(outcome: &Outcome) -> String {
    match outcome.standing {
        // A verdict judges a text, so nothing was decided.
        Standing::Open | Standing::Answered | Standing::Verdict => "proposed".to_owned(),
        Standing::InForce => "accepted".to_owned(),
        Standing::NotAdopted => "rejected".to_owned(),
        Standing::Withdrawn => "deprecated".to_owned(),
        Standing::Replaced => {
            let successor = outcome.items.iter().rev().find_map(|item| match &item.by {
                Some(By::Other(other)) => Some(other),
                _ => None,
            });
            match successor {
                // A single quote is the only sign with a meaning between single quotes of YAML.
                Some(other) => format!(
                    "'superseded by {}'",
                    link(&other.title, &other.name, &other.file).replace('\'', "''")
                ),
                None => "superseded".to_owned(),
            }
        }
    }
}

/// Returns a link to another discussion; one without a title is called by its name.
fn link(title: &str, name: &str, path: &str) -> String {
    let title = if title.is_empty() { name } else { title };
    let title = visible_line(title).replace(['[', ']', '<', '>', '\\'], "");
    let mut file = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '"' | '\'' | '\\' => {
                let _ = write!(file, "%{:02X}", u32::from(c));
            }
            c => file.push(c),
        }
    }
    format!("[{title}]({file})")
}

/// Returns the state of a proposal in words; a decision of another discussion that replaced it is a link.
fn state(item: &Decision) -> String {
    match (&item.state, &item.by) {
        (ItemState::Replaced, Some(By::Other(other))) => {
            let number = other.number.map(|number| format!(" (D{number})"));
            let link = link(&other.title, &other.name, &other.file);
            format!("replaced by {link}{}", number.unwrap_or_default())
        }
        _ => inline(&item.words()),
    }
}

/// Adds what was decided. Only a decision in force is the option that was chosen.
fn add_outcome(page: &mut String, outcome: &Outcome, result: &DiscussionResult) {
    page.push_str("\n## Decision Outcome\n");
    for item in outcome.in_force() {
        let (text, words) = (inline(&item.text), inline(&outcome.words()));
        let _ = writeln!(page, "\nChosen option: \"{text}\" ({words}).");
        if let Some(reason) = &item.reason {
            let _ = writeln!(page, "\nReason: {}", inline(reason));
        }
    }
    let is_chosen = outcome.standing == Standing::InForce;
    if !is_chosen {
        let words = match (&result.error, outcome.standing) {
            (Some(error), Standing::Open) => error.message.clone(),
            _ => outcome.words(),
        };
        let words = inline(words.trim_end_matches('.'));
        let _ = writeln!(page, "\nNo option was chosen: {words}.");
        let past = outcome.items.iter().filter(|item| item.stood && !item.is_in_force());
        let past = past.map(|item| format!("* \"{}\": {}", inline(&item.text), state(item)));
        let past: Vec<String> = past.collect();
        if !past.is_empty() {
            let _ = write!(page, "\n{}\n", past.join("\n"));
        }
    }
    let text = result.outcome.text_alone();
    if !text.is_empty() {
        // A text that nobody adopted must not look like the decision.
        let heading = match outcome.standing {
            Standing::InForce => "",
            Standing::Open | Standing::NotAdopted => "\n### Proposed text\n",
            _ => "\n### Text\n",
        };
        let _ = write!(page, "{heading}\n{}\n", deeper(&encode(&text), 2));
    }
}

/// Returns the concerns that nobody settled, each once.
fn consequences(snapshot: &Snapshot) -> Vec<String> {
    let mut stated = HashSet::new();
    let concerns = snapshot.state.items.of(ItemKind::Concern).iter();
    concerns
        .filter(|one| one.is_open() && stated.insert(normal(&one.text)))
        .map(|one| format!("* Bad, because {}", inline(&lower_first(&one.text))))
        .collect()
}

/// Returns the tasks, and the conditions of those who did not accept the text.
fn confirmation(snapshot: &Snapshot, result: &DiscussionResult) -> Vec<String> {
    let tasks = snapshot.state.tasks().iter().map(|task| {
        let done = if !task.is_open() { "x" } else { " " };
        let whose = task.assignee.as_deref().map(|who| format!(" ({})", inline(who)));
        format!("* [{done}] {}{}", inline(&task.text), whose.unwrap_or_default())
    });
    let conditions = result.outcome.conditions.iter().map(|one| {
        format!(
            "* Condition of {} ({}): {}",
            one.participant,
            one.vote,
            inline(&clipped(&one.text))
        )
    });
    tasks.chain(conditions).collect()
}

/// Returns the source, the notes of people, the votes, all proposals with their states, and the cost.
fn more_information(
    snapshot: &Snapshot,
    result: &DiscussionResult,
    material: &[String],
) -> Vec<String> {
    let outcome = &result.outcome;
    let mut lines = vec![format!("* Discussion: {}", inline(&result.file))];
    lines.extend(material.iter().map(|name| format!("* Material: {name}")));
    lines.extend(outcome.notes.markdown().iter().map(|line| format!("* {}", capitalized(line))));
    let (ballot, _) = deciding(snapshot);
    lines.extend(ballot.votes.iter().map(|vote| format!("* {}: {}", vote.name, vote.choice)));
    lines.extend(outcome.dissent.iter().map(|one| {
        let who = format!("{} votes {}", one.participant, one.vote_in_words());
        format!("* Dissent: {who}: {}", inline(&one.text))
    }));
    let numbered = snapshot.outcome().items.iter().filter_map(|item| Some((item, item.label()?)));
    lines.extend(numbered.map(|(item, label)| {
        let author = item.author.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
        let text = item.reason.as_ref().unwrap_or(&item.text);
        format!("* {label}: {}{author}: {}", inline(text), state(item))
    }));
    let settled = snapshot.state.items.of(ItemKind::Concern).iter();
    let settled = settled.filter(|one| !one.is_open());
    lines.extend(settled.map(|one| format!("* Concern, settled: {}", inline(&one.text))));
    let open = outcome.open_questions.iter();
    lines.extend(open.map(|one| format!("* Open: {} ({})", inline(&one.text), one.author)));
    let spent = cost(&result.metadata, result.total_duration_ms);
    lines.extend(spent.iter().map(|line| format!("* {}", line.trim_start_matches("- "))));
    lines
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
    snapshot.outcome().acts.closing.as_ref()?.by.clone()
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
