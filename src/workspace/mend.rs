//! Changes of older text: agreeing to them, and mending handwriting. Both are shown before they are done.

use std::path::{Path, PathBuf};

use super::Workspace;
use super::author::name;
use super::error::WorkspaceError;
use crate::store::{self, speakers};
use crate::transcript::{Known, Name};
use crate::view::{Proposal, Written};

impl Workspace {
    /// What was changed, removed or moved of the older text of discussions, and nobody agreed to; without names, of all where
    /// new ones are made. Git is asked, too.
    ///
    /// # Errors
    /// As [`Workspace::check`]; a file that cannot be read, and one in which a merge conflict stands.
    pub fn acceptable(&self, names: &[PathBuf]) -> Result<Vec<Proposal>, WorkspaceError> {
        let mut all = Vec::new();
        for (path, _) in self.meant(names)? {
            let found = store::changes(self.place(&path)?.real())?;
            if found.count() > 0 || found.stale {
                all.push(Proposal {
                    file: self.exactly(&path),
                    changes: found.count(),
                    removed: found.removed(),
                    ends: 0,
                    diff: found.diff(),
                    digest: found.digest(),
                    path,
                });
            }
        }
        Ok(all)
    }

    /// Agrees to what was shown, for everybody who has the file: a line of it says so. What is gone is forgotten in every
    /// private file beside it.
    ///
    /// # Errors
    /// When there is something else to agree to by now, a name that nobody can have, and a file that cannot be written.
    pub fn accept(&self, shown: &Proposal, by: &str) -> Result<Written, WorkspaceError> {
        let by = name(by)?;
        self.insist_on_own_name(&by)?;
        let place = self.place(&shown.path)?;
        store::accept(&place, &shown.digest, &by, self.now(), self.lock_wait)?;
        Ok(self.done(&shown.path, shown.changes > 0))
    }

    /// What would be mended in the handwriting of discussions, where anything would; without names, of all where new ones
    /// are made. `by` is a person who may have written there.
    ///
    /// # Errors
    /// As [`Workspace::acceptable`].
    pub fn mendable(&self, names: &[PathBuf], by: &str) -> Result<Vec<Proposal>, WorkspaceError> {
        let mut all = Vec::new();
        for (path, named) in self.meant(names)? {
            self.setup.insist_inside(&path)?;
            let is_one = || self.snapshot(&path).is_ok_and(|it| it.transcript.is_discussion());
            if !named && !is_one() {
                continue;
            }
            let known = self.known(&path, &name(by)?)?;
            if let Some(mended) = store::proposed(self.place(&path)?.real(), &known)? {
                all.push(Proposal {
                    file: self.exactly(&path),
                    changes: 0,
                    removed: 0,
                    ends: mended.ends,
                    diff: mended.diff(),
                    digest: mended.digest(),
                    path,
                });
            }
        }
        Ok(all)
    }

    /// Writes what was shown.
    ///
    /// # Errors
    /// When something else would be written by now, and a file that cannot be written.
    pub fn mend(&self, shown: &Proposal, by: &str) -> Result<Written, WorkspaceError> {
        let by = name(by)?;
        self.insist_on_own_name(&by)?;
        let known = self.known(&shown.path, &by)?;
        let who = (&by, self.now());
        store::mend(&self.place(&shown.path)?, &known, &shown.digest, who, self.lock_wait)?;
        Ok(self.done(&shown.path, true))
    }

    fn done(&self, path: &Path, changed: bool) -> Written {
        let summary = self.summarize(path);
        Written { file: self.exactly(path), changed, summary, ..Written::default() }
    }

    /// Everybody who may be meant in a discussion: those who spoke, those who are asked, and who looks at it.
    fn known(&self, path: &Path, by: &Name) -> Result<Vec<Known>, WorkspaceError> {
        let snapshot = self.snapshot(path)?;
        let config = &snapshot.config;
        let seats = config.participants.iter().chain(&config.background);
        let mut known: Vec<Known> = seats
            .filter_map(|alias| config.persona(alias))
            .map(|persona| (persona.name.clone(), vec![persona.alias.to_string()]))
            .collect();
        let people = speakers(&snapshot.transcript.text).into_iter().chain([by.clone()]);
        for name in people {
            if !known.iter().any(|(other, _)| *other == name) {
                known.push((name, Vec::new()));
            }
        }
        Ok(known)
    }
}
