//! The tools that ask models: they begin or find a run, wait for it as long as clients do, and tell what is there.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use discussions::codes::StopCode;
use discussions::runner::{Ended, RunHandle, RunRequest};
use discussions::view::Ran;
use discussions::workspace::{Artifact, Question, Review, Sources, Workspace};
use rmcp::model::{InputRequiredResult, InputResponses};
use tokio::task::block_in_place;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::asked::{self, Bounds, Continue, Discuss};
use super::door::Door;
use super::elicit::{self, Caller};
use super::look::{said_last, standing};
use super::told::{State, Told};
use super::trouble::Trouble;
use super::words;
use crate::cli::surroundings::Asked;

/// Codex gives a tool 300 seconds, and no sign of life makes them more.
const LONGEST: u32 = 240;

/// How often a sign of life is given where nothing happens.
const BEAT: Duration = Duration::from_secs(20);

/// How often it is looked whether another program still runs it.
const LOOK: Duration = Duration::from_millis(500);

/// What agents call their own seat, and the name under which it stands in files: `me` is nobody's name.
const ME: &str = "me";
pub(super) const SEAT: &str = "agent";

/// Makes a discussion and runs it.
pub(super) async fn discuss(door: &Door, asked: Discuss, caller: &Caller) -> Came {
    let bounds = asked.bounds();
    let (workspace, path, notes) = block_in_place(|| {
        let workspace = door.open_to_write()?;
        let seat = |who: String| if who.trim() == ME { SEAT.to_owned() } else { who };
        let within = asked_in(door, &workspace, asked.within, asked.turn, asked.by)?;
        let question = Question {
            topic: asked.topic,
            pattern: asked.pattern,
            context: asked.context,
            participants: asked.participants.into_iter().map(seat).collect(),
            agents: vec![SEAT.to_owned()],
            rounds: asked.rounds,
            method: asked.consensus,
            options: asked.options,
            material: Sources { files: door.files(asked.files)?, diff: None },
            ..Question::default()
        };
        let question = Asked::of(within, question);
        let left_out = workspace.left_out(&question.material)?;
        let prepared = workspace.question(&question)?;
        let path = real(&prepared.path);
        let unused = prepared.unused.iter().map(words::unused);
        Ok::<_, Trouble>((workspace, path, left_out.into_iter().chain(unused).collect()))
    })?;
    go(door, &workspace, &path, Begun::Here(notes), bounds, caller).await
}

/// Who opens a discussion within another one: as they say, else as who started this server was told.
fn asked_in(
    door: &Door,
    workspace: &Workspace,
    within: Option<String>,
    turn: Option<u32>,
    by: Option<String>,
) -> Result<Option<Asked>, Trouble> {
    let asked = match (within, turn, by) {
        (None, None, None) => door.asked(),
        (Some(file), Some(turn), Some(by)) => Some(Asked { file: file.into(), turn, by }),
        _ => {
            return Err(Trouble::input("`within`, `turn` and `as` must be given together")
                .help("give all three, or none"));
        }
    };
    let here = |asked: Asked| {
        let file = door.find(workspace, &asked.file.to_string_lossy())?;
        Ok(Asked { file, ..asked })
    };
    asked.map(here).transpose()
}

/// Makes the record of a review and runs it.
pub(super) async fn review(door: &Door, asked: asked::Review, caller: &Caller) -> Came {
    let bounds = asked.bounds();
    let (workspace, path, notes) = block_in_place(|| {
        let workspace = door.open_to_write()?;
        let artifact = match (&asked.file, &asked.changes) {
            (Some(file), None) => Artifact::from(door.file(file)?),
            (None, Some(range)) => Artifact::from(range.clone()),
            _ => {
                return Err(
                    Trouble::input("nothing to review").help("give either `file` or `changes`")
                );
            }
        };
        let material = Sources { files: door.files(asked.files)?, diff: None };
        let left_out = workspace.left_out(&material)?;
        let record = workspace.review(&Review {
            artifact,
            context: asked.context.as_deref().map(|file| door.file(file)).transpose()?,
            perspectives: asked.perspectives,
            material,
            ..Review::default()
        })?;
        let mut notes = left_out;
        notes.extend(record.unused.iter().map(words::unused));
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
    go(door, &workspace, &path, Begun::Here(notes), bounds, caller).await
}

/// Goes on with a discussion, or waits for the run that goes on.
pub(super) async fn go_on(door: &Door, asked: Continue, caller: &Caller) -> Came {
    let (workspace, path) = block_in_place(|| {
        let workspace = door.open_to_write()?;
        let path = door.find(&workspace, &asked.discussion)?;
        if door.runs.get(&path).is_none() && !workspace.is_running(&path) {
            workspace.insist_open(&path)?;
        }
        Ok::<_, Trouble>((workspace, path))
    })?;
    go(door, &workspace, &path, Begun::Before, asked.bounds(), caller).await
}

/// Goes on where a person was asked by the result of a call, with what they said. The call is the same again, and makes
/// nothing anew.
pub(super) async fn answered(
    door: &Door,
    handle: &str,
    responses: Option<&InputResponses>,
    bounds: Bounds,
    caller: &Caller,
) -> Came {
    let Some(pending) = door.questions.take(handle) else {
        return Err(Trouble::input("this question is no longer open")
            .help("call `continue` with the discussion to get its open questions"));
    };
    let path = pending.path.clone();
    let workspace = block_in_place(|| {
        let workspace = door.open_to_write()?;
        pending.answer(&workspace, responses);
        Ok::<_, Trouble>(workspace)
    })?;
    go(door, &workspace, &path, Begun::Answered, bounds, caller).await
}

/// The path as a run is known by.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Where a discussion comes from.
enum Begun {
    /// This call made it, with notes about that: where nobody could even be asked, nothing of it is left behind.
    Here(Vec<String>),
    /// It was there before, and stays whatever happens.
    Before,
    /// The same, and a person was asked in it by this call already.
    Answered,
}

/// What comes of a call.
pub(super) enum Outcome {
    /// What there is.
    Told(Box<Told>),
    /// A question to the person behind the client, who makes the call again with the answer.
    Asks(InputRequiredResult),
}

/// What comes of a call, or what went wrong.
pub(super) type Came = Result<Outcome, Trouble>;

async fn go(
    door: &Door,
    workspace: &Arc<Workspace>,
    path: &Path,
    begun: Begun,
    bounds: Bounds,
    caller: &Caller,
) -> Came {
    // What somebody said in it meanwhile stays.
    let is_gone = || matches!(begun, Begun::Here(_)) && workspace.take_back(path).unwrap_or(false);
    let wait = bounds.wait.unwrap_or(LONGEST).min(LONGEST);
    let until = Instant::now() + Duration::from_secs(wait.into());
    let most = door.allowed.max_calls;
    if let Some(provider) = &bounds.provider {
        block_in_place(|| {
            workspace.insist_on_provider(provider).inspect_err(|_| {
                is_gone();
            })
        })?;
    }
    let request = RunRequest {
        provider: bounds.provider,
        max_calls: Some(bounds.max_calls.unwrap_or(most).min(most)),
        max_usd: bounds.max_usd,
        first: vec![SEAT.to_owned()],
        ..RunRequest::default()
    };
    let mut asked = matches!(begun, Begun::Answered);
    loop {
        if !ran_elsewhere(door, workspace, path, until, caller).await {
            let told = block_in_place(|| elsewhere(workspace, path))?;
            return Ok(Outcome::Told(Box::new(told)));
        }
        let going = match door.runs.get(path) {
            Some(going) => going,
            None => {
                block_in_place(|| door.runs.start(workspace, path, request.clone(), door.trust()))
                    .inspect_err(|_| {
                    block_in_place(is_gone);
                })?
            }
        };
        let ended = waited(going.clone(), until, caller).await;
        // Whoever cancels a call does not want to pay for what it would still ask.
        if ended.is_none() && caller.is_gone() {
            going.abort();
        }
        let told = block_in_place(|| match ended {
            None => running(workspace, path, &going),
            Some(ended) => match &*ended {
                Ok(ran) => came_to(workspace, path, ran),
                Err(error) => {
                    let told = if is_gone() { Told::default() } else { standing(workspace, path)? };
                    Ok(Told { state: State::Failed, error: Some(error.into()), ..told })
                }
            },
        })?;
        // One question a call: who does not answer it so that it goes on is not asked without end.
        let wanted = told.state == State::People && !std::mem::replace(&mut asked, true);
        if wanted && elicit::answered(workspace, path, caller, until).await {
            continue;
        }
        if wanted && let Some(question) = door.questions.put(workspace, path, caller) {
            return Ok(Outcome::Asks(question));
        }
        let notes = match begun {
            Begun::Here(notes) => notes,
            Begun::Before | Begun::Answered => Vec::new(),
        };
        return Ok(Outcome::Told(Told { notes: [notes, told.notes].concat(), ..told }.into()));
    }
}

/// Waits until no other program runs it; whether none does.
async fn ran_elsewhere(
    door: &Door,
    workspace: &Workspace,
    path: &Path,
    until: Instant,
    caller: &Caller,
) -> bool {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Whoever waits no time at all has it begun all the same.
    while door.runs.get(path).is_none() && block_in_place(|| workspace.is_running(path)) {
        tokio::select! {
            () = sleep_until(until) => return false,
            () = caller.gone() => return false,
            _ = beat.tick() => caller.progress("another program is running it").await,
            () = sleep(LOOK) => {}
        }
    }
    true
}

/// Where a discussion stands that another program runs.
pub(super) fn elsewhere(workspace: &Workspace, path: &Path) -> Result<Told, Trouble> {
    let told = standing(workspace, path)?;
    Ok(Told {
        state: State::Running,
        so_far: said_last(workspace, path)?,
        next: vec![format!("call `continue` with discussion {} to wait for it", told.file)],
        ..told
    })
}

/// Waits for the end, and tells meanwhile what happens; none where the time is up first, or nobody waits any more.
async fn waited(going: RunHandle, until: Instant, caller: &Caller) -> Option<Ended> {
    let mut events = going.events();
    // The first tick is at once: whoever waits is told where it stands.
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
            () = caller.gone() => return None,
            _ = beat.tick() => {
                let far = glance.progress();
                let sentence = match far.asked {
                    // Before the first turn there is nothing to count.
                    0 => "the run is starting".to_owned(),
                    asked => format!("{}: {} of {asked} answered", far.phase, far.ended),
                };
                caller.progress(&sentence).await;
            }
        }
    }
}

fn running(workspace: &Workspace, path: &Path, going: &RunHandle) -> Result<Told, Trouble> {
    let far = going.progress();
    let told = standing(workspace, path)?;
    Ok(Told {
        state: State::Running,
        answered: Some(far.ended),
        of: Some(far.asked),
        so_far: said_last(workspace, path)?,
        next: vec![format!("call `continue` with discussion {} to wait for it", told.file)],
        ..told
    })
}

/// What there is when a run has ended.
fn came_to(workspace: &Workspace, path: &Path, ran: &Ran) -> Result<Told, Trouble> {
    let told = standing(workspace, path)?;
    if told.state == State::YourTurn {
        return Ok(told);
    }
    let result = workspace.outcome(path, Ok(ran.stopped))?;
    let mut told = told;
    told.notes.extend(
        ran.person_votes
            .iter()
            .map(|(name, vote)| format!("{name} voted {vote} while models were answering")),
    );
    told.state = match ran.stopped {
        stopped if stopped.is_for_person() => State::People,
        stopped if stopped.is_limit() => State::Open,
        StopCode::Aborted => State::Open,
        _ => State::Done,
    };
    if let Some(error) = result.error.filter(|_| told.state != State::People) {
        let trouble = Trouble::new(error.code, error.message);
        let help = match ran.stopped {
            StopCode::MaxUsd => Some("a person can restart the server with a higher --max-usd"),
            StopCode::Unpriced => Some("a person can set `price` in providers.yaml"),
            StopCode::MaxCalls | StopCode::Timeout => Some("`continue` to go on"),
            _ => None,
        };
        match help {
            Some(help) => told.error = Some(trouble.help(help)),
            None if error.code.is_shortage() => told.error = Some(trouble),
            // No consensus is an outcome too.
            None => told.notes.push(trouble.message),
        }
        // A run that used up its calls or its time can go on.
        let goes_on = matches!(ran.stopped, StopCode::MaxCalls | StopCode::Timeout);
        if told.error.is_some() && !goes_on {
            told.state = State::Failed;
        }
    }
    Ok(told)
}
