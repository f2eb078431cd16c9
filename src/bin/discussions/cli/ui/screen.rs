//! Who reads, and how wide the screen is.

use std::io::{self, IsTerminal as _};

use anstream::ColorChoice;
use dialoguer::console::Term;

use super::Ui;

impl Ui {
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
}

fn columns(terminal: &Term) -> Option<usize> {
    terminal.size_checked().map(|(_, columns)| usize::from(columns)).filter(|width| *width > 0)
}
