//! Discussions on disk, tested from outside: effects of journals, editors and git.

mod foreign;
mod git_history;
mod journal;
