use std::time::Duration;

use super::*;

/// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
const PATIENT: Duration = Duration::from_secs(10);

#[test]
fn taken_names_get_numbers_and_nothing_is_overwritten() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("a/b");
    let make = |text| create(&folder, "caching", text, PATIENT).unwrap();
    assert_eq!(make("1\n"), folder.join("caching.md"));
    assert_eq!(make("2\n"), folder.join("caching-2.md"));
    assert_eq!(make("3\n"), folder.join("caching-3.md"));
    assert_eq!(fs::read_to_string(folder.join("caching.md")).unwrap(), "1\n");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no temporary file stays");
}

#[test]
#[cfg(unix)]
fn dangling_link_is_a_taken_name() {
    let root = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", root.path().join("a.md")).unwrap();
    let path = create(root.path(), "a", "x\n", PATIENT).unwrap();
    assert_eq!(path, root.path().join("a-2.md"));
}

#[test]
fn concurrent_creators_get_different_files() {
    let root = tempfile::tempdir().unwrap();
    let paths: std::collections::HashSet<PathBuf> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| create(root.path(), "a", "x\n", PATIENT).unwrap()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(paths.len(), 8);
}
