//! Ballots in waves, which spare the votes that can change nothing.

use serde_json::json;

use super::panel::{calls, panel};

/// An answer that holds all that a ballot and the text on it ask for.
const READY: &str = "DECISION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY";

#[test]
fn x_15_a_parallel_ballot_asks_in_waves_and_spares_what_can_change_nothing() {
    let ballot = |more: &[&str], dissent: &str| {
        let scenario = panel().env("ANSWER", READY).env("ANSWER_designer", dissent);
        let args = ["discuss", "Ship?", "--pattern", "voting", "--json", "-p"];
        let four = ["architect,security,pragmatist,designer"];
        let result = scenario.discussions(&[&args[..], &four, more].concat()).code(0).json();
        assert_eq!(result["votingResults"]["winner"], "READY", "{result}");
        let asked = calls(&scenario).iter().filter(|call| call.ends_with(" ballot")).count();
        (asked, result["metadata"]["earlyExit"].clone())
    };
    let sure = "CONFIDENCE: 1\n\nVOTE: REJECT";
    let spared = json!({"triggered": true, "skipped": ["designer"]});
    assert_eq!(ballot(&[], sure), (3, spared), "three of four decide");
    let none = json!({"triggered": false, "skipped": []});
    assert_eq!(ballot(&["--no-early-exit"], sure), (4, none.clone()));
    assert_eq!(ballot(&["--set", "early_exit=false"], sure), (4, none.clone()));
    // One more than are needed is a wave; of three nobody is spared.
    assert_eq!(ballot(&["--min-providers", "3"], sure), (4, none));
}
