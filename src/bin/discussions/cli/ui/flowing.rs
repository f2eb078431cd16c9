//! Text that fits the terminal: wrapped between words, in columns, or in a pager.

use std::io::Write as _;

use anstream::ColorChoice;
use anstream::adapter::strip_str;
use dialoguer::console::Term;
use discussions::view::visible_line;

use super::{Line, Ui};
use crate::cli::pager::Pager;
use crate::cli::rows::{Column, lay_out};

/// The indentation of the later parts of a wrapped line.
const HANGING: &str = "   ";

impl Ui {
    /// Prints a line to standard error, wrapped to fit the terminal, unless `--quiet` is set.
    pub(crate) fn note_wrapped(&mut self, line: Line) {
        if !self.quiet {
            self.insist_wrapped(line);
        }
    }

    /// Prints a line to standard error even with `--quiet`, wrapped to fit the terminal.
    pub(crate) fn insist_wrapped(&mut self, line: Line) {
        fitted(line, self.width_beside()).into_iter().for_each(|line| self.insist(line));
    }

    /// Returns true if all lines of a text fit the terminal of standard error.
    pub(crate) fn has_room_beside(&self, text: &str) -> bool {
        let room = self.width_beside().unwrap_or(usize::MAX);
        text.lines().all(|line| Line::from(line).width() <= room)
    }

    /// Prints a text of the result, wrapped to fit the terminal, except for lines that show lines of a file.
    pub(crate) fn out_wrapped(&mut self, line: impl Into<Line>) {
        let width = self.width();
        fitted(line.into(), width).into_iter().for_each(|line| self.out(line));
    }

    /// Prints a warning.
    pub(crate) fn warning(&mut self, text: impl Into<String>) {
        self.insist_wrapped(Line::warning(text));
    }

    /// Prints a note or a next step after a word that names its kind.
    pub(crate) fn hint(&mut self, word: &str, text: impl Into<String>) {
        self.note_wrapped(Line::hint(word, Line::with_commands(text)));
    }

    /// Prints lines of the result; in a pager if they do not fit the screen.
    pub(crate) fn paged(&mut self, lines: &[Line], pager: Option<&Pager>) {
        let mut text: String = lines.iter().map(|line| line.render() + "\n").collect();
        if self.out.current_choice() == ColorChoice::Never {
            text = strip_str(&text).to_string();
        }
        let _ = self.out.flush();
        let paged = match pager {
            Some(pager) if self.overflows(lines) => pager.show(&text),
            _ => false,
        };
        if !paged {
            self.write(text.as_bytes());
        }
    }

    /// Returns true if the lines do not fit the screen.
    fn overflows(&self, lines: &[Line]) -> bool {
        let Some((rows, columns)) = Term::stdout().size_checked() else { return false };
        let height = |line: &Line| line.width().div_ceil(usize::from(columns.max(1))).max(1);
        lines.iter().map(height).sum::<usize>() >= usize::from(rows)
    }

    /// Prints a line of the result, indented, and wrapped between words to fit the terminal.
    pub(crate) fn wrapped(&mut self, indent: &str, line: impl Into<Line>) {
        let text = wrap(&line.into(), indent, self.width());
        self.write(format!("{text}\n").as_bytes());
    }

    /// Prints rows in columns, some of which are dropped on a narrow terminal; names are never cut.
    pub(crate) fn rows(&mut self, columns: &[Column], rows: Vec<Vec<String>>) {
        let one_line = |row: Vec<String>| row.iter().map(|cell| visible_line(cell)).collect();
        let rows: Vec<Vec<String>> = rows.into_iter().map(one_line).collect();
        let heading = columns.iter().any(Column::is_headed);
        for (index, line) in lay_out(columns, &rows, self.width()).into_iter().enumerate() {
            let is_heading = heading && index == 0;
            self.out(if is_heading { Line::default().strong(line) } else { line.into() });
        }
    }
}

/// Returns the lines of a text, each wrapped between words to fit into `columns`.
fn fitted(line: Line, columns: Option<usize>) -> Vec<Line> {
    let Some(columns) = columns else { return vec![line] };
    let mut lines = Vec::new();
    for line in line.lines() {
        let text = line.plain();
        if is_source(&text) {
            lines.push(line);
            continue;
        }
        let indent = text.len() - text.trim_start_matches(' ').len();
        let later = Line::from(format!("{}{HANGING}", " ".repeat(indent)));
        lines.extend(line.flow(columns, &Line::default(), &later));
    }
    lines
}

/// Returns true if a line shows a line of a file or a place in it: these must stay aligned.
fn is_source(line: &str) -> bool {
    line.trim_start().starts_with(['|', '^']) || line.contains(" | ")
}

/// Wraps a line between words to fit into `columns`.
fn wrap(line: &Line, indent: &str, columns: Option<usize>) -> String {
    let (first, later) = (Line::from(indent), Line::from(format!("{indent}{HANGING}")));
    let lines = line.flow(columns.unwrap_or(usize::MAX), &first, &later);
    lines.iter().map(Line::render).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_between_words() {
        let line = Line::default().text("Q: one two three ").text("四五六 seven");
        assert_eq!(
            wrap(&line, "  ", Some(14)),
            "  Q: one two\n     three\n     四五六\n     seven"
        );
        assert_eq!(wrap(&line, "  ", None), "  Q: one two three 四五六 seven");
    }
}
