//! Days in decision records. Only forms with one meaning are read: `03/04/2024` is a day in March or in April.

use chrono::NaiveDate;

/// The reason why a text is no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateError {
    /// The form is unknown or has more than one meaning.
    Unclear,
    /// The calendar has no such day.
    Missing,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Reads `2024-03-12` (also with a time behind it), `12 March 2024` and `March 12, 2024`. A month may be cut to three
/// letters.
///
/// # Errors
/// Fails for all other forms, and for days that do not exist.
pub(super) fn read_date(text: &str) -> Result<NaiveDate, DateError> {
    let text = text.trim();
    if let Some((year, month, day)) = iso(text) {
        return NaiveDate::from_ymd_opt(year, month, day).ok_or(DateError::Missing);
    }
    let words: Vec<&str> = text.split_whitespace().take(4).collect();
    let [one, two, year] = words[..] else { return Err(DateError::Unclear) };
    let named = match (month(two), month(one)) {
        (Some(month), _) => day(one.trim_end_matches('.')).map(|day| (month, day)),
        (None, Some(month)) => day(two.trim_end_matches(',')).map(|day| (month, day)),
        (None, None) => None,
    };
    let (month, day) = named.ok_or(DateError::Unclear)?;
    let is_year = year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit());
    let year = year.parse().ok().filter(|_| is_year).ok_or(DateError::Unclear)?;
    NaiveDate::from_ymd_opt(year, month, day).ok_or(DateError::Missing)
}

/// Returns year, month and day of an ISO date, which may have a time behind it.
fn iso(text: &str) -> Option<(i32, u32, u32)> {
    let (day, rest) = text.split_at_checked(10)?;
    let ends = rest.is_empty() || rest.starts_with(['T', 't', ' ']) && is_time(&rest[1..]);
    let bytes = day.as_bytes();
    let shaped = bytes.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    let number = |from: usize, to: usize| day.get(from..to)?.parse().ok();
    let year = i32::try_from(number(0, 4)?).ok()?;
    (ends && shaped).then_some((year, number(5, 7)?, number(8, 10)?))
}

fn is_time(text: &str) -> bool {
    let begins = text.as_bytes().iter().take(2).all(u8::is_ascii_digit);
    let sign = |c: char| c.is_ascii_digit() || ":.+-Zz ".contains(c);
    text.len() >= 5 && begins && text.chars().all(sign)
}

/// Returns the number of a month that is written in English, whole or cut to three letters.
fn month(word: &str) -> Option<u32> {
    let word = word.trim_end_matches([',', '.']).to_ascii_lowercase();
    let is_it = |month: &&str| **month == word || word.len() == 3 && month.starts_with(&word);
    let at = MONTHS.iter().position(is_it)?;
    u32::try_from(at + 1).ok()
}

/// Reads `12`, `12th` and `3rd`.
fn day(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let ending = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending));
    let digits = ending.unwrap_or(&word);
    digits.parse().ok().filter(|_| (1..=2).contains(&digits.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_with_one_meaning_are_read() {
        for text in [
            "2024-03-12",
            " 2024-03-12 ",
            "2024-03-12T10:00:00Z",
            "2024-03-12 10:00",
            "12 March 2024",
            "12th March, 2024",
            "12 Mar. 2024",
            "March 12, 2024",
            "mar 12 2024",
        ] {
            assert_eq!(
                read_date(text),
                Ok(NaiveDate::from_ymd_opt(2024, 3, 12).unwrap()),
                "{text}"
            );
        }
    }

    #[test]
    fn other_days_are_refused() {
        for text in [
            "03/04/2024",
            "12.03.2024",
            "2024/03/12",
            "12-03-2024",
            "2024-3-12",
            "March 2024",
            "12 March 24",
            "March March 2024",
            "2024-03-12, again 2025",
            "{YYYY-MM-DD when}",
            "ää-ää-ääää",
            "",
        ] {
            assert_eq!(read_date(text), Err(DateError::Unclear), "{text}");
        }
        for text in ["2024-02-30", "2023-02-29", "31 April 2024", "0 May 2024", "2024-13-01"] {
            assert_eq!(read_date(text), Err(DateError::Missing), "{text}");
        }
    }
}
