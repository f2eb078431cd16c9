use std::path::Path;
use std::time::Duration;

use super::*;
use crate::store::{check, create};
use crate::transcript::{Draft, Name, NewComment};

/// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
const PATIENT: Duration = Duration::from_secs(10);
const TEXT: &str = "# A\n";

fn create_discussion() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = create(folder.path(), "a", TEXT, PATIENT).unwrap();
    (folder, path)
}

fn comment(path: &Path) {
    let comment = NewComment::by(Name::parse("Rob").unwrap(), "wait for me");
    Writer::lock(path, PATIENT).unwrap().append(&[Draft::Comment(comment)]).unwrap();
}

#[test]
fn unchanged_discussion_is_removed_without_a_trace() {
    let (folder, path) = create_discussion();
    drop(RunLock::take(&ProjectPlace::follow(&path)).unwrap());
    assert!(take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let missing = take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap_err();
    assert!(matches!(missing, StoreError::NotFound { .. }), "{missing}");
}

#[test]
fn discussion_with_a_new_comment_stays() {
    let (_folder, path) = create_discussion();
    comment(&path);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(check(&path, &text).unwrap(), []);
}

#[test]
fn dropped_comment_can_still_be_restored() {
    let (_folder, path) = create_discussion();
    comment(&path);
    fs::write(&path, TEXT).unwrap();
    assert!(!take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap());
    assert_eq!(check(&path, TEXT).unwrap().len(), 1);
}

#[test]
fn removal_waits_for_a_writer() {
    let (_folder, path) = create_discussion();
    let mut writer = Writer::lock(&path, PATIENT).unwrap();
    let refused =
        take_back(&ProjectPlace::follow(&path), TEXT, Duration::from_millis(2)).unwrap_err();
    assert!(matches!(refused, StoreError::Locked { .. }), "{refused}");
    let taking = std::thread::scope(|scope| {
        let taking =
            scope.spawn(|| take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap());
        let said = NewComment::by(Name::parse("Rob").unwrap(), "wait for me");
        writer.append(&[Draft::Comment(said)]).unwrap();
        drop(writer);
        taking.join().unwrap()
    });
    assert!(!taking && path.exists());
}

#[test]
fn removal_does_not_disturb_other_creators() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for name in ["a", "b", "c", "c"] {
            let folder = folder.path();
            scope.spawn(move || {
                for _ in 0..25 {
                    let path = create(folder, name, TEXT, PATIENT).unwrap();
                    assert!(take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap());
                }
                comment(&create(folder, name, TEXT, PATIENT).unwrap());
            });
        }
    });
    let private = folder.path().join(".discussions");
    assert_eq!(fs::read_to_string(private.join(".gitignore")).unwrap(), "*\n");
    for name in ["a.md", "b.md", "c.md", "c-2.md"] {
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(private.join(format!("{name}.journal")).exists());
        assert_eq!(check(&path, &text).unwrap(), []);
    }
}

#[test]
fn running_discussion_and_files_of_others_stay() {
    let (folder, path) = create_discussion();
    let run = RunLock::take(&ProjectPlace::follow(&path)).unwrap();
    assert!(!take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap());
    drop(run);
    let other = create(folder.path(), "b", TEXT, PATIENT).unwrap();
    comment(&other);
    assert!(take_back(&ProjectPlace::follow(&path), TEXT, PATIENT).unwrap());
    let private = folder.path().join(".discussions");
    assert!(private.join("b.md.journal").exists() && private.join(".gitignore").exists());
    assert!(!private.join("a.md.lock").exists());
}
