//! The loop of a run: read the file, decide the next step, append lines or ask participants, and
//! begin again.

#[cfg(any(test, not(discussions_sealed)))]
use std::path::Path;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::answer::Job;
use super::ask::{ask, jobs};
use super::blocking::blocking;
use super::child::{
    child_result, is_used_up, lock_root, lock_run, make_child, open_child, record_in_parent,
};
use super::context::{Abort, RunContext};
use super::events::{EventEmitter, Observer};
use super::mode::{Next, RunMode};
use super::options::RunOptions;
use super::price::ensure_affordable;
use super::providers::Providers;
use super::recovery::record_killed_calls;
use super::report::{FinishedRun, RunReport, Stopped};
use super::tools::run_phase_command;
use crate::codes::StopCode;
use crate::engine::{ChildStep, Snapshot};
use crate::provider::Consents;
#[cfg(any(test, not(discussions_sealed)))]
use crate::provider::Provider;
use crate::transcript::{ChildFile, Control, Draft};
use crate::view::EventKind;
use crate::workspace::{Workspace, WorkspaceError, child_path};

/// Runs discussions of one workspace.
pub struct Runner {
    pub(super) providers: Providers,
    /// The deadline of each call, if the options set none.
    call_timeout: Option<Duration>,
}

impl Runner {
    /// Returns a runner that calls no project-defined provider.
    pub fn new(workspace: Arc<Workspace>) -> Self {
        let providers = Providers::new(workspace, Consents::default());
        Self { providers, call_timeout: None }
    }

    /// Lets the runner call the definitions that the user trusts.
    #[must_use]
    pub fn with_consents(mut self, consents: Consents) -> Self {
        self.providers.consents = consents;
        self
    }

    /// Adds a provider that the caller implements. A run finds it by its name.
    #[must_use]
    #[cfg(any(test, not(discussions_sealed)))]
    pub fn with_provider(self, provider: Arc<dyn Provider>) -> Self {
        self.providers.add(provider);
        self
    }

    /// Sets the default deadline of each call; a deadline in the options has precedence. It
    /// replaces the deadlines of the providers, and its range is not checked.
    #[must_use]
    #[cfg(any(test, not(discussions_sealed)))]
    pub fn with_call_timeout(self, timeout: Duration) -> Self {
        Self { call_timeout: Some(timeout), ..self }
    }

    /// Returns the workspace.
    #[cfg(any(test, not(discussions_sealed)))]
    pub fn workspace(&self) -> &Workspace {
        &self.providers.workspace
    }

    /// Does the work in the caller's task, and reports each event to the observer.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, if an option is invalid, if a provider does not exist, is not
    /// installed or is defined by the project without the user's trust, or if the asker's name is not allowed.
    #[cfg(any(test, not(discussions_sealed)))]
    pub async fn execute(
        &self,
        path: &Path,
        options: &RunOptions,
        observer: Observer<'_>,
        abort: Abort,
    ) -> Result<RunReport, WorkspaceError> {
        let workspace = self.workspace();
        workspace.place(path)?;
        let snapshot = workspace.snapshot(path)?;
        let mode = options.resolve(workspace, &snapshot)?;
        let context = self.context(path.to_owned(), options.clone(), abort);
        self.start(context, snapshot, mode, observer).await
    }

    /// Returns the state of a run that has not begun.
    pub(super) fn context(
        &self,
        path: PathBuf,
        options: RunOptions,
        abort: Abort,
    ) -> RunContext<'_> {
        let call_timeout = options.call_timeout.or(self.call_timeout);
        let options = RunOptions { call_timeout, ..options };
        RunContext::new(&self.providers, path, options, true, abort)
    }

    /// Takes the locks of a discussion, runs it, and records its result in its parent. `before` is the discussion when
    /// the run was prepared.
    pub(super) async fn start(
        &self,
        run: RunContext<'_>,
        before: Snapshot,
        mode: RunMode,
        observer: Observer<'_>,
    ) -> Result<RunReport, WorkspaceError> {
        let workspace = &self.providers.workspace;
        if let Some(turn) = mode.single_turn() {
            turn.ensure_asker(workspace)?;
        }
        let path = run.path.clone();
        workspace.place(&path)?;
        let _root = lock_root(workspace, &path, &before).await?;
        let _own = lock_run(workspace, &path).await?;
        let finished = run_locked(run, before.state.title.clone(), mode, observer).await?;
        record_in_parent(workspace, &path, finished.report.stopped).await?;
        Ok(finished.report)
    }
}

/// Runs a discussion; the caller holds its locks. Boxed, because it calls itself for sub-discussions.
fn run_locked<'r>(
    mut run: RunContext<'r>,
    topic: String,
    mut mode: RunMode,
    observer: Observer<'r>,
) -> Pin<Box<dyn Future<Output = Result<FinishedRun, WorkspaceError>> + Send + 'r>> {
    Box::pin(async move {
        let mut events = EventEmitter::new(&run, observer);
        events.emit(EventKind::DiscussionStart { topic });
        let stopped = match step_until_stopped(&mut run, &mut events, &mut mode).await {
            Ok(stopped) => stopped,
            Err(error) => {
                events.emit_error(&error);
                return Err(error);
            }
        };
        events.emit_end(stopped.code);
        let (workspace, path) = (Arc::clone(run.workspace()), run.path.clone());
        let summary = blocking(move || workspace.summarize(&path)).await;
        let mut finished = run.finish(stopped);
        finished.report.summary = summary;
        finished.report.person_votes = events.into_person_votes();
        Ok(finished)
    })
}

/// Takes one step after the other: read, decide, and append or ask.
async fn step_until_stopped(
    run: &mut RunContext<'_>,
    events: &mut EventEmitter<'_>,
    mode: &mut RunMode,
) -> Result<Stopped, WorkspaceError> {
    // A provider that does not exist is an error even if the run makes no call.
    if let Some(named) = &run.options.provider {
        run.providers.ensure_exists(named)?;
    }
    record_killed_calls(run).await?;
    let mut is_first = true;
    // The file with the lines that the last step appended, still locked.
    let mut appended = None;
    loop {
        if run.abort.is_set() {
            return Ok(StopCode::Aborted.into());
        }
        let locked = match appended.take() {
            Some(locked) => locked,
            None => {
                let Some(locked) = run.lock_file().await else {
                    return Ok(StopCode::Aborted.into());
                };
                locked?
            }
        };
        let (writer, snapshot) = locked;
        // Check trust and limits before the first call.
        if std::mem::replace(&mut is_first, false) {
            run.providers.ensure_trusted(&run.path, &snapshot, mode.request(), &run.options)?;
            run.apply_budget(&snapshot)?;
        }
        let stopped = match decide(run, events, mode, &snapshot)? {
            Next::Stop(code) => Some(code.into()),
            Next::Write(drafts) => {
                appended = run.append(writer, snapshot, drafts).await?;
                None
            }
            Next::Child(ChildStep::Open(spec)) => match open_child(run, &snapshot, &spec)? {
                Ok(drafts) => {
                    appended = run.append(writer, snapshot, drafts).await?;
                    None
                }
                Err(limit) => Some(limit.into()),
            },
            // The file's lock is free while a child, a command or a model runs.
            Next::Child(ChildStep::On(line)) => {
                drop(writer);
                run_child(run, events, &snapshot, &line.file).await?
            }
            Next::Tool => {
                drop(writer);
                run_phase_command(run, &snapshot).await?
            }
            Next::Ask(jobs) => {
                drop(writer);
                ask(run, events, jobs).await?
            }
        };
        if let Some(stopped) = stopped {
            return Ok(stopped);
        }
    }
}

/// Decides the next step and gathers everything that the step needs, so that running calls need
/// neither file nor snapshot.
fn decide(
    run: &mut RunContext<'_>,
    events: &mut EventEmitter<'_>,
    mode: &mut RunMode,
    snapshot: &Snapshot,
) -> Result<Next<Vec<Job>>, WorkspaceError> {
    events.emit_changes(run, snapshot);
    let next = mode.next(snapshot, &run.options)?;
    match &next {
        Next::Ask(_) => ensure_affordable(run, mode, snapshot, &[])?,
        Next::Write(drafts) => ensure_affordable(run, mode, snapshot, drafts)?,
        Next::Child(_) | Next::Tool | Next::Stop(_) => {}
    }
    Ok(match next {
        // A limit left no call for repair requests, so too few participants answered. Report that
        // limit as the reason.
        Next::Stop(StopCode::TooFewAnswers) if let Err(limit) = run.allowed_calls(1) => {
            Next::Stop(limit)
        }
        Next::Stop(code) => match snapshot.end_of_run(run.workspace().now()) {
            Some(end) => Next::Write(vec![Draft::Control(end)]),
            None => Next::Stop(code),
        },
        Next::Child(step) => Next::Child(step),
        Next::Tool => Next::Tool,
        Next::Write(drafts) => prepare_drafts(run, mode, snapshot, drafts)?,
        // A run asks a participant only once in a turn, even if the answer was changed or removed in the file.
        Next::Ask(aliases) if run.has_asked(snapshot, &aliases) => {
            Next::Stop(StopCode::NobodyToAsk)
        }
        Next::Ask(aliases) => match run.allowed_calls(aliases.len()) {
            Err(limit) => Next::Stop(limit),
            Ok(allowed) => Next::Ask(jobs(run, snapshot, &aliases[..allowed])?),
        },
    })
}

/// Adds the time to lines that the run is about to write. Stops before a turn that cannot be answered.
fn prepare_drafts(
    run: &RunContext<'_>,
    mode: &RunMode,
    snapshot: &Snapshot,
    mut drafts: Vec<Draft>,
) -> Result<Next<Vec<Job>>, WorkspaceError> {
    let workspace = run.workspace();
    let asker = mode.asker().filter(|asker| workspace.discussions().is_person(asker));
    for draft in &mut drafts {
        if let Draft::Comment(comment) = draft
            && Some(&comment.name) == asker
        {
            comment.said_at = Some(workspace.now());
        }
    }
    let opens = drafts.iter_mut().find_map(|draft| match draft {
        Draft::Control(Control::Turn(turn)) => Some(turn),
        _ => None,
    });
    if let Some(turn) = opens {
        if let Some(limit) = run.turn_limit() {
            return Ok(Next::Stop(limit));
        }
        turn.at = Some(workspace.now());
        // A turn needs at least one participant who can answer; the first turn of a whole discussion needs enough for
        // its result.
        let is_first = mode.is_run() && snapshot.state.turns.is_empty();
        let least = if is_first { snapshot.config.min_answers } else { 1 };
        run.providers.ensure_enough_can_answer(snapshot, &turn.asks, least, &run.options)?;
        // If the first turn asks fewer participants, as in a pattern with one author, the others
        // are asked later.
        if turn.asks.len() < least {
            let all = &snapshot.config.participants;
            run.providers.ensure_enough_can_answer(snapshot, all, least, &run.options)?;
        }
    }
    Ok(Next::Write(drafts))
}

/// Runs a sub-discussion to its end and records its result. Returns the reason to stop the run, or
/// `None` if the run continues.
async fn run_child(
    run: &mut RunContext<'_>,
    events: &mut EventEmitter<'_>,
    snapshot: &Snapshot,
    file: &ChildFile,
) -> Result<Option<Stopped>, WorkspaceError> {
    let workspace = run.workspace();
    let path = child_path(&run.path, file);
    if path.symlink_metadata().is_ok() {
        workspace.insist_on_child(&run.path, &path)?;
    } else if let Some(limit) = make_child(run, snapshot, file, &path)? {
        return Ok(Some(limit.into()));
    }
    let stopped = run_child_locked(run, events, path.clone()).await?;
    let limit = match stopped.code {
        StopCode::Finished | StopCode::Closed => None,
        StopCode::Aborted => return Ok(Some(StopCode::Aborted.into())),
        // The limits in the child's own head are reached, even if the parent may still spend. No
        // later run of the parent could finish the child, so the parent takes the unfinished result
        // and continues.
        limit
            if limit.is_limit()
                && stopped.within.is_none()
                && is_used_up(workspace, &path, limit, &run.remaining_options())? =>
        {
            Some(limit)
        }
        _ => return Ok(Some(stopped.in_child(workspace.exactly(&path)))),
    };
    let drafts = child_result(workspace, &path, file, limit)?;
    let Some(locked) = run.lock_file().await else { return Ok(Some(StopCode::Aborted.into())) };
    let (mut writer, now) = locked?;
    // Another run may have recorded the same result meanwhile.
    if now.state.open_child().is_some_and(|child| child.line.file == *file) {
        blocking(move || writer.append(&drafts)).await?;
    }
    Ok(None)
}

/// Runs a sub-discussion within the remaining limits of its parent's run.
async fn run_child_locked(
    run: &mut RunContext<'_>,
    events: &mut EventEmitter<'_>,
    path: PathBuf,
) -> Result<Stopped, WorkspaceError> {
    let _own = lock_run(run.workspace(), &path).await?;
    // Ignore an unreadable file here; the first step reports it.
    let topic = run.workspace().snapshot(&path).map(|read| read.state.title.clone());
    let (options, abort) = (run.remaining_options(), run.abort.clone());
    // The parent's check of the price covers its children.
    let child = RunContext::new(run.providers, path, options, false, abort);
    let topic = topic.unwrap_or_default();
    let mut finished = run_locked(child, topic, RunMode::run(), events.observer()).await?;
    events.add_person_votes(std::mem::take(&mut finished.report.person_votes));
    let (code, within) = (finished.report.stopped, finished.report.within.clone());
    run.add_child(finished);
    Ok(Stopped { code, within })
}
