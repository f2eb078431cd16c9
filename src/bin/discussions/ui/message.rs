//! What happens to the screen, and what it wants done: all of it data.

use std::time::Duration;

use discussions::runner::Work;
use discussions::view::{
    CheckedProvider, Definition, Event, Foreign, List, Personas, Provider, Ran, SearchResult,
    Shown, Template,
};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use super::act::Act;
use crate::cli::error::Failure;

/// Something that happened.
#[derive(Debug)]
pub(super) enum Message {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// A text that came in at once.
    Paste(String),
    /// The terminal has so many columns and rows now.
    Resize(Size),
    /// Time goes on: how long the screen is shown.
    Tick(Duration),
    /// All discussions, and how long reading them took.
    Listed(Result<Box<List>, Refused>, Duration),
    /// Where words stand.
    Found(String, Result<Box<SearchResult>, Refused>),
    /// Whether a run of a discussion goes on, in whatever program.
    Running(String, bool),
    /// A discussion as it stands now.
    Seen(String, Result<Box<Shown>, Refused>),
    /// Something happened in a run that was begun here.
    Told(String, Box<Event>),
    /// Such a run is over.
    Ended(String, Result<Box<Ran>, Refused>),
    /// An action is done.
    Done(Done),
    /// An action could not be done.
    Refused(Refused),
    People(Box<Personas>),
    Defined(Box<Definition>),
    Templates(Vec<Template>),
    Providers(Vec<Provider>, Vec<CheckedProvider>),
    /// What one of them, or all, answered.
    Pinged(Result<Vec<CheckedProvider>, Refused>),
    /// What a run would call came with the project, and nobody agreed to it.
    Untrusted(Vec<Foreign>, String, Work),
    /// A turn or a run may take many calls, and nobody agreed to that yet: its price.
    Costly(String, String, Work),
    /// The price of a turn or a run of a discussion that begins.
    Price(String, String),
    /// What was written in the editor, for the text that is being written.
    Written(Result<String, Refused>),
    /// Somebody ends the program from outside.
    Stop,
}

/// Something that is to be done beyond the screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    List,
    Search(String),
    People,
    Define(String),
    Templates,
    Providers,
    /// Send a provider a small prompt; none: all.
    Ping(Option<String>),
    /// Follow a discussion, and no other one.
    Open(String),
    /// Follow none.
    Leave,
    /// Change something.
    Act(Act),
    /// Ask models.
    Work(String, Work),
    /// Stop the run of a discussion.
    Abort(String),
    /// Remember that somebody agreed, then ask models.
    Agree(Vec<Foreign>, String, Work),
    /// Remember that somebody agreed to the price of a discussion, then ask models.
    Spend(String, Work),
    /// Give the terminal to the editor.
    Edit(Edit),
    Quit,
}

/// What is edited.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Edit {
    /// The text that is being written.
    Draft(String),
    /// A discussion's file.
    Discussion(String),
    /// Somebody's definition, by alias.
    Person(String),
    /// The definition of somebody new: the alias, and what was written before.
    NewPerson(String, Option<String>),
}

/// What an action came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Done {
    /// The command that would have done it.
    pub(super) line: String,
    /// What came of it, in a sentence.
    pub(super) said: String,
    /// What is worth knowing about it.
    pub(super) notes: Vec<String>,
    /// What the text was kept under that stands in the file now.
    pub(super) sent: Option<String>,
    /// The discussion to go to.
    pub(super) open: Option<String>,
    /// Who can take part has changed.
    pub(super) people: bool,
}

/// What could not be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Refused {
    /// The command that would have been refused as well; empty where there is none.
    pub(super) line: String,
    pub(super) message: String,
    /// What mends it.
    pub(super) help: Option<String>,
    /// The alias and the text of a definition that is wrong, to go on with.
    pub(super) draft: Option<Box<(String, String)>>,
    /// What is known of who can take part may have changed all the same.
    pub(super) people: bool,
}

impl Refused {
    /// The same of a command.
    pub(super) fn of(self, line: String) -> Self {
        Self { line, ..self }
    }
}

impl<E: Into<Failure>> From<E> for Refused {
    fn from(error: E) -> Self {
        let (message, help) = error.into().words();
        Self { message, help, ..Self::default() }
    }
}
