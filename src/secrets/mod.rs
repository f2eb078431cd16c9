//! Finds credentials in texts and names of files that hold them, by the rules of `src/secrets/rules.yaml`.
//!
//! A finding tells the rule, the file and the line. It never holds the credential, so nothing can print it.
//! A scan takes time linear in the text: the regular expressions cannot backtrack, and each rule reports a bounded number
//! of findings.

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
use self::rules::{Hit, RULES};
use crate::invisible::{is_deceptive, is_selector, visible_line};

/// The most findings that one scan returns.
pub(crate) const MOST_FINDINGS: usize = 50;

/// How many folders above a file the rules look at.
pub(crate) const PARENTS: usize = 2;

/// One credential, or one file that holds credentials.
#[cfg_attr(
    not(feature = "runtime"),
    expect(unreachable_pub, reason = "an error of the runtime holds findings")
)]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, as it is called in a diff; none: the text itself.
    pub file: Option<String>,
    /// The line, counted from 1; none: the file is refused by its name.
    pub line: Option<usize>,
    /// Whether a diff removes the line; `line` then counts in the file as it was.
    pub removed: bool,
    /// The rule, by its name in the rules file.
    pub rule: &'static str,
}

impl Finding {
    /// Returns the finding with the name of the text: that of the file, or of what a person typed.
    #[must_use]
    pub(crate) fn within(self, name: &str) -> Self {
        let file = match self.file {
            Some(file) => Some(file),
            None => Some(name.to_owned()),
        };
        Self { file, ..self }
    }
}

impl fmt::Display for Finding {
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

/// Returns the rule by which a file holds credentials, judged by its path.
///
/// Letters count without their case. A path needs its last [`PARENTS`] folders.
pub(crate) fn credential_file(path: &str) -> Option<&'static str> {
    let path = path.trim_end().replace('\\', "/").to_lowercase();
    RULES.files.iter().find(|rule| rule.matches(&path)).map(|rule| rule.name.as_str())
}

/// Returns the credentials in a text. Of a diff, or a text that holds one, the findings name the file and the line there.
pub(crate) fn scan(text: &str) -> Vec<Finding> {
    let text = without_invisible(text);
    let (sections, rest) = diff::split(&text);
    let mut findings = BTreeSet::new();
    for section in &sections {
        findings.extend(in_section(section));
    }
    let plain =
        |hit: Hit| Finding { file: None, line: Some(hit.line), removed: false, rule: hit.rule };
    findings.extend(RULES.find(&rest).into_iter().map(plain));
    // A text may only look like a diff: its lines are read as they are too, for rules that found nothing.
    if !sections.is_empty() {
        let found: BTreeSet<&str> = findings.iter().map(|finding: &Finding| finding.rule).collect();
        let raw = RULES.find(&text).into_iter().filter(|hit| !found.contains(hit.rule));
        findings.extend(raw.map(plain));
    }
    findings.into_iter().take(MOST_FINDINGS).collect()
}

/// Returns the findings of one file's changes.
fn in_section(section: &Section) -> Vec<Finding> {
    // The removed text of a renamed credential file is as secret as the new one.
    let named = [&section.old_name, &section.new_name].into_iter().find_map(|name| {
        let rule = credential_file(name)?;
        Some(Finding { file: Some(name.clone()), line: None, removed: false, rule })
    });
    if let Some(finding) = named {
        return vec![finding];
    }
    let new = RULES.find(&section.new.text);
    let old = RULES.find(&section.old.text);
    let place =
        |side: &diff::Side, hit: &Hit| side.lines.get(hit.line - 1).copied().unwrap_or_default();
    let known: BTreeSet<(usize, &str)> =
        new.iter().map(|hit| (place(&section.new, hit).patch, hit.rule)).collect();
    let added = new.iter().map(|hit| Finding {
        file: Some(section.new_name.clone()),
        line: Some(place(&section.new, hit).file),
        removed: false,
        rule: hit.rule,
    });
    // Unchanged lines are on both sides and are reported once.
    let removed =
        old.iter().filter(|hit| !known.contains(&(place(&section.old, hit).patch, hit.rule)));
    let removed = removed.map(|hit| Finding {
        file: Some(section.old_name.clone()),
        line: Some(place(&section.old, hit).file),
        removed: true,
        rule: hit.rule,
    });
    added.chain(removed).collect()
}

/// Removes what would split a key without being seen: characters that show nothing, the NULs of UTF-16, and colours of
/// terminals, such as those of a search whose matches are marked.
fn without_invisible(text: &str) -> Cow<'_, str> {
    static COLOUR: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("\u{1b}\\[[0-9;:]*[A-Za-z]")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    // Line ends of other systems stay: a key may begin behind one.
    let splits = |c: char| {
        matches!(c, '\u{200c}' | '\u{200d}')
            || is_selector(c)
            || (is_deceptive(c) && !c.is_whitespace())
    };
    match text.contains(splits) {
        true => Cow::Owned(COLOUR.replace_all(text, "").replace(splits, "")),
        false => Cow::Borrowed(text),
    }
}
