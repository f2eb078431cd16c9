//! Letters that name choices: `A:` is not an answer if `B:` follows on its line or below.

use super::page::AnswerDraft;
use crate::transcript::BlockKind;

impl AnswerDraft<'_> {
    /// Returns true if the `A:` of a line with this value names the first of several choices.
    pub(super) fn names_choice(&self, line: usize, value: &str) -> bool {
        if holds_next(value) {
            return true;
        }
        let text = self.blocks.iter().filter(|block| block.kind != BlockKind::Other);
        let below = text.flat_map(|block| block.lines.clone());
        let below = below.filter(|at| *at > line && !self.inner.contains(at));
        below.filter_map(|at| letter(self.lines[at])).next() == Some('B')
    }

    /// Escapes the colon of a line's label, so that the file's parser ignores it. Rendered Markdown looks unchanged.
    pub(super) fn spare(&mut self, line: usize) {
        if !self.strict.contains_key(&line) {
            return;
        }
        let text = self.lines[line];
        if let Some((label, rest)) = text.split_once(':') {
            self.put.insert(line, format!("{label}\\:{rest}"));
        }
    }
}

/// Returns the single letter that labels a line, for example `- **B:** PostgreSQL` or `B) PostgreSQL`.
fn letter(line: &str) -> Option<char> {
    let text = line.trim_start_matches(|c: char| c.is_whitespace() || "-+*_#>(".contains(c));
    let mut chars = text.chars();
    let letter = chars.next().filter(|c| matches!(c, 'A' | 'B'))?;
    let rest = chars.as_str().trim_start_matches(['*', '_']);
    rest.starts_with([':', '：', ')']).then_some(letter)
}

/// Returns true if the value contains the second choice too: `Redis / B: PostgreSQL`, `Redis or B) PostgreSQL`.
fn holds_next(value: &str) -> bool {
    value.match_indices('B').any(|(at, _)| {
        let before = value[..at].trim_end_matches([' ', '*', '_', '(']);
        let parted = before.ends_with([',', ';', '/', '|', '·'])
            || [" or", " and", " vs", " vs."].iter().any(|word| before.ends_with(word));
        let after = value[at + 1..].trim_start_matches(['*', '_']);
        parted && after.starts_with([':', '：', ')'])
    })
}
