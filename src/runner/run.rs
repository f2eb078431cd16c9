//! A turn or a run that goes on by itself, whoever looks at it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::aside::done;
use super::plan::Plan;
use super::{
    Abort, AbortHandle, Ask, CallOptions, RunOptions, RunReport, RunRequest, Runner, TurnOptions,
};
use crate::engine::TurnRequest;
use crate::provider::{Consents, Reach};
use crate::view::{Event, EventKind, Forecast, Foreign, Planned, Ran, Sight, Status};
use crate::workspace::{Question, Workspace, WorkspaceError};

/// A turn or a run that goes on by itself. Dropped, it goes on all the same; [`Run::abort_handle`] stops it.
pub struct Run {
    events: UnboundedReceiver<Event>,
    progress: watch::Receiver<Progress>,
    abort: AbortHandle,
    ended: JoinHandle<Result<RunReport, WorkspaceError>>,
    workspace: Arc<Workspace>,
}

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Turns that began.
    pub turns: u32,
    /// The phase of the last turn.
    pub phase: String,
    /// The number of participants in the last turn.
    pub asked: usize,
    /// How many of them answered, passed or failed.
    pub ended: usize,
    /// The participants that are answering, by alias, with their text so far.
    pub speaking: Vec<Speaking>,
}

/// A participant whose answer is not complete yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Speaking {
    /// The participant's alias.
    pub participant: String,
    /// The text so far. Only a complete answer counts.
    pub text: String,
}

impl Run {
    /// The next thing that happens; none when the run has ended.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// How far it is now.
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Stops it: running calls are killed, what was appended stays.
    pub fn abort_handle(&self) -> AbortHandle {
        self.abort.clone()
    }

    /// Waits for the end, and tells what it came to.
    ///
    /// # Errors
    /// Why the run could not begin or go on.
    pub async fn end(self) -> Result<Ran, WorkspaceError> {
        let report = done(self.ended.await).await?;
        let file = self.workspace.exactly(&report.file);
        let status = Status::of(&self.workspace.snapshot(&report.file)?, file);
        Ok(report.view(status))
    }
}

impl Workspace {
    /// Asks each participant of one turn once. `name` is a path or a bare name; what the project brought along is called
    /// only with consent. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// When there is no discussion of that name, or nobody called as is asked for; what goes wrong later is told at the
    /// run's end.
    pub fn turn(
        self: &Arc<Self>,
        name: &Path,
        ask: &Ask,
        consents: Consents,
    ) -> Result<Run, WorkspaceError> {
        let path = self.find(name)?;
        let options = ask.options(self, &self.snapshot(&path)?)?;
        Ok(self.runner(consents).start(Work::Turn(options), path))
    }

    /// Goes on turn by turn and phase by phase until nothing is left that a program can do, or a limit is reached.
    /// Otherwise as [`Workspace::turn`].
    ///
    /// # Errors
    /// As [`Workspace::turn`]; a number out of its bounds.
    pub fn run(
        self: &Arc<Self>,
        name: &Path,
        request: RunRequest,
        consents: Consents,
    ) -> Result<Run, WorkspaceError> {
        let path = self.find(name)?;
        Ok(self.runner(consents).start(Work::Run(request.options()?), path))
    }

    /// What [`Workspace::turn`] would do now. Nothing is written and nobody is asked.
    ///
    /// # Errors
    /// As [`Workspace::turn`], but for calls.
    pub fn plan(self: &Arc<Self>, name: &Path, ask: &Ask) -> Result<Planned, WorkspaceError> {
        let path = self.find(name)?;
        let options = ask.options(self, &self.snapshot(&path)?)?;
        let plan = self.runner(Consents::default()).plan(&path, &options)?;
        Ok(plan.view(self.exactly(&path)))
    }

    /// What the first turn of a question would do, and the file that would be made for it. Nothing is written and nobody
    /// is asked.
    ///
    /// # Errors
    /// As [`Workspace::question`], but for the file.
    pub fn plan_question(
        self: &Arc<Self>,
        question: &Question,
        provider: Option<&str>,
    ) -> Result<Planned, WorkspaceError> {
        let (path, text) = self.question_text(question)?;
        let ask = Ask { provider: provider.map(str::to_owned), ..Ask::default() };
        let before = self.exact_text(&path, &text)?;
        let plan =
            self.runner(Consents::default()).plan_of(&before, &ask.options(self, &before)?)?;
        let plan = Plan { appended: text + &plan.appended, ..plan };
        Ok(plan.view(self.exactly(&path)))
    }

    /// Refuses a question whose limit of money covers none of its first calls, before its file is made. What is wrong
    /// otherwise is left to [`Workspace::question`].
    ///
    /// # Errors
    /// No call fits into `request.max_usd`, or its price is not known.
    pub fn insist_affordable(
        self: &Arc<Self>,
        question: &Question,
        request: &RunRequest,
    ) -> Result<(), WorkspaceError> {
        let Some(limit) = request.max_usd else { return Ok(()) };
        let calls = request.clone().options()?.calls;
        let options = TurnOptions { calls, ..TurnOptions::default() };
        let runner = self.runner(Consents::default());
        let planned = self.question_text(question).and_then(|(path, text)| {
            let before = self.exact_text(&path, &text)?;
            let plan = runner.plan_of(&before, &options)?;
            Ok((before, plan.calls))
        });
        let Ok((before, planned)) = planned else { return Ok(()) };
        runner.insist_one_fits(&before, &planned, &options.calls, (limit, request.unpriced))
    }

    /// All that the project brought along and a turn may call, fallbacks included. Nothing is opened.
    ///
    /// # Errors
    /// As [`Workspace::plan`].
    pub fn needed_for_turn(
        self: &Arc<Self>,
        name: &Path,
        ask: &Ask,
    ) -> Result<Vec<Foreign>, WorkspaceError> {
        let path = self.find(name)?;
        let TurnOptions { request, calls, .. } = ask.options(self, &self.snapshot(&path)?)?;
        self.needed(&path, Some(&request), &calls)
    }

    /// The same for a run, for everybody who may be asked by what the file says now.
    ///
    /// # Errors
    /// As [`Workspace::plan`].
    pub fn needed_for_run(
        self: &Arc<Self>,
        name: &Path,
        request: &RunRequest,
    ) -> Result<Vec<Foreign>, WorkspaceError> {
        let path = self.find(name)?;
        self.needed(&path, None, &request.clone().options()?.calls)
    }

    /// Who speaks through what, by alias, where nobody chose and several vendors are dealt over the seats; else empty.
    ///
    /// # Errors
    /// A file that cannot be read, a definition that cannot be used.
    pub fn deal(
        self: &Arc<Self>,
        name: &Path,
        provider: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, WorkspaceError> {
        let calls = CallOptions { provider: provider.map(str::to_owned), ..CallOptions::default() };
        Runner::new(Arc::clone(self)).deal(&self.find(name)?, &calls)
    }

    /// How many calls a run makes where everybody is asked once, within its own limit of calls, and what they cost at most.
    ///
    /// # Errors
    /// A file that cannot be read, a number out of its bounds.
    pub fn forecast(
        self: &Arc<Self>,
        name: &Path,
        request: &RunRequest,
    ) -> Result<Forecast, WorkspaceError> {
        let options = request.clone().options()?;
        let path = self.find(name)?;
        let ahead = Runner::new(Arc::clone(self)).forecast(&path, &options.calls)?;
        let most = options.limits.max_calls;
        let calls_in_agreement = ahead.calls_in_agreement.min(most);
        Ok(Forecast { calls: ahead.calls.min(most), calls_in_agreement, ..ahead })
    }

    /// How many calls one turn makes, within its own limit of calls, and what they cost at most.
    ///
    /// # Errors
    /// As [`Workspace::plan`].
    pub fn forecast_turn(
        self: &Arc<Self>,
        name: &Path,
        ask: &Ask,
    ) -> Result<Forecast, WorkspaceError> {
        let path = self.find(name)?;
        let options = ask.options(self, &self.snapshot(&path)?)?;
        let ahead = Runner::new(Arc::clone(self)).forecast_turn(&path, &options)?;
        let most = options.max_calls.unwrap_or(u32::MAX);
        let calls_in_agreement = ahead.calls_in_agreement.min(most);
        Ok(Forecast { calls: ahead.calls.min(most), calls_in_agreement, ..ahead })
    }

    /// What each seat may look at besides its prompt, where a person allows the files of the project, the web, or both.
    ///
    /// # Errors
    /// A file that cannot be read, a definition that cannot be used.
    pub fn sight(
        self: &Arc<Self>,
        name: &Path,
        provider: Option<&str>,
        look: bool,
        web: bool,
    ) -> Result<Vec<Sight>, WorkspaceError> {
        let calls = CallOptions {
            provider: provider.map(str::to_owned),
            reach: Reach { look, web },
            ..CallOptions::default()
        };
        Runner::new(Arc::clone(self)).sight(&self.find(name)?, &calls)
    }

    fn needed(
        self: &Arc<Self>,
        path: &Path,
        request: Option<&TurnRequest>,
        calls: &CallOptions,
    ) -> Result<Vec<Foreign>, WorkspaceError> {
        let needed = self.runner(Consents::default()).needed(path, request, calls)?;
        Ok(needed.iter().map(|it| self.shown_foreign(&it.foreign, it.first)).collect())
    }

    fn runner(self: &Arc<Self>, consents: Consents) -> Runner {
        Runner::new(Arc::clone(self)).with_consents(consents)
    }
}

/// What is done.
enum Work {
    Turn(TurnOptions),
    Run(RunOptions),
}

impl Runner {
    fn start(self, work: Work, path: PathBuf) -> Run {
        let (sender, events) = unbounded_channel();
        let (told, progress) = watch::channel(Progress::default());
        let (abort, aborted) = Abort::new();
        let workspace = Arc::clone(&self.workspace);
        let ended = tokio::spawn(async move {
            let mut observe = |event: Event| {
                told.send_modify(|progress| progress.saw(&event));
                // Nobody looking is no reason to stop.
                let _ = sender.send(event);
            };
            match work {
                Work::Turn(options) => self.turn(&path, &options, &mut observe, aborted).await,
                Work::Run(options) => self.run(&path, &options, &mut observe, aborted).await,
            }
        });
        Run { events, progress, abort, ended, workspace }
    }
}

impl Progress {
    /// What an event changes.
    fn saw(&mut self, event: &Event) {
        let who = event.participant.clone().unwrap_or_default();
        match &event.kind {
            EventKind::TurnStart { phase, asks, .. } => {
                self.turns += 1;
                (self.phase, self.asked, self.ended) = (phase.clone(), asks.len(), 0);
            }
            EventKind::AnswerStart { .. } => {
                self.speaking.push(Speaking { participant: who, text: String::new() });
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = self.speaking.iter_mut().find(|one| one.participant == who) {
                    one.text.push_str(text);
                }
            }
            EventKind::AnswerEnd { .. } => {
                self.ended += 1;
                self.speaking.retain(|one| one.participant != who);
            }
            EventKind::TurnEnd { .. } => self.speaking.clear(),
            _ => {}
        }
    }
}
