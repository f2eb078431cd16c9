//! The source of the current time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::transcript::Time;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Time;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        time_of(SystemTime::now())
    }
}

/// Converts a system time. A time beyond the calendar, which only a broken clock or file has, becomes the last or first
/// representable time.
pub(super) fn time_of(at: SystemTime) -> Time {
    let since = at.duration_since(UNIX_EPOCH);
    let (seconds, nanos) = match since {
        Ok(after) => (i64::try_from(after.as_secs()).unwrap_or(i64::MAX), after.subsec_nanos()),
        Err(before) => {
            let before = before.duration();
            let whole = i64::try_from(before.as_secs()).map_or(i64::MIN, |seconds| -seconds);
            match Duration::from_secs(1)
                .checked_sub(Duration::from_nanos(before.subsec_nanos().into()))
            {
                Some(rest) if before.subsec_nanos() > 0 => {
                    (whole.saturating_sub(1), rest.subsec_nanos())
                }
                _ => (whole, 0),
            }
        }
    };
    let bounds = (Time::MIN_UTC, LAST);
    match Time::from_timestamp(seconds, nanos) {
        Some(time) => time.min(LAST),
        None if seconds < 0 => bounds.0,
        None => bounds.1,
    }
}

/// The last second that RFC 3339 can represent.
const LAST: Time = match Time::from_timestamp(253_402_300_799, 0) {
    Some(time) => time,
    None => Time::MAX_UTC,
};

/// A clock with a fixed time, for tests and reproducible files.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub Time);

impl Clock for FixedClock {
    fn now(&self) -> Time {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_after_the_calendar_is_its_last_second() {
        let after = |seconds| time_of(UNIX_EPOCH + Duration::from_secs(seconds)).to_rfc3339();
        assert_eq!(after(0), "1970-01-01T00:00:00+00:00");
        assert_eq!(after(1_795_000_000), "2026-11-18T11:06:40+00:00");
        // The year 262,200, and times up to the last that a system clock can represent.
        for seconds in [8_211_880_000_000, 1 << 60, (1 << 63) - 1] {
            assert_eq!(after(seconds), "9999-12-31T23:59:59+00:00");
        }
        let before = time_of(UNIX_EPOCH - Duration::from_millis(500));
        assert_eq!(before.timestamp_millis(), -500);
        assert_eq!(time_of(UNIX_EPOCH - Duration::from_secs(1 << 60)), Time::MIN_UTC);
    }
}
