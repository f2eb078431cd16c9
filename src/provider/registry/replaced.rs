//! What a definition takes the place of.

use std::collections::BTreeSet;
use std::fmt;

use super::{Layer, Registry};
use crate::provider::{Definition, ProviderName};

/// A name that meant something else in an earlier layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The name or alias.
    pub name: ProviderName,
    /// Where its earlier definition is written.
    pub origin: Layer,
}

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Layer::BuiltIn => write!(f, "the built-in `{}`", self.name),
            Layer::User(path) => write!(f, "your own `{}` ({})", self.name, path.display()),
            Layer::Project(path) => write!(f, "`{}` ({})", self.name, path.display()),
        }
    }
}

impl Registry {
    /// The aliases that whoever takes a name's place has too, so that nothing that was written with them means somebody
    /// else or nobody: those that mean this name, but for those that are written anew.
    pub(super) fn inherited(
        &self,
        name: &ProviderName,
        written: &BTreeSet<ProviderName>,
    ) -> Vec<ProviderName> {
        let means = |alias: &&ProviderName| {
            let meant = self.named(alias.as_str()).map(|entry| &entry.definition.common.name);
            meant == Some(name) && !written.contains(*alias)
        };
        let same = self.entries.iter().find(|entry| entry.definition.common.name == *name);
        let aliases = same.into_iter().flat_map(|entry| &entry.definition.common.aliases);
        aliases.filter(means).cloned().collect()
    }

    /// The names of a definition that are known already. An alias that is somebody's name still
    /// means them, so it replaces nothing.
    pub(super) fn replaced_by(&self, definition: &Definition) -> Vec<Replaced> {
        let is_name = |name: &ProviderName| {
            self.entries.iter().any(|entry| entry.definition.common.name == *name)
        };
        std::iter::once(&definition.common.name)
            .chain(definition.common.aliases.iter().filter(|alias| !is_name(alias)))
            .filter_map(|name| {
                let entry = self.named(name.as_str())?;
                Some(Replaced { name: name.clone(), origin: entry.origin.clone() })
            })
            .collect()
    }
}
