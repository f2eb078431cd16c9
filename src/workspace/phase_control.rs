//! Decisions that only a person may make: the next phase, closing, reopening.

use std::path::Path;

use super::Discussions;
use super::environment::name;
use super::error::{Help, WorkspaceError};
use crate::codes::ErrorCode;
use crate::engine::{Snapshot, advance_to, first_enterable};
use crate::transcript::{Control, Draft, StatusLine, StatusWord};
use crate::view::{NextStep, Written};

impl Discussions<'_> {
    /// Enters a phase: the named one, or else the next one.
    ///
    /// # Errors
    /// Fails if `Discussions::admit` rejects the name, if the phase does not exist or none follows, if the discussion is
    /// closed, or if the file cannot be read or written.
    pub fn advance(
        &self,
        path: &Path,
        to: Option<&str>,
        by: &str,
    ) -> Result<Written, WorkspaceError> {
        let by = &name(by)?;
        self.admit(by)?;
        let (phase, cut) = self.steer(path, |snapshot| {
            if snapshot.state.closed {
                return Err(WorkspaceError::Closed);
            }
            let template = snapshot.template();
            let index = match to {
                Some(id) => template.phase(id).map(|(index, _)| index).ok_or_else(|| {
                    let known = template.phases.iter().map(|phase| phase.id.clone()).collect();
                    WorkspaceError::refuse(format!("there is no phase `{id}`"))
                        .with_help(Help::Phases(known))
                })?,
                None => first_enterable(snapshot)?.ok_or_else(|| {
                    let phase = snapshot.phase().title();
                    WorkspaceError::refuse(format!("`{phase}` is the last phase"))
                        .with_code(ErrorCode::InvalidState)
                        .with_help(Help::CloseOrGoBack)
                })?,
            };
            let drafts = advance_to(snapshot, index, Some(by.to_string()));
            let phase = &template.phases[index];
            Ok((drafts, (phase.id.clone(), phase.title().to_owned())))
        })?;
        let uncounted = cut.into_iter().collect();
        let (phase, phase_title) = (Some(phase.0), Some(phase.1));
        self.written_report(
            path,
            Written { changed: true, phase, phase_title, uncounted, ..Written::default() },
        )
    }

    /// Closes or reopens a discussion.
    ///
    /// # Errors
    /// Fails if `Discussions::admit` rejects the name, or if the file cannot be read or written.
    pub fn set_closed(
        &self,
        path: &Path,
        closed: bool,
        by: &str,
    ) -> Result<Written, WorkspaceError> {
        let by = &name(by)?;
        self.admit(by)?;
        let (changed, cut) = self.steer(path, |snapshot| {
            // Closing again adopts the proposals of people below the end.
            let decides = closed && !snapshot.outcome().proposals_to_close.is_empty();
            if snapshot.state.closed == closed && !decides {
                return Ok((Vec::new(), false));
            }
            let status = if closed { StatusWord::Closed } else { StatusWord::Open };
            let line = StatusLine { status, by: Some(by.to_string()) };
            let closing = Draft::Control(Control::Status(line));
            let end = closed.then(|| snapshot.end_of_closing(&closing, by.as_str(), self.now()));
            let end = end.flatten().map(Draft::Control);
            Ok((std::iter::once(closing).chain(end).collect(), true))
        })?;
        let uncounted = cut.into_iter().collect();
        self.written_report(path, Written { changed, uncounted, ..Written::default() })
    }

    /// Records for readers of the file that a person's vote ended the discussion, if it did.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written.
    pub(super) fn record_end_by_vote(&self, path: &Path, by: &str) -> Result<(), WorkspaceError> {
        let write = |snapshot: &Snapshot| {
            let end = snapshot.end_of_vote(by, self.now());
            Ok((end.map(Draft::Control).into_iter().collect(), ()))
        };
        self.steer(path, write).map(|_| ())
    }

    /// Returns the possible next steps for a discussion.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub fn next_steps(&self, path: &Path) -> Result<Vec<NextStep>, WorkspaceError> {
        Ok(NextStep::all(&self.snapshot(path)?, &self.exactly(path)))
    }

    /// Returns the result of a write, with the next steps.
    pub(super) fn written_report(
        &self,
        path: &Path,
        done: Written,
    ) -> Result<Written, WorkspaceError> {
        let file = self.exactly(path);
        let next = NextStep::all(&self.snapshot(path)?, &file);
        Ok(Written { file, next, summary: self.summarize(path), ..done })
    }

    /// Reads, decides and appends while other writers wait. Also returns the warning about earlier
    /// text of the file, if there is one.
    pub(super) fn steer<T>(
        &self,
        path: &Path,
        decide: impl FnOnce(&Snapshot) -> Result<(Vec<Draft>, T), WorkspaceError>,
    ) -> Result<(T, Option<String>), WorkspaceError> {
        let mut writer = self.writer(path)?;
        let (drafts, result) = decide(&self.exact(&writer.read()?)?)?;
        let told = if drafts.is_empty() { None } else { writer.append(&drafts)?.warning() };
        Ok((result, told))
    }
}
