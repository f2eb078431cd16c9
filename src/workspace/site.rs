//! The folder of a static site: which files in it belong to an export, and how they are replaced and removed. The front
//! end renders the files.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use super::Workspace;
use super::error::WorkspaceError;
use super::files::each;
use super::find::DiscussionNames;
use crate::boundary::{self, Purpose};
use crate::config::ConfiguredReach;
use crate::engine::Snapshot;
use crate::store;
use crate::transcript::visible_line;
use crate::view::{Decided, Listed, Shown, Sighted, SitePage, SiteReport, Unreadable};

/// The file that lists the files of an export. Only a folder with this file is written again.
const LIST: &str = ".discussions-site";

/// The first line of the list.
const FIRST_LINE: &str = "An export of discussions. The next one replaces or removes these files:";

/// The maximum number of bytes of the list that are read: enough for 100,000 pages.
const LONGEST_LIST: u64 = 32 << 20;

impl Workspace {
    /// Limits the readable discussions to files that may be published: those that are inside the folder of discussions,
    /// also after their links were followed, and have no second name (a hard link).
    #[must_use]
    pub fn for_publishing(mut self) -> Self {
        let root = fs::canonicalize(self.output_directory()).ok();
        self.setup.reach = ConfiguredReach { root, one_name: true, only_discussions: false };
        self
    }

    /// Returns the current day, UTC, like `2026-11-27`.
    pub fn today(&self) -> String {
        self.now().format("%Y-%m-%d").to_string()
    }

    /// Returns what a site shows of each discussion of this workspace, by path, and the discussions that cannot be
    /// read. Each file is read once, and again only if another discussion replaced a decision of it.
    ///
    /// # Errors
    /// Fails like `Discussions::list`.
    pub fn site_pages(&self) -> Result<(Vec<SitePage>, Vec<Unreadable>), WorkspaceError> {
        let look = |snapshot: &Snapshot, sighted: &Sighted, _: &Path| {
            let (listed, waiting) = Listed::of(snapshot, sighted);
            let decided = Decided::of(snapshot, sighted);
            let shown = Shown::of(snapshot, sighted.file.clone(), sighted.now);
            SitePage { listed, waiting, decided, shown }
        };
        let (_, read, superseding) = self.discussions().read_linked(None, look)?;
        let names = DiscussionNames::of(self);
        let (mut pages, mut unreadable) = (Vec::new(), Vec::new());
        for (path, one) in read {
            match one {
                Ok(mut page) => {
                    if let Some(decided) = &mut page.decided {
                        self.decisions().link(&superseding, &names, &path, decided);
                    }
                    pages.push(page);
                }
                Err(reason) => unreadable.push(reason),
            }
        }
        Ok((pages, unreadable))
    }

    /// Writes a site: the files `names`, each with the text that `render` returns for its place in the list; the last
    /// one after all others. A name is a path below `folder` with `/` between its parts. A file that has its text
    /// already is not written. Files of the last export that are not in the list are removed. Links in the folder are
    /// not followed.
    ///
    /// # Errors
    /// Fails if the folder contains files but no export wrote it, if another file has one of the names, for a link that
    /// leads out of the project, and if a file cannot be written or removed.
    pub fn write_site(
        &self,
        folder: &Path,
        names: &[String],
        render: impl Fn(usize) -> String + Sync,
    ) -> Result<SiteReport, WorkspaceError> {
        let place = boundary::resolve(&self.setup.cwd.join(folder), |_, _| None)?;
        let site =
            SiteFolder { path: place.real().to_owned(), shown: self.setup.shown_path(folder) };
        let before = site.prepare()?;
        let new: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        for name in new.iter().filter(|name| !before.contains(**name)) {
            if fs::symlink_metadata(site.path.join(name)).is_ok() {
                return Err(site.refusal(&format!(
                    "`{}` is in the way, and no export wrote it; move it elsewhere",
                    visible_line(name)
                )));
            }
        }
        // If this export is interrupted, the next one knows the files of both.
        let both: BTreeSet<&str> = before.iter().map(String::as_str).chain(new).collect();
        site.list(&both)?;
        let write = |place: usize| site.write(&names[place], &render(place));
        let last = names.len().saturating_sub(1);
        let pages: Vec<usize> = (0..last).collect();
        let mut report = SiteReport { folder: site.shown.clone(), ..SiteReport::default() };
        report.files = names.len();
        for written in each(&pages, |place| write(*place)) {
            report.written += usize::from(written?);
        }
        if !names.is_empty() {
            report.written += usize::from(write(last)?);
        }
        let kept: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        for name in both.iter().filter(|name| !kept.contains(**name)) {
            report.removed += usize::from(site.remove(name)?);
        }
        site.list(&kept)?;
        Ok(report)
    }
}

/// The folder of a site.
struct SiteFolder {
    /// Its path, without links.
    path: PathBuf,
    /// Its path as it is shown.
    shown: String,
}

impl SiteFolder {
    /// Creates the folder if it is missing, and returns the files of the last export.
    fn prepare(&self) -> Result<BTreeSet<String>, WorkspaceError> {
        match fs::symlink_metadata(&self.path) {
            Ok(found) if !found.is_dir() => {
                return Err(self.refusal("this is a file; name a folder"));
            }
            Ok(_) => {}
            Err(_) => {
                boundary::create_folders(&self.path).map_err(|error| self.failure("", error))?;
            }
        }
        if let Some(listed) = self.read_list() {
            return Ok(listed);
        }
        let entries = fs::read_dir(&self.path).map_err(|error| self.failure("", error))?;
        let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
        match names.min() {
            None => Ok(BTreeSet::new()),
            Some(foreign) => Err(self.refusal(&format!(
                "no export wrote this folder, and it contains `{}`; name a new or an empty folder",
                visible_line(&foreign.to_string_lossy())
            ))),
        }
    }

    /// Returns the files of the last export; `None` if there is no list. The list may come from a foreign repository,
    /// so only names that an export gives are taken from it.
    fn read_list(&self) -> Option<BTreeSet<String>> {
        let file = boundary::open_plain(&self.path.join(LIST), Purpose::Read).ok()?;
        let is_file = file.metadata().ok()?.is_file();
        let mut text = String::new();
        file.take(LONGEST_LIST).read_to_string(&mut text).ok().filter(|_| is_file)?;
        let mut lines = text.lines();
        (lines.next()? == FIRST_LINE).then_some(())?;
        Some(lines.filter(|name| is_site_file(name)).map(str::to_owned).collect())
    }

    /// Writes the list.
    fn list(&self, names: &BTreeSet<&str>) -> Result<(), WorkspaceError> {
        let mut text = format!("{FIRST_LINE}\n");
        for name in names {
            text.push_str(name);
            text.push('\n');
        }
        if self.has(LIST, &text) {
            return Ok(());
        }
        store::replace_at(&self.path.join(LIST), &text).map_err(|error| self.failure(LIST, error))
    }

    /// Returns true if a file has this text already.
    fn has(&self, name: &str, text: &str) -> bool {
        let Ok(file) = boundary::open_plain(&self.path.join(name), Purpose::Read) else {
            return false;
        };
        let is_equal =
            file.metadata().is_ok_and(|found| found.is_file() && found.len() == text.len() as u64);
        let mut read = Vec::new();
        is_equal
            && file.take(text.len() as u64).read_to_end(&mut read).is_ok()
            && read == text.as_bytes()
    }

    /// Writes a file; returns false if it has this text already.
    fn write(&self, name: &str, text: &str) -> Result<bool, WorkspaceError> {
        debug_assert!(is_site_file(name), "{name}");
        if self.has(name, text) {
            return Ok(false);
        }
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            boundary::create_folders(folder).map_err(|error| self.failure(name, error))?;
        }
        store::replace_unsynced_at(&path, text).map_err(|error| self.failure(name, error))?;
        Ok(true)
    }

    /// Removes a file, and its folders if they are empty then; returns false if there is no such file.
    fn remove(&self, name: &str) -> Result<bool, WorkspaceError> {
        let path = self.path.join(name);
        match boundary::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(self.failure(name, error)),
        }
        let folders = path.ancestors().skip(1).take_while(|folder| *folder != self.path);
        // A folder with other files stays.
        folders.into_iter().take_while(|folder| boundary::remove_folder(folder).is_ok()).count();
        Ok(true)
    }

    fn failure(&self, name: &str, source: io::Error) -> WorkspaceError {
        WorkspaceError::unwritable_file(&Path::new(&self.shown).join(name), &source)
    }

    fn refusal(&self, reason: &str) -> WorkspaceError {
        WorkspaceError::refuse(format!("{}: {reason}", self.shown))
    }
}

/// Returns true if an export may have written a file of this name: a page or a file beside the index.
fn is_site_file(name: &str) -> bool {
    let path = Path::new(name);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    let is_page = name.starts_with("d/") && name.ends_with(".html");
    is_below && (is_page || ["index.html", "style.css", "icon.svg", ".nojekyll"].contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_an_export_count() {
        for name in ["index.html", "style.css", "d/a.html", "d/a/b.html", ".nojekyll"] {
            assert!(is_site_file(name), "{name}");
        }
        for name in
            ["", "main.rs", "../index.html", "d/../../a.html", "/d/a.html", "d/a.md", "src/a.html"]
        {
            assert!(!is_site_file(name), "{name}");
        }
    }
}
