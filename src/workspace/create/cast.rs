//! Chooses the participants and the roles of a new discussion.

use std::iter;

use minijinja::value::Serde;
use serde_json::{Map, Value};

use super::{NeutralModel, NewDiscussion};
use crate::codes::ErrorCode;
use crate::participant::{ParticipantKind, Persona};
use crate::state::{Seats, deal};
use crate::template::Template;
use crate::transcript::{Alias, Name};
use crate::workspace::participants::{Seat, cannot_take_part, seats};
use crate::workspace::{Discussions, Help, WorkspaceError};

impl Discussions<'_> {
    /// Returns the participants: from the flag, or else the configuration, the template, or the built-in ones. Leaves
    /// out those that the template drops.
    pub(super) fn seat(
        &self,
        template: &Template,
        new: &NewDiscussion,
        parameters: &Map<String, Value>,
    ) -> Result<Vec<Seat>, WorkspaceError> {
        if !new.models.is_empty() {
            let seats = new.models.iter().map(|model| self.neutral_seat(model));
            return seats.collect();
        }
        if !new.participants.is_empty() {
            return self.seated(template, &new.participants, parameters, |text| new.own(text));
        }
        let aliases = |aliases: &[Alias]| {
            aliases.iter().map(|alias| alias.as_str().to_owned()).collect::<Vec<_>>()
        };
        let own = match template.participants.default.as_slice() {
            [] => aliases(&crate::view::default_participants()),
            own => own.to_vec(),
        };
        let configured = self.setup.config.default_participants.as_deref();
        match configured.filter(|_| !template.participants.fixed) {
            None | Some([]) => self.seated(template, &own, parameters, |_| None),
            Some(configured) => {
                match self.seated(template, &aliases(configured), parameters, |_| None) {
                    // The user did not choose these for this template, so the template may choose its own.
                    Err(WorkspaceError::ParticipantCount { .. }) => {
                        self.seated(template, &own, parameters, |_| None)
                    }
                    seats => seats,
                }
            }
        }
    }

    /// Returns a participant for a model without a persona.
    fn neutral_seat(&self, model: &NeutralModel) -> Result<Seat, WorkspaceError> {
        self.registry().find(&model.provider)?;
        let persona = Alias::parse(&model.alias).and_then(Persona::neutral);
        let persona = persona.map_err(|reason| cannot_take_part(&model.alias, &reason))?;
        let name = Name::parse(&model.name);
        let name = name.map_err(|reason| cannot_take_part(&model.name, &reason))?;
        let persona = Persona { name, provider_hint: None, ..persona };
        Ok(Seat { persona, provider: Some(model.provider.clone()), neutral: true })
    }

    fn seated(
        &self,
        template: &Template,
        named: &[String],
        parameters: &Map<String, Value>,
        own: impl Fn(&str) -> Option<ParticipantKind>,
    ) -> Result<Vec<Seat>, WorkspaceError> {
        let dropped = |alias: &str| {
            template.participants.drop.get(alias).is_some_and(|expression| {
                let names =
                    minijinja::context! { params => minijinja::Value::from(Serde(parameters)) };
                expression.eval(names).is_ok_and(|value| value.is_true())
            })
        };
        let mut seats = seats(self, named.iter().map(String::as_str), own)?;
        seats.retain(|seat| !dropped(seat.persona.alias.as_str()));
        let count = seats.iter().filter(|seat| seat.votes()).count();
        let (min, max) = (template.participants.min, template.participants.max);
        let few = min.is_some_and(|min| count < min as usize) || count == 0;
        if few || max.is_some_and(|max| count > max as usize) {
            let bounds = match (min, max) {
                (Some(min), Some(max)) if min == max => min.to_string(),
                (Some(min), Some(max)) => format!("{min} to {max}"),
                (None, Some(max)) => format!("at most {max}"),
                (min, None) => format!("at least {}", min.unwrap_or(1)),
            };
            let template = template.id.clone();
            return Err(WorkspaceError::ParticipantCount { template, bounds, count });
        }
        Ok(seats)
    }

    /// Assigns the roles. Also returns the participants that a flag named for a role, with their providers.
    pub(super) fn roles(
        &self,
        template: &Template,
        new: &NewDiscussion,
        participants: &[Alias],
    ) -> Result<(Seats, Vec<Seat>), WorkspaceError> {
        let mut given = Seats::new();
        let mut named = Vec::new();
        for (who, role) in &new.roles {
            let Some(role) = template.role(role) else {
                let names =
                    template.roles.iter().flat_map(|(own, role)| iter::once(own).chain(&role.also));
                let known: Vec<&str> = names.map(String::as_str).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(WorkspaceError::refuse(format!(
                    "the template `{}` has no role `{role}`; it has: {known}",
                    template.id
                )));
            };
            for seat in seats(self, [who.as_str()], |text| new.own(text))? {
                given.entry(role.to_owned()).or_default().push(seat.persona.alias.clone());
                named.push(seat);
            }
        }
        let dealt = deal(template, participants, &given);
        if let Some(role) = dealt.empty.first() {
            let message = format!("no participant is left for the role {role}");
            return Err(WorkspaceError::refuse(message)
                .with_code(ErrorCode::InvalidRoles)
                .with_help(Help::GiveRole));
        }
        // The `else` of a role must name a participant.
        for alias in dealt.roles.values().flatten().filter(|alias| !participants.contains(alias)) {
            seats(self, [alias.as_str()], |text| new.own(text))?;
        }
        Ok((dealt.roles, named))
    }
}
