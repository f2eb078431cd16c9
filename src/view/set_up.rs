//! The result of setting up a repository for discussions.

use schemars::JsonSchema;
use serde::Serialize;

/// A step that was done, or that is left to a person. Paths are as they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "done", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SetUp {
    /// A line was added to a file.
    Added {
        /// The file.
        file: String,
        /// The line.
        line: String,
    },
    /// A setting of the repository was written.
    Configured {
        /// Its key.
        key: &'static str,
    },
    /// The hook was written.
    Hooked {
        /// The hook.
        file: String,
    },
    /// Another hook exists and was left unchanged.
    Foreign {
        /// The hook.
        file: String,
        /// What to add to it by hand.
        line: String,
    },
    /// Git's settings name a folder of hooks outside the repository, so no hook was written.
    Shared {
        /// That folder.
        hooks: String,
        /// Where the repository's own hooks would be.
        own: String,
    },
    /// Another setting still overrides how git merges discussions.
    Overridden {
        /// The file with the line that something overrides.
        file: String,
        /// The line.
        line: String,
        /// A path that git was asked about, from the top of the tree.
        probe: String,
        /// The merge driver that git reports for it.
        merge: String,
    },
}

/// The result of making a folder a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderSetUp {
    /// Whether its configuration was created; otherwise it existed.
    pub made: bool,
    /// Whether it is in a git work tree.
    pub in_repository: bool,
}

impl FolderSetUp {
    /// Adds the changes that were made to the repository.
    pub fn with(self, done: Vec<SetUp>) -> super::Initialized {
        super::Initialized { made: self.made, in_repository: self.in_repository, done }
    }
}
