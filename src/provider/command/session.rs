//! One run of a program: feeds it the prompt while reading what it says, until it is over.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::group::Group;
use super::holders::holders;

/// How long what a program started may hold its output open after it has ended.
const GRACE: Duration = Duration::from_millis(250);
/// How much of standard error is kept: its end says why.
const LAST_WORDS: usize = 16 * 1024;

/// Where a run stands when it is over.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    /// The end of standard error.
    pub(super) stderr: Vec<u8>,
    /// Processes outside the group that kept the output open and were left alone.
    pub(super) left: Vec<String>,
    /// The output was left while somebody still held it open.
    pub(super) abandoned: bool,
}

/// Why a run is over.
#[derive(Debug)]
pub(super) enum End {
    /// The program ended.
    Ended(ExitStatus),
    /// It had not ended at the deadline.
    Deadline,
    /// It printed more than was allowed.
    TooLong,
    /// The system would not say what became of it.
    Lost(std::io::Error),
}

/// The pipes to and from a program, and what came through them.
pub(super) struct Session<'a> {
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: ChildStderr,
    unsent: &'a [u8],
    said: Vec<u8>,
    last_words: Vec<u8>,
    stdout_open: bool,
    stderr_open: bool,
    limit: usize,
}

impl<'a> Session<'a> {
    /// A session with a program that was just started; `None` if its pipes are gone.
    pub(super) fn new(mut group: Group, prompt: &'a str, limit: usize) -> Option<Self> {
        let (stdin, stdout, stderr) = group.pipes()?;
        Some(Self {
            group,
            stdin: Some(stdin),
            stdout,
            stderr,
            unsent: prompt.as_bytes(),
            said: Vec::new(),
            last_words: Vec::new(),
            stdout_open: true,
            stderr_open: true,
            limit,
        })
    }

    /// Runs until the program has ended and said all, or until `deadline`; then nothing of its
    /// group is left. `heard` is called with standard output as it arrives.
    pub(super) async fn run(mut self, deadline: Instant, mut heard: impl FnMut(&[u8])) -> Run {
        let end = self.converse(deadline, &mut heard).await;
        match end {
            End::Ended(_) => {
                self.listen_until((Instant::now() + GRACE).min(deadline), &mut heard).await;
                self.group.kill();
            }
            End::Deadline => self.group.stop().await,
            End::TooLong | End::Lost(_) => {
                self.group.kill();
                let _ = timeout_at(Instant::now() + GRACE, self.group.ended()).await;
            }
        }
        // With its group gone, only a process that left it can keep the output open.
        self.listen_until(Instant::now() + GRACE, &mut |bytes| {
            if matches!(end, End::Ended(_)) {
                heard(bytes);
            }
        })
        .await;
        let abandoned = self.stdout_open || self.stderr_open;
        let left = if self.stdout_open {
            holders(&self.stdout)
        } else if self.stderr_open {
            holders(&self.stderr)
        } else {
            Vec::new()
        };
        let end = if self.said.len() > self.limit { End::TooLong } else { end };
        Run { end, stdout: self.said, stderr: self.last_words, left, abandoned }
    }

    /// Writes and reads at the same time: a program may talk before it has listened.
    async fn converse(&mut self, deadline: Instant, heard: &mut impl FnMut(&[u8])) -> End {
        let mut out = vec![0; 32 * 1024];
        let mut err = vec![0; 4 * 1024];
        loop {
            if self.said.len() > self.limit {
                return End::TooLong;
            }
            tokio::select! {
                ended = self.group.ended() => {
                    return ended.map_or_else(End::Lost, End::Ended);
                }
                read = self.stdout.read(&mut out), if self.stdout_open => {
                    let bytes = &out[..read.unwrap_or(0)];
                    self.stdout_open = !bytes.is_empty();
                    keep(&mut self.said, bytes, heard);
                }
                read = self.stderr.read(&mut err), if self.stderr_open => {
                    let bytes = &err[..read.unwrap_or(0)];
                    self.stderr_open = !bytes.is_empty();
                    keep_end(&mut self.last_words, bytes);
                }
                sent = write(&mut self.stdin, self.unsent), if self.stdin.is_some() => {
                    match sent {
                        Ok(count) if count < self.unsent.len() => self.unsent = &self.unsent[count..],
                        // All sent, or nobody listens any more; either way its input ends here.
                        _ => self.stdin = None,
                    }
                }
                () = sleep_until(deadline) => return End::Deadline,
            }
        }
    }

    /// Reads on until both outputs end, or until `until`.
    async fn listen_until(&mut self, until: Instant, heard: &mut impl FnMut(&[u8])) {
        self.stdin = None;
        let mut out = vec![0; 32 * 1024];
        let mut err = vec![0; 4 * 1024];
        while (self.stdout_open || self.stderr_open) && self.said.len() <= self.limit {
            tokio::select! {
                read = self.stdout.read(&mut out), if self.stdout_open => {
                    let bytes = &out[..read.unwrap_or(0)];
                    self.stdout_open = !bytes.is_empty();
                    keep(&mut self.said, bytes, heard);
                }
                read = self.stderr.read(&mut err), if self.stderr_open => {
                    let bytes = &err[..read.unwrap_or(0)];
                    self.stderr_open = !bytes.is_empty();
                    keep_end(&mut self.last_words, bytes);
                }
                () = sleep_until(until) => return,
            }
        }
    }
}

async fn write(stdin: &mut Option<ChildStdin>, bytes: &[u8]) -> std::io::Result<usize> {
    match stdin {
        Some(stdin) if !bytes.is_empty() => stdin.write(bytes).await,
        _ => Ok(0),
    }
}

fn keep(said: &mut Vec<u8>, bytes: &[u8], heard: &mut impl FnMut(&[u8])) {
    said.extend_from_slice(bytes);
    if !bytes.is_empty() {
        heard(bytes);
    }
}

fn keep_end(words: &mut Vec<u8>, bytes: &[u8]) {
    words.extend_from_slice(bytes);
    if words.len() > 2 * LAST_WORDS {
        words.drain(..words.len() - LAST_WORDS);
    }
}
