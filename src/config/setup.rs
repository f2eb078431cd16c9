//! The project (the folder with a `discussions.yaml`) and the configuration: the project's over the
//! user's over the bundled one.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::schema::RawConfig;
use super::{Config, ConfigError, file, participants};
use crate::boundary::{self, ProjectPlace};
use crate::codes::Fix;
use crate::participant::{PersonaOrigin, PersonaSource, Roster};
use crate::similarity::is_slip_of;
use crate::transcript::visible_line;
use crate::yaml::{self, LoadError};

/// The owner of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigScope {
    /// In the user's configuration folder.
    User,
    /// Beside the project's `discussions.yaml`.
    Project,
}

/// A file that another part of the library parses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigLayer {
    /// Its owner.
    pub scope: ConfigScope,
    /// Its path.
    pub path: PathBuf,
    /// Its name in errors: the path, relative to the working folder if possible.
    pub shown: String,
    /// Its content.
    pub text: String,
}

/// A broken file, which disables only its own definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableFile {
    /// The file's stem, which would be the name of the definition.
    pub name: String,
    /// The error.
    pub error: LoadError,
}

/// The configuration for a working folder.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The working folder.
    pub cwd: PathBuf,
    /// The project around the working folder, if there is one.
    pub project: Option<Project>,
    /// The root for the discussions of the working folder: its project, or else its git work tree, or else the folder
    /// itself.
    pub(crate) root: PathBuf,
    /// Limits for paths.
    pub(crate) reach: ConfiguredReach,
    /// The user's configuration folder, if the system provides a place for one.
    pub user_dir: Option<PathBuf>,
    /// The project's configuration over the user's.
    pub config: Config,
    /// The project's personas over the user's over the bundled ones.
    pub roster: Arc<Roster>,
    /// `providers.yaml` files; later ones override earlier ones.
    pub providers: Vec<ConfigLayer>,
    /// `providers.yaml` files that are not text.
    pub(crate) unreadable_providers: Vec<(ConfigScope, PathBuf, LoadError)>,
    /// Templates; each overrides an earlier one with an equal file name.
    pub templates: Vec<ConfigLayer>,
    /// Templates that could not be read.
    pub unreadable_templates: Vec<UnreadableFile>,
    /// Markdown files beside the templates that are not templates themselves, because their front
    /// matter has no `phases`. Each has its stem and displayed path.
    pub(crate) other_pages: Vec<(String, String)>,
    /// The folders that are searched for templates, as displayed paths.
    pub(crate) template_folders: Vec<String>,
    /// The `default_template` that applies, if one is configured.
    default_template: Option<RawConfig>,
}

/// Additional limits for the paths that a caller names.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConfiguredReach {
    /// The folder that no path may leave, canonical.
    pub(crate) root: Option<PathBuf>,
    /// True to refuse files with a second name (a hard link).
    pub(crate) one_name: bool,
    /// True to find no Markdown file except discussions; with a root, only those in the folder of discussions.
    pub(crate) only_discussions: bool,
}

impl ConfiguredReach {
    /// Checks that a place is within the limits.
    ///
    /// # Errors
    /// Fails if it is not.
    pub(crate) fn limit(
        &self,
        place: ProjectPlace,
    ) -> Result<ProjectPlace, boundary::EscapesProject> {
        let root = self.root.as_ref().filter(|root| !place.real().starts_with(root));
        if let Some(root) = root {
            let (path, target) = (place.given_path().to_owned(), place.real().to_owned());
            return Err(boundary::EscapesProject { path, link: None, target, root: root.clone() });
        }
        Ok(if self.one_name { place.with_one_name() } else { place })
    }
}

impl Setup {
    /// Returns a file of a folder such as `templates/` that is not read, because no `discussions.yaml` makes the folder
    /// around it a project. The path is as it is shown.
    pub(crate) fn unread_file(&self, folder: &str, file: &str) -> Option<String> {
        let path = self.root.join(folder).join(file);
        (self.project.is_none() && path.is_file()).then(|| self.shown_path(&path))
    }
}

/// The folder of discussions if nothing is configured.
const DEFAULT_DIRECTORY: &str = "discussions";

impl Setup {
    /// Collects the configuration for `cwd`, an absolute path. `user_dir` is the user's configuration folder, which
    /// need not exist.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError`] if a `discussions.yaml` or `config.yaml` is wrong, or if anything exists but cannot be
    /// read. A broken persona or template is not an error here: it is kept with its error, which is raised when it is
    /// used.
    pub(crate) fn load(cwd: &Path, user_dir: Option<&Path>) -> Result<Self, ConfigError> {
        let project = Project::find(cwd);
        let root = project.as_ref().map(|project| project.root.clone());
        let mut setup = Self {
            cwd: cwd.to_owned(),
            root: root.or_else(|| boundary::work_tree(cwd)).unwrap_or_else(|| cwd.to_owned()),
            project: project.clone(),
            reach: ConfiguredReach::default(),
            user_dir: user_dir.map(Path::to_owned),
            config: Config::default(),
            roster: Arc::new(Roster::bundled()),
            providers: Vec::new(),
            templates: Vec::new(),
            unreadable_providers: Vec::new(),
            unreadable_templates: Vec::new(),
            other_pages: Vec::new(),
            template_folders: Vec::new(),
            default_template: None,
        };
        if let Some(folder) = user_dir {
            setup.add(ConfigScope::User, folder, &folder.join("config.yaml"))?;
        }
        if let Some(project) = project {
            setup.add(ConfigScope::Project, &project.root, &project.config())?;
        }
        Ok(setup)
    }

    /// Returns the folder that relative paths in the configuration start from.
    pub(crate) fn base(&self) -> &Path {
        self.project.as_ref().map_or(&self.cwd, |project| &project.root)
    }

    /// Returns the folder of discussions: `output.directory`, or else `discussions`. It is in the project, or else in
    /// the git work tree around the working folder. Subfolders of a repository therefore do not get discussions of
    /// their own.
    pub(crate) fn output_directory(&self) -> PathBuf {
        let directory = self.config.output.directory.as_deref();
        let joined = self.root.join(directory.unwrap_or(Path::new(DEFAULT_DIRECTORY)));
        // Removes the `.` of `./discussions`, which would otherwise be displayed.
        joined.components().collect()
    }

    /// Returns the folder of discussions outside of projects, according to the user's own configuration.
    pub(crate) fn default_directory(&self) -> PathBuf {
        let own = self.user_config().and_then(|text| Config::read(&text, "").ok());
        let directory = own.and_then(|config| config.output.directory);
        directory.unwrap_or_else(|| PathBuf::from(DEFAULT_DIRECTORY))
    }

    /// Returns the text of the user's own configuration.
    pub(crate) fn user_config(&self) -> Option<String> {
        let folder = self.user_dir.as_deref()?;
        file::read(&folder.join("config.yaml")).ok().flatten()
    }

    /// Returns an error at the place of the configured `default_template`. Returns `None` if the
    /// configured template is not `id`.
    pub(crate) fn default_template_error(&self, id: &str, message: &str) -> Option<LoadError> {
        self.default_template.as_ref()?.error(id, message)
    }

    /// Returns true if there is a project, or a folder of discussions at its default place.
    pub(crate) fn is_project(&self) -> bool {
        self.project.is_some() || self.output_directory().is_dir()
    }

    /// Returns a path for display: on one line, and relative to the working folder if it is in the same project.
    pub(crate) fn shown_path(&self, path: &Path) -> String {
        visible_line(&self.nearest_path(path).to_string_lossy())
    }

    /// Returns a path relative to the working folder, if it is in that folder or in the same project.
    pub(crate) fn nearest_path<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        if let Ok(below) = path.strip_prefix(&self.cwd) {
            return Cow::Borrowed(below);
        }
        match (path.strip_prefix(&self.root), self.cwd.strip_prefix(&self.root)) {
            (Ok(there), Ok(here)) => {
                let up: PathBuf = here.components().map(|_| "..").collect();
                Cow::Owned(up.join(there))
            }
            _ => Cow::Borrowed(path),
        }
    }

    /// Checks that a discussion, or a folder of discussions, is not a link out of its project. It need not exist.
    ///
    /// Without a project there are two rules. A file that is a link may not lead out of its own folder. The default
    /// folder of discussions may not lead out of the working folder. All other links are the user's own.
    ///
    /// # Errors
    ///
    /// Returns [`boundary::EscapesProject`] with the link and its target.
    pub(crate) fn insist_inside(&self, path: &Path) -> Result<(), boundary::EscapesProject> {
        self.place(path).map(drop)
    }

    /// Resolves the links of a path, checks them like [`Self::insist_inside`], and returns the place to open.
    ///
    /// # Errors
    ///
    /// Fails like [`Self::insist_inside`].
    pub(crate) fn place(&self, path: &Path) -> Result<ProjectPlace, boundary::EscapesProject> {
        let place = boundary::resolve(&self.cwd.join(path), |link, is_file| {
            let working = std::fs::canonicalize(&self.cwd).ok()?;
            let unsaid = self.project.is_none() && self.config.output.directory.is_none();
            if unsaid && link.starts_with(working.join(DEFAULT_DIRECTORY)) {
                return Some(working);
            }
            link.parent().filter(|_| is_file).map(Path::to_path_buf)
        })?;
        Ok(self.reach.limit(place)?.with_name(path))
    }

    /// Returns the place of a path without resolving links, because resolving is slow and most
    /// paths contain no link. Opening the place fails if the path contains a link. Returns `None`
    /// if the path contains `..`.
    pub(crate) fn place_by_words(&self, path: &Path) -> Option<ProjectPlace> {
        let whole = self.cwd.join(path);
        if whole.components().any(|part| part == Component::ParentDir) {
            return None;
        }
        Some(self.reach.limit(ProjectPlace::by_words(&whole)).ok()?.with_name(path))
    }

    fn add(&mut self, scope: ConfigScope, folder: &Path, config: &Path) -> Result<(), ConfigError> {
        let providers = folder.join("providers.yaml");
        if scope == ConfigScope::Project {
            let folders = [folder.join("participants"), folder.join("templates")];
            for path in folders.iter().map(PathBuf::as_path).chain([config, &providers]) {
                file::insist_own(path)?;
            }
        }
        if let Some(text) = read(scope, config)? {
            let origin = self.shown_path(config);
            let upper = Config::read(&text, &origin)?;
            if let (ConfigScope::Project, Some(directory)) = (scope, &upper.output.directory) {
                let inside = boundary::ensure_within(&folder.join(directory), folder);
                inside.map_err(|outside| outside_error(&text, &origin, &outside))?;
            }
            let written = RawConfig::default_template(&text, &origin)?;
            self.default_template = written.or_else(|| self.default_template.take());
            self.config = upper.over(std::mem::take(&mut self.config));
        }
        match read(scope, &providers) {
            Ok(None) => {}
            Ok(Some(text)) => {
                let shown = self.shown_path(&providers);
                self.providers.push(ConfigLayer { scope, path: providers, shown, text });
            }
            // The error affects only callers that need these providers.
            Err(ConfigError::Load(error)) => {
                let error = LoadError { origin: self.shown_path(&providers), ..error };
                self.unreadable_providers.push((scope, providers, error));
            }
            Err(error) => return Err(error),
        }
        self.add_personas(scope, folder)?;
        self.add_templates(scope, folder)
    }

    fn add_personas(&mut self, scope: ConfigScope, folder: &Path) -> Result<(), ConfigError> {
        let mut paths = file::list(&folder.join("participants"), &["yaml", "yml"])?;
        paths.push(folder.join("participants.yaml"));
        let mut sources = Vec::new();
        let mut unread = Vec::new();
        for path in paths {
            let shown = self.shown_path(&path);
            let origin = match scope {
                ConfigScope::User => PersonaOrigin::User(path.clone()),
                ConfigScope::Project => PersonaOrigin::Project(path.clone()),
            };
            match read(scope, &path) {
                Ok(Some(text)) => sources.push(PersonaSource { origin, shown, text }),
                Ok(None) => {}
                Err(error) => unread.push((origin, with_shown_name(&shown, error))),
            }
        }
        let roster = Arc::make_mut(&mut self.roster);
        roster.layer(sources.iter().cloned());
        roster.teach(|persona, origin| {
            match sources.iter().find(|source| source.origin == *origin) {
                Some(source) => participants::taught(persona, source, scope, folder),
                None => Ok(None),
            }
        });
        for (origin, error) in unread {
            Arc::make_mut(&mut self.roster).add_broken(origin, error);
        }
        Ok(())
    }

    fn add_templates(&mut self, scope: ConfigScope, folder: &Path) -> Result<(), ConfigError> {
        let templates = folder.join("templates");
        self.template_folders.push(self.shown_path(&templates));
        for path in file::list(&templates, &["md"])? {
            let shown = self.shown_path(&path);
            match read(scope, &path) {
                Ok(Some(text)) if is_template(&text) => {
                    self.templates.push(ConfigLayer { scope, path, shown, text });
                }
                Ok(_) => {
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    self.other_pages.push((stem.into_owned(), shown));
                }
                Err(error) => {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    let error = with_shown_name(&shown, error);
                    self.unreadable_templates.push(UnreadableFile { name, error });
                }
            }
        }
        Ok(())
    }
}

/// Returns the text of a layer's file. A project's file must not be a link out of the project.
fn read(scope: ConfigScope, path: &Path) -> Result<Option<String>, ConfigError> {
    match scope {
        ConfigScope::Project => file::read_own(path),
        ConfigScope::User => file::read(path),
    }
}

/// Returns an error at the place of an `output.directory` that is outside of the project.
fn outside_error(text: &str, origin: &str, outside: &boundary::EscapesProject) -> LoadError {
    let message = outside.to_string();
    let error = match RawConfig::output_directory(text, origin) {
        Ok(Some(written)) => written.place(&message),
        Ok(None) | Err(_) => LoadError::new(origin, message),
    };
    error.with_fix(Fix::OwnFolder)
}

/// Returns the error of reading a file, with the displayed name of the file.
fn with_shown_name(shown: &str, error: ConfigError) -> LoadError {
    match error {
        ConfigError::Load(error) => LoadError { origin: shown.to_owned(), ..error },
        error @ (ConfigError::Read { .. } | ConfigError::Outside(_)) => {
            LoadError::new(shown, error.to_string())
        }
    }
}

/// Returns true if the front matter looks like that of a template of this program: it has `phases`,
/// or a key with nearly that spelling.
///
/// Other programs keep their Markdown in `templates/` too. Keys are read line by line, because a template with invalid
/// YAML must be reported and not ignored.
fn is_template(text: &str) -> bool {
    let Some(parts) = yaml::front_matter(text) else { return false };
    let mut keys = parts.yaml.lines().filter_map(|line| line.split_once(':'));
    keys.any(|(key, _)| is_slip_of(key, "phases"))
}

/// A folder with a `discussions.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The folder; absolute if the search began at an absolute path.
    pub root: PathBuf,
}

/// Maximum number of levels to search. No real folder is deeper; the limit makes a hostile path cheap.
const MAX_LEVELS: usize = 128;

impl Project {
    /// The file that makes a folder a project.
    pub(crate) const FILE: &'static str = crate::boundary::FILE;

    /// Returns the nearest folder with a `discussions.yaml`, at or above `start`.
    pub(crate) fn find(start: &Path) -> Option<Self> {
        start
            .ancestors()
            .take(MAX_LEVELS)
            .find(|folder| folder.join(Self::FILE).is_file())
            .map(|folder| Self { root: folder.to_path_buf() })
    }

    /// Returns the path of the configuration.
    pub(crate) fn config(&self) -> PathBuf {
        self.root.join(Self::FILE)
    }
}

#[cfg(test)]
mod tests;
