//! How fast, as ratios: `cargo bench` measures all rows, `cargo bench -- --quick` a little of each, and
//! `cargo bench -- reading` one group.
//!
//! Each row compares with something that does the least that could do the job, measured in turns in the same run; the
//! figure is the median of the pairs. Beside it stands the load average of the last minute, which counts the measured
//! programs too. The program ends with 1 where a row misses its bound.

mod appending;
mod commands;
mod corpus;
mod editing;
mod growth;
mod measure;
mod process;
mod program;
mod reading;
mod serving;
mod stage;
mod table;
mod turns;
mod written;

use std::process::ExitCode;

use measure::Effort;

type Rows = Box<dyn Iterator<Item = table::Row>>;
type Group = (&'static str, fn(Effort) -> Rows);

const GROUPS: &[Group] = &[
    ("reading", |effort| Box::new(reading::rows(effort).into_iter())),
    ("program", |effort| Box::new(program::rows(effort).chain(commands::rows(effort)))),
    ("appending", |effort| Box::new(appending::rows(effort).into_iter())),
    ("serving", |effort| Box::new(serving::rows(effort).into_iter())),
    ("editing", |effort| Box::new(editing::rows(effort).into_iter())),
    ("turns", |effort| Box::new(turns::rows(effort).into_iter())),
    ("growth", |effort| Box::new(growth::rows(effort))),
];

fn main() -> ExitCode {
    // `cargo bench` itself adds `--bench`.
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--markdown", path] => {
            program::read_markdown(path.as_ref());
            return ExitCode::SUCCESS;
        }
        [process::LAUNCH, program @ ..] => {
            process::launch(program);
            return ExitCode::SUCCESS;
        }
        // To look at what is measured, or to profile it.
        ["--written", folder, count] => {
            written::write(folder.as_ref(), count.parse().unwrap_or(2_000));
            return ExitCode::SUCCESS;
        }
        ["--corpus", bytes] => {
            print!("{}", corpus::discussion(bytes.parse().unwrap_or(10_000), 1));
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let effort = Effort { quick: arguments.iter().any(|argument| argument == "--quick") };
    let wanted: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let mut passed = true;
    table::head(effort);
    for (name, rows) in GROUPS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            for row in rows(effort) {
                passed &= table::print(&row);
            }
        }
    }
    ExitCode::from(u8::from(!passed))
}
