//! Facts about the terminals: their width, and if a user is watching.

use std::io::{self, IsTerminal as _};

use anstream::ColorChoice;
use dialoguer::console::Term;

use super::Ui;

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
