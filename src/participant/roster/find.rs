//! From what people type to the persona they mean.

use super::{Member, Roster};
use crate::yaml::LoadError;

/// Why a name that somebody typed leads to no persona.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// Nobody is called so.
    #[error("no participant is called `{asked}`{}", suggest(nearest))]
    Unknown {
        /// What was asked for, as it was typed.
        asked: String,
        /// Aliases that come close, the closest first.
        nearest: Vec<String>,
    },
    /// There is such a persona, but its definition cannot be used.
    #[error(transparent)]
    Broken(Box<LoadError>),
}

fn suggest(nearest: &[String]) -> String {
    let quoted: Vec<_> = nearest.iter().map(|alias| format!("`{alias}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        some => format!("; did you mean {}?", some.join(" or ")),
    }
}

impl Roster {
    /// Who is meant by an alias or a name, in any ASCII case, with or without `@`.
    ///
    /// # Errors
    ///
    /// [`ResolveError::Unknown`] with the nearest aliases, and [`ResolveError::Broken`] when the
    /// definition that counts is broken, even where a layer below has another.
    pub fn resolve(&self, asked: &str) -> Result<&Member, ResolveError> {
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

    /// Up to three aliases whose alias or name comes close to `asked`, the closest first.
    pub fn nearest(&self, asked: &str) -> Vec<String> {
        let word = bare(asked).to_lowercase();
        let known: Vec<(String, &str)> = self
            .members
            .iter()
            .flat_map(|Member { persona, .. }| {
                let alias = persona.alias.as_str();
                [(alias.to_owned(), alias), (persona.name.as_str().to_lowercase(), alias)]
            })
            .collect();
        let words: Vec<&str> = known.iter().map(|(word, _)| word.as_str()).collect();
        let mut nearest: Vec<String> = Vec::new();
        for close in similar::get_close_matches(&*word, &words, 6, 0.6) {
            let alias = known.iter().find(|(word, _)| word == close).map(|(_, alias)| *alias);
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
