//! The tools that a participant may use besides its prompt.

use schemars::JsonSchema;
use serde::Serialize;

/// What a participant may read besides its prompt, for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolAccess {
    /// The participant's alias.
    pub participant: String,
    /// The provider that is called first.
    pub provider: String,
    /// Whether it may read the project's files.
    pub look: bool,
    /// Whether it may search the web.
    pub web: bool,
}
