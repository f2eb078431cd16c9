//! Making a discussion: its head, its text, its file.

mod cast;
mod error;
mod head;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::error::CreateError;
use self::text::{body, parameters, with_section};
use super::error::WorkspaceError;
use super::{Within, Workspace};
use crate::codes::Fix;
use crate::material::{Sources, render};
use crate::participant::Kind;
use crate::state::DiscussionConfig;
use crate::store;
use crate::template::{ConsensusConfig, Template};
use crate::transcript::{BODY_LIMIT, one_line, parse};

/// Most characters of a title or topic.
const LONGEST_TITLE: usize = 5_000;

/// A model that takes part without a persona's character, under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeutralModel {
    /// The alias.
    pub alias: String,
    /// The name in prompts, file and events.
    pub name: String,
    /// The provider, with a model or without one.
    pub provider: String,
}

/// What a new discussion is made of.
#[derive(Clone, Debug, Default)]
pub struct NewDiscussion {
    /// The title, one line.
    pub title: String,
    /// The template; none: the configured one, else `feature`.
    pub template: Option<String>,
    /// What it is about; none: the template's own hints.
    pub context: Option<String>,
    /// Files and changes that everybody is to see.
    pub material: Sources,
    /// Personas, providers, or `persona=provider`; empty: the configured ones.
    pub participants: Vec<String>,
    /// Models without a persona, who take part instead of `participants`.
    pub models: Vec<NeutralModel>,
    /// Who of them asks, such as a coding agent: it speaks for itself, is waited for, and is no person.
    pub agents: Vec<String>,
    /// Which people of them have no file of their own, by alias: they are waited for.
    pub people: Vec<String>,
    /// Parameters by name, as written on a command line.
    pub parameters: Vec<(String, String)>,
    /// Roles by alias.
    pub roles: Vec<(String, String)>,
    /// Consensus rules that override all others.
    pub consensus: ConsensusConfig,
    /// The fewest answers that make a turn count.
    pub min_answers: Option<u32>,
    /// How many earlier decisions its text tells of, 0 to [`Recall::MOST`](crate::template::Recall::MOST); none: as the
    /// template or the configuration says.
    pub recall: Option<u32>,
    /// The file's name without `.md`; none: from the title.
    pub file_name: Option<String>,
    /// The folder; none: the configured one.
    pub folder: Option<PathBuf>,
}

impl NewDiscussion {
    /// As what a name speaks for itself, where it does.
    fn own(&self, name: &str) -> Option<Kind> {
        let is_in = |names: &[String]| names.iter().any(|one| one == name);
        let person = is_in(&self.people).then_some(Kind::Human);
        is_in(&self.agents).then_some(Kind::Agent).or(person)
    }
}

impl Workspace {
    /// Makes a discussion's file and gives its path.
    ///
    /// # Errors
    /// When the template, a participant, a parameter or a role does not exist or fit, and when the file cannot be made.
    pub fn create(&self, new: &NewDiscussion) -> Result<PathBuf, WorkspaceError> {
        let text = self.draft(new)?;
        let (folder, name) = self.named(new)?;
        self.open_with(&folder, |place| store::create_at(place, &name, &text, self.lock_wait))
    }

    /// Where a new discussion would stand, were its name free.
    ///
    /// # Errors
    /// A folder behind a link out of the project.
    pub(super) fn place_of(&self, new: &NewDiscussion) -> Result<PathBuf, WorkspaceError> {
        let (folder, name) = self.named(new)?;
        Ok(folder.join(format!("{name}.md")))
    }

    /// The folder and the name, without `.md`.
    fn named(&self, new: &NewDiscussion) -> Result<(PathBuf, String), WorkspaceError> {
        let title = self.title_of_file_name(&new.title);
        let name = new.file_name.clone().unwrap_or_else(|| store::slug(&title));
        let folder = new
            .folder
            .as_ref()
            .map_or_else(|| self.output_directory(), |folder| self.setup.cwd.join(folder));
        self.setup.insist_inside(&folder)?;
        Ok((folder, name))
    }

    /// Has a new discussion stand in a file that somebody named, which must not be there yet: a name that was asked for
    /// and another one that was made would be two.
    pub(super) fn in_file(&self, new: &mut NewDiscussion, file: &Path) -> Result<(), CreateError> {
        let stem = file.file_name().unwrap_or_default().to_string_lossy();
        let stem = stem.strip_suffix(".md").unwrap_or(&stem).to_owned();
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let path = self.setup.cwd.join(&folder).join(format!("{stem}.md"));
        if path.symlink_metadata().is_ok() {
            return Err(CreateError::Taken { file: self.shown(&path) });
        }
        (new.folder, new.file_name) = (Some(folder), Some(stem));
        Ok(())
    }

    /// The text of a new discussion, without making a file.
    ///
    /// # Errors
    /// As [`Workspace::create`], but for the file.
    pub fn draft(&self, new: &NewDiscussion) -> Result<String, WorkspaceError> {
        self.draft_within(&self.clear_new(new)?, None)
    }

    /// The same for a discussion within another one.
    ///
    /// # Errors
    /// As [`Workspace::draft`].
    pub(crate) fn draft_within(
        &self,
        new: &NewDiscussion,
        within: Option<&Within>,
    ) -> Result<String, WorkspaceError> {
        let title = one_line(&new.title);
        let says = |c: char| c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace());
        if !title.chars().any(says) {
            return Err(CreateError::NoTitle.into());
        }
        let length = title.chars().count();
        if length > LONGEST_TITLE {
            let (what, unit) = ("the title", "characters");
            return Err(WorkspaceError::TooLong { what, unit, length, most: LONGEST_TITLE });
        }
        if let Some(length) = new.context.as_ref().map(String::len).filter(|n| *n > BODY_LIMIT) {
            let (what, unit) = ("the context", "bytes");
            return Err(WorkspaceError::TooLong { what, unit, length, most: BODY_LIMIT });
        }
        let template = self.template(new.template.as_deref().unwrap_or(self.default_template()))?;
        let parameters = parameters(&template, new)?;
        let seats = self.seat(&template, new, &parameters)?;
        let head = self.head(&template, new, &seats, parameters)?;
        let head = match within {
            Some(within) => within.enter(head),
            None => head,
        };
        // What nobody could read later is refused now: options that are none, or the same twice.
        DiscussionConfig::new(Some(&head), &template, &self.setup.roster, &self.defaults())?;
        let material = render(&self.clear_material(&new.material)?);
        let context = new.context.as_deref();
        let body = body(&template, &title, context, &material, &head.parameters)?;
        let body = with_section(body, &self.recalled(&template, new, &self.named(new)?.0)?);
        let body = with_section(body, &material);
        // What is recalled or handed on from another file may hold a key that somebody wrote there by hand.
        let body = self.redact(&body);
        let text = format!("{}\n{body}", head.render());
        match parse(&text) {
            read if read.entries.is_empty() && read.head.as_ref() == Some(&head) => {
                // A phase that could open no discussion is no surprise for later.
                if within.is_none() && template.phases.iter().any(|phase| phase.discuss.is_some()) {
                    let snapshot = self.exact_text(&self.place_of(new)?, &text)?;
                    for spec in snapshot.discussed_ahead() {
                        self.sketch(&snapshot, &spec)?;
                    }
                }
                Ok(text)
            }
            _ => Err(CreateError::Body {
                template: template.id.clone(),
                reason: "it would begin with a comment or a control line".to_owned(),
            }
            .into()),
        }
    }

    /// The template of an id.
    ///
    /// # Errors
    /// When there is none, or it is broken.
    pub fn template(&self, id: &str) -> Result<Arc<Template>, WorkspaceError> {
        let entry = self.catalogue.get(id).ok_or_else(|| self.no_template(id))?;
        Ok(entry.template()?)
    }

    /// A configured template is a mistake of the configuration, whoever asks for it.
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
