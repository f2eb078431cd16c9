//! What a model's answer says: liberal when taking it in, strict at rest, silent never.

use super::demand::{demanded, invited};
use super::dress::{option_of, undress};
use super::forms::{Form, take};
use super::snapshot::Snapshot;
use crate::codes::AgainCode;
use crate::state::{Turn, is_readable};
use crate::template::Demand;
use crate::transcript::{
    Alias, Choice, Comment, Draft, EntryKind, Marker, MarkerSet, Name, NewComment, cut, disarm,
    parse, render,
};

/// What is expected of an answer.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What may be voted for.
    pub options: Vec<Choice>,
    /// Whether votes decide in this phase.
    pub voting_mode: bool,
    /// Markers by word, and how much they are wanted.
    pub asks: Vec<(String, Demand)>,
    /// The markers that are read.
    pub markers: MarkerSet,
    /// Words of markers that the header or the task names; like those that are asked for, they are read in any dress.
    pub invited: Vec<String>,
    /// How many questions the record holds: `A2:` answers one of them.
    pub questions: usize,
    /// No vote is a vote here, so saying nothing is an answer.
    pub no_vote_is_one: bool,
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A comment.
    Answer {
        /// Canonical text without the vote; lines that look like votes are marked when it is stored.
        body: String,
        /// The one valid vote.
        vote: Option<Choice>,
        /// What was passed over, for people.
        notes: Vec<String>,
    },
    /// Nothing to say.
    Pass,
}

/// Why an answer is asked for again, and what can be kept if the second one is no better.
#[derive(Clone, Debug, PartialEq)]
pub struct Again {
    /// What was wrong, addressed to the model.
    pub reason: String,
    /// What kind of reason.
    pub code: AgainCode,
    /// The comment without a vote, when there is a body.
    pub keep: Option<Reading>,
}

impl Wanted {
    /// What a turn expects of one whom it asks.
    pub fn of(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Self {
        let phase = &snapshot.template().phases[turn.phase];
        Self {
            options: snapshot.config.options[turn.phase].clone(),
            voting_mode: phase.voting_mode,
            asks: demanded(snapshot, turn, alias).into_iter().collect(),
            markers: snapshot.config.markers.clone(),
            invited: invited(snapshot, turn),
            questions: snapshot.state.questions.len(),
            no_vote_is_one: phase.no_vote_is.is_some(),
        }
    }
}

/// Reads an answer.
///
/// # Errors
/// [`Again`] when it is empty, holds two different votes, or lacks a required marker.
pub fn read(raw: &str, wanted: &Wanted) -> Result<Reading, Again> {
    let raw = cut(raw);
    let Form { text, votes: stated, around, mut notes } = match take(&raw, wanted) {
        Some(form) => form,
        None => return Ok(Reading::Pass),
    };
    let text =
        without_closing_rules(unwrap_fence(text.trim_ascii(), &["markdown", "md"])).to_owned();
    let told = undress(&disarm(&text), wanted);
    let beside = undress(&disarm(&around), wanted);
    let mut votes: Vec<Choice> = Vec::new();
    let mut foreign: Vec<String> = Vec::new();
    for vote in stated {
        match option_of(&vote, &wanted.options) {
            Some(option) => votes.push(option),
            None => foreign.push(vote),
        }
    }
    foreign.extend(told.foreign.into_iter().chain(beside.foreign));
    let mut seen: Vec<Choice> = Vec::new();
    for vote in votes.drain(..).chain(told.votes).chain(beside.votes) {
        if !seen.contains(&vote) {
            seen.push(vote);
        }
    }
    let votes = seen;
    let body = match votes.len() > 1 {
        // Which of the two is the answer is unclear, so all of it is kept, both votes too.
        true if around.contains(char::is_alphanumeric) => undress(&disarm(&raw), wanted).whole,
        true => told.whole,
        false => told.body,
    };
    let has_body = !body.trim().is_empty();
    let without_vote = |notes: Vec<String>| {
        has_body.then(|| Reading::Answer { body: body.clone(), vote: None, notes })
    };
    if !has_body && votes.is_empty() {
        return Err(Again {
            reason: "it was empty".to_owned(),
            code: AgainCode::Empty,
            keep: None,
        });
    }
    if votes.len() > 1 {
        let named: Vec<&str> = votes.iter().map(Choice::as_str).collect();
        let mut kept = notes;
        kept.push(format!("two different votes ({}), so none is counted", named.join(" and ")));
        return Err(Again {
            reason: format!("it holds different votes: {}", named.join(" and ")),
            code: AgainCode::TwoVotes,
            keep: without_vote(kept),
        });
    }
    if let Some(vote) = foreign.first() {
        notes.push(format!("`{vote}` is none of the options and is not counted"));
    }
    let vote = votes.into_iter().next();
    let missing = missing(&body, vote.is_some(), wanted, Demand::Required);
    if !missing.is_empty() {
        let reason = match foreign.first().filter(|_| missing.contains(&"VOTE".to_owned())) {
            Some(vote) => format!("`{vote}` cannot be voted for"),
            None => format!("it lacks {}", missing.join(", ")),
        };
        notes.push(format!("without {}", missing.join(", ")));
        let only_vote = missing == ["VOTE"];
        let kept = has_body.then(|| Reading::Answer {
            body: body.clone(),
            vote: vote.filter(|_| only_vote),
            notes,
        });
        return Err(Again { reason, code: AgainCode::MarkerMissing, keep: kept });
    }
    for word in self::missing(&body, vote.is_some(), wanted, Demand::Wanted) {
        notes.push(format!("without {word}"));
    }
    Ok(Reading::Answer { body, vote, notes })
}

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
    let wanted = Wanted {
        options: options.to_vec(),
        voting_mode: false,
        asks: Vec::new(),
        markers: markers.clone(),
        invited: Vec::new(),
        questions: 0,
        no_vote_is_one: false,
    };
    let whole = disarm(&cut(text));
    let (body, found) = take_votes(&whole, &wanted);
    let mut votes: Vec<&Choice> = Vec::new();
    let mut notes = Vec::new();
    for vote in &found {
        match options.iter().find(|option| option.matches(vote)) {
            Some(option) if votes.contains(&option) => {}
            Some(option) => votes.push(option),
            None => notes.push(format!("`{vote}` is none of the options")),
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

/// What is put behind the prompt when it is sent again.
pub fn ask_again(again: &Again, wanted: &Wanted) -> String {
    let options: Vec<&str> = wanted.options.iter().map(Choice::as_str).collect();
    let mut out = format!(
        "\n# Again, please\n\nYour last answer could not be used: {}. Give the whole answer again, in Markdown.",
        again.reason
    );
    for (word, demand) in &wanted.asks {
        if *demand == Demand::Required && word != "VOTE" {
            out.push_str(&format!(" It needs a line that begins with `{word}:`."));
        }
    }
    let votes =
        wanted.asks.iter().any(|(word, _)| word == "VOTE") || again.code == AgainCode::TwoVotes;
    if votes {
        out.push_str(&format!(
            " End with exactly one line `VOTE: ` and one of {}.",
            options.join(", ")
        ));
    }
    out.push('\n');
    out
}

/// A whole answer in one fence of such a language is the answer.
pub(super) fn unwrap_fence<'t>(text: &'t str, languages: &[&str]) -> &'t str {
    let Some(rest) = text.strip_prefix("```") else { return text };
    let Some((info, inner)) = rest.split_once('\n') else { return text };
    let is_meant = languages.contains(&info.trim().to_ascii_lowercase().as_str());
    match inner.trim_end().strip_suffix("```") {
        Some(inner) if is_meant && !inner.contains("\n```") => inner.trim(),
        _ => text,
    }
}

/// Models copy the rule that ends a comment in the record; directly below a vote it would make it a heading.
fn without_closing_rules(text: &str) -> &str {
    let mut text = text;
    while let Some((above, "---")) = text.trim_ascii_end().rsplit_once('\n') {
        text = above;
    }
    text
}

/// Takes the lines of valid votes out of a body; gives the texts of all its votes.
fn take_votes(body: &str, wanted: &Wanted) -> (String, Vec<String>) {
    // The body is read as handwriting would be: unguarded, so that its own votes are seen.
    let read = unguarded(body, &wanted.markers);
    let mut votes = Vec::new();
    let mut gone = Vec::new();
    for (line, text) in read {
        if wanted.options.iter().any(|option| option.matches(&text)) {
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
    with_comment(body, |comment| {
        let read = comment.read(markers);
        let votes = read.marks.into_iter().filter(|mark| mark.marker == Marker::Vote);
        votes.map(|mark| (mark.line - 1, mark.text)).collect()
    })
}

/// Words of demanded markers that an answer lacks.
fn missing(body: &str, voted: bool, wanted: &Wanted, demand: Demand) -> Vec<String> {
    let asked = wanted.asks.iter().filter(|(_, of)| *of == demand).map(|(word, _)| word);
    let found: Vec<String> = stored_marks(body, &wanted.markers);
    asked
        .filter(|word| if *word == "VOTE" { !voted } else { !found.contains(word) })
        .cloned()
        .collect()
}

/// Words of the markers that a body will have once it is stored, and whose values can be read.
fn stored_marks(body: &str, markers: &MarkerSet) -> Vec<String> {
    let Ok(name) = Name::parse("Reader") else { return Vec::new() };
    let text = format!("---\n\n{}", render(&Draft::Comment(NewComment::by(name, body))));
    let transcript = parse(&text);
    let Some(EntryKind::Comment(comment)) = transcript.entries.first().map(|entry| &entry.kind)
    else {
        return Vec::new();
    };
    let marks = comment.read(markers).marks;
    marks.into_iter().filter(is_readable).map(|mark| mark.marker.word().to_owned()).collect()
}

fn with_comment<T>(body: &str, use_it: impl FnOnce(&Comment) -> T) -> T {
    use_it(&Comment::plain(body))
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
