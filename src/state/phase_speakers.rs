//! Lists the participants that are asked in a phase, and those that have a vote.

use foldhash::HashSet;

use super::discussion_config::DiscussionConfig;
use crate::template::{Demand, Phase, Speakers, SpeakersWord};
use crate::transcript::Alias;

impl DiscussionConfig {
    /// Returns the background participants that are asked in a phase: all of them if the phase asks everyone and
    /// takes no votes.
    pub(crate) fn listeners(&self, phase: usize) -> &[Alias] {
        let phase = &self.template.phases[phase];
        let everybody = matches!(phase.speakers, Speakers::All | Speakers::Word(SpeakersWord::All));
        let votes = phase.voting_mode || phase.asks.get("VOTE") == Some(&Demand::Required);
        if everybody && !votes { &self.background } else { &[] }
    }

    /// Returns true if a phase excludes this participant.
    fn is_left_out(&self, phase: &Phase, alias: &Alias) -> bool {
        phase.except.iter().any(|name| match self.roles.get(name) {
            Some(holders) => holders.contains(alias),
            None => name == alias.as_str(),
        })
    }

    /// Returns the participants that have a vote: all except those that a voting phase excludes.
    pub(crate) fn voters(&self) -> impl Iterator<Item = &Alias> {
        self.participants.iter().filter(|alias| !self.sits_out(alias))
    }

    /// Returns true if this phase has deciding votes and excludes this participant.
    pub(super) fn sits_out(&self, alias: &Alias) -> bool {
        let mut phases = self.template.phases.iter().filter(|phase| phase.voting_mode);
        phases.any(|phase| self.is_left_out(phase, alias))
    }

    /// Returns the participants that a phase asks by its template, as far as that does not depend on mentions. A
    /// round of the phase asks all of them.
    pub(crate) fn speakers(&self, phase: usize) -> Vec<Alias> {
        let mut speakers = self.listed_speakers(phase);
        let phase = &self.template.phases[phase];
        speakers.retain(|alias| !self.is_left_out(phase, alias));
        speakers
    }

    fn listed_speakers(&self, phase: usize) -> Vec<Alias> {
        match &self.template.phases[phase].speakers {
            Speakers::All | Speakers::Word(SpeakersWord::All) => self.participants.clone(),
            Speakers::Word(SpeakersWord::Mentioned | SpeakersWord::None) => Vec::new(),
            Speakers::List(names) => {
                let (mut speakers, mut known) = (Vec::new(), HashSet::default());
                for name in names {
                    let alias = || Alias::parse(name).into_iter().collect();
                    let holders = self.roles.get(name).cloned().unwrap_or_else(|| {
                        if self.template.roles.contains_key(name) { Vec::new() } else { alias() }
                    });
                    for holder in holders {
                        if known.insert(holder.clone()) {
                            speakers.push(holder);
                        }
                    }
                }
                speakers
            }
        }
    }
}
