//! Who may take over where somebody fails who speaks alone.

use std::collections::HashSet;

use super::snapshot::Snapshot;
use crate::state::Speaker;
use crate::template::StandIn;
use crate::transcript::Alias;

/// Most who try in place of one: where several fail in a row, something else is wrong.
const MOST: usize = 2;

impl Snapshot {
    /// Whom the current phase lets take over, in order; nobody where it says so.
    pub(crate) fn stand_ins(&self) -> Vec<Alias> {
        let models = || self.config.participants.iter().filter(|alias| self.config.is_model(alias));
        match self.phase().stand_in {
            StandIn::Nobody => Vec::new(),
            StandIn::Participant => models().cloned().collect(),
            StandIn::Neutral => {
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

    /// Those who speak for something: they hold a role, or have spoken where nobody neutral is wanted.
    fn argued(&self) -> HashSet<Alias> {
        let neutral = |phase: usize| self.template().phases[phase].stand_in == StandIn::Neutral;
        let said = self.state.said.iter().filter(|said| !neutral(said.phase));
        let spoke = said.filter_map(|said| match &said.speaker {
            Speaker::Persona(alias) => Some(alias),
            _ => None,
        });
        spoke.chain(self.config.roles.values().flatten()).cloned().collect()
    }
}
