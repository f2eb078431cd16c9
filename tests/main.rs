//! All tests that use the crate from outside, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[cfg(all(unix, feature = "cli", feature = "http"))]
mod agents;
mod anonymity;
mod attacks;
mod background;
mod bundled;
mod cases;
mod changes;
#[cfg(all(unix, feature = "cli"))]
mod cli;
#[cfg(all(unix, feature = "cli"))]
mod docs;
mod events;
mod examples;
mod faults;
#[cfg(all(unix, feature = "cli"))]
mod front_end;
mod held_lock;
mod hostile;
#[cfg(feature = "http")]
mod http;
mod interrupted;
mod invariants;
mod laws;
mod library;
mod links;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
mod patterns;
mod people;
mod play;
mod prompts;
#[cfg(unix)]
mod proofs;
mod ranking;
mod ranking_town;
#[cfg(unix)]
mod renderers;
#[cfg(all(unix, feature = "http", feature = "serve"))]
mod serve;
mod stage;
#[cfg(unix)]
mod store;
#[cfg(target_os = "linux")]
mod swapped;
mod table;
#[cfg(all(unix, feature = "ui"))]
mod tmux;
#[cfg(all(unix, feature = "ui"))]
mod ui;
mod watch;
mod witness;
