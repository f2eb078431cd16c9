//! The fixed settings of a discussion: template, participants, roles, parameters, consensus rules.
//!
//! The head overrides the template, and the template overrides the configuration (format page, "Append-only").

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashSet;
use minijinja::value::{Serde, Value as JinjaValue};
use serde_json::{Map, Value};
use thiserror::Error;

use super::seats::{Named, Seating};
use super::speaker::Speaker;
use crate::codes::ProblemCode;
use crate::participant::{ParticipantKind, Persona, Roster};
use crate::problem::{Problem, Severity};
use crate::similarity::{is_misspelling_of, is_slip_of, suggest};
use crate::template::{ConsensusConfig, Method, ParameterError, PhaseOptions, Template};
use crate::transcript::{
    AGENT, Alias, Choice, Depth, Head, MarkerSet, Name, UnshownFile, has_skeleton,
};

/// The settings that apply if neither the head nor the template says anything.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// Participants of files without a head.
    pub participants: Vec<Alias>,
    /// The consensus rules of the configuration, in which the project's override the user's.
    pub consensus: ConsensusConfig,
    /// The template of the sub-discussions that participants request; none: they cannot request any.
    pub pattern: Option<String>,
    /// People that count even if their names resemble a participant's.
    pub people: Vec<Name>,
}

/// The reason why a head does not fit its template.
#[derive(Clone, Debug, Error)]
pub enum DiscussionConfigError {
    /// The value of a parameter does not fit.
    #[error("{0}")]
    Parameter(#[from] ParameterError),
    /// The options of a phase cannot be computed.
    #[error("the options of phase `{phase}` cannot be computed: {reason}")]
    Options {
        /// The name of the phase.
        phase: String,
        /// The message of MiniJinja or of the option.
        reason: String,
    },
    /// The consensus rules of the head cannot be parsed.
    #[error("the head's consensus rules cannot be read: {0}")]
    Consensus(String),
}

impl DiscussionConfigError {
    /// Returns the key that marks the line of the mistake in the head.
    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Parameter(error) => error.parameter(),
            Self::Options { .. } => "parameters",
            Self::Consensus(_) => "consensus",
        }
    }
}

/// Shortens a message about an unknown key: it names the nearest known key instead of all keys.
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

/// Complete consensus rules. Thresholds are whole percentages.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsensusRules {
    /// The method that finds the outcome.
    pub method: Method,
    /// The percentage of READY votes that is enough for consensus.
    pub ready: u32,
    /// The percentage of REJECT votes that is enough to block.
    pub reject: u32,
    /// The share that wins under weighted voting, 0 to 1.
    pub threshold: f64,
    /// True if a person's READY must be among the votes.
    pub human_required: bool,
    /// The options that count as consensus if they lead; empty: all options.
    pub accept: Vec<Choice>,
}

impl ConsensusRules {
    /// Returns true if an option counts as consensus when it leads.
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

/// The settings of sub-discussions that participants request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedWithin {
    /// The id of their template.
    pub(crate) pattern: String,
    /// The participants; empty: those of the parent.
    pub(crate) participants: Vec<Alias>,
}

impl AskedWithin {
    /// Returns the settings; none if the head does not let participants open sub-discussions, or the depth limit is
    /// reached.
    fn of(head: &Head, defaults: &Defaults) -> Option<Self> {
        let nesting = head.nesting.as_ref()?;
        nesting.opens(head.depth.unwrap_or(Depth::ROOT)).then_some(())?;
        let pattern = nesting.pattern.as_ref().or(defaults.pattern.as_ref())?;
        Some(Self { pattern: pattern.clone(), participants: nesting.participants.clone() })
    }
}

/// All fixed settings of one discussion.
#[derive(Clone, Debug)]
pub struct DiscussionConfig {
    /// The template.
    pub template: Arc<Template>,
    roster: Arc<Roster>,
    /// The participants that vote, in order; including people with a persona file.
    pub participants: Vec<Alias>,
    /// The participants that comment but do not vote.
    pub background: Vec<Alias>,
    /// The holders of each role.
    pub roles: BTreeMap<String, Vec<Alias>>,
    /// The values of the template's parameters.
    pub parameters: Map<String, Value>,
    /// Consensus rules.
    pub rules: ConsensusRules,
    /// Vote weights that are not 1.
    pub weights: BTreeMap<String, f64>,
    /// The options of each phase, in the template's order.
    pub options: Vec<Vec<Choice>>,
    /// The markers that are recognized.
    pub markers: MarkerSet,
    /// The fewest answers that make a turn count, if at least that many participants were asked.
    pub min_answers: usize,
    /// The share of agreement, 0 to 1, at which a ballot with early exit asks no further participant; none: early
    /// exit skips only votes that cannot change the outcome.
    pub early_exit_threshold: Option<f64>,
    /// True if the result names the dissenters.
    pub include_dissent: bool,
    /// True if one participant that cannot answer stops the discussion, even if all others answered.
    pub stops_at_failure: bool,
    /// The files of a reviewed change that the reviewers did not see.
    pub not_shown: Vec<UnshownFile>,
    /// Participants without a persona file on this machine: personas that the head names, and people.
    named: Named,
    /// The settings of sub-discussions that participants request; none: they may not request any.
    pub(crate) within: Option<AskedWithin>,
    /// The participants with and without a vote.
    seating: Seating,
    /// Participants that neither the head nor a file describes as personas.
    people: Vec<Alias>,
    /// Participants that are agents, even if a persona file has that alias.
    agents: Vec<Alias>,
    /// The people that the workspace knows; see [`Defaults::people`].
    pub(crate) known_people: Vec<Name>,
}

/// Returns the participant for an alias that the head lists as a person: from the person's own file, or else with the
/// name in the head. No model answers for this person, even if a persona file on this machine has that alias.
fn person(alias: &Alias, head: &Head, roster: &Roster) -> Option<Persona> {
    let own =
        roster.by_alias(alias).filter(|persona| persona.kind == ParticipantKind::Human).cloned();
    own.or_else(|| {
        let person =
            Persona { kind: ParticipantKind::Human, ..Persona::neutral(alias.clone()).ok()? };
        let name = head.names.get(alias).cloned();
        Some(Persona { name: name.unwrap_or_else(|| person.name.clone()), ..person })
    })
}

impl DiscussionConfig {
    /// Combines head, template, configuration and personas.
    ///
    /// # Errors
    /// Fails if the values of the head do not fit the template.
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
        let seats = head.participants.clone().unwrap_or_else(|| {
            let own = by_template();
            let is_fixed = template.participants.fixed && !own.is_empty();
            if is_fixed || defaults.participants.is_empty() {
                own
            } else {
                defaults.participants.clone()
            }
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
            not_shown: head.not_shown.clone(),
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
            let background = config
                .persona(&alias)
                .is_some_and(|persona| persona.kind == ParticipantKind::Background);
            let (list, known) = if background {
                (&mut config.background, &mut behind)
            } else {
                (&mut config.participants, &mut before)
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

    /// Adds a participant that neither a persona file nor the head describes: as an agent if the head says so,
    /// otherwise as a person. No model can answer for them.
    fn seat_person(&mut self, alias: &Alias) {
        if self.persona(alias).is_none()
            && let Ok(persona) = Persona::neutral(alias.clone())
        {
            let is_agent = self.agents.contains(alias);
            let kind = if is_agent { ParticipantKind::Agent } else { ParticipantKind::Human };
            self.named.push(Persona { kind, ..persona });
            if !is_agent {
                self.people.push(alias.clone());
            }
        }
    }

    /// Returns notes and warnings about participants that are not personas, with the alias of the most similar
    /// persona.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let known: Vec<&str> =
            self.roster.iter().map(|member| member.persona.alias.as_str()).collect();
        let of = |alias: &Alias| {
            let near = suggest(alias.as_str(), known.iter().copied());
            // Most of them are people, and their names may resemble a persona's by chance.
            let is_meant = |near: &&str| {
                is_slip_of(alias.as_str(), near) || is_misspelling_of(alias.as_str(), near)
            };
            let near = near.into_iter().chain(known.iter().copied()).find(is_meant);
            let (severity, hint) = match near {
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

    /// Returns the persona of an alias, if this machine knows it.
    pub fn persona(&self, alias: &Alias) -> Option<&Persona> {
        self.named.by_alias(alias).or_else(|| self.roster.by_alias(alias))
    }

    /// Returns the persona of a name or alias.
    pub(crate) fn by_name(&self, name: &Name) -> Option<&Persona> {
        self.named.by_name(name).or_else(|| self.roster.by_name(name))
    }

    /// Returns the display name of an alias.
    pub fn name_of<'s>(&'s self, alias: &'s Alias) -> &'s str {
        self.persona(alias).map_or(alias.as_str(), |persona| persona.name.as_str())
    }

    /// Returns the personas that this machine knows.
    pub(crate) fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Returns all participants: those that vote, then those in the background.
    pub fn seats(&self) -> impl Iterator<Item = &Alias> {
        self.participants.iter().chain(&self.background)
    }

    /// Returns true if a model answers for this participant.
    pub(crate) fn is_model(&self, alias: &Alias) -> bool {
        !self.agents.contains(alias)
            && self.persona(alias).is_none_or(|persona| persona.kind.is_asked())
    }

    /// Returns true if this participant moderates: it holds the role that a user may call `moderator`, or, without such
    /// a role, has this alias.
    pub(super) fn moderates(&self, alias: &Alias) -> bool {
        const MODERATOR: &str = "moderator";
        let holders = self.template.role(MODERATOR).and_then(|role| self.roles.get(role));
        holders.map_or(alias.as_str() == MODERATOR, |holders| holders.contains(alias))
    }

    /// Returns true if this participant is an agent, even if a persona file has that alias.
    pub(crate) fn is_agent(&self, alias: &Alias) -> bool {
        self.agents.contains(alias)
    }

    /// Returns true if this is an agent that is not a participant: it has the agents' alias, and no model of the
    /// project has that alias.
    pub(super) fn is_guest(&self, alias: &Alias) -> bool {
        let seated = self.seating.voting.contains(alias) || self.seating.outside.contains(alias);
        let is_model = || self.persona(alias).is_some_and(|persona| persona.kind.is_asked());
        alias.as_str() == AGENT && !seated && !is_model()
    }

    /// Returns true if the speaker is a person.
    pub(crate) fn is_person(&self, speaker: &Speaker) -> bool {
        match speaker {
            Speaker::Person(_) => true,
            Speaker::Persona(alias) => {
                !self.agents.contains(alias)
                    && self
                        .persona(alias)
                        .is_some_and(|persona| persona.kind == ParticipantKind::Human)
            }
            Speaker::Agent(_) | Speaker::Report | Speaker::Lookalike(_) => false,
        }
    }

    /// Returns true if votes of this persona count. Votes of all listed voting participants count. Votes of another
    /// persona count if its kind votes, it is not in the background, and it holds no role such as synthesizer or
    /// judge. A voting phase may exclude any persona.
    pub(crate) fn may_vote(&self, alias: &Alias) -> bool {
        let votes = || self.persona(alias).is_some_and(|persona| persona.kind.votes());
        let is_seated = self.seating.voting.contains(alias);
        (is_seated || !self.seating.outside.contains(alias) && votes()) && !self.sits_out(alias)
    }

    /// Returns true if participants may request sub-discussions in a phase: it asks for no markers and takes no votes.
    pub(crate) fn opens_discussions(&self, phase: usize) -> bool {
        let phase = &self.template.phases[phase];
        self.within.is_some() && phase.asks.is_empty() && !phase.voting_mode
    }

    /// Returns the weight of a participant's vote.
    pub(crate) fn weight(&self, handle: &str) -> f64 {
        self.weights
            .get(handle)
            .copied()
            .filter(|weight| weight.is_finite() && *weight > 0.0)
            .unwrap_or(1.0)
    }

    /// Returns true if the workspace knows a person of this name.
    pub(super) fn knows_person(&self, name: &Name) -> bool {
        self.known_people.contains(name)
    }

    /// Returns true if a skeleton equals that of a persona's name or alias.
    pub(super) fn looks_like_persona(&self, look: &str) -> bool {
        self.named.has_look(look)
            || self.roster.iter().map(|member| &member.persona).any(|persona| {
                has_skeleton(persona.name.as_str(), look)
                    || has_skeleton(persona.alias.as_str(), look)
            })
    }
}

fn parameters(head: &Head, template: &Template) -> Result<Map<String, Value>, ParameterError> {
    // Parameters that the template does not declare are kept too: `min_providers`, and those that a later version may
    // add.
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
            Some(PhaseOptions::List(list)) => list.clone(),
            Some(PhaseOptions::Expr(expr)) => {
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
        let is_twin = |index: usize, choice: &Choice| {
            choices[..index].iter().any(|earlier| earlier.reads_like(choice))
        };
        let twice = choices.iter().enumerate().find(|(index, choice)| is_twin(*index, choice));
        match twice {
            Some((_, choice)) => Err(wrong(format!("`{choice}` is listed twice"))),
            None if choices.is_empty() => Err(wrong("the list is empty".to_owned())),
            None => Ok(choices),
        }
    };
    template.phases.iter().map(of_phase).collect()
}
