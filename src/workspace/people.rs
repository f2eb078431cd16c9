//! Decides which git identities may write under a person's name.

use std::collections::HashSet;
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization as _;

use super::environment::nearest_name;
use crate::config::PeopleConfig;
use crate::store::{Commit, CommitIdentity, Mailmap};
use crate::transcript::is_agent;

/// The people of a repository, from the trusted configuration and history.
#[derive(Debug, Default)]
pub(super) struct People {
    /// `people:`, by the names that [`fold`] normalized; addresses are in lower case.
    listed: Vec<(String, Vec<String>)>,
    mailmap: Mailmap,
    /// The names of all earlier authors, read on first use, because git must read the whole history for them.
    authors: OnceLock<HashSet<String>>,
}

impl People {
    /// Reads `people:` and `.mailmap`.
    pub(super) fn new(listed: &PeopleConfig, mailmap: &str) -> Self {
        Self {
            listed: listed
                .iter()
                .map(|(name, addresses)| {
                    (fold(name.as_str()), addresses.iter().map(|it| it.to_lowercase()).collect())
                })
                .collect(),
            authors: OnceLock::new(),
            mailmap: Mailmap::parse(mailmap),
        }
    }

    /// Returns true if an identity may write under a name: `people:` lists its address for the name, or lists no
    /// addresses for the name and the names are equal.
    pub(super) fn is(&self, name: &str, identity: &CommitIdentity) -> bool {
        let proper = self.mailmap.resolve(identity);
        let wanted = fold(name);
        if let Some((_, addresses)) = self.listed.iter().find(|(listed, _)| *listed == wanted) {
            let has = |address: &str| addresses.contains(&address.to_lowercase());
            return has(&identity.email) || has(&proper.email);
        }
        [identity, &proper].into_iter().any(|it| {
            fold(&it.name) == wanted || written_name(it).is_some_and(|name| name == wanted)
        })
    }

    /// Returns true if a name is known to be a person's: it is listed, or an earlier author committed under it. The
    /// authors are read only if the name is not listed, and only once.
    pub(super) fn know(&self, name: &str, authors: impl FnOnce() -> Vec<CommitIdentity>) -> bool {
        let wanted = fold(name);
        let names = || {
            let authors = authors();
            let both = authors.iter().flat_map(|it| [it.clone(), self.mailmap.resolve(it)]);
            both.filter_map(|author| written_name(&author)).collect()
        };
        self.listed.iter().any(|(listed, _)| *listed == wanted)
            || self.authors.get_or_init(names).contains(&wanted)
    }

    /// Returns true if a commit message says that the commit contains a person's words.
    pub(super) fn vouches(&self, commit: &Commit, name: &str) -> bool {
        commit.vouched().iter().any(|identity| {
            fold(&identity.name) == fold(name)
                || !identity.email.is_empty() && self.is(name, identity)
        })
    }
}

/// Returns the name under which the program writes for an identity.
fn written_name(identity: &CommitIdentity) -> Option<String> {
    let name = nearest_name(&identity.name).filter(|name| !is_agent(name))?;
    Some(fold(name.as_str()))
}

/// Normalizes a name for comparison: NFC, without case.
fn fold(name: &str) -> String {
    name.trim().nfc().collect::<String>().to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Name;

    fn identity(name: &str, email: &str) -> CommitIdentity {
        CommitIdentity { name: name.to_owned(), email: email.to_owned() }
    }

    #[test]
    fn listed_name_is_only_its_addresses() {
        let rob = Name::parse("Rob").unwrap();
        let listed = PeopleConfig::from_iter([(rob, vec!["Rob@Work.example".to_owned()])]);
        let people = People::new(&listed, "");
        let authors = || vec![identity("Mira", "m@x")];
        assert!(people.is("rob", &identity("Robert", "rob@work.example")));
        assert!(!people.is("Rob", &identity("Rob", "rob@evil")));
        assert!(people.know("ROB", || panic!("a listed name is in no doubt")));
        assert!(people.know("mira", authors));
        assert!(!people.know("Lea", || panic!("they are asked for once")));
    }

    #[test]
    fn unlisted_name_is_compared_whole_in_nfc_without_case() {
        let people = People::new(&PeopleConfig::default(), "Zoë <zoe@x> <z@x>\n");
        assert!(people.is("Zoe\u{308}", &identity("ZOË", "any")));
        assert!(people.is("Zoë", &identity("z", "z@x")));
        assert!(!people.is("Zoë", &identity("Zoë Q", "any")));
    }
}
