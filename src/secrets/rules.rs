//! Reads the rules and applies them to texts and paths.

use std::collections::HashSet;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use regex::bytes::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::yaml;

const SOURCE: &str = include_str!("rules.yaml");

/// The maximum number of findings that one rule returns; it bounds the time for a text that consists of keys.
const MOST_HITS: usize = 20;

/// The rules. A test parses them and compiles their patterns, so an invalid rule cannot reach a user.
pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let written: RawRule = yaml::read_embedded(SOURCE, "rules.yaml")
        .unwrap_or_else(|error| unreachable!("rules.yaml: {error}"));
    Rules::new(written).unwrap_or_else(|error| unreachable!("rules.yaml: {error}"))
});

/// The rules file as it is parsed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    files: Vec<WrittenFile>,
    texts: Vec<WrittenText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    rule: String,
    path: String,
    except: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenText {
    rule: String,
    needs: Vec<String>,
    pattern: String,
    except: Option<String>,
    #[serde(default)]
    entropy: f64,
}

/// A regular expression that is compiled when a text is first compared with it. Compiling all of them takes longer than
/// anything else that a comment does, and most texts contain no literal of any rule.
struct Pattern {
    source: String,
    compiled: OnceLock<Regex>,
}

impl From<String> for Pattern {
    fn from(source: String) -> Self {
        Self { source, compiled: OnceLock::new() }
    }
}

impl Pattern {
    fn compiled(&self) -> &Regex {
        self.compiled.get_or_init(|| {
            let built = RegexBuilder::new(&self.source).unicode(false).build();
            built.unwrap_or_else(|error| unreachable!("rules.yaml: {error}"))
        })
    }

    fn is_match(&self, text: &[u8]) -> bool {
        self.compiled().is_match(text)
    }
}

/// A rule for file names.
pub(super) struct FileRule {
    pub(super) name: String,
    path: Pattern,
    except: Option<Pattern>,
}

impl FileRule {
    /// Returns true if a lower-case path names a credential file.
    pub(super) fn matches(&self, path: &str) -> bool {
        let is = |pattern: &Pattern| pattern.is_match(path.as_bytes());
        is(&self.path) && !self.except.as_ref().is_some_and(is)
    }
}

/// A rule for texts.
pub(super) struct TextRule {
    pub(super) name: String,
    pattern: Pattern,
    except: Option<Pattern>,
    /// The lowest entropy of a key in bits per character; a text with less is a placeholder such as `xxxx`.
    entropy: f64,
}

/// One match of a text rule.
pub(super) struct RuleHit {
    pub(super) rule: &'static str,
    /// The line, counted from 1.
    pub(super) line: usize,
}

/// All rules.
pub(super) struct Rules {
    pub(super) files: Vec<FileRule>,
    texts: Vec<TextRule>,
    /// Literals; every match of a rule contains one of its literals, so a rule runs only if the text contains one.
    literals: AhoCorasick,
    /// The index of the rule of each literal.
    rule_of: Vec<usize>,
}

impl Rules {
    fn new(written: RawRule) -> Result<Self, String> {
        let file = |rule: WrittenFile| FileRule {
            name: rule.rule,
            path: rule.path.into(),
            except: rule.except.map(Pattern::from),
        };
        let mut literals = Vec::new();
        let mut rule_of = Vec::new();
        let mut texts = Vec::new();
        for (index, rule) in written.texts.into_iter().enumerate() {
            rule_of.extend(rule.needs.iter().map(|_| index));
            literals.extend(rule.needs);
            texts.push(TextRule {
                name: rule.rule,
                pattern: rule.pattern.into(),
                except: rule.except.map(Pattern::from),
                entropy: rule.entropy,
            });
        }
        let literals = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(&literals)
            .map_err(|error| error.to_string())?;
        let files = written.files.into_iter().map(file).collect();
        Ok(Self { files, texts, literals, rule_of })
    }

    /// Returns the likely credentials in a text, also inside base64, with their lines.
    pub(super) fn find(&'static self, text: &str) -> Vec<RuleHit> {
        let mut starts = self.starts(text);
        let (mut read, mut places) = (String::new(), Vec::new());
        for (at, text) in super::base64_texts(text) {
            places.push((read.len(), at));
            read.push_str(&text);
            read.push('\n');
        }
        for (start, rule) in self.starts(&read) {
            let text = places.partition_point(|(begin, _)| *begin <= start);
            starts.push((places[text - 1].1, rule));
        }
        starts.sort_unstable();
        let (mut line, mut counted) = (1, 0);
        let hit = |(at, rule): (usize, &'static str)| {
            line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..at]).count();
            counted = at;
            RuleHit { rule, line }
        };
        starts.into_iter().map(hit).collect()
    }

    /// Returns the byte offsets where credentials begin, with their rules.
    fn starts(&'static self, text: &str) -> Vec<(usize, &'static str)> {
        let mut wanted = HashSet::new();
        for found in self.literals.find_overlapping_iter(text) {
            wanted.insert(self.rule_of[found.pattern().as_usize()]);
            if wanted.len() == self.texts.len() {
                break;
            }
        }
        let mut starts: Vec<(usize, &'static str)> = Vec::new();
        for (index, rule) in self.texts.iter().enumerate() {
            if wanted.contains(&index) {
                starts.extend(rule.starts(text.as_bytes()).map(|at| (at, rule.name.as_str())));
            }
        }
        starts
    }
}

impl TextRule {
    /// Returns the byte offsets where keys begin.
    fn starts(&self, text: &[u8]) -> impl Iterator<Item = usize> {
        let keys = self.pattern.compiled().captures_iter(text).filter(|found| self.is_key(found));
        // A match may begin with the line end before the key.
        let start = |found: Captures<'_>| {
            let whole = found.get(0)?;
            Some(whole.start() + usize::from(whole.as_bytes().starts_with(b"\n")))
        };
        keys.filter_map(start).take(MOST_HITS)
    }

    fn is_key(&self, found: &Captures<'_>) -> bool {
        let bytes = |group: usize| found.get(group).map(|found| found.as_bytes());
        let whole = bytes(0).unwrap_or_default();
        let key = bytes(1).unwrap_or(whole);
        entropy(key) >= self.entropy && !self.except.as_ref().is_some_and(|it| it.is_match(whole))
    }
}

/// Returns the Shannon entropy of bytes, in bits per byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let whole = bytes.len() as f64;
    let share = |count: &u32| f64::from(*count) / whole;
    -counts.iter().filter(|count| **count > 0).map(|n| share(n) * share(n).log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        let files = RULES.files.iter().flat_map(|rule| rule.except.iter().chain([&rule.path]));
        let texts = RULES.texts.iter().flat_map(|rule| rule.except.iter().chain([&rule.pattern]));
        let compiled: Vec<&Regex> = files.chain(texts).map(Pattern::compiled).collect();
        assert!(compiled.len() > RULES.files.len() + RULES.texts.len());
    }
}
