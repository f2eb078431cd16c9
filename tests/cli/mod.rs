//! What a person and another program see: every verb, run as a program.

mod bounds;
mod check;
mod comment;
mod completion;
mod dashboard;
mod discuss;
mod finding;
mod hook;
mod input;
mod links;
mod list;
mod material;
mod mended;
mod merge_driver;
mod names;
mod new;
mod notices;
mod odd_files;
mod panel;
mod participants;
mod phases;
mod repository;
mod result;
mod review;
mod run;
pub(crate) mod scenario;
mod search;
mod session;
mod status;
mod terminal;
mod trust;
mod turn;
mod waves;
mod words;

pub(crate) use scenario::{CLAUDE, Scenario};
