//! Draws live lines on the terminal, and leaves space at the end of each line for characters that the terminal echoes.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use dialoguer::console::Term;
use indicatif::{ProgressDrawTarget, TermLike};

/// The number of columns that stay free, because a terminal shows Ctrl-C as `^C`.
const ROOM: u16 = 3;
/// The maximum number of redraws per second.
const HERTZ: u8 = 20;

/// Standard error, drawn so that an echo never reaches the next line.
///
/// The progress library fills each line up to the edge, and relies on the terminal's wrapping to begin the next one. A
/// `^C` would then move all lines down, and the first live line would never be removed.
#[derive(Debug)]
struct LiveLines {
    term: Term,
    /// The line is written, so the next one must begin below it.
    ended: AtomicBool,
}

/// Returns standard error as a target for live lines.
pub(crate) fn target() -> ProgressDrawTarget {
    let lines = LiveLines { term: Term::buffered_stderr(), ended: AtomicBool::new(false) };
    ProgressDrawTarget::term_like_with_hz(Box::new(lines), HERTZ)
}

impl LiveLines {
    fn begin_line(&self) -> io::Result<()> {
        if self.ended.swap(false, Ordering::Relaxed) { self.term.write_str("\n") } else { Ok(()) }
    }

    /// Drops the pending line end and returns the terminal, for callers that move the cursor themselves.
    fn stay(&self) -> &Term {
        self.ended.store(false, Ordering::Relaxed);
        &self.term
    }
}

impl TermLike for LiveLines {
    fn width(&self) -> u16 {
        self.term.size().1.saturating_sub(ROOM).max(1)
    }

    fn height(&self) -> u16 {
        self.term.size().0
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_left(n)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.begin_line()?;
        self.term.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text.bytes().all(|byte| byte == b' ') {
            self.ended.store(true, Ordering::Relaxed);
            return Ok(());
        }
        self.begin_line()?;
        self.term.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.stay().clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.stay().flush()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Read as _, Seek as _};

    use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

    use super::*;

    #[test]
    fn no_line_reaches_the_edge() {
        let mut file = tempfile::tempfile().unwrap();
        let term = Term::read_write_pair(file.try_clone().unwrap(), file.try_clone().unwrap());
        let lines = LiveLines { term, ended: AtomicBool::new(false) };
        let bars = MultiProgress::with_draw_target(ProgressDrawTarget::term_like(Box::new(lines)));
        let style = ProgressStyle::with_template("{msg}").unwrap();
        let _live = ["one", "two"].map(|text| {
            let bar = bars.add(ProgressBar::new_spinner().with_style(style.clone()));
            bar.set_message(text);
            bar
        });
        let mut shown = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut shown).unwrap();
        assert!(shown.ends_with("one\ntwo"), "{shown:?}");
        assert!(!shown.contains("  "), "{shown:?}");
    }
}
