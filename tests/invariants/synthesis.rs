//! Every discussion produces a final text and keeps the dissent.

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, by, new};
use crate::project::Project;

#[tokio::test(start_paused = true)]
async fn inv_disc_009_result_contains_synthesis() {
    let mute = r#"
answers:
  - {phase: synthesis, fault: {code: spend_limit}}
  - {participant: architect, text: "Take the queue."}
  - {text: "Take cron."}
"#;
    let run = FinishedRun::of(&new("synthesis", &TWO, &[("rounds", "1")]), mute).await;
    let result = run.result();
    assert_eq!(run.code(), "DISCUSSION_SYNTHESIS_FAILED");
    assert!(!result.success && result.consensus.degraded);
    assert_eq!(
        result.synthesis, "**architect**\n\nTake the queue.\n\n**security**\n\nTake cron.",
        "the last answers under their names"
    );
    let tried: Vec<String> = run
        .recorder
        .calls()
        .into_iter()
        .filter(|it| it.phase == "synthesis")
        .map(|it| it.who)
        .collect();
    assert_eq!(
        tried,
        ["moderator", "pragmatist", "perfectionist"],
        "others stand in first, and no party"
    );
}

#[tokio::test(start_paused = true)]
async fn one_participant_replaces_a_failed_or_passing_synthesizer() {
    for cannot in ["fault: {code: spend_limit}", "text: NO_RESPONSE"] {
        let answers = format!(
            "answers:\n  - {{participant: moderator, {cannot}}}\n  - {{text: \"Mine.\"}}\n"
        );
        let run = FinishedRun::of(&new("synthesis", &TWO, &[("rounds", "1")]), &answers).await;
        let result = run.result();
        assert!(result.success, "{cannot}: {:?}", result.error);
        assert_eq!(result.synthesis, "Mine.", "{cannot}");
        assert_eq!(result.consensus.synthesizer.as_deref(), Some("pragmatist"), "{cannot}");
        assert_eq!(run.recorder.call_count(), 2 + 1 + 1, "{cannot}: one stand-in, no more");
    }
}

#[tokio::test(start_paused = true)]
async fn failed_author_is_replaced_by_another_participant() {
    let answers = r#"
answers:
  - {participant: architect, fault: {code: unauthorized}}
  - {text: "Take the queue.\n\nDECISION: the queue"}
"#;
    let run = FinishedRun::of(&new("critique", &THREE, &[("rounds", "1")]), answers).await;
    let result = run.result();
    assert!(result.success, "{:?}\n{}", result.error, run.text());
    assert!(result.consensus.degraded);
    let wrote = |phase: &str| {
        let said = result.rounds.iter().flat_map(|round| &round.responses);
        let said = said.filter(|it| it.phase == phase && it.error.is_none());
        said.map(|it| it.provider.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (wrote("propose"), wrote("refine")),
        (vec!["security".into()], vec!["security".into()])
    );
    assert!(result.synthesis.starts_with("Take the queue."));
}

#[tokio::test(start_paused = true)]
async fn failed_judge_is_never_replaced_by_a_debater() {
    let answers = "answers: [{phase: verdict, participant: JUDGE, fault: {code: unauthorized}}, {text: \"So.\\n\\nDECISION: go\"}]";
    for (participants, judge) in [(&THREE[..], "pragmatist"), (&TWO[..], "moderator")] {
        let run =
            FinishedRun::of(&new("debate", participants, &[]), &answers.replace("JUDGE", judge))
                .await;
        let asked = run.recorder.calls().into_iter().filter(|it| it.phase == "verdict");
        let asked: Vec<String> = asked.map(|it| it.who).collect();
        let other = if judge == "moderator" { "pragmatist" } else { "moderator" };
        assert_eq!(asked, [judge, other], "somebody who argued for nothing");
        let result = run.result();
        assert!(result.success && result.consensus.degraded, "{:?}", result.error);
    }
    let nobody = "answers: [{phase: verdict, fault: {code: unauthorized}}, {text: said}]";
    let run = FinishedRun::of(&new("debate", &THREE, &[]), nobody).await;
    assert_eq!(run.code(), "DISCUSSION_SYNTHESIS_FAILED");
}

#[tokio::test(start_paused = true)]
async fn inv_disc_201_dissent_preservation() {
    let split = r#"
answers:
  - {phase: synthesis, text: "So it is.\n\nDECISION: the queue"}
  - {participant: security, text: "It leaks.\n\nCONFIDENCE: 0.9\n\nVOTE: REJECT"}
  - {text: "Fine.\n\nCONFIDENCE: 0.8\n\nVOTE: READY"}
"#;
    for (new, reached) in [
        (new("voting", &THREE, &[]), true),
        (by("majority", new("synthesis", &THREE, &[("rounds", "1")])), true),
        (by("unanimous", new("synthesis", &THREE, &[("rounds", "1")])), false),
    ] {
        let result = FinishedRun::of(&new, split).await.result();
        let method = result.consensus.method;
        assert_eq!(result.consensus.reached, reached, "{method}");
        let [dissent] = result.consensus.dissent.as_slice() else {
            panic!("{method}: {:?}", result.consensus.dissent)
        };
        assert_eq!(dissent.provider, "security", "{method}");
        assert!(dissent.position.starts_with("REJECT: It leaks."), "{method}: {dissent:?}");
    }
    // A vote outside of a ballot is an argument, and no dissent from a later text.
    let result =
        FinishedRun::of(&new("synthesis", &THREE, &[("rounds", "1")]), split).await.result();
    assert!(result.consensus.reached && result.consensus.dissent.is_empty(), "{result:?}");
}

#[test]
fn inv_disc_203_provider_strength_utilization() {
    let project = Project::new();
    let seat = |roles: &[(&str, &str)]| {
        let mut new = new("synthesis", &TWO, &[]);
        new.roles = roles.iter().map(|&(who, role)| (who.into(), role.into())).collect();
        let head =
            discussions::transcript::parse(project.workspace().discussions().draft(&new).unwrap())
                .head;
        head.unwrap().roles["synthesizer"].iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(seat(&[]), ["moderator"], "the persona that is written for it");
    assert_eq!(
        seat(&[("security", "synthesizer")]),
        ["security"],
        "unless somebody says otherwise"
    );
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many discussions"]
    async fn inv_disc_002_all_patterns_produce_final_synthesis() {
        for (pattern, participants, set) in [
            ("synthesis", &THREE[..], &[][..]),
            ("round-robin", &THREE, &[]),
            ("debate", &THREE, &[]),
            ("critique", &THREE, &[]),
            ("voting", &THREE, &[]),
            ("dialogue", &TWO, &[]),
            ("artifact-review", &["product", "technical"], &[("artifact", "spec.md")]),
        ] {
            let result = FinishedRun::of(&new(pattern, participants, set), AGREED).await.result();
            assert!(result.success, "{pattern}: {:?}", result.error);
            assert!(!result.synthesis.trim().is_empty(), "{pattern}");
        }
    }
}
