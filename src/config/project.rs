//! Finds the project: the folder with a `discussions.yaml`.

use std::path::{Path, PathBuf};

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
