//! Reasons why a call failed, from a program's last output or from a service's status code.
//!
//! The patterns match messages of real programs and services. The first group that matches wins, so failures that
//! cannot be retried come before failures that can.

use std::sync::LazyLock;
use std::time::Duration;

use regex::Regex;

use super::{CallError, FailureCode};
use crate::duration;

/// The longest wait of a rate limit. A longer wait means a limit for the day, not for the minute.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// Returns the kind of failure that `words` describe, if it is a known kind.
pub(super) fn classify(words: &str) -> Option<FailureCode> {
    let statuses = told_by_status(words);
    let told = |(code, pattern): &&(FailureCode, Regex)| {
        pattern.is_match(words) || statuses.contains(code)
    };
    let code = PATTERNS.iter().find(told)?.0;
    // Some services say "quota" for a limit that ends after a minute, but then they also say how long to wait.
    if code == FailureCode::SpendLimit
        && retry_after(words).is_some_and(|wait| wait <= LONGEST_WAIT)
    {
        return Some(FailureCode::RateLimited);
    }
    Some(code)
}

/// Returns a failure with its kind and the wait that `words` ask for. The kind is `fallback` if the words describe
/// none.
pub(super) fn failure(fallback: FailureCode, words: &str, message: String) -> CallError {
    let code = classify(words).unwrap_or(fallback);
    let wait = match code {
        FailureCode::RateLimited | FailureCode::Overloaded | FailureCode::Server => {
            retry_after(words)
        }
        _ => None,
    };
    CallError { retry_after: wait, ..CallError::new(code, message) }
}

/// The kinds of failure, each with a pattern for the words that describe it.
const RULES: [(FailureCode, &str); 11] = [
    (FailureCode::BudgetSpent, "error_max_budget_usd|reached maximum budget"),
    (
        FailureCode::SpendLimit,
        "insufficient[_ ](?:quota|balance|funds|credits?)|credit balance is too low\
         |quota exceeded|exceeded your (?:current )?quota|(?:spend(?:ing)?|usage|billing)[_ ](?:hard[_ ])?(?:limit|cap)\
         |payment required|out of credits",
    ),
    (
        FailureCode::PromptTooLong,
        "(?:prompt|input|message) (?:is too long|too long|exceeds (?:the )?max)|context[_ ](?:length|window)[_ ]?(?:exceeded|limit)\
         |maximum context length|request too large",
    ),
    (FailureCode::RateLimited, "rate[-_ ]?limit|too many requests|resource_exhausted"),
    (
        FailureCode::Unauthorized,
        "invalid (?:x-)?(?:api[-_ ]?key|auth)|api key not valid|unauthori[sz]ed|authentication[_ ](?:error|failed|required)\
         |not logged in|please (?:run /?)?log ?in|permission_error|(?:missing|no) api[-_ ]?key",
    ),
    (
        FailureCode::UnknownModel,
        "model[^\\n]{0,80}(?:not found|does not exist|may not exist|is not supported)|unknown model|modelnotfound",
    ),
    (
        FailureCode::Misconfigured,
        "unknown (?:option|argument|feature flag|flag)|unexpected argument|unrecognized (?:option|argument)\
         |not (?:inside|running in) a trusted directory|command not found",
    ),
    (FailureCode::Overloaded, "overloaded|service unavailable|high demand|at capacity"),
    (
        FailureCode::CutStream,
        "stream (?:disconnected|closed|ended|error|interrupted)|connection (?:reset|closed|aborted)|socket hang up\
         |premature(?:ly)? (?:close|end)|unexpected (?:eof|end of)|econnreset|incomplete (?:message|response)",
    ),
    (
        FailureCode::Unreachable,
        "enotfound|econnrefused|etimedout|connection ?refused|(?:could not|unable to) (?:resolve|connect)|dns (?:error|lookup)|fetch failed\
         |network (?:error|is unreachable)|no route to host|error sending request",
    ),
    (FailureCode::Server, "internal server error|bad gateway|gateway time-?out|server[_ ]error"),
];

/// The compiled patterns. A malformed pattern would panic at first use.
static PATTERNS: LazyLock<[(FailureCode, Regex); 11]> =
    LazyLock::new(|| RULES.map(|(code, text)| (code, pattern(text))));

/// A status code, if the words before it say that it is one.
static STATUS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:status|error|code|http(?:/[\d.]+)?|rejected)\W{0,12}(?:code\W{0,4})?([45]\d\d)\b")
});

fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}"))
        .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
}

/// Returns the kinds of failure for the status codes in the words.
fn told_by_status(words: &str) -> Vec<FailureCode> {
    let codes = STATUS.captures_iter(words).filter_map(|found| found[1].parse().ok());
    let known = codes.filter_map(|code| FailureCode::of_status(code, ""));
    // The program did not time out itself: it reports that its service did.
    known
        .map(|code| if code == FailureCode::Timeout { FailureCode::Server } else { code })
        .collect()
}

/// Returns the wait that the words ask for: `retry-after: 7`, `try again in 2m 5s`, `"retryDelay": "31s"`.
pub(super) fn retry_after(words: &str) -> Option<Duration> {
    let spans = WAIT.captures(words)?;
    let mut seconds = 0.0;
    for span in SPAN.captures_iter(spans.get(1)?.as_str()) {
        let number: f64 = span[1].parse().ok()?;
        match duration::seconds_in(&span[2]) {
            Some(unit) => seconds += number * unit,
            // A bare number means seconds, and the word after it belongs to other text.
            None if seconds == 0.0 => return Duration::try_from_secs_f64(number).ok(),
            None => break,
        }
    }
    Duration::try_from_secs_f64(seconds).ok()
}

static WAIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:retry[-_ ]?(?:after|delay|in)|try again (?:in|after)|resets? (?:in|after)|please wait)\W{0,6}((?:\d+(?:\.\d+)?\s*[a-z]*\s*){1,3})",
    )
});

static SPAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\d+(?:\.\d+)?)\s*([a-z]*)"));

impl FailureCode {
    /// Returns the kind of failure that an HTTP status stands for, or `None` for an unknown status. `body` is the
    /// answer's body, which may be empty and is used as a hint.
    pub(crate) fn of_status(status: u16, body: &str) -> Option<Self> {
        let said = || classify(body);
        Some(match status {
            402 => Self::SpendLimit,
            // Services report used-up money as a bad request, as forbidden, or as too many requests.
            400..500 if said() == Some(Self::SpendLimit) => Self::SpendLimit,
            401 | 403 => Self::Unauthorized,
            429 => Self::RateLimited,
            404 if body.to_ascii_lowercase().contains("model") => Self::UnknownModel,
            400 | 413 | 422 => said().filter(|code| !code.retryable())?,
            408 | 504 => Self::Timeout,
            503 | 529 => Self::Overloaded,
            500..600 => Self::Server,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::FailureCode as F;
    use super::*;

    #[test]
    fn messages_of_real_programs_are_classified() {
        for (words, code) in [
            (
                "API Error: Request rejected (429) · This request would exceed your rate limit",
                F::RateLimited,
            ),
            ("ERROR: exceeded retry limit, last status: 429 Too Many Requests", F::RateLimited),
            ("API Error: 529 Overloaded. This is a server-side issue", F::Overloaded),
            (
                "We’re currently experiencing high demand, which may cause temporary errors.",
                F::Overloaded,
            ),
            ("API Error: 500 Internal server error.", F::Server),
            ("status: 502", F::Server),
            ("status: 504", F::Server),
            ("error code: 200, then HTTP/1.1 403", F::Unauthorized),
            ("Invalid API key · Fix external API key", F::Unauthorized),
            ("unexpected status 401 Unauthorized: invalid x-api-key", F::Unauthorized),
            ("Invalid auth method selected.", F::Unauthorized),
            ("Reached maximum budget ($0.5)", F::BudgetSpent),
            ("Credit balance is too low", F::SpendLimit),
            ("Quota exceeded. Check your plan and billing details.", F::SpendLimit),
            ("You've hit your usage limit. Try again in 3 days", F::SpendLimit),
            ("There's an issue with the selected model (x). It may not exist", F::UnknownModel),
            ("error: unknown option '--safe-mode'", F::Misconfigured),
            (
                "Not inside a trusted directory and --skip-git-repo-check was not specified.",
                F::Misconfigured,
            ),
            ("stream disconnected before completion: stream closed", F::CutStream),
            ("connect ECONNREFUSED 127.0.0.1:443", F::Unreachable),
            ("API Error: Unable to connect to API (ConnectionRefused)", F::Unreachable),
            ("prompt is too long: 212000 tokens > 200000 maximum", F::PromptTooLong),
            ("Input exceeds the maximum length of 1048576 characters.", F::PromptTooLong),
            (r#"{"is_error":true,"api_error_status":429,"result":"no"}"#, F::RateLimited),
        ] {
            assert_eq!(classify(words), Some(code), "{words}");
        }
        assert_eq!(classify("Segmentation fault"), None);
        assert_eq!(classify("at file.js:429:24"), None);
    }

    #[test]
    fn quota_that_resets_in_a_minute_is_a_rate_limit() {
        let words = "You exceeded your current quota. \"retryDelay\": \"31s\"";
        assert_eq!(classify(words), Some(F::RateLimited));
        assert_eq!(classify("quota exceeded, try again in 9 hours"), Some(F::SpendLimit));
    }

    #[test]
    fn wait_is_read_in_any_unit() {
        for (words, seconds) in [
            ("retry-after: 7", 7.0),
            (r#""retry-after":"12""#, 12.0),
            ("Please try again in 1m30s.", 90.0),
            ("Rate limit reached. Please try again in 350ms.", 0.35),
            ("try again in 2 minutes", 120.0),
            ("retry in 12.5s", 12.5),
            ("Retry-After 3", 3.0),
        ] {
            let wait = retry_after(words).map(|wait| wait.as_secs_f64());
            assert_eq!(wait, Some(seconds), "{words}");
        }
        assert_eq!(retry_after("try again in a moment"), None);
        assert_eq!(retry_after("rate limited"), None);
    }

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&STATUS, &WAIT, &SPAN] {
            LazyLock::force(pattern);
        }
        assert_eq!(
            PATTERNS.iter().map(|(code, _)| code).collect::<Vec<_>>(),
            RULES.each_ref().map(|(code, _)| code)
        );
    }

    #[test]
    #[should_panic(expected = "a constant pattern")]
    fn invalid_pattern_panics() {
        pattern("(");
    }

    #[test]
    fn status_code_is_classified() {
        for (status, body, code) in [
            (401, "", Some(F::Unauthorized)),
            (403, "", Some(F::Unauthorized)),
            (402, "", Some(F::SpendLimit)),
            (429, r#"{"error":{"code":"insufficient_quota"}}"#, Some(F::SpendLimit)),
            (400, r#"{"error":{"code":"insufficient_quota"}}"#, Some(F::SpendLimit)),
            (404, "The model `x` does not exist", Some(F::UnknownModel)),
            (404, "no such page", None),
            (400, "prompt is too long: 212000 tokens > 200000 maximum", Some(F::PromptTooLong)),
            (400, "a field is missing", None),
            (408, "", Some(F::Timeout)),
            (504, "", Some(F::Timeout)),
            (429, "slow down", Some(F::RateLimited)),
            (503, "", Some(F::Overloaded)),
            (529, "", Some(F::Overloaded)),
            (500, "", Some(F::Server)),
            (502, "", Some(F::Server)),
            (200, "overloaded", None),
            (302, "", None),
        ] {
            assert_eq!(F::of_status(status, body), code, "{status} {body}");
        }
    }
}
