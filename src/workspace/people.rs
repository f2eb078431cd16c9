//! Decides which git identities may write under a person's name.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use parking_lot::Mutex;
use unicode_normalization::UnicodeNormalization as _;

use super::environment::nearest_name;
use crate::config::PeopleConfig;
use crate::store::{CommitIdentity, Mailmap};
use crate::transcript::{is_agent, visible_line};

/// Returns the authors of the commits before the branch.
type AuthorsOf = Box<dyn Fn() -> Vec<CommitIdentity> + Send + Sync>;

/// The people of a repository, from the trusted configuration and history.
pub(super) struct People {
    /// `people:`, by the names that [`fold`] normalized; addresses are in lower case.
    listed: Vec<(String, Vec<String>)>,
    mailmap: Mailmap,
    /// All earlier authors, read on first use, because git must read the whole history for them.
    authors: OnceLock<Vec<CommitIdentity>>,
    load_authors: AuthorsOf,
    /// The answers of [`Self::is`] and [`Self::know`], because a history has many words of few people.
    known: Mutex<HashMap<(String, Option<CommitIdentity>), bool>>,
}

impl People {
    /// Reads `people:` and `.mailmap`. No earlier author is known.
    pub(super) fn new(listed: &PeopleConfig, mailmap: &str) -> Self {
        Self {
            listed: listed
                .iter()
                .map(|(name, addresses)| {
                    (fold(name.as_str()), addresses.iter().map(|it| it.to_lowercase()).collect())
                })
                .collect(),
            authors: OnceLock::new(),
            load_authors: Box::new(Vec::new),
            known: Mutex::default(),
            mailmap: Mailmap::parse(mailmap),
        }
    }

    /// Adds the authors of earlier commits, which are read only when a name is in doubt.
    pub(super) fn with_authors(
        self,
        load: impl Fn() -> Vec<CommitIdentity> + Send + Sync + 'static,
    ) -> Self {
        Self { load_authors: Box::new(load), ..self }
    }

    fn authors(&self) -> &[CommitIdentity] {
        self.authors.get_or_init(&self.load_authors)
    }

    /// Returns true if `people:` names anybody.
    pub(super) fn lists_anybody(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Returns true if `people:` lists a name.
    pub(super) fn lists(&self, name: &str) -> bool {
        let wanted = fold(name);
        self.listed.iter().any(|(listed, _)| *listed == wanted)
    }

    /// Returns true if an identity may write under a name. If `people:` lists the name, only its addresses may. Else
    /// the names have to be equal, also by `.mailmap`, or an earlier author of this name had this address.
    pub(super) fn is(&self, name: &str, identity: &CommitIdentity) -> bool {
        self.answered(name, Some(identity), || self.may_write(name, identity))
    }

    /// Returns an earlier answer about a name, and an identity, or else a new one.
    fn answered(
        &self,
        name: &str,
        identity: Option<&CommitIdentity>,
        ask: impl Fn() -> bool,
    ) -> bool {
        let key = (name.to_owned(), identity.cloned());
        let known = self.known.lock().get(&key).copied();
        known.unwrap_or_else(|| {
            let answer = ask();
            self.known.lock().insert(key, answer);
            answer
        })
    }

    fn may_write(&self, name: &str, identity: &CommitIdentity) -> bool {
        let wanted = fold(name);
        if let Some((_, addresses)) = self.listed.iter().find(|(listed, _)| *listed == wanted) {
            return addresses.contains(&identity.email.to_lowercase());
        }
        let is_named = |it: &CommitIdentity| {
            fold(&it.name) == wanted || written_name(it).is_some_and(|name| name == wanted)
        };
        is_named(identity)
            || is_named(&self.mailmap.resolve(identity))
            || !identity.email.is_empty()
                && self.authors().iter().any(|author| {
                    author.email.eq_ignore_ascii_case(&identity.email) && is_named(author)
                })
    }

    /// Returns true if a name is known to be a person's: it is listed, or an earlier author committed under it.
    pub(super) fn know(&self, name: &str) -> bool {
        self.answered(name, None, || self.is_listed_or_author(name))
    }

    fn is_listed_or_author(&self, name: &str) -> bool {
        let wanted = fold(name);
        self.lists(name)
            || self.authors().iter().any(|author| {
                [author.clone(), self.mailmap.resolve(author)].iter().any(|it| {
                    fold(&it.name) == wanted || written_name(it).is_some_and(|name| name == wanted)
                })
            })
    }

    /// Returns the line of `people:` that would let an identity write under a name, with the addresses that are known
    /// already. Returns `None` if the address belongs to another known person.
    pub(super) fn line_for(&self, name: &str, identity: &CommitIdentity) -> Option<String> {
        let wanted = fold(name);
        let email = identity.email.to_lowercase();
        let is_others = self
            .listed
            .iter()
            .any(|(listed, addresses)| *listed != wanted && addresses.contains(&email));
        let is_named = |it: &CommitIdentity| {
            fold(&it.name) == wanted || written_name(it).is_some_and(|name| name == wanted)
        };
        let has_other_name = |author: &CommitIdentity| {
            author.email.eq_ignore_ascii_case(&email) && !is_named(author)
        };
        if email.is_empty() || is_others || self.authors().iter().any(has_other_name) {
            return None;
        }
        let listed = self.listed.iter().find(|(listed, _)| *listed == wanted);
        let mut addresses: Vec<String> =
            listed.map(|(_, addresses)| addresses.clone()).unwrap_or_default();
        let own = self.authors().iter().filter(|author| listed.is_none() && is_named(author));
        for address in own.map(|author| author.email.to_lowercase()).chain([email]) {
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        let shown: Vec<String> = addresses.iter().map(|address| visible_line(address)).collect();
        Some(format!("people: {{{}: [{}]}}", visible_line(name), shown.join(", ")))
    }
}

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People").field("listed", &self.listed).finish_non_exhaustive()
    }
}

/// Returns the name under which the program writes for an identity.
fn written_name(identity: &CommitIdentity) -> Option<String> {
    let name = nearest_name(&identity.name).filter(|name| !is_agent(name))?;
    Some(fold(name.as_str()))
}

/// The characters that git drops at both ends of an author's name.
const DROPPED_BY_GIT: [char; 8] = ['.', ',', ':', ';', '<', '>', '"', '\\'];

/// Normalizes a name for comparison: NFC, without case, without the punctuation that git drops at the ends.
pub(super) fn fold(name: &str) -> String {
    let is_dropped = |c: char| c.is_whitespace() || c == '\'' || DROPPED_BY_GIT.contains(&c);
    name.trim_matches(is_dropped).nfc().collect::<String>().to_lowercase().nfc().collect()
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
        let people = People::new(&listed, "")
            .with_authors(|| vec![identity("Mira", "m@x"), identity("Mira", "m@y")]);
        assert!(people.is("rob", &identity("Robert", "rob@work.example")));
        assert!(!people.is("Rob", &identity("Rob", "rob@evil")));
        assert!(people.know("ROB") && people.know("mira") && !people.know("Lea"));
        // The address of an earlier author counts under another name of the commit.
        assert!(people.is("Mira", &identity("mira-on-the-forge", "M@x")));
        assert!(!people.is("Rob", &identity("rob", "m@x")));
    }

    #[test]
    fn advice_keeps_known_addresses_and_gives_away_none() {
        let rob = Name::parse("Rob").unwrap();
        let listed = PeopleConfig::from_iter([(rob, vec!["rob@work.example".to_owned()])]);
        let people = People::new(&listed, "").with_authors(|| vec![identity("Mira", "mira@x")]);
        let line = |name: &str, email: &str| people.line_for(name, &identity("any", email));
        assert_eq!(line("Mira", "m@new").as_deref(), Some("people: {Mira: [mira@x, m@new]}"));
        assert_eq!(
            line("Rob", "rob@home").as_deref(),
            Some("people: {Rob: [rob@work.example, rob@home]}")
        );
        assert_eq!((line("Mira", "rob@work.example"), line("Rob", "mira@x")), (None, None));
    }

    #[test]
    fn punctuation_that_git_drops_does_not_count() {
        let people = People::new(&PeopleConfig::default(), "");
        assert!(people.is("J. R. Smith, Jr.", &identity("J. R. Smith, Jr", "any")));
    }

    #[test]
    fn unlisted_name_is_compared_whole_in_nfc_without_case() {
        let people = People::new(&PeopleConfig::default(), "Zoë <zoe@x> <z@x>\n");
        assert!(people.is("Zoe\u{308}", &identity("ZOË", "any")));
        assert!(people.is("Zoë", &identity("z", "z@x")));
        assert!(!people.is("Zoë", &identity("Zoë Q", "any")));
    }
}
