//! The check of a history: a long one of one file, and a branch beside many discussions.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::corpus;
use super::measure::{Effort, pairs_of};
use super::process::{PROGRAM, git, processor_time};
use super::stage::Stage;
use super::table::{Outcome, Row};

/// The rows, each as it is asked for.
pub(crate) fn rows(effort: Effort) -> impl Iterator<Item = Row> {
    let rows: [fn(Effort) -> Row; 2] = [main_line, branch];
    rows.into_iter().map(move |row| row(effort))
}

/// The head of each discussion.
const HEAD: &str = "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-11-20T10:00:00Z\nparticipants: [architect, security]\n-->\n\n# Add user authentication\n\n---\n";

const AUTHORS: [&str; 2] = ["Rob", "Mira"];

/// A stream of commits for `git fast-import`.
#[derive(Default)]
struct Commits {
    stream: String,
    count: usize,
}

impl Commits {
    fn add(&mut self, author: &str, files: &[(&str, &str)]) {
        self.count += 1;
        let time = 1_700_000_000 + self.count;
        let who = format!("{author} <{}@example.org> {time} +0000", author.to_lowercase());
        let _ = write!(
            self.stream,
            "commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata 4\nsay\n\n"
        );
        for (path, text) in files {
            let _ = writeln!(self.stream, "M 100644 inline {path}\ndata {}\n{text}", text.len());
        }
    }

    /// Names the last commit.
    fn name(&mut self, branch: &str) {
        let _ = writeln!(self.stream, "reset refs/heads/{branch}\nfrom refs/heads/main\n");
    }

    /// Writes the repository and checks it out; none without git.
    fn import(&self, stage: &Stage, name: &str) -> Option<PathBuf> {
        let folder = stage.path(name);
        std::fs::create_dir(&folder).expect("the folder is new");
        git(&folder, &["init", "-q", "-b", "main"]).then_some(())?;
        let mut import = Command::new("git");
        import.args(["fast-import", "--quiet"]).current_dir(&folder).stdin(Stdio::piped());
        let mut import = import.spawn().ok()?;
        import.stdin.take()?.write_all(self.stream.as_bytes()).ok()?;
        import.wait().ok()?.success().then_some(())?;
        git(&folder, &["checkout", "-q", "-f", "main"]).then_some(folder)
    }
}

fn comment(author: &str, words: &str) -> String {
    format!("\nName: {author}\n\n{words}\n\n---\n")
}

/// Compares a check with commands of git, in processor time.
fn against_git(
    effort: Effort,
    folder: &Path,
    check: &[&str],
    commands: &[&[&str]],
    bound: Option<f64>,
) -> Outcome {
    let command = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(folder);
        processor_time(&mut command)
    };
    let ratio = pairs_of(
        effort.times(20),
        || command(PROGRAM, check),
        || commands.iter().map(|args| command("git", args)).sum(),
    );
    bound.map_or(Outcome::Reported(ratio), |bound| Outcome::AtMost(ratio, bound))
}

fn skipped() -> Outcome {
    Outcome::Skipped("`git` is not on PATH".to_owned())
}

fn main_line(effort: Effort) -> Row {
    let stage = Stage::new();
    let mut commits = Commits::default();
    let mut text = HEAD.to_owned();
    for number in 0..if effort.quick { 300 } else { 3_000 } {
        let author = AUTHORS[number % 2];
        let words = format!("Thought {number} about the cache, and how long its answers live.");
        text.push_str(&comment(author, &words));
        commits.add(author, &[("discussions.yaml", "author: Rob\n"), ("discussions/a.md", &text)]);
    }
    let outcome = match commits.import(&stage, "one") {
        Some(folder) => against_git(
            effort,
            &folder,
            &["check", "--git"],
            &[
                &["log", "-m", "--raw", "-z", "--no-abbrev"],
                &["cat-file", "--batch", "--batch-all-objects"],
            ],
            None,
        ),
        None => skipped(),
    };
    Row {
        what: "`check --git`, 3,000 commits of one discussion, processor time",
        against: "`git log -m --raw`, and `git cat-file --batch` of all objects, processor time",
        outcome,
    }
}

fn branch(effort: Effort) -> Row {
    let stage = Stage::new();
    let mut commits = Commits::default();
    let count = if effort.quick { 100 } else { 1_000 };
    let mut all: Vec<(String, String)> = (0..count)
        .map(|number| {
            (format!("discussions/{number}.md"), corpus::discussion(4_000, number as u64))
        })
        .collect();
    let mut files = vec![("discussions.yaml", "author: Rob\n")];
    files.extend(all.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    commits.add("Rob", &files);
    commits.name("base");
    for number in 0..50 {
        let (author, (path, text)) = (AUTHORS[number % 2], &mut all[number * 37 % count]);
        text.push_str(&comment(author, &format!("New thought {number}.")));
        commits.add(author, &[(path, text)]);
    }
    let outcome = match commits.import(&stage, "many") {
        Some(folder) => against_git(
            effort,
            &folder,
            &["check", "--git", "--since", "base"],
            &[
                &["log", "-m", "--raw", "-z", "--no-abbrev", "base..main"],
                &["ls-tree", "-r", "-z", "base"],
                &["ls-tree", "-r", "-z", "main"],
            ],
            Some(3.0),
        ),
        None => skipped(),
    };
    Row {
        what: "`check --git --since`, 50 commits, 1,000 discussions, processor time",
        against: "`git log -m --raw` of the range, and `git ls-tree -r` of both sides, processor time",
        outcome,
    }
}
