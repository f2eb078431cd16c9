//! Any bytes can be a model's answer: it is read without a panic, and recorded it says what was read and no more.

use discussions::engine::{AnswerSpec, Reading, read};
use discussions::transcript::{Choice, Draft, EntryKind, Marker, Name, NewComment, append, parse};

/// Panics where the property does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((_, rest)) = bytes.split_first() else { return };
    let answer = String::from_utf8_lossy(rest);
    let options =
        ["READY", "CHANGES", "REJECT"].map(|word| Choice::parse(word).expect("an option"));
    let wanted = AnswerSpec {
        options: options.to_vec(),
        asks: Vec::new(),
        questions: 2,
        ..AnswerSpec::default()
    };
    let (body, vote) = match read(&answer, &wanted) {
        Ok(Reading::Answer { body, vote, .. }) => (body, vote),
        Err(again) => match again.keep {
            Some(Reading::Answer { body, vote, .. }) => (body, vote),
            _ => return,
        },
        Ok(Reading::Pass) => return,
    };
    let comment = NewComment {
        vote: vote.clone(),
        ..NewComment::by(Name::parse("AI-Architect").expect("a name"), body)
    };
    let head = "# A\n\n---\n";
    let document = format!("{head}{}", append(head, &[Draft::Comment(comment)]));
    let transcript = parse(&document);
    let [entry] = transcript.entries.as_slice() else {
        panic!("{} entries", transcript.entries.len());
    };
    let EntryKind::Comment(comment) = &entry.kind else { panic!("no comment") };
    let read = comment.read(&wanted.markers);
    let votes: Vec<&str> = read
        .marks
        .iter()
        .filter(|mark| mark.marker == Marker::Vote)
        .map(|mark| mark.text.as_str())
        .collect();
    let said: Vec<&str> = vote.iter().map(Choice::as_str).collect();
    assert_eq!(votes, said, "the votes that count are not the one that was read");
}
