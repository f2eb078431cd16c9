//! The provider of each participant, and the timeouts of calls.

use std::time::Duration;

use discussions::provider::{Consents, Timeout};
use discussions::runner::{Abort, RunOptions, RunReport, Runner};
use discussions::workspace::WorkspaceError;
use tokio::time::Instant;

use crate::finished_run::{FinishedRun, THREE, new};
use crate::project::Project;
use crate::recording_provider::RecordingProvider;

const ABSENT: &str = "providers:\n  - {name: script, builtin: mock}\n  - {name: absent, command: no-such-program-anywhere}\n";

/// Runs with one provider for each participant; returns the number of calls and the file before and after.
async fn with_providers(seats: &[&str]) -> (Result<RunReport, WorkspaceError>, usize, [String; 2]) {
    let project = Project::new();
    project.write("providers.yaml", ABSENT);
    let mut new = new("synthesis", seats, &[("rounds", "1")]);
    new.roles = vec![("pragmatist".into(), "synthesizer".into())];
    let path = project.create(&new);
    let before = project.read(&path);
    let recorder = RecordingProvider::new("answers: [{text: said}]");
    let runner = Runner::new(project.workspace())
        .with_provider(recorder.clone())
        .with_consents(Consents::all());
    let ran = runner
        .execute(&path, &RunOptions::with_default_limits(), &mut |_| {}, Abort::never())
        .await;
    (ran, recorder.call_count(), [before, project.read(&path)])
}

#[tokio::test(start_paused = true)]
async fn inv_disc_100_provider_availability_check() {
    let (ran, calls, [before, after]) =
        with_providers(&["architect=script", "security=absent", "pragmatist=absent"]).await;
    let error = ran.unwrap_err();
    assert!(
        matches!(error, WorkspaceError::TooFewProviders { ready: 1, needed: 2, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("no-such-program-anywhere"), "{error}");
    assert_eq!((calls, before == after), (0, true), "nothing is begun and nothing is paid for");

    let (ran, calls, _) = with_providers(&["architect=absent", "security=absent"]).await;
    assert!(matches!(ran, Err(WorkspaceError::NoProvider { .. })));
    assert_eq!(calls, 0);

    let (ran, calls, [_, after]) =
        with_providers(&["architect=script", "security=absent", "pragmatist=script"]).await;
    let failed =
        ran.unwrap().calls.into_iter().find(|call| call.participant.as_str() == "security");
    assert_eq!(failed.unwrap().failure.as_deref(), Some("not_installed"));
    assert_eq!(calls, 2 + 1, "two are enough to go on, and who is not there is never called");
    assert!(after.contains("<!-- FAILED who: security"), "{after}");
}

#[tokio::test(start_paused = true)]
async fn inv_disc_102_provider_timeout_enforcement() {
    let hangs = "answers: [{participant: security, fault: hang}, {delay_ms: 100, text: said}]";
    let options = RunOptions {
        call_timeout: Some(Duration::from_secs(7)),
        ..RunOptions::with_default_limits()
    };
    let start = Instant::now();
    let run =
        FinishedRun::with(&new("synthesis", &THREE, &[("rounds", "1")]), hangs, options).await;
    assert_eq!(start.elapsed().as_millis(), 7_000 + 100, "the deadline, then the synthesis");
    assert!(run.recorder.calls().iter().all(|asked| asked.deadline <= Duration::from_secs(7)));
    let result = run.result();
    assert_eq!(result.failed_providers, ["security"]);
    let late = result.rounds[0].responses.iter().find(|it| it.error.is_some()).unwrap();
    assert!(late.error.as_ref().unwrap().starts_with("timeout: "), "{late:?}");
    assert_eq!(late.duration_ms, 7_000);
    for (seconds, fits) in [(4, false), (5, true), (3600, true), (3601, false)] {
        assert_eq!(Timeout::new(Duration::from_secs(seconds)).is_ok(), fits, "{seconds} s");
    }
}

#[test]
fn inv_disc_302_provider_affinity_respect() {
    let providers = |affinity: &str, all: Option<&str>| {
        let project = Project::new();
        let mocks =
            ["one", "two", "three"].map(|name| format!("  - {{name: {name}, builtin: mock}}\n"));
        let absent = "  - {name: gone, command: no-such-program-anywhere}\n";
        project.write("providers.yaml", &format!("providers:\n{}{absent}", mocks.concat()));
        project.write("discussions.yaml", "author: Rob\nproviders: {default: three}\n");
        let persona = format!(
            "name: AI-Expert\nalias: expert\npersonality: Knows.\nprovider_affinity: {affinity}\n"
        );
        project.write("participants/expert.yaml", &persona);
        let path = project.create(&new("synthesis", &["expert", "architect"], &[]));
        let options = RunOptions { provider: all.map(str::to_owned), ..RunOptions::next_turn() };
        let plan = project.workspace().runs().prepare(&path, &options).unwrap().plan().unwrap();
        plan.asks.into_iter().find(|call| call.participant == "expert").unwrap().providers
    };
    assert_eq!(providers("{}", None), ["three"], "no wish: the configured default");
    assert_eq!(providers("{preferred: [two, one]}", None), ["two", "one"], "one after the other");
    assert_eq!(
        providers("{preferred: [gone, one]}", None),
        ["one"],
        "the next, where one is absent"
    );
    assert_eq!(
        providers("{preferred: [two], task_mapping: {synthesis: one}}", None),
        ["one", "two"]
    );
    assert_eq!(providers("{preferred: [two], fallback: one}", None), ["two", "one"]);
    assert_eq!(providers("{preferred: [two, one], exclude: [two]}", None), ["one"]);
    assert_eq!(providers("{preferred: [two]}", Some("one")), ["one"], "the command line wins");
}
