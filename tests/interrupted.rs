//! Every template and every consensus method, stopped after any call and resumed: the result is equal and no call is
//! repeated.

use std::path::{Path, PathBuf};

use discussions::runner::{Abort, RunOptions, Runner};
use discussions::view::EventKind;
use discussions::view::{DiscussionResult, discussion_result};
use discussions::workspace::NewDiscussion;

use crate::finished_run::{AGREED, THREE, TWO, by, new};
use crate::project::{Project, script};
use crate::recording_provider::RecordingProvider;

/// A discussion and the number of calls from its beginning to the point where no program can continue.
struct Case {
    name: String,
    new: NewDiscussion,
    calls: usize,
}

fn case(name: &str, new: NewDiscussion, calls: usize) -> Case {
    Case { name: name.to_owned(), new, calls }
}

fn templates() -> Vec<Case> {
    let review = [("artifact", "spec.md")];
    let objected = [("rounds", "1"), ("objections", "1")];
    vec![
        // The vote of a person ends these.
        case("feature", new("feature", &THREE, &[]), 3 + 3 + 1 + 3),
        case("code-review", new("code-review", &THREE, &[]), 3 + 3 + 1 + 3),
        case("architecture-decision", new("architecture-decision", &THREE, &[]), 3 + 3 + 1 + 3),
        case("synthesis", new("synthesis", &THREE, &[]), 3 * 2 + 1),
        case("synthesis, objected to", new("synthesis", &THREE, &objected), 3 + 1 + 4),
        case("critique, objected to", new("critique", &THREE, &objected), 1 + 3 + 3),
        case("round-robin", new("round-robin", &THREE, &[]), 3 * 2 + 1),
        case("debate", new("debate", &THREE, &[]), 2 * 2 + 1),
        case("critique", new("critique", &THREE, &[]), 1 + 2 * 3),
        case("second-look", new("second-look", &["author", "reviewer"], &[]), 4),
        case("solo", new("solo", &["author"], &[]), 2),
        case("synthesis, reviewed", new("synthesis", &THREE, &[("review", "true")]), 3 * 2 + 2),
        case("voting", new("voting", &THREE, &[]), 3 + 1),
        case("dialogue", new("dialogue", &TWO, &[("min_rounds", "2")]), 2 * 2 + 2),
        case("artifact-review", new("artifact-review", &["product", "risk"], &review), 2),
    ]
}

/// Five methods, with a pattern that has no ballots and with one that has.
fn methods() -> Vec<Case> {
    let ballots =
        [("synthesis", 0), ("moderator", 0), ("voting", 3), ("majority", 3), ("unanimous", 3)];
    let mut cases = Vec::new();
    for (method, ballot) in ballots {
        let without = by(method, new("synthesis", &THREE, &[("rounds", "1")]));
        cases.push(case(&format!("synthesis by {method}"), without, 3 + 1 + ballot));
        let with = by(method, new("voting", &THREE, &[]));
        cases.push(case(&format!("voting by {method}"), with, 3 + 1));
    }
    cases
}

/// The moment at which a run is stopped.
#[derive(Clone, Copy, Debug)]
enum Stop {
    Never,
    /// When the call with this number, from 1, has begun: its answer is lost.
    Begun(usize),
    /// When the answer with this number, from 1, is recorded.
    Recorded(usize),
}

/// Runs, possibly stops, and returns how many calls the provider received and how many answers were recorded.
async fn run(project: &Project, path: &Path, stop: Stop) -> (usize, usize) {
    let recorder = RecordingProvider::new(AGREED);
    let (handle, abort) = Abort::new();
    let (mut begun, mut recorded) = (0, 0);
    let mut note = |event: discussions::view::Event| {
        match event.kind {
            EventKind::AnswerStart { .. } => begun += 1,
            EventKind::AnswerEnd { .. } => recorded += 1,
            _ => return,
        }
        let now = match stop {
            Stop::Never => false,
            Stop::Begun(number) => begun == number,
            Stop::Recorded(number) => recorded == number,
        };
        if now {
            handle.abort();
        }
    };
    let runner = Runner::new(project.workspace()).with_provider(recorder.clone());
    let options =
        RunOptions { provider: Some("script".into()), ..RunOptions::with_default_limits() };
    runner.execute(path, &options, &mut note, abort).await.unwrap();
    (recorder.call_count(), recorded)
}

/// The result without the order in which answers of one turn arrived.
fn result(project: &Project, path: &Path) -> DiscussionResult {
    let mut result = project.look(path, |it| discussion_result(it, "file", None));
    for round in &mut result.rounds {
        round.responses.sort_by(|a, b| (&a.phase, &a.provider).cmp(&(&b.phase, &b.provider)));
    }
    if let Some(results) = &mut result.voting_results {
        results.ballots.sort_by(|a, b| a.provider.cmp(&b.provider));
    }
    result.consensus.dissent.sort_by(|a, b| a.provider.cmp(&b.provider));
    result
}

async fn check_stopped_after_any_call(case: &Case) {
    let name = &case.name;
    let made = || -> (Project, PathBuf) {
        let project = Project::new();
        let path = project.create(&case.new);
        (project, path)
    };
    let (project, path) = made();
    let (calls, recorded) = run(&project, &path, Stop::Never).await;
    assert_eq!((calls, recorded), (case.calls, case.calls), "{name}:\n{}", project.read(&path));
    let whole = result(&project, &path);
    for stop in (1..=case.calls).flat_map(|at| [Stop::Begun(at), Stop::Recorded(at)]) {
        let (project, path) = made();
        let (_, recorded) = run(&project, &path, stop).await;
        let kept = project.read(&path);
        let (again, _) = run(&project, &path, Stop::Never).await;
        assert_eq!(again, case.calls - recorded, "{name}, {stop:?}: only what is missing is asked");
        assert!(project.read(&path).starts_with(&kept), "{name}, {stop:?}: what was said stays");
        assert_eq!(result(&project, &path), whole, "{name}, {stop:?}");
    }
}

/// The first participant answers at once, the others after a minute.
const ONE_IS_QUICK: &str = "answers:
  - {participant: architect, text: \"VOTE: READY\"}
  - {participant: moderator, text: \"DECISION: READY\"}
  - {delay_ms: 60000, text: \"VOTE: READY\"}
";

#[tokio::test(start_paused = true)]
async fn start_of_a_continued_turn_names_only_the_missing_participants() {
    let project = Project::new();
    let path = project.create(&new("voting", &THREE, &[]));
    let mut asked: Vec<Vec<String>> = Vec::new();
    for is_stopped in [true, false] {
        let (handle, abort) = Abort::new();
        let mut note = |event: discussions::view::Event| match event.kind {
            EventKind::TurnStart { asks, .. } => asked.push(asks),
            EventKind::AnswerEnd { .. } if is_stopped => handle.abort(),
            _ => {}
        };
        let runner = Runner::new(project.workspace()).with_provider(script(ONE_IS_QUICK));
        let options =
            RunOptions { provider: Some("script".into()), ..RunOptions::with_default_limits() };
        runner.execute(&path, &options, &mut note, abort).await.unwrap();
    }
    assert_eq!(asked, [&THREE[..], &["security", "pragmatist"], &["moderator"]]);
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: stops runs at every step"]
    async fn every_method_stopped_after_any_call_has_the_same_result() {
        for case in methods() {
            check_stopped_after_any_call(&case).await;
        }
    }

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: stops runs at every step"]
    async fn every_template_stopped_after_any_call_has_the_same_result() {
        for case in templates() {
            check_stopped_after_any_call(&case).await;
        }
    }
}
