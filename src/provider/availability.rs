//! Checks before a call: is a provider installed, configured and reachable?

/// The result of checking if a provider can be called at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// The provider can be called.
    Ready {
        /// The thing that answers: the path of a program or a script, or the address of a service. `None` for a
        /// built-in provider.
        through: Option<String>,
    },
    /// The provider cannot be called: its program is not installed, its key is not set, or its service does not listen.
    Missing {
        /// The missing thing, in one sentence.
        reason: String,
        /// The instruction for the user that fixes it.
        fix: String,
    },
}

impl Availability {
    /// Returns whether the provider can be called.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self, Self::Ready { .. })
    }
}
