//! The options of a turn and of a run: as a caller writes them, and with names resolved and numbers checked.

use std::time::Duration;

use super::mode::{RunMode, TurnSettings, Waiting};
use crate::duration::write;
use crate::engine::{Snapshot, TurnRequest};
use crate::provider::{LONGEST_TIMEOUT, SHORTEST_TIMEOUT, Timeout, ToolPermissions};
use crate::transcript::{Alias, Name};
use crate::workspace::{Workspace, WorkspaceError};

/// Turns after which a run stops by default.
const DEFAULT_MAX_TURNS: u32 = 20;
/// Model calls after which a run stops by default.
const DEFAULT_MAX_CALLS: u32 = 100;

/// The options of one turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnOptions {
    /// The participants to ask, by alias or name, with or without `@`; `all` means every participant. If empty,
    /// the participants who have not answered in the last turn, or otherwise those of the next turn.
    pub who: Vec<String>,
    /// A question to them, written first as the asker's own comment.
    pub question: Option<String>,
    /// The name of the person who asks; required with a question.
    pub asker: Option<String>,
    /// The provider for all participants; none: each persona's own.
    pub provider: Option<String>,
    /// The most US dollars to spend, 0 or more.
    pub max_usd: Option<f64>,
    /// True to call providers of unknown price too, even if money is limited.
    pub unpriced: bool,
    /// The most model calls, repair requests included; none: no limit.
    pub max_calls: Option<u32>,
    /// The longest time; none: no limit.
    pub timeout: Option<Duration>,
    /// Models may read the files of the project, if their programs can.
    pub look: bool,
    /// Models may search the web, if their programs can.
    pub web: bool,
}

/// The options of a run, which goes on turn after turn. If a limit is absent, the run has no limit of that kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunOptions {
    /// The provider for all participants; none: each persona's own.
    pub provider: Option<String>,
    /// The deadline of one call, 5 s to 1 h, instead of the provider's own.
    pub call_timeout: Option<Duration>,
    /// The sampling temperature, 0 to 2, in phases that set none.
    pub temperature: Option<f64>,
    /// The maximum number of tokens of one answer, 1 or more; a lower limit of the provider still applies.
    pub max_tokens: Option<u32>,
    /// The maximum number of turns that the run opens.
    pub max_turns: Option<u32>,
    /// The most model calls, repair requests included.
    pub max_calls: Option<u32>,
    /// The most US dollars to spend: the run makes no call that could exceed it.
    pub max_usd: Option<f64>,
    /// True to call providers of unknown price too, even if money is limited.
    pub unpriced: bool,
    /// The longest time, after which the run stops its running calls.
    pub timeout: Option<Duration>,
    /// True to continue even if people have not answered their questions.
    pub no_wait: bool,
    /// Participants, by alias. If a turn asks them, the run waits for their answers before it asks a model of that
    /// turn. In a phase with an order of speakers, those before them still go first.
    pub first: Vec<String>,
    /// Models may read the files of the project, if their programs can.
    pub look: bool,
    /// Models may search the web, if their programs can.
    pub web: bool,
}

/// The work of one run.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Asks each participant of one turn once.
    Turn(TurnOptions),
    /// Goes on turn by turn and phase by phase until only people can go on, or a limit is reached.
    Run(RunOptions),
}

/// Work with its participants resolved and its numbers checked.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) mode: RunMode,
    pub(super) calls: CallSettings,
    pub(super) limits: Limits,
    /// True to write nothing if `limits.max_usd` covers none of the first calls.
    pub(super) checks_price: bool,
}

/// The settings of each model call.
#[derive(Clone, Debug, Default)]
pub(super) struct CallSettings {
    /// The provider for all participants; none: each persona's own.
    pub(super) provider: Option<String>,
    /// The deadline of one call, instead of the provider's own.
    pub(super) timeout: Option<Duration>,
    /// The sampling temperature in phases that set none.
    pub(super) temperature: Option<f64>,
    /// The maximum number of tokens of one answer; a lower limit of the provider still applies.
    pub(super) max_tokens: Option<u32>,
    /// The tools that a person allowed the models.
    pub(super) reach: ToolPermissions,
}

/// The limits of one run.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) max_turns: u32,
    pub(super) max_calls: u32,
    pub(super) max_usd: Option<f64>,
    pub(super) unpriced: bool,
    pub(super) timeout: Option<Duration>,
}

impl TurnOptions {
    /// Returns the options of a turn that asks these participants, given by alias or name.
    pub fn of<W: Into<String>>(who: impl IntoIterator<Item = W>) -> Self {
        Self { who: who.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Adds a question, which is written as a comment of the person who asks it.
    #[must_use]
    pub fn asking(self, asker: impl Into<String>, question: impl Into<String>) -> Self {
        Self { asker: Some(asker.into()), question: Some(question.into()), ..self }
    }

    /// Chooses the provider of all participants.
    #[must_use]
    pub fn through(self, provider: impl Into<String>) -> Self {
        Self { provider: Some(provider.into()), ..self }
    }
}

impl From<TurnOptions> for Work {
    fn from(turn: TurnOptions) -> Self {
        Self::Turn(turn)
    }
}

impl From<RunOptions> for Work {
    fn from(run: RunOptions) -> Self {
        Self::Run(run)
    }
}

impl Work {
    /// Returns the provider for all participants; none: each persona's own.
    pub fn provider(&self) -> Option<&str> {
        match self {
            Self::Turn(options) => options.provider.as_deref(),
            Self::Run(options) => options.provider.as_deref(),
        }
    }

    /// Returns whether models may use tools.
    pub fn has_tools(&self) -> bool {
        !self.reach().is_none()
    }

    /// Returns the tools that models may use.
    pub(super) fn reach(&self) -> ToolPermissions {
        match self {
            Self::Turn(options) => ToolPermissions { look: options.look, web: options.web },
            Self::Run(options) => ToolPermissions { look: options.look, web: options.web },
        }
    }

    /// Resolves names against a discussion and checks numbers.
    pub(super) fn resolve(
        &self,
        workspace: &Workspace,
        snapshot: &Snapshot,
    ) -> Result<Settings, WorkspaceError> {
        match self {
            Self::Turn(options) => options.resolve(workspace, snapshot),
            Self::Run(options) => options.resolve(),
        }
    }
}

impl TurnOptions {
    /// # Errors
    /// Fails if a participant does not exist, if a name is invalid, if a question is empty or holds secrets, or if an
    /// amount of money is below 0.
    pub(super) fn resolve(
        &self,
        workspace: &Workspace,
        snapshot: &Snapshot,
    ) -> Result<Settings, WorkspaceError> {
        let turn = self.resolve_turn(workspace, snapshot)?;
        Ok(Settings {
            mode: RunMode::turn(turn),
            calls: CallSettings {
                provider: self.provider.clone(),
                reach: ToolPermissions { look: self.look, web: self.web },
                ..CallSettings::default()
            },
            limits: Limits {
                max_turns: u32::MAX,
                max_calls: self.max_calls.unwrap_or(u32::MAX),
                max_usd: self.max_usd,
                unpriced: self.unpriced,
                timeout: self.timeout,
            },
            checks_price: true,
        })
    }

    fn resolve_turn(
        &self,
        workspace: &Workspace,
        snapshot: &Snapshot,
    ) -> Result<TurnSettings, WorkspaceError> {
        if self.question.as_deref().is_some_and(|text| text.trim().is_empty()) {
            return Err(WorkspaceError::NothingSaid);
        }
        ensure_money(self.max_usd)?;
        let ask = self.question.as_deref().map(|text| workspace.clear("the question", text));
        let name = |asked: &String| {
            let refused =
                |reason| WorkspaceError::Name { what: "a name", asked: asked.clone(), reason };
            Name::parse(asked).map_err(refused)
        };
        Ok(TurnSettings {
            request: TurnRequest {
                named: resolve_participants(snapshot, &self.who)?,
                ask: ask.transpose()?,
            },
            asker: self.asker.as_ref().map(name).transpose()?,
        })
    }
}

impl RunOptions {
    /// Returns options with the default limits of turns and calls.
    pub fn with_default_limits() -> Self {
        Self {
            max_turns: Some(DEFAULT_MAX_TURNS),
            max_calls: Some(DEFAULT_MAX_CALLS),
            ..Self::default()
        }
    }

    /// Checks the deadline of one call.
    ///
    /// # Errors
    /// Returns a sentence for people if the time is too short or too long.
    pub fn call_timeout(time: Duration) -> Result<Duration, String> {
        let bounds = |_| format!("from {} to {}", write(SHORTEST_TIMEOUT), write(LONGEST_TIMEOUT));
        Timeout::new(time).map(Timeout::get).map_err(bounds)
    }

    /// # Errors
    /// Fails if a number is out of its bounds.
    pub(super) fn resolve(&self) -> Result<Settings, WorkspaceError> {
        let out = |what, bounds: &str| WorkspaceError::OutOfBounds { what, bounds: bounds.into() };
        if let Some(timeout) = self.call_timeout {
            Self::call_timeout(timeout)
                .map_err(|bounds| WorkspaceError::OutOfBounds { what: "the deadline", bounds })?;
        }
        if self.temperature.is_some_and(|it| !(0.0..=2.0).contains(&it)) {
            return Err(out("the temperature", "from 0 to 2"));
        }
        if self.max_tokens == Some(0) {
            return Err(out("the length of an answer", "1 token or more"));
        }
        ensure_money(self.max_usd)?;
        Ok(Settings {
            mode: RunMode::run(Waiting { no_wait: self.no_wait, first: self.first.clone() }),
            calls: CallSettings {
                provider: self.provider.clone(),
                timeout: self.call_timeout,
                temperature: self.temperature,
                max_tokens: self.max_tokens,
                reach: ToolPermissions { look: self.look, web: self.web },
            },
            limits: Limits {
                max_turns: self.max_turns.unwrap_or(u32::MAX),
                max_calls: self.max_calls.unwrap_or(u32::MAX),
                max_usd: self.max_usd,
                unpriced: self.unpriced,
                timeout: self.timeout,
            },
            checks_price: true,
        })
    }
}

fn ensure_money(max_usd: Option<f64>) -> Result<(), WorkspaceError> {
    if max_usd.is_some_and(|usd| !(usd.is_finite() && usd >= 0.0)) {
        return Err(WorkspaceError::OutOfBounds {
            what: "the money",
            bounds: "0 or more".to_owned(),
        });
    }
    Ok(())
}

/// Returns the aliases of the named participants.
fn resolve_participants(
    snapshot: &Snapshot,
    names: &[String],
) -> Result<Vec<Alias>, WorkspaceError> {
    let mut aliases: Vec<Alias> = Vec::new();
    for name in names {
        let bare = name.trim().trim_start_matches('@');
        let found = if bare.eq_ignore_ascii_case("all") {
            snapshot.config.seats().cloned().collect()
        } else {
            vec![resolve_participant(snapshot, bare)?]
        };
        for alias in found {
            if !aliases.contains(&alias) {
                aliases.push(alias);
            }
        }
    }
    Ok(aliases)
}

fn resolve_participant(snapshot: &Snapshot, name: &str) -> Result<Alias, WorkspaceError> {
    let config = &snapshot.config;
    // The head may name personas that this machine has no file for.
    let known = config.seats().find(|alias| {
        alias.as_str().eq_ignore_ascii_case(name)
            || config.name_of(alias).eq_ignore_ascii_case(name)
    });
    match known {
        Some(alias) => Ok(alias.clone()),
        None => Ok(config.roster().resolve(name)?.persona.alias.clone()),
    }
}
