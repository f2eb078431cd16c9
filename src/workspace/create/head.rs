//! The text of a new discussion: the head, which holds all settings that its results depend on, and below it the
//! checked parameters and the rendered body of the template.

use std::collections::{BTreeMap, HashSet};

use minijinja::value::Serde;
use serde_json::{Map, Value};

use super::NewDiscussion;
use crate::participant::{ParticipantKind, PersonaOrigin, Weight};
use crate::similarity::suggest;
use crate::template::{Parameter, ParameterError, ParameterKind, Template};
use crate::transcript::{Alias, Head, Name, encode, heading, inline};
use crate::view::without_lines;
use crate::workspace::failure::nearest_or;
use crate::workspace::participants::{self, Seat};
use crate::workspace::{Discussions, Help, WorkspaceError};

impl Discussions<'_> {
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
        participants::somebody_decides(template, consensus.method, &roles)?;
        participants::enough_seats(template, new.min_answers, &participants)?;
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
            decide_by: new
                .decide_by
                .as_deref()
                .map(|day| self.decisions().future_day(day))
                .transpose()?,
            label: new.label.as_deref().map(inline),
            not_shown: new.not_shown.clone(),
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

/// Switches that every discussion has, with any template: include dissent in the result, and continue if a provider
/// fails. Both are on by default.
const SWITCHES: [&str; 2] = ["include_dissent", "continue_on_provider_failure"];

/// The parameter of a template for the options to vote on.
const OPTIONS: &str = "options";

/// Returns the definition of a parameter that is on or off.
fn switch() -> Parameter {
    let (default, help) = (Some(Value::from(true)), String::new());
    Parameter { kind: ParameterKind::Boolean, default, min: None, max: None, at_most: None, help }
}

/// Returns the given parameters, and the template's defaults for the rest.
pub(super) fn parameters(
    template: &Template,
    new: &NewDiscussion,
) -> Result<Map<String, Value>, WorkspaceError> {
    let mut values = Map::new();
    for (name, text) in &new.parameters {
        if SWITCHES.contains(&name.as_str()) && !template.parameters.contains_key(name) {
            values.insert(name.clone(), switch().parse(name, text)?);
            continue;
        }
        let parameter = template.parameters.get(name).ok_or_else(|| {
            let known = template.parameters.keys().map(String::as_str);
            let nearest: Vec<_> = suggest(name, known).into_iter().map(str::to_owned).collect();
            let message = format!("the template `{}` has no parameter `{name}`", template.id);
            WorkspaceError::refuse(message)
                .with_help(nearest_or(&nearest, Help::ListParameters(template.id.clone())))
        })?;
        values.insert(name.clone(), parameter.parse(name, text)?);
    }
    if !new.options.is_empty() {
        let parameter = template.parameters.get(OPTIONS).ok_or_else(|| {
            let id = &template.id;
            WorkspaceError::refuse(format!("the template `{id}` has no parameter `{OPTIONS}`"))
        })?;
        let options = new.options.iter().map(|option| option.trim()).collect();
        values.insert(OPTIONS.to_owned(), parameter.check(OPTIONS, options)?);
    }
    for (name, parameter) in &template.parameters {
        if !values.contains_key(name) {
            let default =
                parameter.default.clone().ok_or_else(|| ParameterError::Missing(name.clone()))?;
            values.insert(name.clone(), default);
        }
    }
    Ok(values)
}

/// Renders the template's body. Encodes every text from outside before it inserts it.
pub(super) fn body(
    template: &Template,
    title: &str,
    context: Option<&str>,
    material: &str,
    parameters: &Map<String, Value>,
) -> Result<String, WorkspaceError> {
    let safe = |value: &Value| -> Value {
        match value {
            Value::String(text) => inline(text).into(),
            Value::Array(items) => items
                .iter()
                .map(|item| item.as_str().map_or(item.clone(), |text| inline(text).into()))
                .collect(),
            other => other.clone(),
        }
    };
    let parameters: Map<String, Value> =
        parameters.iter().map(|(name, value)| (name.clone(), safe(value))).collect();
    let names = minijinja::context! {
        title => heading(title),
        context => context.map(encode).unwrap_or_default(),
        material => encode(material),
        params => minijinja::Value::from(Serde(&parameters)),
    };
    let rendered = template.body.render(names);
    let mut text = rendered.map_err(|error| unusable_body(template, &error.to_string()))?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// Removes the questions of the template to the author, and sections that contain nothing else.
pub(super) fn without_placeholders(body: &str, placeholders: &HashSet<String>) -> String {
    let (text, rule) = above_rule(body);
    format!("{}\n{rule}", without_lines(text, placeholders).trim_end())
}

/// Splits the text of a template from the rule that ends it.
fn above_rule(body: &str) -> (&str, &'static str) {
    let text = body.trim_end();
    match text.strip_suffix("\n---") {
        Some(above) => (above.trim_end(), "\n---\n"),
        None => (text, ""),
    }
}

/// Creates the error for a template whose body makes no discussion.
pub(super) fn unusable_body(template: &Template, reason: &str) -> WorkspaceError {
    WorkspaceError::refuse(format!(
        "the body of template `{}` cannot be used: {reason}",
        template.id
    ))
}

/// Inserts one more section, which is encoded already, at the end of the text, before the rule that ends a template's body.
pub(super) fn with_section(body: String, section: &str) -> String {
    if section.is_empty() {
        return body;
    }
    let (text, rule) = above_rule(&body);
    format!("{text}\n\n{section}\n{rule}")
}
