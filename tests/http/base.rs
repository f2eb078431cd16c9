//! Addresses of services from the user's environment, as in the vendors' own programs.

use super::fake::{Fake, stream};
use super::recordings::{CHAT, MESSAGES};
use crate::cli::scenario::Scenario;

fn scenario(variable: &str, url: &str) -> Scenario {
    let scenario =
        Scenario::new().env("OPENAI_API_KEY", "sk-test").env("ANTHROPIC_API_KEY", "sk-test");
    scenario.env(variable, url).file("d.md", "# D\n\n## Context\nText.\n")
}

#[test]
fn price_at_another_address_is_unknown() {
    let scenario = scenario("OPENAI_BASE_URL", "https://gateway.example.org/v1");
    let args = ["discuss", "Why?", "--provider", "openai", "--max-usd", "1"];
    scenario.discussions(&args).code(1).notes("the price of openai is not known");
}

#[test]
fn plain_http_is_allowed_to_this_machine_only() {
    let scenario = scenario("OPENAI_BASE_URL", "http://gateway.example.org/v1");
    let run = scenario.discussions(&["discuss", "Why?", "--provider", "openai"]).code(4);
    assert!(run.stderr().contains("OPENAI_BASE_URL: "), "{}", run.stderr());
    assert!(run.stderr().contains("use https:// for another one"), "{}", run.stderr());
}

#[test]
fn definition_with_its_own_address_keeps_it() {
    let (other, own) = (Fake::repeating(stream(CHAT, 1000)), Fake::repeating(stream(CHAT, 1000)));
    let scenario = scenario("OPENAI_BASE_URL", &other.url());
    let definition =
        format!("providers:\n  - {{name: own, api: openai, model: m, url: '{}'}}\n", own.url());
    scenario.write("../config/providers.yaml", definition.as_bytes());
    scenario.discussions(&["turn", "d.md", "@architect", "--provider", "own"]);
    assert!(other.requests().is_empty() && !own.requests().is_empty());
}

#[test]
fn address_set_by_project_files_needs_trust_and_is_shown() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    for definition in [
        format!("{{name: theirs, api: openai, model: m, url: '{}'}}", fake.url()),
        format!("{{name: theirs, command: cat, env: {{OPENAI_BASE_URL: '{}'}}}}", fake.url()),
    ] {
        let scenario = scenario("UNUSED", "").distrusting();
        let scenario = scenario
            .file("discussions.yaml", "providers: {default: theirs}\n")
            .file("providers.yaml", &format!("providers:\n  - {definition}\n"));
        let run = scenario.discussions(&["turn", "d.md", "@architect"]).code(3);
        assert!(run.stderr().contains("you have not trusted it"), "{}", run.stderr());
        let asked = scenario.at_terminal(&["trust"], "n\n").code(1);
        let host = format!("127.0.0.1:{}", fake.port);
        assert!(asked.stdout.contains(&host), "{}", asked.stdout);
    }
    assert!(fake.requests().is_empty());
}

#[test]
fn grok_is_an_alias_of_xai() {
    let scenario = Scenario::new().env("XAI_API_KEY", "xai-test");
    scenario.discussions(&["providers", "check", "grok"]).code(0).says("xai");
    let run = scenario.discussions(&["new", "G", "-c", "Why?", "-p", "grok,mock"]).code(0);
    assert!(!run.stderr().contains("did you mean"), "{}", run.stderr());
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn base_url_from_the_environment_is_used_and_shown() {
        for (variable, provider, recorded, path) in [
            ("OPENAI_BASE_URL", "openai:gpt-4o", CHAT, "/v1/chat/completions"),
            ("ANTHROPIC_BASE_URL", "anthropic", MESSAGES, "/v1/messages"),
        ] {
            let fake = Fake::repeating(stream(recorded, 1000));
            // The variable of OpenAI contains the whole address, that of Anthropic only the host.
            let below = if variable == "OPENAI_BASE_URL" { "v1/" } else { "" };
            let host = format!("127.0.0.1:{}", fake.port);
            let scenario = scenario(variable, &format!("http://{host}/{below}"));
            let run = scenario.discussions(&["discuss", "Why?", "--provider", provider, "-r", "1"]);
            let asked = fake.requests();
            assert!(
                !asked.is_empty() && asked[0].line.contains(path),
                "{provider}: {asked:?} {}",
                run.stderr()
            );
            assert!(
                run.stderr().contains(&format!("is called at {host} ({variable})")),
                "{}",
                run.stderr()
            );
            let name = provider.split(':').next().unwrap();
            scenario.discussions(&["providers", "check", name]).code(0).says(&host);
        }
    }
}
