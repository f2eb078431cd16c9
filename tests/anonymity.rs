//! Anonymous patterns: letters in the prompts, names in the file.

use crate::finished_run::{FinishedRun, THREE, new};

const ANSWERS: &str = r#"
answers:
  - {participant: security, call: 1, text: "participant A is wrong about retries, Participant AB is nobody. @participant-a, how many?"}
  - {participant: moderator, text: "Participant B's case is the best; AI-Architect was not asked. Draft C and A's test (from B) stay; `B` is code.\n\nDECISION: as Participant B says"}
  - {text: "Said."}
"#;

#[tokio::test(start_paused = true)]
async fn letters_in_answers_are_stored_as_names_and_shown_as_letters() {
    let run = FinishedRun::of(&new("synthesis", &THREE, &[]), ANSWERS).await;
    let file = run.text();
    let named =
        "AI-Architect is wrong about retries, Participant AB is nobody. @architect, how many?";
    assert!(file.contains(named), "{file}");
    assert!(!file.contains("articipant A is") && !file.contains("Participant B"), "{file}");
    let shown = run.recorder.prompt("architect", "perspectives", 1);
    let letters =
        "Participant A is wrong about retries, Participant AB is nobody. @participant-a, how many?";
    assert!(shown.contains(letters), "{shown}");
    assert!(
        shown.contains("\nPut to you:\n- Participant B: Participant A is wrong"),
        "a mention by letter is a mention\n{shown}"
    );
    assert!(!shown.contains("AI-Architect is wrong"), "{shown}");
    let result = run.result();
    assert!(
        result.synthesis.starts_with("AI-Security's case is the best;"),
        "{}",
        result.synthesis
    );
    let bare =
        "Draft of AI-Pragmatist and AI-Architect's test (from AI-Security) stay; `B` is code.";
    assert!(result.synthesis.contains(bare), "{}", result.synthesis);
}

#[tokio::test(start_paused = true)]
async fn letters_stay_unchanged_in_patterns_with_names() {
    let answers = "answers: [{text: \"Participant A of the study left.\\n\\nDECISION: go\"}]";
    let run = FinishedRun::of(&new("debate", &THREE, &[]), answers).await;
    assert!(run.text().contains("Participant A of the study left."));
}
