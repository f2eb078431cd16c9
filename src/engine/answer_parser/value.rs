//! Reads values: an option with its reason, a number, a grade. An ambiguous text has no value.

use super::label::is_sign;
use crate::invisible::is_deceptive;
use crate::transcript::{Choice, Marker, MarkerValue};

/// The meaning of the words in a vote.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LabelledValue {
    /// One option, and the text behind it.
    One { option: Choice, behind: String },
    /// Anything else: another word, a question, a condition, two options.
    Unclear,
}

impl LabelledValue {
    /// Returns an option without a text behind it.
    pub(super) fn only(option: &Choice) -> Self {
        Self::One { option: option.clone(), behind: String::new() }
    }
}

/// Words that make a vote conditional, wherever they follow it.
const IF: [&str; 8] = ["if", "unless", "depending", "only", "or", "maybe", "perhaps", "otherwise"];
/// Words that make a vote conditional only if no punctuation separates them from the option.
const ONCE: [&str; 6] = ["once", "when", "provided", "providing", "assuming", "whenever"];
/// Words that introduce a reason or a remark.
const GOES_ON: [&str; 27] = [
    "after",
    "again",
    "and",
    "as",
    "at",
    "because",
    "but",
    "due",
    "for",
    "from",
    "given",
    "here",
    "in",
    "needed",
    "now",
    "on",
    "overall",
    "requested",
    "required",
    "since",
    "still",
    "though",
    "to",
    "until",
    "with",
    "without",
    "this",
];

/// Reads the text after `VOTE:`.
pub(super) fn option(text: &str, options: &[Choice]) -> LabelledValue {
    // The text of a link may quote others, and invisible characters may hide something.
    if text.contains("](") || text.contains("][") || text.contains(is_unseen) {
        return LabelledValue::Unclear;
    }
    if let Some(option) = Choice::named_in(options, text) {
        return LabelledValue::only(option);
    }
    let Some((option, behind)) = at_start(text, options) else { return LabelledValue::Unclear };
    // Skips the closing emphasis of the option.
    let after = behind.trim_start_matches(closes);
    let apart = after.trim_start().trim_start_matches(is_sign).trim_start();
    if behind.starts_with('[') || joins_another(apart, option, options) || apart.starts_with('?') {
        return LabelledValue::Unclear;
    }
    let shown = apart.trim_end_matches(|c: char| c.is_whitespace() || is_sign(c));
    if shown.chars().all(|c| matches!(c, '.' | '!' | '*' | '_' | '`' | '"' | '”' | ']' | ' ')) {
        return LabelledValue::One { option: option.clone(), behind: String::new() };
    }
    let parted =
        shown.starts_with(['.', ',', ';', ':', '!', '(', '[', '–', '—']) || shown.starts_with("- ");
    let said = shown.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first: String = said.chars().take_while(|c| c.is_alphanumeric()).collect();
    let small = first.to_lowercase();
    let waits = IF.contains(&small.as_str())
        || !parted
            && (ONCE.contains(&small.as_str())
                || said.starts_with("as soon")
                || said.starts_with("as long"));
    // Accepts short additions in capitals: `CHANGES REQUESTED`, `READY TO MERGE`.
    let capitals = !said.is_empty()
        && said.split_whitespace().count() <= 3
        && said.chars().all(|c| c.is_ascii_uppercase() || matches!(c, ' ' | '.' | '!' | '*' | '_'));
    if !waits && (parted || capitals || GOES_ON.contains(&small.as_str())) {
        return LabelledValue::One { option: option.clone(), behind: shown.to_owned() };
    }
    LabelledValue::Unclear
}

/// Returns the option if it is the whole text in its exact spelling. Only this counts if no label says that it is a
/// vote.
pub(super) fn exactly<'o>(text: &str, options: &'o [Choice]) -> Option<&'o Choice> {
    let is_dress = |c: char| opens(c) || closes(c) || matches!(c, '.' | '!');
    let bare = text.trim_matches(is_dress);
    let exact = |word: &str| options.iter().find(|option| option.as_str() == word);
    if let Some(option) = exact(text.trim()).or_else(|| exact(bare)) {
        return Some(option);
    }
    let mut alike = options.iter().filter(|option| option.as_str().trim_matches(is_dress) == bare);
    let first = alike.next().filter(|_| !bare.is_empty())?;
    alike.next().is_none().then_some(first)
}

/// Returns the option with which a text begins, and the text behind it. Marks before the option are skipped, unless they
/// belong to it: `[x]` may be an option.
fn at_start<'t, 'o>(text: &'t str, options: &'o [Choice]) -> Option<(&'o Choice, &'t str)> {
    let bare = text.trim_start_matches(opens);
    let marks = text.len() - bare.len();
    let starts = text.char_indices().map(|(at, _)| at).take_while(|at| *at < marks);
    let mut starts = starts.chain([marks]);
    let found = starts.find_map(|at| longest(&text[at..], options));
    found.or_else(|| longest(bare.strip_prefix("for ")?, options))
}

fn is_unseen(c: char) -> bool {
    is_deceptive(c) || matches!(c, '\u{200C}' | '\u{200D}')
}

fn opens(c: char) -> bool {
    c.is_whitespace() || is_sign(c) || matches!(c, '*' | '_' | '`' | '"' | '“' | '[' | '\'')
}

fn closes(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | '"' | '”' | ']' | '\'')
}

/// Returns the longest option at the start of a text, and the text behind it.
fn longest<'t, 'o>(text: &'t str, options: &'o [Choice]) -> Option<(&'o Choice, &'t str)> {
    let begins = |option: &&Choice| {
        let word = option.as_str();
        text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)) && {
            let rest = &text[word.len()..];
            let compound = rest.strip_prefix(['-', '/', '.']).unwrap_or(rest);
            !compound.starts_with(char::is_alphanumeric)
        }
    };
    let option = options.iter().filter(begins).max_by_key(|option| option.as_str().len())?;
    Some((option, &text[option.as_str().len()..]))
}

/// Returns true if a second option follows the first one: `READY or CHANGES`, `READY / CHANGES`, `READY, CHANGES`.
fn joins_another(behind: &str, option: &Choice, options: &[Choice]) -> bool {
    let mut rest = behind.trim_start_matches(|c: char| c.is_whitespace() || ",/|&+→".contains(c));
    for word in [
        "or ", "and ", "to ", "vs ", "vs. ", "not ", "with ", "but ", "plus ", "-> ", "=> ", "OR ",
        "AND ",
    ] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let another = |text: &str| {
        longest(text.trim_start_matches(opens), options).is_some_and(|(other, _)| other != option)
    };
    another(rest) || behind.match_indices(" or ").any(|(at, _)| another(&behind[at + 4..]))
}

/// Returns the value of a typed marker in the format of the file's parser, or `None` if the text contains no value or
/// more than one.
pub(super) fn typed(word: &str, text: &str) -> Option<String> {
    let numbers = numbers(text);
    match Marker::of(word).value() {
        MarkerValue::Share => match numbers.as_slice() {
            [one] if !one.ranged => one.share(),
            _ => None,
        },
        MarkerValue::Rating => {
            let stars = text.chars().filter(|&c| matches!(c, '★' | '⭐')).count();
            let empty = text.chars().filter(|&c| c == '☆').count();
            if (1..=5).contains(&stars) && (empty == 0 || stars + empty == 5) && numbers.is_empty()
            {
                return Some(stars.to_string());
            }
            match numbers.as_slice() {
                [one] if !one.ranged => one.rating(),
                _ => None,
            }
        }
        MarkerValue::Grade => {
            let words: Vec<String> = text
                .split(|c: char| !c.is_alphabetic())
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase)
                .collect();
            let grades: Vec<&String> = words
                .iter()
                .filter(|word| ["low", "medium", "high", "critical"].contains(&word.as_str()))
                .collect();
            match (grades.as_slice(), words.first()) {
                ([grade], Some(first)) if *grade == first => Some((*grade).clone()),
                _ => None,
            }
        }
        MarkerValue::Text | MarkerValue::Option => None,
    }
}

/// Returns true if a text contains a range of numbers.
pub(super) fn is_ranged(word: &str, text: &str) -> bool {
    let number = matches!(Marker::of(word).value(), MarkerValue::Share | MarkerValue::Rating);
    number && numbers(text).first().is_some_and(|number| number.ranged)
}

/// A number in a text, with its scale.
#[derive(Debug)]
struct ItemNumber {
    shown: String,
    percent: bool,
    /// The maximum after `/` or `out of`.
    scale: Option<u32>,
    /// True for a part of a range: `0.6-0.7`, `2 to 3`.
    ranged: bool,
}

impl ItemNumber {
    fn share(&self) -> Option<String> {
        let value: f64 = self.shown.parse().ok()?;
        let known = match (self.percent, self.scale) {
            (true, _) => value <= 100.0,
            (false, Some(scale)) => scale > 0 && value <= f64::from(scale),
            (false, None) => value <= 1.0,
        };
        let end = if self.percent {
            "%".to_owned()
        } else {
            self.scale.map_or(String::new(), |scale| format!("/{scale}"))
        };
        known.then(|| format!("{}{end}", self.shown))
    }

    fn rating(&self) -> Option<String> {
        let value: f64 = self.shown.parse().ok()?;
        let fits = (1.0..=5.0).contains(&value)
            && !self.percent
            && self.scale.is_none_or(|scale| scale == 5);
        fits.then(|| self.shown.clone())
    }
}

/// Returns the numbers in a text.
fn numbers(text: &str) -> Vec<ItemNumber> {
    let mut found: Vec<ItemNumber> = Vec::new();
    let mut rest = text;
    let mut joined = false;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let before = &rest[..at];
        let scale = found.last().is_some_and(|one| one.scale.is_none())
            && matches!(before.trim().trim_matches(['*', '_']), "/" | "out of" | "of");
        joined |= !found.is_empty() && matches!(before.trim(), "-" | "–" | "to" | "or" | "and");
        let digits = &rest[at..];
        let length = digits
            .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
            .unwrap_or(digits.len());
        let shown = digits[..length].trim_end_matches(['.', ',']);
        rest = &digits[shown.len()..];
        let point = if before.ends_with('.') && !before.ends_with("..") { "0." } else { "" };
        let shown = format!("{point}{}", shown.replace(',', "."));
        if scale && let Some(last) = found.last_mut() {
            last.scale = shown.parse().ok().or(Some(0));
            continue;
        }
        let percent = rest.trim_start().starts_with('%')
            || rest.trim_start().starts_with("per cent")
            || rest.trim_start().starts_with("percent");
        found.push(ItemNumber { shown, percent, scale: None, ranged: joined });
    }
    if joined {
        found.iter_mut().for_each(|number| number.ranged = true);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<Choice> {
        ["READY", "CHANGES", "REJECT"].map(|word| Choice::parse(word).unwrap()).to_vec()
    }

    #[test]
    fn option_may_be_followed_by_a_reason() {
        for (text, word, behind) in [
            ("READY", "READY", ""),
            (" **READY!**", "READY", ""),
            ("`CHANGES`", "CHANGES", ""),
            ("ready.", "READY", ""),
            ("✅ READY", "READY", ""),
            ("READY ✅", "READY", ""),
            ("[READY]", "READY", ""),
            ("READY** – I would start", "READY", "– I would start"),
            ("READY (with the lease)", "READY", "(with the lease)"),
            ("CHANGES, until fork builds are off", "CHANGES", ", until fork builds are off"),
            ("CHANGES REQUESTED", "CHANGES", "REQUESTED"),
            ("READY TO MERGE!", "READY", "TO MERGE!"),
            ("REJECT — CHANGES would not mend it", "REJECT", "— CHANGES would not mend it"),
            ("READY because it holds", "READY", "because it holds"),
        ] {
            let LabelledValue::One { option, behind: said } = option(text, &options()) else {
                panic!("{text}")
            };
            assert_eq!((option.as_str(), said.as_str()), (word, behind), "{text}");
        }
    }

    #[test]
    fn ambiguous_text_is_no_vote() {
        for text in [
            "",
            "READY?",
            "READY or CHANGES",
            "READY / CHANGES / REJECT",
            "READY, CHANGES",
            "READY | CHANGES",
            "READY and REJECT",
            "**READY** or **CHANGES**",
            "READY → CHANGES",
            "READY 14, CHANGES 3",
            "READY if the lease stays",
            "READY, if the lease stays",
            "READY (unless it rains)",
            "READY once it is done",
            "READY means go ahead",
            "READY-ish",
            "READYISH",
            "not READY",
            "Thursday",
            "READY, or rather CHANGES",
            "READY with changes",
        ] {
            assert_eq!(option(text, &options()), LabelledValue::Unclear, "{text}");
        }
    }

    #[test]
    fn one_number_is_a_value_and_two_are_none() {
        for (word, text, value) in [
            ("CONFIDENCE", "~0.6", Some("0.6")),
            ("CONFIDENCE", "high, 85 %", Some("85%")),
            ("CONFIDENCE", "about 7/10", Some("7/10")),
            ("CONFIDENCE", "0.6-0.7", None),
            ("CONFIDENCE", "between 60 and 70 %", None),
            ("CONFIDENCE", "high", None),
            ("CONFIDENCE", "high, after 3 tests", None),
            ("RATING", "acceptable (3/5)", Some("3")),
            ("RATING", "★★★☆☆", Some("3")),
            ("RATING", "good: 4 out of 5", Some("4")),
            ("RATING", "8/10", None),
            ("RATING", "2 or 3", None),
            ("RATING", "80%", None),
            ("RISK", "high, because of the launch", Some("high")),
            ("RISK", "low to medium", None),
            ("RISK", "not high", None),
            ("RISK", "the buffer overflows", None),
        ] {
            assert_eq!(typed(word, text).as_deref(), value, "{word}: {text}");
        }
    }
}
