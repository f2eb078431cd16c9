//! The commits that changed Markdown files, with their authors and the file versions before and after.

use std::io;

use super::deletions::PAGES;
use super::repository::Repository;

/// A name and an address, as recorded by git. Untrusted text: any committer can set both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommitIdentity {
    pub(crate) name: String,
    pub(crate) email: String,
}

/// A commit that changed a Markdown file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Commit {
    /// The commit id in hexadecimal.
    pub(crate) id: String,
    /// Ids of the parents; two or more for a merge.
    pub(crate) parents: Vec<String>,
    pub(crate) author: CommitIdentity,
    pub(crate) committer: CommitIdentity,
    /// The whole message; untrusted text.
    pub(crate) message: String,
}

/// One file that a commit changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CommittedChange {
    /// Path of the file, relative to the top of the tree.
    pub(super) path: String,
    /// The object in each parent, or `None` if the parent has no regular file at this path.
    pub(super) old: Vec<Option<String>>,
    /// The object after the commit, or `None` if it is not a regular file.
    pub(super) new: Option<String>,
    /// True if nothing is at this path after the commit.
    pub(super) is_removed: bool,
}

impl Commit {
    /// Returns the message's first line; untrusted text.
    pub(crate) fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// Returns the first 12 characters of the commit id, for people.
    pub(crate) fn short(&self) -> &str {
        self.id.get(..12).unwrap_or(&self.id)
    }

    /// Returns the people that the message names as authors of recorded words, in `Recorded-for:` and `Co-authored-by:`
    /// lines and in the `Author:` lines that `git merge --squash` proposes.
    pub(crate) fn vouched(&self) -> Vec<CommitIdentity> {
        let lines = self.message.lines().filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            let keys = ["recorded-for", "co-authored-by", "author"];
            keys.iter().any(|known| key.eq_ignore_ascii_case(known)).then_some(value)
        });
        lines.flat_map(|value| value.split(',')).map(CommitIdentity::parse).collect()
    }
}

impl CommitIdentity {
    /// Parses `Rob <rob@example.org>`, or a name alone.
    pub(crate) fn parse(text: &str) -> Self {
        match text.trim().split_once('<') {
            Some((name, rest)) => Self {
                name: name.trim().to_owned(),
                email: rest.trim_end_matches('>').trim().to_owned(),
            },
            None => Self { name: text.trim().to_owned(), email: String::new() },
        }
    }
}

/// Lists the commits that changed Markdown files and are reachable from `HEAD` but not from `since`, oldest first.
pub(super) fn commits(
    repository: &Repository,
    since: Option<&str>,
) -> io::Result<Vec<(Commit, Vec<CommittedChange>)>> {
    let without = since.map(|commit| format!("^{commit}"));
    let mut asked = vec![
        "log",
        "-z",
        "--raw",
        "-c",
        "--no-abbrev",
        "--no-renames",
        "--full-history",
        "--topo-order",
        "--reverse",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--format=%H%x00%P%x00%an%x00%ae%x00%cn%x00%ce%x00%B",
        "HEAD",
    ];
    asked.extend(without.as_deref());
    asked.extend(["--", PAGES]);
    Ok(parse_log(&repository.ask(asked)?))
}

/// Lists the differences between a merge and one of its parents.
pub(super) fn changes_from(
    repository: &Repository,
    parent: &str,
    merge: &str,
) -> io::Result<Vec<CommittedChange>> {
    let asked = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff"];
    let raw = repository.ask(asked.into_iter().chain([parent, merge, "--", PAGES]))?;
    let mut words = raw.split('\0');
    let mut found = Vec::new();
    while let (Some(about), Some(path)) = (words.next(), words.next()) {
        found.extend(file_change(about, path));
    }
    Ok(found)
}

fn parse_log(log: &str) -> Vec<(Commit, Vec<CommittedChange>)> {
    let mut words = log.split('\0');
    let mut found: Vec<(Commit, Vec<CommittedChange>)> = Vec::new();
    while let Some(word) = words.next() {
        let word = word.trim_start_matches('\n');
        if word.starts_with(':') {
            let path = words.next().unwrap_or_default();
            if let Some((_, changes)) = found.last_mut() {
                changes.extend(file_change(word, path));
            }
        } else if !word.is_empty() {
            let mut next = || words.next().unwrap_or_default().to_owned();
            let id = word.to_owned();
            let parents = next().split_whitespace().map(str::to_owned).collect();
            let author = CommitIdentity { name: next(), email: next() };
            let committer = CommitIdentity { name: next(), email: next() };
            let message = next();
            found.push((Commit { id, parents, author, committer, message }, Vec::new()));
        }
    }
    found
}

/// Parses a line of `--raw`: `:100644 100644 OLD NEW M`. Each further parent adds a colon, a mode and an object.
fn file_change(about: &str, path: &str) -> Option<CommittedChange> {
    let parents = about.bytes().take_while(|byte| *byte == b':').count();
    let words: Vec<&str> = about[parents..].split(' ').collect();
    let (modes, objects) = (words.get(..=parents)?, words.get(parents + 1..=2 * parents + 1)?);
    let mut versions = modes.iter().zip(objects).map(|(mode, object)| {
        // Links and submodules contain no comments.
        mode.starts_with("100").then(|| (*object).to_owned())
    });
    let old = versions.by_ref().take(parents).collect();
    let is_removed = modes.last().is_some_and(|mode| *mode == "000000");
    Some(CommittedChange { path: path.to_owned(), old, new: versions.next().flatten(), is_removed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_of_a_commit_and_a_merge_is_parsed() {
        let log = "aa\0\0Rob\0rob@x\0Ann\0ann@x\0one\n\nRecorded-for: Mira, Lea\n\0\n:000000 100644 00 11 A\0a.md\0\
                   bb\0aa cc\0Ann\0ann@x\0Ann\0ann@x\0merge\n\0\n::100644 120000 100644 11 22 33 MM\0b.md\0dd\0aa\0\0\0\0\0\0\0";
        let found = parse_log(log);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].0.author.name, "Rob");
        let vouched: Vec<String> =
            found[0].0.vouched().into_iter().map(|identity| identity.name).collect();
        assert_eq!(vouched, ["Mira", "Lea"]);
        assert_eq!(found[0].1[0].old, [None]);
        assert_eq!(found[0].1[0].new.as_deref(), Some("11"));
        let merge = &found[1].1[0];
        assert_eq!(
            (&merge.old[..], merge.new.as_deref()),
            (&[Some("11".into()), None][..], Some("33"))
        );
    }

    #[test]
    fn squash_message_vouches_for_its_authors() {
        let message =
            "Squashed commit of the following:\n\ncommit 12\nAuthor: Mira <mira@x>\nDate: today\n";
        let commit = Commit { message: message.to_owned(), ..Commit::default() };
        assert_eq!(
            commit.vouched(),
            [CommitIdentity { name: "Mira".into(), email: "mira@x".into() }]
        );
    }
}
