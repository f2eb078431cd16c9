//! The journal: records acknowledged blocks beside the discussion, and finds out if they are still there, dropped,
//! edited, moved, or only in other commits.

mod check;
mod displaced;
mod edit;
mod orphan;
mod other_refs;
mod records;
mod tracked;

pub(super) use check::compare;
pub use check::{Fate, JournalFinding, check};
pub(crate) use check::{check_asking, check_staged, has_journal, unrecorded_answers};
pub(crate) use orphan::{LeftBehind, left_behind};
pub(super) use orphan::{adopt, disown};
pub(crate) use records::GitUse;
pub(super) use records::{
    JournalRecord, Waiver, expected, expected_asking, is_stale_at, purge, record,
};
pub(crate) use tracked::TrackedJournals;
