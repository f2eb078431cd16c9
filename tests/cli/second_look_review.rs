//! `discussions review --pattern second-look`: findings with quotes, and their exit codes.

use serde_json::json;

use super::panel::{calls, panel};
use super::scenario::Scenario;

const FOUNDED: &str =
    "### Finding 1\\n\\n> Sell it.\\n\\nProof: the price is missing.\\n\\nInstead: Sell it for 5.";

fn project_with_brief(answer: &str) -> Scenario {
    panel().file("spec/brief.md", "# Brief\n\nSell it.\n").env("ANSWER", answer)
}

#[test]
fn founded_finding_blocks() {
    let scenario = project_with_brief(FOUNDED);
    let args = ["review", "spec/brief.md", "--pattern", "second-look"];
    let result = scenario.discussions(&[&args[..], &["--json"]].concat()).code(1).json();
    assert_eq!(calls(&scenario), ["reviewer look"], "one look, no draft and no revision");
    assert_eq!(
        result["findings"],
        json!([{
            "number": 1,
            "by": "reviewer",
            "name": "AI-Reviewer",
            "line": result["findings"][0]["line"],
            "quote": "Sell it.",
            "proof": "the price is missing.",
            "instead": "Sell it for 5.",
            "state": "open",
        }])
    );
    assert_eq!(result["artifact"], "spec/brief.md");
    assert_eq!(result["verdict"], "consensus_blocked");
    assert_eq!(
        (&result["severity"], &result["recommendation"]),
        (&json!("HIGH"), &json!("revise"))
    );
    assert_eq!(scenario.read("spec/brief.md"), "# Brief\n\nSell it.\n");
    scenario
        .discussions(&args)
        .code(1)
        .says("Verdict: consensus blocked\nSeverity: HIGH\nRecommendation: revise\n")
        .says("\nFindings:\n1. \"Sell it.\" (reviewer)\n   Proof: the price is missing.\n   Instead: Sell it for 5.\n")
        .stdout_lacks("Action Items");
    // The template that reviews with it can be named too.
    scenario.discussions(&["review", "spec/brief.md", "--pattern", "second-look-review"]).code(1);
}

#[test]
fn unfounded_findings_and_none_do_not_block() {
    let args = ["review", "spec/brief.md", "--pattern", "second-look", "--json"];
    let unfounded = FOUNDED.replace("> Sell it.", "> Give it away.");
    let result = project_with_brief(&unfounded).discussions(&args).code(0).json();
    assert_eq!(result["findings"][0]["state"], "unfounded");
    assert_eq!(result["verdict"], "consensus_reached");
    assert_eq!(result["recommendation"], "proceed-with-caution");
    let result = project_with_brief("No findings.").discussions(&args).code(0).json();
    assert_eq!(result["findings"], json!([]));
    assert_eq!(result["recommendation"], "proceed");
    project_with_brief("No findings.").discussions(&args[..4]).code(0).says("\nFindings:\nnone\n");
}

#[test]
fn silent_reviewer_gives_no_verdict() {
    let args = ["review", "spec/brief.md", "--pattern", "second-look", "--json"];
    let result = project_with_brief("fail").discussions(&args).code(4).json();
    assert_eq!(result["verdict"], json!(null));
    // One of two is enough, and the result names the other.
    let scenario = project_with_brief(FOUNDED).env("ANSWER_security", "fail");
    let who = ["--perspectives", "security,architect"];
    let result = scenario.discussions(&[&args[..], &who].concat()).code(1).json();
    assert_eq!(result["failed"], json!(["security"]));
    assert_eq!(result["findings"][0]["by"], "architect");
}

#[test]
fn changes_are_reviewed_with_their_quotes() {
    let scenario = project_with_brief(FOUNDED);
    scenario.init_git().git(&["add", "."]).git(&["commit", "-qm", "Begin"]);
    scenario.write("spec/brief.md", b"# Brief\n\nSell it. Now.\n");
    scenario.git(&["commit", "-qam", "Hurry"]);
    let args = ["review", "--diff", "HEAD~1..HEAD", "--pattern", "second-look", "--json"];
    let result = scenario.discussions(&args).code(1).json();
    assert_eq!(result["artifact"], "changes of HEAD~1..HEAD");
    assert_eq!(result["findings"][0]["state"], "open");
    assert_eq!(result["findings"][0]["file"], "spec/brief.md");
    assert_eq!(result["findings"][0]["atLine"], 3);
}

#[test]
fn pattern_without_a_verdict_or_round_is_refused() {
    let scenario = project_with_brief("No findings.");
    scenario
        .discussions(&["review", "spec/brief.md", "--pattern", "synthesis"])
        .code(2)
        .notes("the template `synthesis` computes no verdict")
        .notes("`--pattern second-look`");
    let round = ["review", "spec/brief.md", "--pattern", "second-look", "--round", "DISCUSS-001"];
    scenario.discussions(&round).code(3);
    assert!(!scenario.path("discussions").exists(), "nothing is created");
}
