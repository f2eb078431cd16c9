//! The tools that call models: they start or find a run, wait for it no longer than clients wait
//! for a tool, and return the status.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use discussions::runner::{RunEnd, RunHandle, RunOptions};
use discussions::view::visible_line;
use discussions::workspace::{Artifact, Question, Review, Sources, Workspace};
use rmcp::model::{InputRequiredResult, InputResponses};
use tokio::task::block_in_place;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::context::ServerContext;
use super::elicit::{self, Caller};
use super::results::{ToolResult, ToolState};
use super::run_results::{Earlier, came_to, running, running_elsewhere};
use super::status::{is_closed, is_record, standing, waits_for_a_change};
use super::tools::{self, Bounds, ContinueParams, DiscussParams};
use super::words;
use super::words::McpError;
use crate::cli::environment::CallingTurn;
use crate::cli::words::help::unused;

/// The longest wait in seconds. Codex stops a tool after 300 seconds, and progress messages do not extend that.
const LONGEST: u32 = 240;

/// The default waiting time in seconds for a client that takes no progress messages.
const SHORT: u32 = 50;

/// The default pattern of an agent's question. An agent wants a good answer, not a record of reasons.
const PATTERN: &str = "second-look";

/// The interval of progress messages while nothing happens.
const BEAT: Duration = Duration::from_secs(20);

/// The interval for checking if another program still runs the discussion.
const LOOK: Duration = Duration::from_millis(500);

/// The name of the calling agent as a participant: agents write `me`, files contain `agent`. No persona can be named
/// `me`.
const ME: &str = "me";
pub(super) const SEAT: &str = "agent";

/// Creates a discussion and runs it.
pub(super) async fn discuss(door: &ServerContext, asked: DiscussParams, caller: &Caller) -> Came {
    let bounds = asked.bounds();
    let (workspace, path, notes) = block_in_place(|| {
        let workspace = door.open_to_write()?;
        let seat = |who: String| if who.trim() == ME { SEAT.to_owned() } else { who };
        let pattern = asked.pattern.unwrap_or_else(|| PATTERN.to_owned());
        insist_on_options(&workspace, &pattern, &asked.options)?;
        let within = asked_in(door, &workspace, asked.within, asked.turn, asked.by)?;
        let question = Question {
            topic: asked.topic,
            pattern: Some(pattern),
            context: asked.context,
            participants: asked.participants.into_iter().map(seat).collect(),
            agents: vec![SEAT.to_owned()],
            rounds: asked.rounds,
            method: asked.consensus,
            options: asked.options,
            material: Sources { files: door.files(asked.files)?, diff: None },
            ..Question::default()
        };
        let question = CallingTurn::of(within, question);
        let left_out = workspace.left_out(&question.material)?;
        let prepared = workspace.discussions().question(&question)?;
        let path = real(&prepared.path);
        let unused = prepared.unused.iter().map(|one| unused(one, true));
        Ok::<_, McpError>((workspace, path, left_out.into_iter().chain(unused).collect()))
    })?;
    go(door, &workspace, &path, DiscussionOrigin::Here(notes), bounds, caller).await
}

/// Checks that a vote on a question has options of its own. Those that a pattern has by default judge a text.
fn insist_on_options(
    workspace: &Workspace,
    pattern: &str,
    options: &[String],
) -> Result<(), McpError> {
    let templates = workspace.templates();
    let is_needed = templates.iter().any(|one| one.id == pattern && one.needs_options);
    if !options.is_empty() || !is_needed {
        return Ok(());
    }
    let shown = visible_line(pattern);
    Err(McpError::input(format!("`{shown}` votes on fixed options, and there are none")).help(
        "give `options`, for example [\"keep it\", \"replace it\"]; each is one answer to `topic`",
    ))
}

/// Returns the parent of a sub-discussion: the one that the agent names, or the one that the server's environment
/// names.
fn asked_in(
    door: &ServerContext,
    workspace: &Workspace,
    within: Option<String>,
    turn: Option<u32>,
    by: Option<String>,
) -> Result<Option<CallingTurn>, McpError> {
    let asked = match (within, turn, by) {
        (None, None, None) => door.calling_turn(),
        (Some(file), Some(turn), Some(by)) => Some(CallingTurn { file: file.into(), turn, by }),
        _ => {
            return Err(McpError::input("`within`, `turn` and `as` must be given together")
                .help("give all three, or none"));
        }
    };
    let here = |asked: CallingTurn| {
        let file = door.find(workspace, &asked.file.to_string_lossy())?;
        Ok(CallingTurn { file, ..asked })
    };
    asked.map(here).transpose()
}

/// Creates the discussion of a review and runs it.
pub(super) async fn review(
    door: &ServerContext,
    asked: tools::ReviewParams,
    caller: &Caller,
) -> Came {
    let bounds = asked.bounds();
    let (workspace, path, notes) = block_in_place(|| {
        let workspace = door.open_to_write()?;
        let artifact = match (&asked.file, &asked.changes) {
            (Some(file), None) => Artifact::from(door.file(file)?),
            (None, Some(range)) => Artifact::from(range.clone()),
            (None, None) => {
                return Err(
                    McpError::input("nothing to review").help("give either `file` or `changes`")
                );
            }
            (Some(_), Some(_)) => {
                return Err(McpError::input("`file` and `changes` cannot be reviewed together")
                    .help("give one of them; `files` shows more files to the reviewers"));
            }
        };
        let material = Sources { files: door.files(asked.files)?, diff: None };
        let left_out = workspace.left_out(&material)?;
        let record = workspace.discussions().review(&Review {
            artifact,
            context: asked.context.as_deref().map(|file| door.file(file)).transpose()?,
            perspectives: asked.perspectives.clone(),
            pattern: asked.pattern,
            material,
            ..Review::default()
        })?;
        let mut notes = left_out;
        notes.extend(record.unused.iter().map(|one| unused(one, true)));
        let missing = record.missing.as_ref();
        notes.extend(
            missing
                .map(|file| format!("{file}: file not found; completeness will not be reviewed")),
        );
        let path = real(&record.path);
        match record.into_refused() {
            Some(error) => Err(error.into()),
            None => Ok((workspace, path, notes)),
        }
    })?;
    go(door, &workspace, &path, DiscussionOrigin::Here(notes), bounds, caller).await
}

/// Continues a discussion, or waits for its run.
pub(super) async fn go_on(door: &ServerContext, asked: ContinueParams, caller: &Caller) -> Came {
    let (workspace, path) = block_in_place(|| {
        let workspace = door.open_to_write()?;
        let path = door.find(&workspace, &asked.discussion)?;
        Ok::<_, McpError>((workspace, path))
    })?;
    // Without a change, the models would be paid for the same ballot again and again, and a record needs no model.
    let is_vain = asked.provider.is_none() && door.runs.get(&path).is_none();
    let waits = || -> Result<bool, McpError> {
        Ok(is_record(&workspace, &path)? || waits_for_a_change(&workspace, &path)?)
    };
    if is_vain && block_in_place(waits)? {
        let told = block_in_place(|| standing(&workspace, &path))?;
        return Ok(ToolOutcome::Told(Box::new(told)));
    }
    go(door, &workspace, &path, DiscussionOrigin::Before, asked.bounds(), caller).await
}

/// Continues after a question to a person, with the person's answer. The client repeats the original call, but nothing
/// is created again.
pub(super) async fn continue_with_answer(
    door: &ServerContext,
    handle: &str,
    responses: Option<&InputResponses>,
    bounds: Bounds,
    caller: &Caller,
) -> Came {
    let Some(pending) = door.questions.take(handle) else {
        return Err(McpError::input("this question is no longer open")
            .help("call `continue` with the discussion to get its open questions"));
    };
    let path = pending.path.clone();
    let workspace = block_in_place(|| {
        let workspace = door.open_to_write()?;
        pending.answer(&workspace, responses);
        Ok::<_, McpError>(workspace)
    })?;
    go(door, &workspace, &path, DiscussionOrigin::Answered, bounds, caller).await
}

/// Returns the waiting time of a call that names none. Many clients end a call after a minute, unless progress messages
/// extend that; this would stop the run.
fn default_wait(wants_progress: bool) -> u32 {
    if wants_progress { LONGEST } else { SHORT }
}

/// Returns the path under which a run is registered.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The origin of a discussion.
enum DiscussionOrigin {
    /// This call created it, with notes for the result. If its run cannot even start, the file is removed again.
    Here(Vec<String>),
    /// It existed before, so its file always stays.
    Before,
    /// It existed before, and this call has already asked a person.
    Answered,
}

/// The result of a call.
pub(super) enum ToolOutcome {
    /// The status of the discussion.
    Told(Box<ToolResult>),
    /// A question for the person who uses the client. The client repeats the call with the answer.
    Asks(InputRequiredResult),
}

/// The result of a call, or an error.
pub(super) type Came = Result<ToolOutcome, McpError>;

async fn go(
    door: &ServerContext,
    workspace: &Arc<Workspace>,
    path: &Path,
    begun: DiscussionOrigin,
    bounds: Bounds,
    caller: &Caller,
) -> Came {
    // Removes a new discussion and returns true, unless something was added to it in the meantime.
    let is_gone =
        || matches!(begun, DiscussionOrigin::Here(_)) && workspace.take_back(path).unwrap_or(false);
    let wait = bounds.wait.unwrap_or_else(|| default_wait(caller.wants_progress())).min(LONGEST);
    let until = Instant::now() + Duration::from_secs(wait.into());
    let most = door.allowed.max_calls;
    let limits_money = bounds.max_usd.is_some();
    // What the agent asked last, and the outcome until then: an old outcome is not the answer to it.
    let earlier = match begun {
        DiscussionOrigin::Here(_) => None,
        DiscussionOrigin::Before | DiscussionOrigin::Answered => {
            Some(block_in_place(|| Earlier::of(workspace, path))?)
        }
    };
    if let Some(provider) = &bounds.provider {
        block_in_place(|| {
            workspace.providers().insist_on_provider(provider).inspect_err(|_| {
                is_gone();
            })
        })?;
    }
    let request = RunOptions {
        provider: bounds.provider,
        max_calls: Some(bounds.max_calls.unwrap_or(most).min(most)),
        max_usd: bounds.max_usd,
        first: vec![SEAT.to_owned()],
        ..RunOptions::default()
    };
    let mut asked = matches!(begun, DiscussionOrigin::Answered);
    if block_in_place(|| is_closed(workspace, path))? {
        return closed(door, workspace, path, asked, until, caller).await;
    }
    loop {
        if !ran_elsewhere(door, workspace, path, until, caller).await {
            let told = block_in_place(|| running_elsewhere(workspace, path))?;
            return Ok(ToolOutcome::Told(Box::new(told)));
        }
        let going = match door.runs.get(path) {
            Some(going) => going,
            None => {
                block_in_place(|| door.runs.start(workspace, path, request.clone(), door.trust()))
                    .map_err(|error| {
                    block_in_place(is_gone);
                    if limits_money { error.with_own_limit() } else { error }
                })?
            }
        };
        let ended = wait_for_end(going.clone(), until, caller).await;
        // A user who cancels a call does not want to pay for its further model calls.
        if ended.is_none() && caller.is_gone() {
            going.abort();
        }
        let told = block_in_place(|| match ended {
            None => running(workspace, path, &going),
            Some(ended) => match &*ended {
                Ok(ran) => {
                    came_to(workspace, path, ran, limits_money).and_then(|told| match &earlier {
                        Some(earlier) => earlier.answered(workspace, path, told),
                        None => Ok(told),
                    })
                }
                Err(error) => {
                    let told =
                        if is_gone() { ToolResult::default() } else { standing(workspace, path)? };
                    let error = McpError::from(error);
                    let error = if limits_money { error.with_own_limit() } else { error };
                    Ok(ToolResult { state: ToolState::Failed, error: Some(error), ..told })
                }
            },
        })?;
        // At most one question per call. Otherwise the server would ask a person again and again if the discussion
        // still waits for people after the answer.
        let wanted = told.state == ToolState::People && !std::mem::replace(&mut asked, true);
        if wanted && elicit::ask_person(workspace, path, caller, until).await {
            continue;
        }
        if wanted && let Some(question) = door.questions.put(workspace, path, caller) {
            return Ok(ToolOutcome::Asks(question));
        }
        let notes = match begun {
            DiscussionOrigin::Here(notes) => notes,
            DiscussionOrigin::Before | DiscussionOrigin::Answered => Vec::new(),
        };
        return Ok(ToolOutcome::Told(
            ToolResult { notes: [notes, told.notes].concat(), ..told }.into(),
        ));
    }
}

/// Returns the result for a closed discussion, which no run can continue. A person who was asked afterwards may answer.
async fn closed(
    door: &ServerContext,
    workspace: &Workspace,
    path: &Path,
    was_asked: bool,
    until: Instant,
    caller: &Caller,
) -> Came {
    let told = block_in_place(|| standing(workspace, path))?;
    if told.state != ToolState::People || was_asked {
        return Ok(ToolOutcome::Told(told.into()));
    }
    if elicit::ask_person(workspace, path, caller, until).await {
        return Ok(ToolOutcome::Told(block_in_place(|| standing(workspace, path))?.into()));
    }
    match door.questions.put(workspace, path, caller) {
        Some(question) => Ok(ToolOutcome::Asks(question)),
        None => Ok(ToolOutcome::Told(told.into())),
    }
}

/// Waits until no other program runs the discussion. Returns false if the time is up or the client is gone before.
async fn ran_elsewhere(
    door: &ServerContext,
    workspace: &Workspace,
    path: &Path,
    until: Instant,
    caller: &Caller,
) -> bool {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The check comes before the time limit, so that a run also starts with a waiting time of 0.
    while door.runs.get(path).is_none()
        && block_in_place(|| workspace.discussions().is_running(path))
    {
        tokio::select! {
            () = sleep_until(until) => return false,
            () = caller.wait_gone() => return false,
            _ = beat.tick() => caller.progress("another program is running it").await,
            () = sleep(LOOK) => {}
        }
    }
    true
}

/// Waits for the end of a run and sends progress messages. Returns `None` if the time is up or the client is gone.
async fn wait_for_end(going: RunHandle, until: Instant, caller: &Caller) -> Option<RunEnd> {
    let mut events = going.events();
    // The first tick comes at once, so that the client learns the progress immediately.
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let glance = going.clone();
        tokio::select! {
            biased;
            Ok(event) = events.recv() => if let Some(sentence) = words::event(&event) {
                caller.progress(&sentence).await;
            },
            ended = going.ended() => return ended,
            () = sleep_until(until) => return None,
            () = caller.wait_gone() => return None,
            _ = beat.tick() => {
                let far = glance.progress();
                let sentence = match far.asked {
                    // There is nothing to count before the first turn.
                    0 => "the run is starting".to_owned(),
                    asked => format!("{}: {} of {asked} answered", far.phase, far.ended),
                };
                caller.progress(&sentence).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_without_progress_returns_within_a_minute() {
        assert_eq!((default_wait(true), default_wait(false)), (LONGEST, SHORT));
        const { assert!(SHORT < 60 && LONGEST < 300) };
    }
}
