//! Removes a discussion that was created for a run that could not begin.

use std::fs;
use std::io;

use super::lock::RunLock;
use super::{Patience, Writer};
use crate::boundary::{ProjectPlace, remove_file};
use crate::store::disk::sync_folder;
use crate::store::error::StoreError;

/// Removes a discussion that was just created, with its private files. Returns true if it was removed. It stays if its
/// text is no longer exactly `created`, or if its journal contains anything. It also stays while a run of it is in
/// progress, even the caller's own.
///
/// Writers are locked out in the meantime, so that no acknowledged block can be lost. `wait` limits the wait for
/// another writer's lock.
///
/// # Errors
/// Fails like [`Writer::lock`] and [`Writer::read`], or if the disk fails; the discussion is still there then.
pub(crate) fn take_back(
    place: &ProjectPlace,
    created: &str,
    wait: impl Into<Patience>,
) -> Result<bool, StoreError> {
    let _run = match RunLock::take(place) {
        Err(StoreError::Running { .. }) => return Ok(false),
        other => other?,
    };
    let writer = Writer::lock_at(place, wait)?;
    let journal = fs::symlink_metadata(writer.sidecar().journal());
    let acknowledged = match journal {
        Ok(found) => found.len() > 0,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    };
    let document = writer.read()?;
    if acknowledged || document.wrong.is_some() || *document.text != *created {
        return Ok(false);
    }
    remove_file(writer.path())
        .map_err(|error| StoreError::from_io(place.given_path(), "removing", error))?;
    let sidecar = writer.sidecar();
    // A lock file or an empty journal that cannot be removed does no harm.
    for private in [sidecar.journal(), sidecar.reserved(), sidecar.run_lock(), sidecar.lock()] {
        let _ = remove_file(&private);
    }
    let _ = sidecar.remove_folder();
    if let Some(folder) = writer.path().parent() {
        let _ = sync_folder(folder);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
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
}
