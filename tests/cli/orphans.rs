//! Programs of models whose run is killed with a signal that it cannot catch.
#![cfg(target_os = "linux")]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::scenario::Scenario;

/// Starts one process in its group and a detached one, writes the three process ids to a file, and never answers.
const AGENT: &str = "#!/bin/sh\n\
    sleep 300 &\n\
    near=$!\n\
    setsid sh -c 'echo $$ > \"$PIDS.far\"; exec sleep 300' > /dev/null 2>&1 &\n\
    while [ ! -s \"$PIDS.far\" ]; do sleep 0.02; done\n\
    echo \"$$ $near $(cat \"$PIDS.far\")\" > \"$PIDS.new\"\n\
    mv \"$PIDS.new\" \"$PIDS\"\n\
    sleep 300\n";
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts a run that waits for its only participant; returns it with the ids of the three processes of the call.
fn run_during_a_call() -> (Scenario, Child, Vec<String>) {
    let scenario = Scenario::new()
        .program("agent", AGENT)
        .file("discussions.yaml", "providers: {default: agent}\n")
        .file("providers.yaml", "providers:\n  - {name: agent, command: agent}\n");
    let pids = scenario.path("../pids");
    let scenario = scenario.env("PIDS", pids.to_str().unwrap());
    scenario.discussions(&["new", "Queue?", "-p", "architect"]).code(0);
    let mut command = scenario.program_under_test();
    command.args(["run", "queue"]);
    let run = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let run = run.spawn().unwrap();
    wait_until(|| pids.exists());
    let pids = std::fs::read_to_string(pids).unwrap();
    (scenario, run, pids.split_whitespace().map(str::to_owned).collect())
}

fn wait_until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "nothing happened in {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns true if the process exists and is not a zombie.
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn killed_run_leaves_no_process_of_its_calls() {
    let (_scenario, mut run, pids) = run_during_a_call();
    assert_eq!(pids.len(), 3);
    assert!(pids.iter().all(|pid| is_alive(pid)), "{pids:?}");
    kill(Pid::from_raw(run.id().try_into().unwrap()), Signal::SIGKILL).unwrap();
    run.wait().unwrap();
    wait_until(|| !pids.iter().any(|pid| is_alive(pid)));
}

#[test]
fn interrupted_run_leaves_neither_processes_nor_guard() {
    let (_scenario, mut run, pids) = run_during_a_call();
    let guards = || children(run.id()).into_iter().filter(|pid| !pids.contains(pid)).collect();
    let guards: Vec<String> = guards();
    assert_eq!(guards.len(), 1, "{guards:?}");
    kill(Pid::from_raw(run.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130));
    wait_until(|| !pids.iter().chain(&guards).any(|pid| is_alive(pid)));
}

/// Returns the ids of the running child processes of `parent`.
fn children(parent: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).unwrap().flatten();
    tasks
        .flat_map(|task| {
            let of = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            of.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn guard_of_another_run_ends_nothing() {
    let (scenario, mut run, pids) = run_during_a_call();
    scenario.discussions(&["guard", "1-0000000000000000-"]).code(0);
    // The beginning of a mark would end the calls of all runs whose marks begin with it.
    let number = run.id().to_string();
    for part in
        ["", "1", "1-0-", "1-0000000000000000", &number, &number[..1], &format!("{number}-")]
    {
        scenario.discussions(&["guard", part]).code(2).notes("is not the mark of a run");
    }
    assert!(pids.iter().all(|pid| is_alive(pid)), "{pids:?}");
    kill(Pid::from_raw(run.id().try_into().unwrap()), Signal::SIGKILL).unwrap();
    run.wait().unwrap();
    wait_until(|| !pids.iter().any(|pid| is_alive(pid)));
}

#[test]
fn folder_of_a_killed_run_is_removed_by_the_next_run() {
    let (scenario, mut run, pids) = run_during_a_call();
    let temporary = scenario.path("../home/.cache/discussions/temporary");
    let count = || std::fs::read_dir(&temporary).unwrap().count();
    kill(Pid::from_raw(run.id().try_into().unwrap()), Signal::SIGKILL).unwrap();
    run.wait().unwrap();
    wait_until(|| !pids.iter().any(|pid| is_alive(pid)));
    assert!(count() > 0, "nothing removes it at once");
    let quick = "providers:\n  - {name: quick, command: echo Fine.}\n";
    scenario.write("providers.yaml", quick.as_bytes());
    scenario.discussions(&["turn", "queue", "@architect", "--provider", "quick"]).code(0);
    assert_eq!(count(), 0);
}
