//! The state of the screen.

use std::collections::BTreeMap;
use std::time::Duration;

use discussions::runner::RunOptions;
use discussions::view::{CallOutcome, Event, EventKind};
use ratatui::layout::Size;

use super::browser::Browser;
use super::discussion::OpenDiscussion;
use super::message::{ActionDone, ActionError};
use super::overlay::Overlay;
use super::panes::{Pane, PaneLayout, inner_area};

/// The maximum number of commands in the log.
const REMEMBERED: usize = 500;

/// The state of the screen.
#[derive(Debug)]
pub(super) struct ScreenState {
    /// Columns and rows.
    pub(super) size: Size,
    /// The time since the screen was opened.
    pub(super) now: Duration,
    /// The folder, as it is shown.
    pub(super) folder: String,
    /// The name under which the user writes.
    pub(super) author: String,
    /// The settings that all runs of this screen share.
    pub(super) request: RunOptions,
    pub(super) browser: Browser,
    /// The open discussion.
    pub(super) room: Option<OpenDiscussion>,
    /// The runs of this screen, by file.
    pub(super) runs: BTreeMap<String, RunState>,
    /// The dialog in front of the panes.
    pub(super) overlay: Option<Overlay>,
    /// The last dialog that was sent, to reopen it if the change fails.
    pub(super) again: Option<Overlay>,
    /// Unsent drafts, by their keys.
    pub(super) drafts: BTreeMap<String, String>,
    /// The log of changes, oldest first.
    pub(super) log: Vec<Logged>,
    /// The message below the panes.
    pub(super) note: Option<Note>,
    /// True if no colours are used.
    pub(super) plain: bool,
    /// True if the user wants to quit as soon as all runs have stopped.
    pub(super) leaving: bool,
}

/// A command and its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Logged {
    pub(super) line: String,
    pub(super) said: String,
    pub(super) notes: Vec<String>,
}

/// A message in one line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Note {
    /// A change: its command and its result.
    Done(String, String),
    /// A note for the user.
    Hint(String),
    /// An error.
    Wrong(String),
}

/// A run that this screen started.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RunState {
    /// `turn` or `run`.
    pub(super) word: &'static str,
    /// The equivalent command.
    pub(super) line: String,
    pub(super) since: Duration,
    /// The number of the last turn and the title of its phase.
    pub(super) turn: Option<(u32, String)>,
    /// The number of participants in the turn, and of those that have answered.
    pub(super) asked: usize,
    pub(super) ended: usize,
    pub(super) speaking: Vec<SpeakingParticipant>,
    pub(super) stopping: bool,
    /// The maximum price, until the first answer.
    pub(super) price: Option<String>,
}

/// A participant with an answer that is arriving.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SpeakingParticipant {
    /// The alias.
    pub(super) who: String,
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) text: String,
    pub(super) since: Duration,
    /// True if the answer is complete.
    pub(super) is_whole: bool,
}

impl ScreenState {
    /// Creates the state before anything was read.
    pub(super) fn new(folder: String, author: String, request: RunOptions, size: Size) -> Self {
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

    /// Returns the pane with the focus.
    pub(super) fn focus(&self) -> Pane {
        self.room.as_ref().map_or(self.browser.focus, |room| room.focus)
    }

    /// Moves the focus to a pane.
    pub(super) fn go_to(&mut self, pane: Pane) {
        match &mut self.room {
            Some(room) if pane.is_in_room() => room.focus = pane,
            None if !pane.is_in_room() => self.browser.focus = pane,
            _ => {}
        }
        self.fit();
    }

    /// Returns the places of everything on the screen.
    pub(super) fn places(&self) -> PaneLayout {
        PaneLayout::of(self.size.width, self.size.height, self.focus())
    }

    /// Returns the number of rows within a pane.
    pub(super) fn rows(&self, pane: Pane) -> usize {
        self.places().pane(pane).map_or(0, |area| usize::from(inner_area(area).height))
    }

    /// Lays out the open discussion for the current size of the screen.
    pub(super) fn fit(&mut self) {
        // If the text pane is not shown, the text keeps its width.
        let Some(area) = self.places().pane(Pane::Text).map(inner_area) else { return };
        if let Some(text) = self.room.as_mut().and_then(|room| room.text.as_mut()) {
            text.fit(usize::from(area.width), usize::from(area.height));
        }
    }

    /// Returns the run of the open discussion.
    pub(super) fn run(&self) -> Option<&RunState> {
        self.runs.get(&self.room.as_ref()?.file)
    }

    /// Shows the result of a change and adds it to the log.
    pub(super) fn report_done(&mut self, done: &ActionDone) {
        let said = done.notes.first().unwrap_or(&done.said).clone();
        self.note = Some(Note::Done(done.line.clone(), said));
        let (line, said, notes) = (done.line.clone(), done.said.clone(), done.notes.clone());
        self.remember(Logged { line, said, notes });
    }

    /// Shows an error in one line, and opens a dialog if it needs more space.
    pub(super) fn report_refused(&mut self, refused: ActionError) {
        let ActionError { line, message, help, .. } = refused;
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
            self.overlay = Some(Overlay::text_overlay("Not done", text));
        }
    }

    /// Shows a note.
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

impl RunState {
    /// Applies an event at the time `now`.
    pub(super) fn saw(&mut self, event: Event, now: Duration) {
        let who = event.participant.unwrap_or_default();
        match event.kind {
            EventKind::TurnStart { turn, title, asks, .. } => {
                (self.turn, self.asked, self.ended) = (Some((turn, title)), asks.len(), 0);
            }
            EventKind::AnswerStart { name, provider, .. } => {
                self.speaking.retain(|one| one.who != who);
                let (text, is_whole) = (String::new(), false);
                self.speaking.push(SpeakingParticipant {
                    who,
                    name,
                    provider,
                    text,
                    since: now,
                    is_whole,
                });
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = self.speaking.iter_mut().find(|one| one.who == who) {
                    one.text.push_str(&text);
                }
            }
            EventKind::AnswerEnd { outcome, .. } => {
                self.ended += 1;
                self.price = None;
                // A complete answer stays visible until the file contains it.
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
