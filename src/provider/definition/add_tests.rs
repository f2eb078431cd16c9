use super::*;

fn new(name: &str, keys: &[(&'static str, &str)]) -> NewProvider {
    let keys = keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    NewProvider::with_name(name, keys).unwrap()
}

#[test]
fn definition_is_appended_and_nothing_else_changes() {
    let local = new(
        "local",
        &[("api", "openai"), ("url", "http://127.0.0.1:8000/v1/"), ("model", "qwen3")],
    );
    let first = local.added_to("", "p").unwrap();
    assert_eq!(
        first,
        "providers:\n  - name: local\n    api: openai\n    url: \"http://127.0.0.1:8000/v1/\"\n    model: qwen3\n"
    );
    let text = format!("# Mine.\n{first}\n\n");
    let second = new("b", &[("api", "groq")]).added_to(&text, "p").unwrap();
    assert_eq!(second, format!("# Mine.\n{first}  - name: b\n    api: groq\n"));
    assert!(local.added_to(&second, "p").unwrap_err().to_string().contains("already"));
    assert!(new("c", &[("api", "groq")]).added_to("# Nothing yet.\n", "p").is_ok());
    assert!(new("c", &[("api", "groq")]).added_to("providers:\n", "p").is_ok());
}

#[test]
fn definition_that_cannot_be_written_or_read_is_refused() {
    for (text, keys) in [
        ("providers: [{name: a, api: groq}]\n", [("api", "groq")]),
        ("providers: []\n", [("api", "groq")]),
        ("providers:\n- name: a\n  api: groq\n", [("api", "groq")]),
        ("", [("api", "nobody")]),
        ("no yaml: [", [("api", "groq")]),
    ] {
        assert!(new("c", &keys).added_to(text, "p").is_err(), "{text}");
    }
    let error = new("c", &[("api", "nobody")]).added_to("", "p").unwrap_err();
    assert_eq!((error.line, &*error.source_line), (0, ""), "the file has no such line");
    assert!(error.to_string().starts_with("provider `c`: unknown api `nobody`; "), "{error}");
}

#[test]
fn names_contain_no_blanks_or_slashes() {
    assert_eq!(ProviderName::parse("Claude-Sonnet").unwrap().as_str(), "claude-sonnet");
    assert!(ProviderName::parse("gpt-5.1").is_ok());
    for bad in ["", "-x", "two words", "a/b", "a=b", &"x".repeat(65)] {
        assert!(ProviderName::parse(bad).is_err(), "{bad:?}");
    }
}
