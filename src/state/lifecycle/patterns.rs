//! The patterns in an `AFFECTS:` marker: in backticks, because Markdown changes `*` and `_` elsewhere. Bare words on
//! the marker's own line count too, with a warning.

/// The maximum size of a pattern in bytes; longer ones are mistakes, and would be slow to match.
pub(super) const LONGEST: usize = 200;

/// One pattern in the text of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundPattern<'t> {
    /// The pattern.
    pub(super) text: &'t str,
    /// The number of lines between the marker's line and the pattern's.
    pub(super) below: usize,
    /// Byte offset in the text.
    pub(super) at: usize,
    /// True if the pattern is not in backticks.
    pub(super) is_bare: bool,
}

/// Returns the patterns in the text of a marker, in order.
pub(super) fn patterns(text: &str) -> Vec<FoundPattern<'_>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (below, line) in text.split('\n').enumerate() {
        let mut at = 0;
        while let Some(c) = line[at..].chars().next() {
            if c == '`' {
                let (inner, end) = code(line, at);
                if let Some(range) = inner {
                    found.push(FoundPattern {
                        text: &line[range.clone()],
                        below,
                        at: start + range.start,
                        is_bare: false,
                    });
                }
                at = end;
            } else if is_separator(c) {
                at += c.len_utf8();
            } else {
                let end =
                    line[at..].find(|c| is_separator(c) || c == '`').map_or(line.len(), |e| at + e);
                // In the lines below, bare words are a sentence.
                if below == 0 {
                    let word = &line[at..end];
                    found.push(FoundPattern { text: word, below, at: start + at, is_bare: true });
                }
                at = end;
            }
        }
        start += line.len() + 1;
    }
    found
}

fn is_separator(c: char) -> bool {
    c == ',' || c.is_whitespace()
}

/// Returns the range of the text between backticks that begin at `at`, if it is not empty, and the end behind them.
/// Backticks without a partner are skipped, and more than three in a row, so that the search for partners stays
/// linear.
fn code(line: &str, at: usize) -> (Option<std::ops::Range<usize>>, usize) {
    let ticks = line[at..].len() - line[at..].trim_start_matches('`').len();
    let start = at + ticks;
    if ticks > 3 {
        return (None, start);
    }
    let mut from = start;
    while let Some(next) = line[from..].find('`').map(|next| from + next) {
        let run = line[next..].len() - line[next..].trim_start_matches('`').len();
        if run == ticks {
            let inner = &line[start..next];
            let bare = inner.trim();
            let begin = start + (inner.len() - inner.trim_start().len());
            return ((!bare.is_empty()).then(|| begin..begin + bare.len()), next + run);
        }
        from = next + run;
    }
    (None, start)
}

#[cfg(test)]
mod tests {
    use super::patterns;

    #[test]
    fn patterns_are_separated_by_commas_or_blanks() {
        let read = |text: &str| -> Vec<String> {
            let shown = |one: &super::FoundPattern<'_>| {
                assert_eq!(&text[one.at..one.at + one.text.len()], one.text);
                format!("{}{}:{}", if one.is_bare { "bare " } else { "" }, one.below, one.text)
            };
            patterns(text).iter().map(shown).collect()
        };
        for (text, wanted) in [
            ("`src/db/**`, `Cargo.toml`", &["0:src/db/**", "0:Cargo.toml"][..]),
            ("`a` `b`,`c`", &["0:a", "0:b", "0:c"]),
            ("`a b`", &["0:a b"]),
            ("``a`b``", &["0:a`b"]),
            ("` a `", &["0:a"]),
            ("src/db/** Cargo.toml,x", &["bare 0:src/db/**", "bare 0:Cargo.toml", "bare 0:x"]),
            ("`a`,\n`b`", &["0:a", "1:b"]),
            ("`a`\nbecause of the lock", &["0:a"]),
            ("``", &[]),
            ("`open", &["bare 0:open"]),
            ("", &[]),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }
}
