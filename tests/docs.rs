//! Checks that documentation and code agree.

mod architecture;
mod blocks;
mod calls;
mod console;
mod drawing;
mod measures;
mod pages;
mod paths;
mod picture;
mod plain;
mod pull_request;
mod readme;
mod test_commands;
mod tree;
mod vendors;
mod words;
