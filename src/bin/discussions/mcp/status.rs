//! The state of one discussion as a result, and the tool `show`.

use std::path::Path;

use discussions::view::{Kind, NextStep, ResultDocument, Shown, Status, Why, YourTurn};
use discussions::workspace::Workspace;
use tokio::task::block_in_place;

use super::context::ServerContext;
use super::decisions::ToolDecision;
use super::record::adoption;
use super::results::{Against, Count, ToolComment, ToolFinding, ToolResult, ToolState, clip};
use super::run::SEAT;
use super::tools::Show;
use super::words::McpError;
use crate::cli::words::steps;

/// The maximum length of a participant's prompt, in characters. The agent can read files of the project itself.
const MAX_PROMPT_CHARS: usize = 16_000;
/// The maximum length of one comment in a running discussion, in characters.
const SAID: usize = 600;
/// The number of last comments to show.
const LAST: usize = 6;
/// The maximum length of one comment that the client asked for with `since`, in characters.
const WHOLE: usize = 8_000;

/// Returns the status and outcome of a discussion.
pub(super) fn standing(workspace: &Workspace, path: &Path) -> Result<ToolResult, McpError> {
    let status = workspace.discussions().status(path)?;
    let result = workspace.discussions().result(path)?;
    let outcome = result.outcome();
    let state = state_of(&status);
    // Old failures explain a discussion that goes on; an outcome stands without them.
    let failures = status.failures.iter().filter(|_| state != ToolState::Done);
    let mut told = ToolResult {
        state,
        status: status.status.as_str(),
        participants: status
            .participants
            .iter()
            .map(|one| match &one.alias {
                Some(alias) => format!("{} (@{alias})", one.name),
                None => one.name.clone(),
            })
            .collect(),
        waits_for: waits_for(&status),
        heading: outcome.facts.text_heading(),
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
        notes: failures
            .map(|failed| format!("{} could not answer: {}", failed.participant, failed.message))
            .chain(status.facts().into_iter().map(|(fact, _)| fact))
            .chain(status.notes.lines())
            .collect(),
        next: status.next.iter().filter_map(steps::for_agent).collect(),
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
    if let Some(adopted_by) = adoption_of_record(&status) {
        // What the user decided is written; a draft of the agent would only hide it.
        let asked = |step: &&NextStep| step.why == Why::QuestionsToPerson;
        let questions = status.next.iter().filter(asked).filter_map(steps::for_agent);
        let next = std::iter::once(adopted_by).chain(questions).collect();
        let waits_for = vec!["your user".to_owned()];
        return Ok(ToolResult { state: ToolState::People, waits_for, next, ..told });
    }
    match workspace.discussions().your_turn(path, SEAT)? {
        Some(turn) => Ok(add_turn(told, turn)),
        None => Ok(told),
    }
}

/// Returns how the user makes the proposals of a record decisions; `None` for other discussions. In a record only the
/// agent takes part, and it wrote a proposal before any turn.
fn adoption_of_record(status: &Status) -> Option<String> {
    let is_over = status.next.iter().any(|step| matches!(step.why, Why::Finished | Why::Closed));
    let mut seats = status.participants.iter().filter_map(|one| one.alias.as_deref());
    let is_alone = seats.all(|alias| alias == SEAT);
    let proposed = status.decided.decisions.iter().filter(|one| !one.stands() && !one.is_over());
    let numbers: Vec<u32> = proposed.filter_map(|one| one.number).collect();
    if is_over || status.turn > 0 || !is_alone { None } else { adoption(status, &numbers, &[]) }
}

/// Returns the state of a discussion that no program runs. It waits for people also if they were asked after its end.
fn state_of(status: &Status) -> ToolState {
    let has = |wanted: &[Why]| status.next.iter().any(|step| wanted.contains(&step.why));
    let people =
        [Why::PeopleAreAsked, Why::QuestionsToPerson, Why::PersonVotes, Why::AnswersAwaited];
    if has(&people) {
        ToolState::People
    } else if has(&[Why::Finished, Why::Closed]) {
        ToolState::Done
    } else {
        ToolState::Open
    }
}

/// Returns the people and participants that the next steps wait for.
fn waits_for(status: &Status) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for step in &status.next {
        let who = match step.why {
            Why::PersonVotes => vec!["a person's vote".to_owned()],
            Why::Finished | Why::Closed => Vec::new(),
            _ => [step.arguments.participants.clone(), step.arguments.calls.clone()].concat(),
        };
        for name in who {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Leaves out the texts of a discussion that is not over. A draft would look like the answer, and the prompt of a
/// participant contains them.
pub(super) fn without_texts(told: ToolResult) -> ToolResult {
    let decisions = told.decisions.into_iter().filter(|one| one.state == "in-force").collect();
    ToolResult {
        decisions,
        outcome: String::new(),
        findings: Vec::new(),
        revision: None,
        decision: told.decision.filter(|_| told.in_force == Some(true)),
        ..told
    }
}

/// Returns the prompt for the caller as a participant.
fn add_turn(told: ToolResult, turn: YourTurn) -> ToolResult {
    ToolResult {
        state: ToolState::YourTurn,
        prompt: turn.prompt_within(MAX_PROMPT_CHARS),
        seat: turn.participant,
        phase: turn.phase,
        options: turn.options,
        waits_for: vec![format!("{SEAT} (you)")],
        notes: Vec::new(),
        open_questions: Vec::new(),
        tasks: Vec::new(),
        next: vec!["answer the prompt with `say`, then `continue`".to_owned()],
        ..without_texts(told)
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

/// Returns the number of the last entry that the agent wrote; 0 if there is none.
pub(super) fn last_own_entry(workspace: &Workspace, path: &Path) -> Result<usize, McpError> {
    let shown = workspace.discussions().show(path)?;
    let is_own = |kind: &Kind| matches!(kind, Kind::Comment { author, .. } if author == SEAT);
    Ok(shown.entries.iter().rposition(|entry| is_own(&entry.kind)).map_or(0, |index| index + 1))
}

/// Returns the comments after an entry that the caller may see.
pub(super) fn said_since(
    workspace: &Workspace,
    path: &Path,
    since: usize,
) -> Result<Vec<ToolComment>, McpError> {
    let turn = workspace.discussions().your_turn(path, SEAT)?;
    let mut said = visible_comments(&workspace.discussions().show(path)?, turn.as_ref(), since);
    said.iter_mut().for_each(|one| one.text = clip(&one.text, WHOLE));
    Ok(said)
}

/// Returns true if a person closed the discussion, so that no run can continue it.
pub(super) fn is_closed(workspace: &Workspace, path: &Path) -> Result<bool, McpError> {
    Ok(workspace.discussions().status(path)?.next.iter().any(|step| step.why == Why::Closed))
}

/// Returns true for a record that waits for the user.
pub(super) fn is_record(workspace: &Workspace, path: &Path) -> Result<bool, McpError> {
    Ok(adoption_of_record(&workspace.discussions().status(path)?).is_some())
}

/// Returns true if the last ballot got no vote that counts, and nobody has written anything since.
pub(super) fn waits_for_a_change(workspace: &Workspace, path: &Path) -> Result<bool, McpError> {
    let shown = workspace.discussions().show(path)?;
    if !shown.status.next.iter().any(|step| step.why == Why::NobodyVoted) {
        return Ok(false);
    }
    let is_turn = |kind: &Kind| matches!(kind, Kind::Turn { .. });
    let last = shown.entries.iter().rposition(|entry| is_turn(&entry.kind)).unwrap_or(0);
    // Answers of models have a receipt; comments of people and agents from outside have none.
    let is_change = |kind: &Kind| matches!(kind, Kind::Comment { reply: None, .. });
    Ok(!shown.entries[last..].iter().any(|entry| is_change(&entry.kind)))
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
        if told.state == ToolState::Running {
            told = without_texts(told);
        }
        told.entries = Some(workspace.discussions().show(&path)?.entries.len());
        if let Some(since) = asked.since {
            told.so_far = said_since(&workspace, &path, since as usize)?;
        }
        Ok(told)
    })
}
