//! Anonymous patterns: labels in the prompts, names in the file, and texts that no program rewrites.

use crate::finished_run::{FinishedRun, THREE, new};

const ANSWERS: &str = r#"
answers:
  - {participant: security, text: "P1 is wrong about retries, P10 is another word. @P1, how many?\n\nCONFIDENCE: 0.5\n\nVOTE: READY"}
  - {participant: moderator, text: "DECISION: READY\n\nP2 is right."}
  - {text: "Said.\n\nCONFIDENCE: 0.5\n\nVOTE: READY"}
"#;

#[tokio::test(start_paused = true)]
async fn labels_in_comments_are_stored_as_names_and_shown_as_labels() {
    let run = FinishedRun::of(&new("voting", &THREE, &[]), ANSWERS).await;
    let file = run.text();
    let named =
        "AI-Architect is wrong about retries, P10 is another word. @architect, how many?";
    assert!(file.contains(named), "{file}");
    assert!(file.contains("AI-Security is right."), "{file}");
    let shown = run.recorder.prompt("moderator", "synthesis", 0);
    let labels = "P1 is wrong about retries, P10 is another word. @p1, how many?";
    assert!(shown.contains(labels), "{shown}");
    assert!(shown.contains("Name: P2\n") && !shown.contains("AI-Architect"), "{shown}");
}

#[tokio::test(start_paused = true)]
async fn question_with_a_label_changes_the_labels() {
    let answers = "answers: [{text: \"Said.\\n\\nCONFIDENCE: 0.5\\n\\nVOTE: READY\"}]";
    let mut asked = new("voting", &THREE, &[]);
    asked.context = Some("Priority P1 or P2?".to_owned());
    let run = FinishedRun::of(&asked, answers).await;
    let shown = run.recorder.prompt("moderator", "synthesis", 0);
    assert!(shown.contains("Priority P1 or P2?") && shown.contains("Name: X1\n"), "{shown}");
}

#[tokio::test(start_paused = true)]
async fn labels_stay_unchanged_in_patterns_with_names() {
    let answers = "answers: [{text: \"P1 of the study left.\\n\\nDECISION: go\"}]";
    let run = FinishedRun::of(&new("debate", &THREE, &[]), answers).await;
    assert!(run.text().contains("P1 of the study left."));
}
