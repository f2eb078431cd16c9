//! File names of decision records.

use chrono::NaiveDate;

use super::date::read_date;

/// The facts in the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordName {
    /// The number, as in `0007-title.md` and `adr-7-title.md`.
    pub(crate) number: Option<u32>,
    /// The day, as in `20240312-title.md` and `2024-03-12-title.md`.
    pub(crate) date: Option<NaiveDate>,
}

/// The longest number; more digits are a day or an identifier.
const DIGITS: usize = 6;

impl RecordName {
    /// Reads the name of a file; `None` if it is no Markdown file, or if it is a template, an index or a README.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let stem = lower.strip_suffix(".md").filter(|stem| !stem.is_empty())?;
        let mut words = stem.split(|c: char| !c.is_alphanumeric());
        if matches!(stem, "readme" | "index") || words.any(|word| word == "template") {
            return None;
        }
        let bare = stem.strip_prefix("adr").unwrap_or(stem).trim_start_matches(['-', '_', ' ']);
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let ends = !bare[digits..].starts_with(char::is_alphanumeric);
        let iso = bare.get(..10).and_then(|day| read_date(day).ok());
        let date = iso.or_else(|| {
            let day = bare.get(..8).filter(|_| digits == 8 && ends)?;
            NaiveDate::parse_from_str(day, "%Y%m%d").ok()
        });
        let number = bare[..digits].parse().ok();
        let number = number.filter(|_| (1..=DIGITS).contains(&digits) && ends && date.is_none());
        Some(Self { number, date })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_or_day_is_read_from_the_name() {
        let number = |name: &str| RecordName::of(name).and_then(|name| name.number);
        assert_eq!(number("0007-use-a-queue.md"), Some(7));
        assert_eq!(number("ADR-012_x.MD"), Some(12));
        assert_eq!(number("adr001-x.md"), Some(1));
        assert_eq!(number("7.md"), Some(7));
        for none in ["20240312-x.md", "2024-03-12-x.md", "7th-try.md", "x.md", "1234567-x.md"] {
            assert_eq!(number(none), None, "{none}");
            assert!(RecordName::of(none).is_some(), "{none}");
        }
        let day = |name: &str| RecordName::of(name).and_then(|name| name.date);
        let wanted = NaiveDate::from_ymd_opt(2024, 3, 12);
        assert_eq!(day("20240312-x.md"), wanted);
        assert_eq!(day("2024-03-12-x.md"), wanted);
        assert_eq!(day("20241399-x.md"), None);
    }

    #[test]
    fn templates_and_indexes_are_no_records() {
        for name in ["README.md", "index.md", "adr-template.md", "0000-template.md", "a.png", ".md"]
        {
            assert_eq!(RecordName::of(name), None, "{name}");
        }
    }
}
