//! Runs the full forms of the proofs whose names contain one of the arguments, or all without an argument. A name that no
//! proof has is an error: `cargo test` alone would run nothing and succeed.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, ExitCode, Stdio};

/// The full forms are ignored tests; so are the slow tests, which are no proofs.
const TESTS: [&str; 7] = ["test", "--release", "--locked", "--test", "it", "--", "--ignored"];
const NO_PROOFS: [&str; 2] = ["--skip", "slow::"];

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut command = cargo();
    command.args(TESTS).args(NO_PROOFS).args(["--nocapture", "--test-threads=1"]).args(&names);
    match run(command) {
        Ok(Tests { succeeded: true, count: 1.. }) => ExitCode::SUCCESS,
        Ok(Tests { succeeded: true, count: 0 }) => {
            eprintln!("no proof is called {}; there are:", names.join(" or "));
            let mut list = cargo();
            list.args(TESTS).args(NO_PROOFS).arg("--list");
            // The list only helps.
            let _ = list.status();
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The cargo that runs this program.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

struct Tests {
    succeeded: bool,
    /// How many ran.
    count: u64,
}

/// Runs tests, shows what they print, and counts them.
fn run(mut command: Command) -> std::io::Result<Tests> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut count = 0;
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        let line = line?;
        println!("{line}");
        let ran = line.strip_prefix("running ").and_then(|rest| rest.split(' ').next());
        count += ran.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0);
    }
    Ok(Tests { succeeded: child.wait()?.success(), count })
}
