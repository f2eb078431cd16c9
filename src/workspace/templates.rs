//! Lists templates.

use super::Workspace;
use super::catalogue::CatalogueEntry;
use super::error::WorkspaceError;
use crate::transcript::visible_line;
use crate::view;

impl Workspace {
    /// Returns all templates by id, including broken ones.
    pub fn templates(&self) -> Vec<view::Template> {
        let shown = |entry: &CatalogueEntry| {
            let read = entry.template();
            let template = read.as_ref().ok();
            view::Template {
                id: entry.id.clone(),
                summary: template.map_or_else(String::new, |it| it.summary.clone()),
                phases: template
                    .map(|it| it.phases.iter().map(|phase| phase.id.clone()).collect())
                    .unwrap_or_default(),
                file: entry.path.as_ref().map(|path| self.shown_path(path)),
                broken: read.as_ref().err().map(ToString::to_string),
                takes_options: template.is_some_and(|it| it.parameters.contains_key("options")),
            }
        };
        self.catalogue.entries().map(shown).collect()
    }

    /// Returns the templates that need nothing but a question: usable ones whose parameters all have defaults.
    pub fn patterns(&self) -> Vec<view::Template> {
        let takes_a_question = |one: &view::Template| {
            let entry = self.catalogue.get(&one.id).and_then(|entry| entry.template().ok());
            entry.is_some_and(|it| it.parameters.values().all(|one| one.default.is_some()))
        };
        self.templates().into_iter().filter(takes_a_question).collect()
    }

    /// Returns the text of a template, even of a broken one.
    ///
    /// # Errors
    /// Fails if there is no template of that id; the error contains similar ids.
    pub fn template_text(&self, id: &str) -> Result<view::NamedText, WorkspaceError> {
        let entry = self.template_entry(id)?;
        Ok(view::NamedText {
            name: entry.id.clone(),
            file: entry.path.as_ref().map(|path| self.shown_path(path)),
            text: entry.text().to_owned(),
            left_out: 0,
        })
    }

    /// Ensures that a template is usable.
    ///
    /// # Errors
    /// Fails if there is no template of that id, or with the place of the mistake in it.
    pub fn insist_on_template(&self, id: &str) -> Result<(), WorkspaceError> {
        self.template_entry(id)?.template()?;
        Ok(())
    }

    fn template_entry(&self, id: &str) -> Result<&CatalogueEntry, WorkspaceError> {
        self.catalogue.get(id).ok_or_else(|| self.unknown_template(id))
    }

    /// Returns the error for an unknown template, with the reason if a file of its name is in a folder of templates.
    pub(super) fn unknown_template(&self, id: &str) -> WorkspaceError {
        let page = self.setup.other_pages.iter().find(|(stem, _)| stem == id);
        WorkspaceError::Template {
            asked: id.to_owned(),
            page: page.map(|(_, file)| file.clone()),
            nearest: self.catalogue.nearest(id),
        }
    }

    /// Returns the sentence that names the folders of templates, besides the bundled ones.
    pub(super) fn template_folders(&self) -> String {
        match self.setup.template_folders.as_slice() {
            [] => "only the bundled templates are available here".to_owned(),
            folders => format!("templates are looked for in {}", folders.join(" and ")),
        }
    }
}

/// Returns the message that a template does not exist, or the part that a file of its name lacks.
pub(super) fn no_template(asked: &str, page: Option<&str>) -> String {
    match page {
        Some(page) => format!(
            "{} is not a template: it lacks front matter with `phases:` between two lines `---`",
            visible_line(page)
        ),
        None => format!("there is no template `{asked}`"),
    }
}
