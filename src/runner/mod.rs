//! Runs: the only place where models are called.
//!
//! A run reads the file, decides, appends or asks, and begins again. It remembers nothing that the file holds, so a
//! killed run picks up where it stopped, and no answer is paid for twice.
//!
//! One turn, from its start to its end:
//!
//! 1. A front end calls `Runs::prepare` (`begin`) with [`RunOptions`] (`options`). It reads the file once, checks the
//!    options and resolves their names (`mode`). The result tells all that is known before a run.
//! 2. `trust` finds the definitions of the project that the user has to trust. `price` estimates the cost.
//! 3. `handle` starts the run beside the caller. `run` takes the locks and repeats one step until
//!    something stops the run: it locks and reads the file, reports what changed (`events`), and
//!    decides the next step. The state of the run is `context`.
//! 4. If the step is to ask, `chain` chooses the providers of each participant, and assigns vendors if the user chose
//!    none. `providers` opens them, and `prompt_cache` decides what comes first in a prompt.
//! 5. `ask` starts all calls of the turn at once. `call` makes those for one participant: it retries, sends a repair
//!    request, and falls back to the next provider. The result is an `answer`.
//! 6. `record` appends each answer as soon as it is complete, if the file still holds its turn. `recovery` keeps answers
//!    that could not be recorded, and records calls of runs that were killed.
//! 7. `run` reads the file again. A sub-discussion (`child`) goes through the same loop, a phase may run a command
//!    (`tools`). The run ends with a `report`.
//!
//! In addition, `plan` shows a turn without running it, `watch` reports all changes of a file, and `blocking` is for
//! work that waits for locks or the disk.
//!
//! Each file imports only files before it: `blocking`, `report`, `options`, `mode`, `providers`, `chain`,
//! `prompt_cache`, `context`, `tools`, `events`, `plan`, `trust`, `price`, `answer`, `call`, `recovery`,
//! `record`, `ask`, `child`, `run`, `handle`, `begin`, `watch`.

mod answer;
mod ask;
mod begin;
mod blocking;
mod call;
mod chain;
mod child;
mod context;
mod events;
mod handle;
mod mode;
mod options;
mod plan;
mod price;
mod prompt_cache;
mod providers;
mod record;
mod recovery;
mod report;
mod run;
mod tools;
mod trust;
mod watch;

pub use begin::{BeginError, PreparedRun, Trust, Untrusted};
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use context::Abort;
pub use context::AbortHandle;
pub use handle::{Progress, Reservation, Run, RunEnd, RunHandle, RunRegistry, Speaking, Update};
pub use options::{Extent, RunOptions};
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use recovery::KeptAnswers;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use report::RunReport;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use run::Runner;
pub use watch::{Follow, Watch};
