//! All personas that are known here, and how to find one by what people call it.

mod clash;
mod find;

use std::fmt;
use std::path::PathBuf;

pub use self::find::ResolveError;
use super::read::{self, Item};
use super::{Persona, bundled};
use crate::transcript::{Alias, Name};
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
    /// It stands in for a provider that takes part by its own name.
    Provider,
}

impl Origin {
    /// The file it is defined in, if it is in one.
    pub fn path(&self) -> Option<&std::path::Path> {
        match self {
            Self::User(path) | Self::Project(path) => Some(path),
            Self::Bundled | Self::Provider => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bundled => f.write_str("bundled"),
            Self::Provider => f.write_str("provider"),
            Self::User(path) | Self::Project(path) => path.display().fmt(f),
        }
    }
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
pub struct Broken {
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
}

impl Roster {
    /// The personas that come with the program.
    pub fn bundled() -> Self {
        let mut roster = Self::default();
        roster.add(
            bundled::files()
                .into_iter()
                .map(|(name, text)| (Origin::Bundled, name, text.to_owned())),
        );
        roster
    }

    /// Lays the personas of files over those known so far: an alias known already is replaced in
    /// its place, others follow in order. Within the layer and with what remains below it, an
    /// alias or name that stands twice makes the later one [`Broken`].
    ///
    /// Each file, of one persona or of a `participants:` list, comes as its origin and text.
    pub fn layer(&mut self, files: impl IntoIterator<Item = (Origin, String)>) {
        self.add(files.into_iter().map(|(origin, text)| {
            let name = origin.to_string();
            (origin, name, text)
        }));
    }

    /// As [`Roster::layer`], with what an error is to call each text.
    fn add(&mut self, files: impl Iterator<Item = (Origin, String, String)>) {
        let mut candidates = Vec::new();
        let mut broken = Vec::new();
        for (origin, called, text) in files {
            let path = std::path::Path::new(&called);
            let stem =
                path.file_stem().map_or_else(|| called.clone(), |s| s.to_string_lossy().into());
            for item in read::items(&text, &called, &stem) {
                match item {
                    Item::Broken { alias, error } => {
                        broken.push(Broken { alias, origin: origin.clone(), error });
                    }
                    Item::Whole { persona, name, alias } => {
                        let member = Member { persona: *persona, origin: origin.clone() };
                        candidates.push((member, text.clone(), called.clone(), name, alias));
                    }
                }
            }
        }
        let replaced: Vec<Alias> =
            candidates.iter().map(|(member, ..)| member.persona.alias.clone()).collect();
        let mut layer: Vec<Member> = Vec::new();
        for (member, text, called, name, alias) in candidates {
            let below = self.members.iter().filter(|m| !replaced.contains(&m.persona.alias));
            match clash::find(&member.persona, below.chain(&layer)) {
                None => layer.push(member),
                Some(clash) => {
                    let place = if clash.is_about_alias() { alias } else { name };
                    let error = LoadError::at(&called, &text, 1, place, clash.to_string())
                        .with_hint("give one of the two another one");
                    let alias = member.persona.alias.to_string();
                    broken.push(Broken { alias, origin: member.origin, error });
                }
            }
        }
        self.broken.retain(|old| layer.iter().all(|m| m.persona.alias.as_str() != old.alias));
        self.broken.extend(broken);
        for member in layer {
            match self.members.iter_mut().find(|m| m.persona.alias == member.persona.alias) {
                Some(old) => *old = member,
                None => self.members.push(member),
            }
        }
    }

    /// Adds a [neutral persona](Persona::neutral) for a provider that takes part by its name;
    /// one who is called so already stays.
    ///
    /// # Errors
    ///
    /// A sentence, when the alias is no name, or the name of somebody with another alias.
    pub fn add_neutral(&mut self, alias: &Alias) -> Result<(), String> {
        if self.by_alias(alias).is_some() {
            return Ok(());
        }
        let persona = Persona::neutral(alias.clone()).map_err(|error| error.to_string())?;
        persona.check()?;
        if let Some(clash) = clash::find(&persona, self.members.iter()) {
            return Err(clash.to_string());
        }
        self.members.push(Member { persona, origin: Origin::Provider });
        Ok(())
    }

    /// Everybody, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.members.iter()
    }

    /// The definitions that cannot be used, in the order they were found.
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// The persona with this alias, for reading what it said: what lies below a broken definition
    /// is found too. To let somebody speak, use [`Roster::resolve`].
    pub fn by_alias(&self, alias: &Alias) -> Option<&Persona> {
        self.members.iter().map(|m| &m.persona).find(|persona| persona.alias == *alias)
    }

    /// The persona with this name, or whose alias it is, for reading as in [`Roster::by_alias`].
    pub fn by_name(&self, name: &Name) -> Option<&Persona> {
        self.members.iter().map(|m| &m.persona).find(|persona| {
            persona.name == *name || persona.alias.as_str().eq_ignore_ascii_case(name.as_str())
        })
    }
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
