//! What cannot be used of a `providers.yaml`: a definition with a mistake takes no other one away.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Layer, MOCK, Registry, Wrong, definitions};
use crate::provider::ProviderName;
use crate::yaml::{self, LoadError, Spanned};

/// A definition that cannot be used, or a whole file of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// What the provider is called; `None`: it is about the whole file, or what is wrong has no name.
    pub(crate) name: Option<String>,
    /// Where it is written.
    pub(crate) origin: Layer,
    /// What is wrong.
    pub(crate) error: LoadError,
}

/// A `providers.yaml`, read for where its definitions stand.
#[derive(Deserialize)]
struct Outline {
    providers: Option<Vec<Spanned<Item>>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Item {
    Named { name: String },
    Any(IgnoredAny),
}

/// One definition, by its name and its lines: the first, and that behind the last, from 1.
struct Part {
    name: Option<String>,
    lines: std::ops::Range<usize>,
}

impl Registry {
    /// Adds what can be used of the text of a `providers.yaml`, as [`Registry::add`] does; what cannot be is kept as
    /// [`Broken`], and takes away what it would replace, for nobody meant to ask that.
    pub(crate) fn add_usable(&mut self, text: &str, layer: Layer) {
        let parts = parts(text, &layer).unwrap_or_default();
        let mut lines: Vec<&str> = text.split('\n').collect();
        let mut broken = Vec::new();
        for _ in 0..=parts.len() {
            let wrong = match definitions(&lines.join("\n"), &layer) {
                Ok(definitions) => {
                    for Broken { name, .. } in &broken {
                        self.entries.retain(|entry| {
                            let own = entry.definition.common.name.as_str();
                            own == MOCK || Some(own) != name.as_deref()
                        });
                    }
                    self.broken.extend(broken);
                    return self.take(definitions, &layer);
                }
                Err(wrong) => wrong,
            };
            let Wrong { error, line } = wrong;
            let holds = |part: &&Part| line.is_some_and(|line| part.lines.contains(&line));
            let Some(part) = parts.iter().find(holds) else {
                return self.add_broken(layer, *error);
            };
            // Every other line keeps its number.
            for line in lines.iter_mut().skip(part.lines.start - 1).take(part.lines.len()) {
                *line = "";
            }
            broken.push(Broken { name: part.name.clone(), origin: layer.clone(), error: *error });
        }
        // Something is wrong beside all definitions.
        if let Some(Broken { error, .. }) = broken.pop() {
            self.add_broken(layer, error);
        }
    }

    /// Notes a whole file that cannot be used.
    pub(crate) fn add_broken(&mut self, origin: Layer, error: LoadError) {
        self.broken.push(Broken { name: None, origin, error });
    }

    /// What cannot be used, in the order in which it was read.
    pub(crate) fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// A definition that cannot be used, where no later one takes its place.
    pub(super) fn broken_named(&self, name: &str) -> Option<&Broken> {
        let wanted = ProviderName::parse(name.split(':').next()?).ok()?;
        let is_it = |broken: &&Broken| {
            let own = broken.name.as_deref().and_then(|name| ProviderName::parse(name).ok());
            own.as_ref() == Some(&wanted) && wanted.as_str() != MOCK
        };
        let broken = self.broken.iter().rev().find(is_it)?;
        let own = |entry: &&super::Entry| entry.definition.common.name == wanted;
        let later = self.entries.iter().find(own);
        let later = later.filter(|entry| entry.origin.rank() >= broken.origin.rank());
        later.is_none().then_some(broken)
    }
}

/// Where the definitions of a text stand, if it is YAML and each has lines of its own.
fn parts(text: &str, layer: &Layer) -> Option<Vec<Part>> {
    let outline: Option<Outline> = yaml::read(text, &layer.to_string()).ok()?;
    let items = outline?.providers?;
    let line = |item: &Spanned<Item>| usize::try_from(item.referenced.line()).unwrap_or(0);
    let starts: Vec<usize> = items.iter().map(line).collect();
    let all = text.split('\n').count() + 1;
    let ends = starts.iter().skip(1).copied().chain([all]);
    let mut parts = Vec::with_capacity(items.len());
    for ((item, start), end) in items.iter().zip(&starts).zip(ends) {
        let first = start.checked_sub(1).and_then(|index| text.split('\n').nth(index))?;
        let shares_line = first.trim_start().starts_with("providers");
        if end <= *start || shares_line {
            return None;
        }
        let name = match &item.value {
            Item::Named { name } => Some(name.clone()),
            Item::Any(_) => None,
        };
        parts.push(Part { name, lines: *start..end });
    }
    Some(parts)
}
