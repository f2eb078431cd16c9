//! `SUPERSEDES: other.md#D2`: a decision that replaces a decision of another discussion.

use super::decisions::Decisions;
use super::track::Author;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{BodyMark, Name};

/// A decision of another discussion that this one replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseded {
    /// The file of the other discussion as written in the link: relative to this folder, with `/` as separator.
    pub file: String,
    /// The number of the decision there; none: all its decisions.
    pub number: Option<u32>,
    /// The number of the decision in this file that replaces it; none: the result of this discussion as a whole.
    pub by: Option<u32>,
    /// The author of the link.
    pub author: Name,
    /// Line in the file.
    pub line: usize,
    /// Column in that line.
    pub column: usize,
}

/// Parses a link; none if it does not name a Markdown file beside this one.
fn link(text: &str) -> Option<(String, Option<u32>)> {
    let text = text.trim();
    let text = match text.split_once("](") {
        Some((title, rest)) if title.starts_with('[') => rest.split_once(')')?.0,
        _ => text.split_whitespace().next()?,
    };
    let text = text.trim_start_matches(['`', '<', '*', '_', '(']);
    let text = text.trim_end_matches(['`', '>', '*', '_', ')', ',', ';', '.']);
    let (file, number) = match text.split_once('#') {
        None => (text, None),
        Some((file, of)) => {
            let digits = of.strip_prefix(['D', 'd'])?;
            (file, Some(digits.parse().ok().filter(|number| *number > 0)?))
        }
    };
    let file = unescaped(file)?;
    let lower = file.to_ascii_lowercase();
    let is_markdown = lower.ends_with(".md") || lower.ends_with(".markdown");
    let is_near = !file.starts_with(['/', '\\']) && !file.contains(':');
    (is_markdown && is_near).then_some((file, number))
}

/// Decodes `%20` and other percent escapes.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = (*first == b'%').then(|| behind.get(..2)).flatten();
        let read = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(read.unwrap_or(*first));
        rest = if read.is_some() { &behind[2..] } else { behind };
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(char::is_control)).then_some(text)
}

/// Records a `SUPERSEDES:` marker; adds a problem if it cannot be parsed.
pub(super) fn supersede(
    list: &mut Vec<Superseded>,
    mark: &BodyMark,
    by: &Author<'_>,
    decisions: &Decisions,
    problems: &mut Vec<Problem>,
) {
    let (line, column) = (mark.line, mark.column);
    let Some((file, number)) = link(&mark.text) else {
        let message = "this names no decision and is ignored; write the other discussion's file, relative to this \
                       folder, and the decision's number, like `old.md#D2`";
        let code = ProblemCode::ValueUnreadable;
        problems.push(Problem::new(Severity::Warning, code, (line, column), message));
        return;
    };
    let own = decisions.last_of(by.entry);
    list.push(Superseded { file, number, by: own, author: by.name.clone(), line, column });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_names_a_markdown_file_and_optionally_a_decision() {
        let read = |text: &str| link(text).map(|(file, number)| format!("{file} {number:?}"));
        for (text, wanted) in [
            ("old.md#D2", "old.md Some(2)"),
            ("../a/old.md", "../a/old.md None"),
            ("[Old](a%20b.md#D1), since it was measured", "a b.md Some(1)"),
            ("`old.md#d3`, since", "old.md Some(3)"),
            ("<old.md>", "old.md None"),
        ] {
            assert_eq!(read(text).as_deref(), Some(wanted), "{text}");
        }
        for wrong in
            ["", "D2", "/etc/x.md", "https://x/y.md", "old.md#2", "old.md#D0", "old.txt", "a%00.md"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
