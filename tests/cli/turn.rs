//! `discussions turn`: prompts, answers, events and interruptions.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use super::scenario::{CLAUDE, Scenario, keys};

#[test]
fn only_named_participants_are_asked() {
    let scenario = Scenario::with_discussion();
    let turn = scenario.discussions(&[
        "turn",
        "caching",
        "AI-Security",
        "@designer",
        "--provider",
        "mock",
    ]);
    let turn = turn.code(0).says("Discussion updated with 2 new comments.\n");
    let done = |name: &str| turn.stderr().contains(&format!("\n✓ {name}  mock  "));
    assert!(done("AI-Security") && done("AI-Designer"), "{}", turn.stderr());
    scenario
        .discussions(&["turn", "caching", "@all", "--provider", "mock"])
        .code(0)
        .says("Discussion updated with 3 new comments.\n");
}

#[test]
fn question_is_recorded_as_a_comment_of_its_author() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&[
            "turn",
            "caching",
            "@security",
            "--ask",
            "What about TLS?",
            "--provider",
            "mock",
        ])
        .code(0);
    let text = scenario.read("discussions/caching.md");
    let question = text.split("Name: Rob\n<!-- SAID at: ").nth(1).unwrap_or_default();
    assert!(question.contains(" -->\n\nWhat about TLS?\n\n---\n"), "{text}");
    assert!(text.contains("ask: \"What about TLS?\" -->"), "{text}");
    scenario.discussions(&["turn", "caching", "--ask", " "]).code(2);
}

#[test]
fn dry_run_shows_prompts_and_changes_without_writing() {
    let scenario = Scenario::with_discussion();
    let before = scenario.read("discussions/caching.md");
    scenario
        .discussions(&[
            "turn",
            "caching",
            "@security",
            "--ask",
            "Why?",
            "--dry-run",
            "--provider",
            "mock",
        ])
        .code(0)
        .says("Would ask @security through mock; the prompt has ")
        .says("    You are asked:\n")
        .says("    > Why?\n")
        .says("    You are AI-Security (@security), Security specialist.")
        .says("+Name: Rob\n+\n+Why?\n")
        .says("+<!-- TURN: 1, asks: [security], at: ");
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn dry_run_with_json_is_one_document() {
    let scenario = Scenario::with_discussion();
    let before = scenario.read("discussions/caching.md");
    let args = ["turn", "caching", "@security", "--dry-run", "--json", "--provider", "mock"];
    let plan = scenario.discussions(&args).code(0).json();
    assert_eq!(keys(&plan), ["file", "turn", "asks", "appends"]);
    assert_eq!(keys(&plan["asks"][0]), ["participant", "provider", "prompt"]);
    assert_eq!((&plan["file"], &plan["turn"]), (&"discussions/caching.md".into(), &1.into()));
    assert_eq!(plan["asks"][0]["participant"], "security");
    assert_eq!(plan["asks"][0]["provider"], "mock");
    let prompt = plan["asks"][0]["prompt"].as_str().unwrap();
    assert!(prompt.contains("You are AI-Security (@security), Security specialist."), "{prompt}");
    let appends = plan["appends"].as_str().unwrap();
    assert!(appends.contains("<!-- TURN: 1, asks: [security], at: "), "{appends}");
    assert_eq!(scenario.read("discussions/caching.md"), before);
    scenario.discussions(&["turn", "caching", "--dry-run", "--events"]).code(2);
}

#[test]
fn failed_participant_is_named_and_the_others_answer() {
    let scenario = Scenario::with_discussion().file(
        "discussions.yaml",
        "author: Rob\n",
    ).file("providers.yaml", "providers:\n  - {name: broken, command: 'false', retries: 0}\n  - {name: fine, command: 'echo Fine.', retries: 0}\n");
    scenario.discussions(&["new", "Mixed", "-p", "architect=broken,security=fine"]).code(0);
    scenario
        .discussions(&["turn", "mixed"])
        .code(0)
        .says("Discussion updated with 1 new comment.\n")
        .notes("warning: AI-Architect could not answer");
    scenario
        .discussions(&["turn", "mixed", "@architect"])
        .code(4)
        .stdout_lacks("Discussion updated")
        .notes("warning: no participant could answer");
}

#[test]
fn json_has_the_documented_keys() {
    let scenario = Scenario::with_discussion().program("claude", CLAUDE);
    let turn = scenario.discussions(&["turn", "caching", "@architect", "--json"]).code(0).json();
    assert_eq!(keys(&turn), ["file", "turns", "calls", "cost", "stopped", "status"]);
    assert_eq!(
        keys(&turn["calls"][0]),
        [
            "participant",
            "provider",
            "turn",
            "ms",
            "tokens",
            "promptBytes",
            "cachedPrefix",
            "cachedTokens",
            "outcome"
        ]
    );
    assert_eq!(turn["calls"][0]["participant"], "architect");
    assert_eq!(turn["calls"][0]["outcome"], "answered");
    assert_eq!(turn["calls"][0]["tokens"], 1050);
    assert_eq!(turn["status"]["tally"]["CHANGES"], 1);
    assert_eq!(turn["status"]["cost"]["estimatedCostUsd"], 0.01);
}

#[test]
fn events_are_one_json_object_per_line() {
    let scenario = Scenario::with_discussion();
    let turn = scenario
        .discussions(&["turn", "caching", "@architect", "--provider", "mock", "--events"])
        .code(0);
    let events: Vec<serde_json::Value> =
        turn.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .filter(|name| *name != "answer.chunk")
        .collect();
    assert_eq!(
        names,
        [
            "discussion.start",
            "discussion.round.start",
            "turn.start",
            "answer.start",
            "answer.end",
            "turn.end",
            "discussion.round.end",
            "discussion.end"
        ]
    );
    for event in &events {
        assert_eq!(event["file"], "discussions/caching.md");
        assert!(event["at"].as_str().unwrap().ends_with('Z'));
    }
    assert!(
        events
            .iter()
            .filter(|e| e["event"] == "answer.end")
            .all(|e| e["participant"] == "architect")
    );
}

#[test]
fn mistakes_are_reported_with_their_fix() {
    let scenario = Scenario::with_discussion();
    let before = scenario.read("discussions/caching.md");
    let error = |args: &[&str]| scenario.discussions(args).code(3).into_stderr();
    insta::assert_snapshot!(error(&["turn", "caching", "@architct", "--provider", "mock"]), @r"
    error: no participant is called `architct`
    help: did you mean `architect`?
    ");
    insta::assert_snapshot!(error(&["turn", "caching", "--provider", "claud"]), @r"
    error: there is no provider `claud`
    help: did you mean `claude` or `claude-opus`?
    ");
    insta::assert_snapshot!(error(&["turn", "cacheing"]), @r"
    error: cacheing: no such discussion
    help: did you mean `discussions/caching.md`?
    ");
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn interrupted_turn_continues_where_it_stopped() {
    let turn = &["turn", "caching", "@architect"][..];
    for (signal, args) in [("-INT", turn), ("-TERM", turn), ("-INT", &["run", "caching"])] {
        interrupt_and_continue(signal, args);
    }
}

fn interrupt_and_continue(signal: &str, args: &[&str]) {
    // The model program keeps the pipe open until it ends.
    let model = "#!/bin/sh\nexec 3> \"$PIPE\"\necho asked >&3\nsleep 60\necho survived >&3\n";
    let scenario = Scenario::with_discussion()
        .file("discussions.yaml", "")
        .file("providers.yaml", "providers:\n  - {name: stuck, command: stuck-model}\n")
        .program("stuck-model", model);
    let pipe = scenario.path("pipe");
    assert!(scenario.command("mkfifo").arg(&pipe).status().unwrap().success());
    let scenario = scenario.env("PIPE", pipe.to_str().unwrap());
    let child = scenario
        .program_under_test()
        .args(args)
        .args(["--provider", "stuck"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut heard = BufReader::new(File::open(&pipe).unwrap());
    let mut words = String::new();
    heard.read_line(&mut words).unwrap();
    let pid = child.id().to_string();
    assert!(scenario.command("kill").args([signal, &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let end = format!(
        "Stopped. All answers so far are saved; to get the others, continue.\nnext: discussions {} caching \
         --provider stuck\n",
        args[0]
    );
    assert!(stderr.ends_with(&end) && !stderr.contains("warning"), "{stderr}");
    heard.read_to_string(&mut words).unwrap();
    // A run asks all three participants, and may stop before each program has started.
    let alone = args.contains(&"@architect");
    assert!(!words.contains("survived"), "the model program was ended too: {words}");
    assert!(!alone || words == "asked\n", "{words}");
    let wanted = if alone { "1 new comment.\n" } else { "3 new comments.\n" };
    scenario
        .discussions(&["turn", "caching", "--provider", "mock"])
        .code(0)
        .says(&format!("Discussion updated with {wanted}"));
    assert_eq!(scenario.read("discussions/caching.md").matches("<!-- TURN").count(), 1);
}

/// The user can continue a discussion after stopping it, and the JSON says so.
#[test]
fn interrupted_discussion_can_be_continued() {
    let model = "#!/bin/sh\nexec 3> \"$PIPE\"\necho asked >&3\nsleep 60\n";
    let scenario = Scenario::new()
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", "providers:\n  - {name: stuck, command: stuck-model}\n")
        .program("stuck-model", model);
    let pipe = scenario.path("pipe");
    assert!(scenario.command("mkfifo").arg(&pipe).status().unwrap().success());
    let scenario = scenario.env("PIPE", pipe.to_str().unwrap());
    let child = scenario
        .program_under_test()
        .args(["discuss", "Why?", "-p", "architect,security", "--provider", "stuck", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut heard = BufReader::new(File::open(&pipe).unwrap());
    heard.read_line(&mut String::new()).unwrap();
    let pid = child.id().to_string();
    assert!(scenario.command("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["success"], false, "{result}");
    assert_eq!(result["stoppingReason"], "user_abort", "{result}");
    assert_eq!(result["error"]["retryable"], true, "{result}");
    let file = result["file"].as_str().unwrap();
    scenario.discussions(&["run", file, "--provider", "mock"]).code(0);
}

#[test]
fn uncounted_vote_of_a_participant_is_reported() {
    let scenario = Scenario::new()
        .file(
            "providers.yaml",
            "providers:\n  - {name: maybe, command: 'printf \"Hm.\\n\\nVOTE: MAYBE\"'}\n",
        )
        .file("discussions.yaml", "author: Rob\n");
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario
        .discussions(&["turn", "caching", "@architect", "--provider", "maybe"])
        .code(0)
        .notes("`MAYBE` is not an option, so this vote is not counted");
}

#[test]
fn vote_that_is_not_an_option_is_reported_once() {
    let answer = "providers:\n  - {name: maybe, command: 'printf \"Hm.\\n\\nVOTE: MAYBE\"'}\n";
    let scenario = Scenario::new().file("providers.yaml", answer).file("discussions.yaml", "");
    let new =
        ["new", "V", "-t", "voting", "-p", "architect,security", "--set", "options=queue,cron"];
    scenario.discussions(&new).code(0);
    let run =
        scenario.discussions(&["run", "v", "--provider", "maybe", "--max-turns", "1"]).code(1);
    let told = run.notes("`MAYBE` is not an option").into_stderr();
    assert!(!told.contains("no `VOTE: ...`"), "{told}");
}
