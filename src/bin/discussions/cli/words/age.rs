//! Formats ages.

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Formats an age in seconds for people. An age above two months becomes the day of `at` (RFC 3339). Returns an empty
/// text if neither is known.
pub(crate) fn ago(seconds: Option<u64>, at: &str) -> String {
    match seconds {
        None => at.get(..10).unwrap_or_default().to_owned(),
        Some(age) if age < MINUTE => "just now".to_owned(),
        Some(age) if age < HOUR => format!("{} min ago", age / MINUTE),
        Some(age) if age < 2 * DAY => format!("{} h ago", age / HOUR),
        Some(age) if age < 60 * DAY => format!("{} days ago", age / DAY),
        Some(_) => at.get(..10).unwrap_or("long ago").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_uses_the_largest_fitting_unit() {
        let ago = |age| ago(Some(age), "2026-08-03T10:00:00Z");
        assert_eq!(
            [ago(0), ago(59), ago(60), ago(7_200)],
            ["just now", "just now", "1 min ago", "2 h ago"]
        );
        assert_eq!(
            [ago(47 * HOUR), ago(48 * HOUR), ago(61 * DAY)],
            ["47 h ago", "2 days ago", "2026-08-03"]
        );
    }
}
