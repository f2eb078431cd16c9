//! Watching a discussion: the watcher is told every change by any program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use discussions::runner::{Follow, Watch};
use discussions::transcript::{Draft, Name, NewComment, append};
use discussions::view::{Event, EventKind};

use crate::finished_run::{TWO, new};
use crate::project::Project;

/// Longer than any change takes; only a failing test waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

async fn next(watch: &mut Watch) -> Event {
    tokio::time::timeout(PATIENCE, watch.next()).await.expect("nothing is told").unwrap()
}

/// The text with one more comment.
fn with_comment(text: &str, words: &str) -> String {
    let comment = NewComment::by(Name::parse("Rob").unwrap(), words);
    format!("{text}{}", append(text, &[Draft::Comment(comment)]))
}

/// Saves like an editor: writes a new file and renames it over the old one.
fn save(path: &Path, text: &str) {
    let beside = path.with_extension("md.swp");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

fn discussion() -> (Project, PathBuf) {
    let project = Project::new();
    let path = project.create(&new("feature", &TWO, &[]));
    (project, path)
}

fn comment_of(event: &Event) -> &str {
    match &event.kind {
        EventKind::Comment { text, .. } => text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_save_of_an_editor_that_renames_is_reported() {
    let (project, path) = discussion();
    let mut watch = project.workspace().runs().watch(&path).unwrap();
    let mut text = project.read(&path);
    for words in ["First.", "Second."] {
        text = with_comment(&text, words);
        save(&path, &text);
        let event = next(&mut watch).await;
        assert_eq!(comment_of(&event), words);
        assert_eq!(event.participant.as_deref(), Some("Rob"));
        assert_eq!(event.event, "comment");
    }
}

#[tokio::test]
async fn comment_of_another_process_is_reported() {
    let (project, path) = discussion();
    let mut watch = project.workspace().runs().watch(&path).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_discussions"))
        .args(["comment", path.to_str().unwrap(), "From elsewhere.\n\nVOTE: READY", "--as", "Lea"])
        .current_dir(path.parent().unwrap())
        .output()
        .unwrap();
    assert!(status.status.success(), "{status:?}");
    assert_eq!(next(&mut watch).await.participant.as_deref(), Some("Lea"));
    let vote = next(&mut watch).await;
    assert!(matches!(&vote.kind, EventKind::Vote { vote, .. } if vote == "READY"), "{vote:?}");
}

#[tokio::test]
async fn git_checkout_that_removes_and_returns_text_is_reported() {
    let (project, path) = discussion();
    let folder = path.parent().unwrap();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=Rob", "-c", "user.email=rob@example.org"];
        let done = Command::new("git").args(identity).args(arguments).current_dir(folder).output();
        let done = done.unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", path.to_str().unwrap()]);
    git(&["commit", "-qm", "before"]);
    git(&["checkout", "-qb", "talk"]);
    std::fs::write(&path, with_comment(&project.read(&path), "On a branch.")).unwrap();
    git(&["commit", "-qam", "after"]);
    let mut watch = project.workspace().runs().watch(&path).unwrap();
    git(&["checkout", "-q", "main"]);
    assert_eq!(next(&mut watch).await.kind, EventKind::Rewritten {});
    git(&["checkout", "-q", "talk"]);
    assert_eq!(comment_of(&next(&mut watch).await), "On a branch.");
}

#[tokio::test]
async fn reading_is_not_a_change() {
    let (project, path) = discussion();
    let mut watch = project.workspace().runs().watch(&path).unwrap();
    for _ in 0..3 {
        project.read(&path);
        project.workspace().snapshot(&path).unwrap();
    }
    save(&path, &with_comment(&project.read(&path), "The only one."));
    assert_eq!(comment_of(&next(&mut watch).await), "The only one.");
}

#[tokio::test]
async fn follow_delivers_the_whole_file_first_and_after_each_change() {
    let (project, path) = discussion();
    let mut follow = project.workspace().runs().follow(&path).unwrap();
    let next = async |follow: &mut Follow| {
        tokio::time::timeout(PATIENCE, follow.next()).await.expect("nothing is told").unwrap()
    };
    let first = next(&mut follow).await.unwrap();
    assert_eq!(first.text.as_str(), project.read(&path));
    // This changes no entry, but a page shows it.
    let renamed = project.read(&path).replacen("\n# ", "\n# Not ", 1);
    save(&path, &renamed);
    assert!(next(&mut follow).await.unwrap().title.starts_with("Not "));
    std::fs::remove_file(&path).unwrap();
    let gone = next(&mut follow).await.unwrap_err();
    assert!(gone.to_string().contains("no such discussion"), "{gone}");
    save(&path, &renamed);
    assert!(next(&mut follow).await.unwrap().title.starts_with("Not "));
}

#[cfg(unix)]
#[test]
fn link_out_of_the_project_is_not_watched() {
    let (project, path) = discussion();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("other.md");
    std::fs::copy(&path, &target).unwrap();
    let link = path.with_file_name("link.md");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert!(project.workspace().runs().watch(&link).is_err());
    assert!(project.workspace().runs().follow(&link).is_err());
}
