//! The hook that looks at discussions before a commit.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::init::{Done, normal};
use super::repository::Repository;

/// Writes the hook unless one stands there; another's is left alone, and so is a folder that other repositories use.
pub(super) fn install(repository: &Repository, folder: &str) -> io::Result<Option<Done>> {
    let hooks = repository.hooks()?;
    let path = hooks.join("pre-commit");
    let script = Script::of(folder);
    match read(&path) {
        Ok(text) if script.earlier().contains(&text) && !path.is_symlink() => {
            fs::remove_file(&path)?
        }
        Ok(text) if script.is_called_in(&text) => return Ok(None),
        found => {
            // Linked worktrees share the hooks beside the first one's, in the common folder.
            let common = repository.common()?;
            let place = real(&hooks);
            if !place.starts_with(real(&common)) && !place.starts_with(repository.top()) {
                return Ok(Some(Done::Shared { hooks, own: common.join("hooks") }));
            }
            match found {
                Ok(_) => return Ok(Some(Done::Foreign { path, line: script.line() })),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    fs::create_dir_all(&hooks)?;
    // Never through a link, which the project may have brought along: whatever has the name is refused.
    let mut file = fs::File::create_new(&path)?;
    file.write_all(script.text().as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(fs::Permissions::from_mode(0o755))?;
    }
    Ok(Some(Done::Hooked { path }))
}

/// What a hook says. A pipe or device is never opened: that may never end.
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

/// A path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|ancestor| {
        let rest = path.strip_prefix(ancestor).ok()?;
        Some(fs::canonicalize(ancestor).ok()?.join(rest))
    });
    normal(&found.unwrap_or_else(|| path.to_owned()))
}

/// What a hook says, in the shell's language. Git runs it at the top of the tree.
struct Script {
    /// The folder, quoted.
    folder: String,
}

impl Script {
    fn of(folder: &str) -> Self {
        // One that begins like an option would be taken for one.
        let sign = if folder.starts_with('-') { "./" } else { "" };
        Self { folder: format!("'{sign}{}'", folder.replace('\'', r"'\''")) }
    }

    fn check(&self) -> String {
        format!("discussions check --staged {}", self.folder)
    }

    /// As versions before wrote it, which judged the files instead of what is committed.
    fn check_of_files(&self) -> String {
        format!("discussions check {}", self.folder)
    }

    fn is_called_in(&self, hook: &str) -> bool {
        let calls = [self.check(), self.check_of_files()];
        let mut lines = hook.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.any(|line| calls.iter().any(|call| line.contains(call)))
    }

    /// For a hook that somebody else wrote, wherever in it. Without the folder, as before the first discussion or on a
    /// branch without any, there is nothing to check.
    fn line(&self) -> String {
        format!("[ ! -d {} ] || {} || exit 1", self.folder, self.check())
    }

    fn text(&self) -> String {
        self.with(&self.nothing(), &self.check())
    }

    /// Without the folder there is nothing to check, unless the commit is to take it away.
    fn nothing(&self) -> String {
        let folder = &self.folder;
        format!(
            "[ -d {folder} ] || git rev-parse --quiet --verify HEAD:{folder} >/dev/null || exit 0\n"
        )
    }

    /// The same as versions before wrote it, which did not see that all discussions were to go.
    fn nothing_here(&self) -> String {
        format!("[ -d {} ] || exit 0\n", self.folder)
    }

    /// As earlier versions wrote it: the first stopped every commit where there was no such folder, the first two judged
    /// the files of the working tree.
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
