//! Sub-discussions that participants request with `DISCUSS:`.

use std::path::PathBuf;

use discussions::codes::StopCode;
use discussions::engine::{ChildStep, Step, next, prompt};
use discussions::runner::RunOptions;

use super::nesting::{finished, head, new, project, run, run_within, with_head_line};
use crate::project::Project;

/// A template whose participants speak twice.
const TALK: &str = "---\nid: talk\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases:\n  - {id: talk, instructions: Say what you think.}\n  \
    - {id: close, instructions: Say what follows.}\n---\n# {{ title }}\n\n{{ context }}\n";

/// One participant requests a discussion in the first call; all others decide.
fn answers_requesting(who: &str, marker: &str) -> String {
    format!(
        "answers:\n  - {{participant: {who}, call: 1, text: \"It hangs on this.\\n\\n- {marker}\"}}\n  \
         - {{text: \"DECISION: use the queue\"}}\n"
    )
}

const LOAD: &str = "DISCUSS: What load do we expect? [small, large]";
const ALLOWED: &str = "nesting: {depth: 1, pattern: flat}";

fn discussion(nesting: &str) -> (Project, PathBuf) {
    let project = project();
    project.write("templates/talk.md", TALK);
    let path = project.create(&new("talk"));
    if !nesting.is_empty() {
        with_head_line(&project, &path, nesting);
    }
    (project, path)
}

#[tokio::test]
async fn requested_sub_discussion_runs_before_the_next_call() {
    let (project, path) = discussion(ALLOWED);
    assert_eq!(
        run(&project, &path, &answers_requesting("architect", LOAD)).await.unwrap(),
        finished()
    );
    let text = project.read(&path);
    let begins = "<!-- CHILD turn: 1, by: architect, file: queue/what-load-do-we-expect.md, at: ";
    let (first, child) = (text.find("It hangs on this").unwrap(), text.find(begins).unwrap());
    let other = text.find("Name: AI-Security").unwrap();
    let (end, second) = (text.find("<!-- CHILD-END").unwrap(), text.find("<!-- TURN: 2").unwrap());
    assert!(first < child && other < child && child < end && end < second, "{text}");
    let inner = project.path("queue/what-load-do-we-expect.md");
    let head = head(&project, &inner);
    assert_eq!((head.turn, head.by.unwrap().as_str()), (Some(1), "architect"));
    assert_eq!(head.template.as_deref(), Some("flat"));
    let inner = project.read(&inner);
    assert!(inner.contains("# What load do we expect?\n"), "{inner}");
    assert!(inner.contains("To choose between: small; large"), "{inner}");
}

#[tokio::test]
async fn discuss_marker_is_plain_text_without_permission() {
    for nesting in
        ["", "nesting: {depth: 0, pattern: flat}", "nesting: {openers: phases, pattern: flat}"]
    {
        let (project, path) = discussion(nesting);
        assert_eq!(
            run(&project, &path, &answers_requesting("architect", LOAD)).await.unwrap(),
            finished()
        );
        assert!(!project.read(&path).contains("<!-- CHILD"), "{nesting}");
        assert!(!project.path("queue").exists(), "{nesting}");
        let offered = project.look(&path, |snapshot| {
            let (turn, alias) = (&snapshot.state.turns[0], &snapshot.config.participants[0]);
            prompt(snapshot, turn, alias).unwrap().text().contains("needs a discussion of its own")
        });
        assert!(!offered, "{nesting}");
    }
}

#[tokio::test]
async fn refused_sub_discussion_is_reported_once_and_stops_no_run() {
    for (marker, nesting, why) in [
        ("DISCUSS: Queue or cron?", ALLOWED, "already asks almost the same question"),
        (
            LOAD,
            "nesting: {depth: 1, pattern: flat}\nlimits: {max_calls: 4}",
            "too few calls are left for it",
        ),
        (LOAD, "nesting: {depth: 1, pattern: nowhere}", "nowhere"),
    ] {
        let (project, path) = discussion(nesting);
        assert_eq!(
            run(&project, &path, &answers_requesting("security", marker)).await.unwrap(),
            finished(),
            "{why}"
        );
        let text = project.read(&path);
        assert_eq!(text.matches("<!-- CHILD ").count(), 1, "{text}");
        assert_eq!(text.matches("status: REFUSED -->").count(), 1, "{text}");
        assert!(text.contains("was not discussed: ") && text.contains(why), "{text}");
        assert!(!project.path("queue").exists(), "{why}");
        // A second run makes no calls.
        run(&project, &path, &answers_requesting("security", marker)).await.unwrap();
        assert_eq!(project.read(&path), text);
    }
}

#[tokio::test]
async fn sub_discussions_stay_below_the_limit_and_open_once() {
    let (project, path) = discussion("nesting: {depth: 2, pattern: flat}");
    // Both participants request one, and both request another inside it, where no deeper one is allowed.
    let all = "answers:\n  - {participant: architect, text: \"DECISION: x\\n\\n- DISCUSS: Which load?\\n- DISCUSS: Which price?\"}\n  \
               - {text: \"- DISCUSS: Which team?\"}\n";
    run(&project, &path, all).await.unwrap();
    let text = project.read(&path);
    assert_eq!(text.matches("by: architect, file: queue/which-load.md").count(), 1, "{text}");
    assert!(!text.contains("which-price"), "one at a time: {text}");
    let inner = project.read(&project.path("queue/which-load.md"));
    assert!(
        inner.contains("<!-- CHILD turn: 1, by: security, file: which-load/which-team.md"),
        "{inner}"
    );
    let innermost = project.read(&project.path("queue/which-load/which-team.md"));
    assert!(!innermost.contains("<!-- CHILD"), "{innermost}");
}

#[tokio::test]
async fn phase_that_demands_markers_ignores_discuss() {
    let project = project();
    project.write(
        "templates/talk.md",
        &TALK.replace(
            "{id: talk, instructions: Say what you think.}",
            "{id: talk, asks: {DECISION: wanted}}",
        ),
    );
    let path = project.create(&new("talk"));
    with_head_line(&project, &path, ALLOWED);
    run(&project, &path, &answers_requesting("architect", LOAD)).await.unwrap();
    assert!(!project.read(&path).contains("<!-- CHILD"));
}

#[tokio::test]
async fn prompt_explains_how_to_open_a_sub_discussion() {
    let (project, path) = discussion(ALLOWED);
    run(&project, &path, &answers_requesting("architect", "CONCERN: none")).await.unwrap();
    project.look(&path, |snapshot| {
        let (turn, alias) = (&snapshot.state.turns[0], &snapshot.config.participants[0]);
        let text = prompt(snapshot, turn, alias).unwrap().text();
        assert!(text.contains("`- DISCUSS: the question [choice, choice]`"), "{text}");
    });
}

#[tokio::test]
async fn open_sub_discussion_resumes_before_its_opener_is_called_again() {
    let (project, path) = discussion(ALLOWED);
    let text = project.read(&path);
    let turn = "<!-- TURN: 1, asks: [architect, security], at: 2026-11-20T10:00:00Z -->";
    let child =
        "<!-- CHILD turn: 1, by: security, file: queue/which-load.md, at: 2026-11-20T10:00:00Z -->";
    std::fs::write(&path, format!("{text}\n---\n\n{turn}\n\n---\n\n{child}\n")).unwrap();
    project.look(&path, |snapshot| match next(snapshot, 0).unwrap() {
        Step::Child(ChildStep::On(line)) => assert_eq!(line.file.as_str(), "queue/which-load.md"),
        other => panic!("{other:?}"),
    });
}

/// A template whose participants speak three times each.
const SIX: &str = "---\nid: six\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases: [{id: one}, {id: two}, {id: three}]\n---\n# {{ title }}\n";
const SIX_ALLOWED: &str = "nesting: {depth: 1, pattern: six}";

#[tokio::test]
async fn child_gets_its_calls_if_the_parent_can_still_finish() {
    let project = project();
    // The parent has at most fourteen calls ahead, usually two.
    let maybe = "  - {id: maybe, when: 'false', rounds: 6}\n  - {id: close";
    project.write("templates/talk.md", &TALK.replace("  - {id: close", maybe));
    project.write("templates/six.md", SIX);
    let path = project.create(&new("talk"));
    with_head_line(&project, &path, SIX_ALLOWED);
    assert_eq!(
        run(&project, &path, &answers_requesting("architect", LOAD)).await.unwrap(),
        finished()
    );
    let child = head(&project, &project.path("queue/what-load-do-we-expect.md"));
    assert_eq!(child.limits.max_calls, Some(6), "not the four beyond all that may be ahead");
    let text = project.read(&path);
    assert!(text.contains("calls: 6, status: ANSWERED -->"), "{text}");
}

#[tokio::test]
async fn child_out_of_calls_ends_and_its_parent_continues() {
    let project = project();
    project.write("templates/talk.md", TALK);
    project.write("templates/six.md", SIX);
    let path = project.create(&new("talk"));
    // Two for the first turn, two for the last one: four are left of the six that the child needs.
    with_head_line(&project, &path, &format!("{SIX_ALLOWED}\nlimits: {{max_calls: 8}}"));
    assert_eq!(
        run(&project, &path, &answers_requesting("architect", LOAD)).await.unwrap(),
        finished()
    );
    let text = project.read(&path);
    assert!(text.contains("calls: 4, status: OPEN -->"), "{text}");
    assert!(text.contains("It ended at its limit of calls, before its last phase."), "{text}");
    let end = text.find("<!-- CHILD-END").unwrap();
    assert_eq!(text[end..].matches("<!-- REPLY").count(), 2, "the parent's last turn: {text}");
}

#[tokio::test]
async fn limit_of_one_run_does_not_end_a_child() {
    let project = project();
    project.write("templates/talk.md", TALK);
    project.write("templates/six.md", SIX);
    let path = project.create(&new("talk"));
    with_head_line(&project, &path, SIX_ALLOWED);
    let limits = RunOptions { max_calls: Some(4), ..RunOptions::with_default_limits() };
    let stopped =
        run_within(&project, &path, &answers_requesting("architect", LOAD), limits).await.unwrap();
    assert_eq!(stopped, StopCode::MaxCalls);
    assert!(!project.read(&path).contains("CHILD-END"));
    assert_eq!(
        run(&project, &path, &answers_requesting("architect", LOAD)).await.unwrap(),
        finished()
    );
    assert!(project.read(&path).contains("calls: 6, status: ANSWERED -->"));
}
