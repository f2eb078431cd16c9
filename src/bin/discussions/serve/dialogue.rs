//! `POST /api/discussion`: two models discuss a question, and the response streams the events. A client that
//! disconnects stops the run.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State as Shared;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::sse::Event;
use axum::response::{IntoResponse as _, Response};
use discussions::runner::{RunOptions, Update};
use discussions::view::{EventKind, Kind, ProviderState};
use discussions::workspace::{Consents, NeutralModel, Question, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc::{Sender, UnboundedReceiver, channel, unbounded_channel};

use super::app::AppState;
use super::dialogue_events::{DialogueEvents, Model, RecordedAnswer};
use super::events::streamed;
use super::request::{ApiError, ResponseFormat};
use super::words;

/// The pattern, and the aliases of the two models in it.
const PATTERN: &str = "dialogue";
const SEATS: [&str; 2] = ["model-a", "model-b"];

/// The default number of rounds.
const ROUNDS: u32 = 10;

/// A request for a dialogue of two models.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wish {
    /// The question.
    #[serde(default)]
    prompt: String,
    /// The model that begins.
    model_a: Option<DialogueSeat>,
    /// The model that replies.
    model_b: Option<DialogueSeat>,
    /// Options of the dialogue.
    #[serde(default)]
    options: DialogueOptions,
}

/// One of the two models.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DialogueSeat {
    /// The name of the model at its provider.
    #[serde(default)]
    model_id: String,
    /// A provider of this server.
    #[serde(default)]
    provider_id: String,
    /// Name in prompts, in the file and in events; without it, the name of the model.
    display_name: Option<String>,
}

/// Options of the dialogue. Missing options take the server's values; options without effect are refused.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DialogueOptions {
    /// Maximum number of rounds, 1 to 10.
    max_iterations: Option<u32>,
    /// Sampling temperature, 0 to 2.
    temperature: Option<f64>,
    /// Maximum tokens of one answer, unless the provider's limit is lower. A longer answer is cut, so ask for short answers
    /// in the prompt.
    #[serde(rename = "maxTokensPerTurn")]
    max_tokens: Option<u32>,
    /// Maximum time of one call in milliseconds, 5,000 to 3,600,000.
    turn_timeout_ms: Option<u64>,
    /// Maximum time of the whole dialogue in milliseconds.
    total_timeout_ms: Option<u64>,
    /// Only `true` is supported: consensus always needs both models.
    require_both_consensus: Option<bool>,
    /// Check for consensus only after this round.
    min_rounds_before_consensus: Option<u32>,
}

/// Begins a dialogue, and streams its events.
pub(super) async fn start(
    Shared(house): Shared<Arc<AppState>>,
    body: Result<Json<Wish>, JsonRejection>,
) -> Response {
    let wish = match body {
        Ok(Json(wish)) => wish,
        Err(error) => {
            // JSON with wrong fields is a mistake of the client like any other, so 422 becomes 400.
            let status = match error.status() {
                StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
                status => status,
            };
            return ApiError::unread(status, error.body_text()).answer(ResponseFormat::Json);
        }
    };
    match begin(&house, wish).await {
        Ok(begun) => {
            let (sender, receiver) = channel(32);
            tokio::spawn(tell(house, begun, sender));
            streamed(receiver)
        }
        Err(DialogueError::Said { error, reason }) => {
            let body = json!({ "error": error, "reason": reason });
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        Err(DialogueError::Refused(refusal)) => {
            let body = json!({ "error": refusal.message(), "reason": refusal.whole() });
            refusal.on(Json(body))
        }
    }
}

/// The reason why no dialogue begins.
enum DialogueError {
    /// A sentence that client programs know, and the reason in this program's words.
    Said {
        error: String,
        reason: String,
    },
    Refused(ApiError),
}

impl DialogueError {
    /// Converts an error. A mistake in the request becomes a sentence with its reason, like the mistakes found in this
    /// module.
    fn of(refusal: ApiError) -> Self {
        if refusal.is_of_input() {
            let reason = refusal.whole();
            Self::Said { error: refusal.message().to_owned(), reason }
        } else {
            Self::Refused(refusal)
        }
    }
}

impl From<ApiError> for DialogueError {
    fn from(refusal: ApiError) -> Self {
        Self::Refused(refusal)
    }
}

/// A running dialogue.
struct StartedDialogue {
    path: PathBuf,
    tale: DialogueEvents,
    told: UnboundedReceiver<Update>,
}

/// Returns an error with a sentence that client programs know, and the reason.
fn known_error(error: &str, reason: &str) -> DialogueError {
    DialogueError::Said { error: error.to_owned(), reason: reason.to_owned() }
}

async fn begin(house: &Arc<AppState>, wish: Wish) -> Result<StartedDialogue, DialogueError> {
    let prompt = wish.prompt.trim().to_owned();
    if prompt.is_empty() {
        return Err(known_error("Prompt is required", "`prompt` is missing or empty"));
    }
    let seat = |seat: Option<DialogueSeat>, key: &str| {
        let seat = seat.filter(|seat| !seat.model_id.trim().is_empty());
        let reason = format!("`{key}` is missing or has no `modelId`");
        seat.ok_or_else(|| known_error("Both models must be specified", &reason))
    };
    let seats = [seat(wish.model_a, "modelA")?, seat(wish.model_b, "modelB")?];
    let options = wish.options;
    if options.require_both_consensus == Some(false) {
        let reason = "consensus always needs both models";
        return Err(known_error("requireBothConsensus: only `true` is supported", reason));
    }
    let shared = Arc::clone(house);
    let begun =
        house.blocking(move |workspace| Ok(begin_in(&shared, workspace, prompt, seats, options)));
    begun.await?
}

/// Creates the discussion of a dialogue and starts its run.
fn begin_in(
    house: &Arc<AppState>,
    workspace: &Arc<Workspace>,
    prompt: String,
    seats: [DialogueSeat; 2],
    options: DialogueOptions,
) -> Result<StartedDialogue, DialogueError> {
    let [a, b] = &seats;
    let mut models = Vec::new();
    for (alias, (seat, name)) in SEATS.iter().zip(seats.iter().zip(names(a, b))) {
        let provider = provider(workspace, seat);
        let provider = provider.map_err(|reason| known_error("Provider not available", &reason))?;
        models.push(NeutralModel { alias: (*alias).to_owned(), name, provider });
    }
    let parameter = |value: u32| ("min_rounds".to_owned(), value.to_string());
    let question = Question {
        topic: prompt.clone(),
        pattern: Some(PATTERN.to_owned()),
        models,
        rounds: Some(options.max_iterations.unwrap_or(ROUNDS)),
        parameters: options.min_rounds_before_consensus.map(parameter).into_iter().collect(),
        ..Question::default()
    };
    let request = RunOptions {
        temperature: options.temperature,
        max_tokens: options.max_tokens,
        call_timeout: options.turn_timeout_ms.map(Duration::from_millis),
        timeout: options.total_timeout_ms.map(Duration::from_millis),
        max_turns: None,
        ..house.request.clone()
    };
    let prepared = workspace.discussions().question(&question);
    let path = prepared.map_err(|error| DialogueError::of(error.into()))?.path;
    let start = match house.prepare(workspace, &path, &request) {
        Ok(Ok(start)) => Ok(start),
        Ok(Err(refusal)) => Err(refusal),
        Err(error) => Err(error.into()),
    };
    let start = start.map_err(|refusal| {
        // The discussion was created for this run only. A file that cannot be removed stays and contains the question.
        let _ = workspace.take_back(&path);
        DialogueError::of(refusal)
    })?;
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let model = |alias: &str, seat: DialogueSeat| Model {
        alias: alias.to_owned(),
        name: seat.display_name.unwrap_or_else(|| seat.model_id.clone()),
        model: seat.model_id,
        provider: seat.provider_id,
    };
    let ([first, second], [a, b]) = (SEATS, seats);
    let tale = DialogueEvents::new(id, prompt, [model(first, a), model(second, b)]);
    let (tap, told) = unbounded_channel();
    house.start(start, Some(tap));
    Ok(StartedDialogue { path, tale, told })
}

/// Returns the names of the two models, made different if necessary.
fn names(a: &DialogueSeat, b: &DialogueSeat) -> [String; 2] {
    let name = |seat: &DialogueSeat| {
        let given = seat.display_name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        given.unwrap_or(seat.model_id.trim()).to_owned()
    };
    match [name(a), name(b)] {
        [a, b] if a.eq_ignore_ascii_case(&b) => [format!("{a} A"), format!("{b} B")],
        both => both,
    }
}

/// Returns the provider of a participant, with the model if the provider accepts one.
///
/// # Errors
/// Fails with a sentence that names the reason.
fn provider(workspace: &Workspace, seat: &DialogueSeat) -> Result<String, String> {
    let [provider, model] = [&seat.provider_id, &seat.model_id].map(|word| word.trim());
    if provider.is_empty() {
        return Err("`providerId` is missing or empty".to_owned());
    }
    workspace.providers().insist_on_provider(provider).map_err(|error| words::failed(&error))?;
    let with_model = format!("{provider}:{model}");
    // A provider without a choice of models, such as a command, is called by its name alone.
    let takes_model = workspace.providers().insist_on_provider(&with_model).is_ok();
    let chosen = if takes_model { with_model } else { provider.to_owned() };
    // A missing key or program is known before the first event.
    let checked = workspace.providers().check_providers(Some(&chosen), &Consents::default());
    for one in checked.map_err(|error| words::failed(&error))? {
        if let ProviderState::Missing { reason, fix } = one.state {
            return Err(format!("{reason}. {fix}"));
        }
    }
    Ok(chosen)
}

/// Sends the events until the dialogue is over, or until the client disconnects.
async fn tell(
    house: Arc<AppState>,
    begun: StartedDialogue,
    sender: Sender<Result<Event, Infallible>>,
) {
    let StartedDialogue { path, mut tale, mut told } = begun;
    loop {
        let happened = tokio::select! {
            happened = told.recv() => happened,
            () = sender.closed() => {
                house.abort(&path);
                return;
            }
        };
        let next = match happened {
            Some(Update::Event(event)) => {
                let is_answer = matches!(event.kind, EventKind::AnswerEnd { .. });
                let recorded = match event.participant.clone().filter(|_| is_answer) {
                    Some(who) => recorded_answer(&house, path.clone(), who).await,
                    None => RecordedAnswer::default(),
                };
                let next = tale.tell(&event, &recorded);
                (next, false)
            }
            Some(Update::Ended(ended)) => {
                let path = path.clone();
                let result = house.blocking(move |workspace| {
                    workspace.discussions().outcome(&path, (*ended).as_ref().map(|ran| ran.stopped))
                });
                match result.await {
                    Ok(result) => (Some(tale.end(&result)), true),
                    Err(_) => (None, true),
                }
            }
            None => (None, true),
        };
        let (next, is_over) = next;
        if let Some((name, content)) = next {
            let Ok(event) = Event::default().event(name).json_data(content) else { return };
            if sender.send(Ok(event)).await.is_err() {
                house.abort(&path);
                return;
            }
        }
        if is_over {
            return;
        }
    }
}

/// Returns the recorded details of a participant's last answer.
async fn recorded_answer(house: &AppState, path: PathBuf, who: String) -> RecordedAnswer {
    let read = house.blocking(move |workspace| {
        let shown = workspace.discussions().show(&path)?;
        let seats = shown.status.participants.iter();
        let name = seats.into_iter().find(|one| one.alias.as_deref() == Some(who.as_str()));
        let (name, reason) = match name {
            Some(one) => (Some(one.name.clone()), one.reason.clone()),
            None => (None, None),
        };
        let answers = shown.entries.into_iter().rev().filter_map(|entry| match entry.kind {
            Kind::Comment { author, markers, reply, .. } if Some(&author) == name.as_ref() => {
                Some((markers, reply?))
            }
            _ => None,
        });
        let last = answers.into_iter().next().map(|(markers, reply)| {
            let solution = markers.into_iter().find(|mark| mark.marker == "SOLUTION");
            let tokens = reply.tokens.map(|tokens| (tokens.input, tokens.output));
            RecordedAnswer {
                tokens: tokens.unwrap_or_default(),
                solution: solution.map(|mark| mark.text),
                reason,
            }
        });
        Ok(last.unwrap_or_default())
    });
    read.await.unwrap_or_default()
}
