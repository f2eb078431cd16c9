//! Structured discussions between AI personas and people, each one append-only Markdown file.
//!
//! The file is the whole state: this library computes everything about a discussion from its file,
//! and every call that changes a discussion appends to the file.
#![cfg_attr(feature = "runtime", doc = include_str!("walkthrough.md"))]
//!
//! # Texts without files
//!
//! [`view::Status::read`] tells the status of any text. It needs no file, clock or runtime, so it also works in programs
//! that keep discussions in a database or a browser:
//!
//! ```
//! use discussions::view::Status;
//!
//! let text = "# Tea or coffee\n\n---\n\nName: Rob\n\nQ: Who brews it?\n\nVOTE: READY\n\n---\n";
//! let status = Status::read(text, "tea.md");
//! assert_eq!(status.title, "Tea or coffee");
//! assert_eq!(status.questions[0].text, "Who brews it?");
//! assert!(status.questions[0].is_open());
//! assert_eq!(status.votes["Rob"], "READY");
//! ```
//!
//! # Features
//!
//! Without default features, the library is [`view`], [`codes`] and [`duration`]. The feature `runtime` adds files, runs
//! and the modules `workspace` and `runner`, `http` adds providers that are called over HTTP. The other features belong
//! to the program `discussions`, which is a front end of this library and uses only its public items.
//!
//! The library prints nothing. `Discussion::open` and `Discussion::create` look at the working folder and the environment
//! of the process; everything else gets them as arguments.
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

mod adr;
pub mod codes;
mod digest;
pub mod duration;
mod search;
mod secrets;
mod text_diff;
pub mod view;

#[cfg(feature = "runtime")]
mod discussion;
#[cfg(feature = "runtime")]
mod platform;
#[cfg(feature = "runtime")]
pub mod runner;
#[cfg(feature = "runtime")]
pub mod workspace;

#[cfg(feature = "runtime")]
pub use discussion::{CommentDraft, Discussion};
#[cfg(feature = "runtime")]
pub use runner::{RunOptions, TurnOptions};
#[cfg(feature = "runtime")]
pub use workspace::NewDiscussion;

// These modules are private. The feature `internals` makes them public for the tests and benches of this crate.
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
pub mod state;
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
pub mod yaml;
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
pub mod material;
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

/// The Rust examples of the page `docs/library.md`, so that doctests compile and run them.
#[cfg(all(doctest, feature = "runtime"))]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryPage;
