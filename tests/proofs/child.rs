//! Child processes: this test binary, started again with a job.

use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use discussions::store::{StoreError, Writer};
use discussions::transcript::Draft;

use super::ledger::Id;
use super::random::Random;

const JOB: &str = "DISCUSSIONS_PROOF_JOB";
/// Longer than any process needs; only a failing test waits this long.
const PATIENT: Duration = Duration::from_secs(120);

/// A command that runs this binary's [`job`].
pub(crate) fn command(job: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["proofs::child::job", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(JOB, job)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    command
}

#[test]
#[ignore = "the part of other proofs that runs in processes of its own"]
fn job() {
    match env::var(JOB).as_deref() {
        Ok("append") => append(),
        Ok("run") => super::killed_run::run(),
        #[cfg(feature = "cli")]
        Ok("fill") => super::full_disk::fill(),
        _ => {}
    }
}

/// A value from the parent process.
pub(crate) fn given(name: &str) -> String {
    env::var(name).unwrap()
}

/// The work of a writer process.
pub(crate) struct Writing<'a> {
    pub(crate) path: &'a Path,
    pub(crate) name: String,
    /// The number of comments after which it ends.
    pub(crate) count: u64,
    /// The length of the comments.
    pub(crate) bytes: RangeInclusive<u64>,
}

/// A process that appends one comment after another, and its acknowledgements.
pub(crate) struct WriterProcess {
    child: Child,
    /// The number of comments that it acknowledged so far.
    acknowledged: Arc<AtomicU64>,
    reader: JoinHandle<Vec<Id>>,
}

impl WriterProcess {
    pub(crate) fn start(writing: &Writing<'_>) -> Self {
        let mut child = command("append")
            .env("FILE", writing.path)
            .env("WRITER", &writing.name)
            .env("COUNT", writing.count.to_string())
            .env("LEAST", writing.bytes.start().to_string())
            .env("MOST", writing.bytes.end().to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let acknowledged = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&acknowledged);
        let reader = std::thread::spawn(move || {
            let ids = lines.map_while(Result::ok).filter_map(|line| Id::acknowledged(&line));
            ids.inspect(|_| _ = count.fetch_add(1, Ordering::SeqCst)).collect()
        });
        Self { child, acknowledged, reader }
    }

    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged.load(Ordering::SeqCst)
    }

    /// Waits until it has acknowledged more than this number of comments, or ended.
    pub(crate) fn wait_for_more_than(&mut self, acknowledged: u64) {
        while self.acknowledged() <= acknowledged && self.child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    /// Kills it with SIGKILL; returns the comments that it acknowledged.
    pub(crate) fn kill(mut self) -> Vec<Id> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.reader.join().unwrap()
    }

    /// Waits for its end, which must be successful.
    pub(crate) fn finish(mut self) -> Vec<Id> {
        assert!(self.child.wait().unwrap().success());
        self.reader.join().unwrap()
    }
}

/// Runs in the writer process.
fn append() {
    let path = PathBuf::from(given("FILE"));
    let writer = given("WRITER");
    let number = |name: &str| given(name).parse::<u64>().unwrap();
    let (least, most) = (number("LEAST"), number("MOST"));
    let seed = writer.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
    let mut random = Random::new(seed);
    let mut out = std::io::stdout();
    for number in 0..number("COUNT") {
        let id = Id { writer: writer.clone(), number, bytes: random.size(least, most) };
        write(&path, &id.draft());
        // The test harness leaves its own line open.
        writeln!(out, "\n{}", id.acknowledgement()).unwrap();
        out.flush().unwrap();
    }
}

/// Writes until it succeeds: an editor that saves again and again may prevent a write, which then fails and leaves
/// nothing behind.
fn write(path: &Path, draft: &Draft) {
    loop {
        match Writer::lock(path, PATIENT).unwrap().append(std::slice::from_ref(draft)) {
            Ok(_) => return,
            Err(StoreError::Replaced { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}
