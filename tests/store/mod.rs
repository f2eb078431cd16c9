//! Discussions on disk, from outside: what journals, editors and git do to them.

mod foreign;
mod git_history;
mod journal;
