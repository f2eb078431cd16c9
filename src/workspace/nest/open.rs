//! A discussion that somebody opens within another one while they are asked there: an agent with tools.

use std::path::PathBuf;

use super::NestError;
use super::make::child_path;
use crate::boundary::Place;
use crate::engine::{ChildSpec, Snapshot};
use crate::store;
use crate::transcript::{Alias, ChildLine, Control, Draft};
use crate::workspace::{NewDiscussion, Workspace, WorkspaceError};

/// Who opens a discussion within another one, and when, as they were told when they were asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// The discussion in which they are asked: a path or a name, as [`Workspace::find`] takes it.
    pub file: PathBuf,
    /// The turn's number.
    pub turn: u32,
    /// Their alias.
    pub by: String,
}

impl Workspace {
    /// Makes a discussion within the one in which somebody is asked, and gives its path. Without participants it has those
    /// of that one.
    ///
    /// # Errors
    /// When it may have none within it, or they are not asked there; as [`Workspace::create`].
    pub(in crate::workspace) fn open_within(
        &self,
        new: NewDiscussion,
        opener: &Opener,
    ) -> Result<PathBuf, WorkspaceError> {
        let new = self.clear_new(&new)?;
        let path = self.find(&opener.file)?;
        let mut writer = self.writer(&path)?;
        let snapshot = self.exact(&writer.read()?)?;
        let by = self.asked_there(&snapshot, opener)?;
        let chain = self.chain(&path, &snapshot)?;
        let (parent, shown) = (&chain[0], self.shown(&path));
        let participants = &snapshot.config.participants;
        let participants: Vec<String> = participants.iter().map(ToString::to_string).collect();
        let new = if new.participants.is_empty() {
            self.with_seats_of(parent, &participants, new)
        } else {
            new
        };
        let (turn, template) = (Some(opener.turn), new.template.clone().unwrap_or_default());
        let topic = new.title.clone();
        let spec = ChildSpec { template, topic, turn, by: Some(by), ..ChildSpec::default() };
        let budget = self.budget(&chain)?;
        if budget.usd.is_some() {
            return Err(NestError::Unpriced { file: shown }.into());
        }
        let child = self.draft_within(&new, None).and_then(|text| self.exact_text(&path, &text));
        let own = Self::calls_kept(&snapshot, child.as_ref().ok(), &budget)?;
        let within = self.within(&chain, &spec, &budget, own)?;
        let room = within.insist_on_room(self.now());
        room.map_err(|why| NestError::NoRoom { file: shown.clone(), why })?;
        let text = self.draft_within(&new, Some(&within))?;
        let file = self
            .child_file(parent, &spec)
            .ok_or_else(|| NestError::Other { file: spec.topic.clone(), parent: shown })?;
        // Its line alone would not say what it is about: the file goes first, and nobody is asked before both are there.
        self.make_child(&path, &file, &text)?;
        let made = child_path(&path, &file);
        let line = ChildLine { turn, by: spec.by, file, at: Some(self.now()) };
        if let Err(error) = writer.append(&[Draft::Control(Control::Child(line))]) {
            // Where it cannot be taken away, it stays, and was never begun.
            let take = |place: &Place| store::take_back(place, &text, self.lock_wait);
            let _ = self.open_with(&made, take);
            return Err(error.into());
        }
        Ok(made)
    }

    /// Who opens it: somebody who may, and is asked there now.
    fn asked_there(&self, snapshot: &Snapshot, opener: &Opener) -> Result<Alias, NestError> {
        let file = || self.shown(&opener.file);
        if snapshot.config.within.is_none() {
            return Err(NestError::NotAllowed { file: file() });
        }
        let wrong =
            || NestError::NotTheirTurn { file: file(), by: opener.by.clone(), turn: opener.turn };
        let turn = snapshot.state.unfinished().filter(|turn| turn.line.number == opener.turn);
        let mut missing = turn.ok_or_else(wrong)?.missing();
        let by = opener.by.trim_start_matches('@');
        missing.find(|alias| alias.as_str() == by).cloned().ok_or_else(wrong)
    }
}
