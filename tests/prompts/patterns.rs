//! Prompts of the patterns in which people end no phase: every phase, round and role, with a ballot and with repair requests.

use discussions::workspace::NewDiscussion;

use super::sheet::sheet;
use crate::finished_run::{FinishedRun, THREE, TWO, by, new};
use crate::recording_provider::RecordedCall;

/// Answers in which each phase contains text for the next one.
const ANSWERS: &str = r####"
answers:
  - {participant: security, phase: ballot, call: 1, text: "A ballot without its vote."}
  - {participant: security, phase: perspectives, call: 1, text: ""}
  - {participant: pragmatist, phase: ballot, text: "As @architect says.\n\nCONFIDENCE: 0.7\n\nVOTE: MAYBE"}
  - {participant: risk, call: 1, text: "No rating yet."}
  - {phase: check, call: 2, text: "Nearly.\n\nVOTE: YES\n\nVOTE: NO"}
  - {phase: check, text: "We still differ on retries.\n\nCONFIDENCE: 0.6\n\nVOTE: NO"}
  - {phase: objections, participant: security, text: "### Finding 1\n\n> take the queue\n\nProof: It has no owner.\n\nInstead: take the queue if it gets an owner"}
  - {phase: objections, participant: pragmatist, text: "### Finding 1\n\n> take cron\n\nProof: It is late.\n\nInstead: take the queue"}
  - {phase: objections, text: "No findings."}
  - {phase: look, text: "### Finding 1\n\n> On balance the queue.\n\nProof: It has no owner.\n\nInstead: The queue, if it gets an owner."}
  - {phase: verdict, call: 1, text: "A verdict without a decision."}
  - {participant: risk, text: "WEAKNESS: (high) nobody owns it\n\nRATING: 3\n\nRISK: medium"}
  - {participant: product, text: "STRENGTH: it is small\n\nRATING: 4\n\nRISK: low"}
  - {participant: architect, text: "The queue.\n\nCONCERN: it needs an owner\n\nDECISION: take the queue\n\nCONFIDENCE: 0.8\n\nVOTE: READY"}
  - {participant: security, text: "Cron, since AI-Architect names no owner.\n\nCONCERN: the queue is open to all\n\nCONFIDENCE: 0.6\n\nVOTE: CHANGES"}
  - {participant: pragmatist, text: "Neither yet. @security has the better case.\n\nCONCERN: nobody has measured\n\nDECISION: measure first\n\nCONFIDENCE: 0.5\n\nVOTE: READY"}
  - {text: "On balance the queue.\n\nDECISION: take the queue, with an owner"}
"####;

/// A text is reviewed by its author and objected to by the others.
const CHECKED: [(&str, &str); 2] = [("review", "true"), ("objections", "1")];

/// Every pattern with its parameters, by the name of its page.
pub(super) fn patterns() -> Vec<(&'static str, NewDiscussion)> {
    let four = ["architect", "security", "pragmatist", "designer"];
    let mut debate = by("moderator", new("debate", &four, &[]));
    debate.roles = vec![("designer".into(), "neutral".into())];
    vec![
        ("second_look", new("second-look", &["author", "reviewer"], &[])),
        ("solo", new("solo", &["author"], &[])),
        ("synthesis", by("majority", new("synthesis", &THREE, &CHECKED))),
        ("round_robin", by("majority", new("round-robin", &THREE, &CHECKED))),
        ("debate", debate),
        ("debate_ballot", by("majority", new("debate", &THREE, &[("rounds", "1")]))),
        ("critique", by("majority", new("critique", &THREE, &CHECKED))),
        ("voting", new("voting", &THREE, &[("options", "READY,WAIT,CHANGES")])),
        ("dialogue", new("dialogue", &TWO, &[("rounds", "2")])),
        (
            "artifact_review",
            new("artifact-review", &["product", "risk"], &[("artifact", "spec.md")]),
        ),
    ]
}

pub(super) async fn asked(new: &NewDiscussion) -> Vec<RecordedCall> {
    FinishedRun::of(new, ANSWERS).await.recorder.calls()
}

#[tokio::test(start_paused = true)]
async fn prompts_of_every_pattern_match_the_snapshots() {
    for (page, new) in patterns() {
        let prompts = sheet(&asked(&new).await);
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(page, prompts);
        });
    }
}
