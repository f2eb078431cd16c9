//! The commits that changed Markdown files: their times, their authors by `.mailmap`, their
//! signatures, and the file versions before and after.
//!
//! `.mailmap` maps the names and addresses in commits to people. Each of its lines has one of the
//! four forms in gitmailmap(5). The file is read from a commit, never from the working tree, which
//! the branch under review could have changed.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::command;
use super::deletions::PAGES;
use super::repository::{MOST_COMMITS, Repository, literal, run};

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
        "-z",
        "--raw",
        "-c",
        "--no-abbrev",
        "--no-renames",
        "--full-history",
        "--topo-order",
        "--reverse",
        "--format=%H%x00%P%x00%an%x00%ae%x00%cn%x00%ce%x00%B",
        "HEAD",
    ];
    asked.extend(without.as_deref());
    asked.extend(["--", PAGES]);
    Ok(parse_log(&repository.log(asked)?))
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

/// The times of the last commits of the files below a folder, in seconds since 1970. Files that differ from the last
/// commit are not included, since they were changed later.
#[derive(Debug, Default)]
pub(crate) struct Committed(HashMap<PathBuf, u64>);

impl Committed {
    /// Asks git for the times. The result is empty without a repository or a commit, or if git fails.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Repository::find_repository(folder).and_then(|it| Self::ask(&it)).unwrap_or_default()
    }

    fn ask(repository: &Repository) -> Option<Self> {
        let inner = repository.path_of("");
        let literal = literal(inner.trim_end_matches('/'));
        let paths = if inner.is_empty() { ":/" } else { &literal };
        let asked = [
            MOST_COMMITS,
            "--no-renames",
            "--name-only",
            "-z",
            "--format=%x01%ct",
            "HEAD",
            "--",
            paths,
        ];
        let told = repository.log(asked).ok()?;
        let mut times: HashMap<PathBuf, u64> = HashMap::new();
        let mut at = None;
        for word in told.split('\0') {
            let word = word.trim_start_matches('\n');
            match word.strip_prefix('\u{1}') {
                Some(time) => at = time.trim().parse().ok(),
                None => {
                    if let (Some(at), false) = (at, word.is_empty()) {
                        times.entry(repository.top().join(word)).or_insert(at);
                    }
                }
            }
        }
        let mut command = command::git_without_filters(repository.top()).ok()?;
        command.args(["diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", "HEAD", "--"]);
        for changed in run(command.arg(paths)).ok()?.split('\0') {
            times.remove(&repository.top().join(changed));
        }
        Some(Self(times))
    }

    /// Returns the time of a file's last commit.
    pub(crate) fn of(&self, path: &Path) -> Option<SystemTime> {
        if self.0.is_empty() {
            return None;
        }
        let folder = path.parent()?.canonicalize().ok()?;
        let seconds = self.0.get(&folder.join(path.file_name()?))?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(*seconds))
    }
}

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

/// A verified signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The signer according to the key; untrusted text.
    pub(crate) signer: String,
}

/// Signature programs by their usual names, so that no repository can choose other ones.
const PROGRAMS: [&str; 3] =
    ["gpg.program=gpg", "gpg.ssh.program=ssh-keygen", "gpg.x509.program=gpgsm"];

/// Verifies the signature of one commit. Returns `None` if there is none, or if it is bad or cannot be verified.
/// Also returns `None` in a repository that came along with files, because its configuration could name its own keys.
pub(super) fn signature(repository: &Repository, commit: &str) -> Option<Signature> {
    if !repository.is_users_own {
        return None;
    }
    let mut git = command::git(repository.top());
    for program in PROGRAMS {
        git.args(["-c", program]);
    }
    git.args([
        "log",
        "-1",
        "--no-walk",
        "--no-patch",
        "--format=%G?%x00%GS",
        "--end-of-options",
        commit,
    ]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let told = String::from_utf8_lossy(&output.stdout);
    let (grade, signer) = told.trim_end_matches('\n').split_once('\0')?;
    (grade == "G").then(|| Signature { signer: signer.to_owned() })
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
