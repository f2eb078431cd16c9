//! The one place that prints.
//!
//! Everything goes through [`Line`]: no escape code of a file or a model reaches a terminal.

use std::borrow::Cow;
use std::io::{self, BufRead as _, ErrorKind, IsTerminal as _, Read as _, Write};
use std::path::Path;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use comfy_table::{ContentArrangement, Table, presets};
use dialoguer::console::Term;
use discussions::transcript::{visible, visible_line};
use serde::Serialize;

use crate::cli::display::{Everywhere, Shown};
pub(crate) use crate::cli::line::Line;
use crate::cli::pager::Pager;
use crate::cli::rows::{Column, lay_out};

/// What a wrapped line's later parts are indented by.
const HANGING: &str = "   ";

/// Bytes of an answer to a question that are read.
const LONGEST_ANSWER: u64 = 1024;

/// A path as people are told it: a name may hold line ends, and would else make up lines of its own.
pub(crate) fn spelt(path: &Path) -> String {
    visible_line(&path.to_string_lossy())
}

/// Standard output for results, standard error for everything else.
pub(crate) struct Ui {
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    failed: Option<io::Error>,
    quiet: bool,
    steps: bool,
    moves: bool,
    told: bool,
    /// Columns that somebody wants to see where there is no terminal.
    wanted: Option<usize>,
}

impl Ui {
    /// Colours only for a terminal, and never against `NO_COLOR`, where nobody says otherwise.
    pub(crate) fn new(everywhere: &Everywhere) -> Self {
        Self {
            out: AutoStream::auto(io::stdout()),
            err: AutoStream::auto(io::stderr()),
            failed: None,
            quiet: everywhere.quiet,
            steps: everywhere.progress != Shown::None && !everywhere.quiet,
            moves: everywhere.may_move(),
            told: false,
            wanted: None,
        }
    }

    /// Whoever wants colours where there is no terminal may say how wide one would be.
    pub(crate) fn imitate(&mut self, columns: Option<usize>) {
        let is_wanted = !self.is_page() && self.out.current_choice() != ColorChoice::Never;
        self.wanted = columns.filter(|_| is_wanted);
    }

    /// Whether only what went wrong is told.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// A line of the result.
    pub(crate) fn out(&mut self, line: impl Into<Line>) {
        let text = format!("{}\n", line.into().render());
        self.write(text.as_bytes());
    }

    /// A text of the result that brings its own line ends.
    pub(crate) fn page(&mut self, page: impl Into<Line>) {
        let text = page.into().render();
        self.write(text.as_bytes());
    }

    /// Whether a JSON document went out: then a failure is no second one.
    pub(crate) fn has_told(&self) -> bool {
        self.told
    }

    /// The result as one JSON document.
    pub(crate) fn json(&mut self, document: &impl Serialize) {
        match serde_json::to_string_pretty(document) {
            Ok(json) => {
                self.told = true;
                self.write_json(json);
            }
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    /// The same as one line, behind events.
    pub(crate) fn json_line(&mut self, document: &impl Serialize) {
        self.event(document);
        self.told = true;
    }

    /// Something that happened as one line of JSON, at once.
    pub(crate) fn event(&mut self, document: &impl Serialize) {
        match serde_json::to_string(document) {
            Ok(json) => {
                self.write_json(json);
                let _ = self.out.flush();
            }
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    /// Something beside the result.
    pub(crate) fn note(&mut self, line: impl Into<Line>) {
        if !self.quiet {
            self.insist(line);
        }
    }

    /// Something beside the result that nobody may miss.
    pub(crate) fn insist(&mut self, line: impl Into<Line>) {
        // Nobody can be told that standard error is gone.
        let _ = writeln!(self.err, "{}", line.into().render());
    }

    /// Whether it is told who thinks and who is done.
    pub(crate) fn shows_steps(&self) -> bool {
        self.steps
    }

    /// Something beside the result, wrapped between words where the terminal is narrow.
    pub(crate) fn note_wrapped(&mut self, line: Line) {
        if !self.quiet {
            self.insist_wrapped(line);
        }
    }

    /// The same of what nobody may miss.
    pub(crate) fn insist_wrapped(&mut self, line: Line) {
        match self.width_beside() {
            Some(width) => {
                let lines = line.flow(width, &Line::default(), &HANGING.into());
                lines.into_iter().for_each(|line| self.insist(line));
            }
            None => self.insist(line),
        }
    }

    /// Something that may not be what was meant.
    pub(crate) fn warning(&mut self, text: impl Into<String>) {
        self.insist_wrapped(Line::warning(text));
    }

    /// What one can do now.
    pub(crate) fn hint(&mut self, word: &str, text: impl Into<String>) {
        let line = Line::hint(word, text);
        match word {
            "note" => self.note_wrapped(line),
            // A command is copied whole.
            _ => self.note(line),
        }
    }

    /// Lines of the result, through a pager where they are more than the terminal shows at once.
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

    /// Whether lines are more than the terminal shows at once.
    fn overflows(&self, lines: &[Line]) -> bool {
        let Some((rows, columns)) = Term::stdout().size_checked() else { return false };
        let height = |line: &Line| line.width().div_ceil(usize::from(columns.max(1))).max(1);
        lines.iter().map(height).sum::<usize>() >= usize::from(rows)
    }

    /// A line of the result, indented, and wrapped between words where the terminal is narrow.
    pub(crate) fn wrapped(&mut self, indent: &str, line: impl Into<Line>) {
        let text = wrap(&line.into(), indent, self.width());
        self.write(format!("{text}\n").as_bytes());
    }

    /// Rows under a heading, in columns that fit the terminal.
    pub(crate) fn table(&mut self, heading: &[&str], rows: Vec<Vec<String>>) {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        if let Some(width) = self.width() {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        }
        table.set_header(heading.iter().map(|cell| cell.to_uppercase()));
        for row in rows {
            table.add_row(row.iter().map(|cell| visible_line(cell)));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for (index, line) in table.lines().enumerate() {
            let line = line.trim_end().to_owned();
            self.out(if index == 0 { Line::default().strong(line) } else { line.into() });
        }
    }

    /// Rows in columns, of which some go where the terminal is narrow; names stay whole.
    pub(crate) fn rows(&mut self, columns: &[Column], rows: Vec<Vec<String>>) {
        let one_line = |row: Vec<String>| row.iter().map(|cell| visible_line(cell)).collect();
        let rows: Vec<Vec<String>> = rows.into_iter().map(one_line).collect();
        let heading = columns.iter().any(|column| !column.heading.is_empty());
        for (index, line) in lay_out(columns, &rows, self.width()).into_iter().enumerate() {
            let is_heading = heading && index == 0;
            self.out(if is_heading { Line::default().strong(line) } else { line.into() });
        }
    }

    /// Columns of the terminal; none when the result goes elsewhere.
    pub(crate) fn width(&self) -> Option<usize> {
        columns(&Term::stdout()).or(self.wanted)
    }

    /// Columns of the terminal that what stands beside the result goes to.
    pub(crate) fn width_beside(&self) -> Option<usize> {
        columns(&Term::stderr()).or(self.wanted)
    }

    /// Whether the result is read by a person, as it is printed.
    pub(crate) fn is_page(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Whether somebody watches.
    pub(crate) fn is_watched(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// Whether lines may be drawn anew: on a terminal that knows how, for somebody who did not refuse escape codes.
    pub(crate) fn may_redraw(&self) -> bool {
        self.moves && self.is_watched() && self.err.current_choice() != ColorChoice::Never
    }

    /// Whether somebody is there who can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && self.is_watched()
    }

    /// Asks; only a plain yes is one.
    pub(crate) fn ask(&mut self, question: impl Into<Line>) -> bool {
        let _ = write!(self.err, "{} [y/N] ", question.into().render());
        let _ = self.err.flush();
        let mut answer = String::new();
        let read = io::stdin().lock().take(LONGEST_ANSWER).read_line(&mut answer);
        read.is_ok() && ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str())
    }

    /// Sends what is left. A reader that went away, such as `head`, is no failure.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
        match self.failed {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    fn write_json(&mut self, mut json: String) {
        json.push('\n');
        // Nothing is left in it that a terminal would act on, so nothing is to be looked for.
        if self.failed.is_none() {
            let mut out: &io::Stdout = self.out.as_inner();
            self.failed = out.write_all(escaped(&json).as_bytes()).err();
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
    }
}

fn columns(terminal: &Term) -> Option<usize> {
    terminal.size_checked().map(|(_, columns)| usize::from(columns)).filter(|width| *width > 0)
}

/// Breaks a line between words where there are so many columns.
fn wrap(line: &Line, indent: &str, columns: Option<usize>) -> String {
    let (first, later) = (Line::from(indent), Line::from(format!("{indent}{HANGING}")));
    let lines = line.flow(columns.unwrap_or(usize::MAX), &first, &later);
    lines.iter().map(Line::render).collect::<Vec<_>>().join("\n")
}

/// JSON in which no character can act on a terminal; such ones only stand in strings, where they may be escaped.
fn escaped(json: &str) -> Cow<'_, str> {
    // Line ends and indentation are the document's own.
    if matches!(visible(json), Cow::Borrowed(_)) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    let (mut one, mut units) = ([0; 4], [0; 2]);
    for c in json.chars() {
        if *visible(c.encode_utf8(&mut one)) == *c.encode_utf8(&mut [0; 4]) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    Cow::Owned(out)
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

    #[test]
    fn no_escape_code_gets_through() {
        let line = Line::default().text("a\u{1b}[2Jb\u{9b}c");
        assert_eq!(line.render(), "a⟨U+001B⟩[2Jb⟨U+009B⟩c");
        assert_eq!(escaped("\"\u{9b}\u{202e}\u{e0041}\""), r#""\u009b\u202e\udb40\udc41""#);
        let back: String = serde_json::from_str(&escaped("\"\u{9b}\u{e0041}\"")).unwrap();
        assert_eq!(back, "\u{9b}\u{e0041}");
    }
}
