//! The program as a whole: how soon it starts, how it reads one long discussion and ten thousand short ones.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::corpus;
use super::measure::{Effort, Ratio, pairs};
use super::stage::Stage;
use super::table::{Outcome, Row};

const PROGRAM: &str = env!("CARGO_BIN_EXE_discussions");

/// A rare word of the corpus.
const RARE: &str = "congamition";

/// The rows.
pub(crate) fn rows(effort: Effort) -> Vec<Row> {
    let stage = Stage::new();
    vec![
        start(&stage, effort),
        list(&stage, effort),
        search(&stage, effort),
        status(&stage, effort),
        memory(&stage, effort),
    ]
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?} failed");
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

fn against_rg(stage: &Stage, effort: Effort, ours: &[&str], pattern: &[&str]) -> Outcome {
    if Command::new("rg").arg("--version").output().is_err() {
        return Outcome::Skipped("`rg` is not on PATH".to_owned());
    }
    let folder = stage.short_discussions(effort);
    let top = folder.parent().unwrap_or(&folder);
    let ours = || run(Command::new(PROGRAM).args(ours).current_dir(top));
    let other = || run(Command::new("rg").arg("-c").args(pattern).arg(&folder));
    Outcome::AtMost(pairs(effort.times(30), ours, other), 1.5)
}

fn list(stage: &Stage, effort: Effort) -> Row {
    Row {
        what: "`list --json` over 10,000 discussions",
        against: "`rg -c VOTE:` over the same files",
        outcome: against_rg(stage, effort, &["list", "--json"], &["VOTE:"]),
    }
}

/// A word that stands in about every seventh discussion.
fn search(stage: &Stage, effort: Effort) -> Row {
    Row {
        what: "`search --json` over 10,000 discussions",
        against: "`rg -c -i` for the same word over the same files",
        outcome: against_rg(stage, effort, &["search", "--json", RARE], &["-i", RARE]),
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

fn memory(stage: &Stage, effort: Effort) -> Row {
    let path = long(stage, effort);
    let bytes = std::fs::metadata(&path).map_or(1, |found| found.len());
    let outcome = match peak(Command::new(PROGRAM).arg("status").arg(&path)) {
        Some(peak) => Outcome::AtMost(Ratio::of(vec![peak as f64 / bytes as f64]), 3.0),
        None => Outcome::Skipped("this system does not tell a process's peak memory".to_owned()),
    };
    Row { what: "memory of `status`, 10 MB", against: "the file's size", outcome }
}

/// The most memory that a process ever held, in bytes, as far as it was seen: it only grows, so the last look tells.
fn peak(command: &mut Command) -> Option<u64> {
    let mut child = command.stdout(Stdio::null()).spawn().ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        peak = high_water(&told).max(peak);
    }
    peak
}

/// The most memory that a process held, in bytes, from what the system tells of it.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}
