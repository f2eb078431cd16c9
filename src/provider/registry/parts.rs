//! Finds the definitions in the text of a `providers.yaml`, their places, and the definitions that
//! cannot be used. One definition can be removed while the others keep their positions. An error in
//! one definition does not affect the others.

use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::{InvalidEntry, Layer, MOCK, Registry, definitions};
use crate::provider::ProviderName;
use crate::yaml::{self, LoadError, Spanned};

/// The number of closing braces to try for one definition between braces.
const TRIES: usize = 64;

/// A `providers.yaml`, read only to find the positions of its definitions.
#[derive(Deserialize)]
struct Outline {
    providers: Option<Vec<Spanned<YamlItem>>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum YamlItem {
    Named { name: String },
    Any(IgnoredAny),
}

/// One definition in the text.
pub(super) struct YamlPart {
    /// The name in the definition.
    pub(super) name: Option<String>,
    /// Its bytes: whole lines, or the text between braces with the comma after it.
    pub(super) span: Range<usize>,
}

impl YamlPart {
    /// Returns the position of its first byte that is not blank.
    pub(super) fn begin(&self, text: &str) -> usize {
        let own = &text[self.span.clone()];
        self.span.start + own.len() - own.trim_start().len()
    }
}

/// Finds the definitions of a text that can be removed one by one.
///
/// # Errors
///
/// Fails if the text is not valid YAML.
pub(super) fn parts(text: &str, layer: &Layer) -> Result<Vec<YamlPart>, LoadError> {
    let outline: Option<Outline> = yaml::read(text, &layer.to_string())?;
    let items = outline.and_then(|outline| outline.providers).unwrap_or_default();
    let starts: Option<Vec<usize>> = items.iter().map(|item| offset(text, item.place)).collect();
    let starts = starts.unwrap_or_default();
    let mut parts = Vec::with_capacity(starts.len());
    for (at, (item, start)) in items.iter().zip(&starts).enumerate() {
        let name = match &item.value {
            YamlItem::Named { name } => Some(name.clone()),
            YamlItem::Any(_) => None,
        };
        let line = line_start(text, *start);
        let is_own = |begins: &str| begins.trim_start().is_empty() || begins.trim() == "-";
        let span = if is_own(&text[line..*start]) && !text[*start..].starts_with(['{', ']']) {
            line..starts.get(at + 1).map_or(text.len(), |next| line_start(text, *next))
        } else {
            match braced(text, *start, layer) {
                Some(span) => span,
                // It cannot be removed alone, only with the whole file.
                None => continue,
            }
        };
        parts.push(YamlPart { name, span });
    }
    Ok(parts)
}

/// Returns the bytes of a definition between braces, with the `- ` before it or the comma after it.
fn braced(text: &str, start: usize, layer: &Layer) -> Option<Range<usize>> {
    let ends = text[start..].match_indices('}').map(|(at, _)| start + at + 1).take(TRIES);
    let is_whole =
        |end: &usize| yaml::read::<IgnoredAny>(&text[start..*end], &layer.to_string()).is_ok();
    let end = ends.into_iter().find(is_whole)?;
    let line = line_start(text, start);
    if text[line..start].trim() == "-" {
        return Some(line..end);
    }
    let behind = &text[end..];
    let comma = behind.len() - behind.trim_start().len();
    Some(start..if behind.trim_start().starts_with(',') { end + comma + 1 } else { end })
}

/// Finds the definitions in a text that is not valid YAML, by its lines alone: they begin with `- ` below `providers:`,
/// all with the indentation of the first. Returns none if other lines are among or after them, because then it is
/// unclear where a definition ends.
pub(super) fn outlined(text: &str) -> Vec<YamlPart> {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len(), line.trim_end())
    });
    let is_head =
        |line: &str| line.split('#').next().is_some_and(|it| it.trim_end() == "providers:");
    if !lines.by_ref().any(|(_, line)| is_head(line)) {
        return Vec::new();
    }
    let lines: Vec<(usize, &str)> = lines.collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| line.trim_start().starts_with("- ") || line.trim_start() == "-";
    let Some(edge) = lines.iter().find(|(_, line)| begins(line)).map(|(_, line)| indent(line))
    else {
        return Vec::new();
    };
    let mut parts: Vec<YamlPart> = Vec::new();
    let is_own =
        |line: &str| line.is_empty() || line.trim_start().starts_with('#') || indent(line) > edge;
    if !lines.iter().all(|(_, line)| is_own(line) || begins(line) && indent(line) == edge) {
        return Vec::new();
    }
    for (start, line) in lines {
        if begins(line) && indent(line) == edge {
            parts.iter_mut().last().into_iter().for_each(|last| last.span.end = start);
            parts.push(YamlPart { name: None, span: start..text.len() });
        }
        if let Some(last) = parts.last_mut().filter(|part| part.name.is_none()) {
            let key = line.trim_start().trim_start_matches("- ").trim_start().strip_prefix("name:");
            let name = key.map(|name| name.split(" #").next().unwrap_or_default());
            last.name = name.map(|name| name.trim().trim_matches(['"', '\'']).to_owned());
        }
    }
    parts
}

/// The reason why a definition was not removed from a text.
#[derive(Debug, Error)]
pub enum RemoveError {
    /// A definition of the project.
    #[error("`{name}` is defined by this project, in {file}; remove it there")]
    OfProject {
        /// The provider.
        name: String,
        /// The file, spelt so that it can be shown.
        file: String,
    },
    /// A definition that is part of the program.
    #[error("`{name}` is built in, so it cannot be removed")]
    BuiltIn {
        /// The provider.
        name: String,
    },
    /// A definition that cannot be separated from the rest of its file.
    #[error("{file}: `{name}` cannot be removed without other text; remove it by hand")]
    Entangled {
        /// The provider.
        name: String,
        /// The file, spelt so that it can be shown.
        file: String,
    },
}

/// Returns the text of the user's `providers.yaml` without the definition of a provider. Comments and all other text
/// stay. Returns `None` if the text has no definition of that name.
///
/// # Errors
///
/// Returns [`RemoveError::Entangled`] if the definition shares text with others, for example by an anchor.
pub(crate) fn remove_definition(
    text: &str,
    name: &ProviderName,
    file: &str,
) -> Result<Option<String>, RemoveError> {
    let layer = Layer::User(file.into());
    let is_it = |part: &YamlPart| {
        let own = part.name.as_deref().and_then(|own| ProviderName::parse(own).ok());
        own.as_ref() == Some(name)
    };
    let all = parts(text, &layer).unwrap_or_else(|_| outlined(text));
    let Some(part) = all.iter().find(|part| is_it(part)) else { return Ok(None) };
    let mut rest = text.to_owned();
    rest.replace_range(own_lines(text, &part.span), "");
    let usable = |text: &str| {
        let mut registry = Registry::empty();
        registry.add_usable(text, layer.clone());
        let entries = registry.entries.into_iter().map(|entry| entry.definition);
        let entries: Vec<_> = entries.filter(|own| own.common.name != *name).collect();
        let broken: Vec<_> = registry.broken.into_iter().map(|broken| broken.name).collect();
        (entries, broken)
    };
    let left = parts(&rest, &layer).unwrap_or_else(|_| outlined(&rest));
    let (entries, mut broken) = usable(text);
    broken.retain(|own| own.as_ref() != part.name.as_ref());
    if left.iter().any(is_it) || left.len() + 1 != all.len() || usable(&rest) != (entries, broken) {
        let (name, file) = (name.to_string(), file.to_owned());
        return Err(RemoveError::Entangled { name, file });
    }
    Ok(Some(rest))
}

/// Returns the bytes of a definition without the blank lines and comments after it, which may belong to the next one.
fn own_lines(text: &str, span: &Range<usize>) -> Range<usize> {
    let mut end = span.start;
    let mut at = span.start;
    for line in text[span.clone()].split_inclusive('\n') {
        at += line.len();
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            end = at;
        }
    }
    // The line of a definition between braces is removed whole if nothing else is on it.
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let is_alone = text[..span.start].ends_with('\n') && text[end..line_end].trim().is_empty();
    span.start..if is_alone && !text[..end].ends_with('\n') { line_end } else { end }
}

/// Replaces a definition by blanks; every other byte keeps its position.
pub(super) fn blank(text: &mut String, part: &YamlPart) {
    let mut blanks = String::with_capacity(part.span.len());
    for c in text[part.span.clone()].chars() {
        match c {
            '\n' | '\r' => blanks.push(c),
            c => blanks.extend(std::iter::repeat_n(' ', c.len_utf8())),
        }
    }
    text.replace_range(part.span.clone(), &blanks);
}

/// Returns the byte offset of a line and column, both from 1.
pub(super) fn offset(text: &str, (line, column): (usize, usize)) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let line = text[start..].split('\n').next().unwrap_or_default();
    let within = line.char_indices().nth(column.max(1) - 1).map_or(line.len(), |(at, _)| at);
    Some(start + within)
}

/// Returns the line and column of a byte offset, both from 1.
pub(super) fn place(text: &str, offset: usize) -> (usize, usize) {
    let offset = text.floor_char_boundary(offset);
    let start = line_start(text, offset);
    let line = text[..start].matches('\n').count() + 1;
    (line, text[start..offset].chars().count() + 1)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, name: &str) -> Result<Option<String>, RemoveError> {
        remove_definition(text, &ProviderName::parse(name).unwrap(), "p.yaml")
    }

    #[test]
    fn only_the_definition_is_removed() {
        let text = "# Mine.\nproviders:\n  # At home.\n  - name: a\n    api: groq # fast\n\n  # At work.\n  - name: B\n    \
                    command: x\n  - {name: c, api: groq}\n# The end.\n";
        let b = "  - name: B\n    command: x\n";
        assert_eq!(without(text, "b").unwrap().unwrap(), text.replace(b, ""));
        let a = "  - name: a\n    api: groq # fast\n";
        assert_eq!(without(text, "A").unwrap().unwrap(), text.replace(a, ""));
        let c = "  - {name: c, api: groq}\n";
        assert_eq!(without(text, "c").unwrap().unwrap(), text.replace(c, ""));
        assert!(without(text, "d").unwrap().is_none());
        assert!(without("", "d").unwrap().is_none());
        assert_eq!(
            without("providers:\r\n- name: a\r\n  api: groq\r\n", "a").unwrap().unwrap(),
            "providers:\r\n"
        );
        let flow = "providers: [{name: a, api: groq}, {name: b, api: groq}]\n";
        assert_eq!(without(flow, "b").unwrap().unwrap(), "providers: [{name: a, api: groq}, ]\n");
    }

    #[test]
    fn broken_definition_is_removed_too() {
        let bad = "  - name: a\n    api: nobody\n";
        let text = format!("providers:\n{bad}  - name: b\n    api: groq\n");
        assert_eq!(without(&text, "a").unwrap().unwrap(), text.replace(bad, ""));
        assert_eq!(without(&text, "b").unwrap().unwrap(), format!("providers:\n{bad}"));
        let bad = "  - name: a\n    command: \"x\n";
        let text = format!("providers:\n{bad}  - name: b\n    api: groq\n");
        assert_eq!(without(&text, "a").unwrap().unwrap(), text.replace(bad, ""));
    }

    #[test]
    fn shared_text_is_not_taken_away() {
        let text = "providers:\n  - &x\n    name: a\n    api: groq\n  - *x\n";
        assert!(without(text, "a").is_err());
        let text = "providers:\n  - name: a\n    api: &x groq\n  - name: b\n    api: *x\n";
        assert!(without(text, "a").is_err());
        assert_eq!(
            without(text, "b").unwrap().unwrap(),
            text.replace("  - name: b\n    api: *x\n", "")
        );
    }
}
