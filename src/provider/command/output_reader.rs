//! What a program says on its two outputs, up to a limit.

use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdout};
use tokio::time::{Instant, sleep_until};

use super::pipe_holders::holders;

/// How much of standard error is kept: its end says why.
const LAST_WORDS: usize = 16 * 1024;

/// The reading ends of a program's outputs, and what came through them.
#[derive(Debug)]
pub(super) struct OutputReader {
    stdout: ChildStdout,
    stderr: ChildStderr,
    stdout_open: bool,
    stderr_open: bool,
    out: Vec<u8>,
    err: Vec<u8>,
    limit: usize,
    /// Whoever listens wants no more.
    pub(super) enough: bool,
    /// All of standard output so far.
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

    /// Can anything more be heard?
    pub(super) fn open(&self) -> bool {
        self.stdout_open || self.stderr_open
    }

    /// Was more said than is allowed?
    pub(super) fn too_long(&self) -> bool {
        self.said.len() > self.limit
    }

    /// Is nothing more to be heard, though more may be said?
    pub(super) fn full(&self) -> bool {
        self.enough || self.too_long()
    }

    /// The next piece of either output; only while they are [`open`](Self::open). Nothing is lost
    /// when the future is dropped.
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

    /// Listens until both outputs end, too much was said, or `until`.
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

    /// The processes that still hold an output open, as far as the system tells.
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
