//! Parses heads that the program wrote without a YAML parser. For a list of ten thousand short discussions, YAML
//! would take most of the time.
//!
//! Only text that certainly means the same in YAML is parsed here. Everything else is left to the YAML parser, which
//! also reports mistakes.

use serde_json::{Map, Number, Value};

use super::head::{Head, is_bare};

/// The depth to which lists and mappings may be nested. Deeper ones are left to the YAML parser, which refuses them
/// with their position.
const DEEPEST: usize = 8;

/// Parses the lines of a head; none if any of them is not plain.
pub(super) fn read(yaml: &str) -> Option<Head> {
    let mut map = Map::new();
    for line in yaml.lines() {
        let (key, rest) = line.split_once(": ")?;
        let (value, rest) = value(rest, 0)?;
        if !is_bare(key) || !rest.is_empty() || map.insert(key.to_owned(), value).is_some() {
            return None;
        }
    }
    let known = map.keys().all(|key| Head::knows(key));
    known.then(|| serde_json::from_value(Value::Object(map)).ok()).flatten()
}

/// Parses a value at the beginning of a text; returns it and the rest. `depth` is the number of lists and mappings
/// around it.
fn value(text: &str, depth: usize) -> Option<(Value, &str)> {
    if depth > DEEPEST {
        return None;
    }
    if let Some(rest) = text.strip_prefix('[') {
        let mut items = Vec::new();
        let rest = items_until(rest, ']', |text| {
            let (item, rest) = value(text, depth + 1)?;
            items.push(item);
            Some(rest)
        })?;
        return Some((Value::Array(items), rest));
    }
    if let Some(rest) = text.strip_prefix('{') {
        let mut map = Map::new();
        let rest = items_until(rest, '}', |text| {
            let (key, rest) = text.split_once(": ")?;
            let (item, rest) = value(rest, depth + 1)?;
            let new = is_bare(key) && map.insert(key.to_owned(), item).is_none();
            new.then_some(rest)
        })?;
        return Some((Value::Object(map), rest));
    }
    let ends: &[char] = if depth > 0 { &[',', ']', '}'] } else { &[] };
    let end = text.find(ends).unwrap_or(text.len());
    Some((scalar(&text[..end])?, &text[end..]))
}

/// Parses `item, item` up to a closing bracket, and returns the text after it.
fn items_until<'t>(
    text: &'t str,
    close: char,
    mut item: impl FnMut(&'t str) -> Option<&'t str>,
) -> Option<&'t str> {
    let mut rest = text;
    if let Some(rest) = rest.strip_prefix(close) {
        return Some(rest);
    }
    loop {
        rest = item(rest)?;
        if let Some(rest) = rest.strip_prefix(close) {
            return Some(rest);
        }
        rest = rest.strip_prefix(", ")?;
    }
}

fn scalar(text: &str) -> Option<Value> {
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        _ if is_bare(text) => return Some(Value::String(text.to_owned())),
        _ => {}
    }
    let digits = |text: &str| {
        (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let leads = |text: &str| text.len() > 1 && text.starts_with('0');
    match text.split_once('.') {
        None if digits(text) && !leads(text) => text.parse::<u64>().ok().map(Value::from),
        Some((whole, part)) if digits(whole) && digits(part) && !leads(whole) => {
            text.parse().ok().and_then(Number::from_f64).map(Value::Number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::yaml;

    const PIECES: &[&str] = &[
        "template: feature\n",
        "template: ",
        "created: 2026-11-20T10:00:00Z\n",
        "participants: [architect, security]\n",
        "participants: ",
        "background: []\n",
        "consensus: {threshold_ready: 0.67, human_required: true}\n",
        "consensus: ",
        "weights: {architect: 2}\n",
        "weights: {a: 1.5, b: 007}\n",
        "parameters: ",
        "roles: {judge: [moderator]}\n",
        "names: ",
        "providers: {architect: claude}\n",
        "other: x\n",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ",",
        ": ",
        ":",
        "\n",
        " ",
        "a",
        "b-c",
        "x/y",
        "1",
        "0.5",
        "1e3",
        "0x10",
        "true",
        "false",
        "null",
        "no",
        "~",
        "\"q\"",
        "'s'",
        "#c",
        " # c",
        "&a",
        "*a",
        "|",
        ">",
        "!t",
        "-",
        "- ",
        "%",
        "é",
        "\t",
        "Y",
        ".5",
        "5.",
        "1_000",
        "2026-11-20T10:00:00Z",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn plain_parser_equals_the_yaml_parser(pieces in prop::collection::vec(prop::sample::select(PIECES), 1..8)) {
            let text = pieces.concat();
            if let Some(head) = read(&text) {
                let by_yaml = yaml::read::<Head>(&text, "");
                prop_assert_eq!(by_yaml.ok(), Some(head), "{}", text);
            }
        }
    }

    #[test]
    fn written_head_is_read_by_the_plain_parser() {
        let yaml = "template: feature\ncreated: 2026-11-20T10:00:00Z\nparticipants: [architect, security]\n\
                    consensus: {threshold_ready: 0.67, threshold_reject: 0.01, human_required: true}\n\
                    parameters: {rounds: 2, options: [READY, CHANGES]}\n";
        assert!(read(yaml).is_some());
        assert_eq!(read(yaml), yaml::read(yaml, "").ok());
    }
}
