#![cfg(all(target_os = "linux", not(discussions_portable)))]

use std::fs;
use std::time::Duration;

use super::RunLock;
use crate::boundary::ProjectPlace;
use crate::store::{StoreError, Writer};

/// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
const PATIENT: Duration = Duration::from_secs(10);

/// Creates a discussion that has a second name in another folder.
fn two_names() -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("b.md"), folder.path().join("other/b3.md"));
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(&one, "# B\n").unwrap();
    fs::hard_link(&one, &two).unwrap();
    (folder, [one, two])
}

#[test]
fn one_run_per_inode_under_any_name() {
    let (_folder, [one, two]) = two_names();
    let held = RunLock::take(&ProjectPlace::follow(&one)).unwrap();
    assert!(matches!(RunLock::take(&ProjectPlace::follow(&two)), Err(StoreError::Running { .. })));
    // Comments can be written in the meantime, under either name.
    for name in [&one, &two] {
        drop(Writer::lock(name, PATIENT).unwrap());
    }
    drop(held);
    RunLock::take(&ProjectPlace::follow(&two)).unwrap();
}

#[test]
fn writers_through_two_names_wait_for_each_other() {
    let (_folder, [one, two]) = two_names();
    let held = Writer::lock(&one, PATIENT).unwrap();
    let refused = Writer::lock(&two, Duration::from_millis(2)).unwrap_err();
    assert!(matches!(refused, StoreError::Locked { .. }), "{refused}");
    drop(held);
    Writer::lock(&two, PATIENT).unwrap();
}

#[test]
fn file_with_one_name_needs_no_second_lock() {
    let (_folder, [one, two]) = two_names();
    fs::remove_file(two).unwrap();
    assert!(
        super::of_writers(&super::Sidecar::of(&one).unwrap(), &PATIENT.into()).unwrap().is_none()
    );
}
