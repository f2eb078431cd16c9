//! Snapshots of files, and read-only queries: the state, the content and the result of discussions. Readers ignore a
//! wrong head; writers reject it. Queries change nothing and call no provider.

use std::path::Path;
use std::sync::Arc;

use super::environment::time_of;
use super::error::WorkspaceError;
use super::find::DiscussionNames;
use super::{Discussions, Workspace};
use crate::codes::ProblemCode;
use crate::engine::{Layout, Prompt, Prompts, Snapshot};
use crate::problem::{Problem, Severity};
use crate::state::{Defaults, DiscussionConfig, DiscussionConfigError};
use crate::store::{self, Document, Excerpt, StoreError};
use crate::template::{Order, Template};
use crate::transcript::{Head, Transcript, parse};
use crate::view::{self, default_participants, newest_date};
use crate::yaml::LoadError;

impl Discussions<'_> {
    /// Returns the state of a discussion. `name` is a path or a bare name, as in [`Workspace::find`].
    ///
    /// # Errors
    /// Fails if no discussion has this name, or if it cannot be read.
    pub fn status(&self, name: &Path) -> Result<view::Status, WorkspaceError> {
        let path = self.find(name)?;
        Ok(view::Status::of(
            &self.decisions().snapshot_in_force(&path)?,
            self.exactly(&path),
            self.now(),
        ))
    }

    /// Returns the prompt for a participant that writes its own comments, by alias; `None` if it is not its turn. If
    /// answers of a turn are written unseen, the prompt shows no other answer.
    ///
    /// # Errors
    /// Fails like [`Discussions::status`], or if an expression of the template fails.
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

    /// Returns the description of a new discussion.
    ///
    /// # Errors
    /// Fails like [`Discussions::status`].
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
            decided_before: self.decisions().decided_before(path).unwrap_or_default(),
            next: view::NextStep::all(&snapshot, &file),
            file,
        })
    }

    /// Returns the content of a discussion, entry by entry.
    ///
    /// # Errors
    /// Fails like [`Discussions::status`].
    pub fn show(&self, name: &Path) -> Result<view::Shown, WorkspaceError> {
        let path = self.find(name)?;
        Ok(view::Shown::of(
            &self.decisions().snapshot_in_force(&path)?,
            self.exactly(&path),
            self.now(),
        ))
    }

    /// Returns the result of a discussion from its file, with a review's verdict if the template computes one.
    ///
    /// # Errors
    /// Fails like [`Discussions::status`].
    pub fn result(&self, name: &Path) -> Result<view::ResultDocument, WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.decisions().snapshot_in_force(&path)?;
        let result = view::ResultDocument::of(&snapshot, &self.exactly(&path))?;
        let (cost, within_ms) = self.tree_spent(&path, &snapshot);
        Ok(result.with_cost(&cost, within_ms))
    }

    /// Returns a discussion as one self-contained HTML page.
    ///
    /// # Errors
    /// Fails like [`Discussions::status`].
    pub fn printed(&self, name: &Path) -> Result<view::NamedText, WorkspaceError> {
        self.export(name, view::Export::Html)
    }

    pub(super) fn export(
        &self,
        name: &Path,
        form: view::Export,
    ) -> Result<view::NamedText, WorkspaceError> {
        let path = self.find(name)?;
        let (snapshot, file) = (self.decisions().snapshot_in_force(&path)?, self.exactly(&path));
        let result = view::ResultDocument::of(&snapshot, &file)?;
        let (cost, within_ms) = self.tree_spent(&path, &snapshot);
        let mut result = result.with_cost(&cost, within_ms);
        // A decision record has a date always.
        if form == view::Export::Adr && newest_date(&snapshot).is_none() {
            let committed = DiscussionNames::of(self).committed(&path);
            let modified = committed.or(self.document(&path)?.modified);
            result = result.dated(modified.map(time_of));
        }
        let text = result.export(&snapshot, form);
        let (name, left_out) = match form {
            view::Export::Adr => ("adr", snapshot.unfilled_placeholders().len()),
            view::Export::Html => ("html", 0),
        };
        let name = name.to_owned();
        let (number, record_file) = (None, None);
        Ok(view::NamedText { name, file: Some(file), text, number, record_file, left_out })
    }
}

/// Returns a template that counts votes like the default one, for a discussion whose own template is not there. No
/// reader takes it for the default one, because its name is the one in the head and no phase has a title.
fn stand_in(default: &Template, named: &str) -> Template {
    let mut template = default.clone();
    named.clone_into(&mut template.id);
    for phase in &mut template.phases {
        phase.title = format!("template `{named}` not found");
    }
    template
}

impl Workspace {
    /// Returns the current state of a discussion, even if the file has problems.
    ///
    /// # Errors
    /// Fails if the file cannot be read, for a link out of its project, and if the default template is broken.
    pub fn snapshot(&self, path: &Path) -> Result<Snapshot, WorkspaceError> {
        self.snapshot_of(&self.document(path)?)
    }

    /// Returns the snapshot of a document. Leaves out its wrong parts and lists them among the problems.
    ///
    /// # Errors
    /// Fails if the default template is broken.
    pub(crate) fn snapshot_of(&self, document: &Document) -> Result<Snapshot, WorkspaceError> {
        let transcript = parse(&document.text);
        let mut problems = document.problems.clone();
        let template = match self.template_of(&transcript) {
            Err(error) if let Some(named) = named_template(&transcript) => {
                let code = ProblemCode::TemplateUnknown;
                let message = match &error {
                    WorkspaceError::Template { .. } => {
                        format!("{error}; {}", self.template_folders())
                    }
                    _ => error.to_string(),
                };
                let problem = Problem::new(Severity::Error, code, (1, 1), message);
                problems.push(problem.with_fix(error.fix()));
                let default = self.discussions().template(self.default_template())?;
                Arc::new(stand_in(&default, named))
            }
            template => template?,
        };
        let config = DiscussionConfig::for_readers(
            &transcript,
            &template,
            &self.setup.roster,
            &self.defaults_for(&template),
            &mut problems,
        )?;
        Ok(self.fold(transcript, config, problems))
    }

    /// Returns a snapshot with everything that a writer needs: UTF-8 text, the head's own template, and a head that
    /// fits it.
    ///
    /// # Errors
    /// Fails if one of these is missing, with the place of the problem.
    pub(crate) fn exact(&self, document: &Document) -> Result<Snapshot, WorkspaceError> {
        document.insist_exact()?;
        let transcript = parse(&document.text);
        // Between conflict marks, it is uncertain to which author a block belongs, and if it counts.
        let marks = transcript.problems.iter().filter(|it| it.code == ProblemCode::Conflict);
        if let Some(line) = marks.map(|problem| problem.line).min() {
            return Err(StoreError::Conflict { path: document.path.clone(), line }.into());
        }
        let template = self.template_of(&transcript)?;
        let head = transcript.head.as_ref();
        let config = self.config(head, &template).map_err(|error| match head {
            None => WorkspaceError::from(error),
            Some(_) => {
                let origin = self.setup.shown_path(&document.path);
                let place = error.place(&document.text);
                LoadError::at(&origin, &document.text, 1, place, error.to_string()).into()
            }
        })?;
        Ok(self.fold(transcript, config, Vec::new()))
    }

    /// Reads the part of a discussion that the writer of a comment needs: of a long one, only the beginning and the
    /// end.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or for a link out of its project.
    pub(crate) fn excerpt(&self, path: &Path) -> Result<Excerpt, WorkspaceError> {
        self.open_with(path, store::excerpt_at)
    }

    /// Returns true if a discussion is so long that a comment reads only its beginning and its end.
    #[must_use]
    pub fn is_long(&self, path: &Path) -> bool {
        self.open_with(path, |place| Ok(store::length(place))).ok().flatten() > Some(store::LONG)
    }

    /// Returns [`Self::exact`] of a file's current content.
    pub(crate) fn exact_at(&self, path: &Path) -> Result<Snapshot, WorkspaceError> {
        self.exact(&self.document(path)?)
    }

    /// Returns the snapshot of a text as if it were the file of this path.
    ///
    /// # Errors
    /// Fails if a part that a writer needs is missing.
    pub(crate) fn exact_text(&self, path: &Path, text: &str) -> Result<Snapshot, WorkspaceError> {
        self.exact(&Document {
            path: path.to_owned(),
            text: text.into(),
            problems: Vec::new(),
            wrong: None,
            modified: None,
        })
    }

    /// Returns the template that the head names, or the default template.
    fn template_of(&self, transcript: &Transcript) -> Result<Arc<Template>, WorkspaceError> {
        self.discussions().template(named_template(transcript).unwrap_or(self.default_template()))
    }

    fn config(
        &self,
        head: Option<&Head>,
        template: &Arc<Template>,
    ) -> Result<DiscussionConfig, DiscussionConfigError> {
        DiscussionConfig::new(head, template, &self.setup.roster, &self.defaults_for(template))
    }

    fn defaults_for(&self, template: &Template) -> Defaults {
        let mut defaults = self.defaults();
        if defaults.participants.is_empty() && template.participants.default.is_empty() {
            defaults.participants = default_participants();
        }
        defaults
    }
}

fn named_template(transcript: &Transcript) -> Option<&str> {
    transcript.head.as_ref()?.template.as_deref()
}
