//! The fate of a missing block, by its place in git: lost from the history of `HEAD`, or elsewhere.

use std::fs;

use discussions::store::{Fate, merge, restore};

use super::journal::{NOW, append, bodies, comment, commit, fates, git, repository, text};

fn is_elsewhere(fates: &[Fate]) -> bool {
    !fates.is_empty() && fates.iter().all(|fate| matches!(fate, Fate::Elsewhere { .. }))
}

#[test]
fn committed_removal_is_a_loss() {
    let (folder, path) = repository();
    let older = text(&path);
    append(&path, &[comment("two")]);
    commit(folder.path(), "two");
    git(folder.path(), &["branch", "keeps-it"]);
    // A branch that continues from there also contains the block, but it is still lost here.
    git(folder.path(), &["checkout", "-q", "-b", "goes-on"]);
    append(&path, &[comment("three")]);
    commit(folder.path(), "three");
    git(folder.path(), &["checkout", "-q", "main"]);
    fs::write(&path, older).unwrap();
    let lost = fates(&path);
    assert!(matches!(lost.as_slice(), [Fate::Dropped, Fate::Elsewhere { .. }]), "{lost:?}");
    commit(folder.path(), "oops");
    assert_eq!(fates(&path), lost);
    fs::write(folder.path().join("other.txt"), "x").unwrap();
    commit(folder.path(), "something else");
    assert_eq!(fates(&path), lost);

    restore(&path, NOW).unwrap();
    assert_eq!(bodies(&path), ["on main", "two"]);
    assert!(is_elsewhere(&fates(&path)));
}

#[test]
fn block_removed_by_a_revert_is_lost() {
    let (folder, path) = repository();
    append(&path, &[comment("two")]);
    commit(folder.path(), "two");
    git(folder.path(), &["revert", "--no-edit", "HEAD"]);
    assert_eq!(fates(&path), [Fate::Dropped]);
    assert_eq!(restore(&path, NOW).unwrap().restored.len(), 1);
}

#[test]
fn block_removed_by_a_merge_is_lost() {
    let (folder, path) = repository();
    git(folder.path(), &["checkout", "-q", "-b", "other"]);
    append(&path, &[comment("theirs")]);
    commit(folder.path(), "theirs");
    git(folder.path(), &["checkout", "-q", "main"]);
    append(&path, &[comment("ours")]);
    commit(folder.path(), "ours");
    assert!(is_elsewhere(&fates(&path)));
    git(folder.path(), &["merge", "-q", "-s", "ours", "-m", "lossy", "other"]);
    assert_eq!(fates(&path), [Fate::Dropped]);
    restore(&path, NOW).unwrap();
    assert_eq!(bodies(&path), ["on main", "ours", "theirs"]);
}

#[test]
fn committed_edit_stays_an_edit() {
    let (folder, path) = repository();
    append(&path, &[comment("We should cache the answers for one hour.")]);
    commit(folder.path(), "two");
    git(folder.path(), &["branch", "keeps-it"]);
    fs::write(&path, text(&path).replace("one hour", "two hours")).unwrap();
    let edited = fates(&path);
    assert!(matches!(edited.as_slice(), [Fate::Edited { .. }]), "{edited:?}");
    commit(folder.path(), "edit");
    assert_eq!(fates(&path), edited);
    assert!(restore(&path, NOW).unwrap().restored.is_empty());
}

#[test]
fn equal_comments_joined_by_a_merge_are_no_loss() {
    let (folder, path) = repository();
    let base = text(&path);
    git(folder.path(), &["checkout", "-q", "-b", "other"]);
    append(&path, &[comment("before it")]);
    append(&path, &[comment("Agreed.")]);
    let theirs = text(&path);
    commit(folder.path(), "theirs");
    git(folder.path(), &["checkout", "-q", "main"]);
    append(&path, &[comment("Agreed.")]);
    let ours = text(&path);
    commit(folder.path(), "ours");
    assert!(is_elsewhere(&fates(&path)));
    git(folder.path(), &["merge", "-q", "-s", "ours", "--no-commit", "other"]);
    fs::write(&path, merge(&base, &ours, &theirs).unwrap()).unwrap();
    commit(folder.path(), "merge");
    assert!(fates(&path).iter().all(|fate| matches!(fate, Fate::Elsewhere { .. })));
    assert!(restore(&path, NOW).unwrap().restored.is_empty());
}

#[test]
fn lost_block_among_equal_ones_is_identified() {
    let (folder, path) = repository();
    let older = text(&path);
    git(folder.path(), &["checkout", "-q", "-b", "other"]);
    append(&path, &[comment("before it")]);
    append(&path, &[comment("+1")]);
    commit(folder.path(), "theirs");
    git(folder.path(), &["checkout", "-q", "main"]);
    append(&path, &[comment("+1")]);
    commit(folder.path(), "ours");
    fs::write(&path, older).unwrap();
    commit(folder.path(), "oops");
    assert_eq!(restore(&path, NOW).unwrap().restored.len(), 1);
    assert_eq!(bodies(&path), ["on main", "+1"]);
}

#[test]
fn block_committed_on_no_branch_is_elsewhere() {
    let (folder, path) = repository();
    git(folder.path(), &["checkout", "-q", "--detach"]);
    append(&path, &[comment("on no branch")]);
    commit(folder.path(), "detached");
    git(folder.path(), &["checkout", "-q", "main"]);
    assert!(is_elsewhere(&fates(&path)));
    assert!(restore(&path, NOW).unwrap().restored.is_empty());
    git(folder.path(), &["merge", "-q", "HEAD@{1}"]);
    assert_eq!(fates(&path), []);
}

#[test]
fn rebase_in_progress_drops_nothing() {
    let (folder, path) = repository();
    git(folder.path(), &["checkout", "-q", "-b", "other"]);
    fs::write(folder.path().join("b.txt"), "theirs").unwrap();
    commit(folder.path(), "in the way");
    append(&path, &[comment("rebased")]);
    commit(folder.path(), "theirs");
    git(folder.path(), &["checkout", "-q", "-b", "onto", "main"]);
    fs::write(folder.path().join("b.txt"), "ours").unwrap();
    commit(folder.path(), "onto");
    git(folder.path(), &["checkout", "-q", "other"]);
    append(&path, &[comment("stashed by the rebase")]);
    let stopped = std::process::Command::new("git")
        .arg("-C")
        .arg(folder.path())
        .args(["-c", "user.name=Eve", "-c", "user.email=eve@example.org"])
        .args(["rebase", "--autostash", "onto"])
        .output()
        .unwrap();
    assert!(!stopped.status.success(), "the rebase has to stop at its conflict");
    let fates = fates(&path);
    assert!(fates.len() == 2 && is_elsewhere(&fates), "{fates:?}");
}

#[test]
fn branch_without_a_commit_has_no_history() {
    let (folder, path) = repository();
    append(&path, &[comment("two")]);
    commit(folder.path(), "two");
    git(folder.path(), &["checkout", "-q", "--orphan", "fresh"]);
    fs::write(&path, "# A\n").unwrap();
    assert!(is_elsewhere(&fates(&path)));
}

#[test]
fn block_left_out_by_an_amended_commit_is_lost() {
    let (folder, path) = repository();
    let older = text(&path);
    append(&path, &[comment("two")]);
    commit(folder.path(), "two");
    git(folder.path(), &["commit", "-q", "--amend", "-m", "the same with other words"]);
    assert_eq!(fates(&path), []);
    fs::write(&path, older).unwrap();
    git(folder.path(), &["commit", "-q", "--amend", "-am", "oops", "--allow-empty"]);
    assert_eq!(fates(&path), [Fate::Dropped]);
    git(folder.path(), &["commit", "-q", "--amend", "-m", "still", "--allow-empty"]);
    assert_eq!(fates(&path), [Fate::Dropped]);
    restore(&path, NOW).unwrap();
    assert_eq!(bodies(&path), ["on main", "two"]);
}

#[test]
fn amended_block_kept_by_a_branch_is_elsewhere() {
    let (folder, path) = repository();
    let older = text(&path);
    append(&path, &[comment("two")]);
    commit(folder.path(), "two");
    git(folder.path(), &["branch", "keeps-it"]);
    fs::write(&path, older).unwrap();
    git(folder.path(), &["commit", "-q", "--amend", "-am", "oops", "--allow-empty"]);
    assert!(is_elsewhere(&fates(&path)));
}

#[test]
fn block_removed_by_a_reset_is_elsewhere() {
    let (folder, path) = repository();
    append(&path, &[comment("two")]);
    commit(folder.path(), "two");
    git(folder.path(), &["reset", "-q", "--hard", "HEAD~1"]);
    assert!(is_elsewhere(&fates(&path)));
    git(folder.path(), &["reset", "-q", "--hard", "HEAD@{1}"]);
    assert_eq!(fates(&path), []);
}
