use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

/// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
const PATIENT: Duration = Duration::from_secs(10);

fn sidecar() -> (tempfile::TempDir, Sidecar) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    std::fs::write(&path, "# A\n").unwrap();
    let sidecar = Sidecar::of(&path).unwrap();
    (folder, sidecar)
}

#[test]
fn waiting_writer_is_told_the_lock_file() {
    let (_folder, sidecar) = sidecar();
    let held = Lock::take(&sidecar, &PATIENT.into()).unwrap();
    let refused = Lock::take(&sidecar, &Duration::from_millis(2).into()).unwrap_err();
    assert!(refused.to_string().contains(".discussions/a.md.lock"), "{refused}");
    drop(held);
    Lock::take(&sidecar, &PATIENT.into()).unwrap();
}

#[test]
fn cancelled_wait_leaves_the_lock_free_for_others() {
    // The wait would take far too long; only the flag can end it.
    const FOR_EVER: Duration = Duration::from_secs(1_000_000);
    let (_folder, sidecar) = sidecar();
    let held = Lock::take(&sidecar, &PATIENT.into()).unwrap();
    let given_up = Arc::new(AtomicBool::new(false));
    let patience = Patience::unless(FOR_EVER, Arc::clone(&given_up));
    let refused = thread::scope(|scope| {
        let waiting = scope.spawn(|| Lock::take(&sidecar, &patience).unwrap_err());
        given_up.store(true, Ordering::Relaxed);
        waiting.join().unwrap()
    });
    assert!(matches!(refused, StoreError::Locked { waited, .. } if waited < FOR_EVER), "{refused}");
    drop(held);
    Lock::take(&sidecar, &PATIENT.into()).unwrap();
    Lock::take(&sidecar, &patience).unwrap();
}

#[test]
fn private_folder_is_ignored_by_git() {
    let (folder, sidecar) = sidecar();
    Lock::take(&sidecar, &PATIENT.into()).unwrap();
    let ignore = folder.path().join(".discussions/.gitignore");
    assert_eq!(std::fs::read_to_string(ignore).unwrap(), "*\n");
}

#[test]
fn deleted_folder_is_created_again() {
    let (folder, sidecar) = sidecar();
    drop(Lock::take(&sidecar, &PATIENT.into()).unwrap());
    std::fs::remove_dir_all(folder.path().join(".discussions")).unwrap();
    Lock::take(&sidecar, &PATIENT.into()).unwrap();
}

/// Without a lock on the file itself, its two names would have independent locks.
#[test]
#[cfg(any(not(unix), discussions_portable))]
fn file_with_a_second_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("a.md"), folder.path().join("b.md"));
    std::fs::write(&one, "# A\n").unwrap();
    std::fs::hard_link(&one, &two).unwrap();
    let refused = [
        RunLock::take(&ProjectPlace::follow(&one)).unwrap_err(),
        crate::store::Writer::lock(&two, PATIENT).unwrap_err(),
    ];
    for error in refused {
        let StoreError::NotWritten { source, .. } = error else { panic!("{error}") };
        assert!(source.to_string().contains("second name (a hard link)"), "{source}");
    }
    std::fs::remove_file(two).unwrap();
    RunLock::take(&ProjectPlace::follow(&one)).unwrap();
}
