//! The parts of a `providers.yaml` that cannot be used. An error in one definition does not affect the others.

use super::parts::{YamlPart, blank, offset, outlined, parts, place};
use super::{InvalidEntry, Layer, MOCK, Registry, definitions};
use crate::provider::ProviderName;
use crate::yaml::LoadError;

/// A definition or a whole file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BrokenDefinition {
    /// The provider's name; `None` if the error is in the whole file or in a definition without a name.
    pub(crate) name: Option<String>,
    /// The layer that contains it.
    pub(crate) origin: Layer,
    /// The error in it.
    pub(crate) error: LoadError,
}

impl YamlPart {
    fn broken(&self, origin: &Layer, error: LoadError) -> BrokenDefinition {
        BrokenDefinition { name: self.name.clone(), origin: origin.clone(), error }
    }
}

impl Registry {
    /// Adds the usable part of the text of a `providers.yaml`, as [`Registry::add`] does. Unusable definitions are kept
    /// as [`BrokenDefinition`]. They still hide the definitions that they would replace, because the user did not mean
    /// to call those.
    pub(crate) fn add_usable(&mut self, text: &str, layer: Layer) {
        let mut usable = text.to_owned();
        let mut broken: Vec<BrokenDefinition> = Vec::new();
        let parts = match parts(text, &layer) {
            Ok(parts) => parts,
            // The text is not valid YAML, but the cause may be a single definition.
            Err(_) => {
                let parts = outlined(text);
                for (at, part) in parts.iter().enumerate() {
                    let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
                    let mut alone = text.to_owned();
                    others.for_each(|(_, other)| blank(&mut alone, other));
                    if let Err(InvalidEntry { mut error, place: at }) = definitions(&alone, &layer)
                    {
                        let at = at.and_then(|at| offset(&alone, at));
                        // An unclosed bracket is reported at its definition, not at the end of the file.
                        if !at.is_some_and(|at| part.span.contains(&at) && at + 1 < text.len()) {
                            let at = place(text, part.begin(text));
                            *error = LoadError {
                                hint: error.hint,
                                ..LoadError::at(&layer.to_string(), text, 1, at, error.message)
                            };
                        }
                        blank(&mut usable, part);
                        broken.push(part.broken(&layer, *error));
                    }
                }
                parts
            }
        };
        for _ in 0..=parts.len() {
            let wrong = match definitions(&usable, &layer) {
                Ok(definitions) => {
                    for BrokenDefinition { name, .. } in &broken {
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
            let InvalidEntry { mut error, place: at } = wrong;
            let at = at.and_then(|at| offset(&usable, at));
            let part = at.and_then(|at| parts.iter().find(|part| part.span.contains(&at)));
            let Some(part) = part else {
                // If there are several errors, the first one is reported.
                let first = broken.into_iter().next().map(|broken| broken.error);
                return self.add_broken(layer, first.unwrap_or(*error));
            };
            // Show the original line: definitions in it may have been replaced by blanks.
            if error.line > 0
                && let Some(at) = at
            {
                error.source_line = text.lines().nth(error.line - 1).unwrap_or_default().into();
                (_, error.column) = place(text, at);
            }
            blank(&mut usable, part);
            broken.push(part.broken(&layer, *error));
        }
        // There is an error outside of all definitions.
        if let Some(BrokenDefinition { error, .. }) = broken.pop() {
            self.add_broken(layer, error);
        }
    }

    /// Records a whole file that cannot be used.
    pub(crate) fn add_broken(&mut self, origin: Layer, error: LoadError) {
        self.broken.push(BrokenDefinition { name: None, origin, error });
    }

    /// Returns the parts that cannot be used, in the order in which they were read.
    pub(crate) fn broken(&self) -> &[BrokenDefinition] {
        &self.broken
    }

    /// Returns the broken definition of a name, unless a later layer replaces it.
    pub(super) fn broken_named(&self, name: &str) -> Option<&BrokenDefinition> {
        let wanted = ProviderName::parse(name.split(':').next()?).ok()?;
        let is_it = |broken: &&BrokenDefinition| {
            let own = broken.name.as_deref().and_then(|name| ProviderName::parse(name).ok());
            own.as_ref() == Some(&wanted) && wanted.as_str() != MOCK
        };
        let broken = self.broken.iter().rev().find(is_it)?;
        let own = |entry: &&super::RegistryEntry| entry.definition.common.name == wanted;
        let later = self.entries.iter().find(own);
        let later = later.filter(|entry| entry.origin.rank() >= broken.origin.rank());
        later.is_none().then_some(broken)
    }
}
