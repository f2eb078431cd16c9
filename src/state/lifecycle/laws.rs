//! Compares the folded notes with those that follow from the structure from which the text was written.

use proptest::prelude::*;

use super::Lifecycle;
use crate::participant::Roster;
use crate::state::{Defaults, DiscussionConfig, State, fold};
use crate::template::Template;
use crate::transcript::parse;

const TEMPLATE: &str = "---
id: law
title: Law
summary: a law
participants: {default: [architect]}
phases:
  - {id: open, instructions: x}
---
# {{ title }}
";

/// One marker. A target is the index of a decision, which may not exist.
#[derive(Clone, Debug)]
enum Item {
    Decision { replaces: Option<usize> },
    Review { named: Option<usize>, day: u32 },
    Affects { named: Option<usize>, file: u32 },
    Hindsight { named: Option<usize>, held: bool },
}

/// The notes about one decision, or about the whole discussion.
#[derive(Clone, Debug, Default, PartialEq)]
struct Expected {
    day: Option<u32>,
    files: Vec<String>,
    /// Each result, with the index of its comment.
    results: Vec<(bool, usize)>,
}

/// Returns the notes about the discussion, then those about each decision.
fn expected(comments: &[(&str, Vec<Item>)]) -> Vec<Expected> {
    let mut all = vec![Expected::default()];
    for (index, (author, items)) in comments.iter().enumerate() {
        let is_person = !author.starts_with("AI-");
        let mut above = 0;
        for item in items {
            let target = |named: &Option<usize>| match named {
                Some(at) => Some(at + 1).filter(|at| *at < all.len()),
                None => Some(above),
            };
            match item {
                Item::Decision { .. } => {
                    above = all.len();
                    all.push(Expected::default());
                }
                _ if !is_person => {}
                Item::Review { named, day } => {
                    if let Some(one) = target(named).map(|at| &mut all[at]) {
                        one.day = Some(*day);
                    }
                }
                Item::Affects { named, file } => {
                    if let Some(one) = target(named).map(|at| &mut all[at]) {
                        let file = format!("src/f{file}/**");
                        if !one.files.contains(&file) {
                            one.files.push(file);
                        }
                    }
                }
                Item::Hindsight { named, held } => {
                    if let Some(one) = target(named).map(|at| &mut all[at]) {
                        // Of two in one comment the later counts.
                        one.results.pop_if(|(_, comment)| *comment == index);
                        one.results.push((*held, index));
                    }
                }
            }
        }
    }
    all
}

fn text(comments: &[(&str, Vec<Item>)]) -> String {
    let mut text = "# T\n\n".to_owned();
    let mut decisions = 0;
    for (author, items) in comments {
        text.push_str(&format!("---\n\nName: {author}\n\nSo.\n\n"));
        for item in items {
            let of = |named: &Option<usize>| {
                named.map(|at| format!(" (D{})", at + 1)).unwrap_or_default()
            };
            let line = match item {
                Item::Decision { replaces } => {
                    decisions += 1;
                    let replaces = replaces.map(|at| format!(" (replaces D{})", at + 1));
                    format!("DECISION: number {decisions}{}", replaces.unwrap_or_default())
                }
                Item::Review { named, day } => format!("REVIEW-BY{}: 2027-06-{day:02}", of(named)),
                Item::Affects { named, file } => {
                    format!("**AFFECTS{}:** `src/f{file}/**`", of(named))
                }
                Item::Hindsight { named, held } => {
                    format!("HINDSIGHT{}: {}", of(named), if *held { "held" } else { "failed, so" })
                }
            };
            text.push_str(&format!("{line}\n\n"));
        }
        text.push_str("---\n\n");
    }
    text
}

fn folded(state: &State) -> Vec<Expected> {
    let of = |notes: &Lifecycle| Expected {
        day: notes.review_by.as_ref().map(|day| chrono::Datelike::day(&day.date)),
        files: notes.affects.iter().map(|one| one.pattern.clone()).collect(),
        results: notes.hindsight.iter().map(|one| (one.result.as_str() == "held", 0)).collect(),
    };
    let decisions = state.decisions.iter().map(|one| of(&one.lifecycle));
    std::iter::once(of(&state.lifecycle)).chain(decisions).collect()
}

fn item() -> impl Strategy<Value = Item> {
    let named = || prop::option::of(0_usize..4);
    prop_oneof![
        prop::option::weighted(0.3, 0_usize..3).prop_map(|replaces| Item::Decision { replaces }),
        (named(), 1_u32..29).prop_map(|(named, day)| Item::Review { named, day }),
        (named(), 0_u32..3).prop_map(|(named, file)| Item::Affects { named, file }),
        (named(), any::<bool>()).prop_map(|(named, held)| Item::Hindsight { named, held }),
    ]
}

fn comment() -> impl Strategy<Value = (&'static str, Vec<Item>)> {
    let author = prop::sample::select(&["Rob", "Mira", "AI-Architect"][..]);
    (author, prop::collection::vec(item(), 0..6))
}

proptest! {
    #[test]
    fn folded_notes_equal_the_written_ones(comments in prop::collection::vec(comment(), 0..8)) {
        let template = Template::read(TEMPLATE, "law.md", "law").unwrap().into();
        let roster = Roster::bundled().into();
        let config = DiscussionConfig::new(None, &template, &roster, &Defaults::default()).unwrap();
        let state = fold(&parse(text(&comments)), &config);
        let mut wanted = expected(&comments);
        wanted.iter_mut().flat_map(|one| &mut one.results).for_each(|result| result.1 = 0);
        prop_assert_eq!(folded(&state), wanted, "{}", text(&comments));
    }
}
