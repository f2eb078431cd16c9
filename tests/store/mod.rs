//! Discussions on disk, from outside: what journals, editors and git do to them.

mod committed;
mod foreign;
mod journey;
