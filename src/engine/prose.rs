//! Finds the parts of a text that are prose for people: not code, HTML or the addresses of links.

use std::ops::Range;

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
pub(super) fn overlaps(fixed: &[Range<usize>], range: &Range<usize>) -> bool {
    let behind = fixed.partition_point(|fixed| fixed.end <= range.start);
    fixed.get(behind).is_some_and(|fixed| fixed.start < range.end)
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
}
