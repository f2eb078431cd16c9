//! Structured discussions between AI personas and people, each one append-only Markdown file.
//!
//! The file is the state. Everything else is a function of its bytes, and the modules are the steps of that function:
//!
//! ```text
//! bytes --transcript--> entries --state--> state --engine--> step --runner--> appended bytes --> (again)
//! ```
//!
//! Pure, and all there is without the feature `runtime` (no files, no clock, no tokio):
//!
//! - [`transcript`]: text to entries and back; the format, its encoder, its markers
//! - [`participant`]: personas, and who is meant by an alias or a name
//! - [`template`]: forms of discussion as data, phases, roles, rules
//! - [`state`]: entries to what they come to, votes, consensus, questions, tasks, decisions, cost
//! - [`engine`]: state and template to the next step; what one participant is shown; what an answer says
//! - [`view`]: what front ends show, plain values, the one JSON contract
//! - [`codes`], [`duration`], [`invisible`], [`similarity`], [`problem`], [`yaml`]: stable words, times as they are written, what hides
//!   made visible, how alike two sentences are, what `check` says, the one way into YAML
//!
//! With `runtime`, which touches the world:
//!
//! - `config`: what people configured, and where
//! - `provider`: model programs behind one trait
//! - `store`: discussions on disk, locked, appended to, journalled, merged
//! - `workspace`: a folder with all of these; what a person does to a discussion
//! - `runner`: the loop that asks models
//!
//! Nothing here prints, and nothing reads the clock or the environment by itself: they come in as arguments. The
//! program `discussions` is a front end that uses this interface and nothing else.
//!
//! # What a text says
//!
//! Any Markdown text is a discussion, and reading one cannot fail:
//!
//! ```
//! use discussions::engine::Snapshot;
//! use discussions::participant::Roster;
//! use discussions::state::Defaults;
//! use discussions::template::{Template, bundled};
//!
//! let text = "# Tea or coffee\n\n---\n\nName: Rob\n\nQ: Who brews it?\n\nVOTE: READY\n\n---\n";
//! let (id, source) = bundled().into_iter().find(|(id, _)| id == "feature").ok_or("no template")?;
//! let template = Template::read(source, "feature.md", &id)?.into();
//! let roster = Roster::bundled().into();
//! let snapshot = Snapshot::read(text, &template, &roster, &Defaults::default())?;
//! assert_eq!(snapshot.state.title, "Tea or coffee");
//! assert_eq!(snapshot.state.questions[0].text, "Who brews it?");
//! assert_eq!(snapshot.state.ballot.votes[0].choice.to_string(), "READY");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(feature = "runtime", doc = include_str!("walkthrough.md"))]
#![cfg_attr(
    not(feature = "runtime"),
    expect(
        dead_code,
        unused_imports,
        reason = "the runtime uses more of the pure part than others may"
    )
)]

pub mod codes;
mod digest;
pub mod duration;
pub mod engine;
pub mod invisible;
pub mod participant;
pub mod problem;
mod search;
mod secrets;
pub mod similarity;
pub mod state;
pub mod template;
pub mod transcript;
pub mod view;
pub mod yaml;

#[cfg(feature = "runtime")]
pub mod boundary;
#[cfg(feature = "runtime")]
pub mod config;
#[cfg(feature = "runtime")]
pub mod material;
#[cfg(feature = "runtime")]
pub mod provider;
#[cfg(feature = "runtime")]
pub mod runner;
#[cfg(feature = "runtime")]
pub mod store;
#[cfg(feature = "runtime")]
pub mod workspace;

/// The Rust of the library's page, compiled and run with the other examples.
#[cfg(all(doctest, feature = "runtime"))]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryPage;
