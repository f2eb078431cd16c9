//! Determines the markers that an answer needs, and reads answers. Accepts many formats, returns
//! one canonical format, and reports everything that it drops.

use indexmap::IndexMap;

use super::answer_parser::{option_of, undress};
use super::findings::parse_findings;
use super::forms::{AnswerForm, take, take_text};
use super::prompt::HEADER;
use super::repair::RepairRequest;
use super::snapshot::Snapshot;
use crate::state::{CommentFacts, Turn, Typed, is_readable};
use crate::template::{DecidedBy, Demand};
use crate::transcript::{
    Alias, Choice, Comment, Draft, EntryKind, Marker, MarkerSet, Name, NewComment, cut, disarm,
    parse, render,
};

/// The requirements for an answer.
#[derive(Clone, Debug, Default)]
pub struct AnswerSpec {
    /// The options of the ballot.
    pub options: Vec<Choice>,
    /// Words of the requested markers, each with its demand.
    pub asks: Vec<(String, Demand)>,
    /// The markers that the parser reads.
    pub markers: MarkerSet,
    /// Words of markers that the header or the task names. Like the requested markers, they are read in any formatting.
    pub invited: Vec<String>,
    /// Number of questions in the discussion. `A2:` answers the second one.
    pub questions: usize,
    /// True if a missing vote counts as a vote here, so that an empty answer is allowed.
    pub no_vote_is_one: bool,
    /// The only markers that count, if the answer is a text for a reader.
    pub text: Option<Vec<String>>,
    /// The text that the answer lists findings about.
    pub reviewed: Option<String>,
}

/// The content of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A comment.
    Answer {
        /// Canonical text without the vote. Lines that look like votes are escaped when the comment is stored.
        body: String,
        /// The only valid vote.
        vote: Option<Choice>,
        /// Parts of the answer that do not count, described for people.
        notes: Vec<String>,
    },
    /// The participant has nothing to say.
    Pass,
}

impl AnswerSpec {
    /// Returns the requirements for one participant of a turn.
    pub fn of(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Self {
        let phase = &snapshot.template().phases[turn.phase];
        let asks: Vec<(String, Demand)> = demanded(snapshot, turn, alias).into_iter().collect();
        if phase.is_text_in(turn) {
            let asked = asks.iter().map(|(word, _)| word);
            let counted: Vec<String> = asked.chain(&phase.counts).cloned().collect();
            return Self {
                options: Vec::new(),
                asks,
                markers: snapshot.config.markers.clone(),
                invited: phase.counts.clone(),
                questions: 0,
                no_vote_is_one: false,
                text: Some(counted),
                reviewed: phase.findings.then(|| snapshot.text_before(turn)),
            };
        }
        Self {
            options: snapshot.config.options[turn.phase].clone(),
            asks,
            markers: snapshot.config.markers.clone(),
            invited: invited(snapshot, turn, alias),
            questions: snapshot.state.numbered_questions,
            no_vote_is_one: phase.no_vote_is.is_some(),
            text: None,
            reviewed: None,
        }
    }
}

/// Reads an answer.
///
/// # Errors
/// Returns a [`RepairRequest`] if the answer is empty, contains two different votes or lacks a required marker.
pub fn read(raw: &str, wanted: &AnswerSpec) -> Result<Reading, RepairRequest> {
    let raw = cut(raw);
    if let Some(counted) = &wanted.text {
        return read_text(&raw, wanted, counted);
    }
    let AnswerForm { text, votes: stated, around, mut notes, .. } = match take(&raw, wanted) {
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
    let body = if votes.len() <= 1 {
        told.body
    } else if around.contains(char::is_alphanumeric) {
        // It is unclear which of the two votes is meant, so the body keeps everything, including both votes.
        undress(&disarm(&raw), wanted).whole
    } else {
        told.whole
    };
    if body.trim().is_empty() && votes.is_empty() {
        return Err(RepairRequest::empty());
    }
    if votes.len() > 1 {
        return Err(RepairRequest::two_votes(body, &votes, notes));
    }
    if let Some(vote) = foreign.first() {
        notes.push(format!("`{vote}` is not an option, so this vote is not counted"));
    }
    let vote = votes.into_iter().next();
    let missing = |is: &dyn Fn(&Demand) -> bool| missing(&body, vote.is_some(), wanted, is);
    let required = missing(&|demand| *demand == Demand::Required);
    if !required.is_empty() {
        return Err(RepairRequest::lacking(required, foreign.first(), body, vote, notes));
    }
    let with_vote = missing(
        &|demand| matches!((demand, &vote), (Demand::With(option), Some(vote)) if option == vote),
    );
    if !with_vote.is_empty() {
        return Err(RepairRequest::lacking_with(with_vote, body, vote, notes));
    }
    let absent = missing(&|demand| *demand == Demand::Wanted);
    // An answer with an unknown option has a `VOTE:` line; a note above already reports that option.
    for word in absent.iter().filter(|word| foreign.is_empty() || *word != "VOTE") {
        notes.push(format!("the answer has no `{word}: ...` line"));
    }
    Ok(Reading::Answer { body, vote, notes })
}

/// Reads a text for a reader: nothing in it is converted, except the form of the markers that count.
fn read_text(raw: &str, wanted: &AnswerSpec, counted: &[String]) -> Result<Reading, RepairRequest> {
    let Some((text, mut notes)) = take_text(raw, wanted) else { return Ok(Reading::Pass) };
    let text = without_closing_rules(unwrap_fence(text.trim_ascii(), &["markdown", "md"]));
    let text = disarm(text);
    let body = if counted.is_empty() { text } else { undress(&text, wanted).whole };
    if body.trim().is_empty() {
        return Err(RepairRequest::empty());
    }
    let missing = |is: &dyn Fn(&Demand) -> bool| missing(&body, false, wanted, is);
    let required = missing(&|demand| *demand == Demand::Required);
    if !required.is_empty() {
        return Err(RepairRequest::lacking(required, None, body, None, notes));
    }
    for word in missing(&|demand| *demand == Demand::Wanted) {
        notes.push(format!("the answer has no `{word}: ...` line"));
    }
    if let Some(reviewed) = &wanted.reviewed {
        notes.extend(parse_findings(&body).notes(reviewed));
    }
    Ok(Reading::Answer { body, vote: None, notes })
}

/// Returns the content of a fence that encloses the whole answer, if its language is in the list.
pub(super) fn unwrap_fence<'t>(text: &'t str, languages: &[&str]) -> &'t str {
    let Some(rest) = text.strip_prefix("```") else { return text };
    let Some((info, inner)) = rest.split_once('\n') else { return text };
    let is_meant = languages.contains(&info.trim().to_ascii_lowercase().as_str());
    match inner.trim_end().strip_suffix("```") {
        Some(inner) if is_meant && !inner.contains("\n```") => inner.trim(),
        _ => text,
    }
}

/// Removes `---` lines at the end. Models copy them from the discussion. Directly below a vote, a
/// `---` line would turn the vote into a heading.
fn without_closing_rules(text: &str) -> &str {
    let mut text = text;
    while let Some((above, "---")) = text.trim_ascii_end().rsplit_once('\n') {
        text = above;
    }
    text
}

/// Returns the words of the markers that the answer lacks, among those with a demand that `is_demanded` accepts.
fn missing(
    body: &str,
    voted: bool,
    wanted: &AnswerSpec,
    is_demanded: &dyn Fn(&Demand) -> bool,
) -> Vec<String> {
    let asked = wanted.asks.iter().filter(|(_, demand)| is_demanded(demand)).map(|(word, _)| word);
    let found: Vec<String> = stored_marks(body, &wanted.markers);
    asked
        .filter(|word| if *word == "VOTE" { !voted } else { !found.contains(word) })
        .cloned()
        .collect()
}

/// Returns the words of the markers with readable values that the body will contain once it is stored.
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

/// Returns the text of the first marker of this kind in a body, if its value is readable.
pub(super) fn line_of(body: &str, word: &str, markers: &MarkerSet) -> Option<String> {
    let marks = Comment::plain(body).read(markers).marks;
    marks
        .into_iter()
        .find(|mark| mark.marker.word() == word && is_readable(mark))
        .map(|mark| mark.text)
}

/// Returns the markers to request from one participant: those of the phase, and a decision from the participant that
/// decides.
///
/// A participant that answers a mention is asked for no markers, and one without the right to vote is asked for no
/// vote.
pub(super) fn demanded(
    snapshot: &Snapshot,
    turn: &Turn,
    alias: &Alias,
) -> IndexMap<String, Demand> {
    if turn.line.is_aside() {
        return IndexMap::new();
    }
    let phase = &snapshot.template().phases[turn.phase];
    let mut asks = phase.asks.clone();
    if !snapshot.config.may_vote(alias) {
        asks.shift_remove("VOTE");
    }
    // With this method the decision is the result, so a text without a decision is not a result (INV-DISC-003).
    if phase.decides() && snapshot.config.rules.method.decided_by() == DecidedBy::StatedDecision {
        asks.insert("DECISION".to_owned(), Demand::Required);
    }
    asks
}

/// Returns the words of markers that the header or the phase's instructions name, and the template's own markers. A
/// vote is among them if the participant may vote and this discussion counts votes: an early vote counts until the
/// ballot begins.
pub(super) fn invited(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Vec<String> {
    let template = snapshot.template();
    let by_votes = snapshot.config.rules.method.decided_by() == DecidedBy::Votes
        && snapshot.config.may_vote(alias)
        && !turn.line.is_aside();
    let instructions = template.phases[turn.phase].instructions.source();
    let vote = Marker::Vote.word();
    let built_in = Marker::words().filter(|word| {
        if *word == vote { by_votes } else { names(HEADER, word) || names(instructions, word) }
    });
    built_in.map(str::to_owned).chain(template.markers.iter().cloned()).collect()
}

/// Returns true if a text contains a marker's word with its colon.
fn names(text: &str, word: &str) -> bool {
    text.match_indices(&format!("{word}:"))
        .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

impl Snapshot {
    /// Returns true if a comment contains every marker that its phase requires, so that it counts as a contribution. A
    /// missing vote is an abstention, which is a contribution too.
    pub(crate) fn holds_what_is_required(&self, said: &CommentFacts) -> bool {
        self.required(said.phase).all(|word| {
            said.marks.iter().any(|mark| mark.marker.word() == word && Typed::of(mark).is_some())
        })
    }

    /// Returns true if a participant that passes still counts as a contributor. False if the phase requires a marker.
    pub(super) fn takes_a_pass(&self, phase: usize) -> bool {
        self.required(phase).next().is_none()
    }

    /// Returns the markers that a phase requires, without the vote.
    fn required(&self, phase: usize) -> impl Iterator<Item = &str> {
        let asks = self.template().phases[phase].asks.iter();
        let required = asks.filter(|(_, demand)| **demand == Demand::Required);
        required.map(|(word, _)| word.as_str()).filter(|word| *word != Marker::Vote.word())
    }
}
