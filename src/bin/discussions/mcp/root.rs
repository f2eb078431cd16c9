//! The served folder. Clients may name only files below it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use discussions::view::visible_line;

use super::error::McpError;

/// The path of the folder, with links resolved.
pub(super) struct Root(PathBuf);

impl Root {
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        folder.canonicalize().map(Self)
    }

    /// Returns the path of the folder.
    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// Returns a path below the folder, relative to it.
    pub(super) fn relative_path(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.0).unwrap_or(path).to_owned()
    }

    /// Returns the path with its links resolved, if it is below the folder. For a path that does not exist yet, the
    /// folder in which it would be created counts.
    pub(super) fn insist(&self, path: &Path) -> Result<PathBuf, McpError> {
        resolved(path).filter(|real| real.starts_with(&self.0)).ok_or_else(|| {
            let shown = visible_line(&path.to_string_lossy());
            McpError::input(format!("{shown} is outside the served folder"))
                .help("name a file inside it, or restart the server with another --root")
        })
    }
}

/// Resolves the links of a path; `None` if a link is broken or the path goes up from a folder that does not exist.
fn resolved(path: &Path) -> Option<PathBuf> {
    let (mut there, mut rest) = (path, Vec::<OsString>::new());
    loop {
        if there.symlink_metadata().is_ok() {
            let mut real = there.canonicalize().ok()?;
            real.extend(rest.iter().rev());
            return Some(real);
        }
        rest.push(there.file_name()?.to_owned());
        there = there.parent()?;
    }
}
