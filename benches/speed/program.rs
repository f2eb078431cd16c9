//! The program as a whole: how soon it starts, how it reads one long discussion and two thousand as it writes them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::corpus;
use super::measure::{Effort, Ratio, pairs, pairs_of};
use super::process::{PROGRAM, is_installed, peak_memory, processor_time, run};
use super::stage::Stage;
use super::table::{Outcome, Row};

/// A word of one example: it stands in every fifteenth discussion.
const RARE: &str = "congestion";

/// The rows, each as it is asked for.
pub(crate) fn rows(effort: Effort) -> impl Iterator<Item = Row> {
    let rows: [fn(&Stage, Effort) -> Row; 13] = [
        start,
        |stage, effort| of_folder(stage, effort, &["list"], LIST, 12.0),
        |stage, effort| of_folder(stage, effort, &[], DASHBOARD, 14.0),
        |stage, effort| of_folder(stage, effort, &["decisions"], DECISIONS, 14.0),
        |stage, effort| of_folder(stage, effort, &["stats"], STATS, 14.0),
        |stage, effort| of_folder(stage, effort, &["check"], CHECK, 14.0),
        |stage, effort| of_folder(stage, effort, &["search", RARE], SEARCH, 6.0),
        site,
        status,
        |stage, _| memory(stage, &["status"], 10, "memory of `status`, 10 MB"),
        |stage, _| memory(stage, &["status"], 40, "memory of `status`, 40 MB"),
        |stage, _| memory(stage, &["status", "--json"], 10, "memory of `status --json`, 10 MB"),
        |stage, _| memory(stage, &["status", "--json"], 40, "memory of `status --json`, 40 MB"),
    ];
    let stage = Stage::new();
    rows.into_iter().map(move |row| row(&stage, effort))
}

fn start(stage: &Stage, effort: Effort) -> Row {
    let outcome = match nothing(stage) {
        Some(nothing) => Outcome::AtMost(
            pairs(
                effort.times(400),
                || run(Command::new(PROGRAM).arg("--version")),
                || run(&mut Command::new(&nothing)),
            ),
            2.0,
        ),
        None => Outcome::Skipped("`rustc` is not on PATH".to_owned()),
    };
    Row { what: "`--version`", against: "a Rust program that does nothing", outcome }
}

/// A Rust program that does nothing, compiled as ours is.
fn nothing(stage: &Stage) -> Option<PathBuf> {
    let source = stage.write("nothing.rs", "fn main() {}\n");
    let built = stage.path("nothing");
    let rustc = Command::new("rustc")
        .args(["-O", "-C", "strip=symbols", "-o"])
        .arg(&built)
        .arg(source)
        .status();
    rustc.is_ok_and(|status| status.success()).then_some(built)
}

const LIST: &str = "`list` over 2,000 written discussions, processor time";
/// The program without arguments, in a project.
const DASHBOARD: &str = "dashboard over the same discussions, processor time";
const DECISIONS: &str = "`decisions` over the same discussions, processor time";
const STATS: &str = "`stats` over the same discussions, processor time";
const CHECK: &str = "`check` over the same discussions, processor time";
const SEARCH: &str = "`search` for a word of one example, processor time";

/// Compares the program, in a project of two thousand discussions as it writes them, with `grep` over the same files.
fn of_folder(
    stage: &Stage,
    effort: Effort,
    arguments: &[&str],
    what: &'static str,
    bound: f64,
) -> Row {
    let outcome = against_grep(stage, effort, bound, |command| {
        command.args(arguments);
    });
    Row { what, against: GREP, outcome }
}

const GREP: &str = "`grep -rc VOTE:` over the same files, processor time";

/// A site that is written from nothing.
fn site(stage: &Stage, effort: Effort) -> Row {
    let outcome = against_grep(stage, effort, 100.0, |command| {
        let folder = stage.path("site");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("it is the last row's");
        }
        command.args(["export", "--site"]).arg(folder);
    });
    Row { what: "`export --site` of the same discussions, processor time", against: GREP, outcome }
}

fn against_grep(
    stage: &Stage,
    effort: Effort,
    bound: f64,
    prepare: impl Fn(&mut Command),
) -> Outcome {
    if !is_installed("grep") {
        return Outcome::Skipped("`grep` is not on PATH".to_owned());
    }
    let folder = stage.written_discussions(effort);
    let ours = || {
        let mut command = Command::new(PROGRAM);
        prepare(command.current_dir(stage.path("")));
        processor_time(&mut command)
    };
    let other = || processor_time(Command::new("grep").args(["-rc", "VOTE:"]).arg(&folder));
    Outcome::AtMost(pairs_of(effort.times(20), ours, other), bound)
}

fn long(stage: &Stage, effort: Effort) -> PathBuf {
    let bytes = if effort.quick { 1_000_000 } else { 10_000_000 };
    stage.write("long.md", &corpus::discussion(bytes, 1))
}

fn status(stage: &Stage, effort: Effort) -> Row {
    let path = long(stage, effort);
    let this = std::env::current_exe().expect("this program has a path");
    let outcome = pairs(
        effort.times(40),
        || run(Command::new(PROGRAM).args(["status", "--json"]).arg(&path)),
        || run(Command::new(&this).arg("--markdown").arg(&path)),
    );
    Row {
        what: "`status --json`, 10 MB, whole process",
        against: "a process that reads the file with pulldown-cmark",
        outcome: Outcome::AtMost(outcome, 1.5),
    }
}

/// The other's part: reads a file as Markdown.
pub(crate) fn read_markdown(path: &Path) {
    super::reading::markdown(&std::fs::read_to_string(path).expect("the file was just written"));
}

/// Compares the memory of the whole process with the file. A smaller file would mostly show the program, so there is
/// no quick form.
fn memory(stage: &Stage, command: &[&str], megabytes: usize, what: &'static str) -> Row {
    let path = stage.path(&format!("{megabytes}.md"));
    if !path.exists() {
        stage.write(&format!("{megabytes}.md"), &corpus::discussion(megabytes * 1_000_000, 1));
    }
    let bytes = std::fs::metadata(&path).map_or(1, |found| found.len());
    let outcome = match peak_memory(command, &path) {
        Some(peak) => Outcome::AtMost(Ratio::of(vec![peak as f64 / bytes as f64]), 2.5),
        None => Outcome::Skipped("this system does not tell a process's peak memory".to_owned()),
    };
    Row { what, against: "the file's size", outcome }
}
