//! What is fixed for a discussion: template, participants, roles, parameters, consensus rules.
//!
//! The head has the last word, then the template, then the configuration (format page, "Append-only").

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashSet;
use minijinja::value::{Serde, Value as JinjaValue};
use serde_json::{Map, Value};
use thiserror::Error;

use super::seats::{Named, Seating};
use super::speaker::Speaker;
use crate::codes::ProblemCode;
use crate::participant::{Kind, Persona, Roster};
use crate::problem::{Problem, Severity};
use crate::similarity::{is_slip_of, suggest};
use crate::template::{ConsensusConfig, Method, Options, ParameterError, Template};
use crate::transcript::{AGENT, Alias, Choice, Depth, Head, MarkerSet, Name, has_skeleton};

/// What holds where neither head nor template says anything.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// Participants of files without a head.
    pub participants: Vec<Alias>,
    /// The configuration's consensus rules, the project's over the user's.
    pub consensus: ConsensusConfig,
    /// The template of discussions that participants ask for within another one; none: they open none.
    pub pattern: Option<String>,
    /// People whose names count even if they are nearly a participant's.
    pub people: Vec<Name>,
}

/// Why a head and a template do not fit together.
#[derive(Clone, Debug, Error)]
pub enum DiscussionConfigError {
    /// A parameter's value does not fit.
    #[error("{0}")]
    Parameter(#[from] ParameterError),
    /// A phase's options cannot be computed.
    #[error("the options of phase `{phase}` cannot be computed: {reason}")]
    Options {
        /// The phase.
        phase: String,
        /// What MiniJinja or the option says.
        reason: String,
    },
    /// The head's consensus rules cannot be read.
    #[error("the head's consensus rules cannot be read: {0}")]
    Consensus(String),
}

impl DiscussionConfigError {
    /// A word that stands where the mistake does.
    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Parameter(error) => error.parameter(),
            Self::Options { .. } => "parameters",
            Self::Consensus(_) => "consensus",
        }
    }
}

/// A message about an unknown key, with the nearest known one instead of all.
fn in_words(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match (message.starts_with("unknown field"), quoted.next()) {
        (true, Some(wrong)) => {
            let known: Vec<&str> = quoted.collect();
            match suggest(wrong, known.iter().copied()).first() {
                Some(near) => format!("unknown key `{wrong}`; did you mean `{near}`?"),
                None => format!("unknown key `{wrong}`; known: {}", known.join(", ")),
            }
        }
        _ => message.to_owned(),
    }
}

/// Consensus rules with nothing left open. Thresholds are whole per cent.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsensusRules {
    /// How the outcome is found.
    pub method: Method,
    /// Per cent of READY that reaches.
    pub ready: u32,
    /// Per cent of REJECT that blocks.
    pub reject: u32,
    /// Share that wins under weighted voting, 0 to 1.
    pub threshold: f64,
    /// A person's READY must be among the votes.
    pub human_required: bool,
    /// Options that count as agreement; empty: all.
    pub accept: Vec<Choice>,
}

impl ConsensusRules {
    /// Whether an option is an agreement when it leads.
    pub(crate) fn accepts(&self, option: &Choice) -> bool {
        self.accept.is_empty() || self.accept.contains(option)
    }
}

impl From<ConsensusConfig> for ConsensusRules {
    fn from(config: ConsensusConfig) -> Self {
        let method = config.method.unwrap_or_default();
        let config = config.or(&method.defaults());
        let per_cent = |share: f64| (share * 100.0).round() as u32;
        Self {
            method,
            ready: per_cent(config.threshold_ready.unwrap_or(0.67)),
            reject: per_cent(config.threshold_reject.unwrap_or(0.01)),
            threshold: config.threshold.unwrap_or(0.5),
            human_required: config.human_required.unwrap_or(false),
            accept: config.accept.unwrap_or_default(),
        }
    }
}

/// What discussions are made of that participants ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedWithin {
    /// Id of their template.
    pub(crate) pattern: String,
    /// Who takes part; empty: the participants of the discussion in which they are asked for.
    pub(crate) participants: Vec<Alias>,
}

impl AskedWithin {
    /// None where the head lets nobody open one, or no deeper one may be.
    fn of(head: &Head, defaults: &Defaults) -> Option<Self> {
        let nesting = head.nesting.as_ref()?;
        nesting.opens(head.depth.unwrap_or(Depth::ROOT)).then_some(())?;
        let pattern = nesting.pattern.as_ref().or(defaults.pattern.as_ref())?;
        Some(Self { pattern: pattern.clone(), participants: nesting.participants.clone() })
    }
}

/// All that is fixed for one discussion.
#[derive(Clone, Debug)]
pub struct DiscussionConfig {
    /// The form of discussion.
    pub template: Arc<Template>,
    roster: Arc<Roster>,
    /// Voting seats, in order; people with a persona of their own too.
    pub participants: Vec<Alias>,
    /// Those who speak but do not vote.
    pub background: Vec<Alias>,
    /// Who holds which role.
    pub roles: BTreeMap<String, Vec<Alias>>,
    /// Values of the template's parameters.
    pub parameters: Map<String, Value>,
    /// Consensus rules.
    pub rules: ConsensusRules,
    /// Vote weights that are not 1.
    pub weights: BTreeMap<String, f64>,
    /// Options of each phase, in the template's order.
    pub options: Vec<Vec<Choice>>,
    /// The markers that are read.
    pub markers: MarkerSet,
    /// Fewest answers that make a turn count, where that many were asked.
    pub min_answers: usize,
    /// The agreement from which on a ballot that spares votes asks nobody else, 0 to 1; none: only what can change
    /// nothing is spared.
    pub early_exit_threshold: Option<f64>,
    /// A result tells who dissents.
    pub include_dissent: bool,
    /// One who cannot answer stops the discussion, however many others did.
    pub stops_at_failure: bool,
    /// Participants that this machine has no file for: personas that the head names, and people.
    named: Named,
    /// What discussions are made of that participants ask for; none: they may not.
    pub(crate) within: Option<AskedWithin>,
    /// Who sits where, as far as votes depend on it.
    seating: Seating,
    /// Participants of whom nothing says that they are personas.
    people: Vec<Alias>,
    /// Whoever called the program sits there, whatever a persona's file of that alias says.
    agents: Vec<Alias>,
    /// People whom the workspace knows; see [`Defaults::people`].
    pub(crate) known_people: Vec<Name>,
}

/// Somebody of whom the head says that they are a person: as their file describes them, where it does, else by name.
/// Nobody speaks for them, whatever a file of that alias says on this machine.
fn person(alias: &Alias, head: &Head, roster: &Roster) -> Option<Persona> {
    let own = roster.by_alias(alias).filter(|persona| persona.kind == Kind::Human).cloned();
    own.or_else(|| {
        let person = Persona { kind: Kind::Human, ..Persona::neutral(alias.clone()).ok()? };
        let name = head.names.get(alias).cloned();
        Some(Persona { name: name.unwrap_or_else(|| person.name.clone()), ..person })
    })
}

impl DiscussionConfig {
    /// Puts together what head, template, configuration and personas say.
    ///
    /// # Errors
    /// When the head's values do not fit the template.
    pub(crate) fn new(
        head: Option<&Head>,
        template: &Arc<Template>,
        roster: &Arc<Roster>,
        defaults: &Defaults,
    ) -> Result<Self, DiscussionConfigError> {
        let empty = Head::default();
        let head = head.unwrap_or(&empty);
        let parameters = parameters(head, template)?;
        let wanted: ConsensusConfig = serde_json::from_value(Value::Object(head.consensus.clone()))
            .map_err(|error| DiscussionConfigError::Consensus(in_words(&error.to_string())))?;
        let rules = wanted.or(&template.consensus).or(&defaults.consensus).into();
        let by_template = || {
            let aliases =
                template.participants.default.iter().filter_map(|alias| Alias::parse(alias).ok());
            aliases.collect::<Vec<_>>()
        };
        let seats =
            head.participants.clone().unwrap_or_else(|| match defaults.participants.is_empty() {
                true => by_template(),
                false => defaults.participants.clone(),
            });
        let named = head
            .names
            .iter()
            .filter(|(alias, _)| roster.by_alias(alias).is_none() && !head.people.contains(alias))
            .filter_map(|(alias, name)| {
                Some(Persona { name: name.clone(), ..Persona::neutral(alias.clone()).ok()? })
            })
            .chain(head.people.iter().filter_map(|alias| person(alias, head, roster)))
            .collect();
        let switches = parameters.clone();
        let is_on = |name| switches.get(name).and_then(Value::as_bool).unwrap_or(true);
        let mut config = Self {
            template: Arc::clone(template),
            roster: Arc::clone(roster),
            participants: Vec::new(),
            background: head.background.clone(),
            roles: head.roles.clone(),
            options: options(template, &parameters)?,
            markers: MarkerSet::with(template.markers.iter().cloned()),
            min_answers: parameters
                .get("min_providers")
                .and_then(Value::as_u64)
                .map_or(2, |n| n as usize),
            early_exit_threshold: parameters
                .get("early_exit_threshold")
                .and_then(Value::as_f64)
                .filter(|share| (0.0..=1.0).contains(share)),
            include_dissent: is_on("include_dissent"),
            stops_at_failure: !is_on("continue_on_provider_failure"),
            parameters,
            rules,
            weights: head.weights.clone(),
            named,
            within: AskedWithin::of(head, defaults),
            seating: Seating::default(),
            people: Vec::new(),
            agents: head.agents.clone(),
            known_people: defaults.people.clone(),
        };
        for alias in seats.iter().chain(&head.background).chain(head.roles.values().flatten()) {
            config.seat_person(alias);
        }
        let mut behind: HashSet<Alias> = config.background.iter().cloned().collect();
        let mut before = HashSet::default();
        for alias in seats {
            let background =
                config.persona(&alias).is_some_and(|persona| persona.kind == Kind::Background);
            let (list, known) = match background {
                true => (&mut config.background, &mut behind),
                false => (&mut config.participants, &mut before),
            };
            if known.insert(alias.clone()) {
                list.push(alias);
            }
        }
        if config.roles.is_empty() && !template.roles.is_empty() {
            config.roles = super::deal(template, &config.participants, &BTreeMap::new()).roles;
        }
        behind.extend(config.roles.values().flatten().cloned());
        config.seating = Seating { voting: before, outside: behind };
        Ok(config)
    }

    /// Somebody whom no persona's file and no head describes is a person, or an agent
    /// where the head says so: nobody can be asked in their place.
    fn seat_person(&mut self, alias: &Alias) {
        if self.persona(alias).is_none()
            && let Ok(persona) = Persona::neutral(alias.clone())
        {
            let is_agent = self.agents.contains(alias);
            let kind = if is_agent { Kind::Agent } else { Kind::Human };
            self.named.push(Persona { kind, ..persona });
            if !is_agent {
                self.people.push(alias.clone());
            }
        }
    }

    /// What is worth a word before anything is asked: participants that are no personas, with the nearest that is one.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let known: Vec<&str> =
            self.roster.iter().map(|member| member.persona.alias.as_str()).collect();
        let of = |alias: &Alias| {
            let mut near = suggest(alias.as_str(), known.iter().copied()).into_iter();
            // Most are people, whose names may resemble a persona's by chance.
            let (severity, hint) = match near.find(|near| is_slip_of(alias.as_str(), near)) {
                Some(near) => (Severity::Warning, format!("; did you mean `{near}`?")),
                None => (Severity::Note, String::new()),
            };
            let message = format!(
                "the participant `{alias}` is not a persona, so the discussion waits for a person{hint}"
            );
            Problem::new(severity, ProblemCode::ParticipantUnknown, (1, 1), message)
        };
        self.people.iter().map(of).collect()
    }

    /// The persona of an alias, as far as this machine knows it.
    pub fn persona(&self, alias: &Alias) -> Option<&Persona> {
        self.named.by_alias(alias).or_else(|| self.roster.by_alias(alias))
    }

    /// The persona of a name or alias.
    pub(crate) fn by_name(&self, name: &Name) -> Option<&Persona> {
        self.named.by_name(name).or_else(|| self.roster.by_name(name))
    }

    /// The name to show for an alias.
    pub fn name_of<'s>(&'s self, alias: &'s Alias) -> &'s str {
        self.persona(alias).map_or(alias.as_str(), |persona| persona.name.as_str())
    }

    /// The personas known here.
    pub(crate) fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Everybody who takes part by the head: voting seats, then background.
    pub fn seats(&self) -> impl Iterator<Item = &Alias> {
        self.participants.iter().chain(&self.background)
    }

    /// Whether a model speaks for this participant.
    pub(crate) fn is_model(&self, alias: &Alias) -> bool {
        !self.agents.contains(alias)
            && self.persona(alias).is_none_or(|persona| persona.kind.is_asked())
    }

    /// Whether whoever called the program sits there, whatever a persona's file of that alias says.
    pub(crate) fn is_agent(&self, alias: &Alias) -> bool {
        self.agents.contains(alias)
    }

    /// Whether this is an agent without a seat: one of that name, unless a model of the project bears it.
    pub(super) fn is_guest(&self, alias: &Alias) -> bool {
        let seated = self.seating.voting.contains(alias) || self.seating.outside.contains(alias);
        let is_model = || self.persona(alias).is_some_and(|persona| persona.kind.is_asked());
        alias.as_str() == AGENT && !seated && !is_model()
    }

    /// Whether a person speaks.
    pub(crate) fn is_person(&self, speaker: &Speaker) -> bool {
        match speaker {
            Speaker::Person(_) => true,
            Speaker::Persona(alias) => {
                !self.agents.contains(alias)
                    && self.persona(alias).is_some_and(|persona| persona.kind == Kind::Human)
            }
            Speaker::Agent(_) | Speaker::Report | Speaker::Lookalike(_) => false,
        }
    }

    /// Whether a vote of this persona counts: it votes by its kind, and does not sit outside the participants as
    /// somebody's synthesizer or judge.
    pub(crate) fn may_vote(&self, alias: &Alias) -> bool {
        let votes = || self.persona(alias).is_some_and(|persona| persona.kind.votes());
        let is_seated = self.seating.voting.contains(alias);
        (is_seated || !self.seating.outside.contains(alias) && votes()) && !self.sits_out(alias)
    }

    /// Whether participants may ask for discussions in a phase: where nothing else is demanded of them.
    pub(crate) fn opens_discussions(&self, phase: usize) -> bool {
        let phase = &self.template.phases[phase];
        self.within.is_some() && phase.asks.is_empty() && !phase.voting_mode
    }

    /// Weight of a participant's vote.
    pub(crate) fn weight(&self, handle: &str) -> f64 {
        self.weights
            .get(handle)
            .copied()
            .filter(|weight| weight.is_finite() && *weight > 0.0)
            .unwrap_or(1.0)
    }

    /// Returns whether the workspace knows a person of this name.
    pub(super) fn knows_person(&self, name: &Name) -> bool {
        self.known_people.contains(name)
    }

    /// Whether a skeleton is that of a persona's name or alias.
    pub(super) fn looks_like_persona(&self, look: &str) -> bool {
        self.named.has_look(look)
            || self.roster.iter().map(|member| &member.persona).any(|persona| {
                has_skeleton(persona.name.as_str(), look)
                    || has_skeleton(persona.alias.as_str(), look)
            })
    }
}

fn parameters(head: &Head, template: &Template) -> Result<Map<String, Value>, ParameterError> {
    // What the template does not declare is kept too: `min_providers` and whatever a later version may add.
    let mut values = head.parameters.clone();
    for (name, parameter) in &template.parameters {
        let value = match (head.parameters.get(name), &parameter.default) {
            (Some(value), _) => parameter.check(name, value.clone())?,
            (None, Some(default)) => default.clone(),
            (None, None) => Value::Null,
        };
        values.insert(name.clone(), value);
    }
    for (name, parameter) in &template.parameters {
        parameter.check_against(name, &values)?;
    }
    Ok(values)
}

fn options(
    template: &Template,
    parameters: &Map<String, Value>,
) -> Result<Vec<Vec<Choice>>, DiscussionConfigError> {
    let of_phase = |phase: &crate::template::Phase| {
        let wrong =
            |reason: String| DiscussionConfigError::Options { phase: phase.id.clone(), reason };
        let choices: Vec<Choice> = match &phase.options {
            Some(Options::List(list)) => list.clone(),
            Some(Options::Expr(expr)) => {
                let names = minijinja::context! { params => JinjaValue::from(Serde(parameters)) };
                let value = expr.eval(names).map_err(|error| wrong(error.to_string()))?;
                let items = value.try_iter().map_err(|error| wrong(error.to_string()))?;
                items
                    .map(|item| {
                        Choice::parse(&item.to_string()).map_err(|error| wrong(error.to_string()))
                    })
                    .collect::<Result<_, _>>()?
            }
            None => ["READY", "CHANGES", "REJECT"]
                .into_iter()
                .filter_map(|word| Choice::parse(word).ok())
                .collect(),
        };
        let twice =
            choices.iter().enumerate().find(|(index, choice)| choices[..*index].contains(choice));
        match twice {
            Some((_, choice)) => Err(wrong(format!("`{choice}` is listed twice"))),
            None if choices.is_empty() => Err(wrong("the list is empty".to_owned())),
            None => Ok(choices),
        }
    };
    template.phases.iter().map(of_phase).collect()
}
