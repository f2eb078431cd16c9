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
    println!("{bytes} bytes in {} calls, {record} of them record", asked.len());
    assert_eq!(asked.len(), 7);
    assert!(bytes <= 25_800, "{bytes} bytes, {record} of them record");
}

/// The table in docs/proofs.md: calls and bytes of each pattern, with answers of 850 bytes that contain all demanded
/// markers.
#[tokio::test(start_paused = true)]
async fn calls_and_bytes_of_each_pattern_match_the_page() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/proofs.md")).unwrap();
    let mut rows = Vec::new();
    let filler = "Ten words of text that say what somebody holds. ".repeat(18);
    let text = |more: &str| format!("{}\\n\\n{more}", filler.trim());
    let answers = format!(
        "answers:\n  - {{phase: check, text: \"{}\"}}\n  - {{text: \"{}\"}}\n",
        text("CONFIDENCE: 0.6\\n\\nVOTE: NO"),
        text(
            "CONCERN: it may grow\\n\\nDECISION: use the queue\\n\\nRATING: 4\\n\\nRISK: low\\n\\nCONFIDENCE: 0.8\\n\\nVOTE: READY"
        ),
    );
    for pattern in [
        "synthesis",
        "round-robin",
        "debate",
        "critique",
        "voting",
        "dialogue",
        "artifact-review",
        "feature",
        "code-review",
        "architecture-decision",
    ] {
        let who: &[&str] = match pattern {
            "dialogue" => &THREE[..2],
            "artifact-review" => &["product", "technical", "quality", "risk"],
            _ => &THREE,
        };
        let set: &[(&str, &str)] = match pattern {
            "artifact-review" => &[("artifact", "spec.md")],
            "dialogue" => &[("rounds", "2")],
            _ => &[],
        };
        let run = FinishedRun::of(&new(pattern, who, set), &answers).await;
        let asked = run.recorder.calls();
        let bytes: usize = asked.iter().map(|call| call.prompt.len()).sum();
        rows.push(format!("| `{pattern}` | {} | {:.1} |", asked.len(), bytes as f64 / 1000.0));
    }
    println!("{}", rows.join("\n"));
    for row in rows {
        assert!(page.contains(&row[..row.len() - 2]), "not in docs/proofs.md: {row}");
    }
}
