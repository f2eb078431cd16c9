//! Steps of workflow engines: parses the configuration of a step that asks a question.

use std::time::Duration;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::Discussions;
use super::discuss::Question;
use super::error::{Help, WorkspaceError};
use crate::yaml::{self, LoadError};

/// The fewest providers of a step, unless its pattern takes fewer.
const FEWEST: usize = 2;

/// Maximum number of characters of a prompt, which often holds the output of an earlier step.
const MAX_PROMPT_CHARS: usize = 10_000;

/// A step of a workflow around its configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WholeStep {
    #[serde(rename = "type")]
    kind: String,
    config: DiscussStep,
}

/// A step's configuration, with the keys of workflow engines, or a request with the keys of their tools. The pattern
/// supplies every key that is missing.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DiscussStep {
    pattern: Option<String>,
    rounds: Option<u32>,
    #[serde(default)]
    providers: Vec<String>,
    #[serde(alias = "topic")]
    prompt: String,
    context: Option<String>,
    /// The session of the program that asks. It becomes the label of the discussion.
    session_id: Option<String>,
    #[serde(default)]
    voting_options: Vec<String>,
    consensus_method: Option<String>,
    provider_prompts: Option<IndexMap<String, Value>>,
    #[serde(default)]
    roles: IndexMap<String, String>,
    #[serde(default)]
    consensus: StepConsensus,
    provider_timeout: Option<u64>,
    continue_on_provider_failure: Option<bool>,
    min_providers: Option<u32>,
    temperature: Option<f64>,
    #[serde(default)]
    verbose: bool,
}

/// The consensus settings of a step.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct StepConsensus {
    method: Option<String>,
    synthesizer: Option<String>,
    threshold: Option<f64>,
    include_dissent: Option<bool>,
    synthesis_prompt: Option<Value>,
}

impl Discussions<'_> {
    /// Parses a step of a workflow. Errors call the text `origin`.
    ///
    /// # Errors
    /// Fails like [`DiscussStep::read`].
    pub fn step(&self, text: &str, origin: &str) -> Result<DiscussStep, WorkspaceError> {
        let step = DiscussStep::parse(text, origin)?;
        let template = step.pattern.as_deref().and_then(|pattern| self.template(pattern).ok());
        let fewest = template.and_then(|template| template.participants.min);
        step.check(fewest.map_or(FEWEST, |fewest| FEWEST.min(fewest as usize)))?;
        Ok(step)
    }
}

impl DiscussStep {
    /// Parses the configuration of a step. Errors call the text `origin`.
    ///
    /// # Errors
    /// Fails if the text is no JSON or YAML of these keys, if a value is out of its limits, or
    /// for `providerPrompts` and `synthesisPrompt`, which would replace prompts.
    pub fn read(text: &str, origin: &str) -> Result<Self, WorkspaceError> {
        let step = Self::parse(text, origin)?;
        step.check(FEWEST)?;
        Ok(step)
    }

    /// Parses JSON or YAML: a configuration, or a step with the configuration in `config`.
    fn parse(text: &str, origin: &str) -> Result<Self, WorkspaceError> {
        let is_json = text.trim_start().starts_with('{');
        let value: Value = if is_json {
            serde_json::from_str(text).map_err(|error| json_error(text, origin, &error))?
        } else {
            yaml::read(text, origin)?
        };
        if value.get("steps").is_some() {
            let message = format!("{origin}: this is a workflow of several steps, not one step");
            let help = Help::ImportWorkflow(origin.to_owned());
            return Err(WorkspaceError::refuse(message).with_help(help));
        }
        if value.get("config").is_some() {
            let step: WholeStep = if is_json {
                serde_json::from_str(text).map_err(|error| json_error(text, origin, &error))?
            } else {
                yaml::read(text, origin)?
            };
            if step.kind != "discuss" {
                let message =
                    format!("{origin}: a step of the type `{}` asks no question", step.kind);
                return Err(WorkspaceError::refuse(message));
            }
            return Ok(step.config);
        }
        if is_json {
            return Ok(
                serde_json::from_str(text).map_err(|error| json_error(text, origin, &error))?
            );
        }
        Ok(yaml::read(text, origin)?)
    }

    /// Checks the values. `fewest` is the smallest number of providers.
    fn check(&self, fewest: usize) -> Result<(), WorkspaceError> {
        let dropped = |key, instead| {
            Err(WorkspaceError::refuse(format!("`{key}` is not supported; {instead}")))
        };
        if self.provider_prompts.is_some() {
            return dropped(
                "providerPrompts",
                "use a persona to give a participant its own instructions",
            );
        }
        if self.consensus.synthesis_prompt.is_some() {
            return dropped(
                "synthesisPrompt",
                "use your own template to say how the final text is written",
            );
        }
        let bounds = |key, within: bool, bounds| {
            let refused = || WorkspaceError::out_of_bounds(&format!("`{key}`"), bounds);
            within.then_some(()).ok_or_else(refused)
        };
        let count = self.providers.len();
        let share =
            |share: Option<f64>, most: f64| share.is_none_or(|it| (0.0..=most).contains(&it));
        let length = self.prompt.chars().count();
        bounds("prompt", (1..=MAX_PROMPT_CHARS).contains(&length), "1 to 10,000 characters")?;
        bounds(
            "rounds",
            self.rounds.is_none_or(|it| (1..=10).contains(&it)),
            "a whole number from 1 to 10",
        )?;
        let list = if fewest == 1 { "a list of 1 to 6" } else { "a list of 2 to 6" };
        bounds("providers", count == 0 || (fewest..=6).contains(&count), list)?;
        bounds("threshold", share(self.consensus.threshold, 1.0), "a number from 0 to 1")?;
        bounds("temperature", share(self.temperature, 2.0), "a number from 0 to 2")?;
        let time = self.provider_timeout.is_none_or(|it| (5_000..=3_600_000).contains(&it));
        bounds("providerTimeout", time, "milliseconds from 5000 to 3600000")?;
        let least =
            self.min_providers.is_none_or(|it| it > 0 && (count == 0 || it as usize <= count));
        bounds("minProviders", least, "at least 1, and at most the number of providers")
    }

    /// Returns the question of the step.
    pub fn question(&self) -> Question {
        let switch = |name: &str, on: Option<bool>| on.map(|on| (name.to_owned(), on.to_string()));
        let failure = self.continue_on_provider_failure;
        let parameters = [
            switch("continue_on_provider_failure", failure),
            switch("include_dissent", self.consensus.include_dissent),
        ];
        Question {
            topic: self.prompt.clone(),
            pattern: self.pattern.clone(),
            participants: self.providers.clone(),
            rounds: self.rounds,
            method: self.consensus.method.clone().or_else(|| self.consensus_method.clone()),
            context: self.context.clone(),
            options: self.voting_options.clone(),
            label: self.session_id.clone(),
            threshold: self.consensus.threshold,
            parameters: parameters.into_iter().flatten().collect(),
            roles: self.roles.iter().map(|(who, role)| (who.clone(), role.clone())).collect(),
            synthesizer: self.consensus.synthesizer.clone(),
            min_providers: self.min_providers,
            ..Question::default()
        }
    }

    /// Returns the deadline of one call; `None` means the provider's own.
    pub fn provider_timeout(&self) -> Option<Duration> {
        self.provider_timeout.map(Duration::from_millis)
    }

    /// Returns the sampling temperature, 0 to 2; `None` means that of the phase or the provider.
    pub fn temperature(&self) -> Option<f64> {
        self.temperature
    }

    /// Returns true if the caller also wants every answer.
    pub fn verbose(&self) -> bool {
        self.verbose
    }
}

fn json_error(text: &str, origin: &str, error: &serde_json::Error) -> LoadError {
    let place = (error.line(), error.column());
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    LoadError::at(origin, text, 1, place, message)
}
