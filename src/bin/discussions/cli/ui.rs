//! The only place that prints: lines that fit the terminal, and JSON documents. All output goes through [`Line`], so
//! that no escape code of a file or a model reaches a terminal.

use std::borrow::Cow;
use std::io::{self, BufRead as _, ErrorKind, IsTerminal as _, Read as _, Write};
use std::path::Path;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use dialoguer::console::Term;
use discussions::view::{visible, visible_line};
use serde::Serialize;

use crate::cli::flags::{DisplayChoice, GlobalArgs, OutputRequest};
pub(crate) use crate::cli::line::Line;
use crate::cli::pager::Pager;
use crate::cli::rows::{Column, lay_out};

/// The maximum number of bytes that are read from an answer to a question.
const LONGEST_ANSWER: u64 = 1024;

/// Returns a path as it is shown. A file name may contain line ends, which would look like lines of the program.
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
    /// The width that the user wants without a terminal.
    wanted: Option<usize>,
}

impl Ui {
    /// Uses colours only on a terminal and only without `NO_COLOR`, unless the user decides otherwise.
    pub(crate) fn new(everywhere: &GlobalArgs) -> Self {
        Self {
            out: AutoStream::auto(io::stdout()),
            err: AutoStream::auto(io::stderr()),
            failed: None,
            quiet: everywhere.quiet,
            steps: everywhere.progress != DisplayChoice::None && !everywhere.quiet,
            moves: everywhere.may_move(),
            told: false,
            wanted: None,
        }
    }

    /// Sets the width that a terminal would have, if the user wants colours without one.
    pub(crate) fn imitate(&mut self, columns: Option<usize>) {
        let is_wanted = !self.is_page() && self.out.current_choice() != ColorChoice::Never;
        self.wanted = columns.filter(|_| is_wanted);
    }

    /// Returns true if only warnings and errors are printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a line of the result.
    pub(crate) fn out(&mut self, line: impl Into<Line>) {
        let text = format!("{}\n", line.into().render());
        self.write(text.as_bytes());
    }

    /// Prints a text of the result that has its own line ends.
    pub(crate) fn page(&mut self, page: impl Into<Line>) {
        let text = page.into().render();
        self.write(text.as_bytes());
    }

    /// Prints a line to standard error, unless `--quiet` is set.
    pub(crate) fn note(&mut self, line: impl Into<Line>) {
        if !self.quiet {
            self.insist(line);
        }
    }

    /// Prints a line to standard error even with `--quiet`.
    pub(crate) fn insist(&mut self, line: impl Into<Line>) {
        // A failure to write to standard error cannot be reported anywhere.
        let _ = writeln!(self.err, "{}", line.into().render());
    }

    /// Returns true if progress is shown.
    pub(crate) fn shows_steps(&self) -> bool {
        self.steps
    }

    /// Asks a question. Only a plain yes counts as one.
    pub(crate) fn ask(&mut self, question: impl Into<Line>) -> bool {
        let _ = write!(self.err, "{} [y/N] ", question.into().render());
        let _ = self.err.flush();
        let mut answer = String::new();
        let read = io::stdin().lock().take(LONGEST_ANSWER).read_line(&mut answer);
        read.is_ok() && ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str())
    }

    /// Flushes the output. A reader that closed the pipe, such as `head`, is not a failure.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
        match self.failed {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
    }
}

impl Ui {
    /// Returns true if a JSON document was printed; a failure then prints no second one.
    pub(crate) fn has_told(&self) -> bool {
        self.told
    }

    /// Prints the result as one JSON document.
    pub(crate) fn json(&mut self, document: &impl Serialize) {
        match serde_json::to_string_pretty(document) {
            Ok(json) => {
                self.told = true;
                self.write_json(json);
            }
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    /// Prints the result in the wanted form; nothing if that is text, which the caller prints.
    pub(crate) fn json_as(&mut self, wanted: OutputRequest, document: &impl Serialize) {
        match wanted {
            OutputRequest::Words => {}
            OutputRequest::Document => self.json(document),
            OutputRequest::Lines => self.json_line(document),
        }
    }

    /// Prints the result as one line, after events.
    pub(crate) fn json_line(&mut self, document: &impl Serialize) {
        self.event(document);
        self.told = true;
    }

    /// Prints an event as one line of JSON, immediately.
    pub(crate) fn event(&mut self, document: &impl Serialize) {
        match serde_json::to_string(document) {
            Ok(json) => {
                self.write_json(json);
                let _ = self.out.flush();
            }
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    fn write_json(&mut self, mut json: String) {
        json.push('\n');
        // The escaped text cannot control a terminal, so it needs no filter.
        if self.failed.is_none() {
            let mut out: &io::Stdout = self.out.as_inner();
            self.failed = out.write_all(escaped(&json).as_bytes()).err();
        }
    }
}

/// Escapes all characters that could control a terminal. They occur only in strings, where JSON allows escapes.
fn escaped(json: &str) -> Cow<'_, str> {
    // Line ends and indentation come from the document itself.
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
    pub(crate) fn paged(&mut self, lines: &[Line], pager: Option<Pager>) {
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
        // All lines at once: a table may have thousands.
        let mut text = String::new();
        for (index, line) in lay_out(columns, &rows, self.width()).into_iter().enumerate() {
            let is_heading = heading && index == 0;
            let line: Line = if is_heading { Line::default().strong(line) } else { line.into() };
            text.push_str(&line.render());
            text.push('\n');
        }
        self.write(text.as_bytes());
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

impl Ui {
    /// Returns the width of the terminal; `None` if the result does not go to a terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        columns(&Term::stdout()).or(self.wanted)
    }

    /// Returns the width of the terminal of standard error.
    pub(crate) fn width_beside(&self) -> Option<usize> {
        columns(&Term::stderr()).or(self.wanted)
    }

    /// Returns true if the result goes to a terminal.
    pub(crate) fn is_page(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Returns true if a user watches standard error.
    pub(crate) fn is_watched(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// Returns true if lines may be redrawn: on a terminal that supports it, for a user who did not refuse escape
    /// codes.
    pub(crate) fn may_redraw(&self) -> bool {
        self.moves && self.is_watched() && self.err.current_choice() != ColorChoice::Never
    }

    /// Returns true if a user can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && self.is_watched()
    }
}

fn columns(terminal: &Term) -> Option<usize> {
    terminal.size_checked().map(|(_, columns)| usize::from(columns)).filter(|width| *width > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_are_escaped_in_json() {
        assert_eq!(escaped("\"\u{9b}\u{202e}\u{e0041}\""), r#""\u009b\u202e\udb40\udc41""#);
        let back: String = serde_json::from_str(&escaped("\"\u{9b}\u{e0041}\"")).unwrap();
        assert_eq!(back, "\u{9b}\u{e0041}");
    }

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
