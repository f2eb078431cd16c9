//! Reading: the frame, the whole state, and the memory that it takes.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use discussions::transcript::parse;
use discussions::workspace::Workspace;
use pulldown_cmark::{Options, Parser};

use super::corpus;
use super::measure::{Effort, Ratio, pairs};
use super::stage::Stage;
use super::table::{Outcome, Row};

const MB: usize = 1_000_000;

/// Reads a text as Markdown and throws the events away: what all reading is compared with.
pub(crate) fn markdown(text: &str) {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(black_box(text), options).for_each(|event| drop(black_box(event)));
}

/// Reads a discussion file whole, as `status` does.
pub(crate) fn status(workspace: &Workspace, path: &Path) {
    let discussion = workspace.load(path).expect("the file was just written");
    discussion
        .with(workspace, |situation| black_box(situation.standing().status))
        .expect("the head fits its template");
}

/// The rows.
pub(crate) fn rows(effort: Effort) -> Vec<Row> {
    let stage = Stage::new();
    let text = corpus::discussion(if effort.quick { MB } else { 10 * MB }, 1);
    let path = stage.write("ten.md", &text);
    let workspace = stage.workspace();
    let times = effort.times(40);
    let frame = pairs(
        times,
        || {
            black_box(parse(black_box(&text)));
        },
        || markdown(&text),
    );
    let whole = pairs(times, || status(&workspace, &path), || markdown(&text));
    let from_disk = pairs(
        times,
        || status(&workspace, &path),
        || markdown(&std::fs::read_to_string(&path).expect("the file was just written")),
    );
    vec![
        Row {
            what: "frame scan, 10 MB",
            against: "pulldown-cmark, times as fast",
            outcome: Outcome::AtLeast(frame.inverse(), 5.0),
        },
        Row {
            what: "parse and fold, 10 MB",
            against: "pulldown-cmark's time",
            outcome: Outcome::AtMost(whole, 1.3),
        },
        Row {
            what: "status from disk, 10 MB",
            against: "reading the file and pulldown-cmark",
            outcome: Outcome::AtMost(from_disk, 1.5),
        },
        Row {
            what: "memory of status, 10 MB",
            against: "the file's size",
            outcome: memory(&path, text.len()),
        },
    ]
}

/// The most memory that a process of its own takes to find a discussion's state, over what it takes for an empty one.
fn memory(path: &Path, bytes: usize) -> Outcome {
    let of = |path: &Path| -> Option<f64> {
        let child =
            Command::new(std::env::current_exe().ok()?).args(["--memory-of"]).arg(path).output();
        String::from_utf8(child.ok()?.stdout).ok()?.trim().parse().ok()
    };
    match of(path) {
        Some(most) => Outcome::AtMost(Ratio::of(vec![most / bytes as f64]), 3.0),
        None => Outcome::Skipped("this system does not tell a process's peak memory".to_owned()),
    }
}

/// The child's part: reads the file and prints the most memory it ever held, in bytes.
pub(crate) fn print_memory(path: &Path) {
    let stage = Stage::new();
    status(&stage.workspace(), path);
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        told.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    if let Some(kilobytes) = peak.and_then(|peak| peak.trim().parse::<u64>().ok()) {
        println!("{}", kilobytes * 1024);
    }
}
