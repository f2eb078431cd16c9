//! The server owns a run, and the file keeps its record: clients may disconnect, and a killed run can be resumed.

use std::io::Write as _;

use serde_json::json;

use super::client::Agent;
use crate::cli::Scenario;

/// A program that counts its calls and answers when the test writes a line into its pipe.
const SLOW: &str = r#"#!/bin/sh
cat > /dev/null; echo x >> "$HOME/calls"; read line < "$HOME/pipe"
printf '{"is_error":false,"result":"Fine.","usage":{"input_tokens":10,"output_tokens":5},"total_cost_usd":0.01}'
"#;

/// Continues the discussion without waiting.
const QUICK: &str = r#"#!/bin/sh
cat > /dev/null; echo x >> "$HOME/calls"
printf '{"is_error":false,"result":"Fine.","usage":{"input_tokens":10,"output_tokens":5},"total_cost_usd":0.01}'
"#;

fn scenario() -> Scenario {
    let scenario = Scenario::new().program("claude", SLOW);
    let made = scenario.command("mkfifo").arg(scenario.path("../home/pipe")).status().unwrap();
    assert!(made.success());
    scenario
}

fn calls(scenario: &Scenario) -> usize {
    std::fs::read_to_string(scenario.path("../home/calls")).map_or(0, |text| text.lines().count())
}

/// Lets one call answer; waits until the program reads.
fn release(scenario: &Scenario) {
    let mut pipe =
        std::fs::OpenOptions::new().write(true).open(scenario.path("../home/pipe")).unwrap();
    pipe.write_all(b"go\n").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_call_returns_while_the_run_continues() {
    let scenario = scenario();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Redis?", "pattern": "round-robin", "participants": ["architect", "security"],
        "rounds": 1, "provider": "claude", "wait": 0});
    let told = agent.call_json("discuss", asked).await;
    assert_eq!(told["state"], "running", "{told:#}");
    assert_eq!(told["file"], "discussions/redis.md");
    assert!(told["next"][0].as_str().unwrap().starts_with("call `continue`"), "{told:#}");
    let again = json!({"discussion": "redis", "provider": "claude", "wait": 0});
    assert_eq!(
        agent.call_json("continue", again).await["state"],
        "running",
        "there is one run, and it is found"
    );
    // No other program may run it in the meantime.
    scenario.discussions(&["run", "redis", "--provider", "mock"]).code(5);
    // This call gets no messages of the earlier calls.
    agent.told.lock().unwrap().clear();
    let waits = agent.call_json("continue", json!({"discussion": "redis", "provider": "claude"}));
    let releases = async {
        tokio::task::block_in_place(|| {
            // A waiting call gets the current state at once.
            while agent.told.lock().unwrap().is_empty() {
                std::thread::yield_now();
            }
            for call in 1..=4 {
                // The previous program has closed the pipe before the next one is called.
                while calls(&scenario) < call {
                    std::thread::yield_now();
                }
                release(&scenario);
            }
        });
    };
    let (told, ()) = tokio::join!(waits, releases);
    assert_eq!(told["state"], "done", "{told:#}");
    assert_eq!(calls(&scenario), 4, "two speakers, the author, and its review, each once");
    let progress = agent.told.lock().unwrap().join("\n");
    assert!(
        progress.contains("architect answered")
            && progress.contains("security thinks (claude-sonnet)"),
        "{progress}"
    );
    assert!(!progress.contains("0 of 0"), "before the first turn nothing is counted: {progress}");
}

#[tokio::test(flavor = "multi_thread")]
async fn discussion_of_a_killed_server_resumes_without_paying_twice() {
    let scenario = scenario();
    let mut agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Redis?", "pattern": "round-robin", "participants": ["architect", "security"],
        "rounds": 1, "provider": "claude", "wait": 0});
    assert_eq!(agent.call_json("discuss", asked).await["state"], "running");
    // The first program answers; the second has started once it opens its pipe.
    tokio::task::block_in_place(|| release(&scenario));
    let mut watch = scenario.read("discussions/redis.md");
    while !watch.contains("Name: AI-Architect") {
        tokio::task::yield_now().await;
        watch = scenario.read("discussions/redis.md");
    }
    agent.child.kill().await.unwrap();
    drop(agent);
    let before = calls(&scenario);
    let scenario = scenario.program("claude", QUICK);
    let agent = Agent::of(&scenario, &[]).await;
    let told =
        agent.call_json("continue", json!({"discussion": "redis", "provider": "claude"})).await;
    assert_eq!(told["state"], "done", "{told:#}");
    let text = scenario.read("discussions/redis.md");
    assert_eq!(text.matches("Name: AI-Architect").count(), 1, "{text}");
    assert_eq!(text.matches("Name: AI-Security").count(), 1, "{text}");
    assert!(calls(&scenario) - before <= 3, "a recorded answer is not asked for again");
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_end_with_the_client_and_answers_stay() {
    for signalled in [false, true] {
        let scenario = scenario();
        let mut agent = Agent::of(&scenario, &[]).await;
        let asked = json!({"topic": "Redis?", "pattern": "round-robin", "participants": ["architect", "security"],
            "rounds": 1, "provider": "claude", "wait": 0});
        assert_eq!(agent.call_json("discuss", asked).await["state"], "running");
        tokio::task::block_in_place(|| release(&scenario));
        while !scenario.read("discussions/redis.md").contains("Name: AI-Architect")
            || calls(&scenario) < 2
        {
            tokio::task::yield_now().await;
        }
        if signalled {
            let process = agent.child.id().unwrap().to_string();
            assert!(
                scenario.command("/bin/kill").args(["-TERM", &process]).status().unwrap().success()
            );
            assert!(agent.child.wait().await.unwrap().success());
        } else {
            assert!(agent.leave().await.success());
        }
        // No process reads the pipe: the program ended with the server.
        let open = nix::fcntl::OFlag::O_WRONLY | nix::fcntl::OFlag::O_NONBLOCK;
        let pipe =
            nix::fcntl::open(&scenario.path("../home/pipe"), open, nix::sys::stat::Mode::empty());
        assert_eq!(pipe.err(), Some(nix::errno::Errno::ENXIO));
        let text = scenario.read("discussions/redis.md");
        assert!(
            text.contains("Name: AI-Architect") && !text.contains("Name: AI-Security"),
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn second_client_waits_for_the_run_of_the_first() {
    let scenario = scenario();
    let first = Agent::of(&scenario, &[]).await;
    let second = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Redis?", "pattern": "round-robin", "participants": ["architect", "security"],
        "rounds": 1, "provider": "claude", "wait": 0});
    assert_eq!(first.call_json("discuss", asked).await["state"], "running");
    while calls(&scenario) < 1 {
        tokio::task::yield_now().await;
    }
    let again = json!({"discussion": "redis", "provider": "claude", "wait": 0});
    let told = second.call_json("continue", again).await;
    assert_eq!(told["state"], "running", "{told:#}");
    assert_eq!(second.call_json("show", json!({"discussion": "redis"})).await["state"], "running");
    let waits = second.call_json("continue", json!({"discussion": "redis", "provider": "claude"}));
    let releases = async {
        tokio::task::block_in_place(|| {
            for call in 1..=4 {
                while calls(&scenario) < call {
                    std::thread::yield_now();
                }
                release(&scenario);
            }
        });
    };
    let (told, ()) = tokio::join!(waits, releases);
    assert_eq!(told["state"], "done", "{told:#}");
    assert_eq!(calls(&scenario), 4, "no call is made twice");
    assert_eq!(second.call_json("show", json!({"discussion": "redis"})).await["state"], "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_call_stops_its_run() {
    let scenario = scenario();
    scenario
        .discussions(&["new", "Caching", "-t", "round-robin", "-p", "architect,security"])
        .code(0);
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"discussion": "caching", "provider": "claude"});
    let call = agent.begin("continue", asked).await;
    // The first call waits for a pipe into which the test writes nothing.
    until(|| calls(&scenario) > 0);
    call.cancel(None).await.unwrap();
    // The run has ended as soon as another program may run the discussion.
    until(|| scenario.discussions(&["turn", "caching", "--provider", "mock"]).exit() == 0);
    assert_eq!(calls(&scenario), 1, "no further call was begun");
}

/// Waits until a condition holds.
fn until(is_so: impl Fn() -> bool) {
    let is_so = || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        is_so()
    };
    let came = tokio::task::block_in_place(|| (0..1500).any(|_| is_so()));
    assert!(came, "it never was so");
}
