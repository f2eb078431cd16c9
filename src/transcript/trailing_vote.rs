//! The vote line that a writer puts at the end of a comment.

use super::line::{is_blank, trim_blank_lines};

/// Splits a stored body into the text and the text of its closing vote line.
///
/// That line is exactly `VOTE: <text>`, and is the only line or follows a blank line.
pub(super) fn split(stored: &str) -> (&str, Option<&str>) {
    let (before, last) = match stored.rfind('\n') {
        Some(end) => (&stored[..end], &stored[end + 1..]),
        None => ("", stored),
    };
    let Some(vote) = last.strip_prefix("VOTE: ").filter(|vote| !is_blank(vote)) else {
        return (stored, None);
    };
    let above = before.rsplit('\n').next().unwrap_or_default();
    if !is_blank(above.strip_suffix('\r').unwrap_or(above)) {
        return (stored, None);
    }
    (&before[trim_blank_lines(before)], Some(vote.trim_end_matches([' ', '\t', '\r'])))
}
