//! The participants of a discussion.

use foldhash::{HashMap, HashSet};
use schemars::JsonSchema;
use serde::Serialize;

use super::sentence::said_with;
use super::status::deciding;
use crate::engine::Snapshot;
use crate::participant::ParticipantKind;
use crate::state::{FailedCall, Speaker, TurnOutcome, Vote};
use crate::transcript::{Alias, EntryKind};

/// A participant, or the author of a comment who is not a participant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Participant {
    /// The name, as it is shown.
    pub name: String,
    /// None for a person without a persona.
    pub alias: Option<String>,
    /// The kind: a model or a person, with or without a vote.
    #[serde(rename = "type")]
    pub kind: ParticipantKind,
    /// The latest vote that counts.
    pub vote: Option<String>,
    /// True if they spoke in the last turn.
    pub responded: bool,
    /// True if the last turn asked them, or its phase does.
    #[serde(skip)]
    pub asked: bool,
    /// The last comment, without its vote.
    #[serde(skip)]
    pub last: Option<String>,
    /// The text with the latest vote that counts, without marker lines if there is other text.
    #[serde(skip)]
    pub reason: Option<String>,
    /// The outcome of the last call, if it was not an answer.
    #[serde(skip)]
    pub silence: Option<Silence>,
}

impl Participant {
    /// Returns the code and the message of the last call, if it failed.
    pub fn failure(&self) -> Option<(&str, &str)> {
        match self.silence.as_ref()? {
            Silence::Failed { code, message } => Some((code, message)),
            Silence::Passed => None,
        }
    }
}

/// The reason why a participant that was asked gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The participant had nothing to add.
    Passed,
    /// The call failed.
    Failed {
        /// The stable word for the kind of failure.
        code: String,
        /// The error message.
        message: String,
    },
}

/// Returns the participants in the head, followed by other authors of comments.
pub(super) fn participants(snapshot: &Snapshot) -> Vec<Participant> {
    let latest = Latest::of(snapshot);
    let config = &snapshot.config;
    let mut speakers: Vec<Speaker> = config.seats().cloned().map(Speaker::Persona).collect();
    let mut known: HashSet<&str> = config.seats().map(Alias::as_str).collect();
    for said in &snapshot.state.said {
        if said.speaker.counts() && known.insert(said.speaker.handle()) {
            speakers.push(said.speaker.clone());
        }
    }
    let background: HashSet<&Alias> = config.background.iter().collect();
    let turn = snapshot.state.turns.last();
    let asked: HashSet<Alias> = turn
        .map(|turn| config.speakers(turn.phase).into_iter().chain(turn.line.asks.iter().cloned()))
        .into_iter()
        .flatten()
        .collect();
    let one = |speaker: Speaker| {
        let alias = speaker.alias();
        let kind = match alias {
            None if matches!(speaker, Speaker::Agent(_)) => ParticipantKind::Agent,
            None => ParticipantKind::Human,
            Some(alias) if config.is_agent(alias) => ParticipantKind::Agent,
            Some(alias) if background.contains(alias) => ParticipantKind::Background,
            Some(alias) => {
                config.persona(alias).map_or(ParticipantKind::Voting, |known| known.kind)
            }
        };
        Participant {
            name: name(snapshot, &speaker),
            alias: alias.map(ToString::to_string),
            kind,
            vote: latest.vote(&speaker).map(|vote| vote.choice.to_string()),
            reason: latest.vote(&speaker).map(|vote| said_with(snapshot, vote)),
            responded: latest.responded(snapshot, &speaker),
            asked: alias.is_some_and(|alias| asked.contains(alias)),
            last: latest.said.get(&speaker).map(|said| body(snapshot, *said)),
            silence: alias.and_then(|alias| latest.silence(alias)),
        }
    };
    speakers.into_iter().map(one).collect()
}

/// The last actions of all participants, found in one pass.
struct Latest<'s> {
    /// The index of the last comment.
    said: HashMap<&'s Speaker, usize>,
    votes: HashMap<&'s Speaker, &'s Vote>,
    outcomes: HashMap<&'s Alias, &'s TurnOutcome>,
    failures: HashMap<&'s Alias, &'s FailedCall>,
}

impl<'s> Latest<'s> {
    fn of(snapshot: &'s Snapshot) -> Self {
        let state = &snapshot.state;
        let votes = deciding(snapshot).0.votes.iter();
        Self {
            said: state.said.iter().enumerate().map(|(at, said)| (&said.speaker, at)).collect(),
            votes: votes.map(|vote| (&vote.speaker, vote)).collect(),
            outcomes: state.turns.iter().flat_map(|turn| &turn.outcomes).collect(),
            failures: state.failures.iter().map(|failure| (&failure.who, failure)).collect(),
        }
    }

    fn vote(&self, speaker: &Speaker) -> Option<&'s Vote> {
        self.votes.get(speaker).copied()
    }

    /// Returns the outcome of the participant's last call, if it was not an answer.
    fn silence(&self, alias: &Alias) -> Option<Silence> {
        match self.outcomes.get(alias)? {
            TurnOutcome::Answered(_) => None,
            TurnOutcome::Passed => Some(Silence::Passed),
            TurnOutcome::Failed { .. } => {
                let failure = self.failures.get(alias)?;
                let (code, message) = (failure.code.clone(), failure.message.clone());
                Some(Silence::Failed { code, message })
            }
        }
    }

    /// Returns whether a participant answered the last turn, or commented after it began without being asked.
    fn responded(&self, snapshot: &Snapshot, speaker: &Speaker) -> bool {
        let turn = snapshot.state.turns.last();
        if let Some(outcome) = turn.and_then(|turn| turn.outcomes.get(speaker.alias()?)) {
            return matches!(outcome, TurnOutcome::Answered(_));
        }
        let begins = turn.map_or(0, |turn| turn.entry);
        let last = self.said.get(speaker).map(|said| snapshot.state.said[*said].entry);
        last.is_some_and(|entry| entry >= begins)
    }
}

fn body(snapshot: &Snapshot, said: usize) -> String {
    let entry = snapshot.transcript.entries.get(snapshot.state.said[said].entry);
    match entry.map(|entry| &entry.kind) {
        Some(EntryKind::Comment(comment)) => comment.body(),
        _ => String::new(),
    }
}

pub(super) fn name(snapshot: &Snapshot, speaker: &Speaker) -> String {
    match speaker.alias() {
        Some(alias) => snapshot.config.name_of(alias).to_owned(),
        None => speaker.handle().to_owned(),
    }
}
