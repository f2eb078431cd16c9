//! Reads the markers, votes and mentions of one comment.
//!
//! CommonMark decides only which block a line belongs to; the raw bytes of the line must match too (format page,
//! "Markers"). A body without any candidate line is never parsed as Markdown.

mod mentions;

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use self::mentions::{MentionSite, end_ats, mentions};
use super::entry::Comment;
use super::guard;
use super::line::{Lines, SourceLine, column, options};
use super::lookalike::is_vote_lookalike;
use super::marker::{Marker, MarkerCandidate, MarkerSet, candidate, ends_text};
use super::sanitize;
use super::section::{is_one_line, is_plain, sections};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};

/// The markers of a comment and their meaning.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The markers that count, in order; including votes.
    pub marks: Vec<BodyMark>,
    /// Mentions, in order, as written but without `@`.
    pub mentions: Vec<Mention>,
    /// Each `+1 D2`: its number and its line.
    pub supports: Vec<(u32, usize)>,
    /// Text that looks as if it counted and does not, or that counts although CommonMark reads it otherwise.
    pub problems: Vec<Problem>,
}

impl Body {
    /// Returns the body of a text for a reader: only the markers with these words count, mentions count only inside
    /// them, and nothing else can look as if it counted.
    fn only(self, words: &[String]) -> Self {
        let counts = |mark: &BodyMark| words.iter().any(|word| word == mark.marker.word());
        let mut places: Vec<Option<usize>> = Vec::with_capacity(self.marks.len());
        let mut marks = Vec::new();
        for mark in self.marks {
            places.push(counts(&mark).then_some(marks.len()));
            if counts(&mark) {
                marks.push(mark);
            }
        }
        let inside = |mention: Mention| {
            let mark = places.get(mention.mark?).copied().flatten()?;
            Some(Mention { mark: Some(mark), ..mention })
        };
        let mentions = self.mentions.into_iter().filter_map(inside).collect();
        Self { marks, mentions, supports: Vec::new(), problems: Vec::new() }
    }
}

/// One marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyMark {
    /// The kind of marker.
    pub marker: Marker,
    /// The text, on one line.
    pub text: String,
    /// True if a ticked checkbox comes before it: `- [x] TODO: it`.
    pub ticked: bool,
    /// Line in the document, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// The part of the stored body that holds the text, in bytes.
    pub value: Range<usize>,
}

/// One `@mention`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name after the `@`.
    pub name: String,
    /// Line in the document, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// The kind of mention.
    pub manner: Manner,
    /// The index in [`Body::marks`] of the marker with the mention in its text.
    pub mark: Option<usize>,
    /// The part of the stored body to quote, in bytes: the question, or else the sentence.
    pub quote: Range<usize>,
}

/// The kind of a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// A mention in a `Q:` line.
    Question,
    /// A mention in a sentence that ends with a question mark.
    Asked,
    /// A mention at the beginning of a paragraph.
    Addressed,
    /// Any other mention.
    Reference,
}

/// The Markdown blocks around a line, by CommonMark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MarkerContext {
    paragraph: bool,
    list: u16,
    /// The number of surrounding quotes, headings, tables, links, images, strike-through or code, in which nothing
    /// counts.
    barred: u16,
    quote: u16,
}

#[derive(Debug)]
struct MarkerPlace {
    candidate: MarkerCandidate,
    line: usize,
    line_start: usize,
    line_end: usize,
    context: Option<MarkerContext>,
    /// End of the paragraph or list item.
    block_end: usize,
}

pub(super) fn read(comment: &Comment, markers: &MarkerSet) -> Body {
    let body = read_in(comment, markers, sections);
    match comment.reply.as_ref().and_then(|reply| reply.markers.as_ref()) {
        Some(counted) => body.only(counted),
        None => body,
    }
}

/// Reads a body section by section; the choice of sections must not change the result.
fn read_in<'t, S: Iterator<Item = Range<usize>>>(
    comment: &'t Comment,
    markers: &MarkerSet,
    sections: impl Fn(&'t str) -> S,
) -> Body {
    let text = comment.stored.as_str();
    let mut body = Body::default();
    let (mut places, mut cuts) = places(comment, markers, &mut body.problems);
    body.problems.extend(sanitize::problems(text, comment.stored_line));
    let mut ats: Vec<MentionSite> = memchr::memchr2_iter(b'@', b'+', text.as_bytes())
        .filter(|&at| text.as_bytes()[at] == b'@' || text[at..].starts_with("+1 D"))
        .map(|at| MentionSite { at, ..MentionSite::default() })
        .collect();
    if places.is_empty() && ats.is_empty() {
        return body;
    }
    locate(text, sections(text), &mut places, &mut ats);
    let found = places.iter().filter(|place| place.context.is_some());
    cuts.extend(found.map(|place| place.line_start));
    cuts.sort_unstable();
    // The range of each marker's text, and the marker's index in `marks`.
    let mut spans: Vec<(Range<usize>, usize)> = Vec::new();
    body.marks.reserve_exact(places.len());
    for place in &places {
        let here = (place.line, column(text, place.line_start, place.candidate.word));
        let Some(context) = place.context.filter(|context| context.barred == 0) else {
            if let (Marker::Vote, Some(context)) = (&place.candidate.marker, place.context)
                && context.quote > 0
            {
                body.problems.push(in_block(here, "a quote"));
            }
            continue;
        };
        // Below a line of text, `2. VOTE: READY` is not a list in CommonMark. It must not count either way, because
        // it gets no guard when untrusted text is encoded.
        if place.candidate.marker == Marker::Vote && (context.list > 0 || place.candidate.item) {
            body.problems.push(in_block(here, "a list"));
            continue;
        }
        if context.list == 0 && !context.paragraph {
            continue;
        }
        let end = match place.candidate.marker {
            Marker::Vote => place.line_end,
            _ => {
                let next = cuts[cuts.partition_point(|cut| *cut <= place.line_start)..].first();
                next.map_or(place.block_end, |next| place.block_end.min(*next)).max(place.line_end)
            }
        };
        spans.push((place.candidate.text..end, body.marks.len()));
        if comment.tight_rule
            && place.candidate.marker == Marker::Vote
            && place.line_end == text.len()
        {
            body.problems.push(Problem::new(
                Severity::Warning,
                ProblemCode::VoteAboveRule,
                here,
                "this vote counts, but the rule directly below turns it into a heading when rendered; put a blank \
                 line between them",
            ));
        }
        body.marks.push(BodyMark {
            marker: place.candidate.marker.clone(),
            text: marker_text(&place.candidate, &text[place.candidate.text..end]),
            ticked: place.candidate.ticked,
            line: here.0,
            column: here.1,
            value: place.candidate.text..start_of_blanks(text, place.candidate.text, end),
        });
    }
    mentions(comment, &ats, &cuts, &spans, &mut body);
    body
}

/// Returns the text of a marker on one line, with the decision that it names first: `(D2) held`.
fn marker_text(candidate: &MarkerCandidate, text: &str) -> String {
    let text = flatten(text, candidate.bold);
    match &candidate.named {
        Some(named) => format!("({named}) {text}"),
        None => text,
    }
}

/// Returns the end of the text between two positions, without the blanks and line ends behind it.
fn start_of_blanks(text: &str, start: usize, end: usize) -> usize {
    start + text[start..end].trim_end_matches([' ', '\t', '\r', '\n']).len()
}

/// A counter of line and column for ascending byte positions; each is counted from the position before.
struct Position<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'t> Position<'t> {
    fn new(text: &'t str, line: usize) -> Self {
        Self { text, at: 0, line, column: 1 }
    }

    fn of(&mut self, at: usize) -> (usize, usize) {
        let passed = &self.text[self.at..at];
        self.at = at;
        match passed.rfind('\n') {
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count();
                self.column = column(passed, end + 1, passed.len());
            }
            None => self.column += passed.chars().count(),
        }
        (self.line, self.column)
    }
}

fn in_block((line, column): (usize, usize), what: &str) -> Problem {
    Problem::new(
        Severity::Warning,
        ProblemCode::VoteInBlock,
        (line, column),
        format!(
            "this vote does not count, because it is in {what}; put it on its own line after a blank line"
        ),
    )
}

/// Returns the lines that begin like markers, and the positions of other lines that end a marker's text.
fn places(
    comment: &Comment,
    markers: &MarkerSet,
    problems: &mut Vec<Problem>,
) -> (Vec<MarkerPlace>, Vec<usize>) {
    let (mut places, mut cuts) = (Vec::new(), Vec::new());
    for line in telling_lines(&comment.stored, comment.stored_line) {
        if let Some(candidate) = candidate(line.text, line.start, markers) {
            places.push(MarkerPlace {
                candidate,
                line: line.number,
                line_start: line.start,
                line_end: line.end(),
                context: None,
                block_end: line.end(),
            });
            continue;
        }
        if ends_text(line.text) {
            cuts.push(line.start);
        }
        if is_vote_lookalike(line.text) && guard::key(line.text).is_none() {
            problems.push(Problem::new(
                Severity::Error,
                ProblemCode::VoteLookalike,
                (line.number, 1),
                "this looks like a vote but is spelt with other characters, so it does not count; write `VOTE:` in plain letters",
            ));
        }
    }
    (places, cuts)
}

/// Returns the lines that may contain a marker, a lookalike of one, or the end of a marker's text. In ASCII text
/// these are lines with a colon after a possible marker word, a checkbox, or `+1`. In other text these are all lines,
/// because other characters may look like ASCII ones.
fn telling_lines(text: &str, first: usize) -> impl Iterator<Item = SourceLine<'_>> {
    let bytes = text.as_bytes();
    let mut all = (!text.is_ascii()).then(|| Lines::from(text, 0, first));
    let (mut at, mut number) = (0, first);
    std::iter::from_fn(move || {
        if let Some(lines) = &mut all {
            return lines.next();
        }
        let sign = memchr::memchr3_iter(b':', b'[', b'+', &bytes[at..])
            .map(|sign| at + sign)
            .find(|sign| match bytes[*sign] {
                b':' => can_end_word(&bytes[at..*sign]),
                b'[' => matches!(&bytes[*sign..], [_, b' ' | b'x' | b'X', b']', ..]),
                _ => bytes[*sign..].starts_with(b"+1 "),
            })?;
        let start = memchr::memrchr(b'\n', &bytes[at..sign]).map_or(at, |lf| at + lf + 1);
        number += memchr::memchr_iter(b'\n', &bytes[at..start]).count();
        let line = Lines::from(text, start, number).next()?;
        (at, number) = (line.next, number + 1);
        Some(line)
    })
}

/// Returns true if the text before a colon can be a marker: it ends like a word of capitals and digits, like `vote`
/// in any case, or in a closing bracket.
fn can_end_word(before: &[u8]) -> bool {
    let last = before.iter().rfind(|byte| !matches!(byte, b'*' | b'_'));
    last.is_some_and(|last| {
        last.is_ascii_uppercase() || last.is_ascii_digit() || matches!(last, b'e' | b')' | b']')
    })
}

/// Finds the Markdown context of each place and each `@`; both lists are in text order. Sections without a place or
/// an `@` are never parsed as Markdown.
fn locate(
    text: &str,
    sections: impl Iterator<Item = Range<usize>>,
    mut places: &mut [MarkerPlace],
    mut ats: &mut [MentionSite],
) {
    for section in sections {
        let inside = places.partition_point(|place| place.candidate.word < section.end);
        let (here, later) = places.split_at_mut(inside);
        places = later;
        let inside = ats.partition_point(|at| at.at < section.end);
        let (ats_here, later) = ats.split_at_mut(inside);
        ats = later;
        if here.is_empty() && ats_here.is_empty() {
            continue;
        }
        let markdown = &text[section.clone()];
        if is_one_line(markdown) && (ats_here.is_empty() || is_plain(markdown)) {
            let context = MarkerContext { paragraph: true, ..MarkerContext::default() };
            here.iter_mut().for_each(|place| place.context = Some(context));
            let block = section.clone();
            ats_here.iter_mut().for_each(|at| {
                (at.counts, at.block, at.alone) = (true, block.clone(), true);
            });
        } else {
            locate_in(markdown, section.start, here, ats_here);
        }
    }
}

/// Finds the context of the places in one section, which begins at byte `start` of the body.
fn locate_in(markdown: &str, start: usize, places: &mut [MarkerPlace], ats: &mut [MentionSite]) {
    let mut context = MarkerContext::default();
    let (mut next, mut first_open, mut next_at, mut first_at) = (0, 0, 0, 0);
    // The start of the open paragraph's or list item's text.
    let mut begun: Option<usize> = None;
    for (event, range) in Parser::new_ext(markdown, options()).into_offset_iter() {
        let range = start + range.start..start + range.end;
        match event {
            Event::Start(tag) => {
                if !matches!(
                    tag,
                    Tag::Emphasis
                        | Tag::Strong
                        | Tag::Link { .. }
                        | Tag::Image { .. }
                        | Tag::Strikethrough
                ) {
                    // A new block ends the text of a tight list item.
                    end_blocks(&mut places[first_open..next], range.start);
                    end_ats(&mut ats[first_at..next_at], range.start);
                    (first_open, first_at, begun) = (next, next_at, None);
                } else {
                    begun.get_or_insert(range.start);
                }
                context.enter(&tag);
            }
            Event::End(tag) => {
                if matches!(tag, TagEnd::Paragraph | TagEnd::Item) {
                    end_blocks(&mut places[first_open..next], range.end);
                    end_ats(&mut ats[first_at..next_at], range.end);
                    (first_open, first_at, begun) = (next, next_at, None);
                }
                context.leave(tag);
            }
            Event::Code(_) => {
                begun.get_or_insert(range.start);
            }
            Event::Text(_) | Event::TaskListMarker(_) => {
                let begun = match event {
                    Event::Text(_) => *begun.get_or_insert(range.start),
                    _ => range.start,
                };
                while let Some(place) =
                    places.get_mut(next).filter(|place| place.candidate.word < range.end)
                {
                    if place.candidate.word >= range.start {
                        place.context = Some(context);
                    }
                    next += 1;
                }
                while let Some(at) = ats.get_mut(next_at).filter(|at| at.at < range.end) {
                    at.counts = at.at >= range.start && context.barred == 0;
                    (at.block, at.alone) = (begun..range.end, context.list == 0);
                    next_at += 1;
                }
            }
            _ => {}
        }
    }
}

fn end_blocks(places: &mut [MarkerPlace], end: usize) {
    places.iter_mut().for_each(|place| place.block_end = end.max(place.line_end));
}

impl MarkerContext {
    fn enter(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Paragraph => self.paragraph = true,
            Tag::List(_) => self.list += 1,
            Tag::BlockQuote(_) => {
                self.quote += 1;
                self.barred += 1;
            }
            Tag::Item | Tag::Emphasis | Tag::Strong => {}
            _ => self.barred += 1,
        }
    }

    fn leave(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.paragraph = false,
            TagEnd::List(_) => self.list = self.list.saturating_sub(1),
            TagEnd::BlockQuote(_) => {
                self.quote = self.quote.saturating_sub(1);
                self.barred = self.barred.saturating_sub(1);
            }
            TagEnd::Item | TagEnd::Emphasis | TagEnd::Strong => {}
            _ => self.barred = self.barred.saturating_sub(1),
        }
    }
}

/// The blanks of the format. A no-break space is not one of them: a vote with a no-break space does not exactly equal
/// an option.
const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// Joins several lines into one, without blanks at their ends and without the `**` that closes a bold marker.
fn flatten(text: &str, bold: bool) -> String {
    let mut whole = String::with_capacity(text.len());
    let lines = text.lines().map(|line| line.trim_matches(BLANKS));
    for line in lines.filter(|line| !line.is_empty()) {
        if !whole.is_empty() {
            whole.push(' ');
        }
        whole.push_str(line);
    }
    let bare =
        bold.then(|| whole.strip_suffix("**").or_else(|| whole.strip_suffix("__"))).flatten();
    match bare {
        Some(bare) => bare.trim_end().to_owned(),
        None => whole,
    }
}

#[cfg(test)]
mod tests;
