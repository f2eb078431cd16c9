//! Background participants: they answer prompts and never vote.

use crate::finished_run::{AGREED, FinishedRun, by, new};
use crate::project::Project;

#[tokio::test(start_paused = true)]
async fn background_participant_speaks_in_phases_for_everyone() {
    let seats = ["architect", "security", "researcher"];
    let run =
        FinishedRun::of(&by("majority", new("round-robin", &seats, &[("rounds", "1")])), AGREED)
            .await;
    let asked = run.recorder.calls();
    let in_phase = |phase: &str| {
        let calls = asked.iter().filter(|call| call.phase == phase);
        calls.map(|call| call.who.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(in_phase("discuss"), seats);
    assert_eq!(
        in_phase("ballot"),
        ["architect", "security"],
        "nobody without a vote is asked for one"
    );
    assert_eq!(run.result().voting_results.map(|it| it.ballots.len()), Some(2));
    let prompt = run.recorder.prompt("architect", "discuss", 0);
    assert!(prompt.contains("@researcher (Research assistant)"), "{prompt}");
}

#[tokio::test(start_paused = true)]
async fn background_participant_is_not_asked_to_vote() {
    let seats = ["architect", "security", "researcher"];
    let run = FinishedRun::of(&new("feature", &seats, &[]), AGREED).await;
    let prompt = run.recorder.prompt("researcher", "initial_feedback", 0);
    assert!(!prompt.contains("VOTE") && prompt.ends_with("unknown.\n"), "{prompt}");
    run.project.look(&run.path, |it| {
        assert!(it.state.ballot.votes.iter().all(|vote| vote.speaker.handle() != "researcher"));
    });
}

#[test]
fn mention_of_all_calls_background_participants_too() {
    let project = Project::new();
    let path = project.create(&new("feature", &["architect", "researcher"], &[]));
    let text = format!("{}\nName: Rob\n\n@all, who measured this?\n\n---\n", project.read(&path));
    std::fs::write(&path, text).unwrap();
    project.look(&path, |it| {
        let called: Vec<&str> = it.state.pending.iter().map(|call| call.whom.handle()).collect();
        assert_eq!(called, ["architect", "researcher"]);
    });
}
