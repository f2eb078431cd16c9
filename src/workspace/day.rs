//! Days that a user names: a date, or a time from today.

use chrono::{Days, Months, NaiveDate};

use super::Workspace;
use super::error::WorkspaceError;
use crate::state::read_day;

/// The maximum number in a time from today, in every unit.
const MOST: u32 = 10_000;

impl Workspace {
    /// Returns a day that is not over as a date like `2027-06-01`, UTC. `text` is the date, or a time from today:
    /// `6 months`, `2 weeks`, `1 year`, `30d`.
    ///
    /// # Errors
    /// Fails if the text names no day, or a day before today.
    pub fn future_day(&self, text: &str) -> Result<String, WorkspaceError> {
        let today = self.now().date_naive();
        day_after(text, today).map(|day| day.to_string()).map_err(WorkspaceError::Day)
    }
}

/// Returns the day that a text names, or the reason why it names none.
pub(super) fn day_after(text: &str, today: NaiveDate) -> Result<NaiveDate, String> {
    let text = text.trim();
    let day = match from_today(text, today) {
        Some(day) => day,
        None if text.len() > 10 => Err("it is too long for a date".to_owned()),
        None => read_day(text),
    };
    let how = "write a date like 2027-06-01, or a time like \"6 months\"";
    let day = day.map_err(|_| {
        let shown: String = text.chars().take(40).collect();
        format!("`{shown}` is not a day that exists; {how}")
    })?;
    if day < today {
        return Err(format!("{day} is in the past; {how}"));
    }
    Ok(day)
}

/// Parses a time from today; `None` if the text does not look like one.
fn from_today(text: &str, today: NaiveDate) -> Option<Result<NaiveDate, String>> {
    let text = text.strip_prefix("in ").unwrap_or(text);
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let unit = unit.trim().to_lowercase();
    let number = number.parse::<u32>().ok()?;
    let months = |months: u32| today.checked_add_months(Months::new(months));
    let days = |days: u32| today.checked_add_days(Days::new(days.into()));
    let day = match unit.as_str() {
        _ if number > MOST => None,
        "d" | "day" | "days" => days(number),
        "w" | "week" | "weeks" => days(number * 7),
        "month" | "months" => months(number),
        "y" | "year" | "years" => months(number * 12),
        _ => return None,
    };
    // A longer year would not be read back.
    let day = day.filter(|day| *day <= NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or(today));
    Some(day.ok_or_else(|| "it is too far away".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_is_a_date_or_a_time_from_today() {
        let today = NaiveDate::from_ymd_opt(2026, 8, 31).unwrap();
        for (text, day) in [
            ("2027-06-01", "2027-06-01"),
            ("2026-08-31", "2026-08-31"),
            ("6 months", "2027-02-28"),
            ("in 2 weeks", "2026-09-14"),
            ("1 year", "2027-08-31"),
            ("30d", "2026-09-30"),
            (" 1 Day ", "2026-09-01"),
            ("0d", "2026-08-31"),
        ] {
            assert_eq!(day_after(text, today).unwrap().to_string(), day, "{text}");
        }
        for (text, why) in [
            ("2026-08-30", "in the past"),
            ("2026-02-30", "not a day that exists"),
            ("soon", "not a day that exists"),
            ("", "not a day that exists"),
            ("6", "not a day that exists"),
            ("6m", "not a day that exists"),
            ("99999999999 days", "not a day that exists"),
            ("10000 years", "not a day that exists"),
            ("2027-06-01 or later", "not a day that exists"),
        ] {
            assert!(day_after(text, today).unwrap_err().contains(why), "{text}");
        }
    }
}
