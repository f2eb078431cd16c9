//! Builds the head of a new discussion, which holds all settings that its results depend on.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::NewDiscussion;
use crate::participant::{ParticipantKind, PersonaOrigin, Weight};
use crate::template::Template;
use crate::transcript::{Alias, Head, Name};
use crate::workspace::participants::Seat;
use crate::workspace::{Workspace, WorkspaceError, bounds};

impl Workspace {
    pub(super) fn head(
        &self,
        template: &Template,
        new: &NewDiscussion,
        seats: &[Seat],
        parameters: Map<String, Value>,
    ) -> Result<Head, WorkspaceError> {
        let of = |votes: bool| {
            let seats = seats.iter().filter(move |seat| seat.votes() == votes);
            seats.map(|seat| seat.persona.alias.clone()).collect::<Vec<_>>()
        };
        let participants = of(true);
        let (roles, holders) = self.roles(template, new, &participants)?;
        let all: Vec<&Seat> = seats.iter().chain(&holders).collect();
        let consensus =
            new.consensus.clone().or(&template.consensus).or(&self.setup.config.consensus);
        let built_in = consensus.method.unwrap_or_default().defaults();
        let consensus = consensus.or(&built_in);
        bounds::somebody_decides(template, consensus.method, &roles)?;
        bounds::enough_seats(template, new.min_answers, &participants)?;
        let mut parameters = parameters;
        if let Some(least) = new.min_answers {
            parameters.insert("min_providers".to_owned(), least.into());
        }
        let everybody: Vec<Alias> = participants
            .iter()
            .cloned()
            .chain(of(false))
            .chain(roles.values().flatten().cloned())
            .collect();
        let is_agent =
            |alias: &Alias| all.iter().any(|seat| seat.persona.alias == *alias && seat.is_agent());
        let is_unnamed = |alias: &Alias| {
            all.iter().any(|seat| seat.persona.alias == *alias && seat.is_unnamed_person())
        };
        let kind = |alias: &Alias| {
            let seat = all.iter().find(|seat| seat.persona.alias == *alias);
            let persona = seat.map(|seat| &seat.persona);
            persona.or_else(|| self.setup.roster.by_alias(alias)).map(|persona| persona.kind)
        };
        let (mut agents, mut named): (Vec<Alias>, Vec<Alias>) =
            everybody.into_iter().partition(is_agent);
        let mut people = named.clone();
        people.retain(|alias| kind(alias) == Some(ParticipantKind::Human));
        named.retain(|alias| !is_unnamed(alias));
        for seated in [&mut agents, &mut people] {
            seated.sort();
            seated.dedup();
        }
        let names = self.foreign_names(&all, &named);
        // Bare providers and personas get different weights only if both vote (INV-DISC-642).
        let is_bare = |seat: &Seat| seat.neutral && seat.persona.kind == ParticipantKind::Voting;
        let mixed = seats.iter().any(is_bare);
        let usual = |seat: &Seat| {
            if mixed && !seat.neutral && seat.persona.kind == ParticipantKind::Voting {
                Weight::AGENT
            } else {
                Weight::default()
            }
        };
        let weights = seats.iter().map(|seat| {
            let weight = seat.persona.weight.unwrap_or_else(|| usual(seat));
            (seat.persona.alias.as_str().to_owned(), weight.get())
        });
        Ok(Head {
            template: Some(template.id.clone()),
            created: Some(self.now().format("%Y-%m-%dT%H:%M:%SZ").to_string()),
            participants: Some(participants),
            background: of(false),
            agents,
            people,
            roles,
            parameters,
            consensus: match serde_json::to_value(&consensus) {
                Ok(Value::Object(map)) => map,
                _ => Map::new(),
            },
            weights: weights.filter(|(_, weight)| (*weight - 1.0).abs() > f64::EPSILON).collect(),
            providers: all
                .iter()
                .filter_map(|seat| {
                    Some((seat.persona.alias.as_str().to_owned(), seat.provider.clone()?))
                })
                .collect(),
            names,
            nesting: template
                .nests()
                .then(|| template.nesting.clone().unwrap_or_default().of_template()),
            ..Head::default()
        })
    }

    /// Returns the names of personas that other machines may not know, so that every machine parses the file alike.
    fn foreign_names(&self, seats: &[&Seat], aliases: &[Alias]) -> BTreeMap<Alias, Name> {
        let bundled = |alias: &Alias| {
            let member = self.setup.roster.iter().find(|member| member.persona.alias == *alias);
            member.is_some_and(|member| member.origin == PersonaOrigin::Bundled)
        };
        let name = |alias: &Alias| {
            let seat =
                seats.iter().find(|seat| seat.persona.alias == *alias).map(|seat| &seat.persona);
            seat.or_else(|| self.setup.roster.by_alias(alias)).map(|persona| persona.name.clone())
        };
        let foreign = aliases.iter().filter(|alias| !bundled(alias));
        foreign.filter_map(|alias| Some((alias.clone(), name(alias)?))).collect()
    }
}
