//! The first words of a comment.

/// The first words of Markdown as plain text, at most so many characters; nothing where there are none.
///
/// Code is passed over, and so is whatever reads like a vote: whether it is one is said elsewhere.
pub(crate) fn first_words(body: &str, most: usize) -> String {
    let mut fence: Option<&str> = None;
    for line in body.lines() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim().starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                let words = plain(line);
                if words.chars().any(char::is_alphanumeric) && !is_vote(&words) {
                    return clip(&words, most);
                }
            }
        }
    }
    String::new()
}

/// The first sentences of Markdown as plain text, as many whole ones as fit into so many characters, at least the
/// beginning of one. They are those of its first paragraph that says something.
pub(crate) fn first_sentences(body: &str, most: usize) -> String {
    let begins = first_words(body, most);
    // What is wrapped in the source goes on in the next lines.
    let paragraph = body.split("\n\n").find(|paragraph| {
        let words = plain(&first_words(paragraph, most));
        !words.is_empty() && words == plain(&begins)
    });
    let Some(paragraph) = paragraph else { return begins };
    let is_listed = |line: &&str| line.trim_start().starts_with(['-', '*', '#', '>', '|']);
    let lines =
        paragraph.lines().skip_while(|line| !plain(line).starts_with(begins.trim_end_matches('…')));
    let mut text = String::new();
    for (index, line) in lines.enumerate() {
        if index > 0 && (is_listed(&line) || is_vote(&plain(line))) {
            break;
        }
        text.push_str(&plain(line));
        text.push(' ');
    }
    let text = text.trim_end();
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most).collect();
    let ends = cut.rmatch_indices(['.', '!', '?', '。']).map(|(at, mark)| at + mark.len());
    let end = ends
        .into_iter()
        .find(|end| text[*end..].starts_with([' ', '\u{3000}']) || cut[..*end].ends_with('。'));
    match end.filter(|end| *end * 3 > cut.len()) {
        Some(end) => cut[..end].to_owned(),
        None => clip(text, most),
    }
}

/// The end of a text that is still written, on one line of at most so many characters.
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

/// Whether a plain line begins as a vote does, also behind an item's number or box.
fn is_vote(line: &str) -> bool {
    let text = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let word = text.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("vote"));
    word && text[4..].trim_start_matches(['_', '\\', ' ']).starts_with([':', '\u{FF1A}'])
}

/// A line without what marks a heading, a list, a quote or emphasis.
fn plain(line: &str) -> String {
    let text = line.trim().trim_start_matches(['#', '>', '-', '*', ' ']);
    let kept: String = text.chars().filter(|c| !matches!(c, '*' | '`')).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text on one line, cut between words where that loses little.
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
    fn what_is_still_written_shows_its_end() {
        assert_eq!(last_words("One\n two", 20), "One two");
        assert_eq!(last_words("one two three four five", 12), "…four five");
        assert_eq!(last_words(&"x".repeat(50), 5), "…xxxx");
    }

    #[test]
    fn first_sentences_are_whole() {
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
    fn first_words_pass_over_markup() {
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
        ];
        for vote in votes {
            assert_eq!(first_words(&format!("{vote}\n\nBecause."), 60), "Because.", "{vote}");
        }
        assert_eq!(clip("one two three four", 12), "one two…");
    }
}
