//! Reads the text of a person. It is taken literally; the parser does not guess.

use crate::transcript::{Choice, Comment, Marker, MarkerSet, cut, disarm};

/// The content of a person's text.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedComment {
    /// Canonical text without the vote.
    pub body: String,
    /// The only valid vote.
    pub vote: Option<Choice>,
    /// Reasons why a vote does not count, written for people.
    pub notes: Vec<String>,
}

/// Extracts the vote from a person's text. It rejects no text: if the votes are unclear, none counts.
pub fn parse_comment(text: &str, options: &[Choice], markers: &MarkerSet) -> ParsedComment {
    let whole = disarm(&cut(text));
    let (body, found) = take_votes(&whole, options, markers);
    let mut votes: Vec<&Choice> = Vec::new();
    let mut notes = Vec::new();
    for vote in &found {
        match Choice::named_in(options, vote) {
            Some(option) if votes.contains(&option) => {}
            Some(option) => votes.push(option),
            None => notes.push(format!("`{vote}` is not an option")),
        }
    }
    if votes.len() > 1 {
        let named: Vec<&str> = votes.iter().map(|choice| choice.as_str()).collect();
        notes.push(format!("it has different votes: {}", named.join(" and ")));
    }
    // A vote that does not count stays in the text, so that readers can see it.
    match (votes.as_slice(), notes.is_empty()) {
        ([vote], true) => ParsedComment { body, vote: Some((*vote).clone()), notes },
        _ => ParsedComment { body: whole, vote: None, notes },
    }
}

/// Removes the lines of valid votes from a body, and returns the texts of all votes.
fn take_votes(body: &str, options: &[Choice], markers: &MarkerSet) -> (String, Vec<String>) {
    // The body is read like a text written directly into the file, without escapes, so that its votes are found.
    let read = unguarded(body, markers);
    let mut votes = Vec::new();
    let mut gone = Vec::new();
    for (line, text) in read {
        if Choice::named_in(options, &text).is_some() {
            gone.push(line);
        }
        votes.push(text);
    }
    let kept: Vec<&str> = body
        .split('\n')
        .enumerate()
        .filter(|(index, _)| !gone.contains(index))
        .map(|(_, line)| line)
        .collect();
    (disarm(&kept.join("\n")), votes)
}

/// Returns the lines (from 0) and texts of the votes in a plain text.
fn unguarded(body: &str, markers: &MarkerSet) -> Vec<(usize, String)> {
    let read = Comment::plain(body).read(markers);
    let votes = read.marks.into_iter().filter(|mark| mark.marker == Marker::Vote);
    votes.map(|mark| (mark.line - 1, mark.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<Choice> {
        ["READY", "REJECT"].map(|word| Choice::parse(word).unwrap()).to_vec()
    }

    #[test]
    fn single_clear_vote_of_a_person_is_extracted() {
        let said = parse_comment("Fine.\n\n**vote:** ready.\n", &options(), &MarkerSet::default());
        assert_eq!((said.body.as_str(), said.vote), ("Fine.", options().into_iter().next()));
        assert!(said.notes.is_empty());
    }

    #[test]
    fn unclear_votes_of_a_person_stay_in_the_text() {
        for text in ["VOTE: READY\n\nVOTE: REJECT", "VOTE: READY\n\nVOTE: PERHAPS", "VOTE: NO"] {
            let said = parse_comment(text, &options(), &MarkerSet::default());
            assert_eq!((said.body.as_str(), said.vote), (text, None));
            assert_eq!(said.notes.len(), 1, "{text}");
        }
    }
}
