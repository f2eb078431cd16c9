//! The `discussions` program: the front ends for the library, one folder each.

mod cli;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod platform;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "ui")]
mod ui;

fn main() -> std::process::ExitCode {
    cli::main()
}
