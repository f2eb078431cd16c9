//! Parser cases: parsing `cases/parse/NAME.md` gives `cases/parse/NAME.txt`.
//!
//! `UPDATE_CASES=1 cargo test --test it cases` rewrites the expected files; read the difference before you commit it.

use std::fmt::Write as _;
use std::path::Path;

use discussions::problem::Problem;
use discussions::transcript::{BlockEnding, Comment, Entry, EntryKind, MarkerSet, parse};

#[test]
fn parser_output_matches_the_expected_file_of_each_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/parse");
    let update = std::env::var_os("UPDATE_CASES").is_some();
    let mut names: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    names.sort();
    assert!(names.len() >= 60, "{} cases", names.len());
    let mut wrong = Vec::new();
    for path in names {
        let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
        let (found, beside) = (dump(&text), path.with_extension("txt"));
        if update {
            std::fs::write(&beside, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if found != expected {
            let name = path.file_stem().unwrap_or_default().display().to_string();
            wrong.push(format!("{name}\n--- expected\n{expected}\n--- found\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{} cases\n{}", wrong.len(), wrong.join("\n"));
}

fn dump(text: &str) -> String {
    let read = parse(text);
    let mut out = String::new();
    if let Some(head) = &read.head {
        let head = format!("{head:?}");
        let _ = writeln!(out, "head {}", head.replace("Some(", "(").replace("Alias(", "("));
    }
    if let Some(title) = read.title() {
        let _ = writeln!(out, "title {title:?}");
    }
    let _ = writeln!(out, "preamble {:?}", read.preamble_text());
    let mut problems = read.problems.clone();
    for entry in &read.entries {
        dump_entry(entry, &mut out, &mut problems);
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
    for Problem { line, column, severity, code, .. } in problems {
        let _ = writeln!(out, "{severity} {code} at {line}:{column}");
    }
    out
}

fn dump_entry(entry: &Entry, out: &mut String, problems: &mut Vec<Problem>) {
    let _ = write!(out, "{}: ", entry.line);
    match &entry.kind {
        EntryKind::Control(control) => {
            let _ = writeln!(out, "{control:?}");
        }
        EntryKind::Stray(text) => {
            let _ = writeln!(out, "stray {text:?}");
        }
        EntryKind::Comment(comment) => dump_comment(comment, out, problems),
    }
}

fn dump_comment(comment: &Comment, out: &mut String, problems: &mut Vec<Problem>) {
    let _ = write!(out, "{}", comment.name);
    for (below, word) in [
        (comment.reply.is_some(), "reply"),
        (comment.restored.is_some(), "restored"),
        (comment.summary.is_some(), "summary"),
        (comment.ending == BlockEnding::Torn, "torn"),
        (comment.ending == BlockEnding::EndOfFile, "open"),
        (comment.mixed, "mixed"),
        (!comment.acknowledged(), "counts for nothing"),
    ] {
        if below {
            let _ = write!(out, ", {word}");
        }
    }
    let _ = writeln!(out, "\n   says {:?}", comment.body());
    if let Some(vote) = comment.closing_vote() {
        let _ = writeln!(out, "   closes with {vote:?}");
    }
    let body = comment.read(&MarkerSet::default());
    for mark in body.marks {
        let _ = writeln!(out, "   {}:{} {} {:?}", mark.line, mark.column, mark.marker, mark.text);
    }
    for mention in body.mentions {
        let _ = writeln!(out, "   {}:{} @{}", mention.line, mention.column, mention.name);
    }
    for (number, line) in body.supports {
        let _ = writeln!(out, "   {line} +1 D{number}");
    }
    problems.extend(body.problems);
}
