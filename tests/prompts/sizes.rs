//! The length of prompts, with answers of a fixed length.

use crate::finished_run::{FinishedRun, THREE, new};
use crate::project::Project;
use crate::recording_provider::RecordingProvider;
use discussions::runner::RunOptions;

/// Three participants draft and revise in two rounds, and one writes the result, as in comparable programs and with
/// instructions of the length that those use.
const COUNCIL: &str = "---
id: council
title: Council
participants: {min: 2, max: 6, default: [architect, security, pragmatist]}
roles: {writer: {take: 0, else: moderator}}
anonymous: true
consensus: {method: synthesis, human_required: false}
phases:
  - id: drafts
    title: Drafts
    instructions: Answer the question on your own; once you see the others' answers, write yours again, better.
    rounds: 2
  - id: answer
    title: Answer
    instructions: Write the one answer that the drafts support, for a reader who has seen none of them.
    speakers: [writer]
result: {synthesis: (said | last).body}
---
# {{ title }}

{{ context }}

---
";

/// 850 bytes, the length of the answers with which other programs were measured.
fn answer() -> String {
    format!(
        "answers:\n  - {{text: \"{}\"}}\n",
        "Ten words of text that say what somebody holds. ".repeat(18).trim()
    )
}

/// A question of 316 bytes.
fn question(template: &str) -> discussions::workspace::NewDiscussion {
    let context = "We poll every minute, and it is too much. ".repeat(7);
    discussions::workspace::NewDiscussion {
        context: Some(context.trim().to_owned()),
        ..new(template, &THREE, &[])
    }
}

#[tokio::test(start_paused = true)]
async fn three_drafts_with_revision_and_synthesis_send_25_kilobytes() {
    let project = Project::new();
    project.write("templates/council.md", COUNCIL);
    let path = project.create(&question("council"));
    let recorder = RecordingProvider::new(&answer());
    project.run(&path, recorder.clone(), RunOptions::with_default_limits()).await.unwrap();
    let asked = recorder.calls();
    let bytes: usize = asked.iter().map(|call| call.prompt.len()).sum();
    let record: usize = asked
        .iter()
        .map(|call| {
            let (_, rest) = call.prompt.split_once("RECORD BEGINS =====\n").unwrap();
            rest.rsplit_once("\n===== THE RECORD ENDS").unwrap().0.len()
        })
        .sum();
    println!("council: {bytes} bytes in {} calls, {record} of them record", asked.len());
    assert_eq!(asked.len(), 7);
    assert!(bytes <= 25_800, "{bytes} bytes, {record} of them record");
}

/// Answers of 850 bytes, with a finding or the markers that a phase demands below them.
fn answers() -> String {
    let filler = "Ten words of text that say what somebody holds. ".repeat(18);
    let filler = filler.trim();
    let text = |more: &str| format!("{filler}\\n\\n{more}");
    let half = "Ten words of text that say what somebody holds. ".repeat(14);
    let finding = format!(
        "### Finding 1\\n\\n> that say what somebody holds\\n\\nProof: {half}\\n\\n\
         Instead: that say what each participant holds, and since when, and why"
    );
    format!(
        "answers:\n  - {{phase: objections, text: \"{finding}\"}}\n  - {{phase: look, text: \"{finding}\"}}\n  \
         - {{phase: check, text: \"{}\"}}\n  - {{text: \"{}\"}}\n",
        text("CONFIDENCE: 0.6\\n\\nVOTE: NO"),
        text(
            "CONCERN: it may grow\\n\\nDECISION: use the queue\\n\\nRATING: 4\\n\\nRISK: low\\n\\nCONFIDENCE: 0.8\\n\\nVOTE: READY"
        ),
    )
}

/// Returns the number of calls and the size of all prompts of one discussion, in bytes.
async fn calls_and_bytes(
    pattern: &str,
    who: &[&str],
    set: &[(&str, &str)],
    answers: &str,
) -> (usize, usize) {
    let discussion = discussions::workspace::NewDiscussion {
        context: question(pattern).context,
        ..new(pattern, who, set)
    };
    let asked = FinishedRun::of(&discussion, answers).await.recorder.calls();
    (asked.len(), asked.iter().map(|call| call.prompt.len()).sum())
}

#[tokio::test(start_paused = true)]
async fn synthesis_and_feature_send_few_bytes() {
    let (calls, bytes) = calls_and_bytes("synthesis", &THREE, &[], &answer()).await;
    println!("synthesis without review and objections: {calls} calls, {bytes} bytes");
    assert_eq!(calls, 7);
    assert!(bytes <= 25_000, "{bytes} bytes");
    let review = [("review", "true")];
    let (calls, bytes) = calls_and_bytes("feature", &THREE, &review, &answers()).await;
    println!("feature: {calls} calls, {bytes} bytes");
    assert_eq!(calls, 11);
    assert!(bytes <= 51_000, "{bytes} bytes");
}

/// The table in docs/patterns.md: calls and bytes of each pattern with its default parameters and participants, with
/// answers of 850 bytes that contain all that a phase asks for.
#[tokio::test(start_paused = true)]
async fn calls_and_bytes_of_each_pattern_match_the_page() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/patterns.md")).unwrap();
    let mut rows = Vec::new();
    for (pattern, set) in [
        ("second-look", &[][..]),
        ("solo", &[]),
        ("second-look-review", &[("artifact", "spec.md")]),
        ("synthesis", &[("review", "true"), ("objections", "1")]),
        ("critique", &[("review", "true"), ("objections", "1")]),
        ("round-robin", &[("review", "true")]),
        ("decision-record", &[("review", "true")]),
        ("debate", &[]),
        ("voting", &[]),
        ("dialogue", &[("rounds", "2")]),
        ("artifact-review", &[("artifact", "spec.md")]),
        ("feature", &[("review", "true")]),
        ("code-review", &[("review", "true")]),
        ("architecture-decision", &[("review", "true")]),
    ] {
        let who: &[&str] = match pattern {
            "second-look" => &["author", "reviewer"],
            "solo" => &["author"],
            "second-look-review" => &["reviewer"],
            "dialogue" => &THREE[..2],
            "artifact-review" => &["product", "technical", "quality", "risk"],
            _ => &THREE,
        };
        let (calls, bytes) = calls_and_bytes(pattern, who, set, &answers()).await;
        rows.push(format!("| `{pattern}` | {calls} | {:.1} |", bytes as f64 / 1000.0));
    }
    println!("{}", rows.join("\n"));
    for row in rows {
        assert!(page.contains(&row), "not in docs/patterns.md: {row}");
    }
}
