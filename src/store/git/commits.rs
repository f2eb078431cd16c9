//! The commits that changed Markdown files: their times, their authors by `.mailmap`, their
//! signatures, and the file versions before and after.
//!
//! `.mailmap` maps the names and addresses in commits to people. Each of its lines has one of the
//! four forms in gitmailmap(5). The file is read from a commit, never from the working tree, which
//! the branch under review could have changed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::command;
use super::repository::{MOST_COMMITS, Repository, literal, run};

/// A name and an address, as recorded by git. Untrusted text: any committer can set both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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

impl Commit {
    /// Returns the message's first line; untrusted text.
    pub(crate) fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// Returns the first 12 characters of the commit id, for people.
    pub(crate) fn short(&self) -> &str {
        self.id.get(..12).unwrap_or(&self.id)
    }

    /// Returns the values of the lines with a key, anywhere in the message, also as an item of a list. Git itself reads only the last paragraph,
    /// but forges add paragraphs of their own.
    fn values<'c>(&'c self, keys: &'c [&str]) -> impl Iterator<Item = &'c str> {
        self.message.lines().filter_map(|line| {
            // A forge writes the messages that it squashes as a list.
            let line = line.trim();
            let line = line.strip_prefix("* ").or_else(|| line.strip_prefix("- ")).unwrap_or(line);
            let (key, value) = line.trim_start().split_once(':')?;
            let is_key = keys.iter().any(|known| key.eq_ignore_ascii_case(known));
            is_key.then(|| value.trim()).filter(|value| !value.is_empty())
        })
    }

    /// Returns the names for which the message says that their words were recorded: `Recorded-for: Rob, Lea`. A name
    /// may contain a comma.
    pub(crate) fn recorded_for(&self) -> impl Iterator<Item = &str> {
        self.values(&["recorded-for"]).flat_map(whole_and_parts)
    }

    /// Returns the authors that the message names besides the commit's own: `Co-authored-by:`, and the `Author:` lines
    /// that `git merge --squash` proposes.
    pub(crate) fn co_authors(&self) -> impl Iterator<Item = CommitIdentity> {
        self.values(&["co-authored-by", "author"]).map(CommitIdentity::parse)
    }

    /// Returns the paths of discussions that the message says are removed on purpose. A path may contain a comma.
    pub(crate) fn removed_discussions(&self) -> impl Iterator<Item = &str> {
        self.values(&["removes-discussion"]).flat_map(whole_and_parts)
    }
}

/// Returns a value, and its parts between commas.
fn whole_and_parts(value: &str) -> impl Iterator<Item = &str> {
    std::iter::once(value).chain(value.split(',').map(str::trim).filter(|part| !part.is_empty()))
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
    fn message_vouches_in_any_paragraph() {
        let listed = Commit {
            message: "Tidy (#3)\n\n* Recorded-for: Rob\n\n- Removes-Discussion: a.md\n".to_owned(),
            ..Commit::default()
        };
        assert_eq!(listed.recorded_for().collect::<Vec<_>>(), ["Rob", "Rob"]);
        assert_eq!(listed.removed_discussions().next(), Some("a.md"));
        let message = "Squashed commit of the following:\n\ncommit 12\nAuthor: Mira <mira@x>\nDate: today\n\n\
                       Recorded-for: J. Smith, Jr.\nRemoves-Discussion: talks/a, b.md\n\nCo-authored-by: R <r@x>\n";
        let commit = Commit { message: message.to_owned(), ..Commit::default() };
        let authors: Vec<String> = commit.co_authors().map(|author| author.name).collect();
        assert_eq!(authors, ["Mira", "R"]);
        let names: Vec<&str> = commit.recorded_for().collect();
        assert_eq!(names, ["J. Smith, Jr.", "J. Smith", "Jr."]);
        assert_eq!(commit.removed_discussions().next(), Some("talks/a, b.md"));
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
