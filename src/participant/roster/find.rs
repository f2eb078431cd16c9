//! Finds the persona that a user's input means.

use super::{Member, Roster};
use crate::similarity::suggest;
use crate::yaml::LoadError;

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
