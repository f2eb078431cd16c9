//! Collects the parts of a streamed answer, and turns them into a reply or a failure at the end.
//! Also converts an HTTP status other than success into a failure.

use std::time::Duration;

use chrono::DateTime;
use serde_json::Value;

use crate::provider::classify::{failure, retry_after};
use crate::provider::{CallError, FailureCode, Reply, ReportedUsd, Usage};

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
    usd: ReportedUsd,
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

    /// Sets the reported cost. A later piece of the answer may omit it.
    pub(super) fn usd(&mut self, usd: ReportedUsd) {
        if usd != ReportedUsd::Absent {
            self.usd = usd;
        }
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
        warnings.extend(self.usd.warning(who));
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
fn words_of(error: &Value) -> String {
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

/// A response with an error status.
pub(super) struct HttpError<'a> {
    pub(super) status: u16,
    /// The headers `retry-after-ms`, `retry-after` and `date`, if they were sent.
    pub(super) waits: Waits<'a>,
    /// The beginning of the body.
    pub(super) body: &'a str,
}

/// The headers that say how long to wait.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits<'a> {
    pub(super) milliseconds: Option<&'a str>,
    pub(super) after: Option<&'a str>,
    /// The time at which the service sent the response, by its own clock.
    pub(super) date: Option<&'a str>,
}

impl HttpError<'_> {
    /// Returns the failure. `who` is the provider's name, `model` the model that was requested.
    pub(super) fn failure(&self, who: &str, model: &str) -> CallError {
        let Self { status, body, .. } = *self;
        let said = body_message(body);
        let code = match FailureCode::of_status(status, body) {
            Some(code) => code,
            // Following a redirect would send the key to another host.
            None if (300..400).contains(&status) => FailureCode::Misconfigured,
            None => FailureCode::Misconfigured,
        };
        let what = match code {
            _ if (300..400).contains(&status) => {
                format!(
                    "{who} redirected ({status}), and redirects are not followed; fix its `url`"
                )
            }
            FailureCode::Unauthorized => format!("{who} rejected the key ({status})"),
            FailureCode::UnknownModel => {
                format!("{who} has no model `{model}` ({status}); set another `model`")
            }
            _ => format!("{who} returned status {status}"),
        };
        let message = if said.is_empty() { what } else { format!("{what}: {said}") };
        let retry_after = match code {
            FailureCode::RateLimited | FailureCode::Overloaded | FailureCode::Server => {
                self.waits.wait().or_else(|| retry_after(body))
            }
            _ => None,
        };
        CallError { retry_after, ..CallError::new(code, message) }
    }
}

impl Waits<'_> {
    /// Returns the time to wait, if a header states it. A date is compared with the service's own clock.
    pub(super) fn wait(&self) -> Option<Duration> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        if let Some(milliseconds) = self.milliseconds.and_then(number) {
            return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
        }
        let after = self.after?;
        if let Some(seconds) = number(after) {
            return Duration::try_from_secs_f64(seconds).ok();
        }
        let until = DateTime::parse_from_rfc2822(after.trim()).ok()?;
        let now = DateTime::parse_from_rfc2822(self.date?.trim()).ok()?;
        Some((until - now).to_std().unwrap_or_default())
    }
}

/// Returns the message of a body for people: the message of an error, or the title of a page.
fn body_message(body: &str) -> String {
    let body = body.trim();
    if let Ok(error) = serde_json::from_str::<Value>(body) {
        return words_of(&error);
    }
    if !body.starts_with('<') {
        return short(body);
    }
    let lower = body.to_ascii_lowercase();
    let title = lower.find("<title>").map(|at| at + "<title>".len()).and_then(|from| {
        let end = lower[from..].find("</title>")?;
        body.get(from..from + end)
    });
    title.map_or_else(|| "a web page instead of an answer".to_owned(), short)
}

#[cfg(test)]
mod tests {
    use FailureCode as F;

    use super::*;

    fn refusal(status: u16, body: &str) -> CallError {
        HttpError { status, waits: Waits::default(), body }.failure("own", "m-1")
    }

    #[test]
    fn status_becomes_a_failure_with_advice() {
        for (status, body, code, words) in [
            (
                401,
                r#"{"error":{"message":"bad key"}}"#,
                F::Unauthorized,
                "rejected the key (401): bad key",
            ),
            (403, "", F::Unauthorized, "rejected the key (403)"),
            (402, r#"{"message":"pay"}"#, F::SpendLimit, "returned status 402: pay"),
            (404, r#"{"error":"model not found"}"#, F::UnknownModel, "no model `m-1` (404)"),
            (404, "<html><title>404 Not Found</title>", F::Misconfigured, "404: 404 Not Found"),
            (
                400,
                r#"{"error":{"message":"prompt is too long: 9 > 8"}}"#,
                F::PromptTooLong,
                "too long",
            ),
            (400, r#"{"error":{"message":"no such field"}}"#, F::Misconfigured, "no such field"),
            (
                429,
                r#"{"error":{"code":"insufficient_quota","message":"m"}}"#,
                F::SpendLimit,
                "429: m",
            ),
            (408, "", F::Timeout, "returned status 408"),
            (503, "<html>x", F::Overloaded, "a web page instead of an answer"),
            (529, "", F::Overloaded, "returned status 529"),
            (500, "oops\n  twice", F::Server, "returned status 500: oops twice"),
            (307, "", F::Misconfigured, "redirected (307)"),
        ] {
            let failure = refusal(status, body);
            assert_eq!(failure.code, code, "{status} {body}");
            assert!(failure.message.contains(words), "{}", failure.message);
        }
    }

    #[test]
    fn only_the_reason_of_a_body_is_shown() {
        let failure = refusal(500, &"x".repeat(5000));
        assert!(failure.message.chars().count() < 340, "{}", failure.message.len());
    }

    #[test]
    fn wait_is_read_in_every_form() {
        let at = Some("Wed, 18 Nov 2026 10:00:00 GMT");
        let later = Some("Wed, 18 Nov 2026 10:00:42 GMT");
        for (milliseconds, after, date, seconds) in [
            (Some("1500"), Some("9"), None, Some(1.5)),
            (None, Some("7"), None, Some(7.0)),
            (None, Some("0.25"), None, Some(0.25)),
            (None, later, at, Some(42.0)),
            (None, at, later, Some(0.0)),
            (None, later, None, None),
            (None, Some("soon"), at, None),
            (None, Some("-1"), at, None),
            (None, None, None, None),
        ] {
            let waits = Waits { milliseconds, after, date };
            assert_eq!(waits.wait().map(|wait| wait.as_secs_f64()), seconds, "{waits:?}");
        }
    }
}
