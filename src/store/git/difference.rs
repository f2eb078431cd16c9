//! How two versions of a text differ, apart from what was added at the end.

use std::time::Duration;

use similar::{DiffTag, TextDiff};

/// How long one comparison may take before it becomes coarse.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where in `new` the lines begin that were only added behind all that comes from `old`, in bytes; its length when
/// there are none.
pub(super) fn appended_from(old: &str, new: &str) -> usize {
    let compared = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    match compared.ops().last() {
        Some(last) if last.tag() == DiffTag::Insert => {
            new.split_inclusive('\n').take(last.new_range().start).map(str::len).sum()
        }
        _ => new.len(),
    }
}

/// A unified diff of what was changed; what was only added at the end is left out.
pub(super) fn difference(old: &str, new: &str) -> String {
    let changed = &new[..appended_from(old, new)];
    let compared = TextDiff::configure().timeout(PATIENCE).diff_lines(old, changed);
    compared.unified_diff().context_radius(3).header("before", "after").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_appended_is_told_from_what_was_changed() {
        let old = "one\ntwo\nthree\n";
        let new = "one\n2\nthree\nfour\nfive\n";
        assert_eq!(&new[appended_from(old, new)..], "four\nfive\n");
        let shown = difference(old, new);
        assert!(shown.contains("-two\n+2\n") && !shown.contains("four"), "{shown}");
        assert_eq!(appended_from(old, "one\n"), 4);
        assert_eq!(appended_from("", "one\n"), 0);
    }
}
