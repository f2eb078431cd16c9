//! Days in markers and in the head, as `2027-06-01`.

use chrono::NaiveDate;

use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::Transcript;

/// Parses the day at the beginning of a text; a remark may follow it.
///
/// # Errors
/// Returns the reason for the author if the text does not begin with one day that exists, or names two days.
pub(crate) fn read_day(text: &str) -> Result<NaiveDate, String> {
    let bare = text.trim_matches([' ', '\t', '*', '_', '`']);
    let Some((day, rest)) = split_day(bare) else {
        return Err("this is not a date; write it like 2027-06-01".to_owned());
    };
    let remark = rest.trim_start_matches(['*', '_', '`']);
    if remark.starts_with(|c: char| c.is_alphanumeric() || c == '-') {
        return Err("this is not a date; write it like 2027-06-01".to_owned());
    }
    let other = |(at, _): (usize, char)| {
        let begins = !remark[..at].ends_with(|c: char| c.is_ascii_digit() || c == '-');
        begins && split_day(&remark[at..]).is_some()
    };
    if remark.char_indices().filter(|(_, c)| c.is_ascii_digit()).any(other) {
        return Err(
            "these are two dates, so it is unclear which one is meant; write one".to_owned()
        );
    }
    NaiveDate::parse_from_str(day, "%Y-%m-%d")
        .map_err(|_| format!("the day {day} does not exist; write an existing one like 2027-06-01"))
}

/// Splits a text that begins with four digits, two digits and two digits, joined by `-`.
fn split_day(text: &str) -> Option<(&str, &str)> {
    let (day, rest) = text.split_at_checked(10)?;
    let fits = day.bytes().enumerate().all(|(at, b)| match at {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    });
    (fits && !rest.starts_with(|c: char| c.is_ascii_digit())).then_some((day, rest))
}

/// Returns the day of `decide_by` in the head; adds a problem if it cannot be read.
pub(in crate::state) fn head_day(
    transcript: &Transcript,
    problems: &mut Vec<Problem>,
) -> Option<NaiveDate> {
    let day = transcript.head.as_ref()?.decide_by.as_deref()?;
    read_day(day)
        .map_err(|why| {
            let head = transcript.text.lines().take_while(|line| *line != "-->");
            let line = head.into_iter().position(|line| line.starts_with("decide_by:"));
            let place = (line.map_or(1, |line| line + 1), 1);
            let message = format!("`decide_by` in the head is ignored: {why}");
            let code = ProblemCode::DateUnreadable;
            problems.push(Problem::new(Severity::Warning, code, place, message));
        })
        .ok()
}

#[cfg(test)]
mod tests {
    use super::read_day;

    #[test]
    fn day_is_read_with_a_remark_behind_it() {
        for text in
            ["2027-06-01", "**2027-06-01**", "`2027-06-01`, before the audit", "2027-06-01."]
        {
            assert_eq!(read_day(text).unwrap().to_string(), "2027-06-01", "{text}");
        }
        assert!(read_day("2028-02-29").is_ok());
    }

    #[test]
    fn unclear_days_are_refused_with_the_reason() {
        for (text, why) in [
            ("", "not a date"),
            ("soon", "not a date"),
            ("6 months", "not a date"),
            ("2027-6-1", "not a date"),
            ("2027-06-011", "not a date"),
            ("2027-06-01T10:00:00Z", "not a date"),
            ("2027-02-30", "does not exist"),
            ("2027-02-29", "does not exist"),
            ("2027-13-01", "does not exist"),
            ("2027-06-01 or 2027-07-01", "two dates"),
            ("２０２７-06-01", "not a date"),
        ] {
            assert!(read_day(text).unwrap_err().contains(why), "{text}");
        }
    }
}
