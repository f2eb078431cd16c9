//! What a model may look at besides its prompt.

/// What a model may look at besides its prompt; only a person who asks allows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The files of the project.
    pub look: bool,
    /// The web.
    pub web: bool,
}

impl Reach {
    /// Nothing but the prompt.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}
