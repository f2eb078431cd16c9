//! Fences that are still open at the end of a text.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::line::{Lines, is_blank};

/// Returns the Markdown options for parsing a body: CommonMark with tables, strike-through and task lists.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Returns the line, without LF, that closes an open top-level fence at the end of the text; none if no fence is
/// open.
pub(super) fn closer(text: &str) -> Option<String> {
    let mut depth = 0usize;
    let mut last: Option<Range<usize>> = None;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    let fenced = matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(_)));
                    last = fenced.then_some(range);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 0 => last = None,
            _ => {}
        }
    }
    let block = &text[last?];
    let (fence, length) = fence_of(block.lines().next()?)?;
    let closed = Lines::from(block, 0, 1).skip(1).last().is_some_and(|line| {
        let rest = line.text.trim_start_matches(' ');
        line.text.len() - rest.len() <= 3
            && fence_of(rest).is_some_and(|(c, n)| c == fence && n >= length)
            && is_blank(rest.trim_start_matches(fence))
    });
    (!closed).then(|| fence.to_string().repeat(length))
}

/// Returns the character and the length of a line's fence.
pub(super) fn fence_of(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start_matches(' ');
    let fence = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(fence).len();
    (length >= 3).then_some((fence, length))
}

/// Puts a text into a fence that is longer than any run of backticks in it; `info` is the language.
pub(crate) fn fenced(info: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let info: String = info.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    format!("{fence}{info}\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fenced_text_cannot_close_its_fence() {
        for text in ["", "plain", "```\nx\n```", "a ````` b\n`````", "~~~"] {
            let fenced = fenced("json", text);
            assert_eq!(closer(&fenced), None, "{fenced}");
            assert_eq!(
                Parser::new_ext(&fenced, options())
                    .filter(|e| matches!(e, Event::Start(_)))
                    .count(),
                1
            );
        }
    }

    #[test]
    fn fence_followed_by_text_closes_nothing() {
        for open in ["```\nx\n```\u{A0}", "~~~\nx\n~~~\u{2003}", "```\nx\n```\u{3000}", "```\nx"] {
            assert!(closer(open).is_some(), "{open:?}");
        }
        assert_eq!(closer("```\nx\n``` \t"), None);
    }
}
