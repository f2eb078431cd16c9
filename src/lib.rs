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
//! assert_eq!(status.questions()[0].text, "Who brews it?");
//! assert!(status.questions()[0].is_open());
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
    any(discussions_sealed, not(feature = "runtime")),
    expect(
        unreachable_pub,
        reason = "what the tests or the runtime use of the hidden modules is `pub`, which reaches no program without these"
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
pub use runner::RunOptions;
#[cfg(feature = "runtime")]
pub use workspace::NewDiscussion;

// Hidden modules, for the tests and benches of this repository; nothing in them is stable. They are no feature, because cargo
// would compile the library and the program once more for the tests. `--cfg discussions_sealed` makes them private: `.ci/run`
// checks so that the program uses none of them and that no code is dead.
#[cfg(discussions_sealed)]
mod engine;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod engine;
#[cfg(discussions_sealed)]
mod invisible;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod invisible;
#[cfg(discussions_sealed)]
mod participant;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod participant;
#[cfg(discussions_sealed)]
mod problem;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod problem;
#[cfg(discussions_sealed)]
mod similarity;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod similarity;
#[cfg(discussions_sealed)]
mod state;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod state;
#[cfg(discussions_sealed)]
mod template;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod template;
#[cfg(discussions_sealed)]
mod transcript;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod transcript;
#[cfg(discussions_sealed)]
mod yaml;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub mod yaml;

#[cfg(all(feature = "runtime", discussions_sealed))]
mod boundary;
#[doc(hidden)]
#[cfg(all(feature = "runtime", not(discussions_sealed)))]
pub mod boundary;
#[cfg(all(feature = "runtime", discussions_sealed))]
mod config;
#[doc(hidden)]
#[cfg(all(feature = "runtime", not(discussions_sealed)))]
pub mod config;
#[cfg(all(feature = "runtime", discussions_sealed))]
mod material;
#[doc(hidden)]
#[cfg(all(feature = "runtime", not(discussions_sealed)))]
pub mod material;
#[cfg(all(feature = "runtime", discussions_sealed))]
mod provider;
#[doc(hidden)]
#[cfg(all(feature = "runtime", not(discussions_sealed)))]
pub mod provider;
#[cfg(all(feature = "runtime", discussions_sealed))]
mod store;
#[doc(hidden)]
#[cfg(all(feature = "runtime", not(discussions_sealed)))]
pub mod store;

/// The Rust examples of the page `docs/library.md`, so that doctests compile and run them.
#[cfg(all(doctest, feature = "runtime"))]
#[doc = include_str!("../docs/library.md")]
pub struct LibraryPage;
