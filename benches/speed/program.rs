//! The program as a whole: how soon it starts, how it reads one long discussion and ten thousand short ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::corpus;
use super::measure::{Effort, Ratio, pairs, pairs_of};
use super::process::{PROGRAM, is_installed, peak_memory, processor_time, run};
use super::stage::Stage;
use super::table::{Outcome, Row};

/// A rare word of the corpus.
const RARE: &str = "congamition";

/// The rows, each as it is asked for.
pub(crate) fn rows(effort: Effort) -> impl Iterator<Item = Row> {
    let rows: [fn(&Stage, Effort) -> Row; 10] = [
        start,
        list,
        dashboard,
        decisions,
        search,
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

/// Which time of two processes is compared.
#[derive(Clone, Copy)]
enum ProcessTime {
    /// From start to end.
    Elapsed,
    /// Of all processors, in user and system mode.
    Processor,
}

/// Compares the program, in a project of short discussions, with `rg -c` over the same files.
fn against_rg(
    stage: &Stage,
    effort: Effort,
    (ours, pattern): (&[&str], &[&str]),
    (time, bound): (ProcessTime, f64),
) -> Outcome {
    if !is_installed("rg") {
        return Outcome::Skipped("`rg` is not on PATH".to_owned());
    }
    let folder = stage.short_discussions(effort);
    let top = folder.parent().unwrap_or(&folder);
    let ours = || {
        let mut command = Command::new(PROGRAM);
        command.args(ours).current_dir(top);
        command
    };
    let other = || {
        let mut command = Command::new("rg");
        command.arg("-c").args(pattern).arg(&folder);
        command
    };
    let times = effort.times(30);
    let ratio = match time {
        ProcessTime::Elapsed => pairs(times, || run(&mut ours()), || run(&mut other())),
        ProcessTime::Processor => {
            pairs_of(times, || processor_time(&mut ours()), || processor_time(&mut other()))
        }
    };
    Outcome::AtMost(ratio, bound)
}

fn list(stage: &Stage, effort: Effort) -> Row {
    Row {
        what: "`list` over 10,000 discussions, processor time",
        against: "`rg -c VOTE:` over the same files, processor time",
        outcome: against_rg(stage, effort, (&["list"], &["VOTE:"]), (ProcessTime::Processor, 4.0)),
    }
}

/// The program without arguments, in a project.
fn dashboard(stage: &Stage, effort: Effort) -> Row {
    Row {
        what: "dashboard over 10,000 discussions, processor time",
        against: "`rg -c VOTE:` over the same files, processor time",
        outcome: against_rg(stage, effort, (&[], &["VOTE:"]), (ProcessTime::Processor, 6.0)),
    }
}

fn decisions(stage: &Stage, effort: Effort) -> Row {
    Row {
        what: "`decisions` over 10,000 discussions, processor time",
        against: "`rg -c VOTE:` over the same files, processor time",
        outcome: against_rg(
            stage,
            effort,
            (&["decisions"], &["VOTE:"]),
            (ProcessTime::Processor, 6.0),
        ),
    }
}

/// A word that stands in about every seventh discussion.
fn search(stage: &Stage, effort: Effort) -> Row {
    let commands: (&[&str], &[&str]) = (&["search", "--json", RARE], &["-i", RARE]);
    Row {
        what: "`search --json` over 10,000 discussions",
        against: "`rg -c -i` for the same word over the same files",
        outcome: against_rg(stage, effort, commands, (ProcessTime::Elapsed, 1.5)),
    }
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
