//! Adds the confidence of a vote to the text of its comment.

use super::Discussions;
use crate::state::confidence;
use crate::transcript::{EntryKind, Marker, MarkerSet, parse};

impl Discussions<'_> {
    /// Returns the text of a vote with a line that states its confidence: a number from 0 to 1, or a percentage.
    ///
    /// # Errors
    /// Returns the reason if the confidence cannot be read or is out of range, or if the text states another one.
    pub fn text_with_confidence(&self, text: &str, stated: &str) -> Result<String, String> {
        let share = match confidence(stated) {
            Some((share, false)) => share,
            _ => {
                let shown: String = stated.chars().take(40).collect();
                return Err(format!(
                    "`{shown}` is not a confidence; write a number from 0 to 1, or a percentage like 80%"
                ));
            }
        };
        if states_confidence(text) {
            return Err("the text has a line `CONFIDENCE:` too; leave out one of them".to_owned());
        }
        // A paragraph of its own, because a forge joins adjacent lines.
        let above = if text.trim().is_empty() { "" } else { "\n\n" };
        // The number is written as short as it can be: 0.8, not 0.80.
        Ok(format!("{}{above}CONFIDENCE: {}\n", text.trim_end(), (share * 1e4).round() / 1e4))
    }
}

/// Returns true if a comment with this text states a confidence.
fn states_confidence(text: &str) -> bool {
    let transcript = parse(format!("---\n\nName: Voter\n\n{text}\n\n---\n"));
    transcript.entries.iter().any(|entry| match &entry.kind {
        EntryKind::Comment(comment) => {
            let marks = comment.read(&MarkerSet::default()).marks;
            marks.iter().any(|mark| mark.marker == Marker::Confidence)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_confidence_is_found_where_it_counts() {
        assert!(states_confidence("It is safe.\n\nCONFIDENCE: 0.8"));
        assert!(!states_confidence("```\nCONFIDENCE: 0.8\n```"));
        assert!(!states_confidence("My confidence is low."));
    }
}
