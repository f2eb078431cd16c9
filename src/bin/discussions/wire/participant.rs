//! Who takes part, in `status --json`.

use std::collections::BTreeSet;

use discussions::engine::Snapshot;
use discussions::participant::Kind;
use discussions::state::{Outcome, Speaker};
use discussions::transcript::Alias;
use serde::Serialize;

use super::status::deciding;

/// Somebody who takes part, or took part without a seat.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Participant {
    pub(crate) name: String,
    /// None for a person without a persona.
    pub(crate) alias: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) vote: Option<String>,
    /// Whether they spoke in the last turn.
    pub(crate) responded: bool,
    /// Index of their last comment in the state, for people.
    #[serde(skip)]
    pub(crate) last: Option<usize>,
    /// What came of asking them last, where that was no answer, for people.
    #[serde(skip)]
    pub(crate) silence: Option<Silence>,
}

/// Why somebody who was asked said nothing.
#[derive(Debug)]
pub(crate) enum Silence {
    /// They had nothing to add.
    Passed,
    /// Their call failed.
    Failed {
        /// A stable word.
        code: String,
        /// The real error.
        message: String,
    },
}

/// Whoever has a seat, then whoever spoke without one.
pub(super) fn participants(snapshot: &Snapshot) -> Vec<Participant> {
    let config = &snapshot.config;
    let mut speakers: Vec<Speaker> = config.seats().cloned().map(Speaker::Persona).collect();
    let mut known: BTreeSet<String> =
        speakers.iter().map(|speaker| speaker.handle().to_owned()).collect();
    for said in &snapshot.state.said {
        if said.speaker.counts() && known.insert(said.speaker.handle().to_owned()) {
            speakers.push(said.speaker.clone());
        }
    }
    let background = config.background.iter().map(|alias| alias.as_str()).collect::<Vec<_>>();
    speakers
        .into_iter()
        .map(|speaker| {
            let alias = speaker.alias().cloned();
            let kind = match &alias {
                None => Kind::Human,
                Some(alias) if background.contains(&alias.as_str()) => Kind::Background,
                Some(alias) => config.persona(alias).map_or(Kind::Voting, |known| known.kind),
            };
            let silence = alias.as_ref().and_then(|alias| silence(snapshot, alias));
            Participant {
                silence,
                name: name(snapshot, &speaker),
                alias: alias.map(|alias| alias.to_string()),
                kind: kind.as_str(),
                vote: deciding(snapshot).0.of(&speaker).map(|vote| vote.choice.to_string()),
                responded: responded(snapshot, &speaker),
                last: snapshot.state.said.iter().rposition(|said| said.speaker == speaker),
            }
        })
        .collect()
}

/// What came of the last turn that asked somebody, unless they spoke.
fn silence(snapshot: &Snapshot, alias: &Alias) -> Option<Silence> {
    let state = &snapshot.state;
    match state.turns.iter().rev().find_map(|turn| turn.outcomes.get(alias))? {
        Outcome::Answered(_) => None,
        Outcome::Passed => Some(Silence::Passed),
        Outcome::Failed { .. } => {
            let failure = state.failures.iter().rfind(|failure| failure.who == *alias)?;
            let (code, message) = (failure.code.clone(), failure.message.clone());
            Some(Silence::Failed { code, message })
        }
    }
}

/// Whether somebody answered the last turn, or spoke after it began without being asked.
fn responded(snapshot: &Snapshot, speaker: &Speaker) -> bool {
    let state = &snapshot.state;
    let asked = state.turns.last().and_then(|turn| turn.outcomes.get(speaker.alias()?));
    if let Some(outcome) = asked {
        return matches!(outcome, Outcome::Answered(_));
    }
    let begins = state.turns.last().map_or(0, |turn| turn.entry);
    state.said.iter().any(|said| said.speaker == *speaker && said.entry >= begins)
}

pub(super) fn name(snapshot: &Snapshot, speaker: &Speaker) -> String {
    match speaker.alias() {
        Some(alias) => snapshot.config.name_of(alias).to_owned(),
        None => speaker.handle().to_owned(),
    }
}
