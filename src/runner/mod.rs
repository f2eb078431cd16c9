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
mod course;
mod deal;
mod dispatch;
mod forecast;
mod job;
mod kept;
mod layout;
mod limits;
mod once;
mod plan;
mod prefix;
mod record;
mod registry;
mod report;
mod request;
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

pub use begin::{BeginError, PreparedRun, Trust, Untrusted, Work};
pub use limits::{Limit, Limits};
pub use plan::{Plan, PlannedCall};
pub use registry::{Ended, Reservation, RunHandle, RunRegistry, Update};
pub use report::{CallReport, RunReport, Stopped};
pub use request::{Ask, RunRequest};
pub use run::{Progress, Run, Speaking};
pub use watch::{Follow, Watch};

use self::aside::aside;
use self::ask::{Asked, FAR};
use self::course::{Course, Next};
use self::dispatch::Dispatcher;
use self::job::Job;
use crate::engine::{ChildStep, Snapshot, Stop, TurnRequest};
use crate::provider::{Consents, Provider, Reach};
use crate::store::Writer;
use crate::transcript::{Control, Draft, Name, NewComment};
use crate::view::{Event, EventKind, Status};
use crate::workspace::{Workspace, WorkspaceError};

/// How the calls of a run are made.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// The provider for everybody; none: each persona's own.
    pub provider: Option<String>,
    /// The deadline of one call, instead of the provider's own.
    pub provider_timeout: Option<Duration>,
    /// Sampling temperature where the phase sets none.
    pub temperature: Option<f64>,
    /// Most tokens of one answer, where a provider's own limit is not lower.
    pub max_tokens: Option<u32>,
    /// What models may look at besides their prompts.
    pub reach: Reach,
}

/// What one `turn` does.
#[derive(Clone, Debug, Default)]
pub struct TurnOptions {
    /// Whom to ask, and what.
    pub request: TurnRequest,
    /// Who asks; needed when something is asked.
    pub asker: Option<Name>,
    /// US dollars that it spends: no call is made that could pass it.
    pub max_usd: Option<f64>,
    /// Where money is limited, providers are asked too whose price nobody knows.
    pub unpriced: bool,
    /// Model calls that it makes, asked-again ones too; none: no limit.
    pub max_calls: Option<u32>,
    /// Time that it takes; running calls are killed then. None: no limit.
    pub timeout: Option<Duration>,
    /// How calls are made.
    pub calls: CallOptions,
}

/// What one `run` does.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Where it stops at the latest.
    pub limits: Limits,
    /// It goes on where people were asked something and have not answered.
    pub no_wait: bool,
    /// Whose answers are waited for, by alias, before any model of the same turn is asked.
    pub first: Vec<String>,
    /// How calls are made.
    pub calls: CallOptions,
}

/// What a run did, and what it spent.
struct Gone {
    report: RunReport,
    /// US dollars, those of discussions within it too.
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
}

impl Runner {
    /// A runner for a workspace, which calls nothing that the project brought along.
    pub fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace, consents: Consents::default(), opened: Mutex::default() }
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

    /// The workspace.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Asks each participant of one turn once: whoever is missing in the last one, else those of the next.
    ///
    /// # Errors
    /// A file that cannot be read or written, a provider that does not exist, one that the project brought along and
    /// nobody trusted, none at all that is installed, an asker whose name `Workspace::admit` refuses.
    pub async fn turn(
        &self,
        path: &Path,
        options: &TurnOptions,
        observer: Observer<'_>,
        abort: Abort,
    ) -> Result<RunReport, WorkspaceError> {
        self.admit(options)?;
        let course = Course::turn(options);
        let TurnOptions { max_usd, unpriced, timeout, .. } = *options;
        let max_calls = options.max_calls.unwrap_or(u32::MAX);
        let limits = Limits { max_usd, unpriced, max_calls, timeout, ..Limits::none() };
        self.go(path, course, &options.calls, limits, observer, abort).await
    }

    /// Goes on turn by turn and phase by phase until nothing is left that a program can do, or a limit is reached.
    ///
    /// # Errors
    /// As [`Runner::turn`].
    pub async fn run(
        &self,
        path: &Path,
        options: &RunOptions,
        observer: Observer<'_>,
        abort: Abort,
    ) -> Result<RunReport, WorkspaceError> {
        self.go(
            path,
            Course::run(options.no_wait, options.first.clone()),
            &options.calls,
            options.limits.clone(),
            observer,
            abort,
        )
        .await
    }

    /// Whether the asker may speak under their name.
    fn admit(&self, options: &TurnOptions) -> Result<(), WorkspaceError> {
        let asker = options.asker.as_ref().filter(|_| options.request.ask.is_some());
        asker.map_or(Ok(()), |asker| self.workspace.admit(asker))
    }

    async fn go(
        &self,
        path: &Path,
        course: Course,
        calls: &CallOptions,
        limits: Limits,
        observer: Observer<'_>,
        abort: Abort,
    ) -> Result<RunReport, WorkspaceError> {
        self.workspace.place(path)?;
        let _above = self.lock_above(path).await?;
        let _alone = self.lock_run(path).await?;
        let here = path.to_owned();
        let limit = limits.max_usd.map(|usd| (usd, limits.unpriced));
        let given = (limits, limit);
        let gone = self.go_on(here, course, calls.clone(), given, observer, abort).await?;
        self.tell_parent(path, &gone.report.stopped).await?;
        Ok(gone.report)
    }

    /// The loop, for who holds the locks. Discussions within a discussion go through it too, hence the box.
    ///
    /// `limit` has to cover one call before anything is written; none: nothing is checked beforehand.
    fn go_on<'r>(
        &'r self,
        path: PathBuf,
        course: Course,
        calls: CallOptions,
        (limits, limit): (Limits, Option<(f64, bool)>),
        observer: Observer<'r>,
        abort: Abort,
    ) -> Pin<Box<dyn Future<Output = Result<Gone, WorkspaceError>> + Send + 'r>> {
        Box::pin(self.all_steps(path, course, calls, (limits, limit), observer, abort))
    }

    async fn all_steps(
        &self,
        path: PathBuf,
        mut course: Course,
        calls: CallOptions,
        (limits, limit): (Limits, Option<(f64, bool)>),
        observer: Observer<'_>,
        abort: Abort,
    ) -> Result<Gone, WorkspaceError> {
        let mut run = Dispatcher::new(self, &path, &calls, limits, observer, abort);
        run.go_as(course.manner());
        run.check_limit(limit);
        // A file that cannot be read is an error of the first step.
        let topic = self.workspace.snapshot(&path).map(|read| read.state.title.clone());
        run.emit(EventKind::DiscussionStart { topic: topic.unwrap_or_default() });
        let stopped = match self.steps(&mut course, &mut run).await {
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
        let file = self.workspace.exactly(&path);
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
        Ok(Gone { report: RunReport { summary, ..run.report(stopped) }, usd })
    }

    /// Read, fold, next, append.
    async fn steps(
        &self,
        course: &mut Course,
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
                self.insist_on_consent((run.path(), &snapshot), course.request(), run.options())?;
                run.bound_by(&snapshot)?;
            }
            match self.decide(course, run, &snapshot)? {
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
        course: &mut Course,
        run: &mut Dispatcher<'_>,
        snapshot: &Snapshot,
    ) -> Result<Next<Vec<Job>>, WorkspaceError> {
        run.saw(snapshot);
        let next = course.next(snapshot)?;
        match &next {
            Next::Ask(_) => self.insist_affordable(course, run, snapshot, &[])?,
            Next::Write(drafts) => self.insist_affordable(course, run, snapshot, drafts)?,
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
                let asker = course.asker().filter(|asker| self.workspace.is_person(asker));
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
                    let first = course.is_run() && snapshot.state.turns.is_empty();
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

/// A question as its asker's own comment.
fn question(asker: &Name, text: &str) -> Draft {
    Draft::Comment(NewComment::by(asker.clone(), text))
}

/// Milliseconds since an instant.
fn since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
