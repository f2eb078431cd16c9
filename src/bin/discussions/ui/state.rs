//! All that the screen knows.

use std::collections::BTreeMap;
use std::time::Duration;

use discussions::runner::RunRequest;
use discussions::view::{CallOutcome, Event, EventKind};
use ratatui::layout::Size;

use super::browser::Browser;
use super::message::{Done, Refused};
use super::overlay::Overlay;
use super::panes::{Pane, Places, inside};
use super::room::Room;

/// Commands that are remembered.
const REMEMBERED: usize = 500;

/// All that the screen knows.
#[derive(Debug)]
pub(super) struct State {
    /// Columns and rows.
    pub(super) size: Size,
    /// How long it is shown.
    pub(super) now: Duration,
    /// The folder, as people know it.
    pub(super) folder: String,
    /// Who writes.
    pub(super) author: String,
    /// What every run that is begun here has in common.
    pub(super) request: RunRequest,
    pub(super) browser: Browser,
    /// The discussion that is open.
    pub(super) room: Option<Room>,
    /// What goes on, by file.
    pub(super) runs: BTreeMap<String, Run>,
    /// What stands before everything else.
    pub(super) overlay: Option<Overlay>,
    /// What was sent on its way, to go on with where it is refused.
    pub(super) again: Option<Overlay>,
    /// Texts that were begun and not sent, by what they are about.
    pub(super) drafts: BTreeMap<String, String>,
    /// What was done, the last last.
    pub(super) log: Vec<Logged>,
    /// What is told below the panes.
    pub(super) note: Option<Note>,
    /// No colours.
    pub(super) plain: bool,
    /// Somebody wants to leave as soon as nothing runs.
    pub(super) leaving: bool,
}

/// A command and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Logged {
    pub(super) line: String,
    pub(super) said: String,
    pub(super) notes: Vec<String>,
}

/// Something told in a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Note {
    /// What was done, by its command, and what came of it.
    Done(String, String),
    /// Something worth knowing.
    Hint(String),
    /// What could not be done.
    Wrong(String),
}

/// A run that was begun here.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Run {
    /// `turn` or `run`.
    pub(super) word: &'static str,
    /// The command that does the same.
    pub(super) line: String,
    pub(super) since: Duration,
    /// The last turn's number and what its phase is called.
    pub(super) turn: Option<(u32, String)>,
    /// Whom it asks, and how many have answered.
    pub(super) asked: usize,
    pub(super) ended: usize,
    pub(super) speaking: Vec<Speaking>,
    pub(super) stopping: bool,
    /// What it may cost, until somebody has answered.
    pub(super) price: Option<String>,
}

/// Somebody whose answer grows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Speaking {
    /// By alias.
    pub(super) who: String,
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) text: String,
    pub(super) since: Duration,
    /// Nothing more comes.
    pub(super) is_whole: bool,
}

impl State {
    /// Before anything was read.
    pub(super) fn new(folder: String, author: String, request: RunRequest, size: Size) -> Self {
        Self {
            size,
            now: Duration::ZERO,
            folder,
            author,
            request,
            browser: Browser::default(),
            room: None,
            runs: BTreeMap::new(),
            overlay: None,
            again: None,
            drafts: BTreeMap::new(),
            log: Vec::new(),
            note: None,
            plain: false,
            leaving: false,
        }
    }

    /// The pane that somebody is in.
    pub(super) fn focus(&self) -> Pane {
        self.room.as_ref().map_or(self.browser.focus, |room| room.focus)
    }

    /// Goes to a pane.
    pub(super) fn go_to(&mut self, pane: Pane) {
        match &mut self.room {
            Some(room) if pane.is_in_room() => room.focus = pane,
            None if !pane.is_in_room() => self.browser.focus = pane,
            _ => {}
        }
        self.fit();
    }

    /// Where everything stands.
    pub(super) fn places(&self) -> Places {
        Places::of(self.size.width, self.size.height, self.focus())
    }

    /// Rows within a pane.
    pub(super) fn rows(&self, pane: Pane) -> usize {
        self.places().pane(pane).map_or(0, |area| usize::from(inside(area).height))
    }

    /// Lays out the open discussion for the screen as it is.
    pub(super) fn fit(&mut self) {
        // Where the text is not shown it keeps the columns it had.
        let Some(area) = self.places().pane(Pane::Text).map(inside) else { return };
        if let Some(text) = self.room.as_mut().and_then(|room| room.text.as_mut()) {
            text.fit(usize::from(area.width), usize::from(area.height));
        }
    }

    /// The run of the open discussion.
    pub(super) fn run(&self) -> Option<&Run> {
        self.runs.get(&self.room.as_ref()?.file)
    }

    /// Tells what was done.
    pub(super) fn done(&mut self, done: &Done) {
        let said = done.notes.first().unwrap_or(&done.said).clone();
        self.note = Some(Note::Done(done.line.clone(), said));
        let (line, said, notes) = (done.line.clone(), done.said.clone(), done.notes.clone());
        self.remember(Logged { line, said, notes });
    }

    /// Tells what could not be done: in a line, and whole where it takes more.
    pub(super) fn refused(&mut self, refused: Refused) {
        let Refused { line, message, help, .. } = refused;
        self.note = Some(Note::Wrong(message.lines().next().unwrap_or_default().to_owned()));
        if !line.is_empty() {
            let notes = help.iter().cloned().collect();
            self.remember(Logged { line, said: message.clone(), notes });
        }
        if message.contains('\n') || help.is_some() || message.len() > 60 {
            let text = match help {
                Some(help) => format!("{message}\n\n{help}"),
                None => message,
            };
            self.overlay = Some(Overlay::told("Not done", text));
        }
    }

    /// Says something in a line.
    pub(super) fn hint(&mut self, text: impl Into<String>) {
        self.note = Some(Note::Hint(text.into()));
    }

    pub(super) fn remember(&mut self, done: Logged) {
        if self.log.len() >= REMEMBERED {
            self.log.remove(0);
        }
        self.log.push(done);
    }
}

impl Run {
    /// What an event changes, at a time.
    pub(super) fn saw(&mut self, event: Event, now: Duration) {
        let who = event.participant.unwrap_or_default();
        match event.kind {
            EventKind::TurnStart { turn, title, asks, .. } => {
                (self.turn, self.asked, self.ended) = (Some((turn, title)), asks.len(), 0);
            }
            EventKind::AnswerStart { name, provider, .. } => {
                self.speaking.retain(|one| one.who != who);
                let (text, is_whole) = (String::new(), false);
                self.speaking.push(Speaking { who, name, provider, text, since: now, is_whole });
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = self.speaking.iter_mut().find(|one| one.who == who) {
                    one.text.push_str(&text);
                }
            }
            EventKind::AnswerEnd { outcome, .. } => {
                self.ended += 1;
                self.price = None;
                // Until it stands in the file it is shown as it was written.
                match self.speaking.iter_mut().find(|one| one.who == who) {
                    Some(one) if matches!(outcome, CallOutcome::Answered { .. }) => {
                        one.is_whole = true;
                    }
                    _ => self.speaking.retain(|one| one.who != who),
                }
            }
            EventKind::TurnEnd { .. } => self.speaking.clear(),
            _ => {}
        }
    }
}
