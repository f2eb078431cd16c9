//! The git hook that checks discussions before a commit.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::init::{SetUpStep, normal};
use super::repository::Repository;

/// Writes the hook if none is there. It does not touch a hook of another program, or a hooks folder that other
/// repositories share.
pub(super) fn install(repository: &Repository, folder: &str) -> io::Result<Option<SetUpStep>> {
    let hooks = repository.hooks()?;
    let path = hooks.join("pre-commit");
    let script = HookScript::of(folder);
    match read(&path) {
        Ok(text) if script.earlier().contains(&text) && !path.is_symlink() => {
            fs::remove_file(&path)?
        }
        Ok(text) if script.is_called_in(&text) => return Ok(None),
        found => {
            // Linked worktrees share the hooks of the main worktree, in the common folder.
            let common = repository.common()?;
            let place = real(&hooks);
            if !place.starts_with(real(&common)) && !place.starts_with(repository.top()) {
                return Ok(Some(SetUpStep::Shared { hooks, own: common.join("hooks") }));
            }
            match found {
                Ok(_) => return Ok(Some(SetUpStep::Foreign { path, line: script.line() })),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    fs::create_dir_all(&hooks)?;
    // An existing file of this name is an error: it could be a link that came with the project. It is never followed.
    let mut file = fs::File::create_new(&path)?;
    file.write_all(script.text().as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(fs::Permissions::from_mode(0o755))?;
    }
    Ok(Some(SetUpStep::Hooked { path }))
}

/// Returns the text of a hook. A pipe or device is not opened, because reading it may never end.
fn read(path: &Path) -> io::Result<String> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(io::Error::other(format!("{} is not a regular file; remove it", path.display())))
        }
        Err(_) if path.is_symlink() => {
            Err(io::Error::other(format!("{} is a broken link; remove it", path.display())))
        }
        Ok(_) | Err(_) => fs::read_to_string(path),
    }
}

/// Resolves links in a path, as far as the path exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|ancestor| {
        let rest = path.strip_prefix(ancestor).ok()?;
        Some(fs::canonicalize(ancestor).ok()?.join(rest))
    });
    normal(&found.unwrap_or_else(|| path.to_owned()))
}

/// The shell script of the hook. Git runs it at the top of the tree.
struct HookScript {
    /// The folder, quoted for the shell.
    folder: String,
}

impl HookScript {
    fn of(folder: &str) -> Self {
        // A folder that begins with `-` would be taken for an option.
        let sign = if folder.starts_with('-') { "./" } else { "" };
        Self { folder: format!("'{sign}{}'", folder.replace('\'', r"'\''")) }
    }

    fn check(&self) -> String {
        format!("discussions check --staged {}", self.folder)
    }

    /// Returns the command of earlier versions, which checked the files instead of the content to be committed.
    fn check_of_files(&self) -> String {
        format!("discussions check {}", self.folder)
    }

    fn is_called_in(&self, hook: &str) -> bool {
        let calls = [self.check(), self.check_of_files()];
        let mut lines = hook.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.any(|line| calls.iter().any(|call| line.contains(call)))
    }

    /// Returns a line for a hook of another author, to be added anywhere in it. It checks nothing if the folder does
    /// not exist, for example before the first discussion or on a branch without any.
    fn line(&self) -> String {
        format!("[ ! -d {} ] || {} || exit 1", self.folder, self.check())
    }

    fn text(&self) -> String {
        self.with(&self.nothing(), &self.check())
    }

    /// Returns the line that ends the hook if the folder does not exist, unless the commit deletes it.
    fn nothing(&self) -> String {
        let folder = &self.folder;
        format!(
            "[ -d {folder} ] || git rev-parse --quiet --verify HEAD:{folder} >/dev/null || exit 0\n"
        )
    }

    /// Returns the line of earlier versions, which did not notice that a commit deleted all discussions.
    fn nothing_here(&self) -> String {
        format!("[ -d {} ] || exit 0\n", self.folder)
    }

    /// Returns the scripts of earlier versions. The first one stopped every commit if the folder did not exist; the
    /// first two checked the files of the working tree.
    fn earlier(&self) -> [String; 3] {
        let (check, nothing) = (self.check_of_files(), self.nothing_here());
        [self.with("", &check), self.with(&nothing, &check), self.with(&nothing, &self.check())]
    }

    fn with(&self, first: &str, check: &str) -> String {
        format!(
            "#!/bin/sh\n# A commit must not carry a discussion that lost a comment.\n{first}\
             command -v discussions >/dev/null || {{\n\
             \techo 'discussions is not on PATH: install it, or commit with --no-verify' >&2\n\
             \texit 1\n}}\nexec {check}\n",
        )
    }
}
