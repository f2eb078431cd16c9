//! Finds words in discussions and ranks the places where they occur. Nothing is stored between two
//! searches. A search works alike in every language, because it only compares letters and ignores
//! their case. Only a search by a whole question skips words that occur in every question. A search
//! may be limited to a period, which starts at a day, a point in time or an age.

mod passage;
mod rank;
mod words;

use chrono::{NaiveDate, TimeDelta};

use crate::duration::age;
use crate::transcript::Time;
pub use passage::FoundKind;
pub(crate) use passage::{passages, record_passages};
pub(crate) use rank::{Corpus, Looked, near_enough, nearest, promising, rank};
pub(crate) use words::SearchWords;

/// Returns the point in time that is `seconds` before `now`; none if it cannot be represented.
pub(crate) fn seconds_before(now: Time, seconds: f64) -> Option<Time> {
    now.checked_sub_signed(TimeDelta::try_seconds(seconds as i64)?)
}

/// Parses a day (`2026-11-20`), a point in time (RFC 3339), or an age (`12h`, `30d`, `2w`).
///
/// # Errors
/// Returns a message for the user that explains the notation.
pub(crate) fn since(text: &str, now: Time) -> Result<Time, String> {
    let text = text.trim();
    let day = || Some(text.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0)?.and_utc());
    let ago = || seconds_before(now, age(text)?);
    day()
        .or_else(|| text.parse().ok())
        .or_else(ago)
        .ok_or_else(|| format!("`{text}` is not a time; write it as 2026-11-20, 30d or 2w"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_ages_are_parsed() {
        let now: Time = "2026-11-20T10:00:00Z".parse().unwrap();
        let read = |text| since(text, now).map(|at| at.to_rfc3339());
        assert_eq!(read("2026-11-01").unwrap(), "2026-11-01T00:00:00+00:00");
        assert_eq!(read("2d").unwrap(), "2026-11-18T10:00:00+00:00");
        assert_eq!(read("1w").unwrap(), "2026-11-13T10:00:00+00:00");
        assert_eq!(read("2026-11-01T12:00:00Z").unwrap(), "2026-11-01T12:00:00+00:00");
        for wrong in ["", "soon", "-1d", "9999999999999999999d", "2026-13-01"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
