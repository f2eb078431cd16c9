//! Keys, mouse and the size of the terminal, read beside everything else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use ratatui::crossterm::event::{self, Event};
use ratatui::layout::Size;

use super::message::Message;

/// How long the keyboard is listened to at a time; so long an editor waits for it.
const LISTEN: Duration = Duration::from_millis(50);

/// Reads the keyboard until nobody listens.
pub(super) struct Keyboard {
    /// Held while it is read.
    reading: Arc<Mutex<()>>,
    /// Somebody else wants it.
    wanted: Arc<AtomicBool>,
}

impl Keyboard {
    /// Begins to read.
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

    /// Leaves the keyboard to somebody else meanwhile.
    pub(super) fn lend<T>(&self, to: impl FnOnce() -> T) -> T {
        self.wanted.store(true, Ordering::Release);
        let held = self.reading.lock();
        let done = to();
        drop(held);
        self.wanted.store(false, Ordering::Release);
        done
    }
}
