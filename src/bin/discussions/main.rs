//! The `discussions` program: a thin shell around the library, a folder a front end.

mod cli;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "serve")]
mod serve;

fn main() -> std::process::ExitCode {
    cli::main()
}
