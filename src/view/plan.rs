//! The plan of a turn before it runs.

use schemars::JsonSchema;
use serde::Serialize;

/// What a turn would do.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Planned {
    /// The file, as it is shown.
    pub file: String,
    /// The number of the turn that they would be asked in.
    pub turn: u32,
    /// Who would be asked.
    pub asks: Vec<PlannedAsk>,
    /// What would be appended before the first call.
    pub appends: String,
}

/// One participant who would be asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedAsk {
    /// The participant's alias.
    pub participant: String,
    /// The provider that would be asked first.
    pub provider: Option<String>,
    /// The exact prompt.
    pub prompt: String,
    /// All providers in order; later ones are only called if earlier ones fail.
    #[serde(skip)]
    pub providers: Vec<String>,
    /// The preferred provider, if it is not installed.
    #[serde(skip)]
    pub passed_over: Option<super::PassedOver>,
}
