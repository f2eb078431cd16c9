//! Short ways to write the work of a run.

use super::{Ask, RunRequest, Work};

impl Ask {
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

impl From<Ask> for Work {
    fn from(turn: Ask) -> Self {
        Self::Turn(turn)
    }
}

impl From<RunRequest> for Work {
    fn from(run: RunRequest) -> Self {
        Self::Run(run)
    }
}
