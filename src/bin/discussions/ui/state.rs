//! The state of the screen, and of the dialogs, which get all keys until they are closed.

use std::collections::BTreeMap;
use std::time::Duration;

use discussions::runner::RunOptions;
use discussions::view::{CallOutcome, Event, EventKind, Foreign};
use ratatui::layout::Size;
use ratatui_textarea::{TextArea, WrapMode};

use super::lists::{Browser, OpenDiscussion};
use super::message::{ActionDone, ActionError, Effect};
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

/// A dialog in front of the panes.
#[derive(Debug)]
pub(super) enum Overlay {
    /// All keys with descriptions that contain these words.
    Help { filter: String, scroll: usize },
    /// The log of changes.
    Log { scroll: usize },
    /// A text to read.
    Told { title: String, text: String, scroll: usize },
    /// A text that the user writes.
    Compose(Box<Compose>),
    /// A choice from a list.
    Choose { title: String, options: Vec<String>, at: usize, what: PendingChoice },
    /// A form for a new discussion, or for the alias of a new persona.
    Form(Box<OverlayForm>),
    /// A question with the answers yes and no.
    Confirm { question: String, then: Effect },
    /// A question whether to trust providers of the project.
    Consent { foreign: Vec<Foreign>, file: String, work: RunOptions, scroll: usize },
}

/// The subject of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PendingChoice {
    /// A vote.
    Vote,
    /// A phase.
    Phase,
}

/// A text that the user writes.
#[derive(Debug)]
pub(super) struct Compose {
    pub(super) file: String,
    pub(super) what: CommentOverlay,
    pub(super) area: TextArea<'static>,
    /// The names that can be mentioned.
    pub(super) mentions: Vec<String>,
}

/// The purpose of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommentOverlay {
    Comment,
    /// The answer to a question, with its number and text.
    Answer(u32, String),
    /// The reason of a vote.
    Vote(String),
    /// A question to the participants that are mentioned in it.
    Ask,
}

impl CommentOverlay {
    /// Returns the title above the text.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Comment => "Comment".to_owned(),
            Self::Answer(number, text) => format!("Answer to Q{number}: {text}"),
            Self::Vote(vote) => format!("Vote {vote}: reason (optional)"),
            Self::Ask => "Ask: @alias and your question".to_owned(),
        }
    }

    /// Returns the key under which the draft is kept.
    pub(super) fn draft_key(&self, file: &str) -> String {
        match self {
            Self::Comment => format!("{file}#comment"),
            Self::Answer(number, _) => format!("{file}#{number}"),
            Self::Vote(_) => format!("{file}#vote"),
            Self::Ask => format!("{file}#ask"),
        }
    }
}

/// A form with several fields.
#[derive(Debug)]
pub(super) struct OverlayForm {
    pub(super) title: &'static str,
    pub(super) what: OverlayRequest,
    pub(super) fields: Vec<Field>,
    pub(super) at: usize,
}

/// The purpose of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverlayRequest {
    Discussion,
    Person,
}

/// A field of a form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) label: &'static str,
    pub(super) hint: &'static str,
    pub(super) line: TextArea<'static>,
    /// The options that Tab completes.
    pub(super) options: Vec<String>,
}

impl Field {
    pub(super) fn new(label: &'static str, hint: &'static str, options: Vec<String>) -> Self {
        Self { label, hint, line: area(""), options }
    }

    pub(super) fn text(&self) -> String {
        self.line.lines().join(" ").trim().to_owned()
    }

    /// Returns the options that begin with the last word of the field.
    pub(super) fn fitting(&self) -> Vec<&str> {
        let typed = self.text();
        let last = typed.rsplit(',').next().unwrap_or_default().trim().to_lowercase();
        let fits = |option: &&String| option.to_lowercase().starts_with(&last);
        self.options.iter().filter(fits).map(String::as_str).collect()
    }
}

impl Overlay {
    /// Creates a dialog with a text to read.
    pub(super) fn text_overlay(title: impl Into<String>, text: String) -> Self {
        Self::Told { title: title.into(), text, scroll: 0 }
    }
}

/// Creates a text editor with this text.
pub(super) fn area(text: &str) -> TextArea<'static> {
    let mut area = TextArea::new(text.lines().map(str::to_owned).collect());
    area.set_cursor_line_style(ratatui::style::Style::default());
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.move_cursor(ratatui_textarea::CursorMove::Bottom);
    area.move_cursor(ratatui_textarea::CursorMove::End);
    area
}

/// Returns the unfinished mention before the cursor, without its `@`.
pub(super) fn mention(area: &TextArea<'_>) -> Option<String> {
    let cursor = area.cursor();
    let before: String = area.lines().get(cursor.0)?.chars().take(cursor.1).collect();
    let start = before.rfind('@')?;
    let is_first = before[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    let word = &before[start + 1..];
    let is_word = word.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    (is_first && is_word).then(|| word.to_owned())
}
