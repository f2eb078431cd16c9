//! The definitions of a project that users have to know of: commands, which need the user's trust, and templates and
//! personas that replace bundled ones.
//!
//! These templates and personas run nothing, but they differ from what users know by these names.

use std::path::{Path, PathBuf};

use super::error::{Help, WorkspaceError};
use super::{ProviderSettings, Workspace};
use crate::config::ConfigScope;
use crate::engine::Snapshot;
use crate::participant::{Member, PersonaOrigin, Roster};
use crate::provider::{self, Consents, Ledger, RegistryEntry};
use crate::template::bundled;
use crate::view::{BroughtAlong, Consent, Foreign, NamedFile, StandIn};

/// The name of the folder for answers that could not be recorded.
pub(crate) const KEPT: &str = "kept";

impl Workspace {
    /// Returns the user's trust decisions of all projects; they are stored in `folder`.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn consents(folder: Option<&Path>) -> Result<Vec<Consent>, WorkspaceError> {
        let all = folder.map_or(Ok(Vec::new()), |folder| Ledger::in_folder(folder).list())?;
        Ok(all)
    }
}

impl ProviderSettings<'_> {
    /// Returns the user's own folder for answers that could not be recorded; `None` if the project
    /// may have brought the folder along.
    pub(crate) fn kept_folder(&self) -> Option<PathBuf> {
        let ledger = self.ledger.as_ref()?;
        let project = self.canonical_base();
        let is_own = !ledger.is_within(&project) || self.lives_in(&project);
        is_own.then(|| ledger.sibling_folder(KEPT))
    }

    /// Returns all commands that the project defines. Runs nothing.
    pub fn brought_along(&self) -> BroughtAlong {
        let mut all = BroughtAlong::default();
        let tools = self.tools();
        for entry in self.registry().entries().iter().chain(&tools) {
            match entry.foreign(self.call_environment(), self.setup.base()) {
                Ok(foreign) => all.foreign.extend(foreign.map(|it| self.shown_foreign(&it, true))),
                Err(error) => all.broken.push(error.to_string()),
            }
        }
        all
    }

    /// Ensures that the working folder belongs to a project, which could define commands.
    ///
    /// # Errors
    /// Fails if the working folder belongs to no project.
    pub fn insist_on_project(&self) -> Result<(), WorkspaceError> {
        self.project_root().map(|_| ())
    }

    /// Returns the user's earlier decisions to trust exactly these definitions.
    ///
    /// # Errors
    /// Fails if the decisions cannot be read, or if the project itself could have written them.
    pub fn remembered(&self, foreign: &[Foreign]) -> Result<Consents, WorkspaceError> {
        let mut consents = Consents::default();
        let Some(ledger) = self.ledger.as_ref().filter(|_| !foreign.is_empty()) else {
            return Ok(consents);
        };
        let project = self.canonical_base();
        if ledger.is_within(&project) && !self.lives_in(&project) {
            // The project could bring its own, so they would prove nothing.
            let message = "your trust decisions would be stored in the project itself";
            return Err(WorkspaceError::refuse(message).with_help(Help::KeepConsentsElsewhere));
        }
        for one in foreign {
            if ledger.has(&one.fingerprint)? {
                consents.agree(&one.fingerprint);
            }
        }
        Ok(consents)
    }

    /// Records that the user trusts exactly this definition.
    ///
    /// # Errors
    /// Fails if there is no folder for trust decisions, or if the decision cannot be written. Also
    /// fails for a model's program, which could otherwise permit its own requests.
    pub fn remember(&self, foreign: &Foreign) -> Result<(), WorkspaceError> {
        self.insist_on_person()?;
        let ledger = self.ledger.as_ref().ok_or_else(|| {
            WorkspaceError::fail("there is no folder to store your trust decisions in")
                .with_help(Help::NameConsentFolder)
        })?;
        Ok(ledger.keep(&Consent {
            fingerprint: foreign.fingerprint.clone(),
            provider: foreign.provider.clone(),
            project: self.canonical_base().display().to_string(),
            runs: foreign.runs.clone(),
            at: self.now().format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        })?)
    }

    /// Withdraws all trust in this project's commands, and returns what was withdrawn.
    ///
    /// # Errors
    /// Fails outside of a project, or if the decisions cannot be read or removed.
    pub fn revoke(&self) -> Result<Vec<Consent>, WorkspaceError> {
        let root = self.project_root()?;
        Ok(self.ledger.as_ref().map_or(Ok(Vec::new()), |ledger| ledger.revoke(root))?)
    }

    /// Returns true if the user trusts this entry. An entry that cannot be read is not trusted.
    pub(super) fn covers(&self, entry: &RegistryEntry, consents: &Consents) -> bool {
        let foreign = entry.foreign(self.call_environment(), self.setup.base());
        foreign.is_ok_and(|foreign| foreign.is_none_or(|foreign| consents.cover(&foreign)))
    }

    /// Returns the description of a project-defined command that the user sees.
    pub(crate) fn shown_foreign(
        &self,
        foreign: &provider::ForeignDefinition,
        first: bool,
    ) -> Foreign {
        let definition = &foreign.entry.definition;
        let file = |file: &provider::NamedFile| NamedFile {
            path: file
                .path
                .strip_prefix(&foreign.project)
                .unwrap_or(&file.path)
                .display()
                .to_string(),
            target: (!file.target.starts_with(&foreign.project))
                .then(|| file.target.display().to_string()),
        };
        Foreign {
            provider: definition.common.name.to_string(),
            aliases: definition.common.aliases.iter().map(ToString::to_string).collect(),
            file: self.exactly(foreign.path()),
            line: foreign.entry.line,
            replaces: foreign.entry.replaces.iter().map(ToString::to_string).collect(),
            runs: definition.kind.runs().to_string(),
            facts: foreign.facts(self.call_environment()),
            files: foreign.files.iter().map(file).collect(),
            first,
            fingerprint: foreign.fingerprint.to_string(),
            trusted: None,
        }
    }

    fn project_root(&self) -> Result<&Path, WorkspaceError> {
        let project = self.setup.project.as_ref().ok_or_else(|| {
            WorkspaceError::refuse("this folder is not in a project, so there is nothing to trust")
        })?;
        Ok(&project.root)
    }

    /// Returns the canonical folder of the project to which the definitions belong.
    fn canonical_base(&self) -> std::path::PathBuf {
        let base = self.setup.base();
        base.canonicalize().unwrap_or_else(|_| base.to_owned())
    }

    /// Returns true if the user's home is in a folder.
    fn lives_in(&self, folder: &Path) -> bool {
        let home = self.environment.home().and_then(|home| home.canonicalize().ok());
        home.is_some_and(|home| home.starts_with(folder))
    }
}

impl ProviderSettings<'_> {
    /// Returns true if the project has neither templates nor personas.
    fn replaces_nothing(&self) -> bool {
        let is_own = |member: &Member| matches!(member.origin, PersonaOrigin::Project(_));
        !self.setup.templates.iter().any(|layer| layer.scope == ConfigScope::Project)
            && !self.setup.roster.iter().any(is_own)
    }

    /// Returns the parts of a discussion that the project replaces under the name of a bundled one.
    pub(crate) fn stand_ins_of(&self, snapshot: &Snapshot) -> Vec<StandIn> {
        if self.replaces_nothing() {
            return Vec::new();
        }
        let templates =
            self.setup.templates.iter().filter(|layer| layer.scope == ConfigScope::Project);
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
        found
    }
}
