//! Background work of the screen: each call of the library is a separate task that ends with a
//! message. Remembers which file a name meant first, because another file may have that name later.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use discussions::runner::{BeginError, RunOptions, RunRegistry, Update};
use discussions::view::Foreign;
use discussions::workspace::{CommentRequest, NewDiscussion, Search, Workspace, WorkspaceError};
use parking_lot::{Mutex, MutexGuard};
use tokio::task::JoinHandle;

use super::message::{Act, ActionDone, ActionError, Effect, Message, command};
use super::words;
use crate::cli::environment::HostEnvironment;

/// The interval for checking if another program runs the open discussion.
const BEAT: Duration = Duration::from_secs(1);

/// The maximum number of search results.
const FOUND: usize = 500;

/// A worker for the effects that the screen requests. It needs a tokio runtime.
pub(super) struct Behind {
    shared: Arc<Shared>,
    /// The task that follows the open discussion.
    follower: Option<JoinHandle<()>>,
}

/// The state that all calls share.
struct Shared {
    outside: HostEnvironment,
    author: String,
    meant: Arc<Meant>,
    to: Sender<Message>,
    /// The next words to search for. A new search replaces them, so that no outdated search runs.
    wanted: Mutex<Option<String>>,
    runs: RunRegistry,
    /// The discussions with a price that the user has confirmed.
    paid_for: Mutex<BTreeSet<String>>,
}

impl Behind {
    pub(super) fn new(
        outside: HostEnvironment,
        author: String,
        meant: Arc<Meant>,
        to: Sender<Message>,
    ) -> Self {
        let (wanted, runs, paid_for) = Default::default();
        let shared = Arc::new(Shared { outside, author, meant, to, wanted, runs, paid_for });
        Self { shared, follower: None }
    }

    /// Starts the work for an effect.
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::List => self.spawn_blocking(|shared| {
                let begun = Instant::now();
                let list =
                    shared.open().and_then(|workspace| Ok(workspace.discussions().list(None)?));
                shared.tell(Message::Listed(list.map(Box::new), begun.elapsed()));
            }),
            Effect::Search(words) => {
                *self.shared.wanted.lock() = Some(words);
                self.spawn_blocking(Shared::search);
            }
            Effect::People => self.read(|workspace| {
                Ok(Message::People(workspace.participants().list_participants().into()))
            }),
            Effect::Define(alias) => self.read(move |workspace| {
                Ok(Message::Defined(workspace.participants().participant(&alias)?.into()))
            }),
            Effect::Templates => {
                self.read(|workspace| Ok(Message::Templates(workspace.templates())))
            }
            Effect::Providers => {
                let shared = Arc::clone(&self.shared);
                self.read(move |workspace| {
                    // Trust that cannot be read is none.
                    let foreign = workspace.providers().brought_along().foreign;
                    let consents =
                        shared.outside.trust().consents(workspace, &foreign).unwrap_or_default();
                    let states = workspace.providers().check_providers(None, &consents)?;
                    Ok(Message::Providers(workspace.providers().list_providers(&consents), states))
                })
            }
            Effect::Ping(name) => self.ping(name),
            Effect::Open(file) => self.follow(file),
            Effect::Leave => self.unfollow(),
            Effect::Act(act) => self.spawn_blocking(move |shared| {
                let line = act.line();
                let acted = shared.open().and_then(|workspace| {
                    let act = shared.meant.now(&workspace, act)?;
                    self::act(&workspace, &shared.author, act)
                });
                shared.tell(match acted {
                    Ok(done) => Message::Done(done),
                    Err(refused) => Message::Refused(refused.of(line)),
                });
            }),
            Effect::Work(file, work) => self.work(Vec::new(), file, work),
            Effect::Agree(foreign, file, work) => self.work(foreign, file, work),
            Effect::Spend(file, work) => {
                self.shared.paid_for().insert(file.clone());
                self.work(Vec::new(), file, work);
            }
            Effect::Abort(file) => self.shared.abort(&file),
            // The main loop handles these two, because they need the terminal.
            Effect::Edit(_) | Effect::Quit => {}
        }
    }

    /// Stops all runs.
    pub(super) fn stop(&self) {
        self.shared.runs.abort_all();
    }

    fn spawn_blocking(&self, work: impl FnOnce(&Arc<Shared>) + Send + 'static) {
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let told = shared.to.clone();
            if tokio::task::spawn_blocking(move || work(&shared)).await.is_err() {
                let message = "internal error; you can continue".to_owned();
                let _ =
                    told.send(Message::Refused(ActionError { message, ..ActionError::default() }));
            }
        });
    }

    /// Reads something and sends it as a message.
    fn read(&self, what: impl FnOnce(&Workspace) -> Result<Message, ActionError> + Send + 'static) {
        self.spawn_blocking(move |shared| {
            let read = shared.open().and_then(|workspace| what(&workspace));
            shared.tell(read.unwrap_or_else(Message::Refused));
        });
    }

    fn unfollow(&mut self) {
        if let Some(follower) = self.follower.take() {
            follower.abort();
        }
    }

    fn follow(&mut self, file: String) {
        self.unfollow();
        let shared = Arc::clone(&self.shared);
        self.follower = Some(tokio::spawn(async move {
            let (within, name) = (Arc::clone(&shared), file.clone());
            let begun = tokio::task::spawn_blocking(move || {
                let workspace = within.open()?;
                let path = within.meant.path(&workspace, &name)?;
                Ok((workspace.runs().follow(&path)?, workspace, path))
            });
            let (mut follow, workspace, path) = match begun.await {
                Ok(Ok(follow)) => follow,
                Ok(Err(refused)) => return shared.tell(Message::Seen(file, Err(refused))),
                Err(_) => return,
            };
            let mut beat = tokio::time::interval(BEAT);
            let mut running = false;
            loop {
                tokio::select! {
                    seen = follow.next() => {
                        let Some(seen) = seen else { return };
                        let seen = seen.map(Box::new).map_err(ActionError::from);
                        shared.tell(Message::Seen(file.clone(), seen));
                    }
                    _ = beat.tick() => {
                        let (workspace, path) = (Arc::clone(&workspace), path.clone());
                        let (within, name) = (Arc::clone(&shared), file.clone());
                        // A run of this screen sends its own events.
                        let look = move || !within.runs(&name) && workspace.discussions().is_running(&path);
                        let now = tokio::task::spawn_blocking(look).await.unwrap_or(false);
                        if now != running {
                            running = now;
                            shared.tell(Message::Running(file.clone(), now));
                        }
                    }
                }
            }
        }));
    }

    fn ping(&self, name: Option<String>) {
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let pinged = async {
                let workspace = shared.open()?;
                let needed = workspace.providers().needed_for_ping(name.as_deref())?;
                // A provider that the user has not trusted is not called; its state says so.
                let consents = shared.outside.trust().consents(&workspace, &needed)?;
                Ok(workspace.providers().ping_providers(name.as_deref(), &consents, |_| {}).await?)
            };
            let pinged = pinged.await;
            shared.tell(Message::Pinged(pinged));
        });
    }

    /// Starts a turn or a run; `trusted` are the definitions that the user has just trusted.
    fn work(&self, trusted: Vec<Foreign>, file: String, work: RunOptions) {
        self.spawn_blocking(move |shared| {
            let message = match shared.begin(&trusted, &file, &work) {
                Ok(()) => return,
                Err(NotBegun::Untrusted(foreign)) => Message::Untrusted(foreign, file, work),
                Err(NotBegun::Costly(price)) => Message::Costly(price, file, work),
                Err(NotBegun::Refused(refused)) => Message::Ended(file, Err(refused)),
            };
            shared.tell(message);
        });
    }
}

/// The reason why a run did not start.
enum NotBegun {
    /// The user has not trusted these definitions, which the run would call first.
    Untrusted(Vec<Foreign>),
    /// The user has not confirmed its price.
    Costly(String),
    Refused(ActionError),
}

impl From<ActionError> for NotBegun {
    fn from(refused: ActionError) -> Self {
        Self::Refused(refused)
    }
}

impl From<WorkspaceError> for NotBegun {
    fn from(error: WorkspaceError) -> Self {
        Self::Refused(error.into())
    }
}

impl Shared {
    fn tell(&self, message: Message) {
        // A failed send means that the screen is closed, so no message is needed.
        let _ = self.to.send(message);
    }

    /// Opens the folder with its current configuration.
    fn open(&self) -> Result<Arc<Workspace>, ActionError> {
        Ok(Arc::new(self.outside.open()?))
    }

    fn paid_for(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.paid_for.lock()
    }

    /// Returns whether this screen runs a discussion, or is starting to.
    fn runs(&self, file: &str) -> bool {
        self.meant.known_path(file).is_some_and(|path| self.runs.is_busy(&path))
    }

    fn abort(&self, file: &str) {
        if let Some(run) = self.meant.known_path(file).and_then(|path| self.runs.get(&path)) {
            run.abort();
        }
    }

    fn search(self: &Arc<Self>) {
        let wanted = self.wanted.lock().take();
        // Another search has already taken the words.
        let Some(words) = wanted else { return };
        let found = self.open().and_then(|workspace| {
            let search = Search { words: words.clone(), limit: FOUND, ..Search::default() };
            Ok(Box::new(workspace.discussions().search(&search)?))
        });
        self.tell(Message::Found(words, found));
    }

    fn begin(
        self: &Arc<Self>,
        trusted: &[Foreign],
        file: &str,
        work: &RunOptions,
    ) -> Result<(), NotBegun> {
        let workspace = self.open()?;
        for foreign in trusted {
            workspace.providers().remember(foreign)?;
        }
        let path = self.meant.path(&workspace, file)?;
        // A second key press while the first is being worked on starts nothing.
        let Some(reserved) = self.runs.reserve(&path) else { return Ok(()) };
        let prepared = workspace.runs().prepare(&path, work).map_err(BeginError::from);
        let prepared = prepared.and_then(|prepared| prepared.trusting(self.outside.trust()));
        let prepared = prepared.map_err(|error| match error {
            BeginError::Untrusted(untrusted) => NotBegun::Untrusted(untrusted.definitions),
            BeginError::Workspace(error) => error.into(),
        })?;
        let ahead = prepared.forecast()?;
        if ahead.asks_first() && !self.paid_for().contains(file) {
            return Err(NotBegun::Costly(ahead.sentence()));
        }
        if ahead.calls > 0 && ahead.may_cost() {
            self.tell(Message::Price(file.to_owned(), ahead.sentence()));
        }
        let run = prepared.start();
        let (shared, file) = (Arc::clone(self), file.to_owned());
        reserved.start(run, move |update| {
            shared.tell(match update {
                Update::Event(event) => Message::Told(file.clone(), Box::new(event)),
                Update::Ended(ended) => {
                    let ran = ended.as_ref().as_ref();
                    let ran = ran.map(|ran| Box::new(ran.clone())).map_err(ActionError::from);
                    Message::Ended(file.clone(), ran)
                }
            });
        });
        Ok(())
    }
}

/// Makes the change that the user requested.
pub(super) fn act(
    workspace: &Workspace,
    author: &str,
    act: Act,
) -> Result<ActionDone, ActionError> {
    let line = act.line();
    match act {
        Act::Comment { file, text, vote, draft } => {
            let path = exactly(workspace, &file)?;
            let remark = CommentRequest { author: author.to_owned(), text, vote };
            let written = workspace.discussions().comment(&path, &remark)?;
            let who = written.author.as_deref().unwrap_or_default();
            let said = match &written.vote {
                Some(vote) => format!("{who} votes {vote}"),
                None => format!("added as {who}"),
            };
            let done = words::describe_written(&written, said, line);
            Ok(ActionDone { sent: Some(draft), ..done })
        }
        Act::Advance { file, to } => {
            let path = exactly(workspace, &file)?;
            let written = workspace.discussions().advance(&path, to.as_deref(), author)?;
            let said = format!("phase {}", written.phase_title.as_deref().unwrap_or_default());
            Ok(words::describe_written(&written, said, line))
        }
        Act::Close { file, closed } => {
            let path = exactly(workspace, &file)?;
            let written = workspace.discussions().set_closed(&path, closed, author)?;
            let said = if closed { "closed" } else { "reopened" };
            let written = discussions::view::Written { closed: false, ..written };
            Ok(words::describe_written(&written, said.to_owned(), line))
        }
        Act::New { title, template, participants, .. } => {
            let notes = workspace.warn_of_secrets("the title", &title);
            let new = NewDiscussion { title, template, participants, ..NewDiscussion::default() };
            let path = workspace.discussions().create(&new)?;
            let said = workspace.shown_path(&path);
            let open = Some(workspace.name(&path));
            Ok(ActionDone { line, open, said, notes, ..ActionDone::default() })
        }
        Act::Remove { alias } => {
            let removed = workspace.participants().remove_participant(&alias)?;
            let said = format!("removed {}", removed.file);
            let line = command(&["participants", "remove", &alias]);
            Ok(ActionDone { line, said, people: true, ..ActionDone::default() })
        }
    }
}

/// The file of each name that was used.
#[derive(Debug, Default)]
pub(super) struct Meant(Mutex<BTreeMap<String, PathBuf>>);

impl Meant {
    /// Returns the file of a discussion. If that file is gone, no other file with a matching name is used in its place.
    pub(super) fn path(&self, workspace: &Workspace, name: &str) -> Result<PathBuf, ActionError> {
        let mut known = self.0.lock();
        match known.get(name) {
            Some(path) if path.is_file() => Ok(path.clone()),
            Some(_) => Err(missing_discussion(name)),
            None => {
                let path = exactly(workspace, name)?;
                known.insert(name.to_owned(), path.clone());
                Ok(path)
            }
        }
    }

    /// Returns the file of a name that was looked up before.
    fn known_path(&self, name: &str) -> Option<PathBuf> {
        self.0.lock().get(name).cloned()
    }

    /// Returns the change with the discussion's current name.
    pub(super) fn now(&self, workspace: &Workspace, mut act: Act) -> Result<Act, ActionError> {
        if let Some(name) = act.file() {
            *name = workspace.name(&self.path(workspace, name)?);
        }
        Ok(act)
    }
}

/// Returns the file that has exactly this name now.
pub(super) fn exactly(workspace: &Workspace, name: &str) -> Result<PathBuf, ActionError> {
    let path = workspace.find(Path::new(name))?;
    if workspace.name(&path) == name { Ok(path) } else { Err(missing_discussion(name)) }
}

fn missing_discussion(name: &str) -> ActionError {
    let message = format!("{name}: the file no longer exists");
    ActionError { message, ..ActionError::default() }
}
