//! The values of control lines: bare words, `[lists]`, JSON strings, and points in time.

use std::borrow::Cow;

use super::entry::Time;
use super::line::{trim, trim_end, trim_start};
use crate::invisible::is_deceptive;

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FieldValue<'t> {
    /// A bare word or a JSON string.
    Text(Cow<'t, str>),
    /// `[a, b]`.
    List(Vec<Cow<'t, str>>),
}

/// `key: value` pairs, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields<'t>(Vec<(&'t str, FieldValue<'t>)>);

impl<'t> Fields<'t> {
    /// Parses `key: value, key: value`; none if the text does not have this form.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let mut fields = Vec::with_capacity(8);
        let mut rest = trim(text);
        while !rest.is_empty() {
            let is_key = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
            let end = rest.as_bytes().iter().position(|b| !is_key(b)).filter(|end| *end > 0)?;
            let (key, after) = rest.split_at(end);
            let (value, after) = value(trim_start(after.strip_prefix(':')?))?;
            fields.push((key, value));
            rest = next(after)?;
        }
        Some(Self(fields))
    }

    /// Parses the text after a word that has a value: `: 3, asks: [ann]` after `TURN`.
    pub(super) fn headed(text: &'t str) -> Option<(Cow<'t, str>, Self)> {
        let (value, after) = value(trim_start(trim(text).strip_prefix(':')?))?;
        let FieldValue::Text(value) = value else { return None };
        Some((value, Self::parse(next(after)?)?))
    }

    /// Returns the text of a key.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.0.iter().find_map(|(name, value)| match value {
            FieldValue::Text(text) if *name == key => Some(text.as_ref()),
            _ => None,
        })
    }

    /// Returns all keys with their values, in order.
    pub(super) fn pairs(&self) -> impl DoubleEndedIterator<Item = (&'t str, &FieldValue<'t>)> {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    /// Returns the list of a key.
    pub(super) fn list(&self, key: &str) -> Option<&[Cow<'t, str>]> {
        self.0.iter().find_map(|(name, value)| match value {
            FieldValue::List(list) if *name == key => Some(list.as_slice()),
            _ => None,
        })
    }

    /// Parses the text of a key into another type. `Err`: the key is present, but its text cannot be parsed.
    pub(super) fn read<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>, ()> {
        self.text(key).map(|text| text.parse().map_err(|_| ())).transpose()
    }

    /// Returns true if the fields contain `key: true`.
    pub(super) fn flag(&self, key: &str) -> bool {
        self.text(key) == Some("true")
    }
}

/// Returns the rest after a value: empty, or the next pair after a comma.
fn next(after: &str) -> Option<&str> {
    match trim_start(after) {
        "" => Some(""),
        after => after.strip_prefix(',').map(trim_start),
    }
}

fn value(text: &str) -> Option<(FieldValue<'_>, &str)> {
    if let Some(mut rest) = text.strip_prefix('[') {
        let mut items = Vec::new();
        loop {
            rest = trim_start(rest);
            if let Some(after) = rest.strip_prefix(']') {
                return Some((FieldValue::List(items), after));
            }
            let (item, after) = word(rest)?;
            items.push(item);
            rest = trim_start(after);
            rest = match rest.strip_prefix(',') {
                Some(after) => after,
                None if rest.starts_with(']') => rest,
                None => return None,
            };
        }
    }
    word(text).map(|(text, rest)| (FieldValue::Text(text), rest))
}

fn word(text: &str) -> Option<(Cow<'_, str>, &str)> {
    if text.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let string = stream.next()?.ok()?;
        return Some((string.into(), &text[stream.byte_offset()..]));
    }
    let special = |b: &u8| matches!(b, b',' | b'"' | b'[' | b']' | b'<' | b'>');
    let end = text.as_bytes().iter().position(special).unwrap_or(text.len());
    let bare = trim_end(&text[..end]);
    (!bare.is_empty()).then(|| (bare.into(), &text[end..]))
}

/// Writes a value: bare if it can be read back unchanged that way, otherwise as a JSON string.
pub(super) fn quote(text: &str) -> String {
    let bare = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._~/+:@-".contains(&b));
    if bare { text.to_owned() } else { json_string(text) }
}

/// Writes a JSON string in which no character can end the control line or mislead a reader.
pub(super) fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '<' | '>' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c if c.is_control() || is_deceptive(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Formats a time in the project's form: RFC 3339 in UTC, whole seconds, such as `2026-11-20T10:00:00Z`.
pub(crate) fn time(at: Time) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

/// Parses a time with any UTC offset.
pub(super) fn read_time(text: &str) -> Option<Time> {
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
    fn quoted_values_read_back() {
        for text in
            ["", "a b", "-->", "x\ny\u{202E}\u{E0041}", "plain", "he said \"no\"", "[x], y: z"]
        {
            let line = format!("a: {}, b: 1", quote(text));
            let fields = Fields::parse(&line).unwrap();
            assert_eq!(fields.text("a"), Some(text));
            assert_eq!(fields.text("b"), Some("1"));
            assert!(!quote(text).contains(['<', '>']));
        }
    }

    #[test]
    fn lists_and_bare_words_are_read() {
        let fields = Fields::parse("asks: [a, \"b c\"], by: Rob Smith").unwrap();
        assert_eq!(fields.list("asks").unwrap(), ["a", "b c"]);
        assert_eq!(fields.text("by"), Some("Rob Smith"));
        assert!(Fields::parse("asks: [a").is_none());
        assert!(Fields::parse("no colon").is_none());
    }

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
            assert_eq!(read_time(text), text.parse().ok(), "{text}");
        }
    }
}
