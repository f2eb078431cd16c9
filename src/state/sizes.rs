//! Tests files of tens of thousands of lines: the work must grow with their length, not with its square.
//!
//! No test measures time. If the work grew with the square, one of these files would take minutes instead of a moment,
//! and the run of the tests would be stopped.

use std::fmt::Write as _;

use super::{Defaults, DiscussionConfig, State, fold};
use crate::participant::Roster;
use crate::template::Template;
use crate::transcript::parse;

const TEMPLATE: &str = "---
id: sizes
title: Sizes
summary: sizes
participants: {default: [architect, security]}
phases:
  - {id: vote, instructions: x, voting_mode: true}
---
# {{ title }}
";

/// Folds a file with these participants and entries.
fn folded(participants: &[String], entries: impl Iterator<Item = String>) -> State {
    let mut text = "<!-- DISCUSSION\ncreated: 2026-11-20T10:00:00Z\n".to_owned();
    if !participants.is_empty() {
        writeln!(text, "participants: [{}]", participants.join(", ")).unwrap();
    }
    text.push_str("-->\n\n# T\n\n---\n");
    text.extend(entries);
    let template = Template::read(TEMPLATE, "sizes.md", "sizes").unwrap().into();
    let roster = Roster::bundled().into();
    let transcript = parse(&text);
    let head = transcript.head.as_ref();
    let config = DiscussionConfig::new(head, &template, &roster, &Defaults::default()).unwrap();
    fold(&transcript, &config)
}

fn people(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("person{number}")).collect()
}

fn comment(name: &str, body: &str) -> String {
    format!("\nName: {name}\n\n{body}\n\n---\n")
}

#[test]
fn a_hundred_thousand_turns() {
    // No turn asks `pragmatist`, so a linear search for its turn would go through all turns.
    let entries = (1..=100_000).map(|number| match number % 2 {
        0 => format!("\n<!-- TURN: {number}, asks: [architect] -->\n"),
        _ => format!("\n<!-- PASS who: pragmatist, turn: {number} -->\n"),
    });
    assert_eq!(folded(&[], entries).turns.len(), 50_000);
    let turns = (1..=100_000).map(|number| format!("\n<!-- TURN: {number}, asks: [a, b, c] -->\n"));
    assert_eq!(folded(&[], turns).turns.len(), 100_000);
}

#[test]
fn ten_thousand_voters() {
    let votes = |name: &String| comment(name, "VOTE: READY");
    let names: Vec<String> = (0..10_000).map(|number| format!("Voter {number}")).collect();
    assert_eq!(folded(&[], names.iter().map(votes)).ballot.votes.len(), 10_000);
    let seated = people(10_000);
    assert_eq!(folded(&seated, seated.iter().map(votes)).ballot.votes.len(), 10_000);
}

#[test]
fn ten_thousand_look_alikes() {
    let names = (0..10_000).map(|number| format!("\u{420}\u{435}r {number}"));
    let said = names.map(|name| comment(&name, "Agreed.")).collect::<Vec<_>>();
    assert_eq!(folded(&[], said.into_iter()).said.len(), 10_000);
}

#[test]
fn ten_thousand_supporters() {
    let decided = comment("Rob", "DECISION: we do it");
    let names = people(10_000);
    let supported = names.iter().map(|name| comment(name, "+1 D1"));
    let state = folded(&[], std::iter::once(decided).chain(supported));
    assert_eq!(state.decisions[0].supporters.len(), 10_000);
}

#[test]
fn ten_thousand_unnumbered_answers() {
    let asked: String =
        (0..10_000).map(|number| format!("- Q: how fast is part {number}\n")).collect();
    let answered: String =
        (0..10_000).map(|number| format!("- A: part {number} is fast\n")).collect();
    let state = folded(&[], [comment("Rob", &asked), comment("Ann", &answered)].into_iter());
    assert_eq!(state.questions().len(), 10_000);
    let open = state.questions().iter().filter(|one| one.is_open()).count();
    assert_eq!(open, 0);
}

/// Each participant that was mentioned is stored once and shares the list of mentions; a copy of the list for each
/// would be too large.
#[test]
fn thousands_of_participants_mention_thousands() {
    let calls = (0..2_000).map(|number| comment(&format!("Caller {number}"), "@all, please"));
    let state = folded(&people(2_000), calls);
    assert_eq!(state.pending.len(), 2_000);
    assert_eq!(state.pending[0].calls(usize::MAX).len(), 2_000);
}
