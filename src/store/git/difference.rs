//! The differences between two versions of a text, without text appended at the end.

use std::time::Duration;

use similar::TextDiff;

use crate::store::merge::appended_from;

/// Maximum time of one comparison; after it, the result becomes coarse.
const PATIENCE: Duration = Duration::from_secs(2);

/// Returns a unified diff of the changed part. Text that was only appended is left out.
pub(super) fn difference(old: &str, new: &str) -> String {
    let changed = &new[..appended_from(old, new)];
    let compared = TextDiff::configure().timeout(PATIENCE).diff_lines(old, changed);
    compared.unified_diff().context_radius(3).header("before", "after").to_string()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn appended_text_is_no_difference() {
        let shown = difference("one\ntwo\nthree\n", "one\n2\nthree\nfour\nfive\n");
        assert!(shown.contains("-two\n+2\n") && !shown.contains("four"), "{shown}");
    }
}
