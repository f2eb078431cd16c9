use super::*;
use crate::runner::context::Abort;
use crate::store::reads_of;
use crate::view::{Event, EventKind};
use crate::workspace::{NewDiscussion, Surroundings};

/// How often the discussion was read before each call.
async fn reads_before_calls(options: RunOptions) -> Vec<usize> {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().canonicalize().unwrap();
    std::fs::write(project.join("discussions.yaml"), "author: Rob\n").unwrap();
    let surroundings = Surroundings::new(project.clone(), [], None, project);
    let workspace = Arc::new(Workspace::open(surroundings).unwrap());
    let path = workspace.discussions().create(&NewDiscussion::titled("Queue or cron?")).unwrap();
    let before = reads_of(&path);
    let prepared = workspace.runs().prepare(&path, &options.through("mock")).unwrap();
    // All that a front end tells before a run.
    prepared.forecast().unwrap();
    prepared.plan().unwrap();
    let _ = (prepared.status(), prepared.stand_ins(), prepared.placeholders());
    let _ = (prepared.assignment(), prepared.tool_access(), prepared.definitions());
    let PreparedRun { runner, options, mode, snapshot, .. } = prepared;
    let mut reads = Vec::new();
    let mut observe = |event: Event| {
        if matches!(event.kind, EventKind::AnswerStart { .. }) {
            reads.push(reads_of(&path) - before);
        }
    };
    let context = runner.context(path.clone(), options, Abort::never());
    runner.start(context, snapshot, mode, &mut observe).await.unwrap();
    reads
}

#[tokio::test]
async fn turn_and_run_read_the_file_twice_before_the_first_call() {
    for options in [RunOptions::next_turn(), RunOptions::default()] {
        let reads = reads_before_calls(options).await;
        assert_eq!(reads.first(), Some(&2), "one before the run, one under its lock: {reads:?}");
    }
}
