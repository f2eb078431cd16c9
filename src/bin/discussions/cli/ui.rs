//! The only place that prints.
//!
//! All output goes through [`Line`], so that no escape code of a file or a model reaches a terminal.

mod documents;
mod flowing;
mod screen;

use std::io::{self, BufRead as _, ErrorKind, Read as _, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use discussions::view::visible_line;

use crate::cli::display::{DisplayChoice, GlobalArgs};
pub(crate) use crate::cli::line::Line;

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
