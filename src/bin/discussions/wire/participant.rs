//! Who takes part, in `status --json`.

use std::collections::{BTreeSet, HashMap, HashSet};

use discussions::engine::Situation;
use discussions::participant::Kind;
use discussions::state::{FailedCall, Outcome, Speaker};
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
pub(super) fn participants(situation: &Situation<'_>) -> Vec<Participant> {
    let charter = situation.charter;
    let mut speakers: Vec<Speaker> = charter.seats().cloned().map(Speaker::Persona).collect();
    let mut known: BTreeSet<String> =
        speakers.iter().map(|speaker| speaker.handle().to_owned()).collect();
    for said in &situation.state.said {
        if said.speaker.counts() && known.insert(said.speaker.handle().to_owned()) {
            speakers.push(said.speaker.clone());
        }
    }
    let (ballot, _) = deciding(situation);
    let background: HashSet<&Alias> = charter.background.iter().collect();
    // The last failure of each.
    let failures = situation.state.failures.iter().map(|failure| (&failure.who, failure)).collect();
    speakers
        .into_iter()
        .map(|speaker| {
            let alias = speaker.alias().cloned();
            let kind = match &alias {
                None => Kind::Human,
                Some(alias) if background.contains(alias) => Kind::Background,
                Some(alias) => charter.persona(alias).map_or(Kind::Voting, |known| known.kind),
            };
            let silence = alias.as_ref().and_then(|alias| silence(situation, alias, &failures));
            Participant {
                silence,
                name: name(situation, &speaker),
                alias: alias.map(|alias| alias.to_string()),
                kind: kind.as_str(),
                vote: ballot.of(&speaker).map(|vote| vote.choice.to_string()),
                responded: responded(situation, &speaker),
                last: situation.state.last_said(&speaker),
            }
        })
        .collect()
}

/// What came of the last turn that asked somebody, unless they spoke.
fn silence(
    situation: &Situation<'_>,
    alias: &Alias,
    failures: &HashMap<&Alias, &FailedCall>,
) -> Option<Silence> {
    let state = &situation.state;
    match state.last_outcome(alias)? {
        Outcome::Answered(_) => None,
        Outcome::Passed => Some(Silence::Passed),
        Outcome::Failed { .. } => {
            let failure = failures.get(alias)?;
            let (code, message) = (failure.code.clone(), failure.message.clone());
            Some(Silence::Failed { code, message })
        }
    }
}

/// Whether somebody answered the last turn, or spoke after it began without being asked.
fn responded(situation: &Situation<'_>, speaker: &Speaker) -> bool {
    let state = &situation.state;
    let asked = state.turns.last().and_then(|turn| turn.outcomes.get(speaker.alias()?));
    if let Some(outcome) = asked {
        return matches!(outcome, Outcome::Answered(_));
    }
    let begins = state.turns.last().map_or(0, |turn| turn.entry);
    state.last_said(speaker).is_some_and(|index| state.said[index].entry >= begins)
}

pub(super) fn name(situation: &Situation<'_>, speaker: &Speaker) -> String {
    match speaker.alias() {
        Some(alias) => situation.charter.name_of(alias).to_owned(),
        None => speaker.handle().to_owned(),
    }
}
