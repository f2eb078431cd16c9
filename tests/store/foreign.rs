//! Journals from another folder, and folders that only look like repositories.

use std::fs;
use std::path::Path;

use discussions::store::{Fate, restore, user_name};

use super::journal::{NOW, append, bodies, comment, fates, git, repository, text};

const JOURNAL: &str = ".discussions/a.md.journal";

/// Copies everything in a folder like `cp -R`.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() { copy(&from, &to) } else { fs::copy(&from, &to).map(drop).unwrap() }
    }
}

/// Two comments, and the file as it was before the second.
fn discussion_with_lost_comment() -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, path) = repository();
    let older = text(&path);
    append(&path, &[comment("two")]);
    fs::write(&path, older).unwrap();
    (folder, path)
}

#[test]
fn journal_is_trusted_after_its_folder_moved() {
    let (folder, _) = discussion_with_lost_comment();
    let moved = folder.path().with_extension("moved");
    fs::rename(folder.path(), &moved).unwrap();
    let path = moved.join("a.md");
    let found = fates(&path);
    restore(&path, NOW).unwrap();
    let bodies = bodies(&path);
    fs::rename(&moved, folder.path()).unwrap();
    assert_eq!((found, bodies.len()), (vec![Fate::Dropped], 2));
}

#[test]
fn copied_journal_is_reported_and_ignored_but_continues() {
    let (folder, _) = discussion_with_lost_comment();
    let target = tempfile::tempdir().unwrap();
    copy(folder.path(), target.path());
    let path = target.path().join("a.md");
    let foreign = || Fate::Foreign { journal: JOURNAL.into(), lines: 2 };
    assert_eq!(fates(&path), [foreign()]);
    assert!(restore(&path, NOW).unwrap().restored.is_empty());
    let older = text(&path);
    append(&path, &[comment("written here")]);
    fs::write(&path, older).unwrap();
    assert_eq!(fates(&path), [Fate::Dropped, foreign()]);
}

#[test]
fn journal_without_a_folder_is_ignored() {
    let (folder, path) = discussion_with_lost_comment();
    let journal = folder.path().join(JOURNAL);
    let lines = fs::read_to_string(&journal).unwrap();
    let unnamed = regex::Regex::new(r#"^\{"in":"[^"]*","#).unwrap();
    let older: Vec<_> = lines.lines().map(|line| unnamed.replace(line, "{")).collect();
    assert!(older.iter().all(|line| !line.contains("\"in\"")), "{older:?}");
    fs::write(&journal, older.join("\n")).unwrap();
    assert_eq!(fates(&path), [Fate::Foreign { journal: JOURNAL.into(), lines: 2 }]);
}

#[test]
fn journal_tracked_by_git_is_reported_and_ignored() {
    let (folder, path) = discussion_with_lost_comment();
    let tracked = [Fate::Tracked { journal: JOURNAL.into() }];
    git(folder.path(), &["add", "-f", JOURNAL]);
    assert_eq!(fates(&path), tracked);
    assert!(restore(&path, NOW).unwrap().restored.is_empty());
    git(folder.path(), &["commit", "-q", "-m", "journal"]);
    git(folder.path(), &["rm", "-q", "--cached", JOURNAL]);
    assert_eq!(fates(&path), tracked, "a clone of the last commit still has it");
    git(folder.path(), &["commit", "-q", "-m", "no journal"]);
    assert_eq!(fates(&path), [Fate::Dropped]);
}

#[test]
fn user_name_is_not_read_from_a_fake_repository() {
    const NAME: &str = "Rob of the test";
    let (folder, _) = repository();
    git(folder.path(), &["config", "user.name", NAME]);
    assert_eq!(user_name(folder.path()).as_deref(), Some(NAME));
    let linked = tempfile::tempdir().unwrap();
    git(folder.path(), &["worktree", "add", "-q", "-b", "other", linked.path().to_str().unwrap()]);
    assert_eq!(user_name(linked.path()).as_deref(), Some(NAME));
    // The repository under another name, and a file that points there.
    let files = tempfile::tempdir().unwrap();
    copy(&folder.path().join(".git"), &files.path().join("evil"));
    assert_ne!(user_name(&files.path().join("evil")).as_deref(), Some(NAME));
    fs::write(files.path().join(".git"), "gitdir: evil\n").unwrap();
    assert_ne!(user_name(files.path()).as_deref(), Some(NAME));
}
