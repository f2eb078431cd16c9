//! Finds the missing beginning of a file: its head and its topic. The journal contains only appended blocks, so only
//! git can have a copy of the beginning.

use std::path::Path;

use crate::store::error::StoreError;
use crate::store::git::version_at;
use crate::store::journal::JournalRecord;
use crate::store::merge::LineEnd;
use crate::transcript::{Transcript, parse};

/// Minimum length of a head in bytes. If fewer bytes are missing, no head was lost.
const SHORTEST: u64 = 20;

/// The state of the beginning of a file, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Nothing is missing, as far as is known.
    Whole,
    /// The beginning is missing. Contains the whole text, with the beginning from git.
    Found(String),
    /// The beginning is missing, and git has no copy.
    Lost,
}

/// Looks for the beginning of a discussion with these records.
///
/// # Errors
/// Fails if git cannot read the history.
pub(super) fn opening(
    path: &Path,
    text: &str,
    records: &[JournalRecord],
) -> Result<Opening, StoreError> {
    let now = parse(text);
    // If a head is present but cannot be read, a person must correct it.
    if now.head.is_some() || text[..now.topic_end()].contains("<!-- DISCUSSION") {
        return Ok(Opening::Whole);
    }
    let committed = version_at(path, "HEAD")?.filter(|old| !old.trim().is_empty());
    if let Some(old) = committed {
        return Ok(with_opening(&now, &parse(old.as_str())));
    }
    // Only the recorded position of the first block tells where the topic ended.
    let first = records.iter().find(|record| record.after.is_none());
    let began = first.and_then(|record| record.at);
    let is_shorter = began.is_some_and(|began| began > now.topic_end() as u64 + SHORTEST);
    let is_empty = !records.is_empty() && text.trim().is_empty();
    Ok(if is_shorter || is_empty { Opening::Lost } else { Opening::Whole })
}

fn with_opening(now: &Transcript, old: &Transcript) -> Opening {
    let text = &*now.text;
    // No text is lost if the whole version replaces an empty file.
    if text.trim().is_empty() {
        return Opening::Found(old.text.to_string());
    }
    if old.head.is_none() {
        return Opening::Whole;
    }
    let is_bare = now.preamble_text().trim().is_empty();
    let end = if is_bare { old.preamble.end } else { old.preamble.start };
    let opening = old.text[..end].trim_end().replace("\r\n", "\n");
    let opening = LineEnd::of(text).end(format!("{opening}\n\n"));
    Opening::Found(format!("{opening}{}", text.trim_start_matches(['\u{feff}', '\n', '\r'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str =
        "<!-- DISCUSSION\ntemplate: voting\n-->\n\n# T\n\nTopic.\n\n---\n\nName: Rob\n\nx\n\n---\n";

    fn opened(text: &str) -> Opening {
        with_opening(&parse(text), &parse(OLD))
    }

    #[test]
    fn empty_file_becomes_the_old_version() {
        assert_eq!(opened("\n"), Opening::Found(OLD.to_owned()));
    }

    #[test]
    fn head_is_restored_above_the_remaining_topic() {
        let (head, rest) = OLD.split_at(OLD.find("# T").unwrap());
        assert_eq!(opened(rest), Opening::Found(OLD.to_owned()));
        let topic = rest.replace("Topic.", "Another topic.");
        assert_eq!(opened(&topic), Opening::Found(format!("{head}{topic}")));
    }

    #[test]
    fn head_and_topic_are_restored_above_comments() {
        let comments = &OLD[OLD.find("---\n\nName").unwrap()..];
        assert_eq!(opened(comments), Opening::Found(OLD.to_owned()));
    }
}
