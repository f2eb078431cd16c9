//! `.mailmap`: maps the names and addresses in commits to people. It is read from a commit, never from the working
//! tree, which the branch under review could have changed.
//!
//! A line has one of the four forms of git (gitmailmap(5)).

use super::commits::CommitIdentity;

/// The lines of a `.mailmap`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mailmap(Vec<MailmapLine>);

#[derive(Clone, Debug)]
struct MailmapLine {
    /// The proper name and address; an empty field keeps the commit's value.
    proper: CommitIdentity,
    /// The name and address in a commit; an empty name matches any name.
    commit: CommitIdentity,
}

impl Mailmap {
    /// Parses a file. Invalid lines are ignored, as in git.
    pub(crate) fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(line).collect())
    }

    /// Returns the proper name and address of an identity. Of several matching lines, one that contains the commit's
    /// name wins.
    pub(crate) fn resolve(&self, identity: &CommitIdentity) -> CommitIdentity {
        let fits = |line: &&MailmapLine| line.commit.email.eq_ignore_ascii_case(&identity.email);
        let exact = |line: &&MailmapLine| line.commit.name.eq_ignore_ascii_case(&identity.name);
        let any = |line: &&MailmapLine| line.commit.name.is_empty();
        let found = self.0.iter().rev().filter(fits).find(exact);
        let Some(line) = found.or_else(|| self.0.iter().rev().filter(fits).find(any)) else {
            return identity.clone();
        };
        let proper =
            |proper: &str, own: &str| if proper.is_empty() { own } else { proper }.to_owned();
        CommitIdentity {
            name: proper(&line.proper.name, &identity.name),
            email: proper(&line.proper.email, &identity.email),
        }
    }
}

fn line(text: &str) -> Option<MailmapLine> {
    let text = text.split('#').next().unwrap_or_default();
    let (first, rest) = pair(text)?;
    let second = pair(rest).map(|(second, _)| second);
    Some(match second {
        Some(commit) => MailmapLine { proper: first, commit },
        None => {
            let proper = CommitIdentity { name: first.name, email: String::new() };
            MailmapLine {
                proper,
                commit: CommitIdentity { name: String::new(), email: first.email },
            }
        }
    })
}

/// Parses `Name <address>` and returns the rest of the text behind it.
fn pair(text: &str) -> Option<(CommitIdentity, &str)> {
    let (name, rest) = text.split_once('<')?;
    let (email, rest) = rest.split_once('>')?;
    let identity = CommitIdentity { name: name.trim().to_owned(), email: email.trim().to_owned() };
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
            let identity = CommitIdentity { name: name.to_owned(), email: email.to_owned() };
            let CommitIdentity { name, email } = map.resolve(&identity);
            format!("{name} <{email}>")
        };
        assert_eq!(resolve("rob", "ROB@old"), "Robert <ROB@old>");
        assert_eq!(resolve("Ann", "ann@old"), "Ann <ann@new>");
        assert_eq!(resolve("m", "mira@old"), "Mira Novak <mira@new>");
        assert_eq!(resolve("root", "root@box"), "Lea <lea@new>");
        assert_eq!(resolve("other", "root@box"), "other <root@box>");
    }
}
