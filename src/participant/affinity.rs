//! Which providers a persona would rather speak through.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A persona's wishes about providers; all of them by name, none of them checked here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Affinity {
    /// Tried in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferred: Vec<String>,
    /// Template name to the provider that is tried first in its discussions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub task_mapping: BTreeMap<String, String>,
    /// Taken when all the preferred ones failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// Never taken, whatever else is configured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

impl Affinity {
    /// Whether nothing is wished for.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether this provider must not be taken.
    pub(crate) fn excludes(&self, provider: &str) -> bool {
        self.exclude.iter().any(|excluded| excluded == provider)
    }
}
