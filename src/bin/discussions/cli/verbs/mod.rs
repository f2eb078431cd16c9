//! One file a verb: its arguments, whose comment is the help, and one function.

pub(crate) mod advance;
pub(crate) mod check;
pub(crate) mod close;
pub(crate) mod comment;
pub(crate) mod completions;
pub(crate) mod dashboard;
pub(crate) mod decisions;
pub(crate) mod discuss;
pub(crate) mod export;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod new;
pub(crate) mod participants;
pub(crate) mod providers;
pub(crate) mod reopen;
pub(crate) mod result;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod templates;
pub(crate) mod trust;
pub(crate) mod turn;
