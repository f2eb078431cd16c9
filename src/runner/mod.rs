//! The loop: read, fold, next, append. The only place where models are asked.
//!
//! One dispatcher owns all reading and writing; calls run beside it and see neither the file nor each other. Whatever
//! was appended is never asked for again, so a run that is killed goes on where it was.

mod abort;
mod afford;
mod allowance;
mod answer;
mod aside;
mod ask;
mod basis;
mod begin;
mod bounds;
mod call;
mod candidate;
mod child;
mod choose;
mod consent;
mod deal;
mod dispatch;
mod forecast;
mod job;
mod kept;
mod layout;
mod mode;
mod once;
mod options;
mod plan;
mod prefix;
mod record;
mod registry;
mod report;
mod reserved;
mod run;
mod shut;
mod sight;
mod tool;
mod tries;
mod watch;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

pub use abort::{Abort, AbortHandle};

pub use begin::{BeginError, PreparedRun, Trust, Untrusted};
pub use options::{RunOptions, TurnOptions, Work};
pub use registry::{Ended, Reservation, RunHandle, RunRegistry, Update};
pub use report::{CallReport, Limit, RunReport, Stopped};
pub use run::{Progress, Run, Speaking};
pub use watch::{Follow, Watch};

use self::aside::aside;
use self::ask::{Asked, FAR};
use self::dispatch::Dispatcher;
use self::job::Job;
use self::mode::{Next, RunMode};
use self::options::Settings;
use crate::engine::{ChildStep, Snapshot, Stop};
use crate::provider::{Consents, Provider};
use crate::store::Writer;
use crate::transcript::{Control, Draft};
use crate::view::{Event, EventKind, Status};
use crate::workspace::{Workspace, WorkspaceError};

/// The report of a run, and the money that it spent.
struct FinishedRun {
    report: RunReport,
    /// US dollars, those of sub-discussions included.
    usd: f64,
}

/// Where events go.
pub(crate) type Observer<'o> = &'o mut (dyn FnMut(Event) + Send);

/// Runs discussions of one workspace.
pub struct Runner {
    workspace: Arc<Workspace>,
    consents: Consents,
    /// Providers opened so far, by name; those that a caller brought along are here from the start.
    opened: Mutex<HashMap<String, Arc<dyn Provider>>>,
    /// The deadline of each call, if the options set none.
    call_timeout: Option<Duration>,
}

impl Runner {
    /// A runner for a workspace, which calls nothing that the project brought along.
    pub fn new(workspace: Arc<Workspace>) -> Self {
        Self {
            workspace,
            consents: Consents::default(),
            opened: Mutex::default(),
            call_timeout: None,
        }
    }

    /// The same, which also calls what the user agreed to.
    #[must_use]
    pub fn with_consents(self, consents: Consents) -> Self {
        Self { consents, ..self }
    }

    /// The same with a provider of the caller's own, known by its name.
    #[must_use]
    pub fn with_provider(self, provider: Arc<dyn Provider>) -> Self {
        self.opened.lock().insert(provider.name().as_str().to_owned(), provider);
        self
    }

    /// Sets the deadline of each call, unless the options do. It replaces the providers' own, and has no bounds.
    #[must_use]
    pub fn with_call_timeout(self, timeout: Duration) -> Self {
        Self { call_timeout: Some(timeout), ..self }
    }

    /// The workspace.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Does the work in the caller's task, and reports each event to the observer.
    ///
    /// # Errors
    /// The file cannot be read or written, an option is not valid, a provider does not exist, is not installed or is
    /// defined by the project without the user's trust, the asker's name is not allowed.
    pub async fn execute(
        &self,
        path: &Path,
        work: &Work,
        observer: Observer<'_>,
        abort: Abort,
    ) -> Result<RunReport, WorkspaceError> {
        self.workspace.place(path)?;
        let settings = work.resolve(&self.workspace, &self.workspace.snapshot(path)?)?;
        self.execute_resolved(path, settings, observer, abort).await
    }

    /// Takes the locks and runs.
    async fn execute_resolved(
        &self,
        path: &Path,
        settings: Settings,
        observer: Observer<'_>,
        abort: Abort,
    ) -> Result<RunReport, WorkspaceError> {
        if let Some(turn) = settings.mode.single_turn() {
            turn.ensure_asker(&self.workspace)?;
        }
        self.workspace.place(path)?;
        let _above = self.lock_above(path).await?;
        let _alone = self.lock_run(path).await?;
        let finished = self.run_locked(path.to_owned(), settings, observer, abort).await?;
        self.tell_parent(path, &finished.report.stopped).await?;
        Ok(finished.report)
    }

    /// Runs a discussion whose locks the caller holds. Boxed, because a sub-discussion runs the same way.
    fn run_locked<'r>(
        &'r self,
        path: PathBuf,
        mut settings: Settings,
        observer: Observer<'r>,
        abort: Abort,
    ) -> Pin<Box<dyn Future<Output = Result<FinishedRun, WorkspaceError>> + Send + 'r>> {
        settings.calls.timeout = settings.calls.timeout.or(self.call_timeout);
        let run = Dispatcher::new(self, &path, &settings, observer, abort);
        Box::pin(self.run_with_events(run, settings.mode))
    }

    async fn run_with_events(
        &self,
        mut run: Dispatcher<'_>,
        mut mode: RunMode,
    ) -> Result<FinishedRun, WorkspaceError> {
        // A file that cannot be read is an error of the first step.
        let topic = self.workspace.snapshot(run.path()).map(|read| read.state.title.clone());
        run.emit(EventKind::DiscussionStart { topic: topic.unwrap_or_default() });
        let stopped = match self.step_until_stopped(&mut mode, &mut run).await {
            Ok(stopped) => stopped,
            Err(error) => {
                run.emit(EventKind::Error {
                    code: error.code(),
                    message: error.to_string(),
                    retryable: error.retryable(),
                });
                return Err(error);
            }
        };
        if stopped == Stopped::Aborted {
            run.emit(EventKind::Aborted {});
        }
        run.end_round();
        if let Some((code, message)) = stopped.error() {
            run.emit(EventKind::Error {
                code,
                message: message.to_owned(),
                retryable: code.retryable(),
            });
        }
        let file = self.workspace.exactly(run.path());
        let status = run.seen().map(|snapshot| Status::of(snapshot, file));
        run.emit(EventKind::DiscussionEnd {
            stopped: stopped.as_str(),
            status: status.as_ref().map(|status| status.status.as_str()),
            decision: status
                .filter(|status| status.consensus.reached)
                .and_then(|status| status.outcome?.decision),
            person_votes: run.person_votes().clone(),
        });
        let (workspace, path) = (Arc::clone(&self.workspace), run.path().clone());
        let summary = aside(move || workspace.summarize(&path)).await;
        let usd = run.purse().spent();
        Ok(FinishedRun { report: RunReport { summary, ..run.report(stopped) }, usd })
    }

    /// Reads, decides and appends, step by step.
    async fn step_until_stopped(
        &self,
        mode: &mut RunMode,
        run: &mut Dispatcher<'_>,
    ) -> Result<Stopped, WorkspaceError> {
        // Also where nobody has to be asked, whoever names what does not exist is told.
        if let Some(named) = &run.options().provider
            && !self.opened.lock().contains_key(named)
        {
            self.workspace.insist_on_provider(named)?;
        }
        self.count_killed(run).await?;
        let mut consented = false;
        loop {
            if run.aborted() {
                return Ok(Stopped::Aborted);
            }
            // Nobody else writes between reading and deciding.
            let Some(locked) = self.locked(run.path(), run.given_up(), run.abort()).await else {
                return Ok(Stopped::Aborted);
            };
            let (mut writer, snapshot) = locked?;
            // Before the first call it is settled for all.
            if !std::mem::replace(&mut consented, true) {
                self.insist_on_consent((run.path(), &snapshot), mode.request(), run.options())?;
                run.bound_by(&snapshot)?;
            }
            match self.decide(mode, run, &snapshot)? {
                Next::Stop(stopped) => return Ok(stopped),
                Next::Write(drafts) => {
                    aside(move || writer.append(&drafts)).await?;
                }
                Next::Child(ChildStep::Open(spec)) => {
                    match self.open_child(run, &snapshot, &spec)? {
                        Ok(drafts) => aside(move || writer.append(&drafts)).await?,
                        Err(limit) => return Ok(Stopped::Limit(limit)),
                    };
                }
                Next::Child(ChildStep::On(line)) => {
                    drop(writer);
                    if let Some(stopped) = self.run_child(run, &snapshot, &line.file).await? {
                        return Ok(stopped);
                    }
                }
                Next::Tool => {
                    drop(writer);
                    if let Some(stopped) = self.run_tool(run, &snapshot).await? {
                        return Ok(stopped);
                    }
                }
                Next::Ask(jobs) => {
                    drop(writer);
                    match run.ask(jobs).await? {
                        Asked::All => {}
                        Asked::Stopped(stopped) => return Ok(stopped),
                    }
                }
            }
        }
    }

    /// The file as it stands, and the lock under which it was read; none when somebody stops the run before.
    fn locked(
        &self,
        path: &Path,
        given_up: &Arc<AtomicBool>,
        mut abort: Abort,
    ) -> impl Future<Output = Option<Result<(Writer, Snapshot), WorkspaceError>>> + Send + use<>
    {
        let (workspace, path) = (Arc::clone(&self.workspace), path.to_owned());
        let (patience, given_up) = (workspace.patience(given_up), Arc::clone(given_up));
        let read = aside(move || {
            let writer = workspace.patient_writer(&path, patience)?;
            let snapshot = workspace.exact(&writer.read()?)?;
            Ok((writer, snapshot))
        });
        async move {
            tokio::select! {
                biased;
                () = abort.set() => {
                    given_up.store(true, Ordering::Relaxed);
                    None
                }
                read = read => Some(read),
            }
        }
    }

    /// The next step with everything that it needs, so that nothing of the file is held while calls run.
    fn decide(
        &self,
        mode: &mut RunMode,
        run: &mut Dispatcher<'_>,
        snapshot: &Snapshot,
    ) -> Result<Next<Vec<Job>>, WorkspaceError> {
        run.saw(snapshot);
        let next = mode.next(snapshot)?;
        match &next {
            Next::Ask(_) => self.insist_affordable(mode, run, snapshot, &[])?,
            Next::Write(drafts) => self.insist_affordable(mode, run, snapshot, drafts)?,
            Next::Child(_) | Next::Tool | Next::Stop(_) => {}
        }
        Ok(match next {
            // Too few answered because a limit left no call to ask again with.
            Next::Stop(Stopped::Stop(Stop::TooFew)) if let Err(limit) = run.call_limit(1) => {
                Next::Stop(Stopped::Limit(limit))
            }
            Next::Stop(stopped) => Next::Stop(stopped),
            Next::Child(step) => Next::Child(step),
            Next::Tool => Next::Tool,
            Next::Write(mut drafts) => {
                let asker = mode.asker().filter(|asker| self.workspace.is_person(asker));
                for draft in &mut drafts {
                    if let Draft::Comment(comment) = draft
                        && Some(&comment.name) == asker
                    {
                        comment.said_at = Some(self.workspace.now());
                    }
                }
                let opens = drafts.iter_mut().find_map(|draft| match draft {
                    Draft::Control(Control::Turn(turn)) => Some(turn),
                    _ => None,
                });
                if let Some(turn) = opens {
                    if let Some(limit) = run.turn_limit() {
                        return Ok(Next::Stop(Stopped::Limit(limit)));
                    }
                    turn.at = Some(self.workspace.now());
                    // Nothing is begun that cannot be answered; a whole discussion not before enough could take part.
                    let first = mode.is_run() && snapshot.state.turns.is_empty();
                    let least = if first { snapshot.config.min_answers } else { 1 };
                    self.enough_can_answer(snapshot, &turn.asks, least, run.options())?;
                }
                Next::Write(drafts)
            }
            // Whoever was asked in a turn is not asked in it again, whatever became of the block.
            Next::Ask(aliases) if run.was_asked(snapshot, &aliases) => {
                Next::Stop(Stopped::Stop(Stop::Nobody))
            }
            Next::Ask(aliases) => match run.call_limit(aliases.len()) {
                Err(limit) => Next::Stop(Stopped::Limit(limit)),
                Ok(allowed) => Next::Ask(self.jobs(snapshot, &aliases[..allowed], run)?),
            },
        })
    }
}

/// Milliseconds since an instant.
fn since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
