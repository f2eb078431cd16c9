//! Takes over the terminal, and always restores it. A thread reads keys, mouse events and changes
//! of the size. Lends the terminal to the user's editor.

use std::io::{self, Stdout};
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Once};
use std::thread::{self, ThreadId};
use std::time::Duration;

use discussions::workspace::NewPersona;
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Size;

use super::effects::Meant;
use super::message::{ActionDone, ActionError, EditTarget, Message, command};
use crate::cli::editor;
use crate::cli::environment::HostEnvironment;

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

/// The time of one read. An editor waits at most this long for the keyboard.
const LISTEN: Duration = Duration::from_millis(50);

/// A reader of the keyboard, which ends when its messages are no longer received.
pub(super) struct Keyboard {
    /// Locked while the keyboard is read.
    reading: Arc<Mutex<()>>,
    /// True while an editor wants the keyboard.
    wanted: Arc<AtomicBool>,
}

impl Keyboard {
    /// Starts the thread.
    pub(super) fn listen(to: Sender<Message>) -> std::io::Result<Self> {
        let (reading, wanted) = (Arc::new(Mutex::new(())), Arc::new(AtomicBool::new(false)));
        let (held, asked) = (Arc::clone(&reading), Arc::clone(&wanted));
        let listen = move || {
            loop {
                while asked.load(Ordering::Acquire) {
                    thread::park_timeout(LISTEN);
                }
                let read = {
                    let _held = held.lock();
                    match event::poll(LISTEN) {
                        Ok(true) => event::read().map(Some),
                        Ok(false) => Ok(None),
                        Err(error) => Err(error),
                    }
                };
                let sent = match read {
                    Ok(Some(Event::Key(key))) => to.send(Message::Key(key)),
                    Ok(Some(Event::Mouse(mouse))) => to.send(Message::Mouse(mouse)),
                    Ok(Some(Event::Paste(text))) => to.send(Message::Paste(text)),
                    Ok(Some(Event::Resize(columns, rows))) => {
                        to.send(Message::Resize(Size::new(columns, rows)))
                    }
                    Ok(_) => continue,
                    // The terminal is gone.
                    Err(_) => {
                        let _ = to.send(Message::Stop);
                        return;
                    }
                };
                if sent.is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("keyboard".to_owned()).spawn(listen)?;
        Ok(Self { reading, wanted })
    }

    /// Pauses reading while `to` runs.
    pub(super) fn lend<T>(&self, to: impl FnOnce() -> T) -> T {
        self.wanted.store(true, Ordering::Release);
        let held = self.reading.lock();
        let done = to();
        drop(held);
        self.wanted.store(false, Ordering::Release);
        done
    }
}

/// Opens the editor, and saves or returns the text.
pub(super) fn edit(outside: &HostEnvironment, meant: &Meant, what: EditTarget) -> Message {
    match what {
        EditTarget::Draft(text) => {
            let written = editor::edit(outside, Path::new("comment.md"), &text);
            Message::Written(written.map_err(ActionError::from))
        }
        what => match perform_edit(outside, meant, what) {
            Ok(done) => Message::Done(done),
            Err(refused) => Message::Refused(refused),
        },
    }
}

fn perform_edit(
    outside: &HostEnvironment,
    meant: &Meant,
    what: EditTarget,
) -> Result<ActionDone, ActionError> {
    let workspace = outside.open()?;
    match what {
        EditTarget::Discussion(file) => {
            let path = meant.path(&workspace, &file)?;
            editor::open(outside, &path)?;
            let line = format!("$EDITOR {}", shell_words::quote(&workspace.shown_path(&path)));
            Ok(ActionDone { line, ..ActionDone::default() })
        }
        EditTarget::Person(alias) => {
            let draft = workspace.participants().edit_participant(&alias)?;
            let path = draft.path().to_owned();
            let line = command(&["participants", "edit", &alias]);
            let name = path.file_name().unwrap_or_default();
            let of_line =
                |refused: ActionError| ActionError { people: true, ..refused.of(line.clone()) };
            let text = editor::edit(outside, Path::new(name), draft.text())
                .map_err(|failure| of_line(failure.into()))?;
            let edited = workspace
                .participants()
                .finish_edit(draft, &text)
                .map_err(|error| of_line(error.into()))?;
            let said = if edited.changed { edited.file } else { "no changes".to_owned() };
            Ok(ActionDone { line, said, people: true, ..ActionDone::default() })
        }
        EditTarget::NewPerson(alias, written) => {
            workspace.participants().insist_on_alias(&alias)?;
            let alias = alias.trim_start_matches('@').to_owned();
            let text = match written {
                Some(text) => text,
                None => workspace.participants().define(&persona_draft(&alias))?.text,
            };
            let name = format!("{alias}.yaml");
            let line = command(&["participants", "add", &alias, "--from-file", &name]);
            let text = editor::edit(outside, Path::new(&name), &text)?;
            match workspace.participants().add_participant(&alias, &text, &name) {
                Ok(added) => {
                    let said = format!("added {}: {}", added.name, added.origin);
                    Ok(ActionDone { line, said, people: true, ..ActionDone::default() })
                }
                Err(error) => {
                    let refused = ActionError::from(error).of(line);
                    Err(ActionError { draft: Some(Box::new((alias, text))), ..refused })
                }
            }
        }
        EditTarget::Draft(_) => Ok(ActionDone::default()),
    }
}

/// Returns the draft of a new persona for the user to fill in.
fn persona_draft(alias: &str) -> NewPersona {
    let mut letters = alias.chars();
    let name: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    NewPersona {
        alias: alias.to_owned(),
        name: format!("AI-{name}"),
        role: "Their role, in a few words".to_owned(),
        kind: "voting".to_owned(),
        personality: format!("You are {name}. Say here what they look for, and how they speak."),
        ..NewPersona::default()
    }
}
