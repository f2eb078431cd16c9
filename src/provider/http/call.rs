//! One call to a service: the request, the answer, and its failures.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::time::timeout;

use super::client::{HttpRequest, ResponseStream};
use super::response::{HttpError, ResponseAccumulator, Waits};
use super::stream_decoder::StreamDecoder;
use super::wire::WireRequest;
use super::{Http, Url};
use crate::digest::sha256_hex;
use crate::provider::sanitize_output::SecretRedactor;
use crate::provider::{CallError, FailureCode, OnText, Reply, Request};

/// The maximum number of answer bytes per allowed token if money is limited. The reservation covers this size. The
/// client stops a service that does not stop by itself.
const PAID: usize = 4;
/// The maximum size of an answer's text, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;
/// The maximum size of the whole response stream, in bytes.
const LONGEST_STREAM: usize = 64 * 1024 * 1024;
/// The number of bytes of a failure's body that are read.
const LONGEST_BODY: usize = 16 * 1024;
/// The number of bytes of a list of models that are read.
const LONGEST_LIST: usize = 4 * 1024 * 1024;

impl Http {
    pub(super) async fn ask(&self, request: Request<'_>) -> Result<Reply, CallError> {
        let name = self.name.as_str();
        let deadline = request.deadline;
        let hidden = self.key.as_ref().map(|key| Mutex::new(SecretRedactor::just(key.reveal())));
        let without_key = |text: &str| {
            let (Some(hidden), Some(on_text)) = (&hidden, request.on_text) else { return };
            let piece = hidden.lock().push(text.as_bytes());
            if !piece.is_empty() {
                on_text(&String::from_utf8_lossy(&piece));
            }
        };
        let on_text: Option<OnText<'_>> = match (&hidden, request.on_text) {
            (Some(_), Some(_)) => Some(&without_key),
            (_, on_text) => on_text,
        };
        let told = Request { prefix: Arc::clone(&request.prefix), on_text, ..request };
        let asked = timeout(deadline, self.converse(&told)).await;
        let result = asked.unwrap_or_else(|_| {
            let seconds = deadline.as_secs_f64();
            let message = format!("{name} timed out after {seconds:.1} s");
            Err(CallError::new(FailureCode::Timeout, message))
        });
        let Some(key) = &self.key else { return result };
        match result {
            Ok(reply) => {
                // A very short key stays, because it could be a word of the answer.
                let hidden = SecretRedactor::just(key.reveal());
                let model = reply.model.map(|model| hidden.hide_text(&model));
                Ok(Reply { text: hidden.hide_text(&reply.text), model, ..reply })
            }
            Err(error) => Err(CallError { message: key.hide(&error.message), ..error }),
        }
    }

    async fn converse(&self, request: &Request<'_>) -> Result<Reply, CallError> {
        let misconfigured = |why: String| CallError::new(FailureCode::Misconfigured, why);
        let url = self.url.as_ref().map_err(|error| misconfigured(error.clone()))?;
        if let Err(why) = &self.proxy {
            return Err(misconfigured(why.clone()));
        }
        if let (Some(name), None) = (&self.definition.key, &self.key) {
            let message = format!("`{name}` contains no key for {}", self.name);
            return Err(CallError::new(FailureCode::Unauthorized, message));
        }
        let model = match &self.definition.model {
            Some(model) => model.clone(),
            None => self.first_model(url).await?,
        };
        let file = request.context.file.to_string_lossy();
        let cache_key = &sha256_hex(format!("{file}\n{model}"))[..32];
        let wish = request.context.temperature.or(self.definition.temperature);
        let refused = self.no_temperature.load(Ordering::Relaxed);
        let mut ask = WireRequest {
            definition: &self.definition,
            model: &model,
            prefix: &request.prefix,
            tail: request.tail,
            temperature: wish.filter(|_| self.definition.effort.is_none() && !refused),
            cache_key,
        };
        let mut warnings = Vec::new();
        let mut answer = self.send(url, &ask).await;
        // Some reasoning models accept no temperature, which only the service knows.
        if ask.temperature.is_some()
            && let Err(error) = &answer
            && error.code == FailureCode::Misconfigured
            && error.message.contains("temperature")
        {
            self.no_temperature.store(true, Ordering::Relaxed);
            warnings.push(format!(
                "{} does not accept a temperature; it was called without one",
                self.name
            ));
            ask.temperature = None;
            answer = self.send(url, &ask).await;
        }
        let mut reply = self.listen(answer?, request).await?;
        reply.warnings.append(&mut warnings);
        Ok(reply)
    }

    async fn send(&self, url: &Url, ask: &WireRequest<'_>) -> Result<ResponseStream, CallError> {
        let body = self.definition.wire.body(ask).to_string().into_bytes();
        let path = self.definition.wire.path(ask.model);
        let question = self.question(url, path, Some(body));
        let mut coming = question.send(self.name.as_str()).await?;
        if coming.status() == 200 {
            return Ok(coming);
        }
        let body = coming.beginning(LONGEST_BODY).await;
        let refusal = HttpError {
            status: coming.status(),
            waits: Waits {
                milliseconds: coming.header("retry-after-ms"),
                after: coming.header("retry-after"),
                date: coming.header("date"),
            },
            body: &String::from_utf8_lossy(&body),
        };
        Err(refusal.failure(self.name.as_str(), ask.model))
    }

    fn question<'a>(
        &'a self,
        url: &'a Url,
        path: String,
        body: Option<Vec<u8>>,
    ) -> HttpRequest<'a> {
        let wire = self.definition.wire;
        let (header, before) = wire.key_header();
        let key = self.key.as_ref().map(|key| (header, before, key));
        let proxy = self.proxy.as_ref().ok().and_then(Option::as_ref);
        HttpRequest { url, path, headers: wire.headers(), key, body, proxy }
    }

    /// Reads an answer to its end, and passes it on piece by piece.
    async fn listen(
        &self,
        mut coming: ResponseStream,
        request: &Request<'_>,
    ) -> Result<Reply, CallError> {
        let (name, wire) = (self.name.as_str(), self.definition.wire);
        let most = usize::try_from(self.definition.max_tokens).unwrap_or(usize::MAX);
        let paid = request.longest.map(|_| most.saturating_mul(PAID));
        let kind = coming.header("content-type").unwrap_or_default().to_ascii_lowercase();
        if kind.starts_with("text/html") || kind.starts_with("application/json") {
            let body = coming.beginning(LONGEST_BODY).await;
            return Err(self.no_stream(&String::from_utf8_lossy(&body)));
        }
        let mut heard = ResponseAccumulator::default();
        let mut pieces = StreamDecoder::new(wire.framing());
        let mut bytes = 0;
        loop {
            let (found, ended) = match coming.next().await {
                Ok(Some(some)) => {
                    bytes += some.len();
                    (pieces.push(&some), false)
                }
                Ok(None) => {
                    let rest = std::mem::replace(&mut pieces, StreamDecoder::new(wire.framing()));
                    (rest.end(), true)
                }
                Err(_) => {
                    let message = format!("the connection to {name} broke during the answer");
                    return Err(CallError::new(FailureCode::CutStream, message));
                }
            };
            for piece in found {
                match piece {
                    Ok(piece) => wire.hear(&piece, &mut heard),
                    Err(_) => heard.unreadable(),
                }
            }
            if heard.len() > LONGEST_TEXT || bytes > LONGEST_STREAM {
                let message = format!("{name} sent more than {LONGEST_TEXT} bytes and was stopped");
                return Err(CallError::new(FailureCode::OutputTooLong, message));
            }
            if paid.is_some_and(|paid| heard.len() > paid) {
                heard.cut(paid.unwrap_or_default());
                return heard.end(name, self.definition.max_tokens);
            }
            if let Some(on_text) = request.on_text
                && let Some(news) = heard.news()
            {
                on_text(news);
            }
            if ended {
                return heard.end(name, self.definition.max_tokens);
            }
        }
    }

    /// Returns the error for a response that is not a stream.
    fn no_stream(&self, body: &str) -> CallError {
        let name = self.name.as_str();
        let Ok(document) = serde_json::from_str::<Value>(body) else {
            let message = format!("{name} sent a web page instead of an answer; fix its `url`");
            return CallError::new(FailureCode::Unreadable, message);
        };
        let mut heard = ResponseAccumulator::default();
        let error = document.get(0).unwrap_or(&document).get("error");
        if let Some(error) = error.filter(|error| !error.is_null()) {
            heard.note_error(error);
        }
        let end = heard.end(name, self.definition.max_tokens);
        end.err()
            .unwrap_or_else(|| CallError::new(FailureCode::Empty, format!("{name} sent nothing")))
    }

    /// Returns the first model of the service, for a definition that names no model.
    async fn first_model(&self, url: &Url) -> Result<String, CallError> {
        let name = self.name.as_str();
        let mut coming = self.question(url, "api/tags".to_owned(), None).send(name).await?;
        let list = coming.beginning(LONGEST_LIST).await;
        let list: Value = serde_json::from_slice(&list).unwrap_or_default();
        let first = list.pointer("/models/0/name").and_then(Value::as_str);
        first.map(str::to_owned).ok_or_else(|| {
            let fix = self.definition.get.as_deref().unwrap_or("set `model`");
            let message = format!("{name} has no model yet; {fix}");
            CallError::new(FailureCode::UnknownModel, message)
        })
    }
}
