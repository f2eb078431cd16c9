//! The calls of each pattern, counted, and what each participant is told.

use discussions::engine::{Status, Stop};
use serde_json::json;

use super::play::{Play, plain};

#[test]
fn each_pattern_makes_exactly_the_calls_of_its_flow() {
    let of = |id: &str, participants: &str, parameters: serde_json::Value| {
        let mut play = Play::new(id, participants, parameters, json!({}));
        assert_eq!(play.run(plain), Stop::Finished, "{id}");
        assert_eq!(play.status(), Status::Consensus, "{id}");
        play.calls.len()
    };
    let three = "architect security pragmatist";
    for rounds in 1..=3 {
        let r = json!({"rounds": rounds});
        assert_eq!(of("round-robin", three, r.clone()), 3 * rounds + 1);
        assert_eq!(of("synthesis", three, r.clone()), 3 * rounds + 1);
        assert_eq!(of("debate", "architect pragmatist", r.clone()), 2 * rounds + 1);
        assert_eq!(
            of("debate", "architect security pragmatist designer", r.clone()),
            2 * rounds + 1
        );
        assert_eq!(of("critique", three, r), 1 + 3 * rounds);
    }
    assert_eq!(of("voting", three, json!({"early_exit": false})), 3 + 1);
}

#[test]
fn a_consensus_method_that_needs_votes_adds_one_ballot() {
    for id in ["round-robin", "synthesis", "debate", "critique"] {
        for method in ["voting", "majority", "unanimous"] {
            let mut play = Play::new(
                id,
                "architect security pragmatist",
                json!({}),
                json!({"method": method}),
            );
            assert_eq!(play.run(plain), Stop::Finished);
            assert_eq!(
                (play.calls_in("ballot"), play.status()),
                (3, Status::Consensus),
                "{id} {method}"
            );
        }
    }
}

#[test]
fn every_prompt_keeps_its_instructions_short() {
    for (id, participants) in [
        ("feature", "architect security pragmatist"),
        ("code-review", "architect security perfectionist"),
        ("architecture-decision", "architect security pragmatist"),
        ("round-robin", "architect security pragmatist"),
        ("synthesis", "architect security pragmatist"),
        ("debate", "architect pragmatist"),
        ("critique", "architect security pragmatist"),
        ("voting", "architect security pragmatist"),
        ("dialogue", "architect pragmatist"),
        ("artifact-review", "product technical quality risk coverage"),
    ] {
        let mut play = Play::new(id, participants, json!({"artifact": "brief.md"}), json!({}));
        play.run(plain);
        assert!(play.longest <= 900, "{id}: {} bytes", play.longest);
        for sent in &play.prompts {
            let (task, persona) =
                sent.split_once("# Your task: ").unwrap().1.split_once("\n# You\n").unwrap();
            assert!(!task.contains("\n\n\n") && !task.contains("{{"), "{id}: {task}");
            assert!(persona.ends_with(".\n"), "{id}: there is room for the persona");
        }
    }
}

#[test]
fn a_debater_is_told_their_side() {
    let mut play = Play::new("debate", "architect pragmatist", json!({}), json!({}));
    play.run(plain);
    assert!(
        play.prompts[0].contains("You argue FOR the motion")
            && !play.prompts[0].contains("You argue AGAINST")
    );
    assert!(play.prompts[1].contains("You argue AGAINST the motion"));
    assert!(!play.prompts[1].contains("architect says"), "openings are blind");
    assert!(
        play.prompts[3].contains("architect says 0")
            && !play.prompts[3].contains("architect says 2")
    );
    assert_eq!(play.calls[4], ("verdict".to_owned(), "moderator".to_owned()));
}

#[test]
fn the_one_who_explains_a_ballot_is_given_the_count() {
    let votes = |call: usize, phase: &str, _: &str| match (phase, call) {
        ("ballot", 0) => "Warm.\n\nCONFIDENCE: 0.9\n\nVOTE: Tea".to_owned(),
        ("ballot", _) => "Strong.\n\nCONFIDENCE: 0.6\n\nVOTE: Coffee".to_owned(),
        _ => "Because.".to_owned(),
    };
    let mut play = Play::new(
        "voting",
        "architect security pragmatist",
        json!({"options": ["Tea", "Coffee", "Water"]}),
        json!({}),
    );
    play.run(votes);
    let sent = play.prompts.last().unwrap();
    assert!(
        sent.contains("Votes cast: Coffee 2, Tea 1. Weighted by confidence, Coffee wins."),
        "{sent}"
    );
    assert!(sent.contains("Name: Participant A") && !sent.contains("Name: AI-Architect"));
    let mut play =
        Play::new("voting", "architect security", json!({"options": ["Tea", "Coffee"]}), json!({}));
    play.run(|call, phase, _| match (phase, call) {
        ("ballot", 0) => "VOTE: Tea".to_owned(),
        ("ballot", _) => "VOTE: Coffee".to_owned(),
        _ => "Because.".to_owned(),
    });
    assert!(play.prompts.last().unwrap().contains("It is a tie"));
}
