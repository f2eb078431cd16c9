//! Prompts of the three templates in which people end the phases: feature, code review, architecture decision.

use discussions::runner::{Abort, RunOptions, Runner};

use super::sheet::sheet;
use crate::finished_run::new;
use crate::project::Project;
use crate::recording_provider::{RecordedCall, RecordingProvider};

const ANSWERS: &str = r#"
answers:
  - {participant: architect, phase: initial_feedback, call: 1, text: "Q: Who rotates the keys? @security\n\nVOTE: CHANGES"}
  - {participant: security, phase: initial_feedback, call: 2, text: "A: Q1 the gateway does."}
  - {participant: security, phase: consensus_vote, call: 4, text: "No vote yet."}
  - {text: "Fine by me.\n\nTODO: write it down\n\nVOTE: READY"}
"#;

pub(super) async fn asked(template: &str) -> Vec<RecordedCall> {
    let project = Project::new();
    let path = project.create(&new(template, &["architect", "security"], &[("review", "true")]));
    let recorder = RecordingProvider::new(ANSWERS);
    let run = || project.run(&path, recorder.clone(), RunOptions::with_default_limits());
    run().await.unwrap();
    let runner = Runner::new(project.workspace()).with_provider(recorder.clone());
    let options = RunOptions::turn(["security"])
        .asking("Rob", "Is one hour short enough for a token?")
        .through("script");
    runner.execute(&path, &options, &mut |_| {}, Abort::never()).await.unwrap();
    project.workspace().discussions().advance(&path, Some("consensus_vote"), "Rob").unwrap();
    run().await.unwrap();
    recorder.calls()
}

#[tokio::test(start_paused = true)]
async fn prompts_of_patterns_with_people_match_the_snapshots() {
    for (page, template) in [
        ("feature", "feature"),
        ("code_review", "code-review"),
        ("architecture_decision", "architecture-decision"),
    ] {
        let prompts = sheet(&asked(template).await);
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(page, prompts);
        });
    }
}
