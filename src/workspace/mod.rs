//! A working folder with everything that its discussions depend on: configuration, personas, templates, providers.
//!
//! [`Workspace::open`] loads all of this once. Its functions stand behind doors (`doors`), by subject: for example
//! [`Discussions::create`] creates a discussion, as `workspace.discussions().create(..)`.

mod autofix;
mod buffer;
mod check;
mod closing;
mod comment;
mod consent;
mod create;
mod decision_log;
mod decision_notes;
mod decisions;
mod decisions_about;
mod discuss;
mod discuss_step;
mod doctor;
mod doors;
mod environment;
mod error;
mod failure;
mod files;
mod find;
mod gate;
mod history;
mod import_workflow;
mod machine;
mod nest;
mod outcomes;
mod overview;
mod participants;
mod people;
mod phase_control;
mod providers;
mod records;
mod repository;
mod resources;
mod review;
mod revisit;
mod secrets;
mod site;
mod turn_prompt;
mod views;
mod vote_confidence;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub use crate::material::Sources;
pub use crate::store::StoreError;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use environment::UnlistedName;

pub use create::{NeutralModel, NewDiscussion};
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use decision_log::DecisionFilter;
pub use discuss::{Prepared, Question, Unused};
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use discuss_step::DiscussStep;
pub use doors::{Checks, Decisions, Discussions, Participants, ProviderSettings, Runs};
pub(crate) use environment::SystemClock;
pub use environment::{Clock, FixedClock};
pub use error::{ErrorKind, WorkspaceError};
pub use failure::Help;
pub(crate) use nest::NoRoom;
pub use nest::Opener;
pub(crate) use nest::{Ancestor, Budget, Within, child_path};
pub use overview::Search;
pub use participants::NewPersona;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use participants::PersonaEdit;
pub use resources::bounded;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use review::ReviewRecord;
pub use review::{Artifact, Review};

pub use comment::CommentRequest;
pub(crate) use consent::KEPT;

pub use crate::provider::{Consents, Environment};

use crate::config::{ConfigScope, Setup};
use crate::provider::{Layer, Ledger, Registry};
use crate::state::Defaults;
use crate::transcript::{Name, Time};
use crate::view::DEFAULT_TEMPLATE;
use resources::Catalogue;

/// The time that a writer waits for another writer.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// The variable that fixes the time.
const NOW: &str = "DISCUSSIONS_NOW";

/// The parts of the environment that differ between machines and runs; the front end collects them.
#[derive(Clone)]
pub struct Surroundings {
    /// The working folder, absolute.
    pub folder: PathBuf,
    /// The user's configuration folder, if the system has a place for one; it need not exist.
    pub user_folder: Option<PathBuf>,
    /// Environment variables.
    pub environment: Environment,
    /// The source of the current time.
    pub clock: Arc<dyn Clock>,
}

impl Surroundings {
    /// Returns the surroundings of a working folder, which is an absolute path, without a configuration folder of the
    /// user. The clock is the system's. `DISCUSSIONS_NOW` (RFC 3339) fixes its time, so that output and files are
    /// reproducible. `vars` are environment variables, `home` replaces a leading `~`, and each call gets a temporary
    /// folder in `own`, a folder of the user's own.
    pub fn new(
        folder: PathBuf,
        vars: impl IntoIterator<Item = (OsString, OsString)>,
        home: Option<PathBuf>,
        own: PathBuf,
    ) -> Self {
        let environment = Environment::new(vars, home, own);
        let told = environment.var(NOW).and_then(|now| now.to_str()?.parse().ok());
        let clock: Arc<dyn Clock> = match told {
            Some(now) => Arc::new(FixedClock(now)),
            None => Arc::new(SystemClock),
        };
        Self { folder, user_folder: None, environment, clock }
    }
}

/// The providers, and what depends on them.
struct KnownProviders {
    registry: Registry,
    /// The environment with the variables marked that hold the providers' keys.
    environment: Environment,
}

impl KnownProviders {
    /// Reads the definitions of all layers. A broken built-in definition panics; a test reads it.
    fn of(setup: &Setup, environment: &Environment) -> Self {
        let mut registry =
            Registry::built_in().unwrap_or_else(|error| unreachable!("bundled.yaml: {error}"));
        let origin = |scope, path: &Path| match scope {
            ConfigScope::User => Layer::User(path.to_owned()),
            ConfigScope::Project => Layer::Project(path.to_owned()),
        };
        for layer in &setup.providers {
            registry.add_usable(&layer.text, origin(layer.scope, &layer.path));
        }
        for (scope, path, error) in &setup.unreadable_providers {
            registry.add_broken(origin(*scope, path), error.clone());
        }
        registry.heed_base_urls(environment);
        let environment = environment.clone().keeping(registry.keys());
        Self { registry, environment }
    }
}

/// A working folder with everything that its discussions depend on.
pub struct Workspace {
    /// Configuration and personas.
    pub(crate) setup: Setup,
    /// Templates.
    pub(crate) catalogue: Catalogue,
    /// The providers; read when they are first needed, because most commands call no model.
    providers: OnceLock<KnownProviders>,
    /// Environment variables, as the front end passed them.
    environment: Environment,
    clock: Arc<dyn Clock>,
    /// The user's trust decisions.
    ledger: Option<Ledger>,
    /// The time that a writer waits for another writer.
    pub(crate) lock_wait: Duration,
    /// The user allows secrets to be sent to models.
    allows_secrets: bool,
    /// Git may be started to check a text and to find the user's name.
    uses_git: bool,
    /// The people known to git; read when a name is first in doubt.
    committers: OnceLock<Vec<Name>>,
}

impl Workspace {
    /// Loads configuration, personas, templates and providers.
    ///
    /// # Errors
    /// Fails if a configuration file is wrong or cannot be read. A wrong definition of a provider is not an error here:
    /// it only stops participants that need it.
    pub fn open(surroundings: Surroundings) -> Result<Self, WorkspaceError> {
        let Surroundings { folder, user_folder, environment, clock } = surroundings;
        let environment = environment.without_programs_of(&folder);
        let setup = Setup::load(&folder, user_folder.as_deref())?;
        let catalogue = Catalogue::new(&setup);
        let (ledger, lock_wait) = (None, LOCK_WAIT);
        let allows_secrets = false;
        Ok(Self {
            setup,
            catalogue,
            providers: OnceLock::new(),
            environment,
            clock,
            ledger,
            lock_wait,
            allows_secrets,
            uses_git: true,
            committers: OnceLock::new(),
        })
    }

    /// Stores trust decisions in the given folder of the user; it need not exist.
    #[must_use]
    pub fn with_consents_in(self, folder: &Path) -> Self {
        Self { ledger: Some(Ledger::in_folder(folder)), ..self }
    }

    /// Checks texts without git, because the user does not trust the folder. Readers and writers still use git.
    #[must_use]
    pub fn without_git(self) -> Self {
        Self { uses_git: false, ..self }
    }

    /// Reloads the workspace, because users change configuration, personas and templates while a program is open.
    ///
    /// # Errors
    /// Fails like [`Self::open`].
    pub(crate) fn reopened(&self) -> Result<Self, WorkspaceError> {
        let again = Self::open(Surroundings {
            folder: self.setup.cwd.clone(),
            user_folder: self.setup.user_dir.clone(),
            environment: self.environment.clone(),
            clock: Arc::clone(&self.clock),
        })?;
        let (ledger, lock_wait) = (self.ledger.clone(), self.lock_wait);
        let (allows_secrets, uses_git) = (self.allows_secrets, self.uses_git);
        let mut again = Self { ledger, lock_wait, allows_secrets, uses_git, ..again };
        again.setup.reach = self.setup.reach.clone();
        Ok(again)
    }

    /// Opens a folder below this one with the same surroundings.
    ///
    /// # Errors
    /// Fails like [`Self::open`].
    fn opened_below(&self, folder: &Path) -> Result<Self, WorkspaceError> {
        let below = Self::open(Surroundings {
            folder: folder.to_owned(),
            user_folder: self.setup.user_dir.clone(),
            environment: self.environment.clone(),
            clock: Arc::clone(&self.clock),
        })?;
        Ok(Self { lock_wait: self.lock_wait, uses_git: self.uses_git, ..below })
    }

    fn known_providers(&self) -> &KnownProviders {
        self.providers.get_or_init(|| KnownProviders::of(&self.setup, &self.environment))
    }

    /// Returns all known providers.
    pub(crate) fn registry(&self) -> &Registry {
        &self.known_providers().registry
    }

    /// Returns the environment for calls, in which the keys of the providers are marked.
    pub(crate) fn call_environment(&self) -> &Environment {
        &self.known_providers().environment
    }

    /// All known personas.
    #[doc(hidden)]
    #[cfg(not(discussions_sealed))]
    pub fn roster(&self) -> &Arc<crate::participant::Roster> {
        &self.setup.roster
    }

    /// Returns the current time in whole seconds.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Returns the folder in which new discussions are created and bare names are found.
    pub fn output_directory(&self) -> PathBuf {
        self.setup.output_directory()
    }

    /// Returns a path as it is shown to people: relative to the working folder, if it is in the same project.
    pub fn shown_path(&self, path: &Path) -> String {
        self.setup.shown_path(path)
    }

    /// Returns the shortest name that finds a discussion from the working folder.
    pub fn name(&self, path: &Path) -> String {
        find::DiscussionNames::of(self).of_file(path)
    }

    /// Returns a path for programs: relative to the working folder, if it is in the same project, and byte for byte. A
    /// front end that shows it must make invisible characters visible.
    pub(crate) fn exactly(&self, path: &Path) -> String {
        self.setup.nearest_path(path).to_string_lossy().into_owned()
    }

    /// Returns the settings that apply if neither the head nor the template sets them.
    pub fn defaults(&self) -> Defaults {
        Defaults {
            participants: self.setup.config.default_participants.clone().unwrap_or_default(),
            consensus: self.setup.config.consensus.clone(),
            pattern: Some(discuss::PATTERN.to_owned()),
            people: self.listed_people(),
        }
    }

    /// Returns the template that is used if none is named.
    pub(crate) fn default_template(&self) -> &str {
        self.setup.config.default_template.as_deref().unwrap_or(DEFAULT_TEMPLATE)
    }
}
