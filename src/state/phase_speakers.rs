//! Who speaks in a phase, and whose votes are counted.

use foldhash::HashSet;

use super::discussion_config::DiscussionConfig;
use crate::template::{Demand, Phase, Speakers, SpeakersWord};
use crate::transcript::Alias;

impl DiscussionConfig {
    /// Who has a seat without a vote and is asked too: where everybody speaks and nothing is voted on.
    pub(crate) fn listeners(&self, phase: usize) -> &[Alias] {
        let phase = &self.template.phases[phase];
        let everybody = matches!(phase.speakers, Speakers::All | Speakers::Word(SpeakersWord::All));
        let votes = phase.voting_mode || phase.asks.get("VOTE") == Some(&Demand::Required);
        if everybody && !votes { &self.background } else { &[] }
    }

    /// Whether a phase leaves this participant out.
    fn is_left_out(&self, phase: &Phase, alias: &Alias) -> bool {
        phase.except.iter().any(|name| match self.roles.get(name) {
            Some(holders) => holders.contains(alias),
            None => name == alias.as_str(),
        })
    }

    /// Participants whose votes are counted: all but those whom a phase leaves out of its ballot.
    pub(crate) fn voters(&self) -> impl Iterator<Item = &Alias> {
        self.participants.iter().filter(|alias| !self.sits_out(alias))
    }

    /// Whether a phase whose votes decide leaves this participant out.
    pub(super) fn sits_out(&self, alias: &Alias) -> bool {
        let mut phases = self.template.phases.iter().filter(|phase| phase.voting_mode);
        phases.any(|phase| self.is_left_out(phase, alias))
    }

    /// Who speaks in a phase by its template, where that does not depend on mentions; its rounds are theirs.
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
                        match self.template.roles.contains_key(name) {
                            true => Vec::new(),
                            false => alias(),
                        }
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
