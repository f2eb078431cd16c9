//! The collapsed part of the text above a discussion: files and changes that all participants see, which would push the
//! answers down the page. A reader of a rendered file sees their names and sizes and opens them with a click.
//!
//! The lines around the part are HTML, and the only HTML that the program writes. They have no meaning for a program:
//! prompts, pages and results leave them out, see [`without_collapse`].

use std::borrow::Cow;

use super::line::Lines;
use crate::invisible::visible_line;

/// The line that opens the part, up to its summary. Python-Markdown and kramdown read Markdown inside of HTML only with
/// this attribute; other renderers ignore it.
const OPEN: &str = "<details markdown=\"1\"><summary>";
/// The end of the line that opens the part.
const SUMMARY_END: &str = "</summary>";
/// The line that closes the part.
const CLOSE: &str = "</details>";

/// Collapses a Markdown text, which is encoded already, below a summary in plain text.
pub(crate) fn collapsed(summary: &str, text: &str) -> String {
    let mut shown = String::with_capacity(summary.len());
    for c in visible_line(summary).chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            c => shown.push(c),
        }
    }
    format!("{OPEN}{shown}{SUMMARY_END}\n\n{text}\n\n{CLOSE}")
}

/// Returns a text above a discussion without the two lines around its collapsed part. Everything else stays, also a line
/// `</details>` inside of a file.
pub(crate) fn without_collapse(text: &str) -> Cow<'_, str> {
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let opens = |line: &str| line.starts_with(OPEN) && line.ends_with(SUMMARY_END);
    let lines = || Lines::from(text, 0, 1);
    let Some(open) = lines().find(|line| opens(line.text)) else { return Cow::Borrowed(text) };
    let last = lines().filter(|line| line.text == CLOSE && line.start > open.start).last();
    let Some(close) = last else { return Cow::Borrowed(text) };
    let above = &text[..open.start];
    let inner = text[open.next..close.start].trim_matches('\n');
    let below = text[close.end()..].trim_start_matches('\n');
    let below = if below.is_empty() { String::new() } else { format!("\n{below}") };
    Cow::Owned(format!("{above}{inner}\n{below}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collapsed_part_is_left_out_exactly() {
        let inner = "### `a.html`\n\n```\n</details>\n```";
        let shown = collapsed("1 file: <b>&\u{7}.html", inner);
        assert!(shown.starts_with("<details markdown=\"1\"><summary>1 file: &lt;b&gt;&amp;"));
        for (above, below) in
            [("# T\n\n## Material\n\n", "\n"), ("", "\n\n## Below\n"), ("x\n", "")]
        {
            let text = format!("{above}{shown}{below}");
            let plain = without_collapse(&text);
            assert!(plain.starts_with(&format!("{above}{inner}\n")), "{plain}");
            assert_eq!(plain.trim_end(), format!("{above}{inner}{below}").trim_end());
        }
    }

    #[test]
    fn text_without_a_collapsed_part_is_kept() {
        for text in ["", "a\n", "<details markdown=\"1\"><summary>x</summary>\n", "</details>\n"] {
            assert_eq!(without_collapse(text), text);
        }
    }
}
