//! The actions of people and programs on discussions. Each has one handler, which answers with a page or a document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path as Name, State as Shared};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use discussions::runner::{Extent, RunOptions};
use discussions::view::{Shown, Written};
use discussions::workspace::{CommentRequest, Question, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::app::AppState;
use super::discussion::{Viewed, draw_page};
use super::live::RenderedDiscussion;
use super::page::{self, ComposerDraft, NewDiscussionForm, encoded};
use super::request::{ApiError, Client, ResponseFormat, Sent};
use crate::cli::words;

/// A comment, a vote, or both.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct CommentForm {
    /// Author of the comment; empty: the person who started the server.
    #[serde(default)]
    author: String,
    /// Markdown.
    #[serde(default)]
    text: String,
    /// An option of the phase; empty: no vote.
    #[serde(default)]
    vote: String,
}

/// Options of a turn or a run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunForm {
    /// Aliases of the participants to ask in a turn; empty: the participants that come next.
    #[serde(default)]
    who: Vec<String>,
    /// A question to these participants.
    ask: Option<String>,
    /// Provider for all participants.
    provider: Option<String>,
    /// Maximum cost in US dollars.
    max_usd: Option<f64>,
    /// Maximum number of model calls of a run.
    max_calls: Option<u32>,
    /// Maximum number of turns of a run.
    max_turns: Option<u32>,
    /// Any value: a person accepts the cost of runs of this discussion. Programs do not need it.
    #[serde(default)]
    agreed: Option<String>,
}

/// The phase to go to.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct AdvanceForm {
    /// Id of the phase; without it, the next phase.
    to: Option<String>,
}

/// A new discussion.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct NewForm {
    /// The question, at most 5,000 characters.
    topic: String,
    /// Background information, as Markdown.
    #[serde(default)]
    context: String,
    /// The pattern; empty: `synthesis`.
    #[serde(default)]
    pattern: String,
    /// Options to vote on, separated by commas.
    #[serde(default)]
    options: String,
}

/// The status of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct RunStatus {
    /// True while a run is in progress.
    running: bool,
    /// The cost that a person must accept on a page before the run starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    agree: Option<String>,
}

/// The result of sending a comment.
enum Commented {
    /// The comment was written; the anchor leads to it on the page.
    Written { written: Box<Written>, anchor: String },
    /// The comment was refused; the page shows the form again.
    Refused { error: WorkspaceError, viewed: Box<Viewed> },
}

/// Adds a comment, a vote, or both.
pub(super) async fn comment(
    Shared(house): Shared<Arc<AppState>>,
    Name(name): Name<String>,
    client: Client,
    Sent(form): Sent<CommentForm>,
) -> Response {
    let form = match form {
        Ok(form) => form,
        Err(refusal) => return refusal.answer(client.wanted),
    };
    let kept = form.text.clone();
    let given = Some(form.author.trim().to_owned()).filter(|author| !author.is_empty());
    let author = given.unwrap_or_else(|| house.author.clone());
    let vote = Some(form.vote.trim().to_owned()).filter(|vote| !vote.is_empty());
    let draft = ComposerDraft {
        author: author.clone(),
        text: form.text.clone(),
        vote: form.vote,
        refused: None,
    };
    // Browsers send line ends as CR LF.
    let remark = CommentRequest { author, text: form.text.replace("\r\n", "\n"), vote };
    let shared = Arc::clone(&house);
    let done = house.with_discussion(&name, move |workspace, path| {
        match workspace.discussions().comment(&path, &remark) {
            Ok(written) => {
                let written = Box::new(written);
                Ok(Commented::Written { written, anchor: last_comment(workspace, &path) })
            }
            Err(error)
                if client.wanted == ResponseFormat::Page
                    && ApiError::from(&error).is_of_input() =>
            {
                let viewed = Box::new(shared.view(workspace, path)?);
                Ok(Commented::Refused { error, viewed })
            }
            Err(error) => Err(error),
        }
    });
    match (done.await.map_err(|refusal| refusal.keeping(&kept)), client.wanted) {
        (Ok(Commented::Written { written, .. }), ResponseFormat::Json) => {
            Json(written).into_response()
        }
        (Ok(Commented::Written { written, anchor }), ResponseFormat::Page) => {
            let notes = notes(&written);
            if notes.is_empty() {
                let to = format!("/d/{}#{anchor}", encoded(&name));
                return Redirect::to(&to).into_response();
            }
            page::notes_page(&name, &anchor, &notes).into_response()
        }
        (Ok(Commented::Refused { error, viewed }), _) => {
            let refusal = ApiError::from(&error);
            let draft = ComposerDraft { refused: Some(refusal.whole()), ..draft };
            refusal.on(draw_page(&house, &name, *viewed, false, draft))
        }
        (Err(refusal), wanted) => refusal.back_to(&name).answer(wanted),
    }
}

/// Returns the anchor of the last comment on the page. If the file cannot be read again, the next page says so.
fn last_comment(workspace: &Workspace, path: &Path) -> String {
    let shown: Result<Shown, _> = workspace.discussions().show(path);
    let picture = shown.ok().map(RenderedDiscussion::of);
    picture.and_then(|picture| Some(picture.last_comment()?.to_owned())).unwrap_or_default()
}

/// Returns the effects of a comment that its author may not expect.
fn notes(written: &Written) -> Vec<String> {
    let unread =
        written.notes.iter().map(|note| format!("The vote in the text was not counted: {note}"));
    let author = written.author.as_ref().filter(|_| !written.is_person);
    let author = author.map(|author| format!("{}.", words::not_a_person(author)));
    let mut notes: Vec<String> = author.into_iter().chain(unread).collect();
    notes.extend(written.uncounted.iter().cloned());
    notes.extend(written.warnings.iter().cloned());
    if written.closed {
        notes
            .push("The discussion is closed, so no participant will be asked about it.".to_owned());
    }
    if let Some(summary) = &written.summary {
        notes.push(format!("The summary file was not written: {summary}"));
    }
    notes
}

/// Asks each participant of one turn.
pub(super) async fn turn(
    Shared(house): Shared<Arc<AppState>>,
    Name(name): Name<String>,
    client: Client,
    Sent(form): Sent<RunForm>,
) -> Response {
    start(&house, &name, client, form, Length::OneTurn).await
}

/// Runs turn after turn.
pub(super) async fn run(
    Shared(house): Shared<Arc<AppState>>,
    Name(name): Name<String>,
    client: Client,
    Sent(form): Sent<RunForm>,
) -> Response {
    start(&house, &name, client, form, Length::AllTurns).await
}

/// The length of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    OneTurn,
    AllTurns,
}

/// Starts a turn or a run. A person agrees to a high price first; programs are not asked.
async fn start(
    house: &Arc<AppState>,
    name: &str,
    client: Client,
    form: Result<RunForm, ApiError>,
    length: Length,
) -> Response {
    let done = async {
        let form = form?;
        let agrees = client.is_program || form.agreed.is_some();
        let work = work(house, form, length);
        let shared = Arc::clone(house);
        let started = house.with_discussion(name, move |workspace, path| {
            if let Some(named) = &work.provider {
                workspace.providers().insist_on_provider(named)?;
            }
            let start = match shared.prepare(workspace, &path, &work)? {
                Ok(start) => start,
                Err(refusal) => return Ok(Err(refusal)),
            };
            if let Some(price) = shared.price_to_agree(&path, &start.price, agrees) {
                return Ok(Ok(RunStatus { running: false, agree: Some(price) }));
            }
            shared.start(start, None);
            Ok(Ok(RunStatus { running: true, agree: None }))
        });
        started.await?
    };
    match done.await {
        Ok(RunStatus { agree: Some(price), .. }) if client.wanted == ResponseFormat::Page => {
            let action = if length == Length::OneTurn { "turn" } else { "run" };
            page::price_page(name, action, &price).into_response()
        }
        done => client.answer(name, done),
    }
}

/// Returns the work that a form asks for. A form cannot raise the server's limit of money.
fn work(house: &AppState, form: RunForm, length: Length) -> RunOptions {
    let base = house.request.clone();
    let word = |word: Option<String>| word.filter(|word| !word.trim().is_empty());
    let provider = word(form.provider).or(base.provider);
    let least = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let max_usd = least(form.max_usd, base.max_usd);
    match length {
        Length::OneTurn => {
            let asker = Some(house.author.clone());
            let question = word(form.ask);
            let extent = Extent::Turn { who: form.who, question, asker };
            RunOptions { extent, provider, max_usd, ..RunOptions::default() }
        }
        Length::AllTurns => {
            let max_calls = form.max_calls.or(base.max_calls);
            let max_turns = form.max_turns.or(base.max_turns);
            RunOptions { provider, max_usd, max_calls, max_turns, ..base }
        }
    }
}

/// Stops the run and waits until it has ended.
pub(super) async fn stop(
    Shared(house): Shared<Arc<AppState>>,
    Name(name): Name<String>,
    client: Client,
) -> Response {
    let done = async {
        let path = house.find(&name).await?;
        if let Some(run) = house.runs.get(&path) {
            run.abort();
            run.ended().await;
        }
        Ok(RunStatus { running: false, agree: None })
    };
    client.answer(&name, done.await)
}

/// Enters the next phase, or a named one.
pub(super) async fn advance(
    Shared(house): Shared<Arc<AppState>>,
    Name(name): Name<String>,
    client: Client,
    Sent(form): Sent<AdvanceForm>,
) -> Response {
    let done = async {
        let to = form?.to.filter(|to| !to.is_empty());
        let by = house.author.clone();
        let work = move |workspace: &Arc<Workspace>, path: PathBuf| {
            workspace.discussions().advance(&path, to.as_deref(), &by)
        };
        house.with_discussion(&name, work).await
    };
    client.answer(&name, done.await)
}

/// Closes a discussion.
pub(super) async fn close(
    Shared(house): Shared<Arc<AppState>>,
    Name(name): Name<String>,
    client: Client,
) -> Response {
    set_closed(&house, &name, client, true).await
}

/// Opens a discussion again.
pub(super) async fn reopen(
    Shared(house): Shared<Arc<AppState>>,
    Name(name): Name<String>,
    client: Client,
) -> Response {
    set_closed(&house, &name, client, false).await
}

async fn set_closed(house: &AppState, name: &str, client: Client, closed: bool) -> Response {
    let by = house.author.clone();
    let done = house.with_discussion(name, move |workspace, path| {
        workspace.discussions().set_closed(&path, closed, &by)
    });
    client.answer(name, done.await)
}

/// Shows the form for a new discussion.
pub(super) async fn form(Shared(house): Shared<Arc<AppState>>) -> Response {
    match house.blocking(|workspace| Ok(patterns(workspace))).await {
        Ok(patterns) => page::fresh(&NewDiscussionForm::default(), &patterns).into_response(),
        Err(refusal) => refusal.answer(ResponseFormat::Page),
    }
}

/// Returns the ids and summaries of the patterns that a person can choose.
fn patterns(workspace: &Workspace) -> Vec<(String, String)> {
    workspace.patterns().into_iter().map(|one| (one.id, one.summary)).collect()
}

/// Creates a discussion of a question.
pub(super) async fn create(
    Shared(house): Shared<Arc<AppState>>,
    client: Client,
    Sent(form): Sent<NewForm>,
) -> Response {
    let NewForm { topic, context, pattern, options } = match form {
        Ok(form) => form,
        Err(refusal) => return refusal.answer(client.wanted),
    };
    let kept = format!("{topic}\n\n{context}");
    let filled = NewDiscussionForm {
        topic: topic.clone(),
        context: context.clone(),
        pattern: pattern.clone(),
        options: options.clone(),
        ..NewDiscussionForm::default()
    };
    let word = |word: String| Some(word.replace("\r\n", "\n")).filter(|it| !it.trim().is_empty());
    let options = options.split(',').map(str::trim).filter(|one| !one.is_empty());
    let question = Question {
        topic,
        context: word(context),
        pattern: word(pattern),
        options: options.map(str::to_owned).collect(),
        ..Question::default()
    };
    let made = house.blocking(move |workspace| {
        if let Some(refusal) = missing_options(workspace, &question) {
            return Ok(Err(NotCreated::Options(refusal, patterns(workspace))));
        }
        match workspace.discussions().question(&question) {
            Ok(prepared) => {
                let path = prepared.path;
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                Ok(Ok((workspace.discussions().creation_report(&path)?, stem)))
            }
            Err(error) if ApiError::from(&error).is_of_input() => {
                Ok(Err(NotCreated::Form(ApiError::from(&error), patterns(workspace))))
            }
            Err(error) => Err(error),
        }
    });
    match made.await {
        Ok(Ok((made, name))) => client.answer(&name, Ok(made)),
        Ok(Err(NotCreated::Form(refusal, _) | NotCreated::Options(refusal, _)))
            if client.wanted == ResponseFormat::Json =>
        {
            refusal.keeping(kept.trim()).answer(client.wanted)
        }
        // The form stays as it was filled in, with the reason above it or beside its field.
        Ok(Err(NotCreated::Form(refusal, patterns))) => {
            let form = NewDiscussionForm { refused: Some(refusal.whole()), ..filled };
            refusal.on(page::fresh(&form, &patterns))
        }
        Ok(Err(NotCreated::Options(refusal, patterns))) => {
            let form = NewDiscussionForm { options_refused: Some(refusal.whole()), ..filled };
            refusal.on(page::fresh(&form, &patterns))
        }
        Err(refusal) => refusal.keeping(kept.trim()).answer(client.wanted),
    }
}

/// The reason why a discussion was not created, with the patterns that the form offers.
enum NotCreated {
    Form(ApiError, Vec<(String, String)>),
    /// The pattern needs options.
    Options(ApiError, Vec<(String, String)>),
}

/// Returns an error if the pattern needs options to vote on and the form names none.
fn missing_options(workspace: &Workspace, question: &Question) -> Option<ApiError> {
    if !question.options.is_empty() {
        return None;
    }
    let chosen = question.pattern.as_deref()?;
    let needs = workspace.patterns().into_iter().find(|one| one.id == chosen && one.takes_options);
    let message =
        format!("the pattern `{}` needs options to vote on, separated by commas", needs?.id);
    Some(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message))
}
