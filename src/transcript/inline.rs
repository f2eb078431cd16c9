//! Sanitizes untrusted text for a place inside a line: a title, or the value of a parameter.

use super::encode::guard_lines;
use super::sanitize::{canon, open_everywhere};
use crate::invisible::visible;

/// Converts a text for a place with one line, such as a title: each run of blanks and line ends becomes one space.
pub(crate) fn one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Converts a title for a heading: one line, with nothing in it that would be hidden.
pub(crate) fn heading(text: &str) -> String {
    // The text is sanitized with a heading mark before it, because in a heading a tag has a meaning and a fence none.
    let line = canon(&format!("# {}", one_line(text)));
    no_fence(line.strip_prefix("# ").unwrap_or(&line))
}

/// Converts a value so that it stays text in any place of a line in a template: at its beginning, in a sentence, in
/// backticks.
pub(crate) fn inline(text: &str) -> String {
    // Backticks around the value may pair with backticks in it, and then code in it becomes text; so tags are escaped
    // in code too.
    let text = open_everywhere(&one_line(text));
    guard_lines(&no_fence(&text)).0
}

fn no_fence(line: &str) -> String {
    if line.starts_with("```") || line.starts_with("~~~") {
        format!("\\{line}")
    } else {
        line.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_opens_no_fence_or_tag() {
        for (text, shown) in [
            ("```rust", "\\`\\`\\`rust"),
            ("~~~ <b>x", "\\~~~ &lt;b>x"),
            ("Use `Vec<u8>`\n\nnow", "Use `Vec<u8>` now"),
            ("C#", "C#"),
            ("<div> x", "&lt;div> x"),
        ] {
            assert_eq!(heading(text), shown);
        }
    }

    #[test]
    fn value_stays_text_between_backticks() {
        for (text, shown) in [
            ("a` <b>x</b> `", "a` &lt;b>x&lt;/b> `"),
            ("```x", "\\```x"),
            ("[x]: /y", "[x\\]: /y"),
            ("---", " ---"),
            ("src/main.rs", "src/main.rs"),
        ] {
            assert_eq!(inline(text), shown);
        }
    }
}
