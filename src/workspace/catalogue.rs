//! The templates available in a working folder: the project's replace the user's, which replace the bundled ones.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::config::Setup;
use crate::similarity::suggest;
use crate::template::{Template, TemplateError, bundled};

/// One template, parsed on first use.
#[derive(Debug)]
pub(crate) struct CatalogueEntry {
    /// The id: the file's stem.
    pub id: String,
    /// The file; `None` for a bundled template.
    pub path: Option<PathBuf>,
    /// The name of the template in errors.
    pub shown: String,
    text: String,
    read: OnceLock<Result<Arc<Template>, TemplateError>>,
}

impl CatalogueEntry {
    fn new(id: String, path: Option<PathBuf>, shown: String, text: String) -> Self {
        Self { id, path, shown, text, read: OnceLock::new() }
    }

    /// Returns the file's text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the checked template.
    ///
    /// # Errors
    /// Returns the mistake in the template, with its line.
    pub(crate) fn template(&self) -> Result<Arc<Template>, TemplateError> {
        let read = || Template::read(&self.text, &self.shown, &self.id).map(Arc::new);
        self.read.get_or_init(read).clone()
    }
}

/// All templates by id.
#[derive(Debug)]
pub(crate) struct Catalogue(Vec<Arc<CatalogueEntry>>);

/// The bundled templates. They are static, so that each is parsed only once, even if a program opens many workspaces.
static BUNDLED: LazyLock<Vec<Arc<CatalogueEntry>>> = LazyLock::new(|| {
    let entry = |(id, text): (String, &str)| {
        let shown = format!("{id}.md (bundled)");
        Arc::new(CatalogueEntry::new(id, None, shown, text.to_owned()))
    };
    bundled().into_iter().map(entry).collect()
});

impl Catalogue {
    pub(super) fn new(setup: &Setup) -> Self {
        let mut entries = BUNDLED.clone();
        for layer in &setup.templates {
            let Some(id) = layer.path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            let entry = Arc::new(CatalogueEntry::new(
                id.to_owned(),
                Some(layer.path.clone()),
                layer.shown.clone(),
                layer.text.clone(),
            ));
            match entries.iter_mut().find(|known| known.id == entry.id) {
                Some(known) => *known = entry,
                None => entries.push(entry),
            }
        }
        for broken in &setup.unreadable_templates {
            let entry = CatalogueEntry::new(
                broken.name.clone(),
                None,
                broken.error.origin.clone(),
                String::new(),
            );
            let _ = entry.read.set(Err(broken.error.clone()));
            entries.retain(|known| known.id != entry.id);
            entries.push(Arc::new(entry));
        }
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        Self(entries)
    }

    /// Returns all entries by id.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &CatalogueEntry> {
        self.0.iter().map(Arc::as_ref)
    }

    /// Returns the entry of an id.
    pub(crate) fn get(&self, id: &str) -> Option<&CatalogueEntry> {
        self.0.iter().map(Arc::as_ref).find(|entry| entry.id == id)
    }

    /// Returns the ids that are similar to a word, nearest first.
    pub(crate) fn nearest(&self, word: &str) -> Vec<String> {
        let ids = self.0.iter().map(|entry| entry.id.as_str());
        suggest(word, ids).into_iter().map(str::to_owned).collect()
    }
}
