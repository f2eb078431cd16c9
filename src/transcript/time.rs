//! Formats and parses the points in time in control lines.

use super::entry::Time;

/// Formats a time in the project's form: RFC 3339 in UTC, whole seconds, such as `2026-11-20T10:00:00Z`.
pub(crate) fn time(at: Time) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

/// Parses a time with any UTC offset.
pub(super) fn read(text: &str) -> Option<Time> {
    plain(text).or_else(|| text.parse().ok())
}

/// Parses `2026-11-20T10:00:00Z`, the form in which times are written. Every answer contains one, so this must be
/// fast.
fn plain(text: &str) -> Option<Time> {
    let bytes: &[u8; 20] = text.as_bytes().try_into().ok()?;
    let [_, _, _, _, b'-', _, _, b'-', _, _, b'T', _, _, b':', _, _, b':', _, _, b'Z'] = bytes
    else {
        return None;
    };
    let number = |range: std::ops::Range<usize>| {
        let digits = &bytes[range];
        let all = digits.iter().all(u8::is_ascii_digit);
        all.then(|| digits.iter().fold(0, |number, b| number * 10 + u32::from(b - b'0')))
    };
    let year = i32::try_from(number(0..4)?).ok()?;
    let date = chrono::NaiveDate::from_ymd_opt(year, number(5..7)?, number(8..10)?)?;
    Some(date.and_hms_opt(number(11..13)?, number(14..16)?, number(17..19)?)?.and_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_of_the_calendar_are_parsed() {
        for text in [
            "2026-11-20T10:00:00Z",
            "2024-02-29T23:59:59Z",
            "2025-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-20T24:00:00Z",
            "2016-12-31T23:59:60Z",
            "2026-11-20T10:00:00+02:00",
            "2026-11-20T10:00:00.5Z",
            "2026-11-2xT10:00:00Z",
            "",
        ] {
            assert_eq!(read(text), text.parse().ok(), "{text}");
        }
    }
}
