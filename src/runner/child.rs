//! Sub-discussions: their locks, how one is opened, and how its result is recorded in its parent.

use std::path::Path;
use std::sync::Arc;

use super::blocking::blocking;
use super::context::RunContext;
use super::options::RunOptions;
use crate::codes::{ErrorCode, StopCode};
use crate::engine::{ChildSpec, Snapshot, reported};
use crate::store::{RunLock, StoreError};
use crate::transcript::{ChildEnd, ChildFile, ChildLine, Control, Draft, Usd, inline};
use crate::view::ResultDocument;
use crate::workspace::{Ancestor, NoRoom, Within, Workspace, WorkspaceError};

/// The status of a sub-discussion that a participant asked for and that could not be opened.
const REFUSED: &str = "REFUSED";

impl From<NoRoom> for StopCode {
    fn from(why: NoRoom) -> Self {
        match why {
            NoRoom::Time => Self::Timeout,
            NoRoom::Calls => Self::MaxCalls,
            NoRoom::Usd => Self::MaxUsd,
        }
    }
}

/// Locks the root of a tree of discussions: only one discussion of a tree runs at a time, so that no call or cost is
/// counted twice against their common budget. If the parent's run waits for this discussion, that run holds the root's
/// lock, so this function takes the root's second lock.
pub(super) async fn lock_root(
    workspace: &Arc<Workspace>,
    path: &Path,
    snapshot: &Snapshot,
) -> Result<Option<RunLock>, WorkspaceError> {
    if snapshot.transcript.head.as_ref().is_none_or(|head| head.parent.is_none()) {
        return Ok(None);
    }
    let chain = workspace.chain(path, snapshot)?;
    let Some(root) = chain.last().map(|root| root.path.clone()) else { return Ok(None) };
    let parent_waits = chain.get(1).is_some_and(|parent| parent.waits_for(&chain[0]));
    let workspace = Arc::clone(workspace);
    let taken = blocking(move || {
        workspace.open_with(&root, |root| match RunLock::take(root) {
            Err(StoreError::Running { .. }) if parent_waits => RunLock::take_within(root),
            taken => taken,
        })
    });
    Ok(Some(taken.await?))
}

/// Takes a discussion's own run lock.
pub(super) async fn lock_run(
    workspace: &Arc<Workspace>,
    path: &Path,
) -> Result<RunLock, WorkspaceError> {
    let (workspace, path) = (Arc::clone(workspace), path.to_owned());
    blocking(move || workspace.open_with(&path, RunLock::take)).await
}

/// Records the result of a finished sub-discussion in its parent, if a participant of the parent opened it, because
/// that participant needs the result for its answer.
pub(super) async fn record_in_parent(
    workspace: &Arc<Workspace>,
    path: &Path,
    stopped: StopCode,
) -> Result<(), WorkspaceError> {
    if !matches!(stopped, StopCode::Finished | StopCode::Closed) {
        return Ok(());
    }
    let snapshot = workspace.snapshot(path)?;
    let chain = workspace.chain(path, &snapshot)?;
    let [own, parent, ..] = &chain[..] else { return Ok(()) };
    let line = parent.line_of(own).filter(|line| line.by.is_some());
    let Some(file) = line.map(|line| line.file.clone()) else { return Ok(()) };
    let above = parent.path.clone();
    let drafts = child_result(workspace, path, &file, None)?;
    let workspace = Arc::clone(workspace);
    blocking(move || {
        let mut writer = workspace.writer(&above)?;
        let now = workspace.exact(&writer.read()?)?;
        // Another run may have recorded the same result meanwhile.
        if now.state.is_open(&file) {
            writer.append(&drafts)?;
        }
        Ok(())
    })
    .await
}

/// Returns the lines that open a sub-discussion, or the limit that forbids it. If a participant asked for it and it
/// cannot be opened, returns lines that record a refusal instead: a model's request must not stop a discussion.
pub(super) fn open_child(
    run: &RunContext<'_>,
    snapshot: &Snapshot,
    spec: &ChildSpec,
) -> Result<Result<Vec<Draft>, StopCode>, WorkspaceError> {
    if let Some(limit) = run.turn_limit() {
        return Ok(Err(limit));
    }
    let workspace = run.workspace();
    let chain = workspace.chain(&run.path, snapshot)?;
    let file = workspace
        .child_file(&chain[0], spec)
        .ok_or_else(|| WorkspaceError::other_file(&spec.topic, &workspace.shown_path(&run.path)))?;
    let (turn, by) = (spec.turn, spec.by.clone());
    let at = Some(workspace.now());
    let line = ChildLine { turn, by, file: file.clone(), at };
    let start = Draft::Control(Control::Child(line));
    let why = match check_child(run, &chain, spec) {
        Ok(Ok(())) => return Ok(Ok(vec![start])),
        Ok(Err(why)) if spec.by.is_none() => return Ok(Err(why.into())),
        Err(error) if spec.by.is_none() => return Err(error),
        Ok(Err(why)) => why.to_string(),
        Err(error) => error.to_string(),
    };
    let end = ChildEnd { file, calls: 0, usd: None, status: REFUSED.to_owned() };
    let text = format!("**{}** was not discussed: {}", inline(&spec.topic), inline(&why));
    Ok(Ok([start, Draft::Control(Control::ChildEnd(end))]
        .into_iter()
        .chain(reported(text))
        .collect()))
}

/// Checks that a sub-discussion can be created and has a budget.
fn check_child(
    run: &RunContext<'_>,
    chain: &[Ancestor],
    spec: &ChildSpec,
) -> Result<Result<(), NoRoom>, WorkspaceError> {
    let within = child_budget(run, chain, spec)?;
    // Refuse before the file says that the sub-discussion began.
    let workspace = run.workspace();
    workspace.child_text(&chain[0], spec, &within)?;
    Ok(within.insist_on_room(workspace.now()))
}

/// Returns true if a limit in the discussion's own head stopped it for good. If only a limit of this run stopped it,
/// the next run continues it.
pub(super) fn is_used_up(
    workspace: &Workspace,
    path: &Path,
    limit: StopCode,
    left: &RunOptions,
) -> Result<bool, WorkspaceError> {
    let own = workspace.own_budget(path, &workspace.exact_at(path)?)?;
    Ok(match limit {
        StopCode::MaxCalls => own.calls == Some(0),
        StopCode::MaxUsd => {
            let run = left.max_usd.unwrap_or(f64::INFINITY);
            own.usd.is_some_and(|own| own <= run)
        }
        StopCode::Timeout => own.until.is_some_and(|until| until <= workspace.now()),
        _ => false,
    })
}

/// Creates the file of a sub-discussion. Returns the limit that forbids it.
pub(super) fn make_child(
    run: &RunContext<'_>,
    snapshot: &Snapshot,
    file: &ChildFile,
    path: &Path,
) -> Result<Option<StopCode>, WorkspaceError> {
    let workspace = run.workspace();
    let child = snapshot.state.children.iter().find(|child| child.line.file == *file);
    let spec = child.map(|child| snapshot.spec_of(child)).transpose()?.flatten();
    // Its question is recorded nowhere else.
    let spec = spec.ok_or_else(|| {
        let (file, parent) = (workspace.shown_path(path), workspace.shown_path(&run.path));
        WorkspaceError::refuse(format!(
            "{file}: this sub-discussion of {parent} is missing; put it back"
        ))
        .with_code(ErrorCode::InvalidState)
    })?;
    let chain = workspace.chain(&run.path, snapshot)?;
    let within = child_budget(run, &chain, &spec)?;
    if let Err(why) = within.insist_on_room(workspace.now()) {
        return Ok(Some(why.into()));
    }
    let text = workspace.child_text(&chain[0], &spec, &within)?;
    workspace.make_child(&run.path, file, &text)?;
    Ok(None)
}

/// Returns the budget of a sub-discussion: the rest of its parent's budget, minus the parent's own needs.
fn child_budget(
    run: &RunContext<'_>,
    chain: &[Ancestor],
    spec: &ChildSpec,
) -> Result<Within, WorkspaceError> {
    let (workspace, budget) = (run.workspace(), run.remaining_budget());
    let parent = &chain[0].snapshot;
    let child = workspace.sketch(parent, spec).ok();
    let own = Workspace::calls_kept(parent, child.as_ref(), &budget)?;
    workspace.plan_child(chain, spec, &budget, own)
}

/// Returns the lines that record a sub-discussion's result in its parent. `limit`: the limit at which it ended.
pub(super) fn child_result(
    workspace: &Workspace,
    path: &Path,
    file: &ChildFile,
    limit: Option<StopCode>,
) -> Result<Vec<Draft>, WorkspaceError> {
    let snapshot = workspace.exact_at(path)?;
    let cost = workspace.tree_cost(path, &snapshot);
    let status = snapshot.outcome().status;
    let usd = Usd { amount: cost.usd, estimated: cost.estimated };
    let end = ChildEnd {
        file: file.clone(),
        calls: cost.calls,
        usd: Some(usd).filter(|usd| usd.amount > 0.0),
        status: status.as_str().to_owned(),
    };
    let shown = workspace.exactly(path);
    let result = ResultDocument::of(&snapshot, &shown)?;
    let outcome = result.outcome();
    let words = if outcome.text.trim().is_empty() {
        snapshot.synthesis().unwrap_or_default()
    } else {
        outcome.text.clone()
    };
    let mut text = format!(
        "**{}** was discussed in `{file}`: {}.",
        inline(&snapshot.state.title),
        status.as_str()
    );
    if let Some(limit) = limit {
        let what = match limit {
            StopCode::MaxCalls => "calls",
            StopCode::Timeout => "time",
            _ => "money",
        };
        text.push_str(&format!(" It ended at its limit of {what}, before its last phase."));
    }
    let decision = outcome.facts.decision.as_deref().filter(|decision| !words.contains(decision));
    let parts = decision.into_iter().chain([words.as_str()]).map(str::trim);
    for part in parts.filter(|part| !part.is_empty()) {
        text = format!("{text}\n\n{part}");
    }
    if !outcome.conditions.is_empty() {
        text.push_str("\n\nConditions:\n");
        for one in &outcome.conditions {
            text.push_str(&format!("\n- {} ({}): {}", one.participant, one.vote, one.text));
        }
    }
    let mut drafts = vec![Draft::Control(Control::ChildEnd(end))];
    drafts.extend(reported(text));
    Ok(drafts)
}
