//! What an answer has said so far, and what it comes to when it is over.

use serde_json::Value;

use crate::provider::classify::failure;
use crate::provider::{CallError, FailureCode, Reply, Usage};

/// Most characters of a service's words that are shown.
const SHOWN: usize = 300;

/// Why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    /// It was whole.
    Stop,
    /// It was as long as it may be.
    Length,
    /// The service keeps it back.
    Filter,
    /// Something else, in the service's word.
    Other(String),
}

/// What an answer has said so far.
#[derive(Debug, Default)]
pub(super) struct Heard {
    text: String,
    /// Bytes of `text` that somebody was told already.
    shown: usize,
    model: Option<String>,
    usage: Option<Usage>,
    usd: Option<f64>,
    finish: Option<Finish>,
    /// A failure that the service tells of in the midst of an answer.
    told: Option<Value>,
    /// Pieces that were no JSON.
    unreadable: bool,
}

impl Heard {
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

    /// What was kept back once stays so, whatever is told after it.
    pub(super) fn finish(&mut self, finish: Finish) {
        if self.finish != Some(Finish::Filter) {
            self.finish = Some(finish);
        }
    }

    pub(super) fn told(&mut self, error: &Value) {
        self.told.get_or_insert_with(|| error.clone());
    }

    pub(super) fn unreadable(&mut self) {
        self.unreadable = true;
    }

    /// Ends the answer after so many bytes: it gets longer than it may.
    pub(super) fn cut(&mut self, bytes: usize) {
        self.text.truncate(self.text.floor_char_boundary(bytes));
        self.finish(Finish::Length);
    }

    /// Bytes of text so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// What was said since this was asked last.
    pub(super) fn news(&mut self) -> Option<&str> {
        let from = std::mem::replace(&mut self.shown, self.text.len());
        self.text.get(from..).filter(|news| !news.is_empty())
    }

    /// The answer, of a stream that has ended. `who` is the provider; `most` the tokens that were allowed.
    pub(super) fn end(self, who: &str, most: u32) -> Result<Reply, CallError> {
        if let Some(error) = &self.told {
            let failure = told(who, error);
            // Words that came before it are paid for.
            let begun = !self.text.is_empty() || self.usage.is_some();
            let code =
                if begun && failure.retryable { FailureCode::CutStream } else { failure.code };
            let retry_after = failure.retry_after;
            return Err(CallError { retry_after, ..CallError::new(code, failure.message) });
        }
        let mut warnings = Vec::new();
        let (finish, silent) = (self.finish, self.text.trim().is_empty());
        let word = match &finish {
            // Nothing at all, not even an end: whatever came was no stream.
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

/// A failure that stands where an answer should.
fn told(who: &str, error: &Value) -> CallError {
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

/// What an error says, in its own words.
pub(super) fn words_of(error: &Value) -> String {
    let error = error.get(0).unwrap_or(error);
    let inner = error.get("error").filter(|inner| !inner.is_null()).unwrap_or(error);
    let said = ["/message", "/error/message", "/detail", "/msg"]
        .iter()
        .find_map(|pointer| inner.pointer(pointer).and_then(Value::as_str))
        .or_else(|| inner.as_str());
    short(&said.map_or_else(|| inner.to_string(), str::to_owned))
}

/// One line of at most [`SHOWN`] characters.
pub(super) fn short(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
