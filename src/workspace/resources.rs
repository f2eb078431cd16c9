//! Resources of a workspace: templates (the project's replace the user's, which replace the bundled ones), tools,
//! material, documents and summaries.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use schemars::Schema;

use super::Workspace;
use super::error::{Help, WorkspaceError};
use crate::boundary::Purpose;
use crate::codes::ErrorCode;
use crate::config::{ConfigScope, Setup};
use crate::duration::write;
use crate::platform::is_pipe;
use crate::provider::{
    LONGEST_TIMEOUT, Layer, ProviderName, RegistryEntry, SHORTEST_TIMEOUT, Timeout,
};
use crate::similarity::suggest;
use crate::store::{self, LARGEST, StoreError};
use crate::template::{Phase, Template, TemplateError, bundled};
use crate::transcript::{BODY_LIMIT, visible_line};
use crate::view::{self, DOCUMENTS, ResultDocument};

/// Returns true if a template votes on options, and those that it has by default judge a text.
fn judges_by_default(template: &Template) -> bool {
    let options = template.parameters.get("options").and_then(|it| it.default.as_ref()?.as_array());
    let is_judging = |option: &serde_json::Value| {
        matches!(option.as_str(), Some("READY" | "CHANGES" | "REJECT"))
    };
    options.is_some_and(|options| options.iter().all(is_judging))
}

impl Workspace {
    /// Returns the names of all JSON documents, sorted.
    pub fn documents() -> impl Iterator<Item = &'static str> {
        DOCUMENTS.iter().map(|(name, _)| *name)
    }

    /// Returns the JSON Schema of a document; `None` for an unknown name.
    pub fn schema(name: &str) -> Option<Schema> {
        DOCUMENTS.iter().find(|(known, _)| *known == name).map(|(_, schema)| schema())
    }
}

impl Workspace {
    /// Writes the summary beside a discussion, if the configuration wants one. Every change of a discussion calls this.
    /// The discussion is already stored, so a failure is not an error: returns the reason why there is no summary.
    pub fn summarize(&self, path: &Path) -> Option<String> {
        if self.setup.config.output.summary_files != Some(true) {
            return None;
        }
        let text = match self.page(path) {
            Ok(text) => text,
            Err(error) => return Some(error.to_string()),
        };
        let beside = path.with_extension("sum.md");
        // Links to the folder are followed. A link in the place of the summary itself is replaced and never followed.
        let folder = match self.place(beside.parent().unwrap_or(Path::new("."))) {
            Ok(folder) => folder,
            Err(error) => return Some(error.to_string()),
        };
        let file = folder.real().join(beside.file_name().unwrap_or_default());
        store::replace_at(&file, &text).err().map(|error| error.to_string())
    }

    /// Returns the result of a discussion as Markdown, with the outcome first.
    ///
    /// # Errors
    /// Fails like `Discussions::status`.
    pub fn page(&self, name: &Path) -> Result<String, WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.decisions().snapshot_in_force(&path)?;
        let result = ResultDocument::of(&snapshot, &self.shown_path(&path))?;
        let (cost, within_ms) = self.tree_spent(&path, &snapshot);
        Ok(result.with_cost(&cost, within_ms).page(&snapshot))
    }
}

impl Workspace {
    /// Returns the text of a file that the user named. Also reads pipes, up to a limit.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not text, for a link out of its project or a device, and for a text that
    /// is too long or contains secrets.
    pub fn material(&self, path: &Path) -> Result<String, WorkspaceError> {
        let unread = |source| WorkspaceError::unreadable_file(path, &source);
        // A device or another file that never ends.
        let endless = || {
            WorkspaceError::refuse(format!(
                "{}: this is not a regular file; only regular files, pipes and standard input can be read",
                visible_line(&path.to_string_lossy())
            ))
        };
        // A link in a clone may lead to a file of the user's own, and this text is sent to models.
        let place = self.place_of_material(path)?;
        let found = match fs::symlink_metadata(place.real()) {
            Ok(found) => found,
            // Shells name their pipes with links that lead to no path: `/dev/fd/63`.
            Err(_) if is_link_of_process(path) => {
                let found = path.metadata().map_err(unread)?;
                if !is_pipe(&found) {
                    return Err(endless());
                }
                return self.text_of(File::open(path).map_err(unread)?, path);
            }
            Err(error) => return Err(unread(error)),
        };
        if found.is_file() && found.len() > LARGEST {
            let bytes = found.len();
            return Err(StoreError::TooLarge { path: path.to_owned(), bytes }.into());
        }
        if is_pipe(&found) {
            return self.text_of(place.open(Purpose::ReadPipe).map_err(unread)?.0, path);
        }
        if !(found.is_file() || found.is_dir()) {
            return Err(endless());
        }
        let (file, found) = place.open(Purpose::Read).map_err(unread)?;
        if !(found.is_file() || found.is_dir()) {
            return Err(endless());
        }
        self.text_of(file, path)
    }

    fn text_of(&self, file: File, path: &Path) -> Result<String, WorkspaceError> {
        let unread = |source| WorkspaceError::unreadable_file(path, &source);
        let what = visible_line(&path.to_string_lossy());
        let text = bounded(file, &what);
        let text = text.map_err(|failed| match failed {
            WorkspaceError::Io(source) => unread(source),
            other => other,
        })?;
        self.clear_file(path, &text)
    }
}

/// The maximum number of bytes that are read from a text. It is far above the length limits,
/// so that the error for most overlong texts can state the real length.
const MOST: usize = 16 * BODY_LIMIT;

/// Reads the text of a source that may never end, such as standard input. Errors call it `what`.
///
/// # Errors
/// Returns [`WorkspaceError::Io`] if it cannot be read or is not text; [`WorkspaceError::Refused`] if it is too long.
pub fn bounded(from: impl Read, what: &str) -> Result<String, WorkspaceError> {
    let mut bytes = Vec::new();
    from.take(MOST as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST {
        let message = format!("{what} is longer than the limit of {MOST} bytes");
        return Err(WorkspaceError::refuse(message).with_help(Help::Shorten));
    }
    let no_text =
        |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    Ok(String::from_utf8(bytes).map_err(no_text)?)
}

/// Returns true if a path names an open file of this process.
fn is_link_of_process(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd")
}

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
                needs_options: template.is_some_and(|it| judges_by_default(it)),
                reviews: template.is_some_and(|it| it.parameters.contains_key("artifact")),
            }
        };
        self.catalogue.entries().map(shown).collect()
    }

    /// Returns the templates that need only a question: usable ones with defaults for all parameters.
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
            number: None,
            record_file: None,
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
        if let Some(unread) = self.unread("templates", &format!("{id}.md")) {
            let missing = no_template(id, None);
            return WorkspaceError::refuse(format!("{missing}; {unread}"))
                .with_code(ErrorCode::InvalidPattern)
                .with_help(Help::BeginProject);
        }
        let page = self.setup.other_pages.iter().find(|(stem, _)| stem == id);
        WorkspaceError::Template {
            asked: id.to_owned(),
            page: page.map(|(_, file)| file.clone()),
            nearest: self.catalogue.nearest(id),
        }
    }

    /// Returns the sentence about a file that is there but not read, because the folder is no project.
    pub(super) fn unread(&self, folder: &str, file: &str) -> Option<String> {
        let file = self.setup.unread_file(folder, file)?;
        Some(format!("{} is not read without a discussions.yaml", visible_line(&file)))
    }

    /// Returns the sentence that names the folders of templates, besides the bundled ones.
    pub(super) fn template_folders(&self) -> String {
        match self.setup.template_folders.as_slice() {
            [] => "only the bundled templates are available here".to_owned(),
            folders => format!("templates are looked for in {}", folders.join(" and ")),
        }
    }
}

/// Returns the message that a template does not exist or, if a file has its name, that this file is no template.
pub(super) fn no_template(asked: &str, page: Option<&str>) -> String {
    match page {
        Some(page) => format!(
            "{} is not a template: it lacks front matter with `phases:` between two lines `---`",
            visible_line(page)
        ),
        None => format!("there is no template `{asked}`"),
    }
}

impl Workspace {
    /// Returns the entry that runs the command of a phase; `None` if it has no command. A project-defined command needs
    /// trust, like a project-defined provider.
    ///
    /// # Errors
    /// Fails if the timeout is out of its limits.
    pub(crate) fn tool(
        &self,
        template: &Template,
        phase: &Phase,
    ) -> Result<Option<RegistryEntry>, WorkspaceError> {
        let Some(tool) = &phase.run else { return Ok(None) };
        let name: String = format!("{}.{}", template.id, phase.id).chars().take(60).collect();
        let name = ProviderName::parse(&name).or_else(|_| ProviderName::parse("template"))?;
        let bounds = |_| {
            let (least, most) = (write(SHORTEST_TIMEOUT), write(LONGEST_TIMEOUT));
            let bounds = format!("from {least} to {most}, like `90s`");
            WorkspaceError::out_of_bounds("the timeout of a command", &bounds)
        };
        let timeout = tool.timeout.as_deref().map(Timeout::parse).transpose().map_err(bounds)?;
        let origin = match self
            .setup
            .templates
            .iter()
            .rfind(|it| it.path.file_stem().is_some_and(|stem| *stem == *template.id))
        {
            Some(layer) if layer.scope == ConfigScope::Project => {
                Layer::Project(layer.path.clone())
            }
            Some(layer) => Layer::User(layer.path.clone()),
            None => Layer::BuiltIn,
        };
        Ok(Some(RegistryEntry::tool(name, &tool.command, timeout.unwrap_or_default(), origin)))
    }

    /// Returns the commands of all phases of a template.
    pub(crate) fn tools_of(&self, template: &Template) -> Vec<RegistryEntry> {
        let tools = template.phases.iter().map(|phase| self.tool(template, phase));
        tools.filter_map(|tool| tool.ok().flatten()).collect()
    }

    /// Returns the commands of all readable templates.
    pub(crate) fn tools(&self) -> Vec<RegistryEntry> {
        let read = self.catalogue.entries().filter(|entry| entry.path.is_some());
        let templates = read.filter_map(|entry: &CatalogueEntry| entry.template().ok());
        templates.flat_map(|template| self.tools_of(&template)).collect()
    }
}

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
