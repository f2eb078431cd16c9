//! `discussions review` for programs that call it: exit codes, deadlines and the block for their report.

use super::panel::{calls, panel};

/// Two perspectives rate 3 and 2, which blocks with the severity MEDIUM and the advice to proceed with caution.
const PERSPECTIVES: [&str; 4] = ["review", "brief.md", "--perspectives", "product,risk"];

#[test]
fn fail_on_sets_the_severity_that_gives_exit_code_1() {
    let medium = || {
        panel()
            .file("brief.md", "# Brief\n\nSell it.\n")
            .env("ANSWER_product", "RATING: 3\n\nRISK: low")
            .env("ANSWER_risk", "RATING: 2\n\nRISK: low")
    };
    for (fail_on, exit) in [(None, 0), (Some("high"), 0), (Some("medium"), 1), (Some("none"), 0)] {
        let wanted: Vec<&str> =
            fail_on.map(|word| ["--fail-on", word]).into_iter().flatten().collect();
        medium()
            .discussions(&[&PERSPECTIVES[..], &wanted].concat())
            .code(exit)
            .says("Severity: MEDIUM")
            .says("Recommendation: proceed with caution");
    }
    for (fail_on, exit) in [(None, 1), (Some("high"), 1), (Some("none"), 0)] {
        let wanted: Vec<&str> =
            fail_on.map(|word| ["--fail-on", word]).into_iter().flatten().collect();
        let high = medium().env("ANSWER_risk", "RATING: 3\n\nRISK: critical");
        high.discussions(&[&PERSPECTIVES[..], &wanted].concat()).code(exit).says("Severity: HIGH");
    }
}

#[test]
fn deadline_of_the_run_gives_a_partial_verdict_of_those_who_rated() {
    let slow = "#!/bin/sh\ncat > /dev/null\n[ \"$DISCUSSIONS_PARTICIPANT\" = risk ] && exec sleep 60\n\
                printf 'RATING: 4\\n\\nRISK: low'\n";
    let scenario = panel().program("panel", slow).file("brief.md", "# Brief\n\nSell it.\n");
    let args = ["review", "brief.md", "--perspectives", "product,risk,quality", "--timeout", "5s"];
    let args = [&args[..], &["--json"]].concat();
    let result = scenario.discussions(&args).with_warnings().code(0).json();
    assert_eq!(result["verdict"], "consensus_reached", "{result}");
    assert_eq!(result["partial"], true);
    assert_eq!(result["failed"][0], "risk");
    let record = scenario.read("discussions/brief-discussion.md");
    assert!(record.contains("no answer before the time limit of the run"), "{record}");
}

#[test]
fn round_prints_the_block_for_the_callers_report() {
    let scenario = panel()
        .file("spec/discovery-context.json", "{\"goals\": [\"sell\"]}\n")
        .env("ANSWER", "SUGGESTION: (low) name an owner\n\nRATING: 4\n\nRISK: low");
    let run = scenario.discussions(&["review", "--round", "DISCUSS-001"]).code(0);
    run.says(
        "[discuss] DISCUSS-001: consensus_reached (severity=LOW)\n\
         Divergences: LOW suggestions (1 suggestion(s))\n\
         Action items: name an owner\n\
         Recommendation: proceed-with-caution\n\
         Artifact: spec/discovery-context.json\n\
         Discussion: discussions/DISCUSS-001-discussion.md\n",
    );
    // The artifact of this round is itself the context, so coverage is judged.
    assert!(calls(&scenario).iter().any(|call| call.starts_with("coverage ")));
}
