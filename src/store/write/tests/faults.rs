//! Makes every system call of a writer fail: one at a time, and all from one call on.

use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::boundary::ProjectPlace;
use crate::store::disk::{Disk, FileIdentity, RealDisk};
use crate::store::write::create::create_on;
use crate::store::{StoreError, Writer, check, read, restore};
use crate::transcript::{Draft, EntryKind, Name, NewComment, parse};

/// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
const PATIENT: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The call fails with this error number and has no effect.
    Error(i32),
    /// A write accepts only half of the bytes; other calls fail.
    Short,
    /// A signal interrupts the call before it has any effect.
    Interrupted,
}

const EIO: i32 = 5;
const ENOSPC: i32 = 28;

struct Faulty {
    /// Index of the call that fails, from 0.
    at: usize,
    fault: Fault,
    /// True if all later calls fail too.
    lasting: bool,
    calls: Cell<usize>,
    hit: Cell<bool>,
}

impl Faulty {
    fn new(at: usize, fault: Fault, lasting: bool) -> Self {
        Self { at, fault, lasting, calls: Cell::new(0), hit: Cell::new(false) }
    }

    fn strikes(&self) -> bool {
        let call = self.calls.replace(self.calls.get() + 1);
        let strikes = call == self.at || self.lasting && call > self.at;
        self.hit.set(self.hit.get() || strikes);
        strikes
    }

    fn error(&self) -> io::Error {
        match self.fault {
            Fault::Error(number) => io::Error::from_raw_os_error(number),
            Fault::Short => io::Error::from_raw_os_error(EIO),
            Fault::Interrupted => io::ErrorKind::Interrupted.into(),
        }
    }

    fn pass<T>(&self, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        if self.strikes() { Err(self.error()) } else { call() }
    }
}

impl Disk for Faulty {
    fn open(&self, path: &Path) -> io::Result<File> {
        self.pass(|| RealDisk.open(path))
    }
    fn open_or_create(&self, path: &Path) -> io::Result<File> {
        self.pass(|| RealDisk.open_or_create(path))
    }
    fn create_new(&self, path: &Path) -> io::Result<File> {
        self.pass(|| RealDisk.create_new(path))
    }
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        if !self.strikes() {
            return RealDisk.write(file, bytes);
        }
        match self.fault {
            Fault::Short => RealDisk.write(file, &bytes[..bytes.len() / 2]),
            Fault::Error(_) | Fault::Interrupted => Err(self.error()),
        }
    }
    fn sync(&self, file: &File) -> io::Result<()> {
        self.pass(|| RealDisk.sync(file))
    }
    fn set_len(&self, file: &File, len: u64) -> io::Result<()> {
        self.pass(|| RealDisk.set_len(file, len))
    }
    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        self.pass(|| RealDisk.identity(path))
    }
    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass(|| RealDisk.hard_link(from, to))
    }
}

fn comment(body: &str) -> Draft {
    Draft::Comment(NewComment::by(Name::parse("Rob").unwrap(), body))
}

fn discussion() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    fs::write(&path, "# A\n\nContext.\n").unwrap();
    Writer::lock(&path, PATIENT).unwrap().append(&[comment("first")]).unwrap();
    (folder, path)
}

fn bodies(path: &Path) -> Vec<String> {
    let text = read(path).unwrap().text;
    let transcript = parse(&text);
    let bodies = transcript.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) => Some(comment.body()),
        EntryKind::Control(_) | EntryKind::Stray(_) => None,
    });
    bodies.collect()
}

/// Runs `attempt` with the fault at the first call, the second, and so on, until a run has fewer calls than that.
fn at_every_call(fault: Fault, lasting: bool, mut attempt: impl FnMut(&Faulty)) {
    for at in 0.. {
        let disk = Faulty::new(at, fault, lasting);
        attempt(&disk);
        if !disk.hit.get() {
            assert!(at >= 5, "the writer makes more calls than that");
            return;
        }
    }
}

#[test]
fn failed_call_keeps_the_file_and_a_retry_duplicates_nothing() {
    for fault in [Fault::Error(EIO), Fault::Error(ENOSPC), Fault::Short] {
        at_every_call(fault, false, |disk| {
            let (_folder, path) = discussion();
            let before = fs::read(&path).unwrap();
            let mut writer = Writer::lock(&path, PATIENT).unwrap();
            let result = writer.append_on(disk, &[comment("second")], &[]);
            if disk.hit.get() {
                assert!(
                    matches!(result, Err(StoreError::NotWritten { .. })),
                    "{fault:?} {}: {result:?}",
                    disk.at
                );
                assert_eq!(fs::read(&path).unwrap(), before, "{fault:?} {}", disk.at);
                assert_eq!(check(&path, &read(&path).unwrap().text).unwrap(), []);
                writer.append(&[comment("second")]).unwrap();
            }
            assert_eq!(bodies(&path), ["first", "second"]);
            assert_eq!(check(&path, &read(&path).unwrap().text).unwrap(), []);
        });
    }
}

#[test]
fn signal_only_delays_writes() {
    at_every_call(Fault::Interrupted, false, |disk| {
        let (_folder, path) = discussion();
        let mut writer = Writer::lock(&path, PATIENT).unwrap();
        match writer.append_on(disk, &[comment("second")], &[]) {
            Ok(_) => assert_eq!(bodies(&path), ["first", "second"]),
            Err(error) => {
                assert!(matches!(error, StoreError::NotWritten { .. }), "{error:?}");
                assert_eq!(bodies(&path), ["first"]);
            }
        }
    });
}

#[test]
fn failing_disk_never_acknowledges_or_changes_earlier_bytes() {
    for fault in [Fault::Error(EIO), Fault::Error(ENOSPC), Fault::Short] {
        at_every_call(fault, true, |disk| {
            let (_folder, path) = discussion();
            let before = fs::read(&path).unwrap();
            let mut writer = Writer::lock(&path, PATIENT).unwrap();
            let result = writer.append_on(disk, &[comment("second")], &[]);
            assert_eq!(result.is_ok(), !disk.hit.get());
            let after = fs::read(&path).unwrap();
            assert!(after.starts_with(&before));
            if matches!(result, Err(StoreError::NotWritten { .. })) {
                assert_eq!(after, before, "{fault:?} {}", disk.at);
            }
            // Whatever remains in the file, `check` must not report a block as dropped that was never acknowledged.
            assert_eq!(
                check(&path, &read(&path).unwrap().text).unwrap(),
                [],
                "{fault:?} {}",
                disk.at
            );
            drop(writer);
            Writer::lock(&path, PATIENT).unwrap().append(&[comment("third")]).unwrap();
            assert_eq!(bodies(&path).first().map(String::as_str), Some("first"));
            assert_eq!(bodies(&path).last().map(String::as_str), Some("third"));
        });
    }
}

#[test]
fn failed_creation_leaves_nothing() {
    for fault in [Fault::Error(EIO), Fault::Error(ENOSPC), Fault::Short] {
        for at in 0..3 {
            let folder = tempfile::tempdir().unwrap();
            let disk = Faulty::new(at, fault, true);
            let result = create_on(
                &disk,
                &ProjectPlace::follow(folder.path()),
                "a",
                "# A\n",
                &PATIENT.into(),
            );
            assert!(matches!(result, Err(StoreError::NotWritten { .. })), "{result:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}

#[test]
fn file_is_written_under_its_name_if_links_are_refused() {
    const EPERM: i32 = 1;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.md"), "taken\n").unwrap();
    let disk = Faulty::new(2, Fault::Error(EPERM), false);
    let path =
        create_on(&disk, &ProjectPlace::follow(folder.path()), "a", "# A\n", &PATIENT.into())
            .unwrap();
    assert!(disk.hit.get());
    assert_eq!(fs::read_to_string(&path).unwrap(), "# A\n");
    assert_eq!(path, folder.path().join("a-2.md"));
}

/// A disk on which an editor saves at the worst moment: after the write, before the writer checks the file.
struct Editor<F> {
    saves: Cell<u32>,
    save: F,
}

impl<F: Fn(&Path)> Disk for Editor<F> {
    fn open(&self, path: &Path) -> io::Result<File> {
        RealDisk.open(path)
    }
    fn open_or_create(&self, path: &Path) -> io::Result<File> {
        RealDisk.open_or_create(path)
    }
    fn create_new(&self, path: &Path) -> io::Result<File> {
        RealDisk.create_new(path)
    }
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        RealDisk.write(file, bytes)
    }
    fn sync(&self, file: &File) -> io::Result<()> {
        RealDisk.sync(file)
    }
    fn set_len(&self, file: &File, len: u64) -> io::Result<()> {
        RealDisk.set_len(file, len)
    }
    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        if self.saves.get() > 0 {
            self.saves.set(self.saves.get() - 1);
            (self.save)(path);
        }
        RealDisk.identity(path)
    }
    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.hard_link(from, to)
    }
}

/// Appends while an editor saves `saves` times, and returns the bodies.
fn against(saves: u32, save: impl Fn(&Path)) -> (Result<(), StoreError>, Vec<String>) {
    let (_folder, path) = discussion();
    let disk = Editor { saves: Cell::new(saves), save };
    let mut writer = Writer::lock(&path, PATIENT).unwrap();
    let result = writer.append_on(&disk, &[comment("second")], &[]).map(|_| ());
    (result, bodies(&path))
}

/// Saves by renaming, with the bytes that `change` returns for the file.
fn rename_over(path: &Path, change: impl Fn(Vec<u8>) -> Vec<u8>) {
    let new = path.with_extension("new");
    fs::write(&new, change(fs::read(path).unwrap())).unwrap();
    fs::rename(new, path).unwrap();
}

fn without_second(bytes: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8(bytes).unwrap();
    let at = text.find("Name: Rob\n\nsecond").unwrap_or(text.len());
    text.as_bytes()[..at].to_vec()
}

#[test]
fn editor_saving_an_old_copy_costs_one_retry() {
    let (result, bodies) = against(3, |path| rename_over(path, without_second));
    result.unwrap();
    assert_eq!(bodies, ["first", "second"]);
}

#[test]
fn old_copy_written_in_place_is_found_by_check() {
    let (_folder, path) = discussion();
    let save = |path: &Path| fs::write(path, without_second(fs::read(path).unwrap())).unwrap();
    let disk = Editor { saves: Cell::new(1), save };
    let mut writer = Writer::lock(&path, PATIENT).unwrap();
    writer.append_on(&disk, &[comment("second")], &[]).unwrap();
    drop(writer);
    assert_eq!(bodies(&path), ["first"]);
    assert_eq!(check(&path, &read(&path).unwrap().text).unwrap().len(), 1);
    restore(&path, PATIENT).unwrap();
    assert_eq!(bodies(&path), ["first", "second"]);
}

#[test]
fn editor_saving_the_new_text_costs_nothing() {
    let (result, bodies) = against(3, |path| rename_over(path, |bytes| bytes));
    result.unwrap();
    assert_eq!(bodies, ["first", "second"]);
    let (result, bodies) = against(1, |path| {
        rename_over(path, |mut bytes| {
            bytes.extend(b"\nName: Eve\n\nby hand\n");
            bytes
        });
    });
    result.unwrap();
    assert_eq!(bodies, ["first", "second", "by hand"]);
}

#[test]
fn editor_saving_forever_is_reported_and_nothing_is_left() {
    let (result, bodies) = against(u32::MAX, |path| rename_over(path, without_second));
    assert!(matches!(result, Err(StoreError::Replaced { .. })), "{result:?}");
    assert_eq!(bodies, ["first"]);
}

#[test]
fn equal_comments_are_distinguished_by_their_count() {
    let (_folder, path) = discussion();
    let disk = Editor {
        saves: Cell::new(1),
        save: |path: &Path| {
            rename_over(path, |bytes| {
                let text = String::from_utf8(bytes).unwrap();
                let at = text.rfind("Name: Rob").unwrap();
                text.as_bytes()[..at].to_vec()
            });
        },
    };
    let mut writer = Writer::lock(&path, PATIENT).unwrap();
    writer.append_on(&disk, &[comment("first")], &[]).unwrap();
    assert_eq!(bodies(&path), ["first", "first"]);
}
