//! Searches all output and all files for the keys of every service and a proxy's password, in whatever text they are repeated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use discussions::provider::Registry;

use super::fake::{Fake, Step, plain, stream};
use super::recordings::CHAT;
use super::trust::all_files;
use crate::cli::scenario::Scenario;

/// Part of every planted secret; the output shows `[key]` instead.
const PLANTED: &str = "planted-5e4d";

/// Every service that is known by name.
const SERVICES: [&str; 11] = [
    "openai",
    "openai-responses",
    "anthropic",
    "google",
    "openrouter",
    "xai",
    "qwen",
    "glm",
    "deepseek",
    "mistral",
    "groq",
];

/// A program that prints all it knows: in its answer, in an error as JSON, and in its last words.
const TALKS: &str = r#"#!/bin/sh
cat > /dev/null
case "$DISCUSSIONS_PARTICIPANT" in
  architect) env; ;;
  security) printf '{"error":{"message":"invalid api key %s through %s"}}' "$OPENAI_API_KEY" "$HTTPS_PROXY"; exit 1 ;;
  *) env >&2; exit 3 ;;
esac
"#;

/// Services that repeat the request in their error message: on this machine, and behind a proxy that does so too.
pub(crate) fn scenario() -> (Scenario, Fake) {
    let asked = Arc::new(AtomicUsize::new(0));
    let fake = Fake::new(move |_, request| {
        if request.line.starts_with("CONNECT") {
            return vec![Step::Send(plain("407 Proxy Authentication Required", "", &request.raw))];
        }
        let said = request.raw.replace(['"', '\\', '\n', '\r'], " ");
        let body = format!("{{\"error\":{{\"message\":\"you sent {said}\"}}}}");
        vec![Step::Send(match asked.fetch_add(1, Ordering::Relaxed) % 4 {
            0 => plain("401 Unauthorized", "", &body),
            1 => plain("400 Bad Request", "", &format!("<html><title>{said}</title>")),
            2 => plain("200 OK", "", &body),
            _ => stream(&CHAT.replace("first.", &said[..said.len().min(900)]), 7),
        })]
    });
    let mut scenario = Scenario::with_discussion()
        .program("talks", TALKS)
        .file("plan.md", "# Plan\n\nShip it.\n")
        .file("discussions.yaml", "author: Rob\nproviders: {default: near-openai, fallback: []}\n")
        .env("HTTPS_PROXY", &format!("http://me:pw-{PLANTED}@127.0.0.1:{}", fake.port));
    let mut own = "providers:\n  - {name: talks, command: talks, retries: 0}\n".to_owned();
    for key in Registry::built_in().unwrap().keys() {
        scenario = scenario.env(&key, &format!("sk-{PLANTED}-{}", key.to_lowercase()));
    }
    for service in SERVICES {
        let key = match service {
            "openai" | "openai-responses" => "OPENAI_API_KEY",
            "anthropic" => "ANTHROPIC_API_KEY",
            "google" => "GEMINI_API_KEY",
            "openrouter" => "OPENROUTER_API_KEY",
            "xai" => "XAI_API_KEY",
            "qwen" => "DASHSCOPE_API_KEY",
            "glm" => "ZAI_API_KEY",
            "deepseek" => "DEEPSEEK_API_KEY",
            "mistral" => "MISTRAL_API_KEY",
            _ => "GROQ_API_KEY",
        };
        own.push_str(&format!(
            "  - {{name: far-{service}, api: {service}, model: m, key: {key}, retries: 0}}\n  \
               - {{name: near-{service}, api: {service}, model: m, key: {key}, retries: 0, url: '{}'}}\n",
            fake.url()
        ));
    }
    scenario.write("../config/providers.yaml", own.as_bytes());
    (scenario, fake)
}

/// Checks that no planted secret is in the output or in any file: discussions, journals, stored consents and runs.
#[track_caller]
pub(crate) fn nowhere(scenario: &Scenario, said: &str) {
    let at = |text: &str| text.find(PLANTED).map(|at| text[at.saturating_sub(200)..at].to_owned());
    assert_eq!(at(&said.replace("\\n", "\n")), None, "it is said");
    // `me:pw-planted-5e4d` as the proxy receives it.
    assert!(!said.contains("bWU6cHctcGxhbnRlZC01ZTRk"), "{said}");
    let mut files = Vec::new();
    all_files(&scenario.path(".."), &mut files);
    assert!(files.iter().any(|(path, _)| path.ends_with(".journal")), "journals were looked at");
    for (path, bytes) in files {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(PLANTED), "{path}: {text}");
    }
}

/// Returns all that a command prints.
fn output(scenario: &Scenario, args: &[&str]) -> String {
    let run = scenario.discussions(args).with_any_code();
    format!("{}{}", run.stdout, run.stderr())
}

#[test]
fn keys_that_two_services_and_a_program_repeat_are_hidden() {
    let (scenario, fake) = scenario();
    let said: String = [
        &["turn", "caching", "@architect", "--provider", "far-openai", "--json"][..],
        &["turn", "caching", "@all", "--provider", "near-anthropic", "--events", "-v"],
        &["turn", "caching", "@all", "--provider", "talks"],
        &["show", "caching"],
    ]
    .iter()
    .map(|args| output(&scenario, args))
    .collect();
    let shown = fake.requests().iter().filter(|asked| asked.raw.contains(PLANTED)).count();
    assert!(shown > 2, "the services were shown their keys: {shown}");
    assert!(said.contains("[key]") && said.contains("PATH="), "{said}");
    nowhere(&scenario, &said);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn keys_and_passwords_appear_in_no_output_or_file() {
        let keys = Registry::built_in().unwrap().keys();
        assert!(keys.len() >= 10, "every service's key is planted: {}", keys.len());
        let (scenario, fake) = scenario();
        let mut said = String::new();
        let mut add = |args: &[&str]| said.push_str(&output(&scenario, args));
        for service in SERVICES {
            let (far, near) = (format!("far-{service}"), format!("near-{service}"));
            add(&["turn", "caching", "@architect", "--provider", &far, "--json"]);
            add(&["turn", "caching", "@all", "--provider", &near, "--events", "-v"]);
        }
        for form in [&[][..], &["--json"], &["--events"], &["-v"]] {
            let with = |args: &[&'static str]| [args, form].concat();
            add(&with(&["turn", "caching", "@all", "--provider", "talks"]));
            add(&with(&["run", "caching", "--provider", "near-groq"]));
            add(&with(&["discuss", "Which?", "--provider", "near-xai"]));
            add(&with(&["review", "plan.md", "--provider", "near-qwen"]));
        }
        for args in [
            &["providers", "list", "--json"][..],
            &["providers", "check", "--ping", "--json"],
            &["providers", "show", "near-openai"],
            &["trust", "--list"],
            &["status", "caching", "--json"],
            &["show", "caching"],
            &["show", "caching", "--json"],
            &["result", "caching", "--json"],
            &["export", "caching", "--html"],
            &["search", "PLANTED"],
            &["check", "."],
            &["run", "caching", "--provider", "sk-none"],
            &["list", "--json"],
        ] {
            add(args);
        }
        assert!(fake.requests().len() > 40, "{}", fake.requests().len());
        let shown = fake.requests().iter().filter(|asked| asked.raw.contains(PLANTED)).count();
        assert!(shown > 30, "the services were shown their keys: {shown}");
        assert!(
            said.contains("[key]") && said.contains("PATH="),
            "whoever repeats a key is heard without it"
        );
        nowhere(&scenario, &said);
    }
}
