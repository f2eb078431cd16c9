//! `summary: true` of a phase: the moderator sums up each round, in the file and in the result.

use super::panel::{calls, panel};

#[test]
fn moderator_sums_up_each_round() {
    let template = "---\nid: t\nphases:\n  - {id: talk, instructions: Talk., starts_round: true, summary: true, visits: 2, next: [talk, end]}\n\
                    ---\n# {{ title }}\n";
    let scenario = panel()
        .file("templates/t.md", template)
        .env("ANSWER_talk_summary", "Both want a queue.")
        .env("ANSWER", "Use a queue.");
    scenario
        .discussions(&["new", "X", "-t", "t", "-p", "architect,security", "--run"])
        .with_any_code();
    let asked = calls(&scenario);
    let summaries = asked.iter().filter(|call| *call == "moderator talk_summary").count();
    assert_eq!(summaries, 2, "{asked:?}");
    let result = scenario.discussions(&["result", "x", "--json"]).with_any_code().json();
    let rounds = result["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2, "{result}");
    for round in rounds {
        assert!(round["summary"].as_str().unwrap().ends_with("Both want a queue."), "{round}");
    }
}
