//! Ballots in waves, which spare calls for votes that cannot change the result.

use serde_json::json;

use super::panel::{calls, panel};
use super::scenario::Scenario;

/// An answer with every marker that a ballot and its synthesis require.
const READY: &str = "DECISION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY";

#[test]
fn duration_of_a_round_is_the_sum_of_its_waves() {
    let seats = [("architect", 100), ("security", 300), ("pragmatist", 200), ("designer", 50)];
    let names: Vec<&str> = seats.iter().map(|(name, _)| *name).collect();
    let mut file = format!(
        "<!-- DISCUSSION\ntemplate: voting\nparticipants: [{0}]\n-->\n\n# Ship?\n\n---\n\n\
         <!-- PHASE: ballot -->\n<!-- VOTE-RESET -->\n\n<!-- TURN: 1, asks: [{0}] -->\n\n---\n",
        names.join(", ")
    );
    for (name, ms) in seats {
        let name = format!("AI-{}{}", name[..1].to_uppercase(), &name[1..]);
        let reply = format!("<!-- REPLY turn: 1, provider: x, ms: {ms} -->");
        file.push_str(&format!("\nName: {name}\n{reply}\n\nSo.\n\nVOTE: READY\n\n---\n"));
    }
    let result = Scenario::new().file("v.md", &file).discussions(&["result", "v", "--json"]).json();
    assert_eq!(result["rounds"][0]["durationMs"], 350, "three at once, then one: {result}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn ballot_in_waves_spares_votes_without_effect() {
        let ballot = |more: &[&str], dissent: &str| {
            let scenario = panel().env("ANSWER", READY).env("ANSWER_designer", dissent);
            let args = ["discuss", "Ship?", "--pattern", "voting", "--json", "-p"];
            let four = ["architect,security,pragmatist,designer"];
            let result = scenario.discussions(&[&args[..], &four, more].concat()).code(0).json();
            assert_eq!(result["votingResults"]["winner"], "READY", "{result}");
            let ballot_calls =
                calls(&scenario).iter().filter(|call| call.ends_with(" ballot")).count();
            (ballot_calls, result["metadata"]["earlyExit"].clone())
        };
        let sure = "CONFIDENCE: 1\n\nVOTE: REJECT";
        let spared = json!({"triggered": true, "skipped": ["designer"]});
        assert_eq!(ballot(&[], sure), (3, spared), "three of four decide");
        let none = json!({"triggered": false, "skipped": []});
        assert_eq!(ballot(&["--no-early-exit"], sure), (4, none.clone()));
        assert_eq!(ballot(&["--set", "early_exit=false"], sure), (4, none.clone()));
        // A wave has one participant more than needed, so with a minimum of three all four are asked.
        assert_eq!(ballot(&["--min-providers", "3"], sure), (4, none));
    }
}
