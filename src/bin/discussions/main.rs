//! The `discussions` program: a thin shell around the library, a folder a front end.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
