//! Turns a status other than success into a failure.

use std::time::Duration;

use chrono::DateTime;
use serde_json::Value;

use super::response::{short, words_of};
use crate::provider::classify::retry_after;
use crate::provider::{CallError, FailureCode};

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
    use super::*;
    use FailureCode as F;

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
