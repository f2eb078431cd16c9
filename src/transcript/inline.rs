//! Untrusted text for a place inside a line: a title, a parameter's value.

use super::canon::{canon, open_everywhere};
use super::encode::guard_lines;
use crate::invisible::visible;

/// Text for a place that has one line, such as a title: blanks and line ends become one space each.
pub(crate) fn one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// A title as a heading holds it: one line, with nothing in it that would not be shown.
pub(crate) fn heading(text: &str) -> String {
    // Judged behind the heading's mark: there a fence is no fence, and a tag in its words is a tag.
    let line = canon(&format!("# {}", one_line(text)));
    no_fence(line.strip_prefix("# ").unwrap_or(&line))
}

/// A value that stays text wherever in a line a template puts it: at its beginning, in a sentence, in backticks.
pub(crate) fn inline(text: &str) -> String {
    // Backticks around it may pair with its own and free what they held, so that tags are escaped even in code.
    let text = open_everywhere(&one_line(text));
    guard_lines(&no_fence(&text)).0
}

fn no_fence(line: &str) -> String {
    match line.starts_with("```") || line.starts_with("~~~") {
        true => format!("\\{line}"),
        false => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_opens_no_fence_and_no_tag() {
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
    fn a_value_stays_text_between_backticks_too() {
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
