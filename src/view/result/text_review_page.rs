//! The review of a text as sections of a Markdown page. Text from authors is encoded or stays in one line.

use std::fmt::Write as _;

use super::text_review::{TextFinding, TextReview};
use crate::transcript::{encode, fenced, inline};

/// Returns the section with the findings; empty if there are none. `level` is the mark of its heading, such as `##`.
pub(super) fn findings(review: &TextReview, level: &str) -> String {
    let mut page = String::new();
    if review.findings.is_empty() {
        return page;
    }
    let _ = write!(page, "\n{level} Findings\n");
    let lines: Vec<String> = review.others().map(line).collect();
    if !lines.is_empty() {
        let _ = write!(page, "\n{}\n", lines.join("\n"));
    }
    for one in review.declined() {
        let _ = write!(
            page,
            "\n{level}# Finding {}, declined ({})\n\n{}\n\nProof: {}\n",
            one.number,
            origin(one),
            quoted(&one.quote),
            inline(&one.proof)
        );
        match one.instead.trim() {
            "" => page.push_str("\nInstead: remove these words.\n"),
            instead => {
                let _ = write!(page, "\nInstead:\n\n{}\n", quoted(instead));
            }
        }
    }
    page
}

/// Returns the section with the difference between the reviewed and the final text; empty if there is none.
pub(super) fn changes(review: &TextReview, level: &str) -> String {
    match &review.revision {
        Some(revision) => {
            let diff = encode(&fenced("diff", &revision.diff));
            format!("\n{level} {CHANGES}\n\n{diff}\n")
        }
        None => String::new(),
    }
}

/// The heading of the section with the difference.
pub(super) const CHANGES: &str = "What changed after the review";

/// Returns a finding in one line.
fn line(one: &TextFinding) -> String {
    let (number, state) = (one.number, one.state);
    format!("- Finding {number}, {state}: \"{}\" ({})", inline(&one.short_quote()), origin(one))
}

/// Returns the reviewer, the place in the material and the line in the discussion.
fn origin(one: &TextFinding) -> String {
    let place = one.place().map(|place| format!("{}, ", inline(&place))).unwrap_or_default();
    format!("{}, {place}line {}", inline(&one.name), one.line)
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {}", inline(line))).collect();
    lines.join("\n")
}
