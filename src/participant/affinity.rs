//! The providers that a persona prefers or excludes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A persona's preferences for providers, by name. The names are not checked here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Affinity {
    /// Tried in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferred: Vec<String>,
    /// Maps the name of a template to the provider that is tried first in its discussions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub task_mapping: BTreeMap<String, String>,
    /// Used if all preferred providers failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// Never used, whatever else is configured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

impl Affinity {
    /// Returns true if there are no preferences.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns true if this provider must not be used.
    pub(crate) fn excludes(&self, provider: &str) -> bool {
        self.exclude.iter().any(|excluded| excluded == provider)
    }
}
