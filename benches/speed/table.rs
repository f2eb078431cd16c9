//! The rows as they are printed.

use super::measure::Ratio;

/// How a row came out.
pub(crate) enum Outcome {
    /// A ratio that has to be at most so much.
    AtMost(Ratio, f64),
    /// A ratio that has to be at least so much.
    AtLeast(Ratio, f64),
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
            Outcome::Skipped(_) => None,
        }
    }
}

/// Prints the head of the table.
pub(crate) fn head() {
    println!("| what | against | ratio (quartiles) | reach | |");
    println!("|---|---|---|---|---|");
}

/// Prints one row and says whether it holds.
pub(crate) fn print(row: &Row) -> bool {
    let passed = row.passed();
    let verdict = match passed {
        Some(true) => "PASS",
        Some(false) => "FAIL",
        None => "SKIP",
    };
    let (measured, bound) = match &row.outcome {
        Outcome::AtMost(ratio, bound) => (shown(ratio), format!("<= {bound}")),
        Outcome::AtLeast(ratio, bound) => (shown(ratio), format!(">= {bound}")),
        Outcome::Skipped(why) => (why.clone(), "-".to_owned()),
    };
    println!("| {} | {} | {measured} | {bound} | {verdict} |", row.what, row.against);
    passed != Some(false)
}

fn shown(ratio: &Ratio) -> String {
    let (low, high) = ratio.quartiles;
    format!("{:.3} ({low:.3}-{high:.3})", ratio.middle)
}
