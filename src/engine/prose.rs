//! Finds the prose for people in a text (not code, HTML or the addresses of links). Replaces many
//! words in it in one pass, because a head may name thousands of participants.

use std::cmp::Reverse;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Returns the ranges of a Markdown text in which no word may be replaced, in order and without overlaps.
pub(super) fn fixed(text: &str) -> Vec<Range<usize>> {
    // Most texts contain none of these characters and need no Markdown parser.
    let signs = ["`", "~~~", "    ", "\t", "](", "<", "://"];
    if !signs.iter().any(|sign| text.contains(sign)) {
        return Vec::new();
    }
    let mut fixed = addresses(text);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let (mut links, mut shown) = (0_usize, 0);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) => fixed.push(range),
            Event::Start(Tag::CodeBlock(_)) => fixed.push(range),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                links += 1;
                if links == 1 {
                    shown = range.start;
                }
            }
            // The Markdown between the texts of a link is invisible to readers.
            Event::Text(_) if links > 0 => {
                fixed.push(shown..range.start);
                shown = range.end;
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                links = links.saturating_sub(1);
                if links == 0 {
                    fixed.push(shown..range.end);
                }
            }
            _ => {}
        }
    }
    fixed.retain(|range| !range.is_empty());
    fixed.sort_by_key(|range| (range.start, range.end));
    fixed.dedup_by(|next, range| {
        let within = next.start <= range.end;
        if within {
            range.end = range.end.max(next.end);
        }
        within
    });
    fixed
}

/// Returns the ranges of bare web addresses, without link syntax around them.
fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices("://") {
        let last = found.last().map_or(0, |range| range.end);
        if at >= last {
            let before = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '<' | '"');
            let start = text[last..at].rmatch_indices(before).next();
            let start = start.map_or(last, |(it, sign)| last + it + sign.len());
            let end = text[at..].find(char::is_whitespace).map_or(text.len(), |after| at + after);
            found.push(start..end);
        }
    }
    found
}

/// Returns true if a range overlaps one of the ranges that [`fixed`] returned.
fn overlaps(fixed: &[Range<usize>], range: &Range<usize>) -> bool {
    let behind = fixed.partition_point(|fixed| fixed.end <= range.start);
    fixed.get(behind).is_some_and(|fixed| fixed.start < range.end)
}

/// Words with their replacements.
#[derive(Debug)]
pub(super) struct Words {
    by: Vec<String>,
    /// `None` if there is nothing to replace, or if the search tables would be too large.
    finder: Option<AhoCorasick>,
}

impl Words {
    /// Builds the search. If a word occurs twice, its first replacement counts.
    pub(super) fn new(pairs: Vec<(String, String)>) -> Self {
        let (words, by): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok();
        Self { by, finder }
    }

    /// Returns the text with whole words replaced, ignoring ASCII case. Of several matches at one position the longest
    /// counts. Replacements are not searched again; code and addresses stay unchanged.
    pub(super) fn replace(&self, text: &str) -> String {
        let whole = |range: &std::ops::Range<usize>| {
            let before = text[..range.start].chars().next_back();
            let after = text[range.end..].chars().next();
            !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
        };
        let found = self.finder.iter().flat_map(|finder| finder.find_overlapping_iter(text));
        let mut found: Vec<_> = found
            .map(|found| (found.range(), found.pattern().as_usize()))
            .filter(|(range, _)| !range.is_empty() && whole(range))
            .collect();
        if !found.is_empty() {
            let fixed = fixed(text);
            found.retain(|(range, _)| !overlaps(&fixed, range));
        }
        found.sort_by_key(|(range, word)| (range.start, Reverse(range.end), *word));
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for (range, word) in found {
            if range.start >= from {
                out.push_str(&text[from..range.start]);
                out.push_str(&self.by[word]);
                from = range.end;
            }
        }
        out.push_str(&text[from..]);
        out
    }
}

/// Returns true if this character is part of a word.
fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards the complexity, not the time: the scan must stay linear, however many ranges there are.
    #[test]
    fn many_ranges_are_found_in_one_pass() {
        for unit in ["`x` B ", "://", "<b>B</b> ", "[B](x) ", "x. B "] {
            let text = unit.repeat(40_000);
            let fixed = fixed(&text);
            assert!(fixed.windows(2).all(|two| two[0].end <= two[1].start), "{unit}");
            assert!(fixed.len() <= 120_000);
        }
    }

    #[test]
    fn code_html_and_addresses_stay_unchanged() {
        for (text, stays) in [
            ("plain `B` and B", vec!["`B`"]),
            ("see [B](https://x.y/B) B", vec!["[", "](https://x.y/B)"]),
            ("<https://x.y/B> https://x.y/B B", vec!["<https://x.y/B>", "https://x.y/B"]),
            ("B\n\n```\nB\n```\n\nB", vec!["```\nB\n```"]),
            ("B\n\n    B\n", vec!["B"]),
            ("B and C", vec![]),
        ] {
            let fixed = fixed(text);
            let all: Vec<&str> = fixed.iter().map(|range| text[range.clone()].trim()).collect();
            for stays in &stays {
                assert!(all.contains(stays), "{text}: {stays} in {all:?}");
            }
            assert_eq!(stays.is_empty(), all.is_empty(), "{text}");
        }
    }

    fn words(pairs: &[(&str, &str)]) -> Words {
        Words::new(pairs.iter().map(|(word, by)| ((*word).to_owned(), (*by).to_owned())).collect())
    }

    #[test]
    fn whole_words_are_replaced_once_each() {
        let words =
            words(&[("Ann", "A"), ("Ann Le", "B"), ("@ann", "@a"), ("A", "C"), ("\u{e9}", "E")]);
        for (text, came) in [
            ("ANN and Ann Le, not Anna or Ann-Le.", "A and B, not Anna or Ann-Le."),
            ("Ann Lee", "A Lee"),
            ("@ann, x@ann", "@a, x@A"),
            ("A Ann", "C A"),
            ("caf\u{e9} \u{e9}", "caf\u{e9} E"),
            ("", ""),
        ] {
            assert_eq!(words.replace(text), came);
        }
    }

    /// Guards the complexity, not the time: the number of words must not add passes over the text.
    #[test]
    fn thousands_of_words_are_found_in_one_pass() {
        let pairs = (0..10_000).map(|i| (format!("person {i}"), format!("P{i}"))).collect();
        let text: String = (0..20_000).map(|i| format!("Person {i} spoke.\n")).collect();
        let replaced = Words::new(pairs).replace(&text);
        assert!(replaced.contains("\nP9999 spoke.\nPerson 10000 spoke.\n"));
    }
}
