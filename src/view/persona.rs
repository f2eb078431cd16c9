//! Who can take part.

use schemars::JsonSchema;
use serde::Serialize;

/// All who are known here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Personas {
    /// Those who can take part.
    pub personas: Vec<Persona>,
    /// Those whose definition is broken.
    pub broken: Vec<BrokenPersona>,
}

/// Somebody who can take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Persona {
    /// The word that mentions them.
    pub alias: String,
    /// The name above their comments.
    pub name: String,
    /// `voting`, `background` or `human`.
    pub kind: &'static str,
    /// What they are, in a few words.
    pub role: String,
    /// Where they are defined: `bundled`, or a path as it is shown.
    pub origin: String,
}

/// Somebody whose definition is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokenPersona {
    /// The word that would mention them.
    pub alias: String,
    /// What is wrong, with its place.
    pub error: String,
}

/// The definition of somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// The word that mentions them.
    pub alias: String,
    /// The name above their comments.
    pub name: String,
    /// Where they are defined: `bundled`, or a path as it is shown.
    pub origin: String,
    /// The definition as YAML.
    pub text: String,
    /// What keeps them from being asked, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What a project has put in the place of what comes with the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandIn {
    /// `template` or `persona`.
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// Its file, as it is shown.
    pub file: String,
}
