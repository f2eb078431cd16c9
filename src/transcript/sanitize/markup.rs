//! Parses a stored text by CommonMark and its dialects: finds its code, and the parts that
//! CommonMark or a dialect would not show.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::super::line::options;
use super::{TextEdit, escaped, hidden, holds, rewrite, tag_openers};

/// A text as each dialect parses it.
pub(super) struct MarkupReader {
    /// The code of each dialect, and its addresses in angle brackets, in order.
    code: Vec<Vec<Range<usize>>>,
    /// The changes that make everything visible.
    pub(super) edits: Vec<TextEdit>,
}

impl MarkupReader {
    pub(super) fn of(stored: &str) -> Self {
        // The border of a table cell ends a code span, and with footnotes an indented code block can be a paragraph.
        // So each dialect finds text where others find code.
        let flavours = [Options::empty(), options(), options() | Options::ENABLE_FOOTNOTES];
        let mut edits = Vec::new();
        let code = flavours.map(|flavour| code(stored, flavour, &mut edits)).into();
        let mut read = Self { code, edits };
        let tags = tag_openers(stored).filter(|&at| !read.is_code(at));
        let tags: Vec<TextEdit> = tags.map(|at| TextEdit::entity(stored, at)).collect();
        read.edits.extend(tags);
        read
    }

    /// Returns true if every dialect takes this byte for code.
    pub(super) fn is_code(&self, at: usize) -> bool {
        self.code.iter().all(|code| holds(code, at))
    }
}

/// Returns the code that one dialect sees, and adds edits for the parts that it would not show.
fn code(stored: &str, flavour: Options, edits: &mut Vec<TextEdit>) -> Vec<Range<usize>> {
    let mut code: Vec<Range<usize>> = Vec::new();
    let parser = Parser::new_ext(stored, flavour);
    let bracket = |range: Range<usize>| {
        let at = stored[range.clone()].find('[')?;
        Some(TextEdit::backslash(range.start + at))
    };
    let definitions = parser.reference_definitions().iter();
    edits.extend(definitions.filter_map(|(_, definition)| bracket(definition.span.clone())));
    let (mut depth, mut lists) = (0_usize, 0_usize);
    // The previous block at top level.
    let mut above = 0..0;
    // Start of the text before the next code span; a dollar in it could begin a formula that extends into the code.
    let mut open = 0;
    for (event, range) in parser.into_offset_iter() {
        match &event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                edits.extend(rewrite::normal_fences(stored, range.clone(), depth == 0));
                if depth > 0 {
                    edits.extend(rewrite::doubtful_tags(stored, range.clone()));
                } else {
                    edits.extend(rewrite::blank_lines_around(stored, &above, &range));
                }
                code.push(range.clone());
            }
            // Renderers disagree about the indentation of lists, so indented code is certain only outside of lists.
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) if lists == 0 => {
                if depth == 0 {
                    edits.extend(rewrite::line_behind(stored, &range, |_| true));
                }
                code.push(range.clone());
            }
            Event::Code(_) => {
                let span = &stored[range.clone()];
                if span.contains('$') || (span.contains(['\\', '%']) && goes_on(stored, range.end))
                {
                    edits.extend(dollars(stored, open..range.start, &code));
                    open = range.end;
                }
                if span.contains('\n') {
                    // Some renderers recognize a tag at the beginning of a line before they look for code.
                    edits.extend(tags_in(stored, range.clone()));
                    edits.extend(openers_in(stored, range.clone()));
                }
                code.push(range.clone());
            }
            Event::Start(Tag::Link { link_type, .. })
                if is_address(*link_type, &stored[range.clone()]) =>
            {
                code.push(range.clone());
            }
            Event::Start(Tag::FootnoteDefinition(_)) => edits.extend(bracket(range.clone())),
            _ => {}
        }
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    above = range.clone();
                }
                depth += 1;
                lists += usize::from(matches!(tag, Tag::List(_)));
                if matches!(tag, Tag::Paragraph | Tag::Heading { .. } | Tag::TableCell | Tag::Item)
                {
                    open = range.start;
                }
            }
            Event::End(tag) => {
                depth -= 1;
                lists -= usize::from(matches!(tag, TagEnd::List(_)));
            }
            _ => {}
        }
    }
    code
}

/// Escapes all tags in a range.
fn tags_in(stored: &str, range: Range<usize>) -> impl Iterator<Item = TextEdit> {
    let tags = tag_openers(&stored[range.clone()]).map(move |at| range.start + at);
    tags.map(|at| TextEdit::entity(stored, at))
}

/// Escapes everything that begins a block on a line inside a code span. Renderers with formulas or containers look
/// for blocks before they look for code.
fn openers_in(stored: &str, range: Range<usize>) -> impl Iterator<Item = TextEdit> {
    let second = stored[range.clone()].find('\n').map_or(range.end, |end| range.start + end + 1);
    let edits = hidden::line_beginnings(&stored[second..range.end]).into_iter();
    edits.map(move |edit| TextEdit { at: second + edit.at, ..edit })
}

/// Returns true for an address in angle brackets that every renderer recognizes; other addresses look like tags to
/// some.
fn is_address(kind: LinkType, text: &str) -> bool {
    let inner = text.get(1..).unwrap_or_default();
    let known = ["http://", "https://", "ftp://"].iter().any(|scheme| {
        inner.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    match kind {
        LinkType::Autolink => known && !inner.contains(['`', '<']),
        LinkType::Email => true,
        _ => false,
    }
}

/// Returns true if a dollar after some code may end a formula that contains the code.
fn goes_on(stored: &str, end: usize) -> bool {
    let near = &stored[end..stored.floor_char_boundary(end.saturating_add(1000))];
    near.split("\n\n").next().is_some_and(|rest| rest.contains('$'))
}

/// Escapes dollars before code that contains a dollar, because a formula would begin there and end in the code.
fn dollars(stored: &str, range: Range<usize>, code: &[Range<usize>]) -> Vec<TextEdit> {
    let text = stored.get(range.clone()).unwrap_or_default();
    let dollars = text.match_indices('$').map(|(at, _)| range.start + at);
    let shown = dollars.filter(|&at| !escaped(stored, at) && !holds(code, at));
    shown.map(TextEdit::backslash).collect()
}
