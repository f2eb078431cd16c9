//! What a person's text says: read as it stands, and nothing guessed.

use crate::transcript::{Choice, Comment, Marker, MarkerSet, cut, disarm};

/// What a person's text says.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// Canonical text without the vote.
    pub body: String,
    /// The one valid vote.
    pub vote: Option<Choice>,
    /// Why a vote is not counted, for people.
    pub notes: Vec<String>,
}

/// Takes the vote out of what a person wrote. Text is never refused: where its votes are unclear, none is counted.
pub fn spoken(text: &str, options: &[Choice], markers: &MarkerSet) -> Spoken {
    let whole = disarm(&cut(text));
    let (body, found) = take_votes(&whole, options, markers);
    let mut votes: Vec<&Choice> = Vec::new();
    let mut notes = Vec::new();
    for vote in &found {
        match options.iter().find(|option| option.matches(vote)) {
            Some(option) if votes.contains(&option) => {}
            Some(option) => votes.push(option),
            None => notes.push(format!("`{vote}` is not an option")),
        }
    }
    if votes.len() > 1 {
        let named: Vec<&str> = votes.iter().map(|choice| choice.as_str()).collect();
        notes.push(format!("it holds different votes: {}", named.join(" and ")));
    }
    // What does not count stays in the text, where everybody can see it.
    match (votes.as_slice(), notes.is_empty()) {
        ([vote], true) => Spoken { body, vote: Some((*vote).clone()), notes },
        _ => Spoken { body: whole, vote: None, notes },
    }
}

/// Takes the lines of valid votes out of a body; gives the texts of all its votes.
fn take_votes(body: &str, options: &[Choice], markers: &MarkerSet) -> (String, Vec<String>) {
    // The body is read as handwriting would be: unguarded, so that its own votes are seen.
    let read = unguarded(body, markers);
    let mut votes = Vec::new();
    let mut gone = Vec::new();
    for (line, text) in read {
        if options.iter().any(|option| option.matches(&text)) {
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

/// Lines (from 0) and texts of the votes in a plain text.
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
    fn a_persons_one_clear_vote_is_taken_out() {
        let said = spoken("Fine.\n\n**vote:** ready.\n", &options(), &MarkerSet::default());
        assert_eq!((said.body.as_str(), said.vote), ("Fine.", options().into_iter().next()));
        assert!(said.notes.is_empty());
    }

    #[test]
    fn a_persons_unclear_votes_stay_in_the_text() {
        for text in ["VOTE: READY\n\nVOTE: REJECT", "VOTE: READY\n\nVOTE: PERHAPS", "VOTE: NO"] {
            let said = spoken(text, &options(), &MarkerSet::default());
            assert_eq!((said.body.as_str(), said.vote), (text, None));
            assert_eq!(said.notes.len(), 1, "{text}");
        }
    }
}
