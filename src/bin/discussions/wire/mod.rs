//! The JSON that other programs read, a contract of its own: field names never follow the library's.

mod check;
mod cost;
mod event;
mod item;
mod list;
mod participant;
mod plan;
mod problem;
mod run;
mod show;
mod status;

pub(crate) use check::CheckDocument;
pub(crate) use cost::Cost;
pub(crate) use event::event;
pub(crate) use list::ListDocument;
pub(crate) use participant::{Participant, Silence};
pub(crate) use plan::PlanDocument;
pub(crate) use problem::ProblemDocument;
pub(crate) use run::RunDocument;
pub(crate) use show::show;
pub(crate) use status::{StatusDocument, tally};
