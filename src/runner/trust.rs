//! Lists the definitions of a project that the user has to trust before a run calls them.

use std::path::Path;

use super::options::RunOptions;
use super::providers::{Candidate, Providers};
use crate::engine::{Continue, Snapshot, TurnRequest, resume};
use crate::provider::{ForeignDefinition, RegistryEntry};
use crate::transcript::{Alias, Depth};
use crate::workspace::{Ancestor, WorkspaceError, child_path};

/// A project-defined provider or command that a run may call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Needed {
    pub foreign: ForeignDefinition,
    /// The run calls it first for a participant. Otherwise it is only a fallback.
    pub first: bool,
}

impl Providers {
    /// Refuses a run that would first call a definition that the user does not trust. Answers of another model than the
    /// intended one would surprise more than an error.
    pub(super) fn ensure_trusted(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        request: Option<&TurnRequest>,
        options: &RunOptions,
    ) -> Result<(), WorkspaceError> {
        let needed = self.needed_in(path, snapshot, request, options)?;
        let refused = needed.iter().find(|it| it.first && !self.consents.cover(&it.foreign));
        refused.map_or(Ok(()), |it| Err(it.foreign.as_not_trusted().into()))
    }

    /// Returns whether the project defines any provider or command.
    pub(super) fn has_foreign(&self) -> bool {
        let entries = self.workspace.registry().entries();
        entries.iter().chain(&self.workspace.tools()).any(RegistryEntry::is_foreign)
    }

    /// Returns all definitions of the project that a turn or a run may call for the participants that the file names now,
    /// fallbacks included. Opens nothing. If an answer mentions another participant later, the run refuses that
    /// participant's untrusted definitions.
    ///
    /// # Errors
    /// Fails if a file cannot be read or a provider does not exist.
    pub(super) fn needed_in(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        request: Option<&TurnRequest>,
        options: &RunOptions,
    ) -> Result<Vec<Needed>, WorkspaceError> {
        let needed: Vec<Needed> = Vec::new();
        if !self.has_foreign() {
            return Ok(needed);
        }
        let mut search = TrustSearch { options, needed };
        self.add_needed(&mut search, Some(path), snapshot, request, Some(Depth::ROOT))?;
        Ok(search.needed)
    }

    /// Adds the definitions for one discussion and its sub-discussions.
    ///
    /// `path` is none for a sub-discussion that does not exist yet. `depth` is none if no further level is allowed.
    fn add_needed(
        &self,
        search: &mut TrustSearch<'_>,
        path: Option<&Path>,
        snapshot: &Snapshot,
        request: Option<&TurnRequest>,
        depth: Option<Depth>,
    ) -> Result<(), WorkspaceError> {
        let TrustSearch { options, needed } = search;
        for alias in asked(snapshot, request) {
            let chain = self.chain(snapshot, &alias, options)?;
            for (place, candidate) in chain.candidates.iter().enumerate() {
                let Candidate::Defined(entry) = candidate else { continue };
                let (env, base) = (self.workspace.call_environment(), self.workspace.setup.base());
                let Some(foreign) = entry.foreign(env, base)? else { continue };
                match needed.iter_mut().find(|known| known.foreign == foreign) {
                    Some(known) => known.first |= place == 0,
                    None => needed.push(Needed { foreign, first: place == 0 }),
                }
            }
        }
        if request.is_none() {
            let (env, base) = (self.workspace.call_environment(), self.workspace.setup.base());
            for tool in self.workspace.tools_of(snapshot.template()) {
                let Some(foreign) = tool.foreign(env, base)? else { continue };
                if needed.iter().all(|known| known.foreign != foreign) {
                    needed.push(Needed { foreign, first: true });
                }
            }
        }
        let below = depth.filter(|_| request.is_none()).and_then(Depth::next);
        let Some(below) = below else { return Ok(()) };
        // If a sub-discussion has begun, its own head names its participants.
        if let Some(child) = self.open_child(path, snapshot) {
            self.add_needed(search, Some(&child.path), &child.snapshot, None, Some(below))?;
        }
        // A sub-discussion that is not known yet is checked when it is opened.
        for spec in snapshot.discussed_ahead() {
            if let Ok(child) = self.workspace.sketch(snapshot, &spec) {
                self.add_needed(search, None, &child, None, Some(below))?;
            }
        }
        Ok(())
    }

    /// Returns the sub-discussion that the run continues next. One that cannot be read, or belongs to another discussion, is
    /// refused when the run tries to continue it.
    fn open_child(&self, path: Option<&Path>, snapshot: &Snapshot) -> Option<Ancestor> {
        let (parent, child) = (path?, snapshot.state.open_child()?);
        let path = child_path(parent, &child.line.file);
        self.workspace.insist_on_child(parent, &path).ok()?;
        let snapshot = self.workspace.exact_at(&path).ok()?;
        Some(Ancestor { path, snapshot })
    }
}

/// The definitions that were found so far.
struct TrustSearch<'o> {
    options: &'o RunOptions,
    needed: Vec<Needed>,
}

/// Returns the models that may be asked.
fn asked(snapshot: &Snapshot, request: Option<&TurnRequest>) -> Vec<Alias> {
    let config = &snapshot.config;
    let mut asked: Vec<Alias> = match request.map(|request| resume(snapshot, request)) {
        Some(Continue::Nobody | Continue::Finished) => Vec::new(),
        Some(Continue::Last(missing)) => missing,
        Some(Continue::New(line)) => line.asks,
        None => {
            let pending = snapshot.state.turns.last().into_iter().flat_map(|turn| turn.missing());
            let roles = config.roles.values().flatten();
            let mentioned = snapshot
                .state
                .pending
                .iter()
                .filter_map(|mention| config.roster().resolve(mention.whom.handle()).ok())
                .map(|member| &member.persona.alias);
            let phases = (0..snapshot.template().phases.len()).flat_map(|at| config.speakers(at));
            let known = config.seats().chain(roles).chain(pending).chain(mentioned).cloned();
            known.chain(phases).collect()
        }
    };
    // A phase may let others answer in place of a participant who fails.
    asked.extend(snapshot.stand_ins());
    asked.retain(|alias| config.is_model(alias));
    asked.sort();
    asked.dedup();
    asked
}
