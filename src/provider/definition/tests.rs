use super::*;
use crate::provider::{DEFAULT_TIMEOUT, Layer, Registry, Workdir};

fn read(text: &str) -> Result<Definition, String> {
    let indented = text.trim_end().replace('\n', "\n    ");
    let mut registry = Registry::built_in().unwrap();
    registry
        .add(&format!("providers:\n  - {indented}\n"), Layer::User("providers.yaml".into()))
        .map_err(|error| error.to_string())?;
    let own = registry.entries().iter().find(|entry| entry.line == 2).unwrap();
    Ok(own.definition.clone())
}

#[test]
fn a_short_definition_has_sensible_defaults() {
    let definition = read("{name: Claude, command: claude -p}").unwrap();
    assert_eq!(definition.common.name.as_str(), "claude");
    assert_eq!(definition.common.timeout.get(), DEFAULT_TIMEOUT);
    assert_eq!(definition.common.retries, DEFAULT_RETRIES);
    assert_eq!(definition.common.price, None);
    let Kind::Command(command) = definition.kind else { panic!("no command") };
    assert_eq!(command.line, "claude -p");
    assert_eq!(command.output_limit, 1024 * 1024);
    assert_eq!(command.workdir, Workdir::Empty);
}

#[test]
fn timeouts_are_bounded_and_written_with_a_unit() {
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
fn exactly_one_thing_answers() {
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
        "{name: a, command: b, price: {input: -1, output: 1}}",
        "{name: a, command: b, price: {input: 1}}",
    ] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn an_unknown_key_is_named_with_its_place() {
    let error = read("name: a\ncommand: b\ntimeuot: 9s\n").unwrap_err();
    assert!(error.contains("timeuot") && error.contains("providers.yaml:4"), "{error}");
}

#[test]
fn what_only_a_command_has_cannot_be_written_for_another_kind() {
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
            let said = format!("`{word}` belongs to a `command` and means nothing for `{what}`");
            assert!(error.contains(&said) && error.contains("providers.yaml:4:"), "{error}");
        }
        assert!(read(&format!("name: a\ncommand: b\n{key}\n")).is_ok(), "{key}");
    }
}
