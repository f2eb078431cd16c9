//! The folder that a `discussions.yaml` makes a project.

use std::path::{Path, PathBuf};

/// A folder with a `discussions.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The folder; absolute when the search began at an absolute path.
    pub root: PathBuf,
}

/// No real folder lies deeper; the bound keeps a hostile path from costing more than a moment.
const MAX_LEVELS: usize = 128;

impl Project {
    /// The file that makes a folder a project.
    pub(crate) const FILE: &'static str = crate::boundary::FILE;

    /// The nearest folder from `start` upwards that holds a `discussions.yaml`.
    pub(crate) fn find(start: &Path) -> Option<Self> {
        start
            .ancestors()
            .take(MAX_LEVELS)
            .find(|folder| folder.join(Self::FILE).is_file())
            .map(|folder| Self { root: folder.to_path_buf() })
    }

    /// Path of the configuration.
    pub(crate) fn config(&self) -> PathBuf {
        self.root.join(Self::FILE)
    }
}
