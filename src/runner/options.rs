//! The options of a turn and of a run, with their bounds.

use std::time::Duration;

use crate::duration::write;
use crate::provider::{LONGEST_TIMEOUT, SHORTEST_TIMEOUT, Timeout, ToolPermissions};
use crate::workspace::WorkspaceError;

/// Turns after which a run stops by default.
const DEFAULT_MAX_TURNS: u32 = 20;
/// Model calls after which a run stops by default.
const DEFAULT_MAX_CALLS: u32 = 100;

/// The options of a run, from the flags of a front end to each call. If a limit is absent, the run has no limit of that
/// kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunOptions {
    /// How far the run goes.
    pub extent: Extent,
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

/// How far a run goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Extent {
    /// Turn by turn and phase by phase, until only people can go on, or a limit is reached.
    #[default]
    Run,
    /// One turn, which asks each participant once.
    Turn {
        /// The participants to ask, by alias or name, with or without `@`; `all` means every participant. If empty,
        /// the participants who have not answered in the last turn, or otherwise those of the next turn.
        who: Vec<String>,
        /// A question to them, written first as the asker's own comment.
        question: Option<String>,
        /// The name of the person who asks; required with a question.
        asker: Option<String>,
    },
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

    /// Returns the options of one turn that asks these participants, given by alias or name.
    pub fn turn<W: Into<String>>(who: impl IntoIterator<Item = W>) -> Self {
        let who = who.into_iter().map(Into::into).collect();
        Self { extent: Extent::Turn { who, question: None, asker: None }, ..Self::default() }
    }

    /// Returns the options of one turn that asks the participants whose turn it is.
    pub fn next_turn() -> Self {
        Self::turn([""; 0])
    }

    /// Adds a question, which is written as a comment of the person who asks it. The work is then one turn.
    #[must_use]
    pub fn asking(self, asker: impl Into<String>, question: impl Into<String>) -> Self {
        let who = match self.extent {
            Extent::Turn { who, .. } => who,
            Extent::Run => Vec::new(),
        };
        let (asker, question) = (Some(asker.into()), Some(question.into()));
        Self { extent: Extent::Turn { who, question, asker }, ..self }
    }

    /// Chooses the provider of all participants.
    #[must_use]
    pub fn through(self, provider: impl Into<String>) -> Self {
        Self { provider: Some(provider.into()), ..self }
    }

    /// Returns true if the run goes on turn by turn.
    pub fn is_run(&self) -> bool {
        self.extent == Extent::Run
    }

    /// Returns true if a person asks a question.
    pub fn has_question(&self) -> bool {
        matches!(&self.extent, Extent::Turn { question: Some(_), .. })
    }

    /// Returns whether models may use tools.
    pub fn has_tools(&self) -> bool {
        !self.reach().is_none()
    }

    /// Checks the deadline of one call.
    ///
    /// # Errors
    /// Returns a sentence for people if the time is too short or too long.
    pub fn call_timeout(time: Duration) -> Result<Duration, String> {
        let bounds = |_| format!("from {} to {}", write(SHORTEST_TIMEOUT), write(LONGEST_TIMEOUT));
        Timeout::new(time).map(Timeout::get).map_err(bounds)
    }

    /// Returns the tools that models may use.
    pub(super) fn reach(&self) -> ToolPermissions {
        ToolPermissions { look: self.look, web: self.web }
    }

    /// Returns the most model calls.
    pub(super) fn most_calls(&self) -> u32 {
        self.max_calls.unwrap_or(u32::MAX)
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// Fails if a number is out of its bounds.
    pub(super) fn ensure_bounds(&self) -> Result<(), WorkspaceError> {
        let out = WorkspaceError::out_of_bounds;
        if let Some(timeout) = self.call_timeout {
            Self::call_timeout(timeout).map_err(|bounds| out("the deadline", &bounds))?;
        }
        if self.temperature.is_some_and(|it| !(0.0..=2.0).contains(&it)) {
            return Err(out("the temperature", "from 0 to 2"));
        }
        if self.max_tokens == Some(0) {
            return Err(out("the length of an answer", "1 token or more"));
        }
        if self.max_usd.is_some_and(|usd| !(usd.is_finite() && usd >= 0.0)) {
            return Err(out("the money", "0 or more"));
        }
        Ok(())
    }
}
