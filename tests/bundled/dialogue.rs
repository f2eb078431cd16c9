//! Dialogues: when they end, and which solution they choose.

use discussions::engine::{AnswerSpec, DecisionStatus, Reading, Snapshot, Stop, read};
use discussions::participant::Roster;
use discussions::state::Defaults;
use serde_json::json;

use super::simulation::{Simulation, one};

/// A dialogue whose checks have these votes, one pair for each check.
fn dialogue(rounds: u32, checks: &[(&str, &str)]) -> Simulation {
    let mut simulation =
        Simulation::new("dialogue", "architect pragmatist", json!({"rounds": rounds}), json!({}));
    let seen = std::cell::Cell::new(0);
    let stop = simulation.run(|call, phase, alias| {
        if phase != "check" {
            return format!("{alias} holds {call}.");
        }
        let index = seen.replace(seen.get() + 1);
        let pair = checks[index / 2];
        let answer = if alias == "architect" { pair.0 } else { pair.1 };
        answer.to_owned()
    });
    assert_eq!(stop, Stop::Finished);
    simulation
}

#[test]
fn dialogue_ends_on_two_yes_with_the_more_confident_solution() {
    let no = "Not yet.\n\nVOTE: NO";
    let simulation = dialogue(
        10,
        &[
            (no, no),
            (
                "Yes.\n\nCONFIDENCE: 60\n\nSOLUTION: tea\n\nVOTE: YES",
                "Yes.\n\nCONFIDENCE: 80\n\nSOLUTION: green tea\n\nVOTE: YES",
            ),
        ],
    );
    assert_eq!(simulation.calls.len(), 2 * 2 + 2 * 2, "two rounds, each with its check");
    assert_eq!(simulation.status(), DecisionStatus::Consensus);
    assert_eq!(simulation.at(|snapshot| snapshot.synthesis()).as_deref(), Some("green tea"));
    let simulation = dialogue(
        10,
        &[(
            "Yes.\n\nCONFIDENCE: 0.7\n\nSOLUTION: tea\n\nVOTE: YES",
            "Yes.\n\nCONFIDENCE: 70%\n\nSOLUTION: green tea\n\nVOTE: YES",
        )],
    );
    assert_eq!(
        simulation.at(|snapshot| snapshot.synthesis()).as_deref(),
        Some("tea"),
        "on a tie the first"
    );
}

#[test]
fn yes_without_a_solution_gets_one_repair_request_and_no_none() {
    let (yes, no) =
        ("Yes.\n\nCONFIDENCE: 0.8\n\nVOTE: YES", "Not yet.\n\nCONFIDENCE: 0.8\n\nVOTE: NO");
    let mut simulation =
        Simulation::new("dialogue", "architect pragmatist", json!({"rounds": 1}), json!({}));
    simulation.run(|_, phase, alias| match phase {
        "check" if alias == "architect" => yes.to_owned(),
        "check" => no.to_owned(),
        _ => "It holds.".to_owned(),
    });
    simulation.at(|snapshot| {
        let turn = snapshot.state.turns.iter().rfind(|turn| turn.line.asks.len() == 2);
        let alias = &snapshot.config.participants[0];
        let check = snapshot.template().phases.iter().position(|phase| phase.id == "check");
        let turn = discussions::state::Turn { phase: check.unwrap(), ..turn.unwrap().clone() };
        let wanted = AnswerSpec::of(snapshot, &turn, alias);
        let again = read(yes, &wanted).unwrap_err();
        assert!(again.ask(yes, &wanted).contains("SOLUTION: "), "{again:?}");
        let Some(Reading::Answer { vote, notes, .. }) = again.keep.clone() else {
            panic!("{again:?}")
        };
        assert_eq!(vote.unwrap().as_str(), "YES", "the vote counts without it");
        assert!(notes.iter().any(|note| note.contains("`SOLUTION: ...`")), "{notes:?}");
        let Reading::Answer { body, vote, .. } =
            again.complete("SOLUTION: green tea", &wanted).unwrap()
        else {
            panic!()
        };
        assert!(body.ends_with("SOLUTION: green tea") && vote.is_some(), "{body}");
        let Reading::Answer { notes, .. } = read(no, &wanted).unwrap() else { panic!() };
        assert!(notes.is_empty(), "whoever votes NO owes no solution: {notes:?}");
    });
}

#[test]
fn dialogue_without_agreement_ends_after_its_rounds_with_both_texts() {
    let no = "Not yet.\n\nVOTE: NO";
    let simulation = dialogue(3, &[(no, no), (no, "Yes.\n\nVOTE: YES"), (no, no)]);
    assert_eq!(simulation.calls.len(), 2 * 3 + 2 * 3);
    assert_eq!(simulation.status(), DecisionStatus::Open, "two NO agree on nothing");
    let both = simulation.at(|snapshot| snapshot.synthesis()).unwrap();
    assert_eq!(
        both,
        "**AI-Architect**\n\narchitect holds 8.\n\n**AI-Pragmatist**\n\npragmatist holds 9."
    );
}

#[test]
fn dialogue_checks_for_agreement_from_min_rounds_on() {
    let mut simulation = Simulation::new(
        "dialogue",
        "architect pragmatist",
        json!({"rounds": 3, "min_rounds": 3}),
        json!({}),
    );
    simulation.run(|_, phase, _| {
        if phase == "check" { "No.\n\nVOTE: NO".to_owned() } else { "Text.".to_owned() }
    });
    assert_eq!((simulation.calls.len(), simulation.calls_in("check")), (2 * 3 + 2, 2));
}

#[test]
fn agreement_check_never_comes_after_the_last_round() {
    let template = one("dialogue").into();
    let roster = Roster::bundled().into();
    let read = |min: u32, rounds: u32| {
        let head = format!(
            "<!-- DISCUSSION\ntemplate: dialogue\nparameters: {{rounds: {rounds}, min_rounds: {min}}}\n-->\n\n# T\n"
        );
        Snapshot::read(&head, &template, &roster, &Defaults::default()).map(|_| ())
    };
    assert!(read(3, 3).is_ok());
    let error = read(4, 3).unwrap_err().to_string();
    assert!(
        error.contains("`min_rounds` must be at most 3 (the value of `rounds`), not 4"),
        "{error}"
    );
}
