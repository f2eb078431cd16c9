//! Proofs of the promises about reliability.
//!
//! Each has a quick form, which runs with all other tests, and a full form for which `docs/proofs.md` names the
//! command (`cargo prove kill`, ...). The full forms are ignored by default because they take minutes.

#![expect(clippy::unwrap_used, reason = "what fails here is the proof, and that is what it is for")]

#[cfg(feature = "cli")]
mod branches;
mod child;
mod crowd;
mod editor;
mod faults;
#[cfg(feature = "cli")]
mod full_disk;
mod fuzz;
mod kill;
mod killed_run;
mod laws;
mod ledger;
#[cfg(feature = "cli")]
mod program;
pub(crate) mod random;
#[cfg(feature = "cli")]
mod size_limit;
#[cfg(feature = "cli")]
mod terminal;
