//! Parses a whole document.

use std::ops::Range;

use super::control::is_torn;
use super::entry::{Text, Transcript};
use super::frame::{Scan, Scanner};
use super::head;
use super::line::{Lines, column, is_blank, is_rule};
use super::record_line::record_lines;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};

/// Number of bytes that are searched at once for record lines. The processor's caches still hold a part of this size
/// after it was scanned.
const PART: usize = 16 * 1024;

/// Parses a document. Never fails: mistakes are in [`Transcript::problems`] (law 5 of the format page).
pub fn parse(text: impl Into<Text>) -> Transcript {
    let text = text.into();
    let found = head::find(&text);
    let scan = scan(&text, &found);
    let mut problems = found.problems;
    problems.extend(scan.problems);
    if found.head.is_some() {
        let preamble = trim_preamble(&text, found.end..scan.preamble_end);
        problems.extend(nameless(&text, preamble, found.end, found.next_line, &problems));
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
    Transcript {
        head: found.head,
        preamble: trim_preamble(&text, found.end..scan.preamble_end),
        entries: scan.entries,
        problems,
        text,
    }
}

/// Warns about handwritten lines that look like the line that ends the discussion's text in a prompt. In comments
/// that the program writes, it marks these lines; they are reported with the comment's body.
struct RecordLineSearch<'t> {
    text: &'t str,
    /// The byte offset and the number of the first line that was not searched yet.
    at: usize,
    number: usize,
    problems: Vec<Problem>,
}

impl<'t> RecordLineSearch<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, number: 1, problems: Vec::new() }
    }

    /// Searches the lines up to a byte offset; line `number` starts there.
    fn search_to(&mut self, end: usize, number: usize) {
        let part = &self.text[self.at..end];
        let mut places = record_lines(part).into_iter().peekable();
        if places.peek().is_some() {
            for line in Lines::from(part, 0, self.number) {
                while let Some(at) = places.next_if(|at| *at < line.next) {
                    self.problems
                        .push(record_line_problem(line.number, column(part, line.start, at)));
                }
            }
        }
        (self.at, self.number) = (end, number);
    }
}

fn record_line_problem(line: usize, column: usize) -> Problem {
    let message = "this looks like the line that ends the record in a prompt, but is not; participants see it marked \
                   as quoted";
    Problem::new(Severity::Warning, ProblemCode::RecordLine, (line, column), message)
}

/// Warns about text below a rule and above the first comment, in a file that the program created. The program never
/// writes a rule there, so the text is probably a comment without a name.
fn nameless(
    text: &str,
    preamble: Range<usize>,
    from: usize,
    first_line: usize,
    told: &[Problem],
) -> Option<Problem> {
    let lines = Lines::from(text, from, first_line).take_while(|line| line.start < preamble.end);
    let mut below = lines.skip_while(|line| !is_rule(line.text)).skip(1);
    let line = below.find(|line| !is_blank(line.text) && !is_rule(line.text))?;
    let is_told = told.iter().any(|problem| problem.line >= line.number);
    (!is_told).then(|| {
        Problem::new(
            Severity::Warning,
            ProblemCode::Stray,
            (line.number, 1),
            "this text is not part of a comment and is ignored; put `---`, a blank line and `Name: You` above it",
        )
    })
}

/// Scans the text after the head.
pub(super) fn scan(text: &Text, head: &head::FoundHead) -> Scan {
    let mut scanner = Scanner::new(text, head.cut);
    let mut record_lines = RecordLineSearch::new(text);
    Lines::from(text, head.end, head.next_line).for_each(|line| {
        scanner.line(line);
        if line.next - record_lines.at >= PART {
            record_lines.search_to(line.next, line.number + 1);
        }
    });
    record_lines.search_to(text.len(), 0);
    let mut scan = scanner.finish();
    scan.problems.extend(record_lines.problems);
    scan
}

/// Trims blank lines, rules and truncation marks from the end of the preamble. They belong to the text that follows,
/// so that appending never changes the preamble.
fn trim_preamble(text: &str, range: Range<usize>) -> Range<usize> {
    let preamble = &text[range.clone()];
    let mut start = None;
    let mut end = 0;
    for line in Lines::from(preamble, 0, 1) {
        if !is_blank(line.text) {
            start.get_or_insert(line.start);
            if !is_rule(line.text) && !is_torn(line.text) {
                end = line.end();
            }
        }
    }
    let start = start.unwrap_or(0);
    range.start + start..range.start + end.max(start)
}
