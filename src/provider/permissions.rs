//! The tools that a model may use besides its prompt.

/// The tools that a model may use besides its prompt. Only the user who starts a run can allow them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolPermissions {
    /// True if it may read the files of the project.
    pub look: bool,
    /// True if it may use the web.
    pub web: bool,
}

impl ToolPermissions {
    /// Returns whether the model gets only its prompt.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}
