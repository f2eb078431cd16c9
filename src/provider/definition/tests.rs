use super::*;
use crate::provider::DEFAULT_TIMEOUT;
use crate::yaml;

fn read(text: &str) -> Result<Definition, String> {
    yaml::read(text, "providers.yaml").map_err(|error| error.to_string())
}

#[test]
fn a_short_definition_has_sensible_defaults() {
    let definition = read("{name: Claude, command: claude -p}").unwrap();
    assert_eq!(definition.name.as_str(), "claude");
    assert_eq!(definition.kind, Kind::Command("claude -p".to_owned()));
    assert_eq!(definition.timeout.get(), DEFAULT_TIMEOUT);
    assert_eq!(definition.retries, DEFAULT_RETRIES);
    assert_eq!(definition.output_limit, 1024 * 1024);
    assert_eq!(definition.workdir, Workdir::Empty);
    assert_eq!(definition.price, None);
}

#[test]
fn timeouts_are_bounded_and_written_with_a_unit() {
    let timeout = |text: &str| {
        read(&format!("{{name: a, command: a, timeout: {text}}}")).map(|d| d.timeout.to_string())
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
    assert!(error.contains("timeuot") && error.contains("providers.yaml:3"), "{error}");
}
