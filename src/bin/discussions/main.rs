//! The `discussions` program: a thin shell around the library.

mod cli;
mod denied;
mod duration;
mod editor;
mod error;
mod input;
mod interrupt;
mod interview;
mod live;
mod live_lines;
mod nextstep;
mod notices;
mod outcome;
mod progress;
mod shell;
mod snippet;
mod surroundings;
mod trust;
mod ui;
mod verbs;

fn main() -> std::process::ExitCode {
    cli::main()
}
