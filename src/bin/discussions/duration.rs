//! Times on the command line.

use std::time::Duration;

/// Reads `90`, `90s`, `10m` or `1h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("write it as 90s, 10m or 1h".to_owned()),
    };
    let seconds = number.trim().parse::<f64>().map_err(|_| "write it as 90s, 10m or 1h")? * scale;
    let time = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("it has to be more than nothing".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_unit() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "x", "5 days", "-1", "0"] {
            assert!(duration(wrong).is_err(), "{wrong:?}");
        }
    }
}
