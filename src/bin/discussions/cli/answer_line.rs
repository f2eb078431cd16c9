//! The line that stays on the screen after a participant has answered, and the text of the answer.

use std::collections::BTreeMap;

use anstyle::AnsiColor;
use discussions::view::{CallOutcome, visible_line};

use crate::cli::amounts::{money, time};
use crate::cli::colours::{self, Colours};
use crate::cli::line::Line;
use crate::cli::markdown;
use crate::cli::snippet::first_sentences;

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
