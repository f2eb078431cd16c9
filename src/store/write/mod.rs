//! Changes discussions: one writer at a time, and each change completely or not at all. A change is
//! acknowledged only when it is on disk and in the journal.

mod append;
mod atomic_write;
mod create;
mod lock;
mod older_text;
mod redact;
mod reserved;
mod restore;
mod rules;
mod tail;

#[cfg(test)]
mod tests;

pub use append::{Receipt, Writer};
pub(crate) use atomic_write::{place, replace, replace_at, replace_private, replace_unsynced_at};
#[cfg(feature = "internals")]
pub use create::create;
pub(crate) use create::{create_at, take_back};
pub use lock::Patience;
pub(crate) use lock::{RunLock, RunLocks};
pub(crate) use older_text::{accept, changes, mend, proposed, proposed_for, speakers};
pub(crate) use redact::Redaction;
pub(crate) use reserved::{Reservations, Reserved};
pub(crate) use restore::Beginning;
pub use restore::Restoration;
pub(crate) use restore::conflict;
#[cfg(feature = "internals")]
pub use restore::restore;
pub(crate) use restore::restore_at;
pub(crate) use tail::{Excerpt, LONG, excerpt_at, length};
