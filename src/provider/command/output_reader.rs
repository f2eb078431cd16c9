//! Reads the standard output and standard error of a program, up to a limit.

use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdout};
use tokio::time::{Instant, sleep_until};

use super::pipe_holders::holders;

/// The number of bytes of standard error that are kept. The end explains the failure.
const LAST_WORDS: usize = 16 * 1024;

/// The reading ends of a program's outputs, and the bytes that were read.
#[derive(Debug)]
pub(super) struct OutputReader {
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
    pub(super) last_words: Vec<u8>,
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
    pub(super) fn too_long(&self) -> bool {
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
    pub(super) async fn hear_until(
        &mut self,
        until: Instant,
        heard: &mut impl FnMut(&[u8]) -> bool,
    ) {
        while self.open() && !self.full() {
            tokio::select! {
                () = self.hear(heard) => {}
                () = sleep_until(until) => return,
            }
        }
    }

    /// Returns the processes that still hold an output open, if the system reports them.
    pub(super) fn holders(&self) -> Vec<String> {
        if self.stdout_open {
            holders(&self.stdout)
        } else if self.stderr_open {
            holders(&self.stderr)
        } else {
            Vec::new()
        }
    }
}
