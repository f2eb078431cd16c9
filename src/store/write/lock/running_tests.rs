use super::*;
use crate::boundary::ProjectPlace;

#[test]
fn only_a_run_in_progress_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let [run, over, never] = ["run.md", "over.md", "never.md"].map(|name| {
        let path = folder.path().join(name);
        fs::write(&path, "# A\n").unwrap();
        path
    });
    drop(RunLock::take(&ProjectPlace::follow(&over)).unwrap());
    let held = RunLock::take(&ProjectPlace::follow(&run)).unwrap();
    let look = RunLocks::default();
    assert!(look.is(&run) && !look.is(&over) && !look.is(&never));
    drop(held);
    assert!(!look.is(&run));
}
