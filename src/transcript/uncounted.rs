//! Finds text that an author probably meant to count and that does not count. The author is told at once, while it is
//! easy to write it again.

use std::borrow::Cow;

use indexmap::IndexSet;

use super::entry::Comment;
use super::lookalike::COLONS;
use super::marker::{Marker, MarkerSet};
use super::misspelt::misspelt;
use crate::codes::ProblemCode;

/// Returns the reasons why parts of a typed comment do not count although they look as if they did; each reason
/// once, as a sentence.
pub(crate) fn uncounted(text: &str, markers: &MarkerSet) -> Vec<String> {
    // Every line of a text may have a reason, and a list would be searched for each of them.
    let mut told: IndexSet<String> = IndexSet::new();
    let mut tell = |why: String| {
        told.insert(why);
    };
    let read = Comment::plain(text).read(markers);
    let votes = [ProblemCode::VoteLookalike, ProblemCode::VoteInBlock];
    for problem in read.problems.iter().filter(|problem| votes.contains(&problem.code)) {
        tell(format!("line {}: {}", problem.line, problem.message));
    }
    miswritten(text).into_iter().chain(misspelt(text)).for_each(|(_, why)| tell(why));
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        }
        if fenced || line.starts_with("    ") {
            continue;
        }
        if line.trim().trim_end_matches(['.', '!']) == "+1" {
            tell(
                "`+1` alone supports no decision; write `+1 D1` with the number of the decision"
                    .to_owned(),
            );
        }
        if let Some((word, colon)) = other_colon(line, markers) {
            tell(format!(
                "`{word}{colon}` does not count, because its colon is another character; write `{word}:`"
            ));
        }
        if let Some((word, colon)) = inline_marker(line) {
            tell(format!(
                "`{word}{colon}` in the middle of a line does not count; start a new line with `{word}:`"
            ));
        }
    }
    told.into_iter().collect()
}

/// Words that people often vote with. The options of a template are checked by the code that knows them.
const VOTES: [&str; 5] = ["READY", "CHANGES", "REJECT", "YES", "NO"];

/// Returns lines, counted from 0, that look like an attempt at a marker or a vote and do not count, with the reason.
pub(crate) fn miswritten(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, (line, is_code)) in with_code(text).enumerate() {
        if !is_code {
            let why = small_marker(line).or_else(|| bare_vote(line)).or_else(|| bare_todo(line));
            found.extend(why.map(|why| (index, why)));
        }
    }
    found
}

/// Corrects miswritten markers so that they count. Votes stay unchanged, because only the voter may write a vote.
pub(super) fn correct_markers(text: &str) -> String {
    let correct = |(line, is_code)| match line {
        line if is_code => Cow::Borrowed(line),
        line => corrected(line).map_or(Cow::Borrowed(line), Cow::Owned),
    };
    let mut lines: Vec<Cow<'_, str>> = with_code(text).map(correct).collect();
    if text.ends_with('\n') {
        lines.push(Cow::Borrowed(""));
    }
    lines.join("\n")
}

/// Returns a line with its marker in capitals, or with a colon after `TODO`; none if there is nothing to correct.
fn corrected(line: &str) -> Option<String> {
    if let Some(Small { at, word, capitals }) = find_small(line) {
        return Some(format!("{}{capitals}{}", &line[..at], &line[at + word.len()..]));
    }
    bare_todo(line)?;
    Some(line.replacen("TODO ", "TODO: ", 1))
}

/// Returns each line, with true if it is code.
pub(super) fn with_code(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut fenced = false;
    text.lines().map(move |line| {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        }
        (line, fenced || line.starts_with("    "))
    })
}

/// A marker that is not in capitals.
struct Small<'l> {
    /// Byte offset of the marker in its line.
    at: usize,
    word: &'l str,
    capitals: String,
}

fn find_small(line: &str) -> Option<Small<'_>> {
    let bare = line.trim_start_matches([' ', '\t', '*', '_', '-', '+']);
    let (word, _) = bare.split_once(':')?;
    let word = word.trim_end_matches(['*', '_']);
    let capitals = word.to_ascii_uppercase();
    // A vote counts in any case.
    let is_telling = capitals != "VOTE" && Marker::telling_words().any(|word| word == capitals);
    let at = line.len() - bare.len();
    (is_telling && capitals != word).then_some(Small { at, word, capitals })
}

/// Returns the reason for a marker that is not in capitals: `Decision: use it`, `todo: write it`.
fn small_marker(line: &str) -> Option<String> {
    let Small { word, capitals, .. } = find_small(line)?;
    Some(format!("`{word}:` does not count, because markers are in capitals; write `{capitals}:`"))
}

/// Returns the reason for a vote without a colon: `VOTE READY`, `I vote READY`.
fn bare_vote(line: &str) -> Option<String> {
    let bare = line.trim().trim_matches(['*', '_', '.', '!']);
    let vote = bare.strip_prefix("I vote ").or_else(|| bare.strip_prefix("VOTE "))?.trim();
    VOTES.contains(&vote).then(|| format!("`{bare}` is not a vote; write `VOTE: {vote}`"))
}

/// Returns the reason for a task without a colon: `TODO write it`.
fn bare_todo(line: &str) -> Option<String> {
    let rest = line.trim_start_matches([' ', '\t', '-', '+']).strip_prefix("TODO ")?;
    let is_text = rest.trim_start().starts_with(char::is_alphanumeric);
    is_text.then(|| "`TODO` without a colon does not count; write `TODO:`".to_owned())
}

/// Finds a marker word at the beginning of a line, followed by a character that only looks like a colon.
fn other_colon<'l>(line: &'l str, markers: &MarkerSet) -> Option<(&'l str, char)> {
    let line = line.trim_start_matches([' ', '\t', '*', '_', '-', '+']);
    let is_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    let end = line.find(|c: char| !is_word(c))?;
    let colon = line[end..].trim_start_matches(['*', '_']).chars().next()?;
    let word = &line[..end];
    // Votes have rules of their own, in any case and with any letters.
    let known = markers.get(word).is_some_and(|marker| marker != Marker::Vote);
    (known && colon != ':' && COLONS.contains(&colon)).then_some((word, colon))
}

/// Finds the first marker in the middle of a line, outside of code, and the colon or lookalike after it.
fn inline_marker(line: &str) -> Option<(&'static str, char)> {
    Marker::telling_words().find_map(|word| {
        // The text before a word is examined only once, however often the word occurs in the line.
        let (mut from, mut words, mut ticks) = (0, false, 0);
        line.match_indices(word).find_map(|(at, _)| {
            let (before, behind) = (&line[..at], &line[at + word.len()..]);
            let more = &line[from..at];
            from = at;
            words |= more.chars().any(char::is_alphabetic);
            ticks += more.matches('`').count();
            let colon = behind.chars().next()?;
            // A plain colon also occurs in other words, such as a host name with a port, so it must be followed by a
            // space.
            let is_one = behind.starts_with(": ") || colon != ':' && COLONS.contains(&colon);
            let is_telling = words && before.ends_with([' ', '\t']) && ticks % 2 == 0;
            (is_one && is_telling).then_some((word, colon))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn support_without_a_decision_is_reported() {
        let told = |text: &str| uncounted(text, &MarkerSet::default());
        assert_eq!(told("I agree.\n\n+1!").len(), 1);
        assert!(told("+1")[0].contains("write `+1 D1`"));
        for fine in ["+1 D2", "+10", "```\n+1\n```", "a +1"] {
            assert_eq!(told(fine), Vec::<String>::new(), "{fine}");
        }
    }

    fn uncounted_reason(text: &str) -> String {
        uncounted(text, &MarkerSet::default()).join("\n")
    }

    #[test]
    fn near_miss_of_a_marker_is_reported_once() {
        assert!(uncounted_reason("VOTE\u{FF1A}READY").contains("write `VOTE:` in plain letters"));
        assert!(uncounted_reason("Q\u{FF1A}how many?\n\nQ\u{FF1A}when?").contains("write `Q:`"));
        assert_eq!(uncounted_reason("Q\u{FF1A}how many?\n\nQ\u{FF1A}when?").lines().count(), 1);
        assert!(
            uncounted_reason("I like it. Q: how many rows?")
                .contains("`Q:` in the middle of a line")
        );
        assert!(
            uncounted_reason("Fine, VOTE\u{FF1A}READY").contains("start a new line with `VOTE:`")
        );
        assert!(uncounted_reason("- VOTE: READY").contains("it is in a list"));
    }

    /// Searching all earlier reasons for each line took minutes with this text.
    #[test]
    fn every_line_of_a_long_text_may_be_reported() {
        let lines = uncounted(&"ＶＯＴＥ：ＲＥＡＤＹ\n".repeat(40_000), &MarkerSet::default());
        assert_eq!(lines.len(), 40_000);
        assert_eq!(uncounted_reason(&format!("`x{}", " Q: y".repeat(100_000))), "");
    }

    /// Eight times as many lines take about eight times the work, not 64 times. The test compares processor time of
    /// this thread alone, so that a busy machine makes no difference.
    #[test]
    #[cfg(target_os = "linux")]
    fn work_is_linear_in_the_length_of_a_text() {
        let used = || {
            // The system updates the counter when a thread yields.
            std::thread::yield_now();
            let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
            stat.split(' ').next()?.parse::<u64>().ok()
        };
        let work = |text: &str| {
            let once = || {
                let before = used()?;
                std::hint::black_box(uncounted(text, &MarkerSet::default()));
                Some(used()? - before)
            };
            (0..3).map(|_| once()).min().flatten()
        };
        for line in ["ＶＯＴＥ：ＲＥＡＤＹ\n", "Decision: x\n", "Fine. Q: x\n", " Q: y"] {
            // The system may not provide this counter.
            let (Some(short), Some(long)) = (work(&line.repeat(2_000)), work(&line.repeat(16_000)))
            else {
                continue;
            };
            assert!(long < 24 * short.max(1_000_000), "{line:?}: {short} and {long}");
        }
    }

    #[test]
    fn valid_markers_and_code_are_not_reported() {
        for text in [
            "Q: how many rows?",
            "- Q: how many?",
            "**TODO:** write it",
            "Write `Fine. Q: how many?` there",
            "```\nx Q: how many?\n```",
            "    x Q: how many?",
            "See FAQ: it is there",
            "Plan A: measure",
            "VOTE: READY",
            "I vote ready when it is done",
            "TODOs are below",
        ] {
            assert_eq!(uncounted_reason(text), "", "{text}");
        }
    }

    #[test]
    fn lowercase_markers_and_missing_colons_are_reported() {
        for (text, write) in [
            ("Decision: use pg", "write `DECISION:`"),
            ("- todo: write docs", "write `TODO:`"),
            ("**q:** who?", "write `Q:`"),
            ("Concern: slow", "write `CONCERN:`"),
            ("Review-by: 2027-06-01", "write `REVIEW-BY:`"),
            ("TODO write docs", "write `TODO:`"),
            ("VOTE READY", "write `VOTE: READY`"),
            ("I vote READY.", "write `VOTE: READY`"),
            ("Q: who pays?\nDecision: use postgres", "write `DECISION:`"),
        ] {
            assert!(uncounted_reason(text).contains(write), "{text}: {}", uncounted_reason(text));
        }
    }
}
