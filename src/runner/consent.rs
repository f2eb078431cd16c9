//! What has to be agreed to before anybody is asked.

use std::path::Path;

use super::Runner;
use super::candidate::Candidate;
use super::options::{CallSettings, Settings};
use crate::engine::{Continue, Snapshot, TurnRequest, resume};
use crate::provider::{Entry, Foreign};
use crate::transcript::{Alias, Depth};
use crate::workspace::{Ancestor, WorkspaceError, child_path};

/// A definition of the project's that a run may call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Needed {
    /// What it is.
    pub foreign: Foreign,
    /// Somebody would be asked through it first, so that nothing goes without it; else it is only
    /// called where others fail.
    pub first: bool,
}

impl Runner {
    /// Returns all definitions of the project that a turn or a run may call for the participants that the file names now,
    /// fallbacks included. Participants that an answer mentions later are not known yet; the run refuses them then. Opens
    /// nothing.
    ///
    /// # Errors
    /// A file that cannot be read, a provider that does not exist.
    pub(super) fn needed_for(
        &self,
        path: &Path,
        settings: &Settings,
    ) -> Result<Vec<Needed>, WorkspaceError> {
        if !self.may_need() {
            return Ok(Vec::new());
        }
        let request = settings.mode.request();
        self.needed_in((path, &self.workspace.exact_at(path)?), request, &settings.calls)
    }

    /// Refuses to go where somebody would be asked first through what nobody agreed to.
    pub(super) fn insist_on_consent(
        &self,
        discussion: (&Path, &Snapshot),
        request: Option<&TurnRequest>,
        options: &CallSettings,
    ) -> Result<(), WorkspaceError> {
        let needed = self.needed_in(discussion, request, options)?;
        let refused = needed.iter().find(|it| it.first && !self.consents.cover(&it.foreign));
        refused.map_or(Ok(()), |it| Err(it.foreign.refused().into()))
    }

    /// Whether the project brought anything along at all.
    fn may_need(&self) -> bool {
        let entries = self.workspace.registry.entries();
        entries.iter().chain(&self.workspace.tools()).any(Entry::is_foreign)
    }

    fn needed_in(
        &self,
        (path, snapshot): (&Path, &Snapshot),
        request: Option<&TurnRequest>,
        options: &CallSettings,
    ) -> Result<Vec<Needed>, WorkspaceError> {
        let mut needed: Vec<Needed> = Vec::new();
        if !self.may_need() {
            return Ok(needed);
        }
        self.add_needed((Some(path), snapshot), request, options, Some(Depth::ROOT), &mut needed)?;
        Ok(needed)
    }

    /// `path`: none where the discussion is only thought of. `depth`: in how many others it stands; none: in more than may.
    fn add_needed(
        &self,
        (path, snapshot): (Option<&Path>, &Snapshot),
        request: Option<&TurnRequest>,
        options: &CallSettings,
        depth: Option<Depth>,
        needed: &mut Vec<Needed>,
    ) -> Result<(), WorkspaceError> {
        for alias in asked(snapshot, request) {
            let chain = self.chain(snapshot, &alias, options)?;
            for (place, candidate) in chain.candidates.iter().enumerate() {
                let Candidate::Defined(entry) = candidate else { continue };
                let (env, base) = (&self.workspace.environment, self.workspace.setup.base());
                let Some(foreign) = entry.foreign(env, base)? else { continue };
                match needed.iter_mut().find(|known| known.foreign == foreign) {
                    Some(known) => known.first |= place == 0,
                    None => needed.push(Needed { foreign, first: place == 0 }),
                }
            }
        }
        if request.is_none() {
            let (env, base) = (&self.workspace.environment, self.workspace.setup.base());
            for tool in self.workspace.tools_of(snapshot.template()) {
                let Some(foreign) = tool.foreign(env, base)? else { continue };
                if needed.iter().all(|known| known.foreign != foreign) {
                    needed.push(Needed { foreign, first: true });
                }
            }
        }
        let below = depth.filter(|_| request.is_none()).and_then(Depth::below);
        let Some(below) = below else { return Ok(()) };
        // Of one that has begun its own head says who answers.
        if let Some(child) = self.begun_within(path, snapshot) {
            self.add_needed(
                (Some(&child.path), &child.snapshot),
                None,
                options,
                Some(below),
                needed,
            )?;
        }
        // What cannot be told beforehand is refused when it is opened.
        for spec in snapshot.discussed_ahead() {
            if let Ok(child) = self.workspace.sketch(snapshot, &spec) {
                self.add_needed((None, &child), None, options, Some(below), needed)?;
            }
        }
        Ok(())
    }

    /// The discussion within one that has begun and is gone on with next; what cannot be read, or is somebody else's, is
    /// refused when that is tried.
    fn begun_within(&self, path: Option<&Path>, snapshot: &Snapshot) -> Option<Ancestor> {
        let (parent, child) = (path?, snapshot.state.open_child()?);
        let path = child_path(parent, &child.line.file);
        self.workspace.insist_on_child(parent, &path).ok()?;
        let snapshot = self.workspace.exact_at(&path).ok()?;
        Some(Ancestor { path, snapshot })
    }
}

/// Who may be asked.
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
    // A phase may have others stand in for whoever fails.
    asked.extend(snapshot.stand_ins());
    asked.retain(|alias| config.is_model(alias));
    asked.sort();
    asked.dedup();
    asked
}
