//! One run of a program: feeds it the prompt while reading what it says, until it is over.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::time::{Instant, sleep_until, timeout};

use super::detached::end_detached;
use super::group::Group;
use super::output_reader::OutputReader;

/// How long what a program started may hold its output open after it has ended.
const GRACE: Duration = Duration::from_millis(250);

/// Where a run stands when it is over.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    /// The end of standard error.
    pub(super) stderr: Vec<u8>,
    /// A process outside the group still holds the output open, and could not be ended.
    pub(super) abandoned: bool,
    /// The processes that do, as far as the system tells.
    pub(super) holders: Vec<String>,
    /// Processes that had left the group and were ended.
    pub(super) detached: Vec<String>,
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
    /// Whoever listened wanted no more.
    Enough,
    /// The system would not say what became of it.
    Lost(std::io::Error),
}

/// A running program, and what it has not taken yet of the prompt's parts.
pub(super) struct Session<'a> {
    group: Group,
    output: OutputReader,
    stdin: Option<ChildStdin>,
    unsent: [&'a [u8]; 2],
}

impl<'a> Session<'a> {
    /// A session with a program that was just started; `None` if its pipes are gone.
    pub(super) fn new(mut group: Group, prompt: [&'a str; 2], limit: usize) -> Option<Self> {
        let (stdin, stdout, stderr) = group.pipes()?;
        let output = OutputReader::new(stdout, stderr, limit);
        Some(Self { group, output, stdin: Some(stdin), unsent: prompt.map(str::as_bytes) })
    }

    /// Runs until the program has ended and said all, or until `deadline`; then nothing of its
    /// group is left. `mark` is in the environment of all that the call starts. `heard` is called with standard output as it arrives, and says whether to go on.
    pub(super) async fn run(
        mut self,
        deadline: Instant,
        mark: &str,
        mut heard: impl FnMut(&[u8]) -> bool,
    ) -> Run {
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
                let _ = timeout(GRACE, self.group.ended()).await;
            }
        }
        // Before the rest is read: a process that left the group may hold the output open.
        let detached = end_detached(mark, group).iter().map(ToString::to_string).collect();
        self.output.hear_until(Instant::now() + GRACE, &mut heard).await;
        let end = self.over().unwrap_or(end);
        let abandoned = self.output.open() && !self.output.full();
        let holders = if abandoned { self.output.holders() } else { Vec::new() };
        let (stdout, stderr) = (self.output.said, self.output.last_words);
        Run { end, stdout, stderr, abandoned, holders, detached }
    }

    /// Writes and reads at the same time: a program may talk before it has listened.
    async fn converse(&mut self, deadline: Instant, heard: &mut impl FnMut(&[u8]) -> bool) -> End {
        while !self.output.full() {
            tokio::select! {
                ended = self.group.ended() => return ended.map_or_else(End::Lost, End::Ended),
                () = self.output.hear(heard), if self.output.open() => {}
                sent = write(&mut self.stdin, self.unsent), if self.stdin.is_some() => match sent {
                    Ok(count) if count > 0 => advance(&mut self.unsent, count),
                    // All sent, or nobody listens any more; either way its input ends here.
                    _ => self.stdin = None,
                },
                () = sleep_until(deadline) => return End::Deadline,
            }
        }
        self.over().unwrap_or(End::TooLong)
    }

    /// Why nothing more is heard although more may be said.
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

/// Writes something of the first part that is not empty; 0 where all are.
async fn write(stdin: &mut Option<ChildStdin>, parts: [&[u8]; 2]) -> std::io::Result<usize> {
    match (stdin, parts.into_iter().find(|part| !part.is_empty())) {
        (Some(stdin), Some(part)) => stdin.write(part).await,
        _ => Ok(0),
    }
}

/// Leaves out what was sent: so many bytes of the first part that is not empty.
fn advance(parts: &mut [&[u8]; 2], count: usize) {
    if let Some(part) = parts.iter_mut().find(|part| !part.is_empty()) {
        *part = &part[count..];
    }
}
