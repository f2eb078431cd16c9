//! The rows as they are printed.

use std::ffi::OsStr;
use std::path::Path;

use super::measure::{Effort, Ratio};
use super::process::PROGRAM;

/// How a row came out.
pub(crate) enum Outcome {
    /// A ratio that has to be at most so much.
    AtMost(Ratio, f64),
    /// A ratio that has to be at least so much.
    AtLeast(Ratio, f64),
    /// A ratio without a goal.
    Reported(Ratio),
    /// It cannot be measured here.
    Skipped(String),
}

/// One row.
pub(crate) struct Row {
    pub(crate) what: &'static str,
    pub(crate) against: &'static str,
    pub(crate) outcome: Outcome,
}

impl Row {
    fn passed(&self) -> Option<bool> {
        match &self.outcome {
            Outcome::AtMost(ratio, bound) => Some(ratio.middle <= *bound),
            Outcome::AtLeast(ratio, bound) => Some(ratio.middle >= *bound),
            Outcome::Reported(_) | Outcome::Skipped(_) => None,
        }
    }
}

/// Prints the profile of the measured program and the head of the table.
pub(crate) fn head(effort: Effort) {
    println!("{}\n", profile());
    if effort.quick {
        println!("Most inputs are smaller than the rows say.\n");
    }
    println!("| what | against | ratio (quartiles) | load | goal | |");
    println!("|---|---|---|---|---|---|");
}

/// Returns how the measured program was compiled, as far as its folder tells.
fn profile() -> String {
    let folder = Path::new(PROGRAM).parent().and_then(Path::file_name).and_then(OsStr::to_str);
    match folder {
        // Cargo puts both profiles into this folder, and tells a program nothing about its profile.
        Some("release") => "Profile: `bench`, which compiles as `dist`; or `release`, what `cargo install` compiles, \
             if `cargo bench` was given this profile."
            .to_owned(),
        Some("debug") => "Profile: `dev`, which users do not install.".to_owned(),
        folder => format!("Profile: `{}`.", folder.unwrap_or("unknown")),
    }
}

/// Prints one row and says whether it holds.
pub(crate) fn print(row: &Row) -> bool {
    let passed = row.passed();
    let verdict = match (passed, &row.outcome) {
        (Some(true), _) => "PASS",
        (Some(false), _) => "FAIL",
        (None, Outcome::Skipped(_)) => "SKIP",
        (None, _) => "-",
    };
    let (measured, goal) = match &row.outcome {
        Outcome::AtMost(ratio, bound) => (shown(ratio), format!("<= {bound}")),
        Outcome::AtLeast(ratio, bound) => (shown(ratio), format!(">= {bound}")),
        Outcome::Reported(ratio) => (shown(ratio), "-".to_owned()),
        Outcome::Skipped(why) => (format!("{why} | -"), "-".to_owned()),
    };
    println!("| {} | {} | {measured} | {goal} | {verdict} |", row.what, row.against);
    passed != Some(false)
}

/// Returns the two cells of a ratio: itself, and the load average.
fn shown(ratio: &Ratio) -> String {
    let (low, high) = ratio.quartiles;
    let load = ratio.load.map_or_else(|| "-".to_owned(), |load| format!("{load:.2}"));
    format!("{:.3} ({low:.3}-{high:.3}) | {load}", ratio.middle)
}
