//! Reads the configuration: the project's `discussions.yaml` over the user's `config.yaml` over the built-in defaults,
//! with the personas, providers and templates beside each of the two files.

pub mod participants;

mod file;
mod schema;
mod setup;

pub use self::file::ConfigError;
pub(crate) use self::file::{create, read, replace};
pub use self::schema::{Config, PeopleConfig};
pub(crate) use self::setup::ConfiguredReach;
pub use self::setup::{ConfigScope, Project, Setup};
