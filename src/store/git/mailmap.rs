//! `.mailmap`: maps the names and addresses in commits to people. It is read from a commit, never from the working
//! tree, which the branch under review could have changed.
//!
//! A line has one of the four forms of git (gitmailmap(5)).

use super::commits::Identity;

/// The lines of a `.mailmap`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mailmap(Vec<Line>);

#[derive(Clone, Debug)]
struct Line {
    /// The proper name and address; an empty field keeps the commit's value.
    proper: Identity,
    /// The name and address in a commit; an empty name matches any name.
    commit: Identity,
}

impl Mailmap {
    /// Parses a file. Invalid lines are ignored, as in git.
    pub(crate) fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(line).collect())
    }

    /// Returns the proper name and address of an identity. Of several matching lines, one that contains the commit's
    /// name wins.
    pub(crate) fn resolve(&self, identity: &Identity) -> Identity {
        let fits = |line: &&Line| line.commit.email.eq_ignore_ascii_case(&identity.email);
        let exact = |line: &&Line| line.commit.name.eq_ignore_ascii_case(&identity.name);
        let any = |line: &&Line| line.commit.name.is_empty();
        let found = self.0.iter().rev().filter(fits).find(exact);
        let Some(line) = found.or_else(|| self.0.iter().rev().filter(fits).find(any)) else {
            return identity.clone();
        };
        let proper =
            |proper: &str, own: &str| if proper.is_empty() { own } else { proper }.to_owned();
        Identity {
            name: proper(&line.proper.name, &identity.name),
            email: proper(&line.proper.email, &identity.email),
        }
    }
}

fn line(text: &str) -> Option<Line> {
    let text = text.split('#').next().unwrap_or_default();
    let (first, rest) = pair(text)?;
    let second = pair(rest).map(|(second, _)| second);
    Some(match second {
        Some(commit) => Line { proper: first, commit },
        None => {
            let proper = Identity { name: first.name, email: String::new() };
            Line { proper, commit: Identity { name: String::new(), email: first.email } }
        }
    })
}

/// Parses `Name <address>` and returns the rest of the text behind it.
fn pair(text: &str) -> Option<(Identity, &str)> {
    let (name, rest) = text.split_once('<')?;
    let (email, rest) = rest.split_once('>')?;
    let identity = Identity { name: name.trim().to_owned(), email: email.trim().to_owned() };
    Some((identity, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_forms_of_a_line_are_resolved() {
        let map = Mailmap::parse(
            "# people\nRobert <rob@old>\n<ann@new> <ann@old>\nMira Novak <mira@new> <mira@old>\n\
             Lea <lea@new> root <root@box>\n",
        );
        let resolve = |name: &str, email: &str| {
            let identity = Identity { name: name.to_owned(), email: email.to_owned() };
            let Identity { name, email } = map.resolve(&identity);
            format!("{name} <{email}>")
        };
        assert_eq!(resolve("rob", "ROB@old"), "Robert <ROB@old>");
        assert_eq!(resolve("Ann", "ann@old"), "Ann <ann@new>");
        assert_eq!(resolve("m", "mira@old"), "Mira Novak <mira@new>");
        assert_eq!(resolve("root", "root@box"), "Lea <lea@new>");
        assert_eq!(resolve("other", "root@box"), "other <root@box>");
    }
}
