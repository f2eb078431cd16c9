//! Finds lines that an author probably meant as a marker or a rule, and that are only text. They may also be what they
//! are, such as a heading `Question:`, so they are notes and never problems.

use super::marker::Marker;
use super::uncounted::with_code;

/// Markers that are long enough to recognize with a wrong letter.
const MISSPELT_MARKERS: [Marker; 8] = [
    Marker::Decision,
    Marker::Concern,
    Marker::Settled,
    Marker::ReviewBy,
    Marker::DecideBy,
    Marker::Hindsight,
    Marker::Withdrawn,
    Marker::Confidence,
];
/// Words that people write for a marker.
const OTHER_WORDS: [(&str, &str); 2] = [("QUESTION", "Q"), ("ANSWER", "A")];
/// Markers that are told if they are indented so far that they are code.
const TELLING: [&str; 5] = ["VOTE", "Q", "TODO", "DECISION", "CONCERN"];

/// Returns lines, counted from 0, that are nearly a marker or a rule, with the reason why they do not count.
pub(crate) fn misspelt(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut is_blank_above, mut is_list) = (true, false);
    for (index, (line, is_code)) in with_code(text).enumerate() {
        let bare = line.trim();
        let why = if is_code {
            indented_marker(line).filter(|_| is_blank_above && !is_list)
        } else if bare == "--" && is_blank_above {
            Some("`--` is text; a rule is `---`".to_owned())
        } else {
            misspelt_marker(line)
        };
        found.extend(why.map(|why| (index, why)));
        if !bare.is_empty() && !line.starts_with("    ") {
            is_list =
                bare.starts_with(['-', '*', '+']) || bare.starts_with(|c: char| c.is_ascii_digit());
        }
        is_blank_above = bare.is_empty();
    }
    found
}

/// Returns the reason for a marker that is indented by four blanks.
fn indented_marker(line: &str) -> Option<String> {
    let bare = line.strip_prefix("    ")?.trim_start();
    let (word, rest) = bare.split_once(':')?;
    let is_telling = TELLING.contains(&word) && rest.starts_with(' ');
    is_telling.then(|| {
        format!(
            "`{word}:` does not count, because four blanks make the line code; remove the blanks"
        )
    })
}

/// Returns the reason for a word with one wrong letter: `Descision: use it`.
fn misspelt_marker(line: &str) -> Option<String> {
    let bare = line.trim_start_matches([' ', '\t', '*', '_', '-', '+']);
    let (word, text) = bare.split_once(':')?;
    let word = word.trim_end_matches(['*', '_']);
    let is_word = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
    let says = text.trim_matches(['*', '_', ' ', '\t']);
    if says.is_empty() || word.len() > 16 || !word.chars().all(is_word) {
        return None;
    }
    let capitals = word.to_ascii_uppercase();
    let meant = OTHER_WORDS.iter().find(|(other, _)| *other == capitals).map(|(_, meant)| *meant);
    let meant = meant.map(str::to_owned).or_else(|| {
        let near = |marker: &&Marker| is_one_edit(&capitals, marker.word());
        // A plural is a heading, not a mistake.
        let is_plural = |marker: &Marker| capitals.strip_suffix('S') == Some(marker.word());
        let marker = MISSPELT_MARKERS.iter().find(near).filter(|marker| !is_plural(marker))?;
        Some(marker.word().to_owned())
    })?;
    Some(format!("`{word}:` is not a marker; if you mean one, write `{meant}:`"))
}

/// Returns true if two words differ by one letter that is wrong, missing, added, or swapped with its neighbour.
fn is_one_edit(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    match (a, b) {
        ([], []) => false,
        ([_, rest @ ..], other) if rest == other => true,
        (other, [_, rest @ ..]) if rest == other => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([a1, a2, a @ ..], [b1, b2, b @ ..]) => a1 == b2 && a2 == b1 && a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_a_marker_or_a_rule_is_noted() {
        for (text, part) in [
            ("Descision: use it", "write `DECISION:`"),
            ("DECISON: use it", "write `DECISION:`"),
            ("DECISOIN: use it", "write `DECISION:`"),
            ("- REVIEW_BY: 2027-01-01", "write `REVIEW-BY:`"),
            ("**Question:** who pays?", "write `Q:`"),
            ("I agree.\n\n    VOTE: READY", "four blanks"),
            ("One.\n\n--\n\nTwo.", "a rule is `---`"),
        ] {
            let found = misspelt(text);
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].1.contains(part), "{found:?}");
        }
    }

    #[test]
    fn markers_headings_and_code_are_not_noted() {
        for text in [
            "DECISION: use it",
            "Decision: use it",
            "Decisions: two",
            "Concerns:\n\n- none",
            "Question:",
            "Session: it lives",
            "```\nDescision: x\n```",
            "- a list\n\n    VOTE: READY",
            "x\n    VOTE: READY",
            "a -- b",
            "See https://example.org",
        ] {
            assert_eq!(misspelt(text), [], "{text}");
        }
    }
}
