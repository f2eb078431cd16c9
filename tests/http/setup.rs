//! The first steps of a user who has a key and nothing else.

use super::KEY;
use super::fake::{Fake, Step, plain, stream};
use super::recordings::CHAT;
use crate::cli::scenario::Scenario;

#[test]
fn user_defined_provider_is_added_and_answers() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = Scenario::with_discussion().alone().env("MY_KEY", KEY);
    let url = fake.url();
    let args = [
        "providers",
        "add",
        "local",
        "--api",
        "openai",
        "--url",
        &url,
        "--model",
        "qwen3",
        "--key",
        "MY_KEY",
    ];
    let added = scenario.discussions(&args).code(0);
    assert!(added.stdout.starts_with("Added local: "), "{}", added.stdout);
    scenario.discussions(&args).code(3).stderr().contains("already").then_some(()).unwrap();
    let checked = scenario.discussions(&["providers", "check", "local", "--ping"]).code(0);
    assert!(
        checked.stdout.contains("answers") && !checked.stdout.contains("claude"),
        "{}",
        checked.stdout
    );
    assert!(checked.stderr().contains("local: "), "{}", checked.stderr());
    // No other provider can answer, so the user need not name it.
    scenario.discussions(&["turn", "caching", "@architect"]).code(0);
    assert!(scenario.read("discussions/caching.md").contains("provider: local"));
    scenario.discussions(&["turn", "caching", "@architect", "--provider", "local:other"]).code(0);
    assert_eq!(fake.requests().last().unwrap().body["model"], "other");
    scenario
        .discussions(&["new", "Which", "-p", "architect=local:third", "--template", "feature"])
        .code(0);
    scenario.discussions(&["turn", "which", "@architect"]).code(0);
    assert_eq!(fake.requests().last().unwrap().body["model"], "third");
}

#[test]
fn key_makes_its_service_ready_and_service_aliases_work() {
    let scenario = Scenario::new().alone().env("XAI_API_KEY", KEY);
    let checked = scenario.discussions(&["providers", "check", "--all"]).code(0).stdout;
    let line = |name: &str| checked.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    // A key may be wrong; only a call can tell.
    assert!(
        line("xai ").contains("unknown  XAI_API_KEY is set, for api.x.ai; `discussions doctor xai"),
        "{checked}"
    );
    scenario.discussions(&["providers", "check", "xai"]).code(0);
    assert!(line("openai ").contains("OPENAI_API_KEY is not set"), "{checked}");
    let added = scenario.discussions(&["providers", "add", "groq"]).code(0);
    assert!(added.stderr().contains("`GROQ_API_KEY` is not set"), "{}", added.stderr());
}

#[test]
fn unknown_service_is_refused_without_a_file_position() {
    let scenario = Scenario::new().alone();
    let run = scenario.discussions(&["providers", "add", "mine"]).code(3);
    assert!(
        run.stderr().starts_with("error: provider `mine`: unknown api `mine`; known: openai,"),
        "{}",
        run.stderr()
    );
    assert!(run.stderr().contains("help: --api names the service"), "{}", run.stderr());
    assert!(!run.stderr().contains("providers.yaml"), "{}", run.stderr());
}

#[test]
fn help_for_a_local_model_names_the_configured_model() {
    let scenario = Scenario::new().alone();
    let added = scenario
        .discussions(&["providers", "add", "local", "--api", "ollama", "--model", "llama3.2"])
        .code(0);
    assert!(added.stderr().contains("run `ollama pull llama3.2`"), "{}", added.stderr());
    let check = scenario.discussions(&["providers", "check", "ollama"]).code(4);
    assert!(check.stdout.contains("run `ollama pull qwen3`"), "{}", check.stdout);
}

#[test]
fn user_without_any_provider_is_told_every_option() {
    let scenario = Scenario::new().alone().file("discussions.yaml", "author: Rob\n");
    let run = scenario.discussions(&["discuss", "Which?"]).code(4);
    for way in ["log in", "OPENAI_API_KEY", "Ollama", "opencode-pickle", "--provider mock"] {
        assert!(run.stderr().contains(way), "{way}: {}", run.stderr());
    }
}

#[test]
fn shared_failure_reason_is_printed_once() {
    let fake =
        Fake::repeating(plain("401 Unauthorized", "", r#"{"error":{"message":"no such key"}}"#));
    let own =
        format!("providers:\n  - {{name: own, api: openai, model: m, url: '{}'}}\n", fake.url());
    let scenario = Scenario::with_discussion().alone();
    scenario.write("../config/providers.yaml", own.as_bytes());
    let args = ["turn", "caching", "@architect", "@security", "@pragmatist"];
    let run = scenario.discussions(&args).code(4);
    assert_eq!(run.stderr().matches("no such key").count(), 1, "{}", run.stderr());
    assert_eq!(
        run.stderr().matches("could not answer (unauthorized), for the same reason as AI-").count(),
        2,
        "{}",
        run.stderr()
    );
    // The file records the failure of each participant.
    assert_eq!(scenario.read("discussions/caching.md").matches("no such key").count(), 3);
}

#[test]
fn unavailable_provider_is_called_and_reported_once_per_run() {
    let fake = Fake::new(|_, asked| {
        let refused = r#"{"error":{"message":"no such key"}}"#;
        vec![Step::Send(match asked.body["model"].as_str() {
            Some("shut") => plain("401 Unauthorized", "", refused),
            _ => stream(CHAT, 1000),
        })]
    });
    let url = fake.url();
    let own = format!(
        "providers:\n  - {{name: shut, api: openai, model: shut, url: '{url}'}}\n  - {{name: open, api: openai, model: open, url: '{url}'}}\n"
    );
    let scenario = Scenario::new()
        .alone()
        .file("discussions.yaml", "author: Rob\nproviders: {default: shut, fallback: [open]}\n")
        .file(
            "d.md",
            "<!-- DISCUSSION\ntemplate: round-robin\nparticipants: [architect]\nparams: {rounds: 3}\n-->\n\n# D\n\n## Context\nText.\n",
        );
    scenario.write("../config/providers.yaml", own.as_bytes());
    let of = |model: &str| fake.requests().iter().filter(|it| it.body["model"] == model).count();
    for (code, shut, open) in [(1, 1, 2), (0, 2, 4)] {
        let run = scenario.discussions(&["run", "d", "--max-turns", "2"]).code(code);
        assert_eq!((of("shut"), of("open")), (shut, open), "{}", run.stderr());
        assert_eq!(run.stderr().matches("no such key").count(), 1, "{}", run.stderr());
    }
    // The provider that was called in vain is recorded with the answer that it delayed, and with no other.
    assert_eq!(scenario.read("d.md").matches("tried: [shut]").count(), 2);
}
