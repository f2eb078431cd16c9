//! Puts missing rules (`---`) back around blocks that are still in the file. Changes no other byte.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::store::merge::LineEnd;
use crate::transcript::{divides, is_rule};

/// Maximum number of blank lines between a rule and the head of a comment.
const BLANKS: usize = 2;

/// Returns a text with rules above and below some blocks. `blocks` are their lines, counted from 0,
/// in the order of the text. Another kind of Markdown rule in the place of a rule, such as `***`,
/// is replaced by `---`.
pub(super) fn with_rules(text: &str, blocks: &[Range<usize>]) -> String {
    let mut rules = FileRules {
        lines: text.split_inclusive('\n').collect(),
        changes: BTreeMap::new(),
        end: false,
    };
    for block in blocks {
        rules.above(block.start);
        rules.below(block.end);
    }
    rules.write(LineEnd::of(text))
}

/// The change of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleChange {
    /// The line becomes a rule.
    Replace,
    /// A rule is written above the line, and a blank line above the rule if `needs_blank` is true.
    Insert { needs_blank: bool },
}

struct FileRules<'t> {
    lines: Vec<&'t str>,
    changes: BTreeMap<usize, RuleChange>,
    /// True if a rule is missing at the end.
    end: bool,
}

impl FileRules<'_> {
    fn bare(&self, at: usize) -> &str {
        self.lines[at].trim_end_matches(['\n', '\r'])
    }

    fn above(&mut self, start: usize) {
        let above = (0..start).rev().find(|at| !self.bare(*at).trim().is_empty());
        let is_control = |line: &str| line.starts_with("<!-- ") && line.trim_end().ends_with("-->");
        match above {
            Some(at) if is_rule(self.bare(at)) && start - at - 1 <= BLANKS => {}
            // A control line needs a rule only below a comment.
            Some(at) if is_control(self.bare(at)) && is_control(self.bare(start)) => {}
            Some(at) if divides(self.bare(at)) && start - at - 1 <= BLANKS => {
                self.changes.insert(at, RuleChange::Replace);
            }
            above => {
                let needs_blank = above.is_some_and(|at| at + 1 == start);
                self.changes.insert(start, RuleChange::Insert { needs_blank });
            }
        }
    }

    fn below(&mut self, end: usize) {
        let below = (end..self.lines.len()).find(|at| !self.bare(*at).trim().is_empty());
        match below {
            None => self.end = true,
            Some(at) if is_rule(self.bare(at)) => {}
            Some(at) if divides(self.bare(at)) => {
                self.changes.insert(at, RuleChange::Replace);
            }
            Some(at) if self.bare(at).starts_with("Name: ") => self.above(at),
            Some(_) => {}
        }
    }

    fn write(self, ends: LineEnd) -> String {
        let end = |text: &str| ends.end(text.to_owned());
        let mut out = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            match self.changes.get(&at) {
                Some(RuleChange::Replace) => {
                    out.push_str(&end("---\n"));
                    continue;
                }
                Some(RuleChange::Insert { needs_blank: true }) => out.push_str(&end("\n---\n\n")),
                Some(RuleChange::Insert { needs_blank: false }) => out.push_str(&end("---\n\n")),
                None => {}
            }
            out.push_str(line);
        }
        if self.end {
            let is_ended = out.ends_with('\n');
            out.push_str(&end(if is_ended { "" } else { "\n" }));
            let has_blank = out.ends_with("\n\n") || out.ends_with("\n\r\n");
            out.push_str(&end(if has_blank { "---\n" } else { "\n---\n" }));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_restored_and_nothing_else_changes() {
        let whole = "# T\n\n---\n\nName: Rob\n\nFirst.\n\n---\n\nName: Eve\n\nSecond.\n\n---\n";
        for (broken, blocks) in [
            (whole.replacen("First.\n\n---\n\n", "First.\n\n", 1), [4..7, 8..11]),
            (whole.replacen("First.\n\n---\n\n", "First.\n", 1), [4..7, 7..10]),
            (whole.replacen("First.\n\n---", "First.\n\n***", 1), [4..7, 10..13]),
        ] {
            assert_eq!(with_rules(&broken, &blocks), whole, "{broken}");
            let windows = broken.replace('\n', "\r\n");
            assert_eq!(with_rules(&windows, &blocks), whole.replace('\n', "\r\n"));
        }
        let bare = "# T\n\nName: Rob\n\nFirst.\n\nName: Eve\n\nSecond.";
        assert_eq!(with_rules(bare, &[2..5, 6..9]), whole);
        assert_eq!(with_rules(whole, &[4..7, 10..13]), whole);
    }
}
