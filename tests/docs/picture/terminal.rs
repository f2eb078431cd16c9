//! The program at a terminal, and the pipes through which its scripted models speak.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, Stdio};

use anstyle::{Ansi256Color, Effects, RgbColor, Style};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::cli::Scenario;

const ROWS: u16 = 35;
const COLUMNS: u16 = 96;

/// The screen of a terminal.
pub(super) struct Terminal {
    parser: vt100::Parser,
}

impl Terminal {
    pub(super) fn new() -> Self {
        let [rows, columns] = [ROWS, COLUMNS].map(|size| NonZero::new(size).unwrap());
        Self { parser: vt100::Parser::new(rows, columns, 0) }
    }

    /// Shows text as a shell would print it.
    pub(super) fn print(&mut self, text: &str) {
        self.parser.process(text.as_bytes());
    }

    /// Returns the rows with terminal codes for their styles.
    pub(super) fn rows(&self) -> Vec<String> {
        (0..ROWS).map(|row| self.row(row)).collect()
    }

    /// Returns the rows with a block at the cursor, as while a person types.
    pub(super) fn rows_with_cursor(&self) -> Vec<String> {
        let (row, column) = self.parser.screen().cursor_position();
        let mut rows = self.rows();
        let typed = &mut rows[usize::from(row)];
        let missing = usize::from(column).saturating_sub(typed.chars().count());
        typed.push_str(&" ".repeat(missing));
        typed.push('█');
        rows
    }

    fn row(&self, row: u16) -> String {
        let screen = self.parser.screen();
        let (mut text, mut before) = (String::new(), Style::new());
        for cell in (0..COLUMNS).filter_map(|column| screen.cell(row, column)) {
            if cell.is_wide_continuation() {
                continue;
            }
            let style = style_of(cell);
            if style != before {
                text.push_str(&format!("{before:#}{style}"));
                before = style;
            }
            text.push_str(if cell.has_contents() { cell.contents() } else { " " });
        }
        text.push_str(&format!("{before:#}"));
        text.trim_end().to_owned()
    }

    /// Returns true if each text is exactly once below the last command. A screen that is only half drawn lacks a text,
    /// or has it twice.
    fn is_complete(&self, texts: &[&str]) -> bool {
        let shown = self.parser.screen().contents();
        let begin = shown.rfind("$ discussions ").unwrap_or_default();
        texts.iter().all(|text| shown[begin..].matches(text).count() == 1)
    }
}

fn style_of(cell: &vt100::Cell) -> Style {
    let colour = match cell.fgcolor() {
        vt100::Color::Default => None,
        vt100::Color::Idx(index) => Some(Ansi256Color(index).into()),
        vt100::Color::Rgb(red, green, blue) => Some(RgbColor(red, green, blue).into()),
    };
    let effects = [(cell.bold(), Effects::BOLD), (cell.dim(), Effects::DIMMED)];
    let effects = effects.into_iter().filter(|(is_so, _)| *is_so);
    let effects = effects.fold(Effects::new(), |all, (_, effect)| all | effect);
    Style::new().fg_color(colour).effects(effects)
}

/// The program under test at a terminal.
pub(super) struct Program {
    child: Child,
    master: File,
}

impl Program {
    pub(super) fn begin(scenario: &Scenario, arguments: &[&str]) -> Self {
        let size = Winsize { ws_row: ROWS, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(Some(&size), None).unwrap();
        let end = || Stdio::from(terminal.slave.try_clone().unwrap());
        let mut command = scenario.program_under_test();
        command.args(arguments).stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().unwrap();
        // Reading ends when no process holds the other end of the terminal, so this one must not.
        drop((command, terminal.slave));
        Self { child, master: File::from(terminal.master) }
    }

    /// Shows the output until each text is there.
    pub(super) fn wait_for(&mut self, terminal: &mut Terminal, texts: &[&str]) {
        while !terminal.is_complete(texts) {
            let is_open = self.read(terminal);
            assert!(is_open, "{texts:?} never came:\n{}", terminal.parser.screen().contents());
        }
    }

    /// Shows the next output; returns false at its end.
    fn read(&mut self, terminal: &mut Terminal) -> bool {
        let mut piece = [0; 4096];
        // The end of the output is an error on Linux.
        let read = self.master.read(&mut piece).unwrap_or_default();
        terminal.parser.process(&piece[..read]);
        read > 0
    }

    /// Interrupts the program, as a terminal does for Ctrl-C.
    pub(super) fn interrupt(&self) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    }

    /// Shows the rest of the output; returns the exit code.
    pub(super) fn end(mut self, terminal: &mut Terminal) -> i32 {
        while self.read(terminal) {}
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

/// The answer of one participant while its model writes it.
pub(super) struct Speech {
    pipe: File,
}

impl Speech {
    /// Waits until the participant is called.
    pub(super) fn open(pipe: &Path) -> Self {
        Self { pipe: File::options().write(true).open(pipe).unwrap() }
    }

    /// Streams a piece of the answer.
    pub(super) fn piece(&mut self, text: &str) {
        writeln!(self.pipe, "{}", json!({"piece": text})).unwrap();
    }

    /// Ends the answer, with its price and its whole text.
    pub(super) fn end(mut self, (usd, text): (f64, &str)) {
        let answer = json!({"text": text, "usd": usd, "in": 1229, "out": 150});
        writeln!(self.pipe, "{answer}").unwrap();
    }
}
