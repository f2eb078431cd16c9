//! Anonymous patterns: labels in the prompts, names in the file.

use crate::finished_run::{FinishedRun, THREE, new};
use crate::project::Project;
use crate::recording_provider::RecordingProvider;
use discussions::runner::RunOptions;

/// Comments in two rounds and in an explanation; all participants have labels.
const TEMPLATE: &str = "---
id: council
title: Council
participants: {min: 2, max: 6, default: [architect, security, pragmatist]}
roles: {writer: {take: 0, else: moderator}}
anonymous: true
consensus: {method: synthesis, human_required: false}
phases:
  - id: talk
    instructions: Say what you think.
    rounds: 2
  - id: answer
    instructions: Say what follows.
    speakers: [writer]
result: {synthesis: (said | last).body}
---
# {{ title }}

{{ context }}

---
";

const ANSWERS: &str = r#"
answers:
  - {participant: security, call: 1, text: "P1 is wrong about retries, P12 is unknown. @p1, how many?"}
  - {participant: moderator, text: "P2's case is the best; AI-Architect was not asked. Draft P3 stays; `P2` is code.\n\nDECISION: as P2 says"}
  - {text: "Said."}
"#;

#[tokio::test(start_paused = true)]
async fn labels_in_comments_are_stored_as_names_and_shown_as_labels() {
    let project = Project::new();
    project.write("templates/council.md", TEMPLATE);
    let path = project.create(&new("council", &THREE, &[]));
    let recorder = RecordingProvider::new(ANSWERS);
    project.run(&path, recorder.clone(), RunOptions::with_default_limits()).await.unwrap();
    let file = project.read(&path);
    let named = "AI-Architect is wrong about retries, P12 is unknown. @architect, how many?";
    assert!(file.contains(named), "{file}");
    let shown = recorder.prompt("architect", "talk", 1);
    assert!(shown.contains("P1 is wrong about retries, P12 is unknown. @p1, how many?"), "{shown}");
    assert!(
        shown.contains("\nQuestions to you:\n- P2: P1 is wrong"),
        "a mention by label is a mention\n{shown}"
    );
    assert!(!shown.contains("AI-Architect is wrong"), "{shown}");
    let answer = "AI-Security's case is the best; AI-Architect was not asked. Draft AI-Pragmatist stays; `P2` is code.\n\nDECISION: as AI-Security says";
    assert!(file.contains(answer), "{file}");
}

/// A label that the question uses for something else would be replaced by a name.
#[tokio::test(start_paused = true)]
async fn labels_in_the_question_are_not_used_for_participants() {
    let mut discussion = new("voting", &THREE, &[]);
    discussion.context = Some("Ship in phase P1 or P2?".into());
    let answers = r#"
answers:
  - {phase: ballot, text: "In P2.\n\nVOTE: READY"}
  - {text: "X1 is right about P2.\n\nDECISION: READY"}
"#;
    let run = FinishedRun::of(&discussion, answers).await;
    let shown = run.recorder.prompt("moderator", "synthesis", 0);
    assert!(shown.contains("Name: X1\n") && !shown.contains("Name: P1\n"), "{shown}");
    assert!(run.text().contains("AI-Architect is right about P2."), "{}", run.text());
}

/// No program rewrites a text for a reader.
#[tokio::test(start_paused = true)]
async fn labels_stay_unchanged_in_texts_and_in_patterns_with_names() {
    let answers = "answers: [{text: \"P1 of the study left.\\n\\nDECISION: go\"}]";
    for pattern in ["synthesis", "debate"] {
        let run = FinishedRun::of(&new(pattern, &THREE, &[]), answers).await;
        assert!(run.text().contains("P1 of the study left."), "{pattern}");
    }
    let drafts = FinishedRun::of(&new("synthesis", &THREE, &[]), "answers: [{text: Tea.}]").await;
    let shown = drafts.recorder.prompt("security", "perspectives", 1);
    assert!(shown.contains("\n# By P1\n") && shown.contains("You are P2, "), "{shown}");
}
