//! The maximum size of a result: clients hide or cut longer results.

use serde_json::Value;

/// The maximum length of a result's text, and of its structured form, in characters.
pub(super) const MOST: usize = 39_000;

/// The mark for text that was cut off.
const CUT: &str = " [...]";

/// Cuts a text after `most` characters.
pub(super) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let keep = most.saturating_sub(CUT.len());
            text.chars().take(keep).chain(CUT.chars()).collect()
        }
    }
}

/// Keeps the last `most` characters of a text.
pub(super) fn clip_front(text: &str, most: usize) -> String {
    let skip = text.chars().count().saturating_sub(most);
    match skip {
        0 => text.to_owned(),
        skip => format!("[...]\n{}", text.chars().skip(skip).collect::<String>()),
    }
}

/// Shortens a value until its JSON is no longer than [`MOST`]: first its longest texts, then its lists if necessary.
pub(super) fn fit(mut value: Value) -> Value {
    let mut most = 20_000;
    while value.to_string().chars().count() > MOST && most > 8 {
        shorten(&mut value, most);
        most /= 2;
    }
    value
}

fn shorten(value: &mut Value, most: usize) {
    match value {
        Value::String(text) => *text = clip(text, most),
        Value::Array(all) => {
            all.truncate(most.max(20));
            all.iter_mut().for_each(|one| shorten(one, most));
        }
        Value::Object(map) => map.values_mut().for_each(|one| shorten(one, most)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_results_are_shortened_to_the_limit() {
        let long = "\u{e9}\n\"".repeat(30_000);
        for value in [
            json!({"a": long, "b": 1}),
            json!({"a": vec![long.clone(); 40]}),
            json!({"a": vec!["short"; 20_000]}),
        ] {
            let fitted = fit(value);
            assert!(fitted.to_string().chars().count() <= MOST);
        }
        assert_eq!(fit(json!({"a": "x"})), json!({"a": "x"}));
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip(&"a".repeat(20), 10), "aaaa [...]");
        assert_eq!(clip_front("abcdef", 2), "[...]\nef");
    }
}
