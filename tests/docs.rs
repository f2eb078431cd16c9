//! The pages beside the code say what is so.

mod architecture;
mod blocks;
mod calls;
mod console;
mod measures;
mod pages;
mod paths;
mod picture;
mod plain;
mod tree;
mod words;
