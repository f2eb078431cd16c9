//! Discusses a question in one pattern, from the creation of the discussion to its end.

use std::path::{Path, PathBuf};

use super::Discussions;
use super::create::{LONGEST_TITLE, NeutralModel, NewDiscussion};
use super::error::WorkspaceError;
use super::nest::Opener;
use crate::codes::{ResultError, StopCode};
use crate::material::Sources;
use crate::template::{
    Condition, ConsensusConfig, Deal, Method, Phase, Speakers, Substitute, Template,
};
use crate::transcript::{Alias, time};
use crate::view::{DiscussionResult, discussion_result};

/// The default pattern.
pub(super) const PATTERN: &str = "synthesis";

/// A question and its settings. The template supplies every setting that is missing.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The question. If it has several lines, the first becomes the title, and all of them go unchanged above the
    /// context. One line has at most 5,000 characters.
    pub topic: String,
    /// The template; `None` means `synthesis`.
    pub pattern: Option<String>,
    /// Background information, as Markdown.
    pub context: Option<String>,
    /// Files and changes that all participants see.
    pub material: Sources,
    /// Personas, providers, or `persona=provider`.
    pub participants: Vec<String>,
    /// Models without a persona, which take part instead of `participants`.
    pub models: Vec<NeutralModel>,
    /// The participants that are agents, such as the coding agent that asks. An agent writes its own comments, so a run
    /// waits for it; it does not count as a person.
    pub agents: Vec<String>,
    /// The template's parameter `rounds`.
    pub rounds: Option<u32>,
    /// The template's parameter `options`.
    pub options: Vec<String>,
    /// The method that finds the outcome: one of [`Question::methods`].
    pub method: Option<String>,
    /// The share of votes that wins, 0 to 1; replaces the template's.
    pub threshold: Option<f64>,
    /// Values of the template's other parameters, spelt as on a command line.
    pub parameters: Vec<(String, String)>,
    /// Roles by alias.
    pub roles: Vec<(String, String)>,
    /// The participant that writes the final text.
    pub synthesizer: Option<String>,
    /// The minimum number of answers that a turn needs to count.
    pub min_providers: Option<u32>,
    /// Also ask for votes that can no longer change the outcome.
    pub no_early_exit: bool,
    /// The number of earlier decisions in its text; `None` means the number of the template or the configuration.
    pub recall: Option<u32>,
    /// A label of the program that asks, such as the id of its session.
    pub label: Option<String>,
    /// The discussion's file; `None` names it after the topic and puts it into the configured folder.
    pub file: Option<PathBuf>,
    /// The opener, for a sub-discussion. The file is then in a folder beside the parent's file.
    pub within: Option<Opener>,
}

/// A discussion that is ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The file.
    pub path: PathBuf,
    /// Settings of the request that have no effect.
    pub unused: Vec<Unused>,
    /// The template's id.
    pub pattern: String,
    /// The participants, by alias.
    pub seats: Vec<String>,
    /// The number of rounds, if the template counts them.
    pub rounds: Option<u64>,
}

/// A setting of the request that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unused {
    /// A number of rounds, for a template that has one round only.
    Rounds {
        /// The template.
        template: String,
    },
    /// A perspective that cannot review the artifact without its original context.
    Perspective {
        /// The alias of the perspective.
        alias: String,
    },
    /// A participant without a speaking role. It is asked only if it is mentioned, or in a ballot if there is one.
    Seat {
        /// The alias of the participant.
        alias: String,
        /// The template.
        template: String,
        /// The speaking roles that a participant gets only if the user names it for the role.
        roles: Vec<String>,
    },
}

impl Question {
    /// Returns the methods that a question can choose. `thresholds` is not among them, because each pattern has its
    /// own.
    pub fn methods() -> impl Iterator<Item = &'static str> {
        let methods = Method::ALL.into_iter().filter(|method| *method != Method::Thresholds);
        methods.map(Method::as_str)
    }

    /// Makes the question a sub-discussion of `file`. The participant `by`, which is asked there in this turn, opens
    /// it.
    #[must_use]
    pub fn asked_in(self, file: PathBuf, turn: u32, by: String) -> Self {
        Self { within: Some(Opener { file, turn, by }), ..self }
    }

    fn method(&self) -> Result<Option<Method>, WorkspaceError> {
        let Some(asked) = &self.method else { return Ok(None) };
        let known = || Self::methods().any(|known| known == asked);
        let method = Method::ALL.into_iter().find(|method| method.as_str() == asked && known());
        let unknown = || {
            let known: Vec<_> = Self::methods().collect();
            let known = known.join(", ");
            WorkspaceError::refuse(format!(
                "there is no method `{asked}`; the methods are: {known}"
            ))
        };
        Ok(Some(method.ok_or_else(unknown)?))
    }
}

impl Discussions<'_> {
    /// Creates the discussion of a question.
    ///
    /// # Errors
    /// Fails like [`Discussions::create`], or for options or a synthesizer that the template does not know.
    pub fn question(&self, question: &Question) -> Result<Prepared, WorkspaceError> {
        let (new, unused) = self.plan_discussion(question)?;
        let path = match &question.within {
            Some(opener) => self.open_within(new, opener)?,
            None => self.create(&new)?,
        };
        self.prepared(path, unused)
    }

    /// Returns a created discussion with the settings that had no effect.
    pub(super) fn prepared(
        &self,
        path: PathBuf,
        mut unused: Vec<Unused>,
    ) -> Result<Prepared, WorkspaceError> {
        unused.extend(self.silent(&path)?);
        let snapshot = self.snapshot(&path)?;
        Ok(Prepared {
            path,
            unused,
            pattern: snapshot.template().id.clone(),
            seats: snapshot.config.seats().map(ToString::to_string).collect(),
            rounds: snapshot.config.parameters.get("rounds").and_then(serde_json::Value::as_u64),
        })
    }

    /// Returns the file and the initial text of a question's discussion, if its name is free. Creates nothing.
    ///
    /// # Errors
    /// Fails like [`Discussions::question`], except for errors of the file.
    pub(crate) fn question_text(
        &self,
        question: &Question,
    ) -> Result<(PathBuf, String), WorkspaceError> {
        let (new, _) = self.plan_discussion(question)?;
        Ok((self.place_of(&new)?, self.draft(&new)?))
    }

    /// Converts a question into the request for a new discussion. Also returns its settings without effect.
    pub(super) fn plan_discussion(
        &self,
        question: &Question,
    ) -> Result<(NewDiscussion, Vec<Unused>), WorkspaceError> {
        let template = self.template(question.pattern.as_deref().unwrap_or(PATTERN))?;
        let mut unused = Vec::new();
        let topic = self.clear("the question", &question.topic)?;
        let (title, context) = headed(&topic, question.context.as_deref());
        let mut new = NewDiscussion {
            title,
            template: Some(template.id.clone()),
            context,
            material: question.material.clone(),
            participants: question.participants.clone(),
            models: question.models.clone(),
            agents: question.agents.clone(),
            roles: question.roles.clone(),
            consensus: ConsensusConfig {
                method: question.method()?,
                threshold: question.threshold,
                ..ConsensusConfig::default()
            },
            parameters: question.parameters.clone(),
            min_answers: question.min_providers,
            recall: question.recall,
            label: question.label.clone(),
            is_one_shot: true,
            ..NewDiscussion::default()
        };
        let no_use = |what: &str| {
            WorkspaceError::refuse(format!("the template `{}` has no {what}", template.id))
        };
        if let Some(rounds) = question.rounds {
            if template.parameters.contains_key("rounds") {
                new.parameters.push(("rounds".to_owned(), rounds.to_string()));
            } else {
                unused.push(Unused::Rounds { template: template.id.clone() });
            }
        }
        if !question.options.is_empty() {
            if !template.parameters.contains_key("options") {
                return Err(no_use("options to vote on"));
            }
            new.options.clone_from(&question.options);
        }
        if question.no_early_exit && template.parameters.contains_key("early_exit") {
            new.parameters.push(("early_exit".to_owned(), "false".to_owned()));
        }
        if let Some(alias) = &question.synthesizer {
            let role = writing_role(&template).ok_or_else(|| no_use("synthesizer"))?;
            new.roles.push((alias.clone(), role.to_owned()));
        }
        if let Some(file) = &question.file {
            self.in_file(&mut new, file)?;
        }
        Ok((new, unused))
    }

    /// Returns the participants without a speaking role: every phase that is certain to come asks
    /// others.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn silent(&self, path: &Path) -> Result<Vec<Unused>, WorkspaceError> {
        let snapshot = self.snapshot(path)?;
        let (config, template) = (&snapshot.config, snapshot.template());
        let sure = || {
            template
                .phases
                .iter()
                .enumerate()
                .filter(|(_, phase)| phase.when == Condition::Fixed(true))
        };
        let mut heard: Vec<_> = sure().flat_map(|(index, _)| config.speakers(index)).collect();
        // Participants of sub-discussions answer in those, so they are not silent.
        let within = snapshot.discussed_ahead().into_iter().flat_map(|spec| spec.participants);
        heard.extend(within.filter_map(|alias| Alias::parse(&alias).ok()));
        if heard.is_empty() {
            // Later comments decide who is asked.
            return Ok(Vec::new());
        }
        let speaks = |name: &str| {
            let named = |phase: &Phase| matches!(&phase.speakers, Speakers::List(of) if of.iter().any(|it| it == name));
            sure().any(|(_, phase)| named(phase))
        };
        let free = template.roles.iter().filter(|(name, role)| {
            role.take == Deal::Take(0) && role.otherwise.is_none() && speaks(name)
        });
        let roles: Vec<String> = free.map(|(name, _)| name.clone()).collect();
        let silent = config.participants.iter().filter(|alias| !heard.contains(alias));
        let seat = |alias: &Alias| Unused::Seat {
            alias: alias.to_string(),
            template: template.id.clone(),
            roles: roles.clone(),
        };
        Ok(silent.map(seat).collect())
    }

    /// Returns the result of a question for which no discussion could be created.
    pub fn unasked(&self, question: &Question, error: &WorkspaceError) -> DiscussionResult {
        let error = ResultError::new(error.code(), error.to_string());
        let pattern = question.pattern.as_deref().unwrap_or(PATTERN);
        // A rejected question must not print the key that is the reason for the rejection.
        let topic = self.clear("the question", &question.topic);
        let topic = topic.unwrap_or_else(|_| "[key]".to_owned());
        DiscussionResult::failed(pattern, &topic, &time(self.now()), error)
    }

    /// Returns the result of a discussion after its run ended. If the run could not begin and the file has no comments
    /// yet, removes the file again; the result then names no file.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn outcome(
        &self,
        path: &Path,
        ended: Result<StopCode, &WorkspaceError>,
    ) -> Result<DiscussionResult, WorkspaceError> {
        let (snapshot, file) = (self.snapshot(path)?, self.exactly(path));
        let mut result = discussion_result(&snapshot, &file, ended.ok());
        let (cost, within_ms) = self.tree_spent(path, &snapshot);
        result = result.with_cost(&cost, within_ms);
        if let Err(error) = ended {
            // A file that cannot be removed stays and contains the question.
            if self.take_back(path).unwrap_or(false) {
                result.file.clear();
            }
            result.success = false;
            // A missing program or key stays missing until the user adds it.
            let is_missing = matches!(
                error,
                WorkspaceError::NoProvider { .. } | WorkspaceError::TooFewProviders { .. }
            );
            let refused = ResultError::new(error.code(), error.to_string());
            let retryable = refused.retryable && !is_missing;
            result.error = Some(ResultError { retryable, ..refused });
        }
        Ok(result)
    }
}

/// Returns the role that writes the final text: that of the first phase in which another participant can stand in, or
/// else of the last phase that writes a text.
fn writing_role(template: &Template) -> Option<&str> {
    let role_of = |phase: &Phase| {
        let Speakers::List(speakers) = &phase.speakers else { return None };
        speakers.iter().find(|speaker| template.roles.contains_key(*speaker)).cloned()
    };
    let stands_in = |phase: &&Phase| phase.stand_in == Substitute::Neutral;
    let by_stand_in = template.phases.iter().find(stands_in).and_then(role_of);
    let last_text =
        || template.phases.iter().rev().filter(|phase| phase.writes_text()).find_map(role_of);
    let role = by_stand_in.or_else(last_text)?;
    template.roles.get_key_value(&role).map(|(role, _)| role.as_str())
}

/// The maximum number of characters of the title of a question of several lines.
const HEADLINE: usize = 200;

/// Splits a question into its title and the text below it. Lists, code and paragraphs would be lost in one line.
fn headed(topic: &str, context: Option<&str>) -> (String, Option<String>) {
    let topic = topic.trim();
    let first = match topic.split_once('\n') {
        Some((first, _)) => first,
        // A prompt of a workflow may be one long line.
        None if topic.chars().nth(LONGEST_TITLE).is_some() => topic,
        None => return (topic.to_owned(), context.map(str::to_owned)),
    };
    let first = first.trim().trim_start_matches('#').trim_start();
    let mut title: String = first.chars().take(HEADLINE).collect();
    if title.len() < first.len() {
        title.push('…');
    }
    let parts = [Some(topic), context.filter(|context| !context.trim().is_empty())];
    (title, Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")))
}
