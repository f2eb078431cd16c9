//! Finds the shortest name by which a discussion is found again.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use super::super::Workspace;
use crate::store::Committed;
use crate::transcript::visible_line;

/// The data that is read once to name many files.
pub(in crate::workspace) struct DiscussionNames<'w> {
    workspace: &'w Workspace,
    output: PathBuf,
    /// The entries of the working folder, which is searched first.
    here: HashSet<OsString>,
    /// The times of the last commits, read on first use.
    committed: OnceLock<Committed>,
}

impl<'w> DiscussionNames<'w> {
    /// Prepares names that can be typed in the working folder.
    pub(in crate::workspace) fn of(workspace: &'w Workspace) -> Self {
        let output = workspace.output_directory();
        let cwd = &workspace.setup.cwd;
        let entries = if *cwd == output { None } else { std::fs::read_dir(cwd).ok() };
        let here = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.file_name()));
        Self { workspace, output, here: here.collect(), committed: OnceLock::new() }
    }

    /// Returns the time when git last committed a file, if the file is unchanged since.
    pub(in crate::workspace) fn committed(&self, path: &Path) -> Option<SystemTime> {
        let folder =
            if path.starts_with(&self.output) { self.output.as_path() } else { path.parent()? };
        self.committed.get_or_init(|| Committed::in_folder(folder)).of(path)
    }

    /// Returns the path below the folder of discussions, without `.md`. If that finds another file, or cannot be typed,
    /// returns the path from the working folder.
    pub(in crate::workspace) fn of_file(&self, path: &Path) -> String {
        self.short(path).unwrap_or_else(|| {
            let path = self.workspace.exactly(path);
            if path.starts_with(['-', '@']) { format!("./{path}") } else { path }
        })
    }

    fn short(&self, path: &Path) -> Option<String> {
        let name = match path.strip_prefix(&self.output) {
            Ok(name) => name.to_str()?,
            Err(_) => path.strip_prefix(&self.workspace.setup.cwd).ok()?.to_str()?,
        };
        let end = name.len().checked_sub(3)?;
        let short = name.get(..end).filter(|_| name[end..].eq_ignore_ascii_case(".md"))?;
        let plain = !short.is_empty()
            && !short.starts_with(['-', '@', '.'])
            && !short.to_ascii_lowercase().ends_with(".md")
            && visible_line(short) == short;
        let first = Path::new(short).components().next()?.as_os_str();
        let mut file = first.to_owned();
        file.push(".md");
        let is_here =
            path.starts_with(&self.workspace.setup.cwd) && !path.starts_with(&self.output);
        let taken = self.here.contains(first) && short.contains('/') || self.here.contains(&file);
        (plain && (is_here || !taken)).then(|| short.to_owned())
    }
}
