//! All known providers, by name, with the file that each definition comes from and the earlier definitions that it
//! replaces.

mod open;
mod parts;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::LazyLock;

use serde::Deserialize;
use thiserror::Error;

pub use self::open::OpenError;
pub use self::parts::RemoveError;
pub(crate) use self::parts::{BrokenDefinition, remove_definition};
use super::definition::RawDefinition;
use super::presets::presets;
use super::{ProviderDefinition, ProviderName};
use crate::similarity::suggest;
use crate::yaml::{LoadError, Spanned, YamlDocument};

const BUNDLED: &str = include_str!("bundled.yaml");

/// The name that is reserved for the built-in mock.
const MOCK: &str = "mock";

/// The source of a definition. A definition in a later layer replaces one of the same name in an earlier layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Built into this program.
    BuiltIn,
    /// The user's `providers.yaml`.
    User(PathBuf),
    /// The project's `providers.yaml`.
    Project(PathBuf),
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::User(path) | Self::Project(path) => path.display().fmt(f),
        }
    }
}

/// One definition and its source.
#[derive(Clone, Debug, PartialEq)]
pub struct RegistryEntry {
    /// The definition of the provider.
    pub definition: ProviderDefinition,
    /// The layer that contains it.
    pub origin: Layer,
    /// The line in the file, from 1; 0 if it has none.
    pub line: usize,
    /// The earlier definitions that it replaces.
    pub replaces: Vec<ReplacedDefinition>,
}

/// The error for a name that no usable provider has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.words())]
pub struct UnknownProvider {
    /// The name that was looked for.
    pub name: String,
    /// Similar names, the most similar first.
    pub nearest: Vec<String>,
    /// The error in its definition, or in a whole file that may define it.
    pub(crate) why: Option<Box<BrokenDefinition>>,
}

impl UnknownProvider {
    fn words(&self) -> String {
        let hint = self.why.as_ref().and_then(|why| why.error.hint.clone());
        let near = || self.nearest.first().map(|nearest| format!("did you mean `{nearest}`?"));
        let mends = if self.why.is_some() { hint } else { near() };
        self.message() + &mends.map_or_else(String::new, |mends| format!("; {mends}"))
    }

    /// Returns the message without its hint.
    pub(crate) fn message(&self) -> String {
        let name = &self.name;
        let Some(why) = &self.why else { return format!("there is no provider `{name}`") };
        let error = LoadError { hint: None, ..why.error.clone() };
        match why.name {
            Some(_) => format!("the provider `{name}` cannot be used: {error}"),
            None => format!(
                "there is no provider `{name}`; part of the configuration cannot be read: {error}"
            ),
        }
    }
}

/// The content of a `providers.yaml`. A file with only comments defines nothing.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProvidersFile {
    providers: Option<Vec<Spanned<RawDefinition>>>,
}

/// The merged definitions of all layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Registry {
    /// The definitions in the order of their first appearance, because the first installed provider is a default.
    entries: Vec<RegistryEntry>,
    /// Definitions and whole files that cannot be used.
    broken: Vec<BrokenDefinition>,
}

/// An error in a text, with its line and column, from 1, if they are known.
struct InvalidEntry {
    error: Box<LoadError>,
    place: Option<(usize, usize)>,
}

/// Definitions with their lines and columns.
type Placed = Vec<(ProviderDefinition, (usize, usize))>;

impl Registry {
    /// Creates an empty registry.
    pub(super) fn empty() -> Self {
        Self { entries: Vec::new(), broken: Vec::new() }
    }

    /// Returns the registry of built-in providers only.
    ///
    /// # Errors
    ///
    /// Fails only if this program was built with a broken `bundled.yaml`.
    pub fn built_in() -> Result<Self, LoadError> {
        // The built-in definitions are parsed once, because some callers load a folder repeatedly.
        static BUILT_IN: LazyLock<Result<Registry, LoadError>> = LazyLock::new(Registry::read);
        BUILT_IN.clone()
    }

    fn read() -> Result<Self, LoadError> {
        let mut registry = Self::empty();
        registry.add(BUNDLED, Layer::BuiltIn)?;
        // Installed programs come first and the mock comes last.
        let last = registry.entries.len().saturating_sub(1);
        let services = presets().iter().map(|preset| RegistryEntry {
            definition: preset.definition(),
            origin: Layer::BuiltIn,
            line: 0,
            replaces: Vec::new(),
        });
        registry.entries.splice(last..last, services);
        Ok(registry)
    }

    /// Adds the text of a `providers.yaml`. Its definitions replace earlier ones of the same name and take their
    /// positions.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] if the text is invalid, defines a name or an alias twice, or gives the name of the mock to
    /// anything else. The registry is then unchanged.
    pub fn add(&mut self, text: &str, layer: Layer) -> Result<(), LoadError> {
        let definitions = definitions(text, &layer).map_err(|wrong| *wrong.error)?;
        self.take(definitions, &layer);
        Ok(())
    }

    /// Adds definitions, which replace earlier ones.
    fn take(&mut self, definitions: Placed, layer: &Layer) {
        let below = self.clone();
        let names = |(definition, _): &(ProviderDefinition, _)| {
            let common = &definition.common;
            [&common.aliases[..], std::slice::from_ref(&common.name)].concat()
        };
        let written: BTreeSet<ProviderName> = definitions.iter().flat_map(names).collect();
        for (mut definition, (line, _)) in definitions {
            let same = self
                .entries
                .iter()
                .position(|e| e.definition.common.name == definition.common.name);
            let replaces = below.replaced_by(&definition);
            let common = &mut definition.common;
            common.aliases.extend(below.inherited(&common.name, &written));
            let entry = RegistryEntry { definition, origin: layer.clone(), line, replaces };
            match same {
                Some(place) => self.entries[place] = entry,
                None => self.entries.push(entry),
            }
        }
    }

    /// Returns all providers, built-in ones first, each at the position of its first definition.
    pub fn entries(&self) -> &[RegistryEntry] {
        &self.entries
    }

    /// Finds a provider by its name, or otherwise by an alias. If two layers use the same alias, the later one counts.
    /// `name:model` is the provider `name` with another model.
    ///
    /// # Errors
    ///
    /// Returns [`UnknownProvider`] with similar names.
    pub(crate) fn find(&self, name: &str) -> Result<Cow<'_, RegistryEntry>, UnknownProvider> {
        if let Some(broken) = self.broken_named(name) {
            let why = Some(Box::new(broken.clone()));
            return Err(UnknownProvider { name: name.to_owned(), nearest: Vec::new(), why });
        }
        match self.entry_by_name(name) {
            Some(entry) => Ok(Cow::Borrowed(entry)),
            None => self.with_model(name),
        }
    }

    fn entry_by_name(&self, name: &str) -> Option<&RegistryEntry> {
        let wanted = ProviderName::parse(name).ok();
        let by_name =
            |entry: &&RegistryEntry| Some(&entry.definition.common.name) == wanted.as_ref();
        let by_alias = |entry: &&RegistryEntry| {
            wanted.as_ref().is_some_and(|w| entry.definition.common.aliases.contains(w))
        };
        let aliased = || {
            let all = self.entries.iter().filter(by_alias);
            all.max_by_key(|entry| entry.origin.rank())
        };
        self.entries.iter().find(by_name).or_else(aliased)
    }

    /// Returns the names of all variables that hold keys.
    pub fn keys(&self) -> BTreeSet<String> {
        self.entries.iter().flat_map(|entry| entry.definition.kind.keys()).cloned().collect()
    }

    fn unknown(&self, name: &str) -> UnknownProvider {
        let known = self
            .entries
            .iter()
            .flat_map(|e| {
                std::iter::once(&e.definition.common.name).chain(&e.definition.common.aliases)
            })
            .map(ProviderName::as_str);
        let nearest = suggest(name, known).into_iter().map(str::to_owned).collect();
        let whole = self.broken.iter().find(|broken| broken.name.is_none());
        let why = whole.map(|broken| Box::new(broken.clone()));
        UnknownProvider { name: name.to_owned(), nearest, why }
    }
}

/// Parses the definitions of a text.
fn definitions(text: &str, layer: &Layer) -> Result<Placed, InvalidEntry> {
    let origin = layer.to_string();
    let at_its_place = |error: LoadError| {
        let place = Some((error.line, error.column)).filter(|(line, _)| *line > 0);
        InvalidEntry { error: Box::new(error), place }
    };
    let document = YamlDocument::parse(text, &origin, 1).map_err(at_its_place)?;
    let document = match layer {
        Layer::BuiltIn => document.ignoring_places(),
        Layer::User(_) | Layer::Project(_) => document,
    };
    let file: Option<ProvidersFile> = document.read().map_err(at_its_place)?;
    let mut definitions = Vec::new();
    for Spanned { value: written, place } in file.unwrap_or_default().providers.unwrap_or_default()
    {
        let definition = ProviderDefinition::try_from(written).map_err(|wrong| {
            let place = wrong.place.unwrap_or(place);
            let error = if wrong.hidden {
                LoadError::new(&origin, format!("line {}: {}", place.0, wrong.message))
            } else {
                LoadError::at(&origin, text, 1, place, wrong.message)
            };
            InvalidEntry { error: Box::new(error), place: Some(place) }
        })?;
        definitions.push((definition, place));
    }
    let mut names = BTreeMap::new();
    for (definition, place) in &definitions {
        for name in std::iter::once(&definition.common.name).chain(&definition.common.aliases) {
            if let Some(other) = names.insert(name, &definition.common.name) {
                let message = format!(
                    "`{name}` names two providers: `{other}` and `{}`",
                    definition.common.name
                );
                let error = Box::new(LoadError::new(&origin, message));
                return Err(InvalidEntry { error, place: Some(*place) });
            }
            if name.as_str() == MOCK && *layer != Layer::BuiltIn {
                let message = format!("`{MOCK}` is reserved for made-up answers");
                let error = LoadError::at(&origin, text, 1, *place, message)
                    .with_hint("give this provider another name");
                return Err(InvalidEntry { error: Box::new(error), place: Some(*place) });
            }
        }
    }
    Ok(definitions)
}

impl Layer {
    fn rank(&self) -> u8 {
        match self {
            Self::BuiltIn => 0,
            Self::User(_) => 1,
            Self::Project(_) => 2,
        }
    }
}

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
    fn inherited(
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
    fn replaced_by(&self, definition: &ProviderDefinition) -> Vec<ReplacedDefinition> {
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

#[cfg(test)]
mod tests;
