//! What the pages' forms do. Without a script a form ends on the page again; with one it gets a document.

use std::sync::Arc;

use axum::Form;
use axum::Json;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State as Shared};
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Redirect, Response};
use discussions::runner::{Ask, RunRequest, Work};
use discussions::view::Written;
use discussions::workspace::{Question, Remark};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::drawn;
use super::house::House;
use super::page::{self, Draft, Fresh, encoded};
use super::picture::Picture;
use super::refusal::{Refusal, Wanted};

/// A comment, a vote, or both.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Said {
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
pub(super) struct Go {
    /// Aliases of the participants to ask in a turn; empty: those whose turn it is.
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
pub(super) struct Onward {
    /// Id of the phase; without it, the next phase.
    to: Option<String>,
}

/// A new discussion.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Begin {
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

/// Whether a run is in progress.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Running {
    /// True while a run is in progress.
    running: bool,
    /// The cost that a person must accept first, on a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    agree: Option<String>,
}

/// Something that is said of a form before it is looked at.
pub(super) type Given<T> = Result<Form<T>, FormRejection>;

/// A form's content.
fn given<T>(form: Given<T>) -> Result<T, Refusal> {
    match form {
        Ok(Form(given)) => Ok(given),
        Err(error) => Err(Refusal::unread(error.status(), error.body_text())),
    }
}

/// Answers in the form that is wanted.
fn answer(headers: &HeaderMap, name: &str, done: Result<impl Serialize, Refusal>) -> Response {
    match (done, Wanted::by("", headers)) {
        (Ok(document), Wanted::Json) => Json(document).into_response(),
        (Ok(_), Wanted::Page) => Redirect::to(&format!("/d/{}", encoded(name))).into_response(),
        (Err(refusal), wanted) => refusal.back_to(name).answer(wanted),
    }
}

/// Somebody says something, votes, or both.
pub(super) async fn comment(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    form: Given<Said>,
) -> Response {
    let wanted = Wanted::by("", &headers);
    let said = match given(form) {
        Ok(said) => said,
        Err(refusal) => return refusal.answer(wanted),
    };
    let kept = said.clone();
    match (write(&house, &name, said).await, wanted) {
        (Ok((written, _)), Wanted::Json) => Json(written).into_response(),
        (Ok((written, anchor)), Wanted::Page) => {
            let notes = notes(&written);
            if notes.is_empty() {
                let to = format!("/d/{}#{anchor}", encoded(&name));
                return Redirect::to(&to).into_response();
            }
            page::noted(&name, &anchor, &notes).into_response()
        }
        // The form stays as it was filled in, with the reason above it.
        (Err(refusal), Wanted::Page) if refusal.is_of_input() => {
            let Said { author, text, vote } = kept;
            let author = Some(author).filter(|author| !author.trim().is_empty());
            let author = author.unwrap_or_else(|| house.author.clone());
            let draft = Draft { author, text, vote, refused: Some(refusal.whole()) };
            match drawn(&house, &name, false, draft).await {
                Ok(page) => refusal.on(page),
                Err(_) => refusal.back_to(&name).answer(Wanted::Page),
            }
        }
        (Err(refusal), wanted) => refusal.back_to(&name).answer(wanted),
    }
}

/// Writes what somebody says; with the anchor of where it stands then.
pub(super) async fn write(
    house: &House,
    name: &str,
    said: Said,
) -> Result<(Written, String), Refusal> {
    let kept = said.text.clone();
    let path = house.find(name).await.map_err(|refusal| refusal.keeping(&kept))?;
    let given = Some(said.author.trim().to_owned()).filter(|author| !author.is_empty());
    let author = given.unwrap_or_else(|| house.author.clone());
    let vote = Some(said.vote.trim().to_owned()).filter(|vote| !vote.is_empty());
    // Browsers send line ends as CR LF.
    let remark = Remark { author, text: said.text.replace("\r\n", "\n"), vote };
    let written = house.aside(move |workspace| {
        let written = workspace.comment(&path, &remark)?;
        let picture = workspace.show(&path).map(Picture::of);
        // It stands; that the file cannot be read again is told by the next page.
        let anchor = picture.ok().and_then(|picture| Some(picture.last_comment()?.to_owned()));
        Ok((written, anchor.unwrap_or_default()))
    });
    written.await.map_err(|refusal| refusal.keeping(&kept))
}

/// What of a comment is not as somebody may think.
fn notes(written: &Written) -> Vec<String> {
    let unread =
        written.notes.iter().map(|note| format!("The vote in the text was not counted: {note}"));
    let mut notes: Vec<String> = unread.chain(written.uncounted.iter().cloned()).collect();
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
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    form: Given<Go>,
) -> Response {
    asked_for(&house, &name, &headers, form, true).await
}

/// Goes on turn by turn.
pub(super) async fn run(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    form: Given<Go>,
) -> Response {
    asked_for(&house, &name, &headers, form, false).await
}

/// Begins a turn or a run that a person asks for on a page, once they agree to its price.
async fn asked_for(
    house: &Arc<House>,
    name: &str,
    headers: &HeaderMap,
    form: Given<Go>,
    one_turn: bool,
) -> Response {
    let done = async {
        let wanted = given(form)?;
        let path = house.find(name).await?;
        let agrees = wanted.agreed.is_some();
        let work = work(house, wanted, one_turn).await?;
        match house.price_to_agree(&path, &work, agrees).await? {
            Some(price) => Ok(Running { running: false, agree: Some(price) }),
            None => begin_run(house, &path, work).await,
        }
    };
    match done.await {
        Ok(Running { agree: Some(price), .. }) if Wanted::by("", headers) == Wanted::Page => {
            page::priced(name, if one_turn { "turn" } else { "run" }, &price).into_response()
        }
        done => answer(headers, name, done),
    }
}

/// Begins a run or a turn.
pub(super) async fn go(
    house: &Arc<House>,
    name: &str,
    wanted: Go,
    one_turn: bool,
) -> Result<Running, Refusal> {
    let path = house.find(name).await?;
    let work = work(house, wanted, one_turn).await?;
    begin_run(house, &path, work).await
}

async fn begin_run(
    house: &Arc<House>,
    path: &std::path::Path,
    work: Work,
) -> Result<Running, Refusal> {
    house.room(path).await?.start(house, work, None).await?;
    Ok(Running { running: true, agree: None })
}

/// What is asked for, within what the server allows: money that it limits is never raised from here.
async fn work(house: &House, wanted: Go, one_turn: bool) -> Result<Work, Refusal> {
    let base = house.request.clone();
    let word = |word: Option<String>| word.filter(|word| !word.trim().is_empty());
    let provider = word(wanted.provider).or(base.provider);
    let least = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    if let Some(named) = provider.clone() {
        house.aside(move |workspace| workspace.insist_on_provider(&named)).await?;
    }
    let max_usd = least(wanted.max_usd, base.max_usd);
    Ok(if one_turn {
        let asker = Some(house.author.clone());
        let question = word(wanted.ask);
        Work::Turn(Ask { who: wanted.who, question, asker, provider, max_usd, ..Ask::default() })
    } else {
        let max_calls = wanted.max_calls.or(base.max_calls);
        let max_turns = wanted.max_turns.or(base.max_turns);
        Work::Run(RunRequest { provider, max_usd, max_calls, max_turns, ..base })
    })
}

/// Stops what runs.
pub(super) async fn stop(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    answer(&headers, &name, halt(&house, &name).await)
}

/// Stops what runs, and waits until it has ended.
pub(super) async fn halt(house: &House, name: &str) -> Result<Running, Refusal> {
    let path = house.find(name).await?;
    if let Some(run) = house.runs.get(&path) {
        run.abort();
        run.ended().await;
    }
    Ok(Running { running: false, agree: None })
}

/// Enters the next phase.
pub(super) async fn advance(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    form: Given<Onward>,
) -> Response {
    let done = async { onward(&house, &name, given(form)?).await };
    answer(&headers, &name, done.await)
}

/// Enters a phase.
pub(super) async fn onward(house: &House, name: &str, onward: Onward) -> Result<Written, Refusal> {
    let (path, by) = (house.find(name).await?, house.author.clone());
    let to = onward.to.filter(|to| !to.is_empty());
    house.aside(move |workspace| workspace.advance(&path, to.as_deref(), &by)).await
}

/// Closes a discussion.
pub(super) async fn close(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    answer(&headers, &name, set_closed(&house, &name, true).await)
}

/// Opens it again.
pub(super) async fn reopen(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    answer(&headers, &name, set_closed(&house, &name, false).await)
}

pub(super) async fn set_closed(
    house: &House,
    name: &str,
    closed: bool,
) -> Result<Written, Refusal> {
    let (path, by) = (house.find(name).await?, house.author.clone());
    house.aside(move |workspace| workspace.set_closed(&path, closed, &by)).await
}

/// Shows the form for a new discussion.
pub(super) async fn fresh(Shared(house): Shared<Arc<House>>) -> Response {
    filled_in(&house, &Fresh::default()).await.unwrap_or_else(|no| no.answer(Wanted::Page))
}

async fn filled_in(house: &House, form: &Fresh) -> Result<Response, Refusal> {
    let patterns = house.aside(|workspace| Ok(workspace.patterns())).await?;
    let patterns: Vec<_> = patterns.into_iter().map(|one| (one.id, one.summary)).collect();
    Ok(page::fresh(form, &patterns).into_response())
}

/// Makes a discussion of a question.
pub(super) async fn begin(
    Shared(house): Shared<Arc<House>>,
    headers: HeaderMap,
    form: Given<Begin>,
) -> Response {
    let wanted = Wanted::by("", &headers);
    let Begin { topic, context, pattern, options } = match given(form) {
        Ok(begin) => begin,
        Err(refusal) => return refusal.answer(wanted),
    };
    let kept = format!("{topic}\n\n{context}");
    let form = Fresh {
        topic: topic.clone(),
        context: context.clone(),
        pattern: pattern.clone(),
        options: options.clone(),
        refused: None,
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
    let made = house.aside(move |workspace| {
        let path = workspace.question(&question)?.path;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((workspace.made(&path)?, stem))
    });
    match made.await {
        Ok((made, name)) => answer(&headers, &name, Ok(made)),
        // The form stays as it was filled in, with the reason above it.
        Err(refusal) if wanted == Wanted::Page && refusal.is_of_input() => {
            let form = Fresh { refused: Some(refusal.whole()), ..form };
            match filled_in(&house, &form).await {
                Ok(page) => refusal.on(page),
                Err(_) => refusal.keeping(kept.trim()).answer(wanted),
            }
        }
        Err(refusal) => refusal.keeping(kept.trim()).answer(wanted),
    }
}
