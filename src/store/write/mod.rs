//! Changes discussions: one writer at a time, all of a change or nothing. A change is acknowledged only when it is on
//! disk and in the journal.

mod accept;
mod append;
mod atomic_write;
mod autofix;
mod create;
mod excerpt;
mod inode;
mod lock;
mod lock_timeout;
mod marks;
mod opening;
mod redact;
mod reserved;
mod restore;
mod rules;
mod running;
mod tail;
mod take_back;

#[cfg(test)]
mod tests;

pub(crate) use accept::{accept, changes};
pub use append::{Receipt, Writer};
pub(crate) use atomic_write::{place, replace, replace_at, replace_private};
pub(crate) use autofix::{mend, proposed, proposed_for, speakers};
#[cfg(feature = "internals")]
pub use create::create;
pub(crate) use create::create_at;
pub(crate) use excerpt::{Excerpt, LONG, excerpt_at, length};
pub(crate) use lock::RunLock;
pub use lock_timeout::Patience;
pub(crate) use redact::Redaction;
pub(crate) use reserved::{Reservations, Reserved};
pub(crate) use restore::Beginning;
pub use restore::Restoration;
pub(crate) use restore::conflict;
#[cfg(feature = "internals")]
pub use restore::restore;
pub(crate) use restore::restore_at;
pub(crate) use running::RunLocks;
pub(crate) use take_back::take_back;
