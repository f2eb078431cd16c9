//! The JSON that other programs read, a contract of its own: field names never follow the library's.

mod check;
mod event;
mod list;
mod problem;
mod run;
mod show;
mod status;

pub(crate) use check::CheckDocument;
pub(crate) use event::event;
pub(crate) use list::ListDocument;
pub(crate) use problem::ProblemDocument;
pub(crate) use run::RunDocument;
pub(crate) use show::show;
pub(crate) use status::{Participant, StatusDocument, tally};
