//! What is broken off is paid for all the same, so it counts where a discussion limits what it may spend.

use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::fake::{Fake, Step};
use crate::cli::scenario::Scenario;

/// A service that never answers, and tells when it is asked.
fn hanging() -> (Fake, Receiver<()>) {
    let (told, asked) = channel();
    let told = Mutex::new(told);
    let fake = Fake::new(move |_, _| {
        // The test may have seen enough.
        let _ = told.lock().unwrap().send(());
        vec![Step::Hang]
    });
    (fake, asked)
}

fn scenario(fake: &Fake, limits: &str) -> Scenario {
    let own = format!(
        "providers:\n  - {{name: own, api: openai, model: m, url: '{}', max_tokens: 300, price: {{input: 10, output: 50}}}}\n",
        fake.url()
    );
    let text = format!(
        "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect]\n{limits}-->\n\n# D\n\n## Context\nText.\n"
    );
    let scenario = Scenario::new().alone();
    scenario.write("../config/providers.yaml", own.as_bytes());
    let project = "author: Rob\nproviders: {default: own}\n";
    scenario.file("d.md", &text).file("discussions.yaml", project)
}

/// Begins to ask, and is stopped with Ctrl-C as soon as the service has heard of it.
fn stop_in_the_middle(scenario: &Scenario, asked: &Receiver<()>) {
    let mut command = scenario.program_under_test();
    command.args(["run", "d"]).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    let mut child = command.spawn().unwrap();
    asked.recv().unwrap();
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn runs_that_are_stopped_again_and_again_pass_no_limit() {
    for (limits, stops) in [
        ("limits: {max_calls: 2}\n", 2),
        ("limits: {max_usd: 0.05}\n", 2),
        ("limits: {max_usd: 0.03}\n", 1),
    ] {
        let (fake, asked) = hanging();
        let scenario = scenario(&fake, limits);
        for _ in 0..stops {
            stop_in_the_middle(&scenario, &asked);
        }
        let refused = scenario.discussions(&["run", "d", "--json"]).code(1);
        assert!(refused.json()["calls"].as_array().unwrap().is_empty(), "{limits}");
        assert_eq!(fake.asked().len(), stops, "{limits}");
        let file = scenario.read("d.md");
        assert_eq!(file.matches("code: stopped").count(), stops, "{file}");
        // Nobody failed: whoever was asked still is.
        let status = scenario.discussions(&["status", "d", "--json"]).code(0).json();
        assert!(status["failures"].as_array().unwrap().is_empty(), "{status}");
        assert_eq!(status["cost"]["totalCalls"], stops, "{status}");
        assert!(status["cost"]["estimatedCostUsd"].as_f64().unwrap() <= 0.05, "{status}");
        scenario.discussions(&["status", "d"]).code(0).notes("@architect still to be asked");
        scenario.discussions(&["check", "d", "--strict"]).code(0);
    }
}

#[test]
fn nothing_is_noted_where_nothing_limits_it() {
    let (fake, asked) = hanging();
    let scenario = scenario(&fake, "");
    stop_in_the_middle(&scenario, &asked);
    assert!(!scenario.read("d.md").contains("FAILED"));
}
