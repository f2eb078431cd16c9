//! Short extracts of comments, and the line that remains when a participant has answered.

use std::collections::BTreeMap;

use anstyle::AnsiColor;
use discussions::view::{CallOutcome, visible_line};

use crate::cli::amounts::{money, time};
use crate::cli::colours::{self, Colours};
use crate::cli::line::Line;
use crate::cli::markdown;

/// Returns the first words of Markdown as plain text, at most `most` characters; an empty text if there are none.
///
/// Skips code, and lines that look like a vote or a confidence, because both are shown elsewhere.
pub(crate) fn first_words(body: &str, most: usize) -> String {
    // The heading of the first finding does not tell how many there are.
    let findings = body.lines().filter(|line| line.starts_with("### Finding ")).count();
    if findings > 1 && body.trim_start().starts_with("### Finding ") {
        return format!("{findings} findings");
    }
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
fn first_sentences(body: &str, most: usize) -> String {
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

/// The indentation of the text below the line.
const INDENT: &str = "    ";

/// The maximum number of characters of an answer's first sentences.
const SENTENCES: usize = 240;

/// The width of a whole answer if the width of the terminal is unknown.
const USUAL: usize = 100;

/// The result of a call.
pub(crate) struct Answer<'a> {
    pub(crate) name: &'a str,
    pub(crate) provider: &'a str,
    pub(crate) outcome: &'a CallOutcome,
    pub(crate) ms: u64,
    /// The cost in US dollars, if it is known.
    pub(crate) usd: Option<f64>,
    /// The cost is an estimate, because the provider did not report it.
    pub(crate) estimated: bool,
    pub(crate) text: &'a str,
}

impl Answer<'_> {
    /// Returns the lines of an answer: `✓ AI-Security  codex  6.5 s  $0.01  CHANGES  The limits have no owner.`,
    /// continued on the next lines if necessary. With `all`, the whole answer follows below.
    pub(crate) fn lines(&self, colours: &Colours, columns: Option<usize>, all: bool) -> Vec<Line> {
        let line = self.line(colours);
        let width = columns.unwrap_or(usize::MAX);
        let later = Line::from(INDENT);
        if all && !self.text.is_empty() {
            let room = columns.unwrap_or(USUAL).saturating_sub(INDENT.len());
            let text = markdown::lines(self.text, &BTreeMap::new(), room);
            let text = text
                .into_iter()
                .map(|line| if line.is_empty() { line } else { later.clone().then(line) });
            let head = line.flow(width, &Line::default(), &later);
            return head.into_iter().chain(text).chain([Line::default()]).collect();
        }
        let words = first_sentences(self.text, SENTENCES);
        let line = if words.is_empty() { line } else { line.text("  ").text(words) };
        line.flow(width, &Line::default(), &later)
    }

    fn line(&self, colours: &Colours) -> Line {
        let mark = match self.outcome {
            CallOutcome::Answered { .. } => Line::default().colour(AnsiColor::Green, "✓ "),
            CallOutcome::Passed {} => Line::default().faint("– "),
            CallOutcome::Failed { .. } => Line::default().colour(AnsiColor::Red, "✗ "),
        };
        let mut spent = format!("  {}  {}", visible_line(self.provider), time(self.ms));
        if let Some(usd) = self.usd.filter(|usd| *usd > 0.0) {
            spent.push_str(&format!("  {}", money(usd, self.estimated)));
        }
        let line = mark.styled(colours.name(self.name), visible_line(self.name)).faint(spent);
        match self.outcome {
            CallOutcome::Answered { vote: Some(vote) } => {
                line.text("  ").styled(colours::vote(vote), visible_line(vote))
            }
            CallOutcome::Answered { vote: None } => line,
            CallOutcome::Passed {} => line.text("  nothing to add"),
            CallOutcome::Failed { .. } => line.text("  ").colour(AnsiColor::Red, "failed"),
        }
    }
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
        let finding = "### Finding 1\n\n> a\n\nProof: b\n\n### Finding 2\n\n> c\n\nProof: d\n";
        assert_eq!(first_words(finding, 60), "2 findings");
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

    fn render(columns: Option<usize>, all: bool) -> String {
        let answer = Answer {
            name: "AI-Security",
            provider: "codex",
            outcome: &CallOutcome::Answered { vote: Some("CHANGES".to_owned()) },
            ms: 6_500,
            usd: Some(0.012),
            estimated: false,
            text: "The **limits** have no owner. Name one.\n\n- [x] done\n\nMore.",
        };
        let lines = answer.lines(&Colours::default(), columns, all);
        let text: Vec<String> = lines.iter().map(Line::render).collect();
        anstream::adapter::strip_str(&text.join("\n")).to_string()
    }

    #[test]
    fn first_sentences_start_on_the_line_and_wrap_below() {
        assert_eq!(
            render(None, false),
            "✓ AI-Security  codex  6.5 s  $0.01  CHANGES  The limits have no owner. Name one."
        );
        assert_eq!(
            render(Some(60), false),
            "✓ AI-Security  codex  6.5 s  $0.01  CHANGES  The limits have\n    no owner. Name one."
        );
    }

    #[test]
    fn whole_answer_is_printed_below_the_line() {
        assert_eq!(
            render(Some(60), true),
            "✓ AI-Security  codex  6.5 s  $0.01  CHANGES\n    The limits have no owner. Name one.\n\n    • [x] \
             done\n\n    More.\n"
        );
    }
}
