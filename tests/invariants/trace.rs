//! Events and records of a discussion, and data that is not stored.

use std::collections::BTreeSet;

use discussions::view::{CallOutcome, EventKind};
use walkdir::WalkDir;

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, new};

#[tokio::test(start_paused = true)]
async fn inv_disc_015_trace_integration() {
    let some = r#"
answers:
  - {participant: security, phase: perspectives, fault: {code: unauthorized}}
  - {participant: pragmatist, phase: perspectives, text: '{"sentinel": "NO_RESPONSE"}'}
  - {text: "Said.\n\nVOTE: READY"}
"#;
    // Only one of three answered, so no synthesis is paid for.
    for (answers, asked) in [(AGREED, 4), (some, 3)] {
        let run = FinishedRun::of(&new("synthesis", &THREE, &[("rounds", "1")]), answers).await;
        let mut begun = Vec::new();
        let mut ended = Vec::new();
        let mut said = Vec::new();
        for event in run.events() {
            let participant = event.participant.clone().unwrap_or_default();
            match event.kind {
                EventKind::AnswerStart { .. } => begun.push(participant),
                EventKind::AnswerEnd { outcome, text, .. } => {
                    if let CallOutcome::Answered { .. } = outcome {
                        said.push((participant.clone(), text));
                    }
                    ended.push(participant);
                }
                _ => {}
            }
        }
        begun.sort();
        ended.sort();
        assert_eq!(begun.len(), asked, "three perspectives and the synthesis");
        assert_eq!(begun, ended, "each answer, pass or failure is told");
        // The file alone gives the same events.
        let recorded: Vec<(String, String)> = run
            .result()
            .rounds
            .into_iter()
            .flat_map(|round| round.responses)
            .filter(|response| response.error.is_none())
            .map(|response| (response.provider, response.content))
            .collect();
        assert_eq!(recorded, said);
    }
}

#[tokio::test(start_paused = true)]
async fn inv_disc_016_memory_isolation() {
    let run = FinishedRun::of(&new("debate", &THREE, &[]), AGREED).await;
    let root = run.project.path("");
    let files: BTreeSet<String> = WalkDir::new(&root)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(&root).unwrap().display().to_string())
        .filter(|path| !path.contains(".discussions/"))
        .collect();
    let discussion = run.path.strip_prefix(&root).unwrap().display().to_string();
    assert_eq!(
        files,
        BTreeSet::from(["discussions.yaml".to_owned(), discussion]),
        "nothing is remembered but in the discussion's own file and its journal"
    );
}

#[tokio::test(start_paused = true)]
async fn inv_disc_301_trace_events() {
    for (pattern, participants, rounds, turns) in
        [("synthesis", &THREE[..], 2, 3), ("debate", &THREE, 2, 3), ("dialogue", &TWO, 1, 2)]
    {
        let run = FinishedRun::of(&new(pattern, participants, &[]), AGREED).await;
        let names: Vec<&str> = run.events().iter().map(|event| event.kind.name()).collect();
        let count = |name: &str| names.iter().filter(|it| **it == name).count();
        assert_eq!(names.first(), Some(&"discussion.start"), "{pattern}");
        assert_eq!(names.last(), Some(&"discussion.end"), "{pattern}");
        assert_eq!(count("discussion.start") + count("discussion.end"), 2, "{pattern}");
        assert_eq!(count("discussion.round.start"), rounds, "{pattern}");
        assert_eq!(count("discussion.round.end"), rounds, "{pattern}");
        assert_eq!((count("turn.start"), count("turn.end")), (turns, turns), "{pattern}");
    }
}
