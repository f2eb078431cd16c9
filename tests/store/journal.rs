//! Several steps with one discussion: dropped and restored, renamed, copied, on branches and in stashes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use discussions::store::{
    Fate, GitSetup, Restoration, SetUpStep, Writer, check, create, init, read, restore,
};
use discussions::transcript::{
    Alias, Choice, Comment, Control, Draft, EntryKind, Name, NewComment, PhaseLine, ReplyLine,
    TurnLine, parse,
};

// Another test's child process may hold a copy of a lock between its fork and its exec.
pub(super) const NOW: Duration = Duration::from_secs(10);

pub(super) fn comment(body: &str) -> Draft {
    Draft::Comment(NewComment::by(Name::parse("Rob").unwrap(), body))
}

pub(super) fn phase(id: &str) -> Draft {
    Draft::Control(Control::Phase(PhaseLine { id: id.to_owned(), by: None, heading: None }))
}

fn turn(number: u32) -> Draft {
    let asks = vec![Alias::parse("architect").unwrap()];
    Draft::Control(Control::Turn(TurnLine { number, asks, ..TurnLine::default() }))
}

fn answer(turn: u32, body: &str, vote: Option<&str>) -> Draft {
    Draft::Comment(NewComment {
        reply: Some(Box::new(ReplyLine { turn: Some(turn), ..ReplyLine::default() })),
        vote: vote.map(|vote| Choice::parse(vote).unwrap()),
        ..NewComment::by(Name::parse("AI-Architect").unwrap(), body)
    })
}

pub(super) fn append(path: &Path, drafts: &[Draft]) {
    Writer::lock(path, NOW).unwrap().append(drafts).unwrap();
}

pub(super) fn text(path: &Path) -> String {
    read(path).unwrap().text.to_string()
}

/// The fates of all blocks that are missing.
pub(super) fn fates(path: &Path) -> Vec<Fate> {
    check(path, &text(path)).unwrap().into_iter().map(|finding| finding.fate).collect()
}

fn with_comments<T>(path: &Path, look: impl Fn(&Comment) -> T) -> Vec<T> {
    let text = text(path);
    let transcript = parse(&text);
    let comments = transcript.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => Some(look(comment)),
        EntryKind::Control(_) | EntryKind::Stray(_) => None,
    });
    comments.collect()
}

pub(super) fn bodies(path: &Path) -> Vec<String> {
    with_comments(path, |comment| comment.body())
}

fn discussion() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    fs::write(&path, "# A\n\nContext.\n").unwrap();
    (folder, path)
}

pub(super) fn git(folder: &Path, arguments: &[&str]) {
    let identity = [
        "-c",
        "user.name=Eve",
        "-c",
        "user.email=eve@example.org",
        "-c",
        "init.defaultBranch=main",
    ];
    let output =
        Command::new("git").arg("-C").arg(folder).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

pub(super) fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", message]);
}

/// A discussion with one comment, committed.
pub(super) fn repository() -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = discussion();
    git(folder.path(), &["init", "-q"]);
    append(&path, &[comment("on main")]);
    commit(folder.path(), "start");
    (folder, path)
}

#[test]
fn comments_dropped_by_an_editor_are_named_and_restored_once() {
    let (_folder, path) = discussion();
    append(&path, &[comment("one"), phase("two")]);
    let kept = text(&path);
    append(&path, &[turn(1)]);
    append(&path, &[answer(1, "two\n\n    code  \n<!-- x -->\nVOTE: no", Some("READY"))]);
    append(&path, &[comment("three")]);
    let before = bodies(&path);
    fs::write(&path, kept.replace('\n', "\r\n")).unwrap();
    append(&path, &[comment("four")]);
    assert_eq!(fates(&path), [Fate::Dropped, Fate::Dropped, Fate::Dropped]);

    let done = restore(&path, NOW).unwrap();
    // The turn is not reopened after a later comment.
    assert_eq!((done.restored.len(), done.given_up.len(), done.left.len()), (2, 1, 0));
    assert_eq!(fates(&path), []);
    assert_eq!(bodies(&path), ["one", "four", &before[1], "three"]);
    let places =
        with_comments(&path, |comment| comment.restored.clone().map(|at| (at.phase, at.turn)));
    let two = Some("two".to_owned());
    assert_eq!(places, [None, None, Some((two.clone(), Some(1))), Some((two, Some(1)))]);
    assert_eq!(
        with_comments(&path, |comment| comment.closing_vote().is_some()),
        [false, false, true, false]
    );

    let after = text(&path);
    assert_eq!(restore(&path, NOW).unwrap(), Restoration::default());
    assert_eq!(text(&path), after);
}

#[test]
fn dropped_end_is_restored_with_its_control_lines() {
    let (_folder, path) = discussion();
    append(&path, &[comment("one")]);
    let kept = text(&path);
    append(&path, &[phase("two"), turn(1)]);
    append(&path, &[answer(1, "two", None)]);
    fs::write(&path, kept).unwrap();
    let done = restore(&path, NOW).unwrap();
    assert_eq!((done.restored.len(), done.given_up.len()), (3, 0));
    let text = text(&path);
    let entries = parse(&text).entries;
    assert!(
        matches!(&entries[1].kind, EntryKind::Control(Control::Phase(line)) if line.id == "two")
    );
    assert!(matches!(&entries[2].kind, EntryKind::Control(Control::Turn(_))));
    assert_eq!(bodies(&path), ["one", "two"]);
    assert_eq!(fates(&path), []);
}

#[test]
fn restored_block_can_be_dropped_and_restored_again() {
    let (_folder, path) = discussion();
    let kept = text(&path);
    append(&path, &[comment("+1")]);
    append(&path, &[comment("+1")]);
    for _ in 0..3 {
        fs::write(&path, &kept).unwrap();
        assert_eq!(fates(&path).len(), 2);
        assert_eq!(restore(&path, NOW).unwrap().restored.len(), 2);
        assert_eq!(bodies(&path), ["+1", "+1"]);
        assert_eq!(fates(&path), []);
    }
}

#[test]
fn edit_is_distinguished_from_a_loss() {
    let (_folder, path) = discussion();
    append(&path, &[comment("We should cache the answers for one hour.")]);
    append(&path, &[comment("I disagree with every word of that.")]);
    fs::write(&path, text(&path).replace("one hour", "two hours")).unwrap();
    assert_eq!(fates(&path), [Fate::Edited { line: 7 }]);
    let done = restore(&path, NOW).unwrap();
    assert_eq!((done.restored.len(), done.left.len()), (0, 1));
    fs::write(
        &path,
        text(&path).replace("We should cache the answers for two hours.", "Never mind"),
    )
    .unwrap();
    assert_eq!(fates(&path), [Fate::Dropped]);
}

#[test]
fn renamed_discussion_keeps_its_journal_and_a_copy_does_not() {
    let (folder, path) = discussion();
    append(&path, &[comment("one")]);
    let kept = text(&path);
    append(&path, &[comment("two")]);
    let copy = folder.path().join("copy.md");
    fs::copy(&path, &copy).unwrap();
    fs::write(&copy, &kept).unwrap();
    assert_eq!(fates(&copy), []);

    let renamed = folder.path().join("b.md");
    fs::rename(&path, &renamed).unwrap();
    fs::write(&renamed, &kept).unwrap();
    assert_eq!(fates(&renamed), [Fate::Dropped], "before anything was written under the new name");
    append(&renamed, &[comment("three")]);
    assert_eq!(fates(&renamed), [Fate::Dropped], "and after");
    restore(&renamed, NOW).unwrap();
    assert_eq!(bodies(&renamed), ["one", "three", "two"]);
}

#[test]
fn new_discussion_does_not_inherit_the_journal_of_an_old_name() {
    let folder = tempfile::tempdir().unwrap();
    let make = || create(folder.path(), "a", "# A\n", NOW).unwrap();
    let path = make();
    append(&path, &[comment("old")]);
    fs::rename(&path, folder.path().join("b.md")).unwrap();
    let path = make();
    append(&path, &[comment("new")]);
    assert_eq!(fates(&path), []);
    fs::write(folder.path().join("b.md"), "# A\n\n---\n\nName: Rob\n\nold\n\n---\n").unwrap();
    append(&folder.path().join("b.md"), &[comment("more")]);
    assert_eq!(fates(&folder.path().join("b.md")), []);
}

#[test]
fn journal_cut_by_a_crash_continues() {
    let (folder, path) = discussion();
    append(&path, &[comment("one")]);
    let journal = folder.path().join(".discussions/a.md.journal");
    let mut bytes = fs::read(&journal).unwrap();
    bytes.extend(br#"{"path":"/x/a.md","sha256":"00","block":"Name: Eve\n\nnever ackno"#);
    fs::write(&journal, bytes).unwrap();
    append(&path, &[comment("two")]);
    assert_eq!(fates(&path), []);
    fs::write(&path, "# A\n").unwrap();
    assert_eq!(fates(&path).len(), 2);
}

#[test]
fn switching_branches_loses_nothing() {
    let (folder, path) = repository();
    git(folder.path(), &["checkout", "-q", "-b", "other"]);
    append(&path, &[comment("on the branch")]);
    commit(folder.path(), "more");
    git(folder.path(), &["checkout", "-q", "main"]);
    assert!(matches!(fates(&path).as_slice(), [Fate::Elsewhere { .. }]));
    assert!(restore(&path, NOW).unwrap().restored.is_empty());
    assert_eq!(bodies(&path), ["on main"]);
    let notes = check(&path, &text(&path)).unwrap();
    assert_eq!(notes[0].problem().severity, discussions::problem::Severity::Note);

    append(&path, &[comment("in a stash")]);
    git(folder.path(), &["stash", "-q"]);
    append(&path, &[comment("in a second stash")]);
    git(folder.path(), &["stash", "-q"]);
    assert_eq!(fates(&path).len(), 3);
    assert!(fates(&path).iter().all(|fate| matches!(fate, Fate::Elsewhere { .. })));
    git(folder.path(), &["checkout", "-q", "other"]);
    assert_eq!(fates(&path).len(), 2);
}

#[test]
fn block_in_head_or_in_no_commit_is_dropped() {
    let (_folder, path) = repository();
    append(&path, &[comment("not committed")]);
    fs::write(&path, "# A\n").unwrap();
    assert_eq!(fates(&path), [Fate::Dropped, Fate::Dropped]);
    restore(&path, NOW).unwrap();
    assert_eq!(bodies(&path), ["on main", "not committed"]);
    assert_eq!(fates(&path), []);
}

#[test]
fn renamed_discussion_still_knows_its_branches() {
    let (folder, path) = repository();
    git(folder.path(), &["checkout", "-q", "-b", "other"]);
    append(&path, &[comment("on the branch")]);
    commit(folder.path(), "more");
    git(folder.path(), &["checkout", "-q", "main"]);
    git(folder.path(), &["mv", "a.md", "b.md"]);
    assert!(matches!(fates(&folder.path().join("b.md")).as_slice(), [Fate::Elsewhere { .. }]));
}

#[test]
fn repository_is_set_up_once() {
    let (folder, path) = repository();
    fs::write(folder.path().join(".gitattributes"), "*.png binary").unwrap();
    let setup = GitSetup { folder: folder.path(), output: Path::new("./my talks"), hook: true };
    // The repository uses neither Prettier nor EditorConfig.
    assert_eq!(init(setup).unwrap().len(), 5);
    assert_eq!(init(setup).unwrap(), []);
    let attributes = fs::read_to_string(folder.path().join(".gitattributes")).unwrap();
    assert_eq!(attributes, "*.png binary\n\"my talks/**/*.md\" merge=discussions eol=lf\n");
    let output = Command::new("git")
        .arg("-C")
        .arg(folder.path())
        .args(["check-attr", "merge", "eol", "--", "my talks/a.md", "a.md"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("my talks/a.md: merge: discussions"), "{said}");
    assert!(said.contains("\na.md: merge: unspecified"), "{said}");
    let outside = GitSetup { output: Path::new("../elsewhere"), ..setup };
    assert!(init(outside).unwrap_err().to_string().contains("outside"));
    drop(path);
}

#[test]
fn foreign_hook_is_left_alone() {
    let (folder, _path) = repository();
    let hook = folder.path().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\nmake lint\n").unwrap();
    let done =
        init(GitSetup { folder: folder.path(), output: Path::new("."), hook: true }).unwrap();
    assert!(matches!(done.last(), Some(SetUpStep::Foreign { .. })), "{done:?}");
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/bin/sh\nmake lint\n");
}

/// Appends while an editor saves what it read a moment ago, and returns how often the file contains each body after
/// `--restore`.
fn race(appends: usize, save: impl Fn(&Path, &[u8]) + Send + Sync) -> Vec<usize> {
    let (folder, path) = discussion();
    let done = std::sync::atomic::AtomicBool::new(false);
    let acknowledged = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let bytes = fs::read(&path).unwrap();
                save(&path, &bytes);
            }
        });
        let mut acknowledged = Vec::new();
        for number in 0..appends {
            let body = format!("comment {number} of many");
            let locked = Writer::lock(&path, NOW);
            if locked.and_then(|mut writer| writer.append(&[comment(&body)])).is_ok() {
                acknowledged.push(body);
            }
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        acknowledged
    });
    let dropped = fates(&path);
    assert!(dropped.iter().all(|fate| *fate == Fate::Dropped), "{dropped:?}");
    assert_eq!(restore(&path, NOW).unwrap().restored.len(), dropped.len());
    assert_eq!(fates(&path), []);
    let bodies = bodies(&path);
    drop(folder);
    acknowledged.iter().map(|body| bodies.iter().filter(|found| *found == body).count()).collect()
}

#[test]
fn acknowledged_comments_survive_an_editor_that_truncates() {
    let counts = race(200, |path, bytes| fs::write(path, bytes).unwrap());
    assert!(counts.len() > 100 && counts.iter().all(|&count| count == 1), "{counts:?}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: writes many comments beside an editor"]
    fn acknowledged_comments_survive_an_editor_that_renames() {
        let new = std::sync::atomic::AtomicUsize::new(0);
        let counts = race(200, |path, bytes| {
            let number = new.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let temporary = path.with_extension(number.to_string());
            fs::write(&temporary, bytes).unwrap();
            fs::rename(temporary, path).unwrap();
        });
        assert!(counts.len() > 100 && counts.iter().all(|&count| count == 1), "{counts:?}");
    }
}
