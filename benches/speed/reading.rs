//! Reading: the frame and the whole state, in this process.

use std::hint::black_box;
use std::path::Path;

use discussions::transcript::{Text, parse};
use discussions::workspace::Workspace;
use pulldown_cmark::{Options, Parser};

use super::corpus;
use super::measure::{Effort, pairs};
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
    let snapshot = workspace.snapshot(path).expect("the file was just written");
    black_box(snapshot.outcome().status);
}

/// The rows.
pub(crate) fn rows(effort: Effort) -> Vec<Row> {
    let stage = Stage::new();
    let text = corpus::discussion(if effort.quick { MB } else { 10 * MB }, 1);
    let path = stage.write("ten.md", &text);
    let workspace = stage.workspace();
    let times = effort.times(40);
    // Neither side copies the text.
    let shared = Text::from(&text);
    let frame = pairs(
        times,
        || {
            black_box(parse(black_box(&shared)));
        },
        || markdown(&text),
    );
    let accented = Text::from(text.replace(" we ", " wé ").replace(" not ", " nöt "));
    let with_accents = pairs(
        times,
        || {
            black_box(parse(black_box(&accented)));
        },
        || markdown(&accented),
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
            what: "frame scan, 10 MB with accents",
            against: "pulldown-cmark, times as fast",
            outcome: Outcome::AtLeast(with_accents.inverse(), 3.5),
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
    ]
}
