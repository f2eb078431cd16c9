//! All tests that use the crate from outside, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[cfg(all(unix, feature = "cli", feature = "http"))]
mod agents;
mod anonymity;
mod attacks;
mod background_participants;
mod bundled;
mod cases;
mod changes;
#[cfg(all(unix, feature = "cli"))]
mod cli;
mod comments_between_runs;
#[cfg(all(unix, feature = "cli"))]
mod docs;
mod events;
#[cfg(all(unix, feature = "cli"))]
mod example_front_end;
mod examples;
mod faults;
mod finished_run;
mod held_lock;
mod hostile;
#[cfg(feature = "http")]
mod http;
mod interrupted;
mod invariants;
mod laws;
mod library;
#[cfg(target_os = "linux")]
mod link_swapper;
mod links;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
mod patterns;
mod project;
mod prompts;
#[cfg(unix)]
mod proofs;
mod ranking;
mod ranking_town;
mod recording_provider;
#[cfg(unix)]
mod renderers;
#[cfg(all(unix, feature = "http", feature = "serve"))]
mod serve;
#[cfg(unix)]
mod store;
mod table;
#[cfg(all(unix, feature = "ui"))]
mod tmux;
#[cfg(all(unix, feature = "ui"))]
mod ui;
mod watch;
