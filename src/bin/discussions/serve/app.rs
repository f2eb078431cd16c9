//! The application state that all requests share.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use discussions::runner::{BeginError, RunOptions, RunRegistry, Update};
use discussions::view::{List, Shown};
use discussions::workspace::{Workspace, WorkspaceError};
use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use super::discussion::Viewed;
use super::guard::SessionKey;
use super::live::{LiveDiscussion, RunPrice};
use super::request::ApiError;
use super::words;
use crate::cli::environment::HostEnvironment;

/// The maximum age of the list of all discussions.
const FRESH: Duration = Duration::from_secs(1);

/// The size of a file in bytes above which pages do not compute a price.
const LONG: usize = 4 << 20;

/// The maximum length of a name, in bytes.
const LONGEST_NAME: usize = 1024;

/// A run that may start: it is reserved, and the user trusts the commands that it runs.
pub(super) struct Start {
    room: Arc<LiveDiscussion>,
    /// Starts the reserved run; its updates also go to the sender.
    launch: Box<dyn FnOnce(Option<UnboundedSender<Update>>) + Send>,
    pub(super) price: RunPrice,
}

/// A list of all discussions that was read.
struct KnownList {
    at: Instant,
    /// The number of changes by requests before it was read.
    changes: usize,
    list: Arc<List>,
}

/// The application state that all requests share.
pub(super) struct AppState {
    outside: HostEnvironment,
    pub(super) key: SessionKey,
    /// The author of comments if a request names none.
    pub(super) author: String,
    /// The settings with which every run begins.
    pub(super) request: RunOptions,
    listens: SocketAddr,
    rooms: Mutex<HashMap<PathBuf, Weak<LiveDiscussion>>>,
    /// Live discussions with a run of this server. They are kept so that later readers see how the run ended.
    kept: Mutex<Vec<Arc<LiveDiscussion>>>,
    /// The last list that was read. The lock is held while the list is read, so that simultaneous requests read it once.
    list: tokio::sync::Mutex<Option<KnownList>>,
    /// The number of requests that may have changed discussions.
    changes: AtomicUsize,
    /// The discussions with a price that the user has confirmed.
    paid_for: Mutex<HashSet<PathBuf>>,
    /// The runs of this server.
    pub(super) runs: RunRegistry,
    /// The signal that the server is shutting down.
    closing: watch::Sender<bool>,
}

impl AppState {
    pub(super) fn new(
        outside: HostEnvironment,
        (key, listens): (SessionKey, SocketAddr),
        author: String,
        request: RunOptions,
    ) -> Self {
        let (rooms, kept, list, changes, paid_for, runs) = Default::default();
        let closing = watch::Sender::new(false);
        Self {
            outside,
            key,
            author,
            request,
            listens,
            rooms,
            kept,
            list,
            changes,
            paid_for,
            runs,
            closing,
        }
    }

    /// Returns the address of the server, without the key.
    pub(super) fn address(&self) -> String {
        format!("http://{}", self.listens)
    }

    /// Returns true if a request's host is a name of this server.
    pub(super) fn is_called(&self, host: &str) -> bool {
        let port = self.listens.port();
        let here = host == self.listens.to_string();
        let by_name = self.listens.ip().is_loopback()
            && ["127.0.0.1", "localhost", "[::1]"]
                .iter()
                .any(|name| host == format!("{name}:{port}") || (port == 80 && host == *name));
        here || by_name
    }

    /// Returns the cookie's name. It contains the port, because cookies ignore ports and two servers have two keys.
    pub(super) fn cookie(&self) -> String {
        format!("discussions_{}", self.listens.port())
    }

    /// Runs work on files on a separate thread, with a newly opened workspace, because users change
    /// configuration and personas while the server runs.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Workspace>) -> Result<T, WorkspaceError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let outside = self.outside.clone();
        // Programs with the key have the file limits of agents. Pages have them too, so that both show the same files.
        let work = move || work(&Arc::new(outside.open()?.for_agents(None)));
        match spawn_blocking(work).await {
            Ok(done) => Ok(done?),
            Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")),
        }
    }

    /// Returns the file of a discussion, by its name. A path that leads elsewhere is not a name.
    pub(super) async fn find(&self, name: &str) -> Result<PathBuf, ApiError> {
        self.with_discussion(name, |_, path| Ok(path)).await
    }

    /// Finds a discussion by its name, and runs work on it in the same workspace.
    pub(super) async fn with_discussion<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Arc<Workspace>, PathBuf) -> Result<T, WorkspaceError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let is_name = !name.is_empty()
            && name.len() <= LONGEST_NAME
            && !name.starts_with(['/', '~'])
            && !name.contains(['\\', '\0'])
            && name.split('/').all(|part| !part.is_empty() && part != "..");
        if !is_name {
            return Err(ApiError::new(StatusCode::NOT_FOUND, "invalid discussion name"));
        }
        let name = name.to_owned();
        let done = self.blocking(move |workspace| match workspace.find(Path::new(&name)) {
            Ok(path) => work(workspace, path).map(Ok),
            Err(error) => Ok(Err(ApiError::from(error).status(StatusCode::NOT_FOUND))),
        });
        done.await?
    }

    /// Returns all discussions, at most one second old, and not older than the last change by a request.
    pub(super) async fn list(&self) -> Result<Arc<List>, ApiError> {
        let mut known = self.list.lock().await;
        let changes = self.changes.load(Ordering::SeqCst);
        let is_fresh = |one: &&KnownList| one.changes == changes && one.at.elapsed() < FRESH;
        if let Some(known) = known.as_ref().filter(is_fresh) {
            return Ok(Arc::clone(&known.list));
        }
        let list = Arc::new(self.blocking(|workspace| workspace.discussions().list(None)).await?);
        *known = Some(KnownList { at: Instant::now(), changes, list: Arc::clone(&list) });
        Ok(list)
    }

    /// Makes the next request read the list of all discussions again.
    pub(super) fn forget_list(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns the live discussion that all its readers share. Must be called within a tokio runtime.
    pub(super) fn room(
        &self,
        workspace: &Arc<Workspace>,
        path: &Path,
    ) -> Result<Arc<LiveDiscussion>, WorkspaceError> {
        if let Some(room) = self.known_room(path) {
            return Ok(room);
        }
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut rooms = self.rooms.lock();
        if let Some(room) = rooms.get(&target).and_then(Weak::upgrade) {
            return Ok(room);
        }
        // Opens the requested path, not `target`: a link must be checked as a link, at its own place.
        let room = LiveDiscussion::open(path.to_owned(), workspace)?;
        rooms.retain(|_, room| room.strong_count() > 0);
        rooms.insert(target, Arc::downgrade(&room));
        Ok(room)
    }

    /// Returns the live discussion, if a reader or a run has it open.
    pub(super) fn known_room(&self, path: &Path) -> Option<Arc<LiveDiscussion>> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let rooms = self.rooms.lock();
        rooms.get(&path).and_then(Weak::upgrade)
    }

    /// Keeps a live discussion for later readers.
    pub(super) fn keep(&self, room: &Arc<LiveDiscussion>) {
        let mut kept = self.kept.lock();
        if !kept.iter().any(|known| Arc::ptr_eq(known, room)) {
            kept.push(Arc::clone(room));
        }
    }

    /// Returns the name of each discussion with a last run on this server that stopped at a limit or an error, with the
    /// reason.
    pub(super) async fn stopped_runs(&self) -> Result<Vec<(String, String)>, ApiError> {
        let kept = self.kept.lock().clone();
        let stopped = kept.iter().filter_map(|room| Some((room.path(), room.stop_reason()?)));
        let stopped: Vec<_> = stopped.map(|(path, why)| (path.to_owned(), why)).collect();
        if stopped.is_empty() {
            return Ok(Vec::new());
        }
        let named = |workspace: &Arc<Workspace>| {
            Ok(stopped.into_iter().map(|(path, why)| (workspace.name(&path), why)).collect())
        };
        self.blocking(named).await
    }

    /// Reads a discussion for its page.
    pub(super) fn view(
        &self,
        workspace: &Arc<Workspace>,
        path: PathBuf,
    ) -> Result<Viewed, WorkspaceError> {
        let shown = workspace.discussions().show(&path)?;
        let is_running = self.runs.is_busy(&path);
        let price = if is_running { None } else { self.price_of_next(workspace, &path, &shown) };
        Ok(Viewed { path, shown, price })
    }

    /// Prepares a run: reserves it, checks the user's trust, and computes its price.
    pub(super) fn prepare(
        &self,
        workspace: &Arc<Workspace>,
        path: &Path,
        options: &RunOptions,
    ) -> Result<Result<Start, ApiError>, WorkspaceError> {
        let room = self.room(workspace, path)?;
        let Some(reserved) = self.runs.reserve(path) else {
            let busy = ApiError::new(StatusCode::CONFLICT, "a run is already in progress");
            return Ok(Err(busy.help("wait for it to finish, or stop it")));
        };
        // The server cannot ask the user, so only commands that are already trusted may run.
        let prepared = match workspace
            .runs()
            .prepare(path, options)
            .map_err(BeginError::from)
            .and_then(|prepared| prepared.trusting(self.outside.trust()))
        {
            Ok(prepared) => prepared,
            Err(BeginError::Untrusted(untrusted)) => {
                return Ok(Err(ApiError::not_trusted(untrusted.definitions)));
            }
            Err(BeginError::Workspace(error)) => return Err(error),
        };
        let ahead = prepared.forecast()?;
        let price = RunPrice { sentence: ahead.price_sentence(), asks_first: ahead.asks_first() };
        let (shown, sentence) = (Arc::clone(&room), price.sentence.clone());
        let closing = self.closing.subscribe();
        let launch = move |tap: Option<UnboundedSender<Update>>| {
            shown.begin(sentence);
            let report = move |update| shown.show(update, tap.as_ref());
            let run = reserved.start(prepared.start(), report);
            if *closing.borrow() {
                run.abort();
            }
        };
        Ok(Ok(Start { room, launch: Box::new(launch), price }))
    }

    /// Starts a prepared run. The run belongs to the server, and continues without readers. Must be
    /// called within a tokio runtime.
    pub(super) fn start(&self, start: Start, tap: Option<UnboundedSender<Update>>) {
        self.keep(&start.room);
        (start.launch)(tap);
    }

    /// Returns the price that the user must confirm first; `None` if it is low, or if the user has already confirmed
    /// for this discussion. `agrees` means that this request confirms it.
    pub(super) fn price_to_agree(
        &self,
        path: &Path,
        price: &RunPrice,
        agrees: bool,
    ) -> Option<String> {
        let mut paid_for = self.paid_for.lock();
        if agrees {
            paid_for.insert(path.to_owned());
        }
        let is_known = !price.asks_first || paid_for.contains(path);
        price.sentence.clone().filter(|_| !is_known)
    }

    /// Returns the price of the step that a page offers. Returns `None` if the step costs nothing,
    /// or if the file is so long that the price is shown only when the step begins.
    pub(super) fn price_of_next(
        &self,
        workspace: &Arc<Workspace>,
        path: &Path,
        shown: &Shown,
    ) -> Option<String> {
        let actions = shown.status.next.iter().filter_map(|step| words::next(step).action);
        let action = actions.into_iter().find(|action| ["turn", "run"].contains(action))?;
        if shown.text.as_str().len() > LONG {
            return None;
        }
        let options = if action == "turn" {
            let RunOptions { provider, max_usd, .. } = self.request.clone();
            RunOptions { provider, max_usd, ..RunOptions::next_turn() }
        } else {
            self.request.clone()
        };
        workspace.runs().prepare(path, &options).ok()?.forecast().ok()?.price_sentence()
    }

    /// Stops the run of a discussion, if this server runs it.
    pub(super) fn abort(&self, path: &Path) {
        if let Some(run) = self.runs.get(path) {
            run.abort();
        }
    }

    /// Ends all runs and streams.
    pub(super) fn close(&self) {
        self.closing.send_replace(true);
        self.runs.abort_all();
    }

    /// Waits until the server shuts down.
    pub(super) async fn wait_closed(&self) {
        let mut closing = self.closing.subscribe();
        // Waiting cannot fail, because the sender lives as long as this state.
        let _ = closing.wait_for(|closing| *closing).await;
    }

    /// Waits until no run is in progress.
    pub(super) async fn quiet(&self) {
        self.runs.wait_idle().await;
    }
}
