//! What a service's status code says about why a call failed.

use super::{FailureCode, classify};

impl FailureCode {
    /// The kind of failure that an HTTP status tells of, with a hint from the answer's body (may be empty);
    /// `None` where it tells of none that we know.
    pub(crate) fn of_status(status: u16, body: &str) -> Option<Self> {
        let said = || classify(body);
        Some(match status {
            402 => Self::SpendLimit,
            // Services call money that is used up a bad request, a forbidden one, or too many.
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

    #[test]
    fn a_status_tells_the_kind_of_failure() {
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
