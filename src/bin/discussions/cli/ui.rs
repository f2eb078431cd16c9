//! The one place that prints.
//!
//! Everything goes through [`Line`]: no escape code of a file or a model reaches a terminal.

mod documents;
mod flowing;
mod screen;

use std::io::{self, BufRead as _, ErrorKind, Read as _, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use discussions::transcript::visible_line;

use crate::cli::display::{Everywhere, Shown};
pub(crate) use crate::cli::line::Line;

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

    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
    }
}
