//! The list of known personas, and the search by alias or name.

mod clash;
mod find;

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use self::clash::ClashPlaces;
pub use self::find::ResolveError;
use super::read::{self, FoundPersonaFile, PersonaItem};
use super::{Persona, bundled};
use crate::transcript::{Alias, Name, skeleton};
use crate::yaml::LoadError;

/// The origin of a persona.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonaOrigin {
    /// It is part of the program.
    Bundled,
    /// A file in the user's configuration folder.
    User(PathBuf),
    /// A file of the project.
    Project(PathBuf),
}

impl PersonaOrigin {
    /// Returns the file that defines it, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::User(path) | Self::Project(path) => Some(path),
            Self::Bundled => None,
        }
    }
}

impl fmt::Display for PersonaOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bundled => f.write_str("bundled"),
            Self::User(path) | Self::Project(path) => path.display().fmt(f),
        }
    }
}

/// The text of one file, which contains one persona or a `participants:` list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonaSource {
    /// The origin of its personas.
    pub origin: PersonaOrigin,
    /// The name of the file in errors: its path, as short as possible.
    pub shown: String,
    /// The YAML.
    pub text: String,
}

/// A persona with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The persona.
    pub persona: Persona,
    /// Its origin.
    pub origin: PersonaOrigin,
}

/// A definition that cannot be used. It is listed, and its error is raised if a caller requests the persona.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BrokenPersonaFile {
    /// Its own alias, or else the stem of its file.
    pub alias: String,
    /// Its origin.
    pub origin: PersonaOrigin,
    /// The error.
    pub error: LoadError,
}

/// An ordered list of personas. No alias, name or look-alike name occurs twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    members: Vec<Member>,
    broken: Vec<BrokenPersonaFile>,
    /// Index of the members.
    places: ClashPlaces,
}

impl Roster {
    /// Returns the personas that come with the program.
    pub fn bundled() -> Self {
        // Parsed only once, for callers that load a folder again and again.
        static BUNDLED: LazyLock<Roster> = LazyLock::new(|| {
            let mut roster = Roster::default();
            roster.layer(bundled::files().into_iter().map(|(shown, text)| PersonaSource {
                origin: PersonaOrigin::Bundled,
                shown,
                text: text.to_owned(),
            }));
            roster
        });
        BUNDLED.clone()
    }

    /// Adds the personas of files as a layer above those known so far. A known alias is replaced in its place; others
    /// are appended. If an alias or name occurs twice in the layer, or together with the remaining personas below, the
    /// later persona becomes `Broken`.
    pub fn layer(&mut self, files: impl IntoIterator<Item = PersonaSource>) {
        let mut broken = Vec::new();
        let mut candidates = Vec::new();
        for source in files {
            for item in read::items(&source.text, &source.shown, &stem(&source.shown)) {
                match item {
                    PersonaItem::Whole(found) => candidates.push((*found, source.clone())),
                    PersonaItem::Broken { alias, error } => {
                        broken.push(BrokenPersonaFile {
                            alias,
                            origin: source.origin.clone(),
                            error,
                        });
                    }
                }
            }
        }
        let layer = self.admit(candidates, &mut broken);
        let mended: HashSet<&str> = layer.iter().map(|m| m.persona.alias.as_str()).collect();
        self.broken.retain(|old| !mended.contains(old.alias.as_str()));
        self.broken.extend(broken);
        for member in layer {
            // An alias occurs only once in a layer, so the old index is sufficient.
            match self.places.by_alias(&member.persona.alias) {
                Some(place) => self.members[place] = member,
                None => self.members.push(member),
            }
        }
        self.places = ClashPlaces::of(&self.members);
    }

    /// Reads the abilities of personas from files. A persona becomes `Broken` if its files cannot be read.
    pub(crate) fn teach(
        &mut self,
        read: impl Fn(&Persona, &PersonaOrigin) -> Result<Option<Arc<str>>, LoadError>,
    ) {
        let mut broken = Vec::new();
        self.members.retain_mut(|member| {
            if member.persona.abilities.is_empty() || member.persona.taught.is_some() {
                return true;
            }
            match read(&member.persona, &member.origin) {
                Ok(taught) => member.persona.taught = taught,
                Err(error) => {
                    let alias = member.persona.alias.to_string();
                    broken.push(BrokenPersonaFile { alias, origin: member.origin.clone(), error });
                    return false;
                }
            }
            true
        });
        if !broken.is_empty() {
            self.broken.extend(broken);
            self.places = ClashPlaces::of(&self.members);
        }
    }

    /// Returns the candidates that clash neither with each other nor with the personas that they do not replace.
    fn admit(
        &self,
        candidates: Vec<(FoundPersonaFile, PersonaSource)>,
        broken: &mut Vec<BrokenPersonaFile>,
    ) -> Vec<Member> {
        let replaced: HashSet<Alias> =
            candidates.iter().map(|(found, _)| found.persona.alias.clone()).collect();
        let below = self.members.iter().filter(|m| !replaced.contains(&m.persona.alias));
        let below: Vec<&Member> = below.collect();
        let mut places = ClashPlaces::of(below.iter().copied());
        let mut layer: Vec<Member> = Vec::new();
        for (FoundPersonaFile { persona, name, alias }, PersonaSource { origin, shown, text }) in
            candidates
        {
            let other = |place: usize| match place.checked_sub(below.len()) {
                None => below.get(place).copied(),
                Some(place) => layer.get(place),
            };
            match clash::find(&persona, &places, other) {
                None => {
                    places.push(&persona);
                    layer.push(Member { persona, origin });
                }
                Some(clash) => {
                    let place = if clash.is_about_alias() { alias } else { name };
                    let error = LoadError::at(&shown, &text, 1, place, clash.to_string())
                        .with_hint("change one of the two");
                    broken.push(BrokenPersonaFile {
                        alias: persona.alias.to_string(),
                        origin,
                        error,
                    });
                }
            }
        }
        layer
    }

    /// Adds a definition that could not be read, above those known so far.
    pub(crate) fn add_broken(&mut self, origin: PersonaOrigin, error: LoadError) {
        let alias = stem(&error.origin);
        self.broken.push(BrokenPersonaFile { alias, origin, error });
    }

    /// Returns all personas, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.members.iter()
    }

    /// Returns the definitions that cannot be used, in the order in which they were found.
    pub(crate) fn broken(&self) -> &[BrokenPersonaFile] {
        &self.broken
    }

    /// Returns the persona with this alias, even if a broken definition in an upper layer replaces it. This is enough
    /// to read its comments; to ask a participant, use `Roster::resolve`.
    pub fn by_alias(&self, alias: &Alias) -> Option<&Persona> {
        Some(&self.members.get(self.places.by_alias(alias)?)?.persona)
    }

    /// Returns the persona with this name or alias, to read its comments. Like [`Roster::by_alias`], ignores broken
    /// definitions.
    pub(crate) fn by_name(&self, name: &Name) -> Option<&Persona> {
        Some(&self.members.get(self.places.by_name(name.as_str())?)?.persona)
    }

    /// Returns a persona with a name or alias that looks like this name without being equal to it.
    pub(crate) fn look_alike(&self, name: &Name) -> Option<&Persona> {
        if self.by_name(name).is_some() {
            return None;
        }
        let look = skeleton(name.as_str());
        self.members.iter().map(|m| &m.persona).find(|persona| {
            look == skeleton(persona.name.as_str()) || look == skeleton(persona.alias.as_str())
        })
    }
}

fn stem(shown: &str) -> String {
    let stem = Path::new(shown).file_stem();
    stem.map_or_else(|| shown.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

impl<'r> IntoIterator for &'r Roster {
    type Item = &'r Member;
    type IntoIter = std::slice::Iter<'r, Member>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
