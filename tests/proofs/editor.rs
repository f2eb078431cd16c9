//! An editor that saves over the file while others append: dropped comments are named and restored.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use discussions::store::{Fate, check, read, restore};
use discussions::transcript::{EntryKind, parse};

use super::child::{WriterProcess, Writing};
use super::ledger::Id;

/// The way in which an editor saves.
#[derive(Clone, Copy, Debug)]
enum Save {
    /// A new file that replaces the old one.
    Rename,
    /// The existing file, emptied and written again.
    Truncate,
}

#[test]
fn comments_dropped_by_an_editor_are_named_and_restored() {
    prove(Save::Rename, 60);
    prove(Save::Truncate, 60);
}

#[test]
#[ignore = "full form: cargo prove editor"]
fn comments_dropped_in_1_000_saves_are_named_and_restored() {
    prove(Save::Rename, 1_000);
    prove(Save::Truncate, 1_000);
}

fn prove(save: Save, times: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    fs::write(&path, "# Edited\n\nBy many.\n").unwrap();
    let writing = Writing { path: &path, name: "w".to_owned(), count: times, bytes: 100..=2_000 };
    let mut writer = WriterProcess::start(&writing);
    for _ in 0..times {
        let acknowledged = writer.acknowledged();
        let text = fs::read_to_string(&path).unwrap_or_default();
        // The save drops what is appended between its reading and its writing.
        writer.wait_for_more_than(acknowledged);
        // An editor would not save a file that it read while another one had emptied it.
        if !text.is_empty() {
            save_as(save, &path, &text);
        }
    }
    let acknowledged = writer.finish();
    assert_eq!(acknowledged.len() as u64, times);

    let before = comment_counts(&path);
    let missing: Vec<&Id> = acknowledged.iter().filter(|id| !before.contains_key(id)).collect();
    assert!(missing.len() as u64 > times / 10, "{save:?}: only {} were dropped", missing.len());
    let text = read(&path).unwrap().text;
    let findings = check(&path, &text).unwrap();
    for id in &missing {
        let body = id.body();
        let found = findings.iter().find(|finding| finding.record.block.contains(&body));
        match found.map(|finding| &finding.fate) {
            // A save that is shorter than the file may leave the text of a comment without its rules.
            Some(Fate::Dropped | Fate::Unframed { .. }) => {}
            Some(Fate::Edited { line }) => {
                panic!("{save:?}: {id:?} counts as edited:\n{}", context_of(&text, *line))
            }
            other => panic!("{save:?}: {id:?} is {other:?}"),
        }
    }
    restore(&path, Duration::from_secs(60)).unwrap();
    let after = comment_counts(&path);
    for id in &acknowledged {
        let times = after.get(id).copied().unwrap_or(0);
        assert_eq!(times, 1, "{save:?}: {id:?} stands there {times} times");
    }
    let text = read(&path).unwrap().text;
    let left = check(&path, &text).unwrap();
    let is_lost = |fate: &Fate| matches!(fate, Fate::Dropped | Fate::Unframed { .. });
    assert!(!left.iter().any(|finding| is_lost(&finding.fate)), "{save:?}: {left:?}");
    println!(
        "{save:?}: {times} saves against {times} appends dropped {}; all named, all put back",
        missing.len()
    );
}

/// The text around a line of the file.
fn context_of(text: &str, line: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[line.saturating_sub(12)..(line + 30).min(lines.len())].join("\n")
}

fn save_as(save: Save, path: &Path, text: &str) {
    match save {
        Save::Rename => {
            let new = path.with_extension("swp");
            fs::write(&new, text).unwrap();
            fs::rename(new, path).unwrap();
        }
        Save::Truncate => fs::write(path, text).unwrap(),
    }
}

/// How often the file contains each complete comment.
fn comment_counts(path: &Path) -> HashMap<Id, usize> {
    let text = read(path).unwrap().text;
    let mut times = HashMap::new();
    for entry in parse(&text).entries {
        if let EntryKind::Comment(comment) = &entry.kind
            && let Some(id) = Id::of(comment)
            && *comment.stored == id.body()
        {
            *times.entry(id).or_default() += 1;
        }
    }
    times
}
