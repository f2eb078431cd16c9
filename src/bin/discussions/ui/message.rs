//! The messages that the screen receives, the effects that it requests, and the changes that the user makes, each with
//! the equivalent command. All are plain data.

use std::time::Duration;

use discussions::runner::{Extent, RunOptions};
use discussions::view::{
    CheckedProvider, Definition, Event, Foreign, List, Personas, Provider, Ran, SearchResult,
    Shown, Template, visible,
};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use crate::cli::error::CommandError;
use crate::cli::words::typed;

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
    Untrusted(Vec<Foreign>, String, RunOptions),
    /// A run may make many calls at this price, and the user has not confirmed that yet.
    Costly(String, String, RunOptions),
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
    Work(String, RunOptions),
    /// Stop the run of a discussion.
    Abort(String),
    /// Store the user's trust, then start the run.
    Agree(Vec<Foreign>, String, RunOptions),
    /// Remember that the user confirmed the price, then start the run.
    Spend(String, RunOptions),
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

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Act {
    /// Write a comment, vote, or both. `draft` is the key under which the text is kept until the file contains it.
    Comment { file: String, text: String, vote: Option<String>, draft: String },
    /// Start a phase; `None`: the next one.
    Advance { file: String, to: Option<String> },
    /// Close or reopen a discussion.
    Close { file: String, closed: bool },
    /// Create a discussion.
    New { title: String, template: Option<String>, participants: Vec<String>, edit: bool },
    /// Remove the definition of a persona.
    Remove { alias: String },
}

impl Act {
    /// Returns the name of the discussion that is changed.
    pub(super) fn file(&mut self) -> Option<&mut String> {
        match self {
            Self::Comment { file, .. } | Self::Advance { file, .. } | Self::Close { file, .. } => {
                Some(file)
            }
            Self::New { .. } | Self::Remove { .. } => None,
        }
    }

    /// Returns the equivalent command.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Comment { file, text, vote: Some(vote), .. } if text.trim().is_empty() => {
                command(&["vote", file, vote])
            }
            Self::Comment { file, text, vote: Some(vote), .. } => {
                command(&["comment", file, text.trim(), "--vote", vote])
            }
            Self::Comment { file, text, vote: None, .. } => {
                command(&["comment", file, text.trim()])
            }
            Self::Advance { file, to: None } => command(&["advance", file]),
            Self::Advance { file, to: Some(to) } => command(&["advance", file, "--to", to]),
            Self::Close { file, closed: true } => command(&["close", file]),
            Self::Close { file, closed: false } => command(&["reopen", file]),
            Self::New { title, template, participants, edit } => {
                let mut words = vec!["new", title.as_str()];
                template.iter().for_each(|template| words.extend(["--template", template]));
                let all = participants.join(",");
                if !participants.is_empty() {
                    words.extend(["--participants", &all]);
                }
                if *edit {
                    words.push("--edit");
                }
                command(&words)
            }
            Self::Remove { alias } => command(&["participants", "remove", alias]),
        }
    }
}

/// Returns the command that starts this turn or run.
pub(super) fn work_line(work: &RunOptions, file: &str) -> String {
    let mut words = vec![work_name(work).to_owned(), file.to_owned()];
    if let Extent::Turn { who, question, .. } = &work.extent {
        words.extend(who.iter().map(|who| format!("@{who}")));
        if let Some(question) = question {
            words.extend(["--ask".to_owned(), question.clone()]);
        }
    }
    if let Some(provider) = &work.provider {
        words.extend(["--provider".to_owned(), provider.clone()]);
    }
    if let Some(usd) = work.max_usd {
        words.extend(["--max-usd".to_owned(), usd.to_string()]);
    }
    command(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the name of the command that starts a turn or a run.
pub(super) fn work_name(work: &RunOptions) -> &'static str {
    if work.is_run() { "run" } else { "turn" }
}

/// Returns a command line of this program, as the user would type it.
pub(super) fn command(words: &[&str]) -> String {
    let word = |word: &&str| typed(&visible(word).replace('\n', "⏎")).into_owned();
    let words: Vec<String> = words.iter().map(word).collect();
    format!("discussions {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn action_shows_the_equivalent_command() {
        let said = |text: &str, vote: Option<&str>| {
            let (file, text) = ("a b".to_owned(), text.to_owned());
            let (vote, draft) = (vote.map(str::to_owned), String::new());
            Act::Comment { file, text, vote, draft }.line()
        };
        assert_eq!(
            said("It's fine.\nOr not.", None),
            "discussions comment 'a b' 'It'\\''s fine.⏎Or not.'"
        );
        assert_eq!(said("", Some("READY")), "discussions vote 'a b' READY");
        assert_eq!(said("Yes.", Some("READY")), "discussions comment 'a b' Yes. --vote READY");
        let ask = RunOptions::turn(["security"]).asking("Rob", "Why?").through("mock");
        let line = work_line(&ask, "caching");
        assert_eq!(line, "discussions turn caching @security --ask 'Why?' --provider mock");
    }
}
