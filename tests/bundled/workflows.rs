//! Features, reviews of code, decisions: where they wait for a person, and how mentions are answered.

use discussions::engine::{Status, Stop, advance_to};
use serde_json::json;

use super::play::{Play, one, plain};

#[test]
fn the_workflows_wait_for_a_person_where_they_should() {
    for id in ["feature", "code-review", "architecture-decision"] {
        let template = one(id);
        let ids: Vec<&str> = template.phases.iter().map(|phase| phase.id.as_str()).collect();
        assert_eq!(ids, ["initial_feedback", "detailed_review", "consensus_vote"]);
        let mut play = Play::new(id, "architect security pragmatist", json!({}), json!({}));
        assert_eq!(
            play.run(plain),
            Stop::PhaseEnd,
            "the review in depth ends when a person says so"
        );
        assert_eq!(play.calls.len(), 6);
        let advance = play.at(|snapshot| advance_to(snapshot, 2, Some("Rob".to_owned())));
        assert_eq!(advance.len(), 2, "entering the vote resets votes");
        advance.into_iter().for_each(|draft| play.write(draft));
        assert_eq!(
            play.run(plain),
            Stop::PersonVote,
            "three READY suffice, but a person has to agree"
        );
        assert_eq!((play.calls.len(), play.status()), (9, Status::Open));
    }
}

#[test]
fn questions_to_a_participant_are_answered_before_the_phase_ends() {
    let mut play = Play::new("feature", "architect security", json!({}), json!({}));
    let asks_back = |call: usize, _: &str, _: &str| match call {
        0 => "Q: who may see it? @security".to_owned(),
        _ => "Noted.".to_owned(),
    };
    play.run(asks_back);
    assert_eq!(
        play.calls_in("initial_feedback"),
        3,
        "security speaks after the question, in the same turn, and could not see it"
    );
    let ping_pong = |call: usize, _: &str, alias: &str| {
        format!("Point {call}. @{}?", if alias == "security" { "architect" } else { "security" })
    };
    let mut play = Play::new("feature", "architect security", json!({}), json!({}));
    assert!(
        matches!(play.run(ping_pong), Stop::Mentions(_)),
        "an exchange of mentions ends by itself"
    );
    assert_eq!(play.calls.len(), 6, "one turn for all, and both who were called in two more");
}
