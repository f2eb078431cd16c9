//! The messages that the screen receives, and the effects that it requests: both are plain data.

use std::time::Duration;

use discussions::runner::Work;
use discussions::view::{
    CheckedProvider, Definition, Event, Foreign, List, Personas, Provider, Ran, SearchResult,
    Shown, Template,
};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use super::act::Act;
use crate::cli::error::CommandError;

/// An event for the screen.
#[derive(Debug)]
pub(super) enum Message {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// A pasted text.
    Paste(String),
    /// The new number of columns and rows of the terminal.
    Resize(Size),
    /// A clock tick: the time since the screen was opened.
    Tick(Duration),
    /// All discussions, and the duration of reading them.
    Listed(Result<Box<List>, ActionError>, Duration),
    /// The search results for some words.
    Found(String, Result<Box<SearchResult>, ActionError>),
    /// A discussion, with true if any program is running it.
    Running(String, bool),
    /// The current state of a discussion.
    Seen(String, Result<Box<Shown>, ActionError>),
    /// An event of a run that this screen started.
    Told(String, Box<Event>),
    /// The end of a run that this screen started.
    Ended(String, Result<Box<Ran>, ActionError>),
    /// A change was made.
    Done(ActionDone),
    /// A change could not be made.
    Refused(ActionError),
    People(Box<Personas>),
    Defined(Box<Definition>),
    Templates(Vec<Template>),
    Providers(Vec<Provider>, Vec<CheckedProvider>),
    /// The results of testing one provider or all.
    Pinged(Result<Vec<CheckedProvider>, ActionError>),
    /// A run needs providers of the project that the user has not trusted.
    Untrusted(Vec<Foreign>, String, Work),
    /// A run may make many calls at this price, and the user has not confirmed that yet.
    Costly(String, String, Work),
    /// The price of a run that is starting.
    Price(String, String),
    /// The text from the editor, for the comment that is being written.
    Written(Result<String, ActionError>),
    /// The program is being ended from outside.
    Stop,
}

/// Work outside of the screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    List,
    Search(String),
    People,
    Define(String),
    Templates,
    Providers,
    /// Send a provider a short prompt; `None`: all providers.
    Ping(Option<String>),
    /// Follow this discussion, and no other.
    Open(String),
    /// Stop following a discussion.
    Leave,
    /// Make a change.
    Act(Act),
    /// Start a turn or a run.
    Work(String, Work),
    /// Stop the run of a discussion.
    Abort(String),
    /// Store the user's trust, then start the run.
    Agree(Vec<Foreign>, String, Work),
    /// Remember that the user confirmed the price, then start the run.
    Spend(String, Work),
    /// Open the editor in the terminal.
    Edit(EditTarget),
    Quit,
}

/// The text to edit.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EditTarget {
    /// The comment that is being written.
    Draft(String),
    /// A discussion's file.
    Discussion(String),
    /// The definition of a persona, by alias.
    Person(String),
    /// The definition of a new persona: the alias, and the text of an earlier attempt.
    NewPerson(String, Option<String>),
}

/// The result of a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ActionDone {
    /// The equivalent command.
    pub(super) line: String,
    /// The result in one sentence.
    pub(super) said: String,
    /// Notes about the change for the user.
    pub(super) notes: Vec<String>,
    /// The key of the draft that is now in the file.
    pub(super) sent: Option<String>,
    /// The discussion to open.
    pub(super) open: Option<String>,
    /// True if the personas have changed.
    pub(super) people: bool,
}

/// A change that failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ActionError {
    /// The equivalent command, which would fail too; empty if there is none.
    pub(super) line: String,
    pub(super) message: String,
    /// The way to fix it.
    pub(super) help: Option<String>,
    /// The alias and text of an invalid definition, so that the user can continue editing.
    pub(super) draft: Option<Box<(String, String)>>,
    /// True if the personas may have changed nevertheless.
    pub(super) people: bool,
}

impl ActionError {
    /// Returns this failure with the command that it belongs to.
    pub(super) fn of(self, line: String) -> Self {
        Self { line, ..self }
    }
}

impl<E: Into<CommandError>> From<E> for ActionError {
    fn from(error: E) -> Self {
        let (message, help) = error.into().words();
        Self { message, help, ..Self::default() }
    }
}
