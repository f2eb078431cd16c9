//! The tools that only read: they change nothing and call no model.

use std::path::{Path, PathBuf};

use discussions::view::{DecisionStatus, Kind, ResultDocument, Shown, Why, YourTurn};
use discussions::workspace::Workspace;
use tokio::task::block_in_place;

use super::context::ServerContext;
use super::decisions::ToolDecision;
use super::results::{
    Against, Count, Listing, ToolComment, ToolFinding, ToolPlace, ToolPlaces, ToolResult, ToolRow,
    ToolState, clip, clip_front,
};
use super::run::SEAT;
use super::tools::{ListParams, RecallParams, SearchParams, Show};
use super::words::McpError;
use crate::cli::words::{review_day, steps};

/// The maximum length of the discussion's text in a participant's prompt, in characters.
const RECORD: usize = 26_000;
/// The maximum length of one comment in a running discussion, in characters.
const SAID: usize = 600;
/// The number of last comments to show.
const LAST: usize = 6;
/// The maximum length of one comment that the client asked for with `since`, in characters.
const WHOLE: usize = 8_000;
/// The maximum number of search results and rows.
const ROWS: usize = 50;

/// Returns the status and outcome of a discussion.
pub(super) fn standing(workspace: &Workspace, path: &Path) -> Result<ToolResult, McpError> {
    let status = workspace.discussions().status(path)?;
    let result = workspace.discussions().result(path)?;
    let outcome = result.outcome();
    let is_over = status.next.iter().any(|step| matches!(step.why, Why::Finished | Why::Closed));
    let mut told = ToolResult {
        state: if is_over { ToolState::Done } else { ToolState::Open },
        file: status.file.clone(),
        title: status.title.clone(),
        phase: status.phase_title.clone(),
        outcome: outcome.text_alone(),
        decision: outcome.facts.decision.clone(),
        standing: Some(outcome.facts.standing.as_str()),
        in_force: Some(outcome.facts.in_force),
        decided_by: outcome.facts.decided_by.clone(),
        decisions: (outcome.facts.decisions.iter())
            .map(|one| ToolDecision {
                number: one.label(),
                text: one.text.clone(),
                who: one.author.clone(),
                state: one.state.as_str(),
                by: one.by.clone(),
                words: one.words().to_owned(),
            })
            .collect(),
        words: outcome.facts.words().to_owned(),
        // A text that was not voted on is an outcome, but not consensus.
        consensus: Some(status.consensus.reached && !status.consensus.by_text),
        tally: (status.tally.iter())
            .filter(|_| status.tally.values().any(|votes| *votes > 0))
            .map(|(option, votes)| Count { option: option.clone(), votes: *votes })
            .collect(),
        dissent: (outcome.dissent.iter())
            .map(|one| Against {
                who: one.participant.clone(),
                vote: one.vote_in_words(),
                why: one.text.clone(),
            })
            .collect(),
        open_questions: outcome.open_questions.iter().map(ToolResult::question).collect(),
        tasks: outcome.tasks.iter().map(|task| task.text.clone()).collect(),
        notes: (status.failures.iter())
            .map(|failed| format!("{} could not answer: {}", failed.participant, failed.message))
            .chain(status.facts().into_iter().map(|(fact, _)| fact))
            .chain(status.notes.lines())
            .collect(),
        next: status.next.iter().map(steps::for_agent).collect(),
        ..ToolResult::default()
    };
    told = told.with_cost(&status.cost);
    match &result {
        ResultDocument::Review(review) => {
            told.outcome = review.page();
            told.verdict.clone_from(&review.verdict);
        }
        ResultDocument::Discussion(result) => {
            let review = &result.review;
            told.findings = (review.findings.iter())
                .map(|one| {
                    let state = one.state.as_str();
                    let is_shown = one.is_declined() || state == "open";
                    ToolFinding {
                        number: one.number,
                        who: one.name.clone(),
                        state,
                        quote: if is_shown { one.quote.clone() } else { one.short_quote() },
                        proof: is_shown.then(|| one.proof.clone()),
                        instead: is_shown.then(|| one.instead.clone()),
                        at: one.place(),
                    }
                })
                .collect();
            told.revision = review.revision.as_ref().map(|revision| revision.diff.clone());
            told.notes.extend(review.opinion_note().map(str::to_owned));
        }
    }
    match workspace.discussions().your_turn(path, SEAT)? {
        Some(turn) => Ok(add_turn(told, turn)),
        None => Ok(told),
    }
}

/// Returns the prompt for the caller as a participant. If the discussion is too long, it includes only the end of it.
fn add_turn(told: ToolResult, turn: YourTurn) -> ToolResult {
    let prompt = format!("{}{}", clip_front(&turn.record, RECORD), turn.task);
    ToolResult {
        state: ToolState::YourTurn,
        seat: turn.participant,
        phase: turn.phase,
        prompt,
        options: turn.options,
        next: vec!["answer `prompt` with `say`, then `continue`".to_owned()],
        ..told
    }
}

/// Returns the comments that the caller may see as a participant.
fn visible_comments(shown: &Shown, turn: Option<&YourTurn>, since: usize) -> Vec<ToolComment> {
    let hidden = |line: usize| turn.is_some_and(|turn| turn.unseen && line >= turn.line);
    let entries = shown.entries.iter().enumerate().filter(|(_, entry)| !hidden(entry.line));
    let comments = entries.filter_map(|(index, entry)| match &entry.kind {
        Kind::Comment { author, body, vote, .. } => Some(ToolComment {
            entry: index + 1,
            who: author.clone(),
            text: body.clone(),
            vote: vote.clone(),
        }),
        _ => None,
    });
    comments.filter(|said| said.entry > since).collect()
}

/// Returns the last comments, shortened.
pub(super) fn said_last(workspace: &Workspace, path: &Path) -> Result<Vec<ToolComment>, McpError> {
    let turn = workspace.discussions().your_turn(path, SEAT)?;
    let mut last = visible_comments(&workspace.discussions().show(path)?, turn.as_ref(), 0);
    last.drain(..last.len().saturating_sub(LAST));
    last.iter_mut().for_each(|said| said.text = clip(&said.text, SAID));
    Ok(last)
}

/// Returns the part of a discussion's text that the caller may see as a participant.
pub(super) fn text(workspace: &Workspace, path: &Path) -> Result<String, McpError> {
    let shown = workspace.discussions().show(path)?;
    Ok(match workspace.discussions().your_turn(path, SEAT)?.filter(|turn| turn.unseen) {
        Some(turn) => {
            let lines = shown.text.split_inclusive('\n').take(turn.line.saturating_sub(1));
            lines.collect()
        }
        None => shown.text.to_string(),
    })
}

/// The tool `show`.
pub(super) fn show(door: &ServerContext, asked: &Show) -> Result<ToolResult, McpError> {
    block_in_place(|| {
        let workspace = door.open()?;
        let path = door.find(&workspace, &asked.discussion)?;
        let mut told = standing(&workspace, &path)?;
        if let Some(going) = door.runs.get(&path) {
            let far = going.progress();
            (told.state, told.answered, told.of) =
                (ToolState::Running, Some(far.ended), Some(far.asked));
        } else if workspace.discussions().is_running(&path) {
            told.state = ToolState::Running;
        }
        let shown = workspace.discussions().show(&path)?;
        told.entries = Some(shown.entries.len());
        if let Some(since) = asked.since {
            let turn = workspace.discussions().your_turn(&path, SEAT)?;
            told.so_far = visible_comments(&shown, turn.as_ref(), since as usize);
            told.so_far.iter_mut().for_each(|said| said.text = clip(&said.text, WHOLE));
        }
        Ok(told)
    })
}

/// The tool `search`.
pub(super) fn search(door: &ServerContext, asked: SearchParams) -> Result<ToolPlaces, McpError> {
    block_in_place(|| {
        let workspace = door.open()?;
        let mut search = workspace.discussions().searching(asked.words);
        search.kind = asked.kind.map(|kind| kind.parse()).transpose().map_err(McpError::input)?;
        search.since = asked
            .since
            .map(|at| workspace.discussions().moment(&at))
            .transpose()
            .map_err(McpError::input)?;
        (search.by, search.limit) = (asked.by, ROWS);
        let found = workspace.discussions().search(&search)?;
        Ok(ToolPlaces {
            total: found.total,
            found: (found.found.into_iter())
                .map(|one| ToolPlace {
                    file: one.file,
                    line: one.line,
                    kind: one.kind.as_str().to_owned(),
                    state: one.state.map(|state| state.as_str()),
                    words: one.state.map(|_| one.words),
                    who: one.author,
                    text: clip(&one.text, SAID),
                })
                .collect(),
            notes: found.unreadable.into_iter().map(|one| one.message).collect(),
            error: None,
        })
    })
}

/// The tool `recall`.
pub(super) fn recall(door: &ServerContext, asked: &RecallParams) -> Result<ToolPlaces, McpError> {
    block_in_place(|| {
        let workspace = door.open()?;
        let since = asked.since.as_deref().map(|at| workspace.discussions().moment(at));
        let since = since.transpose().map_err(McpError::input)?;
        if asked.question.trim().is_empty() && asked.files.is_empty() {
            return Err(McpError::input("give `question`, `files` or both"));
        }
        let files: Vec<PathBuf> = asked.files.iter().map(PathBuf::from).collect();
        let found = workspace.decisions().recall_about(&asked.question, &files, ROWS, since)?;
        Ok(ToolPlaces {
            total: found.len(),
            found: (found.into_iter())
                .map(|one| ToolPlace {
                    text: clip(&format!("{}: {}", one.title, one.marked_sentence()), SAID),
                    file: one.file,
                    line: 1,
                    kind: "decision".to_owned(),
                    state: one.facts.standing_ones().next().map(|stated| stated.state.as_str()),
                    // The text says how it stands.
                    words: None,
                    who: None,
                })
                .collect(),
            ..ToolPlaces::default()
        })
    })
}

/// The tool `list`.
pub(super) fn list(door: &ServerContext, asked: &ListParams) -> Result<Listing, McpError> {
    block_in_place(|| {
        let workspace = door.open()?;
        let list = workspace.discussions().list(None)?;
        let mut all = list.discussions;
        let is_empty = all.is_empty();
        if let Some(asked) = &asked.status {
            let known = [
                DecisionStatus::Open,
                DecisionStatus::Consensus,
                DecisionStatus::Answered,
                DecisionStatus::Blocked,
                DecisionStatus::Closed,
            ];
            let is_it = |one: &DecisionStatus| one.as_str().eq_ignore_ascii_case(asked);
            let Some(status) = known.into_iter().find(is_it) else {
                let known = known.map(|one| one.as_str()).join(", ");
                return Err(McpError::input(format!("`{asked}` is not a status"))
                    .help(format!("use one of: {known}")));
            };
            all.retain(|one| one.status == status);
        }
        all.sort_by(|one, other| other.updated.cmp(&one.updated));
        // The sort is stable. Rows after the maximum are cut off, so decisions to review come first.
        all.sort_by_key(|one| one.first_due());
        let total = all.len();
        Ok(Listing {
            is_empty,
            total,
            discussions: (all.into_iter().take(ROWS))
                .map(|one| ToolRow {
                    file: one.file,
                    title: clip(&one.title, SAID),
                    status: one.status.as_str().to_owned(),
                    summary: clip(&one.decided.summary(), SAID),
                    standing: one.decided.standing.as_str(),
                    decision: one.decided.decision,
                    updated: one.updated,
                    due: (one.due.iter())
                        .map(|due| {
                            let day = review_day(&due.review_by, due.days);
                            let what = due.decision.as_deref().unwrap_or("outcome");
                            clip(&format!("{day}: {what}: {}", due.text), SAID)
                        })
                        .collect(),
                })
                .collect(),
            notes: list.unreadable.into_iter().map(|one| one.message).collect(),
            error: None,
        })
    })
}
