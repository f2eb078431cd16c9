//! Changes discussions: one writer at a time, all of a change or nothing. A change is acknowledged only when it is on
//! disk and in the journal.

mod accept;
mod append;
mod create;
mod excerpt;
mod inode;
mod lock;
mod marks;
mod mend;
mod opening;
mod patience;
mod redact;
mod reserved;
mod restore;
mod rules;
mod running;
mod tail;
mod take_back;
mod whole;

#[cfg(test)]
mod tests;

pub(crate) use accept::{accept, changes};
pub use append::{Receipt, Writer};
#[cfg(feature = "internals")]
pub use create::create;
pub(crate) use create::create_at;
pub(crate) use excerpt::{Excerpt, LONG, excerpt_at, length};
pub(crate) use lock::RunLock;
pub(crate) use mend::{mend, proposed, proposed_for, speakers};
pub use patience::Patience;
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
pub(crate) use whole::{place, replace, replace_at, replace_private};
