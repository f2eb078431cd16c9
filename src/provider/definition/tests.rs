use super::*;
use crate::provider::{DEFAULT_TIMEOUT, Layer, Registry, Workdir};

fn read(text: &str) -> Result<ProviderDefinition, String> {
    let indented = text.trim_end().replace('\n', "\n    ");
    let mut registry = Registry::built_in().unwrap();
    registry
        .add(&format!("providers:\n  - {indented}\n"), Layer::User("providers.yaml".into()))
        .map_err(|error| error.to_string())?;
    let own = registry.entries().iter().find(|entry| entry.line == 2).unwrap();
    Ok(own.definition.clone())
}

#[test]
fn short_definition_has_sensible_defaults() {
    let definition = read("{name: Claude, command: claude -p}").unwrap();
    assert_eq!(definition.common.name.as_str(), "claude");
    assert_eq!(definition.common.timeout.get(), DEFAULT_TIMEOUT);
    assert_eq!(definition.common.retries, DEFAULT_RETRIES);
    assert_eq!(definition.common.price, None);
    let ProviderKind::Command(command) = definition.kind else { panic!("no command") };
    assert_eq!(command.line, "claude -p");
    assert_eq!(command.output_limit, 1024 * 1024);
    assert_eq!(command.workdir, Workdir::Empty);
}

#[test]
fn timeouts_are_limited_and_written_with_a_unit() {
    let timeout = |text: &str| {
        read(&format!("{{name: a, command: a, timeout: {text}}}"))
            .map(|d| d.common.timeout.to_string())
    };
    assert_eq!(timeout("90s").unwrap(), "90s");
    assert_eq!(timeout("2m").unwrap(), "120s");
    assert_eq!(timeout("45").unwrap(), "45s");
    assert_eq!(timeout("1h").unwrap(), "1h");
    for bad in ["4s", "61m", "soon", "-1", "99999999999s"] {
        assert!(timeout(bad).is_err(), "{bad}");
    }
}

#[test]
fn definition_needs_exactly_one_kind() {
    assert!(read("{name: a, builtin: mock}").is_ok());
    assert!(read("{name: a, script: answers.yaml}").is_ok());
    for bad in [
        "{name: a}",
        "{name: a, command: b, builtin: mock}",
        "{name: a, builtin: gpt}",
        "{name: a, command: ''}",
        "{name: a, command: 'b \"c'}",
        "{name: a, command: b, retries: 6}",
        "{name: a, command: b, output_limit: 0}",
        "{name: a, command: b, max_tokens: 0}",
        "{name: a, builtin: mock, max_tokens: 5}",
        "{name: a, command: b, price: {input: -1, output: 1}}",
        "{name: a, command: b, price: {input: 1}}",
    ] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn unknown_key_is_named_with_its_place() {
    let error = read("name: a\ncommand: b\ntimeuot: 9s\n").unwrap_err();
    assert!(error.contains("timeuot") && error.contains("providers.yaml:4"), "{error}");
}

#[test]
fn keys_of_a_command_are_refused_for_other_kinds() {
    for key in [
        "install: get it",
        "output_limit: 9",
        "output: {format: json, text: /a}",
        "workdir: project",
        "env: {A: b}",
    ] {
        let word = key.split(':').next().unwrap();
        for kind in ["script: a.yaml", "builtin: mock"] {
            let what = kind.split(':').next().unwrap();
            let error = read(&format!("name: a\n{kind}\n{key}\n")).unwrap_err();
            let said = format!("`{word}` works only with a `command`, not with `{what}`");
            assert!(error.contains(&said) && error.contains("providers.yaml:4:"), "{error}");
        }
        assert!(read(&format!("name: a\ncommand: b\n{key}\n")).is_ok(), "{key}");
    }
}

fn http(text: &str) -> crate::provider::HttpDefinition {
    let ProviderKind::Http(http) = read(text).unwrap().kind else { panic!("no service") };
    *http
}

#[test]
fn service_starts_from_its_preset() {
    let own = http("{name: a, api: anthropic, effort: low, max_tokens: 4096, concurrency: 2}");
    assert_eq!(own.key.as_deref(), Some("ANTHROPIC_API_KEY"));
    assert_eq!(own.url.to_string(), "https://api.anthropic.com/v1/");
    assert_eq!((own.max_tokens, own.concurrency), (4096, 2));
    let priced = read("{name: a, api: anthropic}").unwrap().common.price;
    assert_eq!(priced.unwrap().cached, Some(0.2));
}

#[test]
fn key_of_a_preset_is_sent_only_to_its_host() {
    let own = http("{name: a, api: openai, url: 'https://models.example.org/v1', model: m}");
    assert_eq!(own.key, None);
    assert_eq!(own.model.as_deref(), Some("m"));
    let text = "{name: a, api: openai, url: 'https://models.example.org/v1', model: m}";
    assert_eq!(read(text).unwrap().common.price, None);
    let named = http("{name: a, api: openai, url: 'https://b.example/', model: m, key: B_KEY}");
    assert_eq!(named.key.as_deref(), Some("B_KEY"));
}

#[test]
fn invalid_service_is_refused_with_its_place() {
    for (text, words) in [
        ("{name: a, api: opnai}", "did you mean `openai`?"),
        ("{name: a, api: openai, url: 'http://example.org/', model: m}", "use https://"),
        ("{name: a, api: openai, url: 'https://example.org/'}", "also needs a `model`"),
        ("{name: a, api: openai, model: 'a b'}", "is not a valid name of a model"),
        ("{name: a, api: openai, max_tokens: 0}", "`max_tokens` must be 1 to"),
        ("{name: a, api: openai, concurrency: 65}", "`concurrency` must be 1 to 64"),
        ("{name: a, api: openai, temperature: 2.1}", "the temperature must be 0 to 2"),
        ("{name: a, api: openai, effort: huge}", "huge"),
        ("{name: a, api: ollama, effort: low}", "`effort` has no effect for `ollama`"),
        ("{name: a, api: openai, command: b}", "exactly one of"),
        ("{name: a, api: openai, env: {A: b}}", "`env` works only with a `command`"),
        ("{name: a, command: b, model: m}", "`model` works only with an `api`"),
        (
            "{name: a, command: b, budget: --usd}",
            "`budget` must be words of a command that contain `{max_usd}`",
        ),
        ("{name: a, api: openai, budget: '{max_usd}'}", "`budget` works only with a `command`"),
        ("{name: a, command: b, with_model: c}", "`with_model` must be a command that contains"),
        ("{name: a, builtin: mock, key: K}", "`key` works only with an `api`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
    let error = read("{name: a, api: openai, key: sk-1234-secret}").unwrap_err();
    let told = error.lines().next().unwrap();
    assert!(told.contains("not the key itself") && !told.contains("sk-1234"), "{error}");
}
