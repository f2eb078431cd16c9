//! Templates and personas of a project that replace bundled ones. They run nothing, but they are not what users know by
//! these names.

use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::config::ConfigScope;
use crate::participant::{Member, PersonaOrigin, Roster};
use crate::template::bundled;
use crate::view::StandIn;

impl Workspace {
    /// Returns the parts of a discussion that the project replaces under the name of a bundled one.
    ///
    /// # Errors
    /// Fails if the file cannot be read; it is read only if the project has templates or personas.
    pub fn stand_ins(&self, path: &Path) -> Result<Vec<StandIn>, WorkspaceError> {
        let templates =
            self.setup.templates.iter().filter(|layer| layer.scope == ConfigScope::Project);
        let is_own = |member: &Member| matches!(member.origin, PersonaOrigin::Project(_));
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
            let PersonaOrigin::Project(path) = &member.origin else { return None };
            known.by_alias(alias)?;
            let (name, file) = (alias.to_string(), self.setup.shown_path(path));
            Some(StandIn { what: "persona", name, file })
        }));
        Ok(found)
    }
}
