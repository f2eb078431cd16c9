//! The `discussions` program: a thin shell around the library.

mod cli;
mod denied;
mod editor;
mod error;
mod input;
mod interrupt;
mod interview;
mod live;
mod live_lines;
mod notices;
mod outcome;
mod progress;
mod shell;
mod snippet;
mod surroundings;
mod trust;
mod ui;
mod verbs;
mod words;

fn main() -> std::process::ExitCode {
    cli::main()
}
