//! Collects the parts of a streamed answer, and turns them into a reply or a failure at the end.

use serde_json::Value;

use crate::provider::classify::failure;
use crate::provider::{CallError, FailureCode, Reply, Usage};

/// The maximum number of characters of a service's message that are shown.
const SHOWN: usize = 300;

/// The reason why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    /// The answer is complete.
    Stop,
    /// The answer reached its maximum length.
    Length,
    /// The service withheld the answer.
    Filter,
    /// Another reason, in the service's word.
    Other(String),
}

/// The parts of an answer that have arrived.
#[derive(Debug, Default)]
pub(super) struct ResponseAccumulator {
    text: String,
    /// The number of bytes of `text` that were passed on already.
    shown: usize,
    model: Option<String>,
    usage: Option<Usage>,
    usd: Option<f64>,
    finish: Option<Finish>,
    /// A failure that the service reported in the middle of an answer.
    told: Option<Value>,
    /// True if a piece was not valid JSON.
    unreadable: bool,
}

impl ResponseAccumulator {
    pub(super) fn say(&mut self, words: &str) {
        self.text.push_str(words);
    }

    pub(super) fn model(&mut self, model: Option<&str>) {
        if let Some(model) = model.filter(|model| !model.is_empty() && self.model.is_none()) {
            self.model = Some(model.to_owned());
        }
    }

    pub(super) fn usage(&mut self, usage: Option<Usage>) {
        self.usage = usage.or(self.usage);
    }

    pub(super) fn used(&self) -> Option<Usage> {
        self.usage
    }

    pub(super) fn usd(&mut self, usd: Option<f64>) {
        self.usd = usd.filter(|usd| usd.is_finite() && *usd >= 0.0).or(self.usd);
    }

    /// Sets the reason for the end. `Filter` stays, whatever the service sends later.
    pub(super) fn finish(&mut self, finish: Finish) {
        if self.finish != Some(Finish::Filter) {
            self.finish = Some(finish);
        }
    }

    pub(super) fn note_error(&mut self, error: &Value) {
        self.told.get_or_insert_with(|| error.clone());
    }

    pub(super) fn unreadable(&mut self) {
        self.unreadable = true;
    }

    /// Ends the answer after this many bytes, because it is longer than allowed.
    pub(super) fn cut(&mut self, bytes: usize) {
        self.text.truncate(self.text.floor_char_boundary(bytes));
        self.finish(Finish::Length);
    }

    /// Returns the number of bytes of text so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the text that arrived since the last call of this function.
    pub(super) fn news(&mut self) -> Option<&str> {
        let from = std::mem::replace(&mut self.shown, self.text.len());
        self.text.get(from..).filter(|news| !news.is_empty())
    }

    /// Returns the reply after the stream has ended. `who` is the provider; `most` is the maximum number of tokens.
    pub(super) fn end(self, who: &str, most: u32) -> Result<Reply, CallError> {
        if let Some(error) = &self.told {
            let failure = error_in_answer(who, error);
            // The answer had begun, so it must be paid for.
            let begun = !self.text.is_empty() || self.usage.is_some();
            let code =
                if begun && failure.retryable { FailureCode::CutStream } else { failure.code };
            let retry_after = failure.retry_after;
            return Err(CallError { retry_after, ..CallError::new(code, failure.message) });
        }
        let mut warnings = Vec::new();
        let (finish, silent) = (self.finish, self.text.trim().is_empty());
        let word = match &finish {
            // Neither text nor an end mark arrived: the response was no stream.
            None if silent && self.usage.is_none() => {
                return Err(CallError::new(FailureCode::Empty, format!("{who} sent nothing")));
            }
            None => {
                let message = format!("the answer from {who} is incomplete");
                return Err(CallError::new(FailureCode::CutStream, message));
            }
            Some(Finish::Filter) => {
                let message = format!("{who} withheld its answer (content filter)");
                return Err(CallError::new(FailureCode::ContentFilter, message));
            }
            Some(Finish::Other(reason)) => {
                let message =
                    format!("{who} stopped before its answer was complete (`{}`)", short(reason));
                return Err(CallError::new(FailureCode::CutStream, message));
            }
            Some(Finish::Length) if silent => {
                let message = format!(
                    "{who} used all {most} tokens without giving an answer; raise `max_tokens`"
                );
                return Err(CallError::new(FailureCode::Empty, message));
            }
            Some(Finish::Length) => {
                warnings.push(format!("{who} was cut off after {most} tokens (`max_tokens`)"));
                "length"
            }
            Some(Finish::Stop) if silent => {
                let message = format!("{who} finished but gave no answer");
                return Err(CallError::new(FailureCode::Empty, message));
            }
            Some(Finish::Stop) => "stop",
        };
        if self.unreadable {
            warnings
                .push(format!("part of the answer from {who} could not be read and was left out"));
        }
        Ok(Reply {
            text: self.text,
            model: self.model,
            usage: self.usage,
            usd: self.usd,
            finish: Some(word.to_owned()),
            warnings,
        })
    }
}

/// Returns the failure for an error that the service sent in place of an answer.
fn error_in_answer(who: &str, error: &Value) -> CallError {
    let status = error.get("code").or_else(|| error.get("status")).and_then(Value::as_u64);
    let body = error.to_string();
    let code = status
        .and_then(|status| u16::try_from(status).ok())
        .and_then(|status| FailureCode::of_status(status, &body));
    let mut failure =
        failure(FailureCode::Server, &body, format!("{who} reports: {}", words_of(error)));
    if let Some(code) = code {
        failure =
            CallError { retry_after: failure.retry_after, ..CallError::new(code, failure.message) };
    }
    failure
}

/// Returns the message of an error in the service's own words.
pub(super) fn words_of(error: &Value) -> String {
    let error = error.get(0).unwrap_or(error);
    let inner = error.get("error").filter(|inner| !inner.is_null()).unwrap_or(error);
    let said = ["/message", "/error/message", "/detail", "/msg"]
        .iter()
        .find_map(|pointer| inner.pointer(pointer).and_then(Value::as_str))
        .or_else(|| inner.as_str());
    short(&said.map_or_else(|| inner.to_string(), str::to_owned))
}

/// Returns a text as one line of at most [`SHOWN`] characters.
pub(super) fn short(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
