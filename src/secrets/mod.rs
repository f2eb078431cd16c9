//! The search for credentials in texts, also in base64, because Kubernetes keeps secrets in that form. Files that
//! usually hold credentials are recognized by their names. The rules are in `src/secrets/rules.yaml`.
//!
//! A finding contains the rule, the file and the line. It never contains the credential, so it can be printed safely. A
//! scan takes time linear in the length of the text: the regular expressions cannot backtrack, and each rule reports a
//! bounded number of findings.
//!
//! Base64 inside base64 is not decoded.

mod diff;
mod rules;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use self::diff::Section;
use self::rules::{RULES, RuleHit};
use crate::invisible::{is_deceptive, is_selector, visible_line};
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The maximum number of findings that one scan returns.
const MOST_FINDINGS: usize = 50;

/// The number of parent folders of a file that the rules examine.
pub(crate) const PARENTS: usize = 2;

/// A credential in a text, or a file that holds credentials.
#[cfg_attr(
    not(feature = "runtime"),
    expect(unreachable_pub, reason = "an error of the runtime holds findings")
)]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecretFinding {
    /// The file, by its name in a diff; none: the scanned text itself.
    pub file: Option<String>,
    /// The line, counted from 1; none: the file is refused because of its name.
    pub line: Option<usize>,
    /// True if a diff removes the line; `line` is then a line of the old file.
    pub removed: bool,
    /// The name of the rule in the rules file.
    pub rule: &'static str,
}

impl SecretFinding {
    /// If the finding has no file, sets it to the name of the scanned text, such as the file's path.
    #[must_use]
    pub(crate) fn in_text(self, name: &str) -> Self {
        let file = match self.file {
            Some(file) => Some(file),
            None => Some(name.to_owned()),
        };
        Self { file, ..self }
    }
}

impl fmt::Display for SecretFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible_line(self.file.as_deref().unwrap_or("the text")))?;
        match self.line {
            Some(line) if self.removed => {
                write!(f, ":{line}: looks like a secret ({}, removed line)", self.rule)
            }
            Some(line) => write!(f, ":{line}: looks like a secret ({})", self.rule),
            None => write!(f, ": is a credential file ({})", self.rule),
        }
    }
}

/// Returns the rule that identifies a path as a credential file; none if it is not one.
///
/// Upper and lower case are not distinguished. The path must include its last [`PARENTS`] folders.
pub(crate) fn credential_file(path: &str) -> Option<&'static str> {
    let path = path.trim_end().replace('\\', "/").to_lowercase();
    RULES.files.iter().find(|rule| rule.matches(&path)).map(|rule| rule.name.as_str())
}

/// Returns the credentials in a text. For a diff in the text, the findings name the changed file and the line in it.
pub(crate) fn scan(text: &str) -> Vec<SecretFinding> {
    let text = without_invisible(text);
    let (sections, rest) = diff::split(&text);
    let mut findings = BTreeSet::new();
    for section in &sections {
        findings.extend(in_section(section));
    }
    let plain = |hit: RuleHit| SecretFinding {
        file: None,
        line: Some(hit.line),
        removed: false,
        rule: hit.rule,
    };
    findings.extend(RULES.find(&rest).into_iter().map(plain));
    // The text may only look like a diff, so the rules that found nothing also scan the unchanged text.
    if !sections.is_empty() {
        let found: BTreeSet<&str> =
            findings.iter().map(|finding: &SecretFinding| finding.rule).collect();
        let raw = RULES.find(&text).into_iter().filter(|hit| !found.contains(hit.rule));
        findings.extend(raw.map(plain));
    }
    findings.into_iter().take(MOST_FINDINGS).collect()
}

/// Returns the findings in the changes of one file.
fn in_section(section: &Section) -> Vec<SecretFinding> {
    // If a credential file is renamed, the removed text is as secret as the new text.
    let named = [&section.old_name, &section.new_name].into_iter().find_map(|name| {
        let rule = credential_file(name)?;
        Some(SecretFinding { file: Some(name.clone()), line: None, removed: false, rule })
    });
    if let Some(finding) = named {
        return vec![finding];
    }
    let new = RULES.find(&section.new.text);
    let old = RULES.find(&section.old.text);
    let place = |side: &diff::DiffSide, hit: &RuleHit| {
        side.lines.get(hit.line - 1).copied().unwrap_or_default()
    };
    let known: BTreeSet<(usize, &str)> =
        new.iter().map(|hit| (place(&section.new, hit).patch, hit.rule)).collect();
    let added = new.iter().map(|hit| SecretFinding {
        file: Some(section.new_name.clone()),
        line: Some(place(&section.new, hit).file),
        removed: false,
        rule: hit.rule,
    });
    // Unchanged lines are on both sides and are reported once.
    let removed =
        old.iter().filter(|hit| !known.contains(&(place(&section.old, hit).patch, hit.rule)));
    let removed = removed.map(|hit| SecretFinding {
        file: Some(section.old_name.clone()),
        line: Some(place(&section.old, hit).file),
        removed: true,
        rule: hit.rule,
    });
    added.chain(removed).collect()
}

/// Removes characters that could split a key invisibly: invisible characters, the NUL bytes of UTF-16, and terminal
/// colours, for example of search results with highlighted matches.
fn without_invisible(text: &str) -> Cow<'_, str> {
    static COLOUR: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("\u{1b}\\[[0-9;:]*[A-Za-z]")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    // Line ends of all systems are kept, because a key may begin after one.
    let splits = |c: char| {
        matches!(c, '\u{200c}' | '\u{200d}')
            || is_selector(c)
            || (is_deceptive(c) && !c.is_whitespace())
    };
    if text.contains(splits) {
        Cow::Owned(COLOUR.replace_all(text, "").replace(splits, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// A decoder that needs no padding and no complete end: a run of letters ends before its `=` and may be cut off.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The shortest run of base64 letters that is decoded: half of the length of the shortest key.
const SHORTEST: usize = 24;

/// Decodes the base64 texts in a text, one after another, each with the byte offset where it begins.
fn base64_texts(text: &str) -> impl Iterator<Item = (usize, String)> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        while from < bytes.len() {
            let length = bytes[from..].iter().take_while(|byte| is_letter(**byte)).count();
            let run = &bytes[from..from + length];
            let at = from;
            from += length + 1;
            if length >= SHORTEST
                && let Some(read) = decode(run)
            {
                return Some((at, read));
            }
        }
        None
    })
}

/// Decodes a run of base64 letters; none if the result is not text.
fn decode(run: &[u8]) -> Option<String> {
    // Most runs are not text; decoding stops at their first bytes.
    let is_text = |bytes: &[u8]| {
        bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
    };
    if !is_text(&LENIENT.decode(&run[..4]).ok()?) {
        return None;
    }
    // A single letter after the last group of four encodes no whole byte.
    let whole = run.len() - usize::from(run.len() % 4 == 1);
    let read = LENIENT.decode(&run[..whole]).ok().filter(|read| is_text(read))?;
    String::from_utf8(read).ok()
}

#[cfg(test)]
mod base64_tests;
#[cfg(test)]
mod tests;
