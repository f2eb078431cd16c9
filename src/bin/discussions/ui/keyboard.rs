//! A thread that reads keys, mouse events and the size of the terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use ratatui::crossterm::event::{self, Event};
use ratatui::layout::Size;

use super::message::Message;

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
