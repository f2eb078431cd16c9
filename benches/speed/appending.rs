//! Appending: what it costs beside the disk, and that a file's length does not matter.

use std::fs::{self, File, OpenOptions};
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use discussions::store::Writer;
use discussions::transcript::{Draft, Name, NewComment};

use super::corpus::{self, Dice};
use super::measure::{Effort, pairs, pairs_of, timed};
use super::stage::Stage;
use super::table::{Outcome, Row};

const PATIENT: Duration = Duration::from_secs(60);

/// The rows.
pub(crate) fn rows(effort: Effort) -> Vec<Row> {
    vec![
        length(effort),
        command(effort, "comment"),
        command(effort, "vote"),
        by_hand(effort),
        crowd(effort),
    ]
}

/// One comment of about a kilobyte.
fn comment() -> Draft {
    let mut body = String::new();
    corpus::body(&mut body, &mut Dice::new(3), &mut Vec::new());
    body.truncate(body.floor_char_boundary(1_000));
    Draft::Comment(NewComment::by(Name::parse("Rob").expect("a name"), body))
}

fn append(path: &Path, draft: &Draft) {
    let mut writer = Writer::lock(path, PATIENT).expect("nobody else writes");
    black_box(writer.append(std::slice::from_ref(draft)).expect("the disk has room"));
}

/// A long discussion and a short one that end alike, so that only the length differs.
fn long_and_short(stage: &Stage, effort: Effort) -> (PathBuf, PathBuf) {
    let long = if effort.quick { 10_000_000 } else { 100_000_000 };
    let text = corpus::discussion(10_000, 2);
    let part = &text[text.find("\n---\n").map_or(0, |at| at + 1)..];
    let repeated = format!("{text}{}", part.repeat(long / part.len()));
    (stage.write("long.md", &repeated), stage.write("short.md", &text))
}

fn length(effort: Effort) -> Row {
    let stage = Stage::new();
    let (long, short) = long_and_short(&stage, effort);
    let draft = comment();
    let outcome = pairs(effort.times(400), || append(&long, &draft), || append(&short, &draft));
    Row {
        what: "append 1 KB to 100 MB",
        against: "the same to 10 KB",
        outcome: Outcome::AtMost(outcome, 1.2),
    }
}

/// The program as a whole process: what it reads around the append must not grow with the file either.
fn command(effort: Effort, verb: &str) -> Row {
    let stage = Stage::new();
    let (long, short) = long_and_short(&stage, effort);
    let say = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discussions"));
        command.arg(verb).arg(path).args(["ready", "--as", "Rob"]);
        let command = command.current_dir(stage.path("")).stdin(Stdio::null());
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "{verb} failed");
    };
    // Few, so that the short file stays short.
    let outcome = pairs(effort.times(60), || say(&long), || say(&short));
    Row {
        what: match verb {
            "vote" => "`vote` on 100 MB, whole process",
            _ => "`comment` on 100 MB, whole process",
        },
        against: "the same on 10 KB",
        outcome: Outcome::AtMost(outcome, 1.5),
    }
}

/// Lock, write, fsync, and the same for a journal: an fsync for an fsync.
struct ByHand {
    lock: PathBuf,
    files: [PathBuf; 2],
}

impl ByHand {
    fn new(stage: &Stage) -> Self {
        let make = |name: &str| stage.write(name, "");
        Self { lock: make("raw.lock"), files: [make("raw.md"), make("raw.journal")] }
    }

    fn append(&self, bytes: &[u8]) {
        let lock = File::open(&self.lock).expect("it was just made");
        lock.lock().expect("files can be locked");
        for path in &self.files {
            let mut file = OpenOptions::new().append(true).open(path).expect("it was just made");
            file.write_all(bytes).expect("the disk has room");
            file.sync_all().expect("the disk works");
        }
    }
}

/// What one append of the draft writes.
fn written(draft: &Draft) -> Vec<u8> {
    discussions::transcript::append("# A\n", std::slice::from_ref(draft)).into_bytes()
}

fn by_hand(effort: Effort) -> Row {
    let stage = Stage::new();
    let ours = stage.write("ours.md", "# A\n");
    let draft = comment();
    let (raw, bytes) = (ByHand::new(&stage), written(&draft));
    let outcome = pairs(effort.times(400), || append(&ours, &draft), || raw.append(&bytes));
    Row {
        what: "append 1 KB",
        against: "lock, write, fsync by hand, an fsync for an fsync",
        outcome: Outcome::AtMost(outcome, 2.0),
    }
}

/// Eight at once, each its own thread with its own lock, as processes would have.
fn crowd(effort: Effort) -> Row {
    let stage = Stage::new();
    let draft = comment();
    let bytes = written(&draft);
    let each = effort.times(100);
    let at_once = |append: &(dyn Fn() + Sync)| {
        timed(|| {
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| (0..each).for_each(|_| append()));
                }
            });
        })
    };
    let (ours, raw) = (stage.write("ours.md", "# A\n"), ByHand::new(&stage));
    let outcome = pairs_of(
        effort.times(8),
        || at_once(&|| append(&ours, &draft)),
        || at_once(&|| raw.append(&bytes)),
    );
    let _ = fs::remove_file(&ours);
    Row {
        what: "8 writers at once, 1 KB each time",
        against: "the same by hand, an fsync for an fsync",
        outcome: Outcome::AtMost(outcome, 2.0),
    }
}
