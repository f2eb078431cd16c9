//! Provider isolation: one of three providers misbehaves in a ballot, and the other two decide.

use discussions::view::EventKind;

use crate::finished_run::{FinishedRun, THREE, TWO, new};

/// The result of the misbehaving provider.
enum Becomes {
    /// A recorded failure with this code.
    Failed(&'static str),
    /// A vote that counts.
    Voted(&'static str),
    /// A comment that contains these words, and no vote.
    Spoke(&'static str),
    /// A pass.
    Passed,
}
use Becomes::{Failed, Passed, Spoke, Voted};

/// Runs a ballot of three in which `security` answers like this.
async fn ballot(line: &str) -> FinishedRun {
    let answers = format!(
        "answers:\n  - {{participant: security, {line}}}\n  - {{phase: synthesis, text: \"So it is.\"}}\n  - {{delay_ms: 10, text: \"Fine.\\n\\nCONFIDENCE: 0.9\\n\\nVOTE: READY\"}}\n"
    );
    FinishedRun::of(&new("voting", &THREE, &[]), &answers).await
}

#[tokio::test(start_paused = true)]
async fn second_answer_after_a_repair_request_counts() {
    for first in ["text: ''", "text: 'No vote yet.'", "text: 'VOTE: PERHAPS'"] {
        let answers = format!(
            "answers:\n  - {{participant: security, call: 1, {first}}}\n  - {{phase: synthesis, text: \"So it is.\"}}\n  - {{text: \"Fine.\\n\\nVOTE: READY\"}}\n"
        );
        let run = FinishedRun::of(&new("voting", &THREE, &[]), &answers).await;
        assert_eq!(run.recorder.call_count(), 4 + 1, "{first}: asked again once");
        assert_eq!(run.result().voting_results.unwrap().votes["READY"], 3, "{first}");
        let again = run.events().into_iter().find_map(|event| match event.kind {
            EventKind::AnswerEnd { notes, .. }
                if event.participant.as_deref() == Some("security") =>
            {
                Some(notes)
            }
            _ => None,
        });
        assert!(again.unwrap()[0].starts_with("asked again: "), "{first}: not in silence");
    }
}

#[tokio::test(start_paused = true)]
async fn transient_failure_is_retried_before_it_is_recorded() {
    let answers = r#"
answers:
  - {participant: security, call: 1, fault: {code: overloaded}}
  - {participant: security, call: 2, fault: {code: rate_limited, retry_after: 3}}
  - {text: "Said."}
"#;
    let run = FinishedRun::of(&new("synthesis", &TWO, &[("rounds", "1")]), answers).await;
    assert!(run.result().success && run.result().failed_providers.is_empty());
    let call =
        run.report.calls.iter().find(|call| call.participant.as_str() == "security").unwrap();
    assert_eq!((call.calls, call.outcome), (3, "answered"));
    assert!(call.ms >= 3_000, "it waited as long as it was told: {} ms", call.ms);
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many discussions"]
    async fn fault_of_one_provider_does_not_stop_the_others() {
        for (row, line, becomes) in [
            ("missing", "fault: {code: not_installed}", Failed("not_installed")),
            ("slow", "delay_ms: 9000000", Failed("timeout")),
            ("hanging", "fault: hang", Failed("timeout")),
            ("dead", "fault: exit", Failed("exit")),
            ("cut off", "fault: {code: cut_stream}", Failed("cut_stream")),
            ("refused", "fault: {code: unauthorized}", Failed("unauthorized")),
            ("without money", "fault: {code: spend_limit}", Failed("spend_limit")),
            ("empty", "text: ''", Failed("empty")),
            ("blank", "text: \" \\n\\t \"", Failed("empty")),
            ("in a foreign envelope", "fault: {code: unreadable}", Failed("unreadable")),
            ("nonsense", "text: 'asdf %% {{ ]] <x> `'", Spoke("asdf")),
            ("prose only", "text: 'I would be ready to vote for it.'", Spoke("ready to vote")),
            ("a vote nobody offered", "text: \"No.\\n\\nVOTE: NEVER\"", Spoke("No.")),
            (
                "a vote nobody offered, as JSON",
                "text: '{\"comment\": \"No.\", \"vote\": \"NEVER\"}'",
                Spoke("No."),
            ),
            ("two votes", "text: \"Hm.\\n\\nVOTE: READY\\n\\nVOTE: REJECT\"", Spoke("Hm.")),
            ("JSON", "text: '{\"comment\": \"Leaks.\", \"vote\": \"REJECT\"}'", Voted("REJECT")),
            (
                "JSON in prose",
                "text: \"Here it is:\\n```json\\n{\\\"comment\\\": \\\"Leaks.\\\", \\\"vote\\\": \\\"REJECT\\\"}\\n```\"",
                Voted("REJECT"),
            ),
            (
                "in small letters and bold",
                "text: \"Leaks.\\n\\n**vote: reject**\"",
                Voted("REJECT"),
            ),
            ("nothing to say", "text: '{\"sentinel\": \"NO_RESPONSE\"}'", Passed),
        ] {
            let run = ballot(line).await;
            let result = run.result();
            let text = run.text();
            assert!(result.success, "{row}: {:?}\n{text}", result.error);
            let results = result.voting_results.as_ref().unwrap();
            assert_eq!(results.votes["READY"], 2, "{row}: the others' votes count");
            let mine = results.ballots.iter().find(|ballot| ballot.provider == "security");
            let said = result.rounds[0].responses.iter().find(|it| it.provider == "security");
            let failed = !result.failed_providers.is_empty();
            assert_eq!(result.consensus.degraded, failed, "{row}");
            match becomes {
                Failed(code) => {
                    assert_eq!(result.failed_providers, ["security"], "{row}");
                    let told = said.unwrap().error.clone().unwrap();
                    assert!(told.starts_with(&format!("{code}: ")), "{row}: {told}");
                    assert!(mine.is_none(), "{row}");
                }
                Voted(vote) => assert_eq!(mine.unwrap().vote, vote, "{row}"),
                Spoke(words) => {
                    assert!(said.unwrap().content.contains(words), "{row}: what was said is kept");
                    assert!(mine.is_none() && !failed, "{row}: and is no vote");
                }
                Passed => {
                    assert!(mine.is_none() && said.is_none() && !failed, "{row}");
                    assert!(text.contains("<!-- PASS who: security"), "{row}: {text}");
                }
            }
        }
    }
}
