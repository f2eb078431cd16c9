//! A live discussion: its current text, the HTML of each block (rendered on first use), the answers
//! that are still growing, and its run.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use discussions::runner::Update;
use discussions::view::{CallOutcome, Entry, EventKind, Kind, Shown};
use discussions::workspace::{Workspace, WorkspaceError};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{broadcast, watch};

use super::page::{self, Html, PageLinks};
use super::words;

/// The number of pieces of growing answers that wait for a slow reader. A slower reader gets the answers again as a
/// whole.
const BACKLOG: usize = 256;

/// The state of a discussion's text.
#[derive(Clone)]
pub(super) enum DiscussionState {
    /// The file was not read yet.
    Unread,
    /// The last version of the file.
    Seen(Arc<RenderedDiscussion>),
    /// The file cannot be read now, with the reason.
    Gone(Arc<str>),
}

/// An update about an answer that is not complete yet.
#[derive(Clone, Debug)]
pub(super) enum LiveAnswer {
    /// A participant begins an answer, or begins it again.
    Begin(GrowingAnswer),
    /// A further piece of the answer.
    Chunk {
        /// The alias of the participant.
        who: String,
        text: String,
    },
    /// The answer is in the file, or there will be none.
    Over {
        /// The alias of the participant.
        who: String,
        is_recorded: bool,
    },
}

/// A participant with an answer that is still growing.
#[derive(Clone, Debug)]
pub(super) struct GrowingAnswer {
    /// The alias of the participant.
    pub(super) who: String,
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) text: String,
}

/// The run of a live discussion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LiveRunState {
    pub(super) is_running: bool,
    /// The last note about the current run.
    pub(super) note: Option<String>,
    /// The reason why the last run ended, if it must be shown.
    pub(super) ended: Option<String>,
    /// The price of the current run. If no run is in progress, a page shows the price of the next
    /// step here.
    pub(super) price: Option<String>,
}

/// The expected price of a turn or a run.
pub(super) struct RunPrice {
    /// The price in a sentence; `None` if there are no calls, or if they cost nothing.
    pub(super) sentence: Option<String>,
    /// The user should confirm the price first.
    pub(super) asks_first: bool,
}

/// A discussion that is open in a browser.
pub(super) struct LiveDiscussion {
    path: PathBuf,
    sight: watch::Sender<DiscussionState>,
    state: watch::Sender<LiveRunState>,
    /// The growing answers. The lock is held while an update is sent, so that a reader who joins in between gets
    /// everything exactly once.
    speaking: Mutex<Vec<GrowingAnswer>>,
    told: broadcast::Sender<LiveAnswer>,
    follower: tokio::task::AbortHandle,
}

impl Drop for LiveDiscussion {
    fn drop(&mut self) {
        self.follower.abort();
    }
}

impl LiveDiscussion {
    /// Opens a live discussion, and follows its file from now on.
    pub(super) fn open(
        path: PathBuf,
        workspace: &Arc<Workspace>,
    ) -> Result<Arc<Self>, WorkspaceError> {
        let mut follow = workspace.runs().follow(&path)?;
        let sight = watch::Sender::new(DiscussionState::Unread);
        let seen = sight.clone();
        let follower = tokio::spawn(async move {
            while let Some(now) = follow.next().await {
                seen.send_replace(match now {
                    Ok(shown) => DiscussionState::Seen(Arc::new(RenderedDiscussion::of(shown))),
                    Err(error) => DiscussionState::Gone(error.message().into()),
                });
            }
        })
        .abort_handle();
        let (state, speaking) = Default::default();
        let told = broadcast::Sender::new(BACKLOG);
        Ok(Arc::new(Self { path, sight, state, speaking, told, follower }))
    }

    /// Returns the discussion's file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reason why the last run ended, if it must be shown and nothing was written since.
    pub(super) fn stop_reason(&self) -> Option<String> {
        self.state.borrow().ended.clone()
    }

    /// Returns the current text and its changes.
    pub(super) fn sight(&self) -> watch::Receiver<DiscussionState> {
        self.sight.subscribe()
    }

    /// Returns the current run and its changes.
    pub(super) fn state(&self) -> watch::Receiver<LiveRunState> {
        self.state.subscribe()
    }

    /// Returns the growing answers, and their updates from now on.
    pub(super) fn listen(&self) -> (Vec<GrowingAnswer>, broadcast::Receiver<LiveAnswer>) {
        let speaking = self.speaking();
        (speaking.clone(), self.told.subscribe())
    }

    /// Shows that a run begins, and its price.
    pub(super) fn begin(&self, price: Option<String>) {
        self.state.send_replace(LiveRunState { is_running: true, note: None, ended: None, price });
    }

    /// Shows an update of the run to all readers, and to the client that began it.
    pub(super) fn show(&self, update: Update, tap: Option<&UnboundedSender<Update>>) {
        if let Some(tap) = tap {
            // The client may have disconnected.
            let _ = tap.send(update.clone());
        }
        match update {
            Update::Event(event) => self.tell(event.participant, event.kind),
            Update::Ended(done) => {
                let ended = match &*done {
                    Ok(ran) => words::end_sentence(ran),
                    Err(error) => Some(words::failed(error)),
                };
                self.discard_partial_answers();
                self.state.send_replace(LiveRunState {
                    is_running: false,
                    note: None,
                    ended,
                    price: None,
                });
            }
        }
    }

    /// Discards the answers that are still growing when a run is over: they were never recorded.
    fn discard_partial_answers(&self) {
        let mut speaking = self.speaking();
        for GrowingAnswer { who, .. } in speaking.drain(..) {
            // There may be no readers.
            let _ = self.told.send(LiveAnswer::Over { who, is_recorded: false });
        }
    }

    fn tell(&self, participant: Option<String>, kind: EventKind) {
        if let EventKind::Note { message } = kind {
            self.state.send_modify(|state| state.note = Some(message));
            return;
        }
        let Some(who) = participant else { return };
        let mut speaking = self.speaking();
        let live = match kind {
            EventKind::AnswerStart { name, provider, .. } => {
                let begun = GrowingAnswer { who, name, provider, text: String::new() };
                speaking.retain(|one| one.who != begun.who);
                speaking.push(begun.clone());
                LiveAnswer::Begin(begun)
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = speaking.iter_mut().find(|one| one.who == who) {
                    one.text.push_str(&text);
                }
                LiveAnswer::Chunk { who, text }
            }
            EventKind::AnswerEnd { outcome, .. } => {
                speaking.retain(|one| one.who != who);
                let is_recorded = matches!(outcome, CallOutcome::Answered { .. });
                LiveAnswer::Over { who, is_recorded }
            }
            _ => return,
        };
        // There may be no readers.
        let _ = self.told.send(live);
    }

    fn speaking(&self) -> MutexGuard<'_, Vec<GrowingAnswer>> {
        self.speaking.lock()
    }
}

/// One version of a discussion.
pub(super) struct RenderedDiscussion {
    pub(super) shown: Shown,
    blocks: Vec<RenderedBlock>,
    /// The links of its page on a static site.
    links: Option<Arc<PageLinks>>,
}

/// An entry of the file.
struct RenderedBlock {
    id: String,
    /// The end of the entry in the file, in bytes.
    end: usize,
    html: OnceLock<Html>,
}

impl RenderedDiscussion {
    pub(super) fn of(shown: Shown) -> Self {
        let text = shown.text.as_str();
        let starts = starts(text, shown.entries.iter().map(|entry| entry.line));
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let (mut comments, mut index) = (0, 0);
        let block = |(entry, (start, end)): (&Entry, (&usize, usize))| {
            index += 1;
            let id = match &entry.kind {
                Kind::Comment { .. } => {
                    comments += 1;
                    format!("c{comments}")
                }
                _ => format!("e{index}"),
            };
            // Blanks between two blocks belong to no block, so that a change of them is not reported.
            let end = start + text.get(*start..end).unwrap_or_default().trim_end().len();
            RenderedBlock { id, end, html: OnceLock::new() }
        };
        let blocks = shown.entries.iter().zip(starts.iter().zip(ends)).map(block).collect();
        Self { blocks, shown, links: None }
    }

    /// Renders a discussion for a page of a static site.
    pub(super) fn on_site(shown: Shown, links: Arc<PageLinks>) -> Self {
        Self { links: Some(links), ..Self::of(shown) }
    }

    /// Returns the links of its page on a static site; `None` on the server.
    pub(super) fn links(&self) -> Option<&Arc<PageLinks>> {
        self.links.as_ref()
    }

    /// Returns the end of the file, in bytes.
    pub(super) fn end(&self) -> usize {
        self.shown.text.as_str().len()
    }

    /// Returns true if a reader who has seen the file up to `offset` can continue there.
    pub(super) fn knows(&self, offset: usize) -> bool {
        offset <= self.end() && self.shown.text.as_str().is_char_boundary(offset)
    }

    /// Returns true if this version begins with all of an earlier version.
    pub(super) fn goes_on_from(&self, before: &Self) -> bool {
        self.shown.text.as_str().starts_with(before.shown.text.as_str())
    }

    /// Returns the HTML after an offset in the file, with the id and the end of each block. A block that continues
    /// after the offset is included.
    pub(super) fn blocks_after(&self, offset: usize) -> impl Iterator<Item = (&str, usize, &Html)> {
        let shown = self.blocks.iter().zip(&self.shown.entries);
        shown.filter(move |(block, _)| block.end > offset).filter_map(|(block, entry)| {
            let draw = || page::block(&block.id, entry, &self.shown.status, self.links());
            let html = block.html.get_or_init(draw);
            (!html.as_str().is_empty()).then_some((block.id.as_str(), block.end, html))
        })
    }

    /// Returns the id of the block that contains a line of the file.
    pub(super) fn at_line(&self, line: usize) -> Option<&str> {
        let index = self.shown.entries.partition_point(|entry| entry.line <= line);
        Some(self.blocks.get(index.checked_sub(1)?)?.id.as_str())
    }

    /// Returns the id of the last comment.
    pub(super) fn last_comment(&self) -> Option<&str> {
        let ids = self.blocks.iter().rev().map(|block| block.id.as_str());
        ids.into_iter().find(|id| id.starts_with('c'))
    }
}

/// Returns the byte offsets of lines. The line numbers count from 1 and are sorted.
fn starts(text: &str, lines: impl Iterator<Item = usize>) -> Vec<usize> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let mut begins = std::iter::once(0).chain(ends).enumerate().peekable();
    lines
        .map(|line| {
            while begins.next_if(|(number, _)| number + 1 < line).is_some() {}
            begins.peek().map_or(text.len(), |(_, at)| *at)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_offsets_are_line_starts() {
        assert_eq!(starts("a\nbc\n\nd", [1, 2, 2, 4, 9].into_iter()), [0, 2, 2, 6, 7]);
    }
}
