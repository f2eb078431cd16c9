//! The project's git repository: sets it up for discussions, and merges two versions of a
//! discussion as git's merge driver.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use super::Workspace;
use super::error::{Help, WorkspaceError};
use super::files::is_summary;
use crate::config::Project;
use crate::provider::guard_calls;
use crate::store::{self, SetUpStep};
use crate::transcript::{Head, visible_line};
use crate::view::{Initialized, Merged, Renumbered, SetUp};

impl Workspace {
    /// Makes a folder a project if it is none. `starter` is the text of its new configuration.
    ///
    /// # Errors
    /// Fails for git's own folder, or if the configuration cannot be written.
    pub fn initialize(folder: &Path, starter: &str) -> Result<Initialized, WorkspaceError> {
        let in_repository = in_work_tree(folder)?;
        let made = Project::find(folder).is_none();
        if made {
            let path = folder.join(Project::FILE);
            create(&path, starter)
                .map_err(|source| WorkspaceError::unwritable_file(&path, &source))?;
        }
        Ok(Initialized { made, in_repository, done: Vec::new() })
    }

    /// Returns true if a folder contains a `providers.yaml` that is not read, because the folder is in no project.
    pub fn passes_over_providers(folder: &Path) -> bool {
        folder.join("providers.yaml").is_file() && Project::find(folder).is_none()
    }

    /// Returns true in a git repository that is not set up for discussions.
    pub fn lacks_set_up(&self) -> bool {
        self.setup.project.is_none() && matches!(in_work_tree(&self.setup.cwd), Ok(true))
    }

    /// Sets up the repository around the working folder for discussions. With `hook`, also checks them before every
    /// commit. Returns the changes, and the steps that are left to a person.
    ///
    /// # Errors
    /// Fails outside of a repository, if the folder of discussions is outside of it, or if a file cannot be written.
    pub fn set_up_git(&self, hook: bool) -> Result<Vec<SetUp>, WorkspaceError> {
        let (folder, output) = (&self.setup.cwd, &self.output_directory());
        let done = store::init(store::GitSetup { folder, output, hook })?;
        Ok(done.into_iter().map(|done| self.shown_set_up(done)).collect())
    }

    fn shown_set_up(&self, done: SetUpStep) -> SetUp {
        let whole = |path: &Path| visible_line(&path.to_string_lossy());
        match done {
            SetUpStep::Added { path, line } => SetUp::Added { file: self.shown_path(&path), line },
            SetUpStep::Configured { key } => SetUp::Configured { key },
            SetUpStep::Hooked { path } => SetUp::Hooked { file: self.shown_path(&path) },
            SetUpStep::Foreign { path, line } => {
                SetUp::Foreign { file: self.shown_path(&path), line }
            }
            SetUpStep::Shared { hooks, own } => {
                SetUp::Shared { hooks: whole(&hooks), own: whole(&own) }
            }
            SetUpStep::Overridden { path, line, probe, merge } => {
                SetUp::Overridden { file: self.shown_path(&path), line, probe, merge }
            }
        }
    }
}

/// Returns true if a folder is in a work tree, as git decides: the nearest repository upwards counts.
fn in_work_tree(folder: &Path) -> Result<bool, WorkspaceError> {
    for above in folder.ancestors() {
        if above.join(".git").exists() {
            return Ok(true);
        }
        let is_gits = ["objects", "refs"].iter().all(|part| above.join(part).is_dir())
            && above.join("HEAD").is_file();
        if is_gits {
            let folder = visible_line(&folder.to_string_lossy());
            return Err(WorkspaceError::refuse(format!(
                "{folder}: this is git's own folder, without a work tree; keep discussions elsewhere"
            ))
            .with_help(Help::CheckOut));
        }
    }
    Ok(false)
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}

impl Workspace {
    /// Returns true if the repository of a discussion, or of the folder of discussions, needs a merge driver that this
    /// clone lacks.
    pub fn lacks_merge_driver(&self, path: Option<&Path>) -> bool {
        let own = self.output_directory();
        let folder = path.and_then(Path::parent).unwrap_or(&own);
        let folder = if folder.is_dir() { folder } else { &self.setup.cwd };
        store::lacks_merge_driver(folder)
    }

    /// Waits until `input` ends, then ends the programs of a killed run; see
    /// [`Environment::guarded_by`](crate::provider::Environment::guarded_by). The marks of the run's calls begin with
    /// `run`. Returns false, and ends nothing, if `run` is not all that these marks have in common.
    pub fn guard(input: impl std::io::BufRead, run: &str) -> bool {
        guard_calls(input, run)
    }

    /// Merges two versions with a common base into the file of `ours`. `named` is the file's path in the repository, if
    /// git passes it. If a person must resolve something, the file contains conflict lines. After an error, `ours` is
    /// unchanged.
    ///
    /// # Errors
    /// Fails if a version cannot be read, is not text or is not a regular file, or if `ours` cannot be written.
    pub fn merge(
        base: &Path,
        ours: &Path,
        theirs: &Path,
        named: Option<&Path>,
    ) -> Result<Merged, WorkspaceError> {
        let shown = |path: &Path| visible_line(&path.to_string_lossy());
        let mut merged = Merged { file: shown(named.unwrap_or(ours)), ..Merged::default() };
        if named.is_some_and(is_summary) {
            merged.is_summary = true;
            return Ok(merged);
        }
        let read = |path| read(path, &shown(named.unwrap_or(path)));
        let (base, our_text, their_text) = (read(base)?, read(ours)?, read(theirs)?);
        let text = match store::merge(&base, &our_text, &their_text) {
            Ok(text) => {
                // A comment on both sides is reported once.
                let sides = [&our_text, &their_text];
                let moved: BTreeSet<Renumbered> =
                    sides.iter().flat_map(|side| store::renumbered(side, &text)).collect();
                merged.renumbered = moved.into_iter().collect();
                text
            }
            Err(conflict) => {
                merged.conflict = Some(conflict.to_string());
                conflict.marked
            }
        };
        // The write is atomic, so that git never merges an incomplete version later.
        store::replace(ours, &text)
            .map_err(|source| WorkspaceError::unwritable_file(ours, &source))?;
        Ok(merged)
    }
}

/// Reads one version. Git passes an empty file for a side that has no version.
fn read(path: &Path, shown: &str) -> Result<String, WorkspaceError> {
    let unread = |source| WorkspaceError::unreadable_file(path, &source);
    let refused = |what: &str| {
        WorkspaceError::refuse(format!("{shown}: this version is {what}, so git has to merge it"))
    };
    // Checked before opening, because opening a pipe would block.
    let found = path.metadata().map_err(unread)?;
    if !found.is_file() && !found.is_dir() {
        return Err(refused("not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unread)?;
    file.take(store::LARGEST + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > store::LARGEST {
        return Err(refused("larger than 1 GiB"));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("not UTF-8"))?;
    match Head::newer_format(&text) {
        Some(_) => Err(refused("of a newer format than this program knows")),
        None => Ok(text),
    }
}
