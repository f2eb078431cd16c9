//! The `discussions` program: a thin shell around the library, a folder a front end.

mod cli;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "ui")]
mod ui;

fn main() -> std::process::ExitCode {
    cli::main()
}
