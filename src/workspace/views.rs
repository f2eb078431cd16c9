//! Read-only queries: the state, the content and the result of discussions. They change nothing and call no provider.

use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::codes::ProblemCode;
use crate::engine::{Layout, Prompt, Prompts};
use crate::problem::{Problem, Severity};
use crate::template::Order;
use crate::view;

impl Workspace {
    /// Returns the state of a discussion. `name` is a path or a bare name, as in [`Workspace::find`].
    ///
    /// # Errors
    /// Fails if no discussion has this name, or if it cannot be read.
    pub fn status(&self, name: &Path) -> Result<view::Status, WorkspaceError> {
        let path = self.find(name)?;
        Ok(view::Status::of(&self.snapshot(&path)?, self.exactly(&path)))
    }

    /// Returns the prompt for a participant that writes its own comments, by alias; `None` if it is not its turn. If
    /// answers of a turn are written unseen, the prompt shows no other answer.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`], or if an expression of the template fails.
    pub fn your_turn(
        &self,
        name: &Path,
        alias: &str,
    ) -> Result<Option<view::YourTurn>, WorkspaceError> {
        let snapshot = self.snapshot(&self.find(name)?)?;
        let Some(turn) = snapshot.state.unfinished().filter(|_| !snapshot.state.closed) else {
            return Ok(None);
        };
        let mut missing = turn.missing();
        let Some(alias) = missing.find(|missing| missing.as_str() == alias) else {
            return Ok(None);
        };
        let prompt = Prompts::of(&snapshot, turn).of_participant(alias, Layout::RecordFirst)?;
        let Prompt { prefix, tail } = self.redact_prompt(prompt);
        let phase = &snapshot.template().phases[turn.phase];
        let options = if phase.voting_mode || phase.asks.contains_key("VOTE") {
            &snapshot.config.options[turn.phase][..]
        } else {
            &[]
        };
        let line = snapshot.transcript.text.get(..turn.cut).unwrap_or_default();
        Ok(Some(view::YourTurn {
            participant: alias.to_string(),
            phase: phase.title().to_owned(),
            turn: turn.line.number,
            line: line.lines().count() + 1,
            unseen: phase.order == Order::Parallel,
            record: prefix.to_string(),
            task: tail,
            options: options.iter().map(ToString::to_string).collect(),
        }))
    }

    /// Returns the template's placeholders for a missing context, if no participant was asked yet: the line of the
    /// first one, counted from 1, and their number.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn unwritten(&self, name: &Path) -> Result<Option<(usize, usize)>, WorkspaceError> {
        let snapshot = self.snapshot(&self.find(name)?)?;
        let placeholders =
            if snapshot.state.turns.is_empty() { snapshot.placeholders() } else { Vec::new() };
        Ok(placeholders.first().map(|first| (first.line, placeholders.len())))
    }

    /// Returns the description of a new discussion.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn creation_report(&self, path: &Path) -> Result<view::Made, WorkspaceError> {
        let (snapshot, file) = (self.snapshot(path)?, self.exactly(path));
        let config = &snapshot.config;
        let seats: Vec<_> = config.seats().collect();
        let holders =
            config.roles.iter().flat_map(|(role, all)| all.iter().map(move |it| (it, role)));
        let added = holders.filter(|(alias, _)| !seats.contains(alias));
        let is_doubted = |problem: &&Problem| {
            problem.code == ProblemCode::ParticipantUnknown && problem.severity > Severity::Note
        };
        let doubted = snapshot.state.problems.iter().filter(is_doubted);
        Ok(view::Made {
            added: added.map(|(alias, role)| (alias.to_string(), role.clone())).collect(),
            doubted: doubted.map(|problem| problem.message.clone()).collect(),
            title: snapshot.transcript.title().unwrap_or_default().to_owned(),
            template: snapshot.template().id.clone(),
            participants: snapshot.config.seats().map(ToString::to_string).collect(),
            placeholder_line: snapshot.placeholders().first().map(|first| first.line),
            // The discussion exists by now, so unreadable earlier ones must not cause a failure.
            decided_before: self.decided_before(path).unwrap_or_default(),
            next: view::NextStep::all(&snapshot, &file),
            file,
        })
    }

    /// Returns the content of a discussion, entry by entry.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn show(&self, name: &Path) -> Result<view::Shown, WorkspaceError> {
        let path = self.find(name)?;
        Ok(view::Shown::of(&self.snapshot(&path)?, self.exactly(&path), self.now()))
    }

    /// Returns the result of a discussion from its file, with a review's verdict if the template computes one.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn result(&self, name: &Path) -> Result<view::ResultDocument, WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.snapshot(&path)?;
        let result = view::ResultDocument::of(&snapshot, &self.exactly(&path))?;
        let (cost, within_ms) = self.tree_spent(&path, &snapshot);
        Ok(result.with_cost(&cost, within_ms))
    }

    /// Returns the decision of a discussion in the MADR 4 format.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn decision_record(&self, name: &Path) -> Result<view::NamedText, WorkspaceError> {
        self.export(name, view::Export::Adr)
    }

    /// Returns a discussion as one self-contained HTML page.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn printed(&self, name: &Path) -> Result<view::NamedText, WorkspaceError> {
        self.export(name, view::Export::Html)
    }

    fn export(&self, name: &Path, form: view::Export) -> Result<view::NamedText, WorkspaceError> {
        let path = self.find(name)?;
        let (snapshot, file) = (self.snapshot(&path)?, self.exactly(&path));
        let result = view::ResultDocument::of(&snapshot, &file)?;
        let (cost, within_ms) = self.tree_spent(&path, &snapshot);
        let result = result.with_cost(&cost, within_ms);
        let text = result.export(&snapshot, form);
        let (name, left_out) = match form {
            view::Export::Adr => ("adr", snapshot.unfilled_placeholders().len()),
            view::Export::Html => ("html", 0),
        };
        Ok(view::NamedText { name: name.to_owned(), file: Some(file), text, left_out })
    }
}
