//! One question for one pattern: a discussion that is made to be run to its end.

use std::path::{Path, PathBuf};

use super::Workspace;
use super::create::CreateError;
use super::create::{NeutralModel, NewDiscussion};
use super::error::WorkspaceError;
use super::nest::Opener;
use crate::codes::{ResultError, StopCode};
use crate::material::Sources;
use crate::template::{
    Condition, ConsensusConfig, Deal, Method, Phase, Speakers, StandIn, Template,
};
use crate::transcript::{Alias, time};
use crate::view::{DiscussionResult, Ending, discussion_result};

/// The pattern when none is named.
pub(super) const PATTERN: &str = "synthesis";

/// A question and how it is to be discussed. What is left out is the template's.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The question. Of several lines the first is the title, and all of them stand above the context as they are; one
    /// line has at most 5,000 characters.
    pub topic: String,
    /// The template; none: `synthesis`.
    pub pattern: Option<String>,
    /// What one has to know to answer, as Markdown.
    pub context: Option<String>,
    /// Files and changes that everybody is to see.
    pub material: Sources,
    /// Personas, providers, or `persona=provider`.
    pub participants: Vec<String>,
    /// Models without a persona, who take part instead of `participants`.
    pub models: Vec<NeutralModel>,
    /// Who of them asks, such as a coding agent: it speaks for itself, is waited for, and is no person.
    pub agents: Vec<String>,
    /// The template's parameter `rounds`.
    pub rounds: Option<u32>,
    /// The template's parameter `options`.
    pub options: Vec<String>,
    /// How the outcome is found: one of [`Question::methods`].
    pub method: Option<String>,
    /// The share of votes that wins, 0 to 1, instead of the template's.
    pub threshold: Option<f64>,
    /// Values of the template's other parameters, as they are written.
    pub parameters: Vec<(String, String)>,
    /// Roles by alias.
    pub roles: Vec<(String, String)>,
    /// Who writes the final text.
    pub synthesizer: Option<String>,
    /// The fewest answers that make a turn count.
    pub min_providers: Option<u32>,
    /// Ask for votes that can no longer change the outcome too.
    pub no_early_exit: bool,
    /// How many earlier decisions it is told of; none: as the template or the configuration says.
    pub recall: Option<u32>,
    /// The discussion's file; none: named after the topic, in the configured folder.
    pub file: Option<PathBuf>,
    /// Who opens it within another discussion; its file then stands in a folder beside that one.
    pub within: Option<Opener>,
}

/// A discussion that is ready to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// Its file.
    pub path: PathBuf,
    /// What was asked for and has no effect.
    pub unused: Vec<Unused>,
    /// The template's id.
    pub pattern: String,
    /// Who takes part, by alias.
    pub seats: Vec<String>,
    /// How many rounds there are, if the template counts them.
    pub rounds: Option<u64>,
}

/// Something that was asked for and has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unused {
    /// A number of rounds, for a template that has one round only.
    Rounds {
        /// The template.
        template: String,
    },
    /// A perspective that can judge nothing without what the artifact was written from.
    Perspective {
        /// Who.
        alias: String,
    },
    /// A seat without a role that speaks: whoever sits there is heard only when called, or in a ballot if there is one.
    Seat {
        /// Who.
        alias: String,
        /// The template.
        template: String,
        /// Roles that speak and are taken only by whoever is named for them.
        roles: Vec<String>,
    },
}

impl Question {
    /// The ways to find an outcome: a question's pattern has one of its own to choose instead of thresholds.
    pub fn methods() -> impl Iterator<Item = &'static str> {
        let methods = Method::ALL.into_iter().filter(|method| *method != Method::Thresholds);
        methods.map(Method::as_str)
    }

    /// The same as part of another discussion, by whoever is asked there in this turn.
    #[must_use]
    pub fn asked_in(self, file: PathBuf, turn: u32, by: String) -> Self {
        Self { within: Some(Opener { file, turn, by }), ..self }
    }

    fn method(&self) -> Result<Option<Method>, WorkspaceError> {
        let Some(asked) = &self.method else { return Ok(None) };
        let known = || Self::methods().any(|known| known == asked);
        let method = Method::ALL.into_iter().find(|method| method.as_str() == asked && known());
        let unknown =
            || WorkspaceError::Method { asked: asked.clone(), known: Self::methods().collect() };
        Ok(Some(method.ok_or_else(unknown)?))
    }
}

impl Workspace {
    /// Makes the discussion of a question.
    ///
    /// # Errors
    /// As [`Workspace::create`]; options or a synthesizer for a template that knows none.
    pub fn question(&self, question: &Question) -> Result<Prepared, WorkspaceError> {
        let (new, mut unused) = self.asked(question)?;
        let path = match &question.within {
            Some(opener) => self.open_within(new, opener)?,
            None => self.create(&new)?,
        };
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

    /// The text that a question's discussion would begin with, and its file where the name is free.
    ///
    /// # Errors
    /// As [`Workspace::question`], but for the file.
    pub(crate) fn question_text(
        &self,
        question: &Question,
    ) -> Result<(PathBuf, String), WorkspaceError> {
        let (new, _) = self.asked(question)?;
        Ok((self.place_of(&new)?, self.draft(&new)?))
    }

    /// The discussion that a question asks for, and what of it has no effect.
    fn asked(&self, question: &Question) -> Result<(NewDiscussion, Vec<Unused>), WorkspaceError> {
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
            ..NewDiscussion::default()
        };
        let no_use =
            |what| WorkspaceError::from(CreateError::NoUse { template: template.id.clone(), what });
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
            new.parameters.push(("options".to_owned(), question.options.join(",")));
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

    /// Participants of a discussion who hold no role that speaks: in each phase that is sure to come others are asked.
    ///
    /// # Errors
    /// A file that cannot be read.
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
        // Who speaks in a discussion within this one is heard there.
        let within = snapshot.discussed_ahead().into_iter().flat_map(|spec| spec.participants);
        heard.extend(within.filter_map(|alias| Alias::parse(&alias).ok()));
        if heard.is_empty() {
            // Who is asked depends on what is said.
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

    /// The result of a question that no discussion could be made of.
    pub fn unasked(&self, question: &Question, error: &WorkspaceError) -> DiscussionResult {
        let error = ResultError::new(error.code(), error.to_string());
        let pattern = question.pattern.as_deref().unwrap_or(PATTERN);
        // A refused question must not print the key that it was refused for.
        let topic = self.clear("the question", &question.topic);
        let topic = topic.unwrap_or_else(|_| "[key]".to_owned());
        DiscussionResult::failed(pattern, &topic, &time(self.now()), error)
    }

    /// What a discussion came to whose run ended so. One that could not begin, and that nobody has added to, is taken away
    /// again; its result then names no file.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn outcome(
        &self,
        path: &Path,
        ended: Result<StopCode, &WorkspaceError>,
    ) -> Result<DiscussionResult, WorkspaceError> {
        let (snapshot, file) = (self.snapshot(path)?, self.exactly(path));
        let mut result =
            discussion_result(&snapshot, &file, ended.map_or(Ending::ByItself, Ending::of));
        let (cost, within_ms) = self.tree_spent(path, &snapshot);
        result = result.with_cost(&cost, within_ms);
        if let Err(error) = ended {
            // Where it cannot be taken away, it stays, and says what was to be asked.
            if self.take_back(path).unwrap_or(false) {
                result.file.clear();
            }
            result.success = false;
            // A missing program or key stays missing until somebody adds it.
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

/// The role whose holder writes the final text: the one that others stand in for.
fn writing_role(template: &Template) -> Option<&str> {
    let phase = template.phases.iter().find(|phase| phase.stand_in == StandIn::Neutral)?;
    let Speakers::List(speakers) = &phase.speakers else { return None };
    speakers.iter().map(String::as_str).find(|speaker| template.roles.contains_key(*speaker))
}

/// Most characters of the title of a question of several lines.
const HEADLINE: usize = 200;

/// A question's title, and what stands below it: lists, code and paragraphs would be lost in one line.
fn headed(topic: &str, context: Option<&str>) -> (String, Option<String>) {
    let topic = topic.trim();
    let Some((first, _)) = topic.split_once('\n') else {
        return (topic.to_owned(), context.map(str::to_owned));
    };
    let first = first.trim().trim_start_matches('#').trim_start();
    let mut title: String = first.chars().take(HEADLINE).collect();
    if title.len() < first.len() {
        title.push('…');
    }
    let parts = [Some(topic), context.filter(|context| !context.trim().is_empty())];
    (title, Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")))
}
