//! Lets a participant that is an agent with tools open a sub-discussion while it is asked.

use std::path::PathBuf;

use super::NestError;
use super::make::child_path;
use crate::boundary::ProjectPlace;
use crate::engine::{ChildSpec, Snapshot};
use crate::store;
use crate::transcript::{Alias, ChildLine, Control, Draft};
use crate::workspace::{NewDiscussion, Workspace, WorkspaceError};

/// The participant that opens a sub-discussion, and the turn, as its prompt names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// The discussion in which it is asked: a path or a name, as in [`Workspace::find`].
    pub file: PathBuf,
    /// The turn's number.
    pub turn: u32,
    /// The participant's alias.
    pub by: String,
}

impl Workspace {
    /// Creates a sub-discussion of the discussion in which a participant is asked, and returns its
    /// path. If `new` names no participants, it gets the parent's.
    ///
    /// # Errors
    /// Fails if the parent may not have sub-discussions, or if the participant is not asked there; and like
    /// [`Workspace::create`].
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
        let (parent, shown) = (&chain[0], self.shown_path(&path));
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
        let within = self.plan_child(&chain, &spec, &budget, own)?;
        let room = within.insist_on_room(self.now());
        room.map_err(|why| NestError::NoRoom { file: shown.clone(), why })?;
        let text = self.draft_within(&new, Some(&within))?;
        let file = self
            .child_file(parent, &spec)
            .ok_or_else(|| NestError::Other { file: spec.topic.clone(), parent: shown })?;
        // The line in the parent does not contain the question, so the file is written first. No
        // participant is asked before both exist.
        self.make_child(&path, &file, &text)?;
        let made = child_path(&path, &file);
        let line = ChildLine { turn, by: spec.by, file, at: Some(self.now()) };
        if let Err(error) = writer.append(&[Draft::Control(Control::Child(line))]) {
            // A file that cannot be removed stays; the discussion never began.
            let take = |place: &ProjectPlace| store::take_back(place, &text, self.lock_wait);
            let _ = self.open_with(&made, take);
            return Err(error.into());
        }
        Ok(made)
    }

    /// Returns the opener: a participant that may open sub-discussions and is being asked now.
    fn asked_there(&self, snapshot: &Snapshot, opener: &Opener) -> Result<Alias, NestError> {
        let file = || self.shown_path(&opener.file);
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
