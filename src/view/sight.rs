//! What a participant may look at besides its prompt.

use schemars::JsonSchema;
use serde::Serialize;

/// What a participant may look at besides its prompt, for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sight {
    /// Who, by alias.
    pub participant: String,
    /// The provider that is asked first.
    pub provider: String,
    /// It may read the files of the project.
    pub look: bool,
    /// It may search the web.
    pub web: bool,
}
