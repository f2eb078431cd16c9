//! Is there what a provider needs?

/// Whether a provider can be called at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// It can.
    Ready {
        /// What answers: the path of a program or of a script, the address of a service; `None` for
        /// what is built in.
        through: Option<String>,
    },
    /// It cannot: its program is not installed, its key is not set, its service does not listen.
    Missing {
        /// What is missing, in one sentence.
        reason: String,
        /// What to do about it.
        fix: String,
    },
}

impl Availability {
    /// Can it be called?
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self, Self::Ready { .. })
    }
}
