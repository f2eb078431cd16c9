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
    not(feature = "internals"),
    expect(
        unreachable_pub,
        reason = "what the tests use of the private modules is `pub`, which reaches them with `internals`"
    )
)]
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
mod search;
mod secrets;
pub mod view;

#[cfg(feature = "runtime")]
pub mod runner;
#[cfg(feature = "runtime")]
pub mod workspace;

// Only this crate sees these modules. Its tests and benches see them, too: they turn the feature `internals` on.
#[cfg(not(feature = "internals"))]
mod engine;
#[cfg(feature = "internals")]
pub mod engine;
#[cfg(not(feature = "internals"))]
mod invisible;
#[cfg(feature = "internals")]
pub mod invisible;
#[cfg(not(feature = "internals"))]
mod participant;
#[cfg(feature = "internals")]
pub mod participant;
#[cfg(not(feature = "internals"))]
mod problem;
#[cfg(feature = "internals")]
pub mod problem;
#[cfg(not(feature = "internals"))]
mod similarity;
#[cfg(feature = "internals")]
pub mod similarity;
#[cfg(not(feature = "internals"))]
mod state;
#[cfg(feature = "internals")]
pub mod state;
#[cfg(not(feature = "internals"))]
mod template;
#[cfg(feature = "internals")]
pub mod template;
#[cfg(not(feature = "internals"))]
mod transcript;
#[cfg(feature = "internals")]
pub mod transcript;
#[cfg(not(feature = "internals"))]
mod yaml;
#[cfg(feature = "internals")]
pub mod yaml;

#[cfg(all(feature = "runtime", not(feature = "internals")))]
mod boundary;
#[cfg(all(feature = "runtime", feature = "internals"))]
pub mod boundary;
#[cfg(all(feature = "runtime", not(feature = "internals")))]
mod config;
#[cfg(all(feature = "runtime", feature = "internals"))]
pub mod config;
#[cfg(all(feature = "runtime", not(feature = "internals")))]
mod material;
#[cfg(all(feature = "runtime", feature = "internals"))]
pub mod material;
#[cfg(all(feature = "runtime", not(feature = "internals")))]
mod provider;
#[cfg(all(feature = "runtime", feature = "internals"))]
pub mod provider;
#[cfg(all(feature = "runtime", not(feature = "internals")))]
mod store;
#[cfg(all(feature = "runtime", feature = "internals"))]
pub mod store;

/// The Rust of the library's page, compiled and run with the other examples.
#[cfg(all(doctest, feature = "runtime"))]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryPage;
