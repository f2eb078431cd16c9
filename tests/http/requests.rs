//! Requests to each service, and the parsing of its responses.

use discussions::provider::{ProviderKind, Registry, Usage};
use serde_json::{Value, json};

use super::fake::{Fake, stream};
use super::recordings::ALL;
use super::{KEY, ask, provider};

const PREFIX: &str = "# Tea\n\n<!-- TURN: 1 -->\n\nName: A\n\nTea.\n\n<!-- TURN: 2 -->\n\n";
const TAIL: &str = "You are B. What do you say?\n";

#[tokio::test]
async fn responses_of_every_service_are_read_completely() {
    for (api, recorded) in ALL {
        for size in [1, 7, 100_000] {
            let fake = Fake::repeating(stream(recorded, size));
            let definition = format!(
                "{{name: own, api: {api}, model: m, url: '{}', key: PLANTED_KEY}}",
                fake.url()
            );
            let reply = ask(provider(&definition).as_ref(), [PREFIX, TAIL]).await.unwrap();
            assert_eq!(reply.text, "Café first.", "{api}");
            let usage = reply.usage.unwrap();
            let cached = if api == "ollama" { 0 } else { 4800 };
            let wanted = Usage {
                input_tokens: 5120,
                cached_input_tokens: cached,
                written_input_tokens: if api == "anthropic" { 300 } else { 0 },
                output_tokens: 410,
            };
            assert_eq!(usage, wanted, "{api}");
            assert_eq!(reply.finish.as_deref(), Some("stop"), "{api}");
            assert_eq!(reply.usd.amount().is_some(), api == "openrouter", "{api}");
            assert!(reply.model.is_some(), "{api}");
            assert_eq!(reply.warnings, Vec::<String>::new(), "{api}");
        }
    }
}

#[tokio::test]
async fn every_service_gets_requests_in_its_own_format() {
    let mut asked = String::new();
    for (api, recorded) in ALL {
        let fake = Fake::repeating(stream(recorded, 1000));
        let definition = format!(
            "{{name: own, api: {api}, model: m-1, url: '{}', key: PLANTED_KEY, max_tokens: 900, temperature: 0.5}}",
            fake.url()
        );
        ask(provider(&definition).as_ref(), [PREFIX, TAIL]).await.unwrap();
        let question = &fake.requests()[0];
        asked.push_str(&format!("== {api}\n{}\n", question.line));
        for (name, value) in &question.headers {
            if !matches!(name.as_str(), "host" | "content-length" | "user-agent") {
                asked.push_str(&format!("{name}: {value}\n"));
            }
        }
        asked.push_str(&format!("{:#}\n\n", question.body));
        assert_eq!(question.raw.matches(KEY).count(), 1, "{api}: the key goes into one header");
    }
    insta::assert_snapshot!(asked);
}

/// Sends a request for a definition and returns the value at this place of its body.
async fn value_in_request(definition: &str, recorded: &str, pointer: &str) -> Option<Value> {
    let fake = Fake::repeating(stream(recorded, 1000));
    let definition = definition.replace("URL", &fake.url());
    ask(provider(&definition).as_ref(), [PREFIX, TAIL]).await.unwrap();
    fake.requests()[0].body.pointer(pointer).cloned()
}

#[tokio::test]
async fn effort_is_sent_without_a_temperature() {
    for (api, recorded) in ALL {
        let (at, word) = match api {
            "openai-responses" => ("/reasoning/effort", json!("low")),
            "anthropic" => ("/output_config/effort", json!("low")),
            "gemini" => ("/generationConfig/thinkingConfig/thinkingLevel", json!("LOW")),
            "ollama" => continue,
            _ => ("/reasoning_effort", json!("low")),
        };
        let definition =
            format!("{{name: own, api: {api}, model: m, url: 'URL', effort: low, temperature: 1}}");
        assert_eq!(value_in_request(&definition, recorded, at).await, Some(word), "{api}");
        assert_eq!(value_in_request(&definition, recorded, "/temperature").await, None, "{api}");
        let nested = value_in_request(&definition, recorded, "/generationConfig/temperature").await;
        assert_eq!(nested, None, "{api}");
    }
}

#[tokio::test]
async fn request_without_key_sends_none_and_always_limits_length() {
    for (api, recorded) in ALL {
        let fake = Fake::repeating(stream(recorded, 1000));
        let definition = format!("{{name: own, api: {api}, model: m, url: '{}'}}", fake.url());
        ask(provider(&definition).as_ref(), [PREFIX, TAIL]).await.unwrap();
        let question = &fake.requests()[0];
        for header in ["authorization", "x-api-key", "x-goog-api-key"] {
            assert_eq!(question.header(header), None, "{api}");
        }
        assert!(question.raw.contains("8192"), "{api}: {}", question.raw);
        assert!(!question.raw.contains("temperature"), "{api}");
    }
}

#[tokio::test]
async fn service_without_a_model_uses_its_first_model() {
    let fake = Fake::new(|_, asked| {
        vec![super::fake::Step::Send(match asked.line.as_str() {
            "GET /v1/api/tags" => {
                let list = r#"{"models":[{"name":"llama3.2:3b"},{"name":"b"}]}"#;
                super::fake::plain("200 OK", "", list)
            }
            _ => stream(super::recordings::OLLAMA, 50),
        })]
    });
    let definition = format!("{{name: own, api: ollama, url: '{}'}}", fake.url());
    let own = provider(&definition);
    ask(own.as_ref(), [PREFIX, TAIL]).await.unwrap();
    assert_eq!(fake.requests()[1].body["model"], "llama3.2:3b");
}

#[test]
fn each_preset_has_its_address_key_and_model() {
    let registry = Registry::built_in().unwrap();
    let mut table = String::new();
    for entry in registry.entries() {
        if let ProviderKind::Http(http) = &entry.definition.kind {
            table.push_str(&format!(
                "{}: {} {} {}\n",
                entry.definition.common.name,
                http.url,
                http.key.as_deref().unwrap_or("-"),
                http.model.as_deref().unwrap_or("-"),
            ));
        }
    }
    insta::assert_snapshot!(table);
}
