//! One run of a program: sends the prompt while it reads standard output and standard error, up to a limit, until the
//! run is over.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{Instant, sleep_until, timeout};

use super::group::{CommandGroup, end_detached};
use crate::platform::find_pipe_holders;

/// The time that other processes may hold the output open after the program has ended.
const GRACE: Duration = Duration::from_millis(250);

/// The result of a run.
#[derive(Debug)]
pub(super) struct CommandRun {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    /// The end of standard error.
    pub(super) stderr: Vec<u8>,
    /// True if a process outside the group still holds the output open and could not be ended.
    pub(super) abandoned: bool,
    /// The processes that hold the output open, if the system reports them.
    pub(super) holders: Vec<String>,
    /// The processes that had left the group and were ended.
    pub(super) detached: Vec<String>,
}

/// The reason why a run is over.
#[derive(Debug)]
pub(super) enum End {
    /// The program ended.
    Ended(ExitStatus),
    /// The program was still running at the deadline.
    Deadline,
    /// The program printed more than the limit.
    TooLong,
    /// The listener wanted no more output.
    Enough,
    /// The system reported no exit status.
    Lost(std::io::Error),
}

/// A running program, and the parts of the prompt that it has not read yet.
pub(super) struct Session<'a> {
    group: CommandGroup,
    output: OutputReader,
    stdin: Option<ChildStdin>,
    unsent: [&'a [u8]; 2],
}

impl<'a> Session<'a> {
    /// Creates a session for a program that was just started; `None` if its pipes are already taken.
    pub(super) fn new(mut group: CommandGroup, prompt: [&'a str; 2], limit: usize) -> Option<Self> {
        let (stdin, stdout, stderr) = group.pipes()?;
        let output = OutputReader::new(stdout, stderr, limit);
        Some(Self { group, output, stdin: Some(stdin), unsent: prompt.map(str::as_bytes) })
    }

    /// Runs until the program has ended and all output is read, or until `deadline`. Afterwards no process of its group
    /// is left. `mark` is in the environment of all processes that the call starts. `heard` is called with standard
    /// output as it arrives, and returns whether to continue.
    pub(super) async fn run(
        mut self,
        deadline: Instant,
        mark: &str,
        mut heard: impl FnMut(&[u8]) -> bool,
    ) -> CommandRun {
        let group = self.group.id();
        let end = self.converse(deadline, &mut heard).await;
        self.stdin = None;
        match end {
            End::Ended(_) => {
                let until = deadline.min(Instant::now() + GRACE);
                self.output.hear_until(until, &mut heard).await;
                self.group.kill();
            }
            End::Deadline => self.group.stop().await,
            End::TooLong | End::Enough | End::Lost(_) => {
                self.group.kill();
                let _ = timeout(GRACE, self.group.wait_ended()).await;
            }
        }
        // End processes that left the group before reading the rest, because they may hold the output open.
        let detached = end_detached(mark, group).iter().map(ToString::to_string).collect();
        self.output.hear_until(Instant::now() + GRACE, &mut heard).await;
        let end = self.over().unwrap_or(end);
        let abandoned = self.output.open() && !self.output.full();
        let holders = if abandoned { self.output.holders() } else { Vec::new() };
        let (stdout, stderr) = (self.output.said, self.output.last_words);
        CommandRun { end, stdout, stderr, abandoned, holders, detached }
    }

    /// Writes and reads at the same time, because a program may print output before it has read its input.
    async fn converse(&mut self, deadline: Instant, heard: &mut impl FnMut(&[u8]) -> bool) -> End {
        while !self.output.full() {
            tokio::select! {
                ended = self.group.wait_ended() => return ended.map_or_else(End::Lost, End::Ended),
                () = self.output.hear(heard), if self.output.open() => {}
                sent = write(&mut self.stdin, self.unsent), if self.stdin.is_some() => match sent {
                    Ok(count) if count > 0 => advance(&mut self.unsent, count),
                    // The prompt is sent, or the program closed its input. In both cases close our end.
                    _ => self.stdin = None,
                },
                () = sleep_until(deadline) => return End::Deadline,
            }
        }
        self.over().unwrap_or(End::TooLong)
    }

    /// Returns why reading stopped although the program may print more.
    fn over(&self) -> Option<End> {
        if self.output.too_long() {
            Some(End::TooLong)
        } else if self.output.enough {
            Some(End::Enough)
        } else {
            None
        }
    }
}

/// Writes some bytes of the first nonempty part. Returns their number, or 0 if all parts are empty.
async fn write(stdin: &mut Option<ChildStdin>, parts: [&[u8]; 2]) -> std::io::Result<usize> {
    match (stdin, parts.into_iter().find(|part| !part.is_empty())) {
        (Some(stdin), Some(part)) => stdin.write(part).await,
        _ => Ok(0),
    }
}

/// Removes the bytes that were sent from the first nonempty part.
fn advance(parts: &mut [&[u8]; 2], count: usize) {
    if let Some(part) = parts.iter_mut().find(|part| !part.is_empty()) {
        *part = &part[count..];
    }
}

/// The number of bytes of standard error that are kept. The end explains the failure.
const LAST_WORDS: usize = 16 * 1024;

/// The reading ends of a program's outputs, and the bytes that were read.
#[derive(Debug)]
struct OutputReader {
    stdout: ChildStdout,
    stderr: ChildStderr,
    stdout_open: bool,
    stderr_open: bool,
    out: Vec<u8>,
    err: Vec<u8>,
    limit: usize,
    /// True if the listener wants no more output.
    pub(super) enough: bool,
    /// The whole standard output so far.
    pub(super) said: Vec<u8>,
    /// The end of standard error so far.
    last_words: Vec<u8>,
}

impl OutputReader {
    pub(super) fn new(stdout: ChildStdout, stderr: ChildStderr, limit: usize) -> Self {
        Self {
            stdout,
            stderr,
            stdout_open: true,
            stderr_open: true,
            out: vec![0; 32 * 1024],
            err: vec![0; 4 * 1024],
            limit,
            enough: false,
            said: Vec::new(),
            last_words: Vec::new(),
        }
    }

    /// Returns whether an output is still open.
    pub(super) fn open(&self) -> bool {
        self.stdout_open || self.stderr_open
    }

    /// Returns whether the program printed more than the limit.
    fn too_long(&self) -> bool {
        self.said.len() > self.limit
    }

    /// Returns whether reading stops early, although the program may print more.
    pub(super) fn full(&self) -> bool {
        self.enough || self.too_long()
    }

    /// Reads the next piece of either output. Call it only while one is [`open`](Self::open). Dropping the future loses
    /// no output.
    pub(super) async fn hear(&mut self, heard: &mut impl FnMut(&[u8]) -> bool) {
        tokio::select! {
            read = self.stdout.read(&mut self.out), if self.stdout_open => {
                let bytes = &self.out[..read.unwrap_or(0)];
                self.stdout_open = !bytes.is_empty();
                self.said.extend_from_slice(bytes);
                if self.stdout_open {
                    self.enough |= !heard(bytes);
                }
            }
            read = self.stderr.read(&mut self.err), if self.stderr_open => {
                let bytes = &self.err[..read.unwrap_or(0)];
                self.stderr_open = !bytes.is_empty();
                self.last_words.extend_from_slice(bytes);
                if self.last_words.len() > 2 * LAST_WORDS {
                    self.last_words.drain(..self.last_words.len() - LAST_WORDS);
                }
            }
            else => {}
        }
    }

    /// Reads until both outputs end, the limit or the listener stops the reading, or `until` is reached.
    async fn hear_until(&mut self, until: Instant, heard: &mut impl FnMut(&[u8]) -> bool) {
        while self.open() && !self.full() {
            tokio::select! {
                () = self.hear(heard) => {}
                () = sleep_until(until) => return,
            }
        }
    }

    /// Returns the processes that still hold an output open, if the system reports them.
    pub(super) fn holders(&self) -> Vec<String> {
        let found = if self.stdout_open {
            find_pipe_holders(&self.stdout)
        } else if self.stderr_open {
            find_pipe_holders(&self.stderr)
        } else {
            Vec::new()
        };
        found.iter().map(ToString::to_string).collect()
    }
}
