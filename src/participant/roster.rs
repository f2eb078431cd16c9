//! The list of known personas. Finds a persona by alias or name, and personas that readers or the
//! parser could confuse.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use foldhash::HashMap;

use super::Persona;
use super::read::{self, FoundPersonaFile, PersonaItem};
use crate::similarity::suggest;
use crate::transcript::{Alias, Name, skeleton, spelling};
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
        static BUNDLED: LazyLock<Roster> =
            LazyLock::new(|| {
                let mut roster = Roster::default();
                roster.layer(read::bundled_files().into_iter().map(|(shown, text)| {
                    PersonaSource { origin: PersonaOrigin::Bundled, shown, text: text.to_owned() }
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
            for item in read::items(&source, &stem(&source.shown)) {
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
            match find_clashes(&persona, &places, other) {
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

/// The reason why a persona conflicts with another one.
#[derive(Debug)]
struct Clash<'r> {
    what: ClashKind,
    mine: String,
    other: &'r Member,
}

#[derive(Debug, PartialEq)]
enum ClashKind {
    Alias,
    Name,
    AliasIsName,
    NameIsAlias,
    LookAlike,
}

impl Clash<'_> {
    /// Returns true if the alias causes the clash, false if the name does.
    fn is_about_alias(&self) -> bool {
        matches!(self.what, ClashKind::Alias | ClashKind::AliasIsName)
    }
}

/// The first index of each alias, name and spelling, in maps because a project may have thousands of persona files.
#[derive(Clone, Debug, Default, PartialEq)]
struct ClashPlaces {
    count: usize,
    aliases: HashMap<String, usize>,
    /// In lower case.
    names: HashMap<String, usize>,
    spellings: HashMap<String, usize>,
}

impl ClashPlaces {
    fn of<'r>(others: impl IntoIterator<Item = &'r Member>) -> Self {
        let mut places = Self::default();
        others.into_iter().for_each(|other| places.push(&other.persona));
        places
    }

    /// Adds a persona after all others.
    fn push(&mut self, persona: &Persona) {
        let name = persona.name.as_str();
        self.aliases.entry(persona.alias.to_string()).or_insert(self.count);
        self.names.entry(name.to_ascii_lowercase()).or_insert(self.count);
        self.spellings.entry(spelling(name)).or_insert(self.count);
        self.count += 1;
    }

    /// Returns the first persona with this alias.
    fn by_alias(&self, alias: &Alias) -> Option<usize> {
        self.aliases.get(alias.as_str()).copied()
    }

    /// Returns the first persona with this name or alias.
    fn by_name(&self, name: &str) -> Option<usize> {
        let name = name.to_ascii_lowercase();
        [&self.aliases, &self.names].into_iter().filter_map(|list| list.get(&name).copied()).min()
    }

    /// Returns the first persona that conflicts with `persona`.
    fn first(&self, persona: &Persona) -> Option<usize> {
        let name = persona.name.as_str();
        let spelt = self.spellings.get(&spelling(name)).copied();
        [self.by_name(persona.alias.as_str()), self.by_name(name), spelt]
            .into_iter()
            .flatten()
            .min()
    }
}

/// Returns the first clash of `persona` with another one; `other` returns the member at an index.
fn find_clashes<'r>(
    persona: &Persona,
    places: &ClashPlaces,
    other: impl FnOnce(usize) -> Option<&'r Member>,
) -> Option<Clash<'r>> {
    let other = other(places.first(persona)?)?;
    let what = compare(persona, &other.persona)?;
    let mine = match what {
        ClashKind::Alias | ClashKind::AliasIsName => persona.alias.to_string(),
        ClashKind::Name | ClashKind::NameIsAlias | ClashKind::LookAlike => persona.name.to_string(),
    };
    Some(Clash { what, mine, other })
}

fn compare(mine: &Persona, other: &Persona) -> Option<ClashKind> {
    let is = |alias: &str, name: &str| alias.eq_ignore_ascii_case(name);
    if mine.alias == other.alias {
        Some(ClashKind::Alias)
    } else if mine.name == other.name {
        Some(ClashKind::Name)
    } else if is(mine.alias.as_str(), other.name.as_str()) {
        Some(ClashKind::AliasIsName)
    } else if is(other.alias.as_str(), mine.name.as_str()) {
        Some(ClashKind::NameIsAlias)
    } else if spelling(mine.name.as_str()) == spelling(other.name.as_str()) {
        Some(ClashKind::LookAlike)
    } else {
        None
    }
}

impl fmt::Display for Clash<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, mine, other } = self;
        let Member { persona: Persona { name, alias, .. }, origin } = other;
        match what {
            ClashKind::Alias => {
                write!(f, "the alias `{mine}` is already taken by {name} ({origin})")
            }
            ClashKind::Name => {
                write!(f, "the name `{mine}` is already taken by `{alias}` ({origin})")
            }
            ClashKind::AliasIsName => {
                write!(f, "the alias `{mine}` is already the name of `{alias}` ({origin})")
            }
            ClashKind::NameIsAlias => {
                write!(f, "the name `{mine}` is already the alias of {name} ({origin})")
            }
            ClashKind::LookAlike => {
                write!(f, "the name `{mine}` looks like `{name}`, the name of `{alias}` ({origin})")
            }
        }
    }
}

/// The reason why a name leads to no persona.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no participant of this name.
    #[error("no participant is called `{asked}`{}", suggestion(nearest))]
    Unknown {
        /// The requested name, as typed.
        asked: String,
        /// Similar aliases, the most similar first.
        nearest: Vec<String>,
    },
    /// The persona exists, but its definition is broken.
    #[error(transparent)]
    Broken(Box<LoadError>),
}

fn suggestion(nearest: &[String]) -> String {
    let quoted: Vec<_> = nearest.iter().map(|alias| format!("`{alias}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        some => format!("; did you mean {}?", some.join(" or ")),
    }
}

impl Roster {
    /// Returns the persona with this alias or name, in any ASCII case, with or without `@`.
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::Unknown`] with the most similar aliases. Returns [`ResolveError::Broken`] if the
    /// definition in force is broken, even if a layer below has a valid one.
    pub(crate) fn resolve(&self, asked: &str) -> Result<&Member, ResolveError> {
        let word = bare(asked);
        let member = self.members.iter().find(|Member { persona, .. }| {
            persona.alias.as_str().eq_ignore_ascii_case(word)
                || persona.name.as_str().eq_ignore_ascii_case(word)
        });
        let alias = member.map_or(word, |member| member.persona.alias.as_str());
        if let Some(broken) = self.broken.iter().find(|b| b.alias.eq_ignore_ascii_case(alias)) {
            return Err(ResolveError::Broken(Box::new(broken.error.clone())));
        }
        member.ok_or_else(|| ResolveError::Unknown {
            asked: asked.to_owned(),
            nearest: self.nearest(asked),
        })
    }

    /// Returns up to three aliases of personas with a similar alias or name, the most similar first.
    pub(crate) fn nearest(&self, asked: &str) -> Vec<String> {
        let words = self
            .members
            .iter()
            .flat_map(|member| [member.persona.alias.as_str(), member.persona.name.as_str()]);
        let mut nearest: Vec<String> = Vec::new();
        for close in suggest(bare(asked), words) {
            let is_meant = |Member { persona, .. }: &&Member| {
                persona.alias.as_str() == close || persona.name.as_str() == close
            };
            let alias = self.members.iter().find(is_meant).map(|it| it.persona.alias.as_str());
            if let Some(alias) = alias.filter(|alias| !nearest.iter().any(|n| n == alias)) {
                nearest.push(alias.to_owned());
            }
        }
        nearest.truncate(3);
        nearest
    }
}

fn bare(asked: &str) -> &str {
    let asked = asked.trim();
    asked.strip_prefix('@').unwrap_or(asked)
}

#[cfg(test)]
mod tests;
