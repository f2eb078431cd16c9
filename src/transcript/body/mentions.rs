//! Finds the mentions and supports of one comment, the kind of each mention, and the text to quote for it.

use std::ops::Range;

use super::{Body, Manner, Mention, Position};
use crate::transcript::entry::Comment;
use crate::transcript::marker::Marker;
use crate::transcript::sentence::{self, Sentences};

/// Adds mentions and supports to the body; they are in text order, like the markers.
pub(super) fn mentions(
    comment: &Comment,
    ats: &[MentionSite],
    cuts: &[usize],
    spans: &[(Range<usize>, usize)],
    body: &mut Body,
) {
    let text = comment.stored.as_str();
    let mut position = Position::new(text, comment.stored_line);
    let mut sentences = Sentences::new(text);
    let mut lead = Lead::default();
    for MentionSite { at, block, alone, .. } in ats.iter().filter(|at| at.counts) {
        let at = *at;
        if let Some(number) = supported(text, at) {
            body.supports.push((number, position.of(at).0));
            continue;
        }
        let Some(name) = sentence::mention_at(text, at).filter(|_| text.as_bytes()[at] == b'@')
        else {
            continue;
        };
        let (line, column) = position.of(at);
        let leads = lead.holds(text, block.start, at, name);
        let span = spans[..spans.partition_point(|(span, _)| span.start <= at)].last();
        let span = span.filter(|(span, _)| span.contains(&at));
        let question = span.filter(|(_, mark)| body.marks[*mark].marker == Marker::Question);
        let (manner, quote) = if let Some((span, _)) = question {
            (Manner::Question, trimmed(text, span.clone()))
        } else {
            let next = cuts.partition_point(|cut| *cut <= at);
            let start = next.checked_sub(1).map_or(0, |last| cuts[last]).max(block.start);
            let end = cuts.get(next).map_or(block.end, |cut| block.end.min(*cut)).max(at + 1);
            let sentence = sentences.of(start..end, at);
            let manner = match (sentence.asks, leads && *alone) {
                (true, _) => Manner::Asked,
                (false, true) => Manner::Addressed,
                (false, false) => Manner::Reference,
            };
            (manner, sentence.range)
        };
        let mark = span.map(|(_, mark)| *mark);
        body.mentions.push(Mention { name: name.to_owned(), line, column, manner, mark, quote });
    }
}

/// Trims blanks from both ends of a range.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..(range.start + inner.trim_end().len()).max(start)
}

/// The names at the beginning of a paragraph, up to the first other word.
#[derive(Debug, Default)]
struct Lead {
    block: Option<usize>,
    end: Option<usize>,
}

impl Lead {
    /// Returns true if a mention is one of those names: `**@ann** and @bob: ...`, but not `@ann's ...`.
    fn holds(&mut self, text: &str, block: usize, at: usize, name: &str) -> bool {
        if self.block != Some(block) {
            (self.block, self.end) = (Some(block), Some(block));
        }
        let between = self.end.and_then(|end| text.get(end..at));
        let joins = |c: char| c.is_whitespace() || "*_,&/(".contains(c);
        let end = at + 1 + name.len();
        let holds = between.is_some_and(|gap| {
            let gap = gap.trim_matches(joins);
            gap.is_empty() || gap == "and"
        }) && !["'s", "’s"].iter().any(|of| text[end..].starts_with(of));
        self.end = holds.then_some(end);
        holds
    }
}

/// An `@` or `+` in the text, with its Markdown context.
#[derive(Clone, Debug, Default)]
pub(super) struct MentionSite {
    pub(super) at: usize,
    pub(super) counts: bool,
    /// The paragraph or list item that contains it.
    pub(super) block: Range<usize>,
    /// True if `block` is a paragraph outside of lists.
    pub(super) alone: bool,
}

/// Sets the end of the paragraph or list item that contains these sites.
pub(super) fn end_ats(ats: &mut [MentionSite], end: usize) {
    ats.iter_mut().for_each(|at| at.block.end = end.max(at.at + 1));
}

/// Returns the number of the decision that a `+1 D2` at this byte supports.
fn supported(text: &str, at: usize) -> Option<u32> {
    let digits = text[at..].strip_prefix("+1 D")?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}
