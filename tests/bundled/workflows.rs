//! Features, code reviews and architecture decisions: when they wait for a person, and how mentions are answered.

use discussions::engine::{DecisionStatus, Stop};
use serde_json::json;

use super::simulation::{Simulation, body, one, plain};

const THREE: &str = "architect security pragmatist";
const IDS: [&str; 3] = ["feature", "code-review", "architecture-decision"];

#[test]
fn workflows_end_with_a_reviewed_proposal_and_a_ballot() {
    for id in IDS {
        let ids: Vec<String> = one(id).phases.into_iter().map(|phase| phase.id).collect();
        assert_eq!(
            ids,
            ["initial_feedback", "detailed_review", "proposal", "review", "consensus_vote"]
        );
        let mut simulation = Simulation::new(id, THREE, json!({}), json!({}));
        assert_eq!(
            simulation.run(plain),
            Stop::PersonVote,
            "three READY suffice, but a person has to agree"
        );
        let calls: Vec<usize> = ids.iter().map(|phase| simulation.calls_in(phase)).collect();
        assert_eq!(
            (calls, simulation.status()),
            (vec![3, 3, 1, 1, 3], DecisionStatus::Open),
            "{id}"
        );
        let proposal = simulation.at(|snapshot| snapshot.synthesis()).unwrap();
        assert!(proposal.starts_with("moderator says 7 in review."), "{id}: {proposal}");
        simulation.comment("Rob", "Go.", Some("READY"));
        assert_eq!(
            (simulation.run(plain), simulation.status()),
            (Stop::Finished, DecisionStatus::Consensus)
        );
        assert_eq!(simulation.calls.len(), 11, "{id}: what is agreed is not proposed again");
    }
}

/// A ballot in which these participants first vote for changes.
fn split(against: &'static [&str]) -> impl Fn(usize, &str, &str) -> String {
    move |call, phase, alias| match phase {
        "consensus_vote" if call < 11 && against.contains(&alias) => {
            "Name the owner.\n\nVOTE: CHANGES".to_owned()
        }
        "review" if call > 10 => "SECOND TEXT\n\n- SETTLED: C1".to_owned(),
        _ => plain(call, phase, alias),
    }
}

#[test]
fn comment_after_a_split_ballot_causes_a_second_proposal_and_ballot() {
    for id in IDS {
        let mut simulation = Simulation::new(id, THREE, json!({}), json!({}));
        assert_eq!(simulation.run(split(&["security", "pragmatist"])), Stop::Finished);
        assert_eq!(
            (simulation.calls.len(), simulation.status()),
            (11, DecisionStatus::Open),
            "{id}"
        );
        simulation.run(plain);
        assert_eq!(simulation.calls.len(), 11, "{id}: nothing was said since");
        simulation.comment("Rob", "Mira owns it.", None);
        assert_eq!(simulation.run(split(&["security", "pragmatist"])), Stop::PersonVote);
        assert_eq!(
            ["proposal", "review", "consensus_vote"].map(|phase| simulation.calls_in(phase)),
            [2, 2, 6],
            "{id}"
        );
        let sent = simulation.prompts.iter().find(|it| it.contains("agreed on nothing")).unwrap();
        assert!(sent.contains("Mira owns it.") && sent.contains("VOTE: CHANGES"), "{id}");
        simulation.comment("Rob", "Go.", Some("READY"));
        assert_eq!(
            (simulation.run(plain), simulation.status()),
            (Stop::Finished, DecisionStatus::Consensus)
        );
        assert_eq!(simulation.at(|snapshot| snapshot.synthesis()).as_deref(), Some("SECOND TEXT"));
        let mut unreviewed = Simulation::new(id, THREE, json!({"review": false}), json!({}));
        unreviewed.run(split(&["security", "pragmatist"]));
        assert_eq!((unreviewed.calls.len(), unreviewed.calls_in("review")), (10, 0), "{id}");
    }
}

#[test]
fn while_waiting_for_a_person_only_a_changes_vote_starts_over() {
    for (said, vote, proposals) in [
        ("Which owner?", None, 1),
        ("Name the owner.", Some("CHANGES"), 2),
        ("No.", Some("REJECT"), 1),
        ("Go.", Some("READY"), 1),
    ] {
        let mut simulation = Simulation::new("feature", THREE, json!({}), json!({}));
        assert_eq!(simulation.run(plain), Stop::PersonVote);
        simulation.comment("Rob", said, vote);
        simulation.run(plain);
        assert_eq!(simulation.calls_in("proposal"), proposals, "{said}");
    }
}

#[test]
fn each_comment_of_a_person_adds_one_ballot_without_agreement() {
    let never = |call: usize, phase: &str, alias: &str| match phase {
        "consensus_vote" => "Never.\n\nVOTE: CHANGES".to_owned(),
        _ => plain(call, phase, alias),
    };
    let mut simulation = Simulation::new("feature", THREE, json!({}), json!({}));
    for round in 1..=5 {
        simulation.run(never);
        assert!(simulation.calls_in("consensus_vote") <= 3 * round, "round {round}");
        assert!(simulation.calls_in("proposal") <= round, "round {round}");
        simulation.comment("Rob", "And now?", None);
    }
}

#[test]
fn new_discussion_keeps_sections_of_its_context() {
    for (id, lead) in [("feature", "## Context"), ("code-review", "## Changes")] {
        let of = |context: &str| body(&one(id), context, &serde_json::Map::new());
        let text = of("It hurts.\n\n## Goals\n\nLess.");
        assert!(text.contains(&format!("{lead}\n\nIt hurts.\n\n## Goals\n\nLess.\n")), "{text}");
        let text = of("## Goals\n\nLess.");
        assert!(!text.contains(lead) && text.contains("\n\n## Goals"), "{text}");
    }
    let feature = body(&one("feature"), "It hurts.", &serde_json::Map::new());
    for section in
        ["## Context", "## Requirements\n\n- [ ] ", "## Open Questions", "## Constraints"]
    {
        assert!(feature.contains(section), "{section}");
    }
    let decision = body(&one("architecture-decision"), "", &serde_json::Map::new());
    let sections = ["Status", "Context", "Options", "Decision", "Consequences"];
    let places: Vec<usize> =
        sections.iter().map(|it| decision.find(&format!("## {it}\n")).unwrap()).collect();
    assert!(places.is_sorted(), "{decision}");
    for part in ["### Option A", "### Option B", "- Pros: ", "- Cons: "] {
        assert!(decision.contains(part), "{part}");
    }
}

#[test]
fn questions_to_a_participant_are_answered_before_the_phase_ends() {
    let mut simulation = Simulation::new("feature", "architect security", json!({}), json!({}));
    let asks_back = |call: usize, _: &str, _: &str| match call {
        0 => "Q: who may see it? @security".to_owned(),
        _ => "Noted.".to_owned(),
    };
    simulation.run(asks_back);
    assert_eq!(
        simulation.calls_in("initial_feedback"),
        3,
        "security speaks after the question, in the same turn, and could not see it"
    );
    let ping_pong = |call: usize, _: &str, alias: &str| {
        format!("Point {call}. @{}?", if alias == "security" { "architect" } else { "security" })
    };
    let mut simulation = Simulation::new("feature", "architect security", json!({}), json!({}));
    assert!(
        matches!(simulation.run(ping_pong), Stop::Mentions(_)),
        "an exchange of mentions ends by itself"
    );
    assert_eq!(simulation.calls.len(), 6, "one turn for all, and both who were called in two more");
}
