//! All providers there are, by name, and where each definition comes from.

mod base;
mod broken;
mod model;
mod open;
mod parts;
mod replaced;
mod tool;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::LazyLock;

use serde::Deserialize;
use thiserror::Error;

pub(crate) use self::broken::Broken;
pub use self::open::OpenError;
pub(crate) use self::replaced::Replaced;
use super::definition::Written;
use super::presets::presets;
use super::{Definition, Kind, ProviderName};
use crate::similarity::suggest;
use crate::yaml::{self, LoadError, Spanned};

const BUNDLED: &str = include_str!("bundled.yaml");

/// The name under which nobody may be anything but the built-in answers without a model.
const MOCK: &str = "mock";

/// Where a definition was read; a later layer replaces an earlier one's definition of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Within this program.
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

/// One definition and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// How the provider is called.
    pub definition: Definition,
    /// Where that is written.
    pub origin: Layer,
    /// The line of that file, from 1; 0 when it is about no line.
    pub line: usize,
    /// What it takes the place of.
    pub replaces: Vec<Replaced>,
}

/// A name that no provider has that could be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.words())]
pub struct UnknownProvider {
    /// The name as it was asked for.
    pub name: String,
    /// Names that look like it, nearest first.
    pub nearest: Vec<String>,
    /// What is wrong with its definition, or with a whole file that may hold it.
    pub(crate) why: Option<Box<Broken>>,
}

impl UnknownProvider {
    fn words(&self) -> String {
        let hint = self.why.as_ref().and_then(|why| why.error.hint.clone());
        let near = || self.nearest.first().map(|nearest| format!("did you mean `{nearest}`?"));
        let mends = if self.why.is_some() { hint } else { near() };
        self.message() + &mends.map_or_else(String::new, |mends| format!("; {mends}"))
    }

    /// The same without what mends it.
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

/// The whole of a `providers.yaml`; one that is all comments defines nothing.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProvidersFile {
    providers: Option<Vec<Spanned<Written>>>,
}

/// The definitions of all layers, merged.
#[derive(Clone, Debug, PartialEq)]
pub struct Registry {
    /// In the order in which they were first defined: the first installed one is a default.
    entries: Vec<Entry>,
    /// Definitions, and whole files of them, that cannot be used.
    broken: Vec<Broken>,
}

/// What is wrong with a text, and in which line and column of it, from 1, where that is known.
struct Wrong {
    error: Box<LoadError>,
    place: Option<(usize, usize)>,
}

/// Definitions with their lines and columns.
type Placed = Vec<(Definition, (usize, usize))>;

impl Registry {
    /// Nothing at all.
    pub(super) fn empty() -> Self {
        Self { entries: Vec::new(), broken: Vec::new() }
    }

    /// Only what is built in.
    ///
    /// # Errors
    ///
    /// Never, unless this program was built with a broken `bundled.yaml`.
    pub fn built_in() -> Result<Self, LoadError> {
        // Who looks at a folder again and again reads what comes with the program once.
        static BUILT_IN: LazyLock<Result<Registry, LoadError>> = LazyLock::new(Registry::read);
        BUILT_IN.clone()
    }

    fn read() -> Result<Self, LoadError> {
        let mut registry = Self::empty();
        registry.add(BUNDLED, Layer::BuiltIn)?;
        // Programs that people have come first, made-up answers last.
        let last = registry.entries.len().saturating_sub(1);
        let services = presets().iter().map(|preset| Entry {
            definition: preset.definition(),
            origin: Layer::BuiltIn,
            line: 0,
            replaces: Vec::new(),
        });
        registry.entries.splice(last..last, services);
        Ok(registry)
    }

    /// Adds the text of a `providers.yaml`; its definitions replace earlier ones of the same name,
    /// in their place.
    ///
    /// # Errors
    ///
    /// [`LoadError`] when the text is not one, defines a name or an alias twice, or gives the name
    /// of made-up answers to anything else; the registry is then as it was.
    pub fn add(&mut self, text: &str, layer: Layer) -> Result<(), LoadError> {
        let definitions = definitions(text, &layer).map_err(|wrong| *wrong.error)?;
        self.take(definitions, &layer);
        Ok(())
    }

    /// Takes definitions over earlier ones.
    fn take(&mut self, definitions: Placed, layer: &Layer) {
        let below = self.clone();
        let names = |(definition, _): &(Definition, _)| {
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
            let entry = Entry { definition, origin: layer.clone(), line, replaces };
            match same {
                Some(place) => self.entries[place] = entry,
                None => self.entries.push(entry),
            }
        }
    }

    /// All providers: built-in ones first, each where it was first defined.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The provider of this name, else of this alias; of two layers' aliases the later counts. `name:model` is the
    /// provider of that name with another model.
    ///
    /// # Errors
    ///
    /// [`UnknownProvider`] with names that look alike.
    pub(crate) fn find(&self, name: &str) -> Result<Cow<'_, Entry>, UnknownProvider> {
        if let Some(broken) = self.broken_named(name) {
            let why = Some(Box::new(broken.clone()));
            return Err(UnknownProvider { name: name.to_owned(), nearest: Vec::new(), why });
        }
        match self.named(name) {
            Some(entry) => Ok(Cow::Borrowed(entry)),
            None => self.with_model(name),
        }
    }

    fn named(&self, name: &str) -> Option<&Entry> {
        let wanted = ProviderName::parse(name).ok();
        let by_name = |entry: &&Entry| Some(&entry.definition.common.name) == wanted.as_ref();
        let by_alias = |entry: &&Entry| {
            wanted.as_ref().is_some_and(|w| entry.definition.common.aliases.contains(w))
        };
        let aliased = || {
            let all = self.entries.iter().filter(by_alias);
            all.max_by_key(|entry| entry.origin.rank())
        };
        self.entries.iter().find(by_name).or_else(aliased)
    }

    /// The names of all variables that hold keys.
    pub fn keys(&self) -> BTreeSet<String> {
        let key = |entry: &Entry| match &entry.definition.kind {
            Kind::Http(http) => http.key.clone(),
            _ => None,
        };
        self.entries.iter().filter_map(key).collect()
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

/// The definitions of a text.
fn definitions(text: &str, layer: &Layer) -> Result<Placed, Wrong> {
    let origin = layer.to_string();
    let at_its_place = |error: LoadError| {
        let place = Some((error.line, error.column)).filter(|(line, _)| *line > 0);
        Wrong { error: Box::new(error), place }
    };
    let file: Option<ProvidersFile> = yaml::read(text, &origin).map_err(at_its_place)?;
    let mut definitions = Vec::new();
    for Spanned { value: written, referenced, .. } in
        file.unwrap_or_default().providers.unwrap_or_default()
    {
        let place = [referenced.line(), referenced.column()];
        let place: (usize, usize) = place.map(|number| usize::try_from(number).unwrap_or(0)).into();
        let definition = Definition::try_from(written).map_err(|wrong| {
            let place = wrong.place.unwrap_or(place);
            let error = if wrong.hidden {
                LoadError::new(&origin, format!("line {}: {}", place.0, wrong.message))
            } else {
                LoadError::at(&origin, text, 1, place, wrong.message)
            };
            Wrong { error: Box::new(error), place: Some(place) }
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
                return Err(Wrong { error, place: Some(*place) });
            }
            if name.as_str() == MOCK && *layer != Layer::BuiltIn {
                let message = format!("`{MOCK}` is reserved for made-up answers");
                let error = LoadError::at(&origin, text, 1, *place, message)
                    .with_hint("give this provider another name");
                return Err(Wrong { error: Box::new(error), place: Some(*place) });
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

#[cfg(test)]
mod tests;
