//! Short ways to write the work of a run.

use super::{RunOptions, TurnOptions, Work};

impl TurnOptions {
    /// Returns the turn of these participants, by alias or name.
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
