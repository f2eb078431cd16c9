//! What a person and another program see: every verb, run as a program.

mod check;
mod comment;
mod discuss;
mod driver;
mod hook;
mod input;
mod links;
mod list;
mod new;
mod notices;
mod odd_files;
mod panel;
mod participants;
mod phases;
mod repository;
mod review;
mod run;
mod scenario;
mod session;
mod status;
mod terminal;
mod turn;
mod words;

pub(crate) use scenario::{CLAUDE, Scenario};
