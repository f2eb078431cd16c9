//! Finds credentials in texts, and recognizes files that usually hold credentials by their names. The rules are in
//! `src/secrets/rules.yaml`.
//!
//! A finding contains the rule, the file and the line. It never contains the credential, so it can be printed safely.
//! A scan takes time linear in the length of the text: the regular expressions cannot backtrack, and each rule
//! reports a bounded number of findings.

mod base64;
mod diff;
mod rules;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use self::diff::Section;
use self::rules::{RULES, RuleHit};
use crate::invisible::{is_deceptive, is_selector, visible_line};

/// The maximum number of findings that one scan returns.
pub(crate) const MOST_FINDINGS: usize = 50;

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
