//! The pages beside the code say what is so.

mod architecture;
mod blocks;
mod console;
mod measures;
mod pages;
mod tree;
mod words;
