//! Checks that documentation and code agree.

mod architecture;
mod blocks;
mod calls;
mod console;
mod measures;
mod names;
mod pages;
mod paths;
mod picture;
mod plain;
mod tree;

mod words;
