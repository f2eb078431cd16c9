//! A working folder with everything that discussions in it depend on: configuration, personas, templates, providers.
//!
//! [`Workspace::open`] gathers it once; [`Workspace::create`] makes a discussion and [`Workspace::snapshot`] reads one.

mod bounds;
mod catalogue;
mod check;
mod clock;
mod create;
mod discuss;
mod error;
mod folder;
mod look;
mod reading;
mod review;
mod seats;
mod speak;
mod steer;
mod summary;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use catalogue::{Catalogue, CatalogueEntry};
pub use clock::{Clock, FixedClock, SystemClock};
pub use create::{CreateError, NewDiscussion};
pub use discuss::{Prepared, Question, Unused};
pub use error::WorkspaceError;
pub use folder::is_summary;
pub use review::{Review, Source};
pub use seats::{Seat, SeatError, seats};
pub use speak::Remark;

use crate::config::{Scope, Setup};
use crate::provider::{Environment, Layer, Registry};
use crate::state::Defaults;
use crate::store;
use crate::transcript::{Alias, Name, Time};

/// How long a writer waits for another one.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// The built-in default participants.
const PARTICIPANTS: [&str; 3] = ["architect", "security", "pragmatist"];

/// The built-in default template.
const TEMPLATE: &str = "feature";

/// What varies from machine to machine and from moment to moment; the shell gathers it.
pub struct Surroundings {
    /// The working folder, absolute.
    pub folder: PathBuf,
    /// The user's configuration folder, if there is a place for one; it need not exist.
    pub user_folder: Option<PathBuf>,
    /// Environment variables.
    pub environment: Environment,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

/// A working folder with everything that discussions in it depend on.
pub struct Workspace {
    /// Configuration and personas.
    pub setup: Setup,
    /// Templates.
    pub catalogue: Catalogue,
    /// Providers.
    pub registry: Registry,
    /// Environment variables.
    pub environment: Environment,
    clock: Arc<dyn Clock>,
    /// How long a writer waits for another one.
    pub lock_wait: Duration,
}

impl Workspace {
    /// Gathers configuration, personas, templates and providers.
    ///
    /// # Errors
    /// A configuration file that is wrong or cannot be read.
    pub fn open(surroundings: Surroundings) -> Result<Self, WorkspaceError> {
        let Surroundings { folder, user_folder, environment, clock } = surroundings;
        let setup = Setup::load(&folder, user_folder.as_deref())?;
        let mut registry = Registry::built_in()?;
        for layer in &setup.providers {
            let origin = match layer.scope {
                Scope::User => Layer::User(layer.path.clone()),
                Scope::Project => Layer::Project(layer.path.clone()),
            };
            registry.add(&layer.text, origin)?;
        }
        let environment = environment.keeping(registry.keys());
        let catalogue = Catalogue::new(&setup);
        Ok(Self { setup, catalogue, registry, environment, clock, lock_wait: LOCK_WAIT })
    }

    /// Now, in whole seconds.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// Where new discussions are made and where bare names are looked for.
    pub fn output_directory(&self) -> PathBuf {
        self.setup.output_directory()
    }

    /// The file of a discussion: a path, or a bare name in the working folder or the output directory.
    ///
    /// # Errors
    /// When there is none, with similar names.
    pub fn find(&self, name: &Path) -> Result<PathBuf, WorkspaceError> {
        Ok(store::find(name, &self.setup.cwd, Some(&self.output_directory()))?)
    }

    /// A path as people should see it: from the working folder, where it lies below.
    pub fn shown(&self, path: &Path) -> String {
        self.setup.shown(path)
    }

    /// A path for a program that reads it: from the working folder, where it lies below, and otherwise letter by letter.
    /// A front end that shows it makes visible what would not be.
    pub fn exactly(&self, path: &Path) -> String {
        path.strip_prefix(&self.setup.cwd).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// What holds where neither head nor template says anything.
    pub fn defaults(&self) -> Defaults {
        Defaults {
            participants: self.setup.config.default_participants.clone().unwrap_or_default(),
            consensus: self.setup.config.consensus.clone(),
        }
    }

    /// The template that is used when none is named.
    pub fn default_template(&self) -> &str {
        self.setup.config.default_template.as_deref().unwrap_or(TEMPLATE)
    }

    /// The participants that are used when nothing else names any.
    pub fn fallback_participants() -> Vec<Alias> {
        PARTICIPANTS.iter().filter_map(|alias| Alias::parse(alias).ok()).collect()
    }

    /// The person who writes: the configuration's author. The shell knows others to ask: git, then the login name.
    pub fn author(&self) -> Option<&Name> {
        self.setup.config.author.as_ref()
    }
}
