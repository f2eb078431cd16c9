//! Builds a repository with a branch from one stream of `git fast-import`, because starting git for each commit is slow.

use std::io::Write as _;
use std::process::Stdio;

use super::scenario::{Run, Scenario};

/// The file of the discussion that most cases are about.
pub(crate) const FILE: &str = "discussions/caching.md";

/// The file of the other discussion.
pub(crate) const OTHER: &str = "discussions/sessions.md";

/// A discussion in which Rob wants changes, Mira asks and Lea approves.
pub(crate) const CACHING: &str = "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-11-10T08:00:00Z\n\
    participants: [architect, security]\n-->\n\n# Caching\n\nHow long do we keep answers?\n\n---\n\
    \nName: Rob\n\nNot for ever.\n\nVOTE: CHANGES\n\n---\n\
    \nName: Mira\n\nQ: Who clears the cache?\n\n---\n\
    \nName: Lea\n\nFine.\n\nVOTE: READY\n\n---\n";

/// Another discussion, which Mira decided.
pub(crate) const SESSIONS: &str = "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-11-10T08:00:00Z\n\
    participants: [architect, security]\n-->\n\n# Sessions\n\nWhere do sessions live?\n\n---\n\
    \nName: Mira\n\nDECISION: in the database\n\n---\n<!-- STATUS: CLOSED, by: Mira -->\n";

/// Returns a comment.
pub(crate) fn comment(name: &str, words: &str) -> String {
    format!("\nName: {name}\n\n{words}\n\n---\n")
}

/// A path with its mode and content, or without them for a removal.
type ChangedFile = (Vec<u8>, Option<(&'static str, String)>);

struct MadeCommit {
    branch: &'static str,
    /// A name, or a name with an address.
    author: &'static str,
    message: String,
    parents: Vec<usize>,
    files: Vec<ChangedFile>,
}

/// A repository in the making.
pub(crate) struct Forge {
    commits: Vec<MadeCommit>,
}

impl Forge {
    /// Begins with a commit of each author, whose names are then known, and with both discussions on `main`.
    pub(crate) fn new() -> Self {
        Self::with("discussions.yaml", "author: Eve\n")
    }

    /// Begins like [`Forge::new`], with another file.
    pub(crate) fn with(path: &str, text: &str) -> Self {
        let mut forge = Self { commits: Vec::new() };
        for (author, words) in [("Rob", CACHING), ("Mira", SESSIONS), ("Lea", "x\n")] {
            let file = match author {
                "Rob" => FILE,
                "Mira" => "discussions/sessions.md",
                _ => "code.txt",
            };
            let message =
                if author == "Rob" { "begin\n\nRecorded-for: Mira, Lea" } else { "begin" };
            forge.commit(author, message, &[(file, Some(words)), (path, Some(text))]);
        }
        forge
    }

    /// Adds a commit on top of the last one of the branch `main`.
    pub(crate) fn commit(
        &mut self,
        author: &'static str,
        message: &str,
        files: &[(&str, Option<&str>)],
    ) -> usize {
        self.commit_on("main", author, message, files)
    }

    /// Adds a commit of the branch `pr`, which begins at the last commit of `main`.
    pub(crate) fn pr(
        &mut self,
        author: &'static str,
        message: &str,
        files: &[(&str, Option<&str>)],
    ) -> usize {
        self.commit_on("pr", author, message, files)
    }

    pub(crate) fn commit_on(
        &mut self,
        branch: &'static str,
        author: &'static str,
        message: &str,
        files: &[(&str, Option<&str>)],
    ) -> usize {
        let on = |branch: &str| self.commits.iter().rposition(|it| it.branch == branch);
        let parents = on(branch).or_else(|| on("main")).into_iter().collect();
        self.add(branch, author, message, parents, files)
    }

    /// Adds a commit with these parents.
    pub(crate) fn add(
        &mut self,
        branch: &'static str,
        author: &'static str,
        message: &str,
        parents: Vec<usize>,
        files: &[(&str, Option<&str>)],
    ) -> usize {
        let files = files.iter().map(|(path, text)| {
            (path.as_bytes().to_vec(), text.map(|text| ("100644", text.to_owned())))
        });
        let message = message.to_owned();
        self.commits.push(MadeCommit { branch, author, message, parents, files: files.collect() });
        self.commits.len() - 1
    }

    /// Adds a file of another kind, or with a path of any bytes, to the last commit.
    pub(crate) fn file(&mut self, mode: &'static str, path: &[u8], text: &str) {
        let last = self.commits.last_mut().unwrap();
        last.files.push((path.to_vec(), Some((mode, text.to_owned()))));
    }

    /// Writes the repository, and checks out a branch.
    pub(crate) fn build(&self, branch: &str) -> Scenario {
        let scenario = Scenario::new().on_path();
        scenario.git(&["init", "-q"]);
        let mut stream: Vec<u8> = Vec::new();
        for (mark, commit) in self.commits.iter().enumerate() {
            let name = commit.author;
            let address = format!("{name} <{}@example.org>", name.to_lowercase());
            let who = if name.contains('<') { name } else { &address };
            let who = format!("{who} {} +0000", 1_700_000_000 + mark);
            let head = format!(
                "commit refs/heads/{}\nmark :{}\nauthor {who}\ncommitter {who}\ndata {}\n{}\n",
                commit.branch,
                mark + 1,
                commit.message.len(),
                commit.message
            );
            stream.extend(head.bytes());
            for (at, parent) in commit.parents.iter().enumerate() {
                let word = if at == 0 { "from" } else { "merge" };
                stream.extend(format!("{word} :{}\n", parent + 1).bytes());
            }
            for (path, file) in &commit.files {
                let path = quoted(path);
                match file {
                    None => stream.extend(format!("D {path}\n").bytes()),
                    Some((mode, text)) if *mode == "160000" => {
                        stream.extend(format!("M {mode} {text} {path}\n").bytes());
                    }
                    Some((mode, text)) => {
                        stream.extend(
                            format!("M {mode} inline {path}\ndata {}\n{text}\n", text.len())
                                .bytes(),
                        );
                    }
                }
            }
        }
        let mut import = scenario
            .command("git")
            .args(["fast-import", "--quiet"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        import.stdin.take().unwrap().write_all(&stream).unwrap();
        assert!(import.wait().unwrap().success(), "{}", String::from_utf8_lossy(&stream));
        scenario.git(&["config", "user.name", "Eve"]).git(&[
            "config",
            "user.email",
            "eve@example.org",
        ]);
        scenario.git(&["checkout", "-q", "-f", branch]);
        scenario
    }

    /// Checks the branch `pr` against `main`; the exit code has to fit the findings.
    #[track_caller]
    pub(crate) fn check(&self) -> Run {
        let check = ["check", "--git", "--since", "main", "--json"];
        let run = self.build("pr").discussions(&check).with_any_code();
        let has_error = alarms(&run).iter().any(|alarm| alarm.starts_with("error "));
        run.code(i32::from(has_error))
    }
}

fn quoted(path: &[u8]) -> String {
    let bytes = path.iter().map(|byte| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\{byte:03o}"),
    });
    format!("\"{}\"", bytes.collect::<String>())
}

/// Returns the findings of `check --json` as `error code`, without notes.
#[track_caller]
pub(crate) fn alarms(run: &Run) -> Vec<String> {
    let all = run.json();
    let problems =
        all.as_array().unwrap().iter().flat_map(|one| one["problems"].as_array().unwrap());
    let mut found: Vec<String> = problems
        .filter(|problem| problem["severity"] != "note")
        .map(|problem| {
            let word = |key: &str| problem[key].as_str().unwrap().to_owned();
            format!("{} {}", word("severity"), word("code"))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Asserts that the branch `pr` gives these alarms.
#[track_caller]
pub(crate) fn assert_alarms(forge: &Forge, expected: &[&str]) {
    let run = forge.check();
    assert_eq!(alarms(&run), expected, "{}", run.stdout);
}
