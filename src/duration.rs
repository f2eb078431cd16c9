//! Durations as people and services write them.

use std::time::Duration;

/// Units from a day upwards are accepted for ages only, not for timeouts.
const DAY: f64 = 86_400.0;
const WEEK: f64 = 604_800.0;

/// Returns the number of seconds in a unit: `ms`, `s`, `m`, `h`, `d`, or their long names. An empty unit means
/// seconds.
pub(crate) fn seconds_in(unit: &str) -> Option<f64> {
    match unit.to_ascii_lowercase().as_str() {
        "ms" | "millisecond" | "milliseconds" => Some(0.001),
        "" | "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60.0),
        "h" | "hour" | "hours" => Some(3600.0),
        "d" | "day" | "days" => Some(DAY),
        _ => None,
    }
}

/// Parses an age, such as `12h`, `30d` or `2w`, into seconds; none if the text is not an age.
pub(crate) fn age(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let unit = if unit.eq_ignore_ascii_case("w") { WEEK } else { seconds_in(unit)? };
    Some(number.trim().parse::<f64>().ok().filter(|it| *it >= 0.0)? * unit)
}

/// Parses a duration such as `90`, `90s`, `1.5m` or `1h`.
///
/// # Errors
/// Returns a message for the user if the text is not a duration, or if the duration is zero or too large to represent.
pub fn parse(text: &str) -> Result<Duration, String> {
    let how = || "write it as 90s, 10m or 1h".to_owned();
    let text = text.trim();
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let unit = seconds_in(unit).filter(|unit| *unit < DAY).ok_or_else(how)?;
    let seconds = number.trim().parse::<f64>().map_err(|_| how())? * unit;
    let time = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("it must be more than zero".to_owned()) } else { Ok(time) }
}

/// Writes a duration in the largest of `h`, `s` and `ms` that expresses it as a whole number: `1h`, `90s`, `250ms`.
/// [`parse`] reads it back.
pub(crate) fn write(time: Duration) -> String {
    match time.as_millis() {
        whole if whole > 0 && whole.is_multiple_of(3_600_000) => format!("{}h", whole / 3_600_000),
        whole if whole.is_multiple_of(1000) => format!("{}s", whole / 1000),
        whole => format!("{whole}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_with_a_unit_is_parsed() {
        assert_eq!(parse("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse(" 1 H "), Ok(Duration::from_secs(3600)));
        for wrong in ["", "x", "5 days", "-1", "0", "1e400", "1m30s"] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn written_duration_reads_back() {
        for (milliseconds, text) in
            [(5_000, "5s"), (90_000, "90s"), (3_600_000, "1h"), (250, "250ms")]
        {
            let time = Duration::from_millis(milliseconds);
            assert_eq!(write(time), text);
            assert_eq!(parse(text), Ok(time));
        }
    }
}
