//! What a front end asks of models, in plain words and numbers.

use std::time::Duration;

use super::{CallOptions, Limits, RunOptions, TurnOptions};
use crate::duration::write;
use crate::engine::{Snapshot, TurnRequest};
use crate::provider::{LONGEST_TIMEOUT, Reach, SHORTEST_TIMEOUT, Timeout};
use crate::transcript::{Alias, Name};
use crate::workspace::{Workspace, WorkspaceError};

/// One turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ask {
    /// Whom to ask, by alias or name, with or without `@`; `all` is everybody. Empty: whoever is missing in the last turn,
    /// else those of the next.
    pub who: Vec<String>,
    /// A question to them, written as the asker's own comment first.
    pub question: Option<String>,
    /// Who asks; needed when something is asked.
    pub asker: Option<String>,
    /// The provider for everybody; none: each persona's own.
    pub provider: Option<String>,
    /// Most US dollars, 0 or more.
    pub max_usd: Option<f64>,
    /// Where money is limited, providers are asked too whose price nobody knows.
    pub unpriced: bool,
    /// Most model calls, asked-again ones too; without it, no limit.
    pub max_calls: Option<u32>,
    /// Longest time; without it, no limit.
    pub timeout: Option<Duration>,
    /// Models may read the files of the project, where their programs can.
    pub look: bool,
    /// Models may search the web, where their programs can.
    pub web: bool,
}

/// Turn after turn. No limit is set where none is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunRequest {
    /// The provider for everybody; none: each persona's own.
    pub provider: Option<String>,
    /// The deadline of one call, 5 s to 1 h, instead of the provider's own.
    pub call_timeout: Option<Duration>,
    /// Sampling temperature, 0 to 2, where the phase sets none.
    pub temperature: Option<f64>,
    /// Most tokens of one answer, 1 or more, where a provider's own limit is not lower.
    pub max_tokens: Option<u32>,
    /// Most turns.
    pub max_turns: Option<u32>,
    /// Most model calls.
    pub max_calls: Option<u32>,
    /// Most US dollars.
    pub max_usd: Option<f64>,
    /// Where money is limited, providers are asked too whose price nobody knows.
    pub unpriced: bool,
    /// Longest time; running calls are killed then.
    pub timeout: Option<Duration>,
    /// Go on while people have not answered what they were asked.
    pub no_wait: bool,
    /// Whose answers are waited for, by alias, before any model of the same turn is asked, where the turn asks them too: in
    /// an order of speakers those before them still go first.
    pub first: Vec<String>,
    /// Models may read the files of the project, where their programs can.
    pub look: bool,
    /// Models may search the web, where their programs can.
    pub web: bool,
}

impl Ask {
    /// # Errors
    /// Nobody is called so, a name that nobody can have, an empty question or one with secrets, money that is none.
    pub(super) fn options(
        &self,
        workspace: &Workspace,
        snapshot: &Snapshot,
    ) -> Result<TurnOptions, WorkspaceError> {
        if self.question.as_deref().is_some_and(|text| text.trim().is_empty()) {
            return Err(WorkspaceError::NothingSaid);
        }
        insist_on_money(self.max_usd)?;
        let ask = self.question.as_deref().map(|text| workspace.clear("the question", text));
        let name = |asked: &String| {
            let refused =
                |reason| WorkspaceError::Name { what: "a name", asked: asked.clone(), reason };
            Name::parse(asked).map_err(refused)
        };
        Ok(TurnOptions {
            request: TurnRequest { named: named(snapshot, &self.who)?, ask: ask.transpose()? },
            asker: self.asker.as_ref().map(name).transpose()?,
            max_usd: self.max_usd,
            unpriced: self.unpriced,
            max_calls: self.max_calls,
            timeout: self.timeout,
            calls: CallOptions {
                provider: self.provider.clone(),
                reach: Reach { look: self.look, web: self.web },
                ..CallOptions::default()
            },
        })
    }
}

impl RunRequest {
    /// With the limits of a run that nobody set any for.
    pub fn guarded() -> Self {
        let Limits { max_turns, max_calls, .. } = Limits::default();
        Self { max_turns: Some(max_turns), max_calls: Some(max_calls), ..Self::default() }
    }

    /// A time that one call may take.
    ///
    /// # Errors
    /// A sentence for people when it is shorter or longer than that.
    pub fn call_timeout(time: Duration) -> Result<Duration, String> {
        let bounds = |_| format!("from {} to {}", write(SHORTEST_TIMEOUT), write(LONGEST_TIMEOUT));
        Timeout::new(time).map(Timeout::get).map_err(bounds)
    }

    /// # Errors
    /// A number out of its bounds.
    pub(super) fn options(self) -> Result<RunOptions, WorkspaceError> {
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
        insist_on_money(self.max_usd)?;
        Ok(RunOptions {
            limits: Limits {
                max_turns: self.max_turns.unwrap_or(u32::MAX),
                max_calls: self.max_calls.unwrap_or(u32::MAX),
                max_usd: self.max_usd,
                unpriced: self.unpriced,
                timeout: self.timeout,
            },
            no_wait: self.no_wait,
            first: self.first,
            calls: CallOptions {
                provider: self.provider,
                provider_timeout: self.call_timeout,
                temperature: self.temperature,
                max_tokens: self.max_tokens,
                reach: Reach { look: self.look, web: self.web },
            },
        })
    }
}

fn insist_on_money(max_usd: Option<f64>) -> Result<(), WorkspaceError> {
    let is_none = max_usd.is_some_and(|it| !(it.is_finite() && it >= 0.0));
    let out = WorkspaceError::OutOfBounds { what: "the money", bounds: "0 or more".to_owned() };
    if is_none { Err(out) } else { Ok(()) }
}

/// The aliases of whoever is named.
fn named(snapshot: &Snapshot, who: &[String]) -> Result<Vec<Alias>, WorkspaceError> {
    let mut named: Vec<Alias> = Vec::new();
    for word in who {
        let bare = word.trim().trim_start_matches('@');
        let found = if bare.eq_ignore_ascii_case("all") {
            snapshot.config.seats().cloned().collect()
        } else {
            vec![alias(snapshot, bare)?]
        };
        for alias in found {
            if !named.contains(&alias) {
                named.push(alias);
            }
        }
    }
    Ok(named)
}

fn alias(snapshot: &Snapshot, word: &str) -> Result<Alias, WorkspaceError> {
    let config = &snapshot.config;
    // The head may name personas that this machine has no file for.
    let seated = config.seats().find(|alias| {
        alias.as_str().eq_ignore_ascii_case(word)
            || config.name_of(alias).eq_ignore_ascii_case(word)
    });
    match seated {
        Some(alias) => Ok(alias.clone()),
        None => Ok(config.roster().resolve(word)?.persona.alias.clone()),
    }
}
