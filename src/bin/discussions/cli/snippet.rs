//! Short extracts of comments.

/// Returns the first words of Markdown as plain text, at most `most` characters; an empty text if there are none.
///
/// Skips code, and lines that look like a vote or a confidence, because both are shown elsewhere.
pub(crate) fn first_words(body: &str, most: usize) -> String {
    let line = first_line(body).and_then(|at| body.lines().nth(at));
    line.map_or_else(String::new, |line| clip(&plain(line), most))
}

/// Returns the first line that contains words.
fn first_line(body: &str) -> Option<usize> {
    let mut fence: Option<&str> = None;
    for (at, line) in body.lines().enumerate() {
        match (fence, fence_of(line)) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                let words = plain(line);
                if words.chars().any(char::is_alphanumeric) && !is_value(&words) {
                    return Some(at);
                }
            }
        }
    }
    None
}

fn fence_of(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|mark| line.trim().starts_with(mark))
}

/// Returns the first sentences of Markdown as plain text: as many whole ones as fit into `most` characters, but at
/// least the beginning of one. They come from the first paragraph that contains words.
pub(crate) fn first_sentences(body: &str, most: usize) -> String {
    let Some(first) = first_line(body) else { return String::new() };
    let begins_anew = |line: &str| {
        let text = line.trim_start();
        let is_listed = ["- ", "* ", "+ ", "#", ">", "|"].iter().any(|mark| text.starts_with(mark));
        is_listed || line.trim().is_empty() || fence_of(line).is_some() || is_value(&plain(line))
    };
    let mut lines = body.lines().skip(first);
    let mut text = plain(lines.next().unwrap_or_default());
    for line in lines.take_while(|line| !begins_anew(line)) {
        text.push(' ');
        text.push_str(&plain(line));
    }
    let Some((room, _)) = text.char_indices().nth(most) else { return text };
    let ends = text[..room].rmatch_indices(['.', '!', '?', '。']);
    let mut ends = ends.map(|(at, mark)| (at + mark.len(), mark));
    let end = ends.find(|(end, mark)| *mark == "。" || text[*end..].starts_with(' '));
    match end {
        Some((end, _)) if end * 3 > room => text[..end].to_owned(),
        _ => clip(&text, most),
    }
}

/// Returns the end of a text that is still being written, on one line of at most `most` characters.
pub(crate) fn last_words(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let over = text.chars().count().saturating_sub(most);
    if over == 0 {
        return text;
    }
    let tail: String = text.chars().skip(over + 1).collect();
    let start = tail.find(' ').filter(|start| *start * 2 < tail.len()).map_or(0, |at| at + 1);
    format!("…{}", &tail[start..])
}

/// Returns true if a plain line begins like a vote or a confidence, also after an item's number or box, or marked as
/// quoted.
fn is_value(line: &str) -> bool {
    let line = line.strip_prefix("⟨quoted⟩").unwrap_or(line);
    let text = line.trim_start_matches(|c: char| !c.is_alphabetic());
    ["vote", "confidence"].iter().any(|word| {
        let begins = text.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        begins
            && text[word.len()..]
                .trim_start_matches(['_', '\\', ' '])
                .starts_with([':', '\u{FF1A}'])
    })
}

/// Returns a line without the marks of headings, lists, quotes and emphasis.
fn plain(line: &str) -> String {
    let text = line.trim().trim_start_matches(['#', '>', '-', '*', ' ']);
    let kept: String = text.chars().filter(|c| !matches!(c, '*' | '`')).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the beginning of a text on one line, cut between words if that loses little.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= most {
        return text;
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    let end = cut.rfind(' ').filter(|end| *end * 2 > cut.len()).unwrap_or(cut.len());
    format!("{}…", &cut[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_text_shows_its_last_words() {
        assert_eq!(last_words("One\n two", 20), "One two");
        assert_eq!(last_words("one two three four five", 12), "…four five");
        assert_eq!(last_words(&"x".repeat(50), 5), "…xxxx");
    }

    #[test]
    fn first_sentences_are_complete() {
        let text =
            "# Why\n\n```\ncode\n```\n\nOne is\n*wrapped*. Two is longer than that.\nVOTE: READY";
        assert_eq!(first_sentences(text, 80), "Why");
        assert_eq!(first_sentences(&text[7..], 80), "One is wrapped. Two is longer than that.");
        assert_eq!(first_sentences(&text[7..], 30), "One is wrapped.");
        assert_eq!(first_sentences("A word that never ends anywhere", 20), "A word that never…");
        assert_eq!(first_sentences("- one\n- two", 20), "one");
        assert_eq!(first_sentences("VOTE: READY", 20), "");
    }

    #[test]
    fn first_words_skip_markup() {
        assert_eq!(first_words("\n## **Concerned** about\nmore", 60), "Concerned about");
        assert_eq!(first_words("---\n\n- `x` is fine", 60), "x is fine");
        assert_eq!(first_words("```plantuml\nA -> B\n```\nA calls B.", 60), "A calls B.");
        assert_eq!(first_words("~~~\n```\nVOTE: NO\n~~~\n\nVoted: yes", 60), "Voted: yes");
        assert_eq!(first_words("```\nnever closed", 60), "");
        let votes = [
            "VOTE: READY",
            "- vote: ready",
            "1. **VOTE:** READY",
            "`VOTE: X`",
            "__VOTE__: X",
            "    VOTE: X",
            "- [ ] VOTE\u{FF1A} X",
            "CONFIDENCE: 0.9",
            "⟨quoted⟩ VOTE: READY",
        ];
        for vote in votes {
            assert_eq!(first_words(&format!("{vote}\n\nBecause."), 60), "Because.", "{vote}");
        }
        assert_eq!(clip("one two three four", 12), "one two…");
    }
}
