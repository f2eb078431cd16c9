//! Structured discussions between AI personas and people, each one append-only Markdown file.

pub mod engine;
pub mod likeness;
pub mod participant;
pub mod problem;
pub mod state;
pub mod template;
pub mod transcript;
pub mod yaml;

#[cfg(feature = "runtime")]
pub mod config;
#[cfg(feature = "runtime")]
pub mod provider;
#[cfg(feature = "runtime")]
pub mod runner;
#[cfg(feature = "runtime")]
pub mod store;
#[cfg(feature = "runtime")]
pub mod workspace;
