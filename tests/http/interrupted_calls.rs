//! Interrupted calls have to be paid, so they count if a discussion has limits.

use std::fs;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::fake::{Fake, Step, stream};
use super::recordings::CHAT;
use crate::cli::scenario::Scenario;

/// A service that never answers and reports each request.
fn hanging_service() -> (Fake, Receiver<()>) {
    let (told, asked) = channel();
    let told = Mutex::new(told);
    let fake = Fake::new(move |_, _| {
        // The test may have ended already.
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

fn begin(scenario: &Scenario) -> Child {
    let mut command = scenario.program_under_test();
    command.args(["run", "d"]).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    command.spawn().unwrap()
}

/// Starts a call and sends a signal when the service has received the request; returns the exit code.
fn end_in_the_middle(scenario: &Scenario, asked: &Receiver<()>, signal: Signal) -> Option<i32> {
    let mut child = begin(scenario);
    asked.recv().unwrap();
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
    child.wait().unwrap().code()
}

fn stop_in_the_middle(scenario: &Scenario, asked: &Receiver<()>) {
    assert_eq!(end_in_the_middle(scenario, asked, Signal::SIGINT), Some(130));
}

/// A killed process can record nothing.
fn kill_in_the_middle(scenario: &Scenario, asked: &Receiver<()>) {
    assert_eq!(end_in_the_middle(scenario, asked, Signal::SIGKILL), None);
}

const NOTES: &str = ".discussions/d.md.reserved";

#[test]
fn stopped_call_is_not_recorded_without_a_limit() {
    let (fake, asked) = hanging_service();
    let scenario = scenario(&fake, "");
    stop_in_the_middle(&scenario, &asked);
    assert!(!scenario.read("d.md").contains("FAILED"));
}

#[test]
fn answer_recorded_before_a_kill_counts_once() {
    let (told, asked) = channel();
    let told = Mutex::new(told);
    let first = AtomicBool::new(true);
    // The first call is answered at once, the second never: the run is killed when the first answer is in the file.
    let fake = Fake::new(move |_, _| {
        if first.swap(false, Ordering::SeqCst) {
            return vec![Step::Send(stream(CHAT, 1000))];
        }
        let _ = told.lock().unwrap().send(());
        vec![Step::Hang]
    });
    let scenario = scenario(&fake, "limits: {max_calls: 3}\n");
    let text = scenario.read("d.md").replace("[architect]", "[architect, security]");
    scenario.write("d.md", text.as_bytes());
    let mut child = begin(&scenario);
    asked.recv().unwrap();
    let notes = || fs::read_to_string(scenario.path(NOTES)).unwrap_or_default();
    while !(scenario.read("d.md").contains("<!-- REPLY") && notes().contains("Recorded")) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Three calls are allowed and two were made: one is left, and no provider can answer it.
    kill_in_the_middle(&scenario, &asked);
    scenario.discussions(&["run", "d", "--json"]).with_warnings().code(1);
    let file = scenario.read("d.md");
    assert_eq!(file.matches("<!-- REPLY").count(), 1, "{file}");
    assert_eq!(file.matches("code: stopped").count(), 2, "{file}");
    let status = scenario.discussions(&["status", "d", "--json"]).code(0).json();
    assert_eq!(status["cost"]["totalCalls"], 3, "{status}");
    assert_eq!(fake.requests().len(), 3);
}

#[test]
fn calls_of_a_killed_run_count_for_a_turn() {
    let (fake, asked) = hanging_service();
    let scenario = scenario(&fake, "limits: {max_calls: 1}\n");
    kill_in_the_middle(&scenario, &asked);
    assert!(scenario.path(NOTES).exists());
    scenario.discussions(&["turn", "d", "--json"]).with_warnings().code(1);
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn call_is_not_made_if_its_reservation_cannot_be_saved() {
    let (fake, _asked) = hanging_service();
    let scenario = scenario(&fake, "limits: {max_calls: 2}\n");
    scenario.write(".discussions/.gitignore", b"*\n");
    fs::create_dir_all(scenario.path(NOTES)).unwrap();
    scenario.discussions(&["run", "d"]).code(3).notes("d.md.reserved");
    assert!(fake.requests().is_empty());
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn repeatedly_killed_runs_stay_below_limits() {
        for (limits, kills) in [
            ("limits: {max_calls: 2}\n", 2),
            ("limits: {max_usd: 0.05}\n", 2),
            ("limits: {max_usd: 0.03}\n", 1),
        ] {
            let (fake, asked) = hanging_service();
            let scenario = scenario(&fake, limits);
            for _ in 0..kills {
                kill_in_the_middle(&scenario, &asked);
            }
            let refused = scenario.discussions(&["run", "d", "--json"]).with_warnings().code(1);
            assert!(refused.json()["calls"].as_array().unwrap().is_empty(), "{limits}");
            assert_eq!(fake.requests().len(), kills, "{limits}");
            let file = scenario.read("d.md");
            assert_eq!(file.matches("code: stopped").count(), kills, "{file}");
            let status = scenario.discussions(&["status", "d", "--json"]).code(0).json();
            assert_eq!(status["cost"]["totalCalls"], kills, "{status}");
            // Without a money limit, the cost of the stopped calls is not recorded.
            let usd = status["cost"]["estimatedCostUsd"].as_f64();
            assert_eq!(usd.is_some(), limits.contains("max_usd"), "{limits}: {status}");
            assert!(usd.unwrap_or_default() <= 0.05, "{status}");
            scenario.discussions(&["status", "d"]).code(0).notes("@architect not asked yet");
            scenario.discussions(&["check", "d", "--strict"]).code(0);
            assert!(!scenario.path(NOTES).exists(), "what is recorded is forgotten");
        }
    }

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn repeatedly_stopped_runs_stay_below_limits() {
        for (limits, stops) in [
            ("limits: {max_calls: 2}\n", 2),
            ("limits: {max_usd: 0.05}\n", 2),
            ("limits: {max_usd: 0.03}\n", 1),
        ] {
            let (fake, asked) = hanging_service();
            let scenario = scenario(&fake, limits);
            for _ in 0..stops {
                stop_in_the_middle(&scenario, &asked);
            }
            let refused = scenario.discussions(&["run", "d", "--json"]).with_warnings().code(1);
            assert!(refused.json()["calls"].as_array().unwrap().is_empty(), "{limits}");
            assert_eq!(fake.requests().len(), stops, "{limits}");
            let file = scenario.read("d.md");
            assert_eq!(file.matches("code: stopped").count(), stops, "{file}");
            // No participant failed: the calls are still open.
            let status = scenario.discussions(&["status", "d", "--json"]).code(0).json();
            assert!(status["failures"].as_array().unwrap().is_empty(), "{status}");
            assert_eq!(status["cost"]["totalCalls"], stops, "{status}");
            // Without a money limit, the cost of the stopped calls is not recorded.
            let usd = status["cost"]["estimatedCostUsd"].as_f64();
            assert_eq!(usd.is_some(), limits.contains("max_usd"), "{limits}: {status}");
            assert!(usd.unwrap_or_default() <= 0.05, "{status}");
            scenario.discussions(&["status", "d"]).code(0).notes("@architect not asked yet");
            scenario.discussions(&["check", "d", "--strict"]).code(0);
        }
    }
}
