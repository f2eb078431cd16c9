//! The creation of a discussion: its head, its text, its file.

mod cast;
mod head;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::head::{body, parameters, unusable_body, with_section, without_placeholders};
use super::error::WorkspaceError;
use super::{Discussions, Within};
use crate::codes::Fix;
use crate::engine::placeholder_lines;
use crate::material::{Sources, render, section};
use crate::participant::ParticipantKind;
use crate::state::DiscussionConfig;
use crate::store;
use crate::template::{ConsensusConfig, Template};
use crate::transcript::{BODY_LIMIT, UnshownFile, encode, one_line, parse};

/// The maximum number of characters of a title or topic.
pub(super) const LONGEST_TITLE: usize = 5_000;

/// A model that takes part without a persona, under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeutralModel {
    /// The alias.
    pub alias: String,
    /// The name in prompts, in the file and in events.
    pub name: String,
    /// The provider, with or without a model.
    pub provider: String,
}

/// The request for a new discussion.
#[derive(Clone, Debug, Default)]
pub struct NewDiscussion {
    /// The title, one line.
    pub title: String,
    /// The template; `None` means the configured one, or else `feature`.
    pub template: Option<String>,
    /// The context of the question; `None` means the template's own hints.
    pub context: Option<String>,
    /// Files and changes that all participants see.
    pub material: Sources,
    /// Personas, providers, or `persona=provider`; if empty, the configured ones.
    pub participants: Vec<String>,
    /// Models without a persona, which take part instead of `participants`.
    pub models: Vec<NeutralModel>,
    /// The participants that are agents, such as the coding agent that asks. An agent writes its own comments, so a run
    /// waits for it; it does not count as a person.
    pub agents: Vec<String>,
    /// The aliases of participants that are people without a persona file. A run waits for them.
    pub people: Vec<String>,
    /// The values of the template's parameter `options`, each of them one option as it is written.
    pub options: Vec<String>,
    /// Parameters by name, spelt as on a command line.
    pub parameters: Vec<(String, String)>,
    /// Roles by alias.
    pub roles: Vec<(String, String)>,
    /// Consensus rules that override all others.
    pub consensus: ConsensusConfig,
    /// The minimum number of answers that a turn needs to count.
    pub min_answers: Option<u32>,
    /// The number of earlier decisions that its text lists, 0 to 10; `None` means that of the
    /// template or the configuration.
    pub recall: Option<u32>,
    /// The day until which people should decide: a date, or a time from today, such as `2 weeks`.
    pub decide_by: Option<String>,
    /// A label of the program that asks, such as the id of its session.
    pub label: Option<String>,
    /// The files of a reviewed change that its text does not show.
    pub not_shown: Vec<UnshownFile>,
    /// True if models read the text before a person can edit it. Then the template's questions to the author are left
    /// out.
    pub is_one_shot: bool,
    /// The file's name without `.md`; `None` derives it from the title.
    pub file_name: Option<String>,
    /// The folder; `None` means the configured one.
    pub folder: Option<PathBuf>,
}

impl NewDiscussion {
    /// Returns the kind of a participant that writes its own comments: an agent or a person.
    fn own(&self, name: &str) -> Option<ParticipantKind> {
        let is_in = |names: &[String]| names.iter().any(|one| one == name);
        let person = is_in(&self.people).then_some(ParticipantKind::Human);
        is_in(&self.agents).then_some(ParticipantKind::Agent).or(person)
    }
}

impl Discussions<'_> {
    /// Creates a discussion's file and returns its path.
    ///
    /// # Errors
    /// Fails if the template, a participant, a parameter or a role does not exist or does not fit, or if the file
    /// cannot be created.
    pub fn create(&self, new: &NewDiscussion) -> Result<PathBuf, WorkspaceError> {
        let text = self.draft(new)?;
        let (folder, name) = self.folder_and_name(new)?;
        self.open_with(&folder, |place| store::create_at(place, &name, &text, self.lock_wait))
    }

    /// Returns the path of a new discussion, if its name is free.
    ///
    /// # Errors
    /// Fails for a folder behind a link out of the project.
    pub(super) fn place_of(&self, new: &NewDiscussion) -> Result<PathBuf, WorkspaceError> {
        let (folder, name) = self.folder_and_name(new)?;
        Ok(folder.join(format!("{name}.md")))
    }

    /// Returns the folder and the file name without `.md`.
    fn folder_and_name(&self, new: &NewDiscussion) -> Result<(PathBuf, String), WorkspaceError> {
        let title = self.title_of_file_name(&new.title);
        let name = new.file_name.clone().unwrap_or_else(|| store::slug(&title));
        let folder = new
            .folder
            .as_ref()
            .map_or_else(|| self.output_directory(), |folder| self.setup.cwd.join(folder));
        self.setup.insist_inside(&folder)?;
        Ok((folder, name))
    }

    /// Puts a new discussion into the file that the user named. The file must not exist, because a
    /// file with another name is not what the user asked for.
    pub(super) fn in_file(
        &self,
        new: &mut NewDiscussion,
        file: &Path,
    ) -> Result<(), WorkspaceError> {
        let stem = file.file_name().unwrap_or_default().to_string_lossy();
        let stem = stem.strip_suffix(".md").unwrap_or(&stem).to_owned();
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let path = self.setup.cwd.join(&folder).join(format!("{stem}.md"));
        if path.symlink_metadata().is_ok() {
            return Err(WorkspaceError::existing_file(&self.shown_path(&path)));
        }
        (new.folder, new.file_name) = (Some(folder), Some(stem));
        Ok(())
    }

    /// Returns the text of a new discussion without creating a file.
    ///
    /// # Errors
    /// Fails like [`Discussions::create`], except for errors of the file.
    pub fn draft(&self, new: &NewDiscussion) -> Result<String, WorkspaceError> {
        self.draft_within(&self.clear_new(new)?, None)
    }

    /// Returns the text of a new discussion, which may be a sub-discussion.
    ///
    /// # Errors
    /// Fails like [`Discussions::draft`].
    pub(crate) fn draft_within(
        &self,
        new: &NewDiscussion,
        within: Option<&Within>,
    ) -> Result<String, WorkspaceError> {
        let title = one_line(&new.title);
        let says = |c: char| c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace());
        if !title.chars().any(says) {
            let message = "a discussion needs a title with at least one letter, digit or emoji";
            return Err(WorkspaceError::refuse(message));
        }
        let length = title.chars().count();
        if length > LONGEST_TITLE {
            return Err(WorkspaceError::too_long("the title", length, LONGEST_TITLE, "characters"));
        }
        if let Some(length) = new.context.as_ref().map(String::len).filter(|n| *n > BODY_LIMIT) {
            return Err(WorkspaceError::too_long("the context", length, BODY_LIMIT, "bytes"));
        }
        let template = self.template(new.template.as_deref().unwrap_or(self.default_template()))?;
        let parameters = parameters(&template, new)?;
        let seats = self.seat(&template, new, &parameters)?;
        let head = self.head(&template, new, &seats, parameters)?;
        let head = match within {
            Some(within) => within.enter(head),
            None => head,
        };
        // Options that are invalid or duplicate would make the file unreadable later, so they are rejected now.
        DiscussionConfig::new(Some(&head), &template, &self.setup.roster, &self.defaults())?;
        let material = self.clear_material(&new.material)?;
        let context = new.context.as_deref();
        let body = body(&template, &title, context, &render(&material), &head.parameters)?;
        let body = if new.is_one_shot {
            without_placeholders(&body, &placeholder_lines(&template, &head.parameters))
        } else {
            body
        };
        let recalled = self.decisions().recalled(&template, new, &self.folder_and_name(new)?.0)?;
        let body = with_section(body, &encode(&recalled));
        let body = with_section(body, &section(&material));
        // Decisions and material from other files may contain a key that a user wrote there by hand.
        let body = self.redact(&body);
        let text = format!("{}\n{body}", head.render());
        match parse(&text) {
            read if read.entries.is_empty() && read.head.as_ref() == Some(&head) => {
                // A phase that cannot open its sub-discussion must fail now, and not in the middle of a run.
                if within.is_none() && template.phases.iter().any(|phase| phase.discuss.is_some()) {
                    let snapshot = self.exact_text(&self.place_of(new)?, &text)?;
                    for spec in snapshot.discussed_ahead() {
                        self.sketch(&snapshot, &spec)?;
                    }
                }
                Ok(text)
            }
            _ => Err(unusable_body(&template, "it would begin with a comment or a control line")),
        }
    }

    /// Returns the template of an id.
    ///
    /// # Errors
    /// Fails if the template does not exist or is broken.
    pub fn template(&self, id: &str) -> Result<Arc<Template>, WorkspaceError> {
        let entry = self.catalogue.get(id).ok_or_else(|| self.no_template(id))?;
        Ok(entry.template()?)
    }

    /// Returns the error for an unknown template. If the configuration names it, the mistake is the configuration's,
    /// even if the caller asks for it too.
    fn no_template(&self, id: &str) -> WorkspaceError {
        let nearest = self.catalogue.nearest(id);
        let message = format!("there is no template `{id}`");
        let error = self.setup.default_template_error(id, &message);
        match (error, nearest.first()) {
            (Some(error), Some(near)) => error.with_hint(format!("did you mean `{near}`?")).into(),
            (Some(error), None) => error.with_fix(Fix::ListTemplates).into(),
            (None, _) => self.unknown_template(id),
        }
    }
}

impl NewDiscussion {
    /// Returns a discussion with a title, one line, and the configured template and participants.
    pub fn titled(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Chooses the template, by its id.
    #[must_use]
    pub fn template(self, id: impl Into<String>) -> Self {
        Self { template: Some(id.into()), ..self }
    }

    /// Sets the context below the title, as Markdown.
    #[must_use]
    pub fn context(self, text: impl Into<String>) -> Self {
        Self { context: Some(text.into()), ..self }
    }

    /// Chooses the participants: personas, providers, or `persona=provider`.
    #[must_use]
    pub fn participants<W: Into<String>>(self, who: impl IntoIterator<Item = W>) -> Self {
        Self { participants: who.into_iter().map(Into::into).collect(), ..self }
    }
}
