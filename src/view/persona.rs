//! The available personas.

use schemars::JsonSchema;
use serde::Serialize;

use crate::participant::ParticipantKind;

/// All known personas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Personas {
    /// The personas that can take part.
    pub personas: Vec<Persona>,
    /// The personas with a broken definition.
    pub broken: Vec<BrokenPersona>,
}

/// A persona that can take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Persona {
    /// The alias that mentions the persona.
    pub alias: String,
    /// The name above their comments.
    pub name: String,
    /// Whether a model or a person speaks, and whether votes count.
    pub kind: ParticipantKind,
    /// The role, in a few words.
    pub role: String,
    /// Where it is defined: `bundled`, or a path as it is shown.
    pub origin: String,
}

/// A persona with a broken definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokenPersona {
    /// The alias that would mention the persona.
    pub alias: String,
    /// What is wrong, with its place.
    pub error: String,
}

/// The definition of a persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// The alias that mentions the persona.
    pub alias: String,
    /// The name above their comments.
    pub name: String,
    /// Where it is defined: `bundled`, or a path as it is shown.
    pub origin: String,
    /// The definition as YAML.
    pub text: String,
    /// Why this persona cannot be asked, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A bundled template or persona that the project replaces.
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
