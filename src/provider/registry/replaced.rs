//! The earlier definitions that a definition replaces.

use std::collections::BTreeSet;
use std::fmt;

use super::{Layer, Registry};
use crate::provider::{ProviderDefinition, ProviderName};

/// A name that had another meaning in an earlier layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedDefinition {
    /// The name or alias.
    pub name: ProviderName,
    /// The layer of its earlier definition.
    pub origin: Layer,
}

impl fmt::Display for ReplacedDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Layer::BuiltIn => write!(f, "the built-in `{}`", self.name),
            Layer::User(path) => write!(f, "your own `{}` ({})", self.name, path.display()),
            Layer::Project(path) => write!(f, "`{}` ({})", self.name, path.display()),
        }
    }
}

impl Registry {
    /// Returns the aliases that a new definition of `name` takes over, so that older texts that use them keep their
    /// meaning: all aliases of this name, except those that the new layer defines itself.
    pub(super) fn inherited(
        &self,
        name: &ProviderName,
        written: &BTreeSet<ProviderName>,
    ) -> Vec<ProviderName> {
        let means = |alias: &&ProviderName| {
            let meant =
                self.entry_by_name(alias.as_str()).map(|entry| &entry.definition.common.name);
            meant == Some(name) && !written.contains(*alias)
        };
        let same = self.entries.iter().find(|entry| entry.definition.common.name == *name);
        let aliases = same.into_iter().flat_map(|entry| &entry.definition.common.aliases);
        aliases.filter(means).cloned().collect()
    }

    /// Returns the names of a definition that are already known. An alias that equals the name of another provider
    /// still means that provider, so it replaces nothing.
    pub(super) fn replaced_by(&self, definition: &ProviderDefinition) -> Vec<ReplacedDefinition> {
        let is_name = |name: &ProviderName| {
            self.entries.iter().any(|entry| entry.definition.common.name == *name)
        };
        std::iter::once(&definition.common.name)
            .chain(definition.common.aliases.iter().filter(|alias| !is_name(alias)))
            .filter_map(|name| {
                let entry = self.entry_by_name(name.as_str())?;
                Some(ReplacedDefinition { name: name.clone(), origin: entry.origin.clone() })
            })
            .collect()
    }
}
