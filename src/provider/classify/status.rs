//! Finds out from a service's status code why a call failed.

use super::{FailureCode, classify};

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
