//! All personas that are known here, and how to find one by what people call it.

mod clash;
mod find;

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use self::clash::Places;
pub use self::find::ResolveError;
use super::read::{self, Found, Item};
use super::{Persona, bundled};
use crate::transcript::{Alias, Name, skeleton};
use crate::yaml::LoadError;

/// Where a persona comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is part of the program.
    Bundled,
    /// A file in the user's configuration folder.
    User(PathBuf),
    /// A file of the project.
    Project(PathBuf),
}

impl Origin {
    /// The file it is defined in, if it is in one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::User(path) | Self::Project(path) => Some(path),
            Self::Bundled => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bundled => f.write_str("bundled"),
            Self::User(path) | Self::Project(path) => path.display().fmt(f),
        }
    }
}

/// The text of one file: of one persona, or of a `participants:` list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where its personas come from.
    pub origin: Origin,
    /// What an error calls the file: its path, as short as it can be.
    pub shown: String,
    /// The YAML.
    pub text: String,
}

/// A persona and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Who it is.
    pub persona: Persona,
    /// Where it is defined.
    pub origin: Origin,
}

/// A definition that cannot be used; listed, and raised when somebody asks for it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Broken {
    /// The alias it gives itself, else the stem of its file.
    pub alias: String,
    /// Where it is defined.
    pub origin: Origin,
    /// What is wrong with it.
    pub error: LoadError,
}

/// An ordered list of personas in which no alias, name or look-alike name stands twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    members: Vec<Member>,
    broken: Vec<Broken>,
    /// Where the members are.
    places: Places,
}

impl Roster {
    /// The personas that come with the program.
    pub fn bundled() -> Self {
        // Who looks at a folder again and again reads what comes with the program once.
        static BUNDLED: LazyLock<Roster> = LazyLock::new(|| {
            let mut roster = Roster::default();
            roster.layer(bundled::files().into_iter().map(|(shown, text)| Source {
                origin: Origin::Bundled,
                shown,
                text: text.to_owned(),
            }));
            roster
        });
        BUNDLED.clone()
    }

    /// Lays the personas of files over those known so far: an alias known already is replaced in
    /// its place, others follow in order. Within the layer and with what remains below it, an
    /// alias or name that stands twice makes the later one `Broken`.
    pub fn layer(&mut self, files: impl IntoIterator<Item = Source>) {
        let mut broken = Vec::new();
        let mut candidates = Vec::new();
        for source in files {
            for item in read::items(&source.text, &source.shown, &stem(&source.shown)) {
                match item {
                    Item::Whole(found) => candidates.push((*found, source.clone())),
                    Item::Broken { alias, error } => {
                        broken.push(Broken { alias, origin: source.origin.clone(), error });
                    }
                }
            }
        }
        let layer = self.admit(candidates, &mut broken);
        let mended: HashSet<&str> = layer.iter().map(|m| m.persona.alias.as_str()).collect();
        self.broken.retain(|old| !mended.contains(old.alias.as_str()));
        self.broken.extend(broken);
        for member in layer {
            // Nobody stands twice in a layer, so that places of before are enough.
            match self.places.by_alias(&member.persona.alias) {
                Some(place) => self.members[place] = member,
                None => self.members.push(member),
            }
        }
        self.places = Places::of(&self.members);
    }

    /// Reads what the personas of files know; one whose files cannot be read is `Broken`.
    pub(crate) fn teach(
        &mut self,
        read: impl Fn(&Persona, &Origin) -> Result<Option<Arc<str>>, LoadError>,
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
                    broken.push(Broken { alias, origin: member.origin.clone(), error });
                    return false;
                }
            }
            true
        });
        if !broken.is_empty() {
            self.broken.extend(broken);
            self.places = Places::of(&self.members);
        }
    }

    /// Those who can stand beside each other and beside whom they do not replace.
    fn admit(&self, candidates: Vec<(Found, Source)>, broken: &mut Vec<Broken>) -> Vec<Member> {
        let replaced: HashSet<Alias> =
            candidates.iter().map(|(found, _)| found.persona.alias.clone()).collect();
        let below = self.members.iter().filter(|m| !replaced.contains(&m.persona.alias));
        let below: Vec<&Member> = below.collect();
        let mut places = Places::of(below.iter().copied());
        let mut layer: Vec<Member> = Vec::new();
        for (Found { persona, name, alias }, Source { origin, shown, text }) in candidates {
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
                    broken.push(Broken { alias: persona.alias.to_string(), origin, error });
                }
            }
        }
        layer
    }

    /// Adds a definition that could not even be read, over those known so far.
    pub(crate) fn add_broken(&mut self, origin: Origin, error: LoadError) {
        let alias = stem(&error.origin);
        self.broken.push(Broken { alias, origin, error });
    }

    /// Everybody, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.members.iter()
    }

    /// The definitions that cannot be used, in the order they were found.
    pub(crate) fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// The persona with this alias, for reading what it said: what lies below a broken definition
    /// is found too. To let somebody speak, use `Roster::resolve`.
    pub fn by_alias(&self, alias: &Alias) -> Option<&Persona> {
        Some(&self.members.get(self.places.by_alias(alias)?)?.persona)
    }

    /// The persona with this name, or whose alias it is, for reading as in [`Roster::by_alias`].
    pub(crate) fn by_name(&self, name: &Name) -> Option<&Persona> {
        Some(&self.members.get(self.places.by_name(name.as_str())?)?.persona)
    }

    /// The persona whose name or alias this name looks like without being it.
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
