//! The folder below which everything stands that a client may name.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use discussions::transcript::visible_line;

use super::trouble::Trouble;

/// The folder, links resolved.
pub(super) struct Root(PathBuf);

impl Root {
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        folder.canonicalize().map(Self)
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// A path below the folder as it is called from there.
    pub(super) fn within(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.0).unwrap_or(path).to_owned()
    }

    /// The path with its links resolved, if that is below the folder. What is not there yet is judged by the folder in which
    /// it would be made.
    pub(super) fn insist(&self, path: &Path) -> Result<PathBuf, Trouble> {
        resolved(path).filter(|real| real.starts_with(&self.0)).ok_or_else(|| {
            let shown = visible_line(&path.to_string_lossy());
            Trouble::input(format!("{shown} is outside the served folder"))
                .help("name a file inside it, or restart the server with another --root")
        })
    }
}

/// None where a link leads nowhere, or a path goes up from what is not there.
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
