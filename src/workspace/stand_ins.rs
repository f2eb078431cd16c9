//! What a project has put in the place of what comes with the program: nothing of it is run, but it is not what one knows
//! by that name.

use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::config::Scope;
use crate::participant::{Member, Origin, Roster};
use crate::template::bundled;
use crate::view::StandIn;

impl Workspace {
    /// What of a discussion is the project's own, under a name that comes with the program.
    ///
    /// # Errors
    /// A file that cannot be read; only where the project has anything of its own.
    pub fn stand_ins(&self, path: &Path) -> Result<Vec<StandIn>, WorkspaceError> {
        let templates = self.setup.templates.iter().filter(|layer| layer.scope == Scope::Project);
        let is_own = |member: &Member| matches!(member.origin, Origin::Project(_));
        if templates.clone().next().is_none() && !self.setup.roster.iter().any(is_own) {
            return Ok(Vec::new());
        }
        let snapshot = self.snapshot(path)?;
        let id = &snapshot.template().id;
        let is_bundled = bundled().iter().any(|(known, _)| known == id);
        let mut of_id =
            templates.filter(|layer| layer.path.file_stem().is_some_and(|it| *it == **id));
        let mut found: Vec<StandIn> = of_id
            .next_back()
            .filter(|_| is_bundled)
            .map(|layer| StandIn { what: "template", name: id.clone(), file: layer.shown.clone() })
            .into_iter()
            .collect();
        let config = &snapshot.config;
        let mut seats: Vec<_> = config.seats().chain(config.roles.values().flatten()).collect();
        seats.sort();
        seats.dedup();
        let known = Roster::bundled();
        found.extend(seats.into_iter().filter_map(|alias| {
            let member = config.roster().resolve(alias.as_str()).ok()?;
            let Origin::Project(path) = &member.origin else { return None };
            known.by_alias(alias)?;
            let (name, file) = (alias.to_string(), self.setup.shown(path));
            Some(StandIn { what: "persona", name, file })
        }));
        Ok(found)
    }
}
