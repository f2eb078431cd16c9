//! What a program's last words say about why it failed.
//!
//! The patterns are the words of real programs and services; the first group that matches wins,
//! so that what cannot be retried comes before what can.

use std::sync::LazyLock;
use std::time::Duration;

use regex::Regex;

use super::{CallError, FailureCode};
use crate::duration;

/// A wait longer than this is a limit of the day, not of the minute.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// The kind of failure that `words` tell of, if they tell of one that we know.
pub(super) fn classify(words: &str) -> Option<FailureCode> {
    let code = RULES.iter().find(|(_, pattern)| pattern.is_match(words)).map(|(code, _)| *code)?;
    // Some services say "quota" for what is over in a minute; they then say when.
    if code == FailureCode::SpendLimit
        && retry_after(words).is_some_and(|wait| wait <= LONGEST_WAIT)
    {
        return Some(FailureCode::RateLimited);
    }
    Some(code)
}

/// A failure with its kind and the wait that `words` ask for; `fallback` where they tell no kind.
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

static RULES: LazyLock<Vec<(FailureCode, Regex)>> = LazyLock::new(|| {
    let status = |numbers: &str| {
        format!(
            r"(?:status|error|code|http(?:/[\d.]+)?|rejected)\W{{0,12}}(?:code\W{{0,4}})?(?:{numbers})\b"
        )
    };
    [
        (
            FailureCode::SpendLimit,
            format!(
                "insufficient[_ ](?:quota|balance|funds|credits?)|credit balance is too low\
                 |quota exceeded|exceeded your (?:current )?quota|(?:spend(?:ing)?|usage|billing)[_ ](?:hard[_ ])?(?:limit|cap)\
                 |payment required|out of credits|{}",
                status("402")
            ),
        ),
        (
            FailureCode::PromptTooLong,
            "(?:prompt|input|message) (?:is too long|too long|exceeds (?:the )?max)|context[_ ](?:length|window)[_ ]?(?:exceeded|limit)\
             |maximum context length|request too large"
                .to_owned(),
        ),
        (
            FailureCode::RateLimited,
            format!("rate[-_ ]?limit|too many requests|resource_exhausted|{}", status("429")),
        ),
        (
            FailureCode::Unauthorized,
            format!(
                "invalid (?:x-)?(?:api[-_ ]?key|auth)|api key not valid|unauthori[sz]ed|authentication[_ ](?:error|failed|required)\
                 |not logged in|please (?:run /?)?log ?in|permission_error|(?:missing|no) api[-_ ]?key|{}",
                status("401|403")
            ),
        ),
        (
            FailureCode::UnknownModel,
            "model[^\\n]{0,80}(?:not found|does not exist|may not exist|is not supported)|unknown model|modelnotfound"
                .to_owned(),
        ),
        (
            FailureCode::Misconfigured,
            "unknown (?:option|argument|feature flag|flag)|unexpected argument|unrecognized (?:option|argument)\
             |not (?:inside|running in) a trusted directory|command not found"
                .to_owned(),
        ),
        (
            FailureCode::Overloaded,
            format!(
                "overloaded|service unavailable|high demand|at capacity|{}",
                status("503|529")
            ),
        ),
        (
            FailureCode::CutStream,
            "stream (?:disconnected|closed|ended|error|interrupted)|connection (?:reset|closed|aborted)|socket hang up\
             |premature(?:ly)? (?:close|end)|unexpected (?:eof|end of)|econnreset|incomplete (?:message|response)"
                .to_owned(),
        ),
        (
            FailureCode::Unreachable,
            "enotfound|econnrefused|etimedout|connection refused|could not (?:resolve|connect)|dns (?:error|lookup)|fetch failed\
             |network (?:error|is unreachable)|no route to host|error sending request"
                .to_owned(),
        ),
        (
            FailureCode::Server,
            format!("internal server error|bad gateway|gateway time-?out|server[_ ]error|{}", status("50\\d")),
        ),
    ]
    .into_iter()
    .filter_map(|(code, pattern)| Some((code, Regex::new(&format!("(?i){pattern}")).ok()?)))
    .collect()
});

/// How long the words ask to wait: `retry-after: 7`, `try again in 2m 5s`, `"retryDelay": "31s"`.
pub(super) fn retry_after(words: &str) -> Option<Duration> {
    let spans = WAIT.as_ref()?.captures(words)?;
    let mut seconds = 0.0;
    for span in SPAN.as_ref()?.captures_iter(spans.get(1)?.as_str()) {
        let number: f64 = span[1].parse().ok()?;
        match duration::seconds_in(&span[2]) {
            Some(unit) => seconds += number * unit,
            // A bare number is of seconds, and the word after it begins something else.
            None if seconds == 0.0 => return Duration::try_from_secs_f64(number).ok(),
            None => break,
        }
    }
    Duration::try_from_secs_f64(seconds).ok()
}

static WAIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:retry[-_ ]?(?:after|delay|in)|try again (?:in|after)|resets? (?:in|after)|please wait)\W{0,6}((?:\d+(?:\.\d+)?\s*[a-z]*\s*){1,3})",
    )
    .ok()
});

static SPAN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)(\d+(?:\.\d+)?)\s*([a-z]*)").ok());

#[cfg(test)]
mod tests {
    use super::*;
    use FailureCode as F;

    #[test]
    fn the_words_of_real_programs_are_understood() {
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
            ("Invalid API key · Fix external API key", F::Unauthorized),
            ("unexpected status 401 Unauthorized: invalid x-api-key", F::Unauthorized),
            ("Invalid auth method selected.", F::Unauthorized),
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
    fn a_quota_that_is_over_in_a_minute_is_a_rate_limit() {
        let words = "You exceeded your current quota. \"retryDelay\": \"31s\"";
        assert_eq!(classify(words), Some(F::RateLimited));
        assert_eq!(classify("quota exceeded, try again in 9 hours"), Some(F::SpendLimit));
    }

    #[test]
    fn the_wait_is_read_in_any_unit() {
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
        assert_eq!(RULES.len(), 10);
        assert!(WAIT.is_some() && SPAN.is_some());
    }
}
