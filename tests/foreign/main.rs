//! Tests that need packages of others. They start the program that `cargo build` has built last.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod links;
mod mcp;
mod renderers;
mod tls;

// Modules of the tests at the root.
#[expect(dead_code, reason = "only the pages are rendered")]
#[path = "../attacks/mod.rs"]
mod attacks;
#[expect(dead_code, reason = "the tests at the root use more")]
#[path = "../http/fake.rs"]
mod fake;
#[expect(dead_code, reason = "the tests at the root use more")]
#[path = "../project.rs"]
mod project;
#[expect(dead_code, reason = "the tests at the root use more")]
#[path = "../proofs/random.rs"]
mod random;
#[expect(dead_code, reason = "the tests at the root use more")]
#[path = "../http/recordings.rs"]
mod recordings;

#[expect(dead_code, reason = "the tests at the root use more")]
#[path = "../cli/scenario.rs"]
mod scenario;

#[path = "../cli/template.rs"]
mod template;

/// Where the shared tests look for it.
mod cli {
    pub(crate) use crate::scenario::Scenario;
}

/// Returns the root of the repository.
fn root() -> &'static std::path::Path {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
