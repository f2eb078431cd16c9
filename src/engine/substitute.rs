//! Substitutes for a participant if its call failed in a phase with a single speaker.

use std::collections::HashSet;

use super::snapshot::Snapshot;
use crate::state::Speaker;
use crate::template::Substitute;
use crate::transcript::Alias;

/// Maximum number of substitutes that are tried. If several fail in a row, another problem is likely.
const MOST: usize = 2;

impl Snapshot {
    /// Returns the substitutes that the current phase allows, in order. Empty if it allows none.
    pub(crate) fn stand_ins(&self) -> Vec<Alias> {
        let models = || self.config.participants.iter().filter(|alias| self.config.is_model(alias));
        match self.phase().stand_in {
            Substitute::Nobody => Vec::new(),
            Substitute::Participant => models().cloned().collect(),
            Substitute::Neutral => {
                let argued = self.argued();
                let seats: HashSet<&Alias> = self.config.seats().collect();
                let roster = self.config.roster().iter().map(|member| &member.persona);
                let others = roster.filter(|it| it.kind.votes() && !seats.contains(&it.alias));
                let others = others.map(|it| &it.alias).filter(|it| self.config.is_model(it));
                let all = models().chain(others).filter(|alias| !argued.contains(*alias));
                all.take(MOST).cloned().collect()
            }
        }
    }

    /// Returns the participants that are not neutral: they hold a role, or have spoken in a phase that needs no neutral
    /// speaker.
    fn argued(&self) -> HashSet<Alias> {
        let neutral = |phase: usize| self.template().phases[phase].stand_in == Substitute::Neutral;
        let said = self.state.said.iter().filter(|said| !neutral(said.phase));
        let spoke = said.filter_map(|said| match &said.speaker {
            Speaker::Persona(alias) => Some(alias),
            _ => None,
        });
        spoke.chain(self.config.roles.values().flatten()).cloned().collect()
    }
}
