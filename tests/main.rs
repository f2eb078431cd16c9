//! All tests that use the crate from outside, in one binary. `README.md` lists features, files and harness modules.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

// Harness: modules without tests that several groups use. `cli::scenario` and `http::fake` belong to it too.
mod finished_run;
#[cfg(target_os = "linux")]
mod link_swapper;
mod project;
mod recording_provider;
mod tracked;

/// Returns the root of the repository.
fn root() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
}

// File format: parser cases, laws and hostile texts.
mod attacks;
mod cases;
mod defended_attacks;
mod laws;

// Rules of discussions: votes, turns, mentions, patterns, prompts and the invariants of the domain.
mod anonymity;
mod background_participants;
mod bundled;
mod comments_between_runs;
mod decisions;
mod invariants;
mod patterns;
mod prompts;
mod table;

// Runs: events, failures, interruptions and waiting for locks.
mod changes;
mod events;
mod faults;
mod held_lock;
mod interrupted;
mod watch;

// Storage and search: journals, git, and finding earlier decisions.
mod ranking;
mod ranking_town;
#[cfg(unix)]
mod store;

// Models: coding agents and HTTP services.
#[cfg(all(unix, feature = "cli", feature = "http"))]
mod agents;
#[cfg(feature = "http")]
mod http;

// Front ends: command line, screen, tools for agents, browser, packages for other languages, and the library and the
// example of a front end.
mod bindings;
#[cfg(all(unix, feature = "cli"))]
mod cli;
#[cfg(all(unix, feature = "cli"))]
mod example_front_end;
mod library;
#[cfg(all(unix, feature = "lsp"))]
mod lsp;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
#[cfg(all(unix, feature = "http", feature = "serve"))]
mod serve;
#[cfg(all(unix, feature = "ui"))]
mod tmux;
#[cfg(all(unix, feature = "ui"))]
mod ui;

// Safety and reliability: hostile projects, and the proofs of `docs/proofs.md`.
#[cfg(all(unix, feature = "cli"))]
mod hostile;
#[cfg(unix)]
mod proofs;

// Documentation: pages, architecture rules and finished examples.
#[cfg(all(unix, feature = "cli"))]
mod docs;
mod examples;

// Upkeep: versions, addresses, workflows, installed packages, and the oldest example.
mod upkeep;
