//! The pages beside the code say what is so.

mod blocks;
mod console;
mod readme;
