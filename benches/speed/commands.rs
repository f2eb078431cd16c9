//! Commands as whole processes: reading one discussion, one comment, and one run with the built-in mock.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::Command;

use discussions::workspace::NewDiscussion;

use super::corpus;
use super::measure::{Effort, Ratio, pairs, pairs_of, timed};
use super::process::{PROGRAM, git, run};
use super::stage::Stage;
use super::table::{Outcome, Row};

/// The rows, each as it is asked for.
pub(crate) fn rows(effort: Effort) -> impl Iterator<Item = Row> {
    let rows: [fn(Effort) -> Row; 4] = [status, show, comment, mock_run];
    rows.into_iter().map(move |row| row(effort))
}

fn status(effort: Effort) -> Row {
    let outcome = Outcome::AtMost(against_markdown(effort, &["status", "--json"]), 1.5);
    Row { what: "`status --json`, 1 MB, whole process", against: AGAINST_MARKDOWN, outcome }
}

fn show(effort: Effort) -> Row {
    let outcome = Outcome::Reported(against_markdown(effort, &["show"]));
    Row { what: "`show`, 1 MB, whole process", against: AGAINST_MARKDOWN, outcome }
}

const AGAINST_MARKDOWN: &str = "a process that reads the file with pulldown-cmark";

fn against_markdown(effort: Effort, command: &[&str]) -> Ratio {
    let stage = Stage::new();
    let path = stage.write("long.md", &corpus::discussion(1_000_000, 1));
    let this = std::env::current_exe().expect("this program has a path");
    pairs(
        effort.times(100),
        || run(Command::new(PROGRAM).args(command).arg(&path)),
        || run(Command::new(&this).arg("--markdown").arg(&path)),
    )
}

/// A new repository with one committed discussion of 20 kB; none without git.
fn repository(stage: &Stage, name: &str) -> Option<PathBuf> {
    let folder = stage.path(name);
    std::fs::create_dir_all(folder.join("discussions")).expect("the disk has room");
    stage.write(&format!("{name}/discussions.yaml"), "author: Rob\n");
    stage.write(&format!("{name}/discussions/a.md"), &corpus::discussion(20_000, 2));
    let commands: [&[&str]; 3] = [&["init", "-q"], &["add", "."], &["commit", "-qm", "all"]];
    commands.iter().all(|command| git(&folder, command)).then_some(folder)
}

fn comment(effort: Effort) -> Row {
    let stage = Stage::new();
    let repositories = repository(&stage, "ours").zip(repository(&stage, "other"));
    let outcome = match repositories {
        Some((ours, other)) => Outcome::Reported(pairs(
            // Few, so that the discussion stays short.
            effort.times(60),
            || run(comment_on("discussions/a.md").current_dir(&ours)),
            || assert!(git(&other, &["commit", "--allow-empty", "-qm", "x"]), "git failed"),
        )),
        None => Outcome::Skipped("`git` is not on PATH".to_owned()),
    };
    Row {
        what: "`comment` on 20 kB in a repository, whole process",
        against: "`git commit --allow-empty` in an equal repository",
        outcome,
    }
}

fn comment_on(file: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["comment", file, "I agree.", "--as", "Rob"]);
    command
}

fn mock_run(effort: Effort) -> Row {
    let stage = Stage::new();
    let new = NewDiscussion {
        title: "Add user authentication".to_owned(),
        context: Some("We need people to log in.".to_owned()),
        ..NewDiscussion::default()
    };
    let created = stage.workspace().discussions().create(&new).expect("all of it is bundled");
    let text = std::fs::read_to_string(created).expect("it was just created");
    let number = Cell::new(0);
    // A new file each time: the journal knows the blocks of an old one.
    let fresh = || {
        number.set(number.get() + 1);
        let file = format!("discussions/{}.md", number.get());
        stage.write(&file, &text);
        file
    };
    let run_mock = |file: &str| {
        let mut command = Command::new(PROGRAM);
        run(command.args(["run", file, "--provider", "mock"]).current_dir(stage.path("")));
    };
    let first = fresh();
    run_mock(&first);
    let written = std::fs::read_to_string(stage.path(&first)).expect("it was just written");
    let answers = written.matches("\nName: ").count();
    assert!(answers > 3, "the mock answers in several turns");
    let outcome = pairs_of(
        effort.times(40),
        || {
            let file = fresh();
            timed(|| run_mock(&file))
        },
        || {
            let file = fresh();
            timed(|| (0..answers).for_each(|_| run(comment_on(&file).current_dir(stage.path("")))))
        },
    );
    Row {
        what: "`run` of the mock, default template, whole process",
        against: "a `comment` process for each answer of that run",
        outcome: Outcome::Reported(outcome),
    }
}
