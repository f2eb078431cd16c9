//! The terminal: taken over, lent to an editor, and always restored.

use std::io::{self, Stdout};
use std::panic;
use std::sync::Once;
use std::thread::{self, ThreadId};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// The terminal while this program uses it.
pub(super) struct Screen {
    pub(super) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes over the terminal.
    pub(super) fn begin() -> io::Result<Self> {
        give_back_in_panic(thread::current().id());
        take()?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        match terminal {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Restores the terminal while `to` runs, and takes it over again.
    pub(super) fn lend<T>(&mut self, to: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let done = to();
        take()?;
        self.terminal.clear()?;
        Ok(done)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

fn give_back() {
    // Independent steps, so that one failure does not prevent the others. Failures cannot be reported.
    let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture);
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Restores the terminal before the message of a panic in our own thread. A panic in another thread ends only that
/// thread's work, and its message would appear in the middle of the screen.
fn give_back_in_panic(ours: ThreadId) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if thread::current().id() == ours {
                give_back();
                before(panicked);
            }
        }));
    });
}
