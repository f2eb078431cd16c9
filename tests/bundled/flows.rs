//! The number of calls of each pattern, and the instructions for each participant.

use discussions::engine::{DecisionStatus, Stop};
use discussions::view::{Ending, discussion_result};
use serde_json::json;

use super::simulation::{PASS, Simulation, plain};

#[test]
fn each_pattern_makes_the_calls_of_its_flow() {
    let of = |id: &str, participants: &str, parameters: serde_json::Value| {
        let mut simulation = Simulation::new(id, participants, parameters, json!({}));
        assert_eq!(simulation.run(plain), Stop::Finished, "{id}");
        let ends =
            if id == "voting" { DecisionStatus::Consensus } else { DecisionStatus::Answered };
        assert_eq!(simulation.status(), ends, "{id}");
        simulation.calls.len()
    };
    let three = "architect security pragmatist";
    for rounds in 1..=3 {
        let r = json!({"rounds": rounds});
        assert_eq!(of("round-robin", three, r.clone()), 3 * rounds + 1);
        let objected = json!({"rounds": rounds, "objections": 2});
        assert_eq!(of("synthesis", three, objected.clone()), 3 * rounds + 1 + 2 * (3 + 1));
        assert_eq!(of("critique", three, objected), 1 + 3 * rounds + 2 * (2 + 1));
        let r = json!({"rounds": rounds, "objections": 0});
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

/// The calls that the page of patterns states, by pattern.
fn calls_on_page() -> Vec<(String, usize)> {
    let page = include_str!("../../docs/patterns.md");
    let (_, table) = page.split_once("| pattern | calls | what each buys |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|it| (it[1].trim_matches('`').to_owned(), it[2].parse().unwrap())).collect()
}

#[test]
fn call_counts_match_the_documentation_page() {
    let stated = calls_on_page();
    assert_eq!(stated.len(), 8);
    for (id, calls) in stated {
        let mut simulation =
            Simulation::new(&id, "architect security pragmatist", json!({}), json!({}));
        simulation.run(plain);
        assert_eq!(simulation.calls.len(), calls, "{id}");
    }
}

#[test]
fn consensus_method_with_votes_adds_one_ballot() {
    for id in ["round-robin", "synthesis", "debate", "critique"] {
        for method in ["voting", "majority", "unanimous"] {
            let mut simulation = Simulation::new(
                id,
                "architect security pragmatist",
                json!({}),
                json!({"method": method}),
            );
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

/// Simulates an answer with this many objectors, each with this many objections.
fn with_objections(id: &str, objections: usize, times: usize) -> Simulation {
    let set = json!({"rounds": 1, "objections": objections});
    let mut simulation = Simulation::new(id, "architect security pragmatist", set, json!({}));
    let seen = std::cell::Cell::new(0);
    let stop = simulation.run(|call, phase, alias| match phase {
        "objections" if alias == "security" && seen.get() < times => {
            seen.set(seen.get() + 1);
            "The figure is wrong: 3, not 4.".to_owned()
        }
        "objections" => PASS.to_owned(),
        _ => plain(call, phase, alias),
    });
    assert_eq!(stop, Stop::Finished, "{id}");
    simulation
}

#[test]
fn answer_is_revised_once_per_round_with_objections() {
    for (id, before, objectors) in [("synthesis", 3 + 1, 3), ("critique", 3 + 1, 2)] {
        let calls = |objections, times| {
            let simulation = with_objections(id, objections, times);
            (simulation.calls.len() - before, simulation.calls_in("final"))
        };
        assert_eq!(calls(0, 0), (0, 0), "{id}: as many calls as ever");
        assert_eq!(calls(1, 0), (objectors, 0), "{id}: nobody objects, nobody mends");
        assert_eq!(calls(1, 1), (objectors + 1, 1), "{id}");
        assert_eq!(calls(2, 0), (objectors, 0), "{id}: who has nothing is not asked again");
        assert_eq!(calls(2, 1), (2 * objectors + 1, 1), "{id}: settled with the first");
        assert_eq!(calls(2, 2), (2 * objectors + 2, 2), "{id}");
    }
}

#[test]
fn final_text_is_the_last_revision_and_dissent_stays_separate() {
    for (id, first) in [("synthesis", "synthesis"), ("critique", "refine")] {
        let text = |objections: usize, times| {
            let simulation = with_objections(id, objections, times);
            (simulation.calls.clone(), simulation.at(|snapshot| snapshot.synthesis()).unwrap())
        };
        let (calls, stood) = text(1, 0);
        let at = calls.iter().position(|(phase, _)| phase == first).unwrap();
        assert!(stood.contains(&format!("says {at} in {first}.")), "{id}: {stood}");
        let (calls, mended) = text(1, 1);
        assert!(mended.contains(&format!("says {} in final.", calls.len() - 1)), "{id}: {mended}");
        let set = json!({"rounds": 1, "objections": 0});
        let mut simulation = Simulation::new(id, "architect security pragmatist", set, json!({}));
        simulation.run(|_, _, _| {
            "DECISION: Tea.\n\nIt is warm.\n\nDISSENT: AI-Security: coffee, for the night."
                .to_owned()
        });
        let text = simulation.at(|snapshot| snapshot.synthesis()).unwrap();
        assert_eq!(text, "DECISION: Tea.\n\nIt is warm.", "{id}");
        let result =
            simulation.at(|snapshot| discussion_result(snapshot, "tea.md", Ending::ByItself));
        let [dissent] = result.consensus.dissent.as_slice() else { panic!("{id}: {result:?}") };
        assert_eq!(dissent.provider, "security", "{id}");
        assert_eq!(dissent.position, "coffee, for the night.", "{id}");
    }
}

#[test]
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
    ] {
        let mut simulation =
            Simulation::new(id, participants, json!({"artifact": "brief.md"}), json!({}));
        simulation.run(plain);
        assert!(simulation.longest <= 1400, "{id}: {} bytes", simulation.longest);
        for sent in &simulation.prompts {
            let (task, persona) =
                sent.split_once("# Your task: ").unwrap().1.split_once("\n# You\n").unwrap();
            assert!(!task.contains("\n\n\n") && !task.contains("{{"), "{id}: {task}");
            assert!(
                persona.trim_end().ends_with(['.', '?']),
                "{id}: there is room for the persona"
            );
        }
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
    assert!(sent.contains("Name: Participant A") && !sent.contains("Name: AI-Architect"));
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
