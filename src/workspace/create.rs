//! Making a discussion: its head, its text, its file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use minijinja::value::Serde;
use serde_json::{Map, Value};

use super::Workspace;
use super::bounds;
use super::error::WorkspaceError;
use super::seats::{Seat, SeatError, seats};
use crate::participant::Origin;
use crate::state::{Charter, Seats, deal};
use crate::store;
use crate::template::{ConsensusConfig, Expressions, Template};
use crate::transcript::{Alias, BODY_LIMIT, Head, encode, heading, inline, one_line, parse};

/// Most characters of a title or topic.
const LONGEST_TITLE: usize = 5_000;

/// What a new discussion is made of.
#[derive(Clone, Debug, Default)]
pub struct NewDiscussion {
    /// The title, one line.
    pub title: String,
    /// The template; none: the configured one, else `feature`.
    pub template: Option<String>,
    /// What it is about; none: the template's own hints.
    pub context: Option<String>,
    /// Personas, providers, or `persona=provider`; empty: the configured ones.
    pub participants: Vec<String>,
    /// Parameters by name, as written on a command line.
    pub parameters: Vec<(String, String)>,
    /// Roles by alias.
    pub roles: Vec<(String, String)>,
    /// Consensus rules that override all others.
    pub consensus: ConsensusConfig,
    /// The fewest answers that make a turn count.
    pub min_answers: Option<u32>,
    /// The file's name without `.md`; none: from the title.
    pub file_name: Option<String>,
    /// The folder; none: the configured one.
    pub folder: Option<PathBuf>,
}

impl Workspace {
    /// Makes a discussion's file and gives its path.
    ///
    /// # Errors
    /// When the template, a participant, a parameter or a role does not exist or fit, and when the file cannot be made.
    pub fn create(&self, new: &NewDiscussion) -> Result<PathBuf, WorkspaceError> {
        let text = self.draft(new)?;
        let name = new.file_name.clone().unwrap_or_else(|| store::slug(&new.title));
        let folder = new
            .folder
            .as_ref()
            .map_or_else(|| self.output_directory(), |folder| self.setup.cwd.join(folder));
        Ok(store::create(&folder, &name, &text, self.lock_wait)?)
    }

    /// The text of a new discussion, without making a file.
    ///
    /// # Errors
    /// As [`Workspace::create`], but for the file.
    pub fn draft(&self, new: &NewDiscussion) -> Result<String, WorkspaceError> {
        let title = one_line(&new.title);
        if !title.chars().any(char::is_alphanumeric) {
            return Err(WorkspaceError::NoTitle);
        }
        let length = title.chars().count();
        if length > LONGEST_TITLE {
            let (what, unit) = ("the title", "characters");
            return Err(WorkspaceError::TooLong { what, unit, length, most: LONGEST_TITLE });
        }
        if let Some(length) = new.context.as_ref().map(String::len).filter(|n| *n > BODY_LIMIT) {
            let (what, unit) = ("the context", "bytes");
            return Err(WorkspaceError::TooLong { what, unit, length, most: BODY_LIMIT });
        }
        let template = self.template(new.template.as_deref().unwrap_or(self.default_template()))?;
        let parameters = parameters(&template, new)?;
        let seats = self.seat(&template, new, &parameters)?;
        let head = self.head(&template, new, &seats, parameters)?;
        // What nobody could read later is refused now: options that are none, or the same twice.
        Charter::new(Some(&head), &template, &self.setup.roster, &self.defaults())?;
        let body = body(&template, &title, new.context.as_deref(), &head.parameters)?;
        let text = format!("{}\n{body}", head.render());
        match parse(&text) {
            read if read.entries.is_empty() && read.head.as_ref() == Some(&head) => Ok(text),
            _ => Err(WorkspaceError::Body {
                template: template.id.clone(),
                reason: "it would begin with a comment or a control line of its own".to_owned(),
            }),
        }
    }

    /// The template of an id.
    ///
    /// # Errors
    /// When there is none, or it is broken.
    pub fn template(&self, id: &str) -> Result<std::sync::Arc<Template>, WorkspaceError> {
        let entry = self.catalogue.get(id).ok_or_else(|| WorkspaceError::Template {
            asked: id.to_owned(),
            nearest: self.catalogue.nearest(id),
        })?;
        Ok(entry.template()?)
    }

    /// Flag, else configuration, else template, else the built-in participants; those whom the template drops aside.
    fn seat(
        &self,
        template: &Template,
        new: &NewDiscussion,
        parameters: &Map<String, Value>,
    ) -> Result<Vec<Seat>, WorkspaceError> {
        if !new.participants.is_empty() {
            return self.seated(template, &new.participants, parameters);
        }
        let aliases = |aliases: &[Alias]| {
            aliases.iter().map(|alias| alias.as_str().to_owned()).collect::<Vec<_>>()
        };
        let own = match template.participants.default.as_slice() {
            [] => aliases(&Self::fallback_participants()),
            own => own.to_vec(),
        };
        match self.setup.config.default_participants.as_deref() {
            None | Some([]) => self.seated(template, &own, parameters),
            Some(configured) => match self.seated(template, &aliases(configured), parameters) {
                // Nobody chose these for this template, so it may choose its own.
                Err(WorkspaceError::Seat(SeatError::Count { .. })) => {
                    self.seated(template, &own, parameters)
                }
                seats => seats,
            },
        }
    }

    fn seated(
        &self,
        template: &Template,
        named: &[String],
        parameters: &Map<String, Value>,
    ) -> Result<Vec<Seat>, WorkspaceError> {
        let dropped = |alias: &str| {
            template.participants.drop.get(alias).is_some_and(|expression| {
                let names =
                    minijinja::context! { params => minijinja::Value::from(Serde(parameters)) };
                Expressions::default().eval(expression, names).is_ok_and(|value| value.is_true())
            })
        };
        let mut seats = seats(self, named.iter().map(String::as_str))?;
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
            return Err(SeatError::Count { template: template.id.clone(), bounds, count }.into());
        }
        Ok(seats)
    }

    fn head(
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
        let roles = self.roles(template, new, &participants)?;
        let consensus = new
            .consensus
            .clone()
            .or(&template.consensus)
            .or(&self.setup.config.consensus)
            .or(&built_in(template));
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
        let names = self.foreign_names(seats, &everybody);
        let weights = seats
            .iter()
            .map(|seat| (seat.persona.alias.as_str().to_owned(), seat.persona.weight.get()));
        Ok(Head {
            template: Some(template.id.clone()),
            created: Some(self.now().format("%Y-%m-%dT%H:%M:%SZ").to_string()),
            participants: Some(participants),
            background: of(false),
            roles,
            parameters,
            consensus: match serde_json::to_value(&consensus) {
                Ok(Value::Object(map)) => map,
                _ => Map::new(),
            },
            weights: weights.filter(|(_, weight)| (*weight - 1.0).abs() > f64::EPSILON).collect(),
            providers: seats
                .iter()
                .filter_map(|seat| {
                    Some((seat.persona.alias.as_str().to_owned(), seat.provider.clone()?))
                })
                .collect(),
            names,
        })
    }

    /// Names of personas that other machines may not know, so that every machine reads the file alike.
    fn foreign_names(
        &self,
        seats: &[Seat],
        aliases: &[Alias],
    ) -> BTreeMap<Alias, crate::transcript::Name> {
        let bundled = |alias: &Alias| {
            let member = self.setup.roster.iter().find(|member| member.persona.alias == *alias);
            member.is_some_and(|member| member.origin == Origin::Bundled)
        };
        let name = |alias: &Alias| {
            let seat =
                seats.iter().find(|seat| seat.persona.alias == *alias).map(|seat| &seat.persona);
            seat.or_else(|| self.setup.roster.by_alias(alias)).map(|persona| persona.name.clone())
        };
        let foreign = aliases.iter().filter(|alias| !bundled(alias));
        foreign.filter_map(|alias| Some((alias.clone(), name(alias)?))).collect()
    }

    fn roles(
        &self,
        template: &Template,
        new: &NewDiscussion,
        participants: &[Alias],
    ) -> Result<Seats, WorkspaceError> {
        let mut given = Seats::new();
        for (who, role) in &new.roles {
            if !template.roles.contains_key(role) {
                let known: Vec<&str> = template.roles.keys().map(String::as_str).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(WorkspaceError::Roles(format!(
                    "the template `{}` has no role `{role}`; it has: {known}",
                    template.id
                )));
            }
            let seat = seats(self, [who.as_str()])?.into_iter().next();
            given.entry(role.clone()).or_default().extend(seat.map(|seat| seat.persona.alias));
        }
        let dealt = deal(template, participants, &given);
        if let Some(role) = dealt.empty.first() {
            return Err(WorkspaceError::Roles(format!(
                "nobody is left to be the {role}; name one with --roles alias={role}"
            )));
        }
        // A role's `else` has to be somebody.
        for alias in dealt.roles.values().flatten().filter(|alias| !participants.contains(alias)) {
            seats(self, [alias.as_str()])?;
        }
        Ok(dealt.roles)
    }
}

/// The built-in rules, as far as they matter for a template's method.
fn built_in(template: &Template) -> ConsensusConfig {
    use crate::template::Method;
    match template.consensus.method {
        None | Some(Method::Thresholds) => ConsensusConfig {
            threshold_ready: Some(0.67),
            threshold_reject: Some(0.01),
            human_required: Some(true),
            ..ConsensusConfig::default()
        },
        Some(_) => ConsensusConfig {
            threshold: Some(0.5),
            human_required: Some(false),
            ..ConsensusConfig::default()
        },
    }
}

fn parameters(
    template: &Template,
    new: &NewDiscussion,
) -> Result<Map<String, Value>, WorkspaceError> {
    let mut values = Map::new();
    for (name, text) in &new.parameters {
        let parameter = template.parameters.get(name).ok_or_else(|| {
            let known: Vec<&str> = template.parameters.keys().map(String::as_str).collect();
            WorkspaceError::UnknownParameter {
                template: template.id.clone(),
                asked: name.clone(),
                nearest: similar::get_close_matches(name.as_str(), &known, 1, 0.4)
                    .into_iter()
                    .map(str::to_owned)
                    .collect(),
            }
        })?;
        values.insert(name.clone(), parameter.parse(name, text)?);
    }
    for (name, parameter) in &template.parameters {
        if !values.contains_key(name) {
            let default = parameter
                .default
                .clone()
                .ok_or_else(|| crate::template::ParameterError::Missing(name.clone()))?;
            values.insert(name.clone(), default);
        }
    }
    Ok(values)
}

/// Renders the template's text. Everything that comes from outside is encoded before it goes in.
fn body(
    template: &Template,
    title: &str,
    context: Option<&str>,
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
        params => minijinja::Value::from(Serde(&parameters)),
    };
    let rendered = Expressions::default().render(&template.body, names);
    let mut text = rendered.map_err(|error| WorkspaceError::Body {
        template: template.id.clone(),
        reason: error.to_string(),
    })?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
