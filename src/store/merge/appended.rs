//! Finds text that was only appended.

/// Maximum number of lines that are compared to choose between several possible places.
const ENOUGH: usize = 64;

/// Returns the byte position in `new` at which text begins that was only appended after `old`. Returns the length of
/// `new` if nothing was appended, or if the end of `old` cannot be found.
///
/// The end of `old` is the place where most of its last lines match. Of equally good places, it is the first one after
/// the common beginning.
pub(in crate::store) fn appended_from(old: &str, new: &str) -> usize {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = if common == old.len() {
        common
    } else {
        let run = |end: &usize| {
            let pairs = old[common..].iter().rev().zip(new[common..*end].iter().rev());
            pairs.take(ENOUGH).take_while(|(a, b)| a == b).count()
        };
        // Of equal maxima, `max_by_key` returns the last.
        let ends = (common + 1..=new.len()).rev().map(|end| (run(&end), end));
        match ends.max_by_key(|(lines, _)| *lines) {
            Some((1.., end)) => end,
            _ => new.len(),
        }
    };
    new[..end].iter().map(|line| line.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::appended_from;

    #[test]
    fn appended_text_is_distinguished_from_changed_text() {
        let old = "one\ntwo\nthree\n";
        let new = "one\n2\nthree\nfour\nfive\n";
        assert_eq!(&new[appended_from(old, new)..], "four\nfive\n");
        assert_eq!(appended_from(old, "one\n"), 4);
        assert_eq!(appended_from("", "one\n"), 0);
        assert_eq!(appended_from("one", "one more\n"), 9);
    }

    #[test]
    fn first_of_equal_ends_is_used() {
        let old = "A\n---\nB\n---\n";
        let new = "A\n---\nchanged\n---\nC\n---\n";
        assert_eq!(&new[appended_from(old, new)..], "C\n---\n");
        let moved = "A\n---\nnew\n---\nB\n---\nC\n---\n";
        assert_eq!(&moved[appended_from(old, moved)..], "C\n---\n");
    }
}
