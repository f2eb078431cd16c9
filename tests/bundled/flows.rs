//! The number of calls of each pattern, and the instructions for each participant.

use discussions::engine::{DecisionStatus, Stop};
use serde_json::json;

use super::simulation::{NO_FINDINGS, PASS, Simulation, finding, plain};

const THREE: &str = "architect security pragmatist";

/// Simulates an answer with this many findings in rounds of objections.
fn with_objections(id: &str, objections: usize, times: usize) -> Simulation {
    let set = json!({"rounds": 1, "objections": objections});
    let mut simulation = Simulation::new(id, THREE, set, json!({}));
    let seen = std::cell::Cell::new(0);
    let stop = simulation.run(|call, phase, alias| match phase {
        "objections" if alias == "security" && seen.get() < times => {
            seen.set(seen.get() + 1);
            finding("says")
        }
        "objections" if alias == "pragmatist" => PASS.to_owned(),
        "objections" => NO_FINDINGS.to_owned(),
        _ => plain(call, phase, alias),
    });
    assert_eq!(stop, Stop::Finished, "{id}");
    simulation
}

#[test]
fn findings_of_an_earlier_round_cause_no_second_revision() {
    for id in ["synthesis", "critique", "round-robin"] {
        let set = json!({"rounds": 1, "objections": 2});
        let mut simulation = Simulation::new(id, THREE, set, json!({}));
        let revised = std::cell::Cell::new(false);
        simulation.run(|call, phase, alias| {
            revised.set(revised.get() || phase == "final");
            match phase {
                "objections" if revised.get() => PASS.to_owned(),
                _ => plain(call, phase, alias),
            }
        });
        simulation.comment("Rob", "Thanks.", None);
        assert_eq!(simulation.run(plain), Stop::Finished);
        assert_eq!(simulation.calls_in("final"), 1, "{id}");
    }
}

#[test]
fn final_text_is_the_last_text_and_is_not_changed() {
    for (id, first) in [("synthesis", "synthesis"), ("critique", "refine")] {
        let text = |objections: usize, times| {
            let simulation = with_objections(id, objections, times);
            (simulation.calls.clone(), simulation.at(|snapshot| snapshot.synthesis()).unwrap())
        };
        let (calls, reviewed) = text(1, 0);
        let at = calls.iter().position(|(phase, _)| phase == "review").unwrap();
        assert_eq!(calls[at - 1].0, first, "{id}: the author reviews its own text");
        assert_eq!(calls[at - 1].1, calls[at].1, "{id}: the author reviews its own text");
        assert!(reviewed.contains(&format!("says {at} in review.")), "{id}: {reviewed}");
        let (calls, revised) = text(1, 1);
        assert!(
            revised.contains(&format!("says {} in final.", calls.len() - 1)),
            "{id}: {revised}"
        );
        let set = json!({"rounds": 1, "objections": 0, "review": false});
        let mut simulation = Simulation::new(id, THREE, set, json!({}));
        simulation.run(|_, phase, _| match phase {
            "critique" => "CONCERN: too hot".to_owned(),
            _ => "DECISION: Tea.\n\nIt is warm.\n\nTODO: @security boil".to_owned(),
        });
        let text = simulation.at(|snapshot| snapshot.synthesis()).unwrap();
        assert_eq!(text, "DECISION: Tea.\n\nIt is warm.\n\nTODO: @security boil", "{id}");
        let tasks = simulation.at(|snapshot| snapshot.state.tasks().len());
        assert_eq!(tasks, 0, "{id}: nothing in a text for a reader becomes a task");
    }
}

#[test]
fn debater_prompt_names_the_side_to_argue() {
    let mut simulation = Simulation::new("debate", "architect pragmatist", json!({}), json!({}));
    simulation.run(plain);
    assert!(
        simulation.prompts[0].contains("You argue FOR the motion")
            && !simulation.prompts[0].contains("You argue AGAINST")
    );
    assert!(simulation.prompts[1].contains("You argue AGAINST the motion"));
    assert!(!simulation.prompts[1].contains("architect says"), "openings are blind");
    assert!(
        simulation.prompts[3].contains("architect says 0")
            && !simulation.prompts[3].contains("architect says 2")
    );
    assert_eq!(simulation.calls[4], ("verdict".to_owned(), "moderator".to_owned()));
}

#[test]
fn ballot_explainer_prompt_contains_the_tally() {
    let votes = |call: usize, phase: &str, _: &str| match (phase, call) {
        ("ballot", 0) => "Warm.\n\nCONFIDENCE: 0.9\n\nVOTE: Tea".to_owned(),
        ("ballot", _) => "Strong.\n\nCONFIDENCE: 0.6\n\nVOTE: Coffee".to_owned(),
        _ => "Because.".to_owned(),
    };
    let mut simulation = Simulation::new(
        "voting",
        "architect security pragmatist",
        json!({"options": ["Tea", "Coffee", "Water"]}),
        json!({}),
    );
    simulation.run(votes);
    let sent = simulation.prompts.last().unwrap();
    assert!(
        sent.contains("Votes cast: Coffee 2, Tea 1. Weighted by confidence, Coffee wins."),
        "{sent}"
    );
    assert!(sent.contains("Name: P1") && !sent.contains("Name: AI-Architect"));
    let mut simulation = Simulation::new(
        "voting",
        "architect security",
        json!({"options": ["Tea", "Coffee"]}),
        json!({}),
    );
    simulation.run(|call, phase, _| match (phase, call) {
        ("ballot", 0) => "VOTE: Tea".to_owned(),
        ("ballot", _) => "VOTE: Coffee".to_owned(),
        _ => "Because.".to_owned(),
    });
    assert!(simulation.prompts.last().unwrap().contains("It is a tie"));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: runs every pattern many times"]
    fn answer_is_revised_once_per_round_with_findings() {
        for (id, before, objectors) in [("synthesis", 3 + 2, 3), ("critique", 3 + 2, 2)] {
            let calls = |objections, times| {
                let simulation = with_objections(id, objections, times);
                (simulation.calls.len() - before, simulation.calls_in("final"))
            };
            assert_eq!(calls(0, 0), (0, 0), "{id}: no objections are asked for");
            assert_eq!(calls(1, 0), (objectors, 0), "{id}: without findings there is no revision");
            assert_eq!(calls(1, 1), (objectors + 1, 1), "{id}");
            assert_eq!(calls(2, 0), (objectors, 0), "{id}: no findings, no second round");
            assert_eq!(calls(2, 1), (2 * objectors + 1, 1), "{id}: settled with the first");
            assert_eq!(calls(2, 2), (2 * objectors + 2, 2), "{id}");
        }
    }

    #[test]
    #[ignore = "slow: runs every pattern many times"]
    fn consensus_method_with_votes_adds_one_ballot() {
        for id in ["round-robin", "synthesis", "debate", "critique"] {
            for method in ["voting", "majority", "unanimous"] {
                let mut simulation =
                    Simulation::new(id, THREE, json!({}), json!({"method": method}));
                assert_eq!(simulation.run(plain), Stop::Finished);
                // One of the three participants of a debate is the judge, who writes the verdict and does not vote on it.
                let voters = if id == "debate" { 2 } else { 3 };
                assert_eq!(
                    (simulation.calls_in("ballot"), simulation.status()),
                    (voters, DecisionStatus::Consensus),
                    "{id} {method}"
                );
            }
        }
    }

    #[test]
    #[ignore = "slow: runs every pattern many times"]
    fn each_pattern_makes_the_calls_of_its_flow() {
        let of = |id: &str, participants: &str, parameters: serde_json::Value| {
            let mut simulation = Simulation::new(id, participants, parameters, json!({}));
            assert_eq!(simulation.run(plain), Stop::Finished, "{id}");
            let ends =
                if id == "voting" { DecisionStatus::Consensus } else { DecisionStatus::Answered };
            assert_eq!(simulation.status(), ends, "{id}");
            simulation.calls.len()
        };
        for rounds in 1..=3 {
            for review in [true, false] {
                let own = usize::from(review);
                let set = |objections| json!({"rounds": rounds, "review": review, "objections": objections});
                assert_eq!(of("round-robin", THREE, set(0)), 3 * rounds + 1 + own);
                assert_eq!(of("synthesis", THREE, set(2)), 3 * rounds + 1 + own + 2 * (3 + 1));
                assert_eq!(of("critique", THREE, set(2)), 1 + 3 * rounds + own + 2 * (2 + 1));
                assert_eq!(of("synthesis", THREE, set(0)), 3 * rounds + 1 + own);
                assert_eq!(of("critique", THREE, set(0)), 1 + 3 * rounds + own);
                let four = "architect security pragmatist designer";
                let set = json!({"rounds": rounds});
                assert_eq!(of("debate", "architect pragmatist", set.clone()), 2 * rounds + 1);
                assert_eq!(of("debate", four, set), 2 * rounds + 1);
            }
        }
        assert_eq!(of("voting", THREE, json!({"early_exit": false})), 3 + 1);
        assert_eq!(of("decision-record", THREE, json!({})), 1 + 1 + 1);
        assert_eq!(of("second-look", "author reviewer", json!({})), 1 + 1 + 1 + 1);
        assert_eq!(of("solo", "author", json!({})), 1 + 1);
    }

    #[test]
    #[ignore = "slow: runs every pattern many times"]
    fn instructions_in_every_prompt_are_short() {
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
            ("decision-record", "architect security pragmatist"),
            ("second-look", "author reviewer"),
            ("solo", "author"),
            ("second-look-review", "reviewer"),
        ] {
            let mut simulation =
                Simulation::new(id, participants, json!({"artifact": "brief.md"}), json!({}));
            simulation.run(plain);
            // The form of findings and the list of a review's checks are the longest.
            assert!(simulation.longest <= 2000, "{id}: {} bytes", simulation.longest);
            for sent in &simulation.prompts {
                let (before, task) = sent.rsplit_once("# Your task: ").unwrap();
                let (task, persona) = match task.split_once("\n# You\n") {
                    Some(of_comment) => of_comment,
                    // A text has its persona before the task, or none.
                    None => (task, before.split_once("\n# You\n").map_or("none.", |(_, it)| it)),
                };
                assert!(!task.contains("\n\n\n") && !task.contains("{{"), "{id}: {task}");
                assert!(
                    persona.trim_end().ends_with(['.', '?']),
                    "{id}: there is room for the persona"
                );
            }
        }
    }
}
