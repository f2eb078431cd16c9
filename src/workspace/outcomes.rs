//! What the discussions of a folder replace of each other, applied to their outcomes. Of the files that were not read
//! anyway, only those with the word of the marker are parsed.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use memchr::memmem;
use parking_lot::Mutex;

use super::environment::plain;
use super::error::WorkspaceError;
use super::files::{each, files_below};
use super::find::DiscussionNames;
use super::{Decisions, Workspace};
use crate::boundary;
use crate::engine::{LinkedDiscussion, Snapshot, Superseding};
use crate::store::Document;
use crate::view::{Decided, DecisionLink};

/// The word that every file with a link contains.
const WORD: &[u8] = b"SUPERSEDES";

impl Decisions<'_> {
    /// Returns a discussion with what other discussions replaced of it.
    ///
    /// # Errors
    /// Fails like [`Workspace::snapshot`].
    pub(super) fn snapshot_in_force(&self, path: &Path) -> Result<Snapshot, WorkspaceError> {
        Ok(self.in_force(path, self.snapshot(path)?))
    }

    /// Applies what other discussions replaced of this one. Without a decision there is nothing to replace.
    pub(super) fn in_force(&self, path: &Path, mut snapshot: Snapshot) -> Snapshot {
        let outcome = snapshot.outcome();
        if outcome.was_decided() || !outcome.links.is_empty() {
            let links = KnownLinks::default().links_beside(path, self);
            links.superseding.apply(&plain(path), &mut snapshot);
        }
        snapshot
    }

    /// Returns the folder of the discussions that may replace the decision of a file.
    fn linking_folder(&self, path: &Path) -> PathBuf {
        let kept = self.output_directory();
        if path.starts_with(&kept) {
            return kept;
        }
        path.parent().unwrap_or(Path::new("")).to_owned()
    }

    /// Returns the links between the discussions below a folder.
    ///
    /// # Errors
    /// Fails like [`Discussions::list`].
    pub(super) fn links_below(&self, folder: &Path) -> Result<Links, WorkspaceError> {
        self.setup.insist_inside(folder)?;
        let files = if folder.is_dir() { files_below(folder)? } else { Vec::new() };
        let linking = each(&files, |file| self.linking(&file.path, &self.readable(file)?));
        Ok(self.links_of(linking.into_iter().flatten().collect()))
    }

    /// Returns the snapshot of a document, if it has links.
    pub(super) fn linking(&self, path: &Path, document: &Document) -> Option<(PathBuf, LinkEnd)> {
        memmem::find(document.text.as_bytes(), WORD)?;
        let snapshot = self.snapshot_of(document).ok()?;
        let has_links = !snapshot.state.superseded.is_empty();
        has_links.then(|| (path.to_owned(), LinkEnd { snapshot, modified: document.modified }))
    }

    /// Returns the links of the discussions that have some. Reads the discussions that only others link to.
    pub(super) fn links_of(&self, linking: Vec<(PathBuf, LinkEnd)>) -> Links {
        if linking.is_empty() {
            return Links::default();
        }
        let mut ends: HashMap<PathBuf, LinkEnd> =
            linking.iter().map(|(path, end)| (plain(path), end.clone())).collect();
        let mut missing = BTreeSet::new();
        for (path, end) in &linking {
            // The link comes from a foreign file, so it must not lead out of the project.
            let folder = path.parent().unwrap_or(Path::new(""));
            let links = &end.snapshot.outcome().links;
            let files = links.iter().map(|link| linked_file(path, &link.file));
            let new = files.filter(|to| !ends.contains_key(to));
            missing.extend(new.filter(|to| boundary::ensure_within(to, folder).is_ok()));
        }
        let missing = Vec::from_iter(missing);
        let read = each(&missing, |to| {
            let document = self.document(to).ok()?;
            let snapshot = self.snapshot_of(&document).ok()?;
            Some(LinkEnd { snapshot, modified: document.modified })
        });
        let read = missing.into_iter().zip(read).filter_map(|(to, end)| Some((to, end?)));
        ends.extend(read);
        let linking = linking.into_iter().map(|(path, end)| (path, end.snapshot));
        let all = ends.iter().map(|(path, end)| (path.clone(), end.snapshot.clone())).collect();
        let superseding = self.superseding_within(linking.collect(), all);
        Links { superseding, ends }
    }

    /// Returns what the discussions with links replace among `all` discussions.
    pub(super) fn superseding_within(
        &self,
        linking: Vec<(PathBuf, Snapshot)>,
        all: HashMap<PathBuf, Snapshot>,
    ) -> Superseding {
        let mut links = Vec::new();
        for (path, snapshot) in &linking {
            for link in &snapshot.outcome().links {
                links.push((plain(path), linked_file(path, &link.file), link.clone()));
            }
        }
        let names = DiscussionNames::of(self);
        let shown: HashMap<&PathBuf, (String, String)> =
            all.keys().map(|path| (path, (self.exactly(path), names.of_file(path)))).collect();
        let discussions = all.iter().filter_map(|(path, snapshot)| {
            let (file, name) = shown.get(path)?;
            let title = snapshot.state.title.as_str();
            let outcome = snapshot.outcome();
            Some((path.clone(), LinkedDiscussion { outcome, file, name, title }))
        });
        Superseding::of(&discussions.collect(), links)
    }

    /// Adds to a decision the decisions that it replaced and those that replaced it.
    pub(super) fn link(
        &self,
        superseding: &Superseding,
        names: &DiscussionNames<'_>,
        path: &Path,
        one: &mut Decided,
    ) {
        let path = plain(path);
        let of = |file: &Path, decision: Option<u32>, own: Option<u32>| DecisionLink {
            file: self.exactly(file),
            decision: decision.map(|number| format!("D{number}")),
            own: own.map(|number| format!("D{number}")),
            name: names.of_file(file),
        };
        let to = superseding.to(&path);
        one.replaced_by = to.map(|it| of(&it.from, it.link.own, it.link.number)).collect();
        let from = superseding.from(&path);
        one.replaces = from.map(|it| of(&it.to, it.link.number, it.link.own)).collect();
    }
}

/// Returns the file to which a link of a discussion leads.
pub(super) fn linked_file(from: &Path, link: &str) -> PathBuf {
    plain(&from.parent().unwrap_or(Path::new("")).join(link))
}

/// A discussion with links, or one to which a link leads, as its file alone says.
#[derive(Clone)]
pub(super) struct LinkEnd {
    pub(super) snapshot: Snapshot,
    /// The time of the last change of the file, according to the system.
    pub(super) modified: Option<SystemTime>,
}

/// The links between discussions, with the discussions at their ends, so that nobody reads these again.
#[derive(Default)]
pub(super) struct Links {
    pub(super) superseding: Superseding,
    ends: HashMap<PathBuf, LinkEnd>,
}

impl Links {
    /// Returns a discussion at an end of a link.
    pub(super) fn end(&self, path: &Path) -> Option<&LinkEnd> {
        self.ends.get(path)
    }
}

/// The links of the folders of checked discussions. The files of a folder are read once, on first use, because many
/// discussions may have links.
#[derive(Default)]
pub(super) struct KnownLinks(Mutex<HashMap<PathBuf, Arc<Links>>>);

impl KnownLinks {
    /// Returns the links between the discussions beside a file; none if the folder cannot be read.
    pub(super) fn links_beside(&self, path: &Path, workspace: &Workspace) -> Arc<Links> {
        let mut known = self.0.lock();
        let links =
            known.entry(workspace.decisions().linking_folder(path)).or_insert_with_key(|folder| {
                Arc::new(workspace.decisions().links_below(folder).unwrap_or_default())
            });
        Arc::clone(links)
    }
}
