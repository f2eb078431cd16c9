//! `Discussion`, as a program uses it.

use std::sync::Arc;

use discussions::runner::{BeginError, Trust};
use discussions::view::{DecisionStatus, EventKind, ItemStatus};
use discussions::workspace::{Consents, ErrorKind, Workspace, WorkspaceError};
use discussions::{Discussion, NewDiscussion, RunOptions};

use crate::project::Project;

fn feature() -> NewDiscussion {
    let new = NewDiscussion::titled("Feature X").template("feature").context("Users need it.");
    new.participants(["architect", "security"])
}

fn turn() -> RunOptions {
    RunOptions::turn(["architect", "security"]).asking("Rob", "Please review this.").through("mock")
}

#[tokio::test]
async fn ten_lines_run_a_turn_and_add_a_comment_and_a_vote() {
    let project = Project::new();
    let mut discussion = Discussion::create_in(project.workspace(), feature()).unwrap();
    assert_eq!((discussion.title(), discussion.phase()), ("Feature X", "initial_feedback"));
    assert_eq!(discussion.status(), DecisionStatus::Open);
    assert_eq!(discussion.status().to_string(), "OPEN");

    let ran = discussion.run(turn()).await.unwrap();
    assert_eq!(ran.answer_count(), 2);
    assert_eq!(discussion.details().turn, 1, "the handle has the status after the turn");

    let comment = discussion.comment("Rob", "Q: Who may see it? @rob\n\nTODO: Ask @security.");
    let written = comment.vote("CHANGES").post().unwrap();
    assert_eq!(written.vote.as_deref(), Some("CHANGES"));
    assert!(discussion.votes().any(|vote| vote == ("Rob", "CHANGES")));
    let question = discussion.questions().last().unwrap();
    assert_eq!(
        (question.text.as_str(), question.status),
        ("Who may see it? @rob", ItemStatus::Open)
    );
    assert!(question.is_open());
    assert!(discussion.tasks().last().unwrap().is_open());
    assert_eq!(discussion.consensus(), None);
    let names: Vec<&str> = discussion.participants().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["AI-Architect", "AI-Security", "Rob"]);
    assert!(project.read(discussion.path()).contains("Please review this."));
}

#[tokio::test]
async fn a_run_reaches_consensus_and_a_result() {
    let project = Project::new();
    let new =
        NewDiscussion::titled("Tea").template("voting").participants(["architect", "security"]);
    let mut discussion = Discussion::create_in(project.workspace(), new).unwrap();
    let options =
        RunOptions { provider: Some("mock".to_owned()), ..RunOptions::with_default_limits() };
    let ran = discussion.run(options).await.unwrap();
    assert_eq!(discussion.details(), &ran.status);
    let consensus = &ran.status.consensus;
    let outcome = consensus.outcome.as_deref().filter(|_| consensus.reached);
    assert_eq!(discussion.consensus(), outcome);
    discussion.result().unwrap();
}

#[tokio::test]
async fn started_turn_reports_its_events() {
    let project = Project::new();
    let mut discussion = Discussion::create_in(project.workspace(), feature()).unwrap();
    let mut run = discussion.start(&turn()).unwrap();
    let mut began = 0;
    while let Some(event) = run.next().await {
        began += usize::from(matches!(event.kind, EventKind::TurnStart { .. }));
    }
    assert_eq!(began, 1);
    assert_eq!(run.end().await.unwrap().answer_count(), 2);
    assert_eq!(discussion.details().turn, 0, "a handle shows what it read last");
    discussion.refresh().unwrap();
    assert_eq!(discussion.details().turn, 1);
}

#[tokio::test]
async fn turn_that_is_aborted_at_once_appends_nothing() {
    let project = Project::new();
    let mut discussion = Discussion::create_in(project.workspace(), feature()).unwrap();
    let run = discussion.start(&turn()).unwrap();
    run.abort_handle().abort();
    assert_eq!(run.end().await.unwrap().stopped.as_str(), "aborted");
    discussion.refresh().unwrap();
    assert_eq!(discussion.details().turn, 0);
}

#[test]
fn refresh_shows_what_others_appended() {
    let project = Project::new();
    let workspace: Arc<Workspace> = project.workspace();
    let mut discussion = Discussion::create_in(Arc::clone(&workspace), feature()).unwrap();
    let mut other = Discussion::open_in(workspace, "feature-x").unwrap();
    other.comment("Rob", "CONCERN: It is slow.\n\nDECISION: We measure.").post().unwrap();
    assert!(discussion.concerns().is_empty());
    discussion.refresh().unwrap();
    assert!(discussion.concerns()[0].is_open());
    assert!(!discussion.decisions()[0].is_over());
}

#[tokio::test]
async fn missing_file_empty_comment_and_closed_discussion_are_refused() {
    let project = Project::new();
    let missing = Discussion::open_in(project.workspace(), "nowhere").unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Input);
    let mut discussion = Discussion::create_in(project.workspace(), feature()).unwrap();
    let empty = discussion.comment("Rob", " ").post().unwrap_err();
    assert_eq!(empty.to_string(), "there is nothing to write: the comment is empty");
    discussion.workspace().discussions().set_closed(discussion.path(), true, "Rob").unwrap();
    let discussion = discussion.trusting(Trust::Asked(Consents::all()));
    let closed = discussion.start(&turn()).err().unwrap();
    assert!(matches!(closed, BeginError::Workspace(WorkspaceError::Closed)), "{closed}");
}
