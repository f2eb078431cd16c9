//! Text that some dialect hides: blocks that fold text or end only with the file, text within a line (comments of
//! editors, attributes, titles, addresses that consist of words), and table rows with too many cells.
//!
//! Renderers disagree about where a table may begin and about its header, so only its line of dashes counts here.

use std::ops::Range;

use super::super::line::{Lines, is_blank, paragraph, trim, trim_start};
use super::{TextEdit, escaped, holds};

/// The maximum nesting of quotes and lists; markdown-it stops at a hundred blocks, and each list takes two.
const DEEPEST: usize = 40;

/// Returns an escape for every line outside of formulas that begins one of these blocks, in code and elsewhere.
pub(super) fn block_openers(text: &str, formulas: &[Range<usize>]) -> Vec<TextEdit> {
    let mut places = Vec::new();
    let mut formulas = formulas.iter().peekable();
    for line in Lines::from(text, 0, 1) {
        while formulas.next_if(|formula| formula.end <= line.start).is_some() {}
        if formulas.peek().is_some_and(|formula| formula.start <= line.start) {
            continue;
        }
        let bare = trim_start(line.text);
        // Most lines begin with a letter, and no block does.
        if bare.as_bytes().first().is_none_or(|first| first.is_ascii_alphabetic()) {
            continue;
        }
        let mut stages = stages(line.text).enumerate();
        let opening = stages.find(|&(depth, column)| {
            let at = line.start + column;
            let rest = &text[at..line.end()];
            is_too_deep(depth, column, rest) || opens(text, at, rest)
        });
        places.extend(opening.map(|(_, column)| TextEdit::backslash(line.start + column)));
    }
    places
}

/// Returns escapes for every line in a code span that some dialect takes for the beginning of a block: those of
/// [`places`], formulas and comments.
pub(super) fn line_beginnings(span: &str) -> Vec<TextEdit> {
    let mut edits = block_openers(span, &[]);
    for line in Lines::from(span, 0, 1) {
        for at in stages(line.text) {
            let rest = &line.text[at..];
            let marks = match rest.as_bytes() {
                [b'$', b'$', ..] => rest.bytes().take_while(|&b| b == b'$').count(),
                // A backslash between the two percent signs breaks the comment mark.
                [b'%', b'%', ..] => 2,
                _ => continue,
            };
            let first = usize::from(rest.starts_with('%'));
            edits.extend((first..marks).map(|nth| TextEdit::backslash(line.start + at + nth)));
        }
    }
    edits
}

/// Returns true if a quote or list begins so deep that some renderers drop its contents.
fn is_too_deep(depth: usize, column: usize, rest: &str) -> bool {
    (depth >= DEEPEST || column >= 2 * DEEPEST) && rest.starts_with(['>', '-', '*', '+'])
}

/// Returns the positions in a line where its text may begin: after each quote mark, list mark and checkbox.
fn stages(line: &str) -> impl Iterator<Item = usize> {
    let mut next = Some(line.len() - trim_start(line).len());
    std::iter::from_fn(move || {
        let at = next?;
        let rest = &line[at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = match rest.as_bytes() {
            [b'>', ..] => Some(1),
            [b'-' | b'*' | b'+', b' ' | b'\t', ..] => Some(1),
            [b'[', b' ' | b'x' | b'X', b']', b' ' | b'\t', ..] => Some(3),
            bytes if (1..=9).contains(&digits) => {
                matches!(bytes.get(digits..digits + 2), Some([b'.' | b')', b' ' | b'\t']))
                    .then_some(digits + 1)
            }
            _ => None,
        };
        next = behind.map(|length| {
            let rest = &rest[length..];
            line.len() - trim_start(rest).len()
        });
        Some(at)
    })
}

/// Returns true if the text at byte `at` opens a block; `rest` is the rest of its line.
fn opens(text: &str, at: usize, rest: &str) -> bool {
    let bytes = rest.as_bytes();
    match bytes {
        // Quotations that end with a second line of this kind.
        [b'>', b'>', b'>', ..] => {
            let behind = trim(rest.trim_start_matches('>'));
            // GitLab's alerts open a quotation too.
            behind.is_empty() || behind.starts_with("[!")
        }
        // Containers of site generators, and folded or framed blocks of Python-Markdown.
        [b':', b':', ..] | [b'?', b'?', b'?', ..] | [b'!', b'!', b'!', ..] => true,
        // A description, which turns the paragraph above it into a term.
        [b':' | b'~', b' ' | b'\t', ..] => true,
        // Definitions of links, footnotes and abbreviations, and a folded note.
        [b'[', ..] => defines(text, at) || folds(rest) || rest.trim() == "[TOC]",
        [b'*', b'[', ..] => defines(text, at + 1),
        [b'\\', ..] => rest.starts_with("\\begin{"),
        // Python also strips other kinds of blanks.
        _ => !rest.is_ascii() && rest.trim() == "[TOC]",
    }
}

/// Returns true if the bracket at this byte is closed directly before a colon.
fn defines(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let (mut escape, mut first) = (false, true);
    for at in at + 1..bytes.len() {
        match bytes[at] {
            b']' => {
                // Some renderers ignore a backslash before the first closing bracket.
                if (first || !escape) && bytes.get(at + 1) == Some(&b':') {
                    return true;
                }
                if !escape {
                    return false;
                }
                first = false;
            }
            b'[' if !escape => return false,
            _ => {}
        }
        escape = bytes[at] == b'\\' && !escape;
    }
    false
}

/// Matches `[!note]-`: a note of which only the title is shown.
fn folds(rest: &str) -> bool {
    rest.starts_with("[!")
        && rest.find(']').is_some_and(|end| rest[end + 1..].starts_with(['-', '+']))
}

/// Returns an escape for every place that hides text within a line, inside and outside of code.
pub(super) fn hidden_spans(text: &str, formulas: &[Range<usize>]) -> Vec<TextEdit> {
    let mut places = Vec::new();
    let mut linked = 0;
    let (mut below, mut odd_paragraph) = (0, false);
    for line in Lines::from(text, 0, 1) {
        if line.start >= below {
            let lines = paragraph(text, line.start);
            (below, odd_paragraph) = (line.start + lines.len(), is_odd(lines));
        }
        let formula = holds(formulas, line.start);
        let braces = (!formula && line.text.contains('{'))
            .then(|| Braces::of(line.text, &text[line.next..]))
            .flatten();
        let (bytes, mut odd) = (line.text.as_bytes(), None);
        for nth in bytes.iter().enumerate().filter(|(_, b)| b"]%{[:.`".contains(b)).map(|(n, _)| n)
        {
            let at = line.start + nth;
            match bytes[nth] {
                b']' if hides_words(text, at) => places.push(TextEdit::backslash(at)),
                b'%' if nth > 0 && bytes[nth - 1] == b'%' => places.push(TextEdit::backslash(at)),
                b'{' if braces.as_ref().is_some_and(|braces| braces.opens(line.text, nth))
                    || is_behind_formula(text, at) =>
                {
                    places.push(TextEdit::backslash(at));
                }
                // Some renderers take a shorter run of backticks for the beginning of code if a longer run has no
                // end.
                b'`' if (in_run(bytes, nth)
                    || odd_paragraph
                    || *odd.get_or_insert_with(|| is_odd(line.text)))
                    && !escaped(text, at) =>
                {
                    places.push(TextEdit::backslash(at));
                }
                b'[' if is_wiki_link(text, at) => places.push(TextEdit::backslash(at)),
                b':' if is_directive(&line.text[nth + 1..]) && !escaped(text, at) => {
                    places.push(TextEdit::backslash(at));
                }
                b':' | b'.' if at >= linked => {
                    let Some(end) = address_end(text, at) else { continue };
                    linked = end;
                    places.extend(code_in_address(text, at..end));
                }
                _ => {}
            }
        }
    }
    places
}

/// Returns true if this is the name of a directive with a label or attributes. In the renderer that supports
/// directives, a tab counts as a letter.
fn is_directive(rest: &str) -> bool {
    let ends = |c: char| {
        (c.is_whitespace() && c != '\t') || (c.is_ascii_punctuation() && !"-_".contains(c))
    };
    rest.find(ends).is_some_and(|end| end > 0 && rest[end..].starts_with(['[', '{']))
}

/// Returns true if an unpaired backtick is near a bracket: markdown-it then looks for a link and misses the code.
fn is_odd(text: &str) -> bool {
    let marks = || memchr::memchr_iter(b'`', text.as_bytes());
    // A backslash before a backtick is an escape only outside of code.
    let odd =
        || marks().count() % 2 == 1 || marks().filter(|at| !escaped(text, *at)).count() % 2 == 1;
    text.contains('[') && odd()
}

/// Returns true if the backtick at this byte is next to another one.
fn in_run(line: &[u8], at: usize) -> bool {
    line.get(at + 1) == Some(&b'`') || (at > 0 && line[at - 1] == b'`')
}

/// Separates a backtick from an address before it. Otherwise the address would include the backtick, and the text
/// after it would not be code.
fn code_in_address(text: &str, address: Range<usize>) -> Option<TextEdit> {
    let mark = address.start + text[address.clone()].find('`')?;
    let before = text[..mark].trim_end_matches('\\');
    // The edit begins at the last character of the address, so that the caller can check whether that is in code.
    let last = before.chars().next_back()?;
    let (at, gone) = (before.len() - last.len_utf8(), last.len_utf8());
    Some(TextEdit { at, gone, put: format!("{last} ").into() })
}

/// Returns true if the bracket at this byte ends the text of a link, and the address contains words or the text
/// contains none.
fn hides_words(text: &str, at: usize) -> bool {
    if !text[at + 1..].starts_with('(') || escaped(text, at) {
        return false;
    }
    let address = &text[at + 2..];
    let end = address.find(|c: char| c == ')' || c == ']' || c.is_whitespace());
    let words = end.is_some_and(|end| address[end..].starts_with(char::is_whitespace));
    let near = &text[text.floor_char_boundary(at.saturating_sub(200))..at];
    let shown = near.rfind('[').map_or(near, |open| &near[open + 1..]);
    words || !shown.contains(char::is_alphanumeric)
}

/// The parts of a line where braces can contain attributes, such as `{: .hidden }`.
struct Braces {
    /// The position of the line's first letter or digit.
    word: usize,
    /// The position of the last closing brace.
    close: usize,
    /// True if only heading marks follow the last brace, or if the line may be a heading or a table row.
    at_end: bool,
}

impl Braces {
    fn of(line: &str, below: &str) -> Option<Self> {
        let close = line.rfind('}')?;
        let behind = &line[close + 1..];
        let underline = trim_start(below.lines().next().unwrap_or_default());
        let heading = trim_start(line).starts_with('#')
            || (underline.starts_with(['=', '-'])
                && underline.trim().trim_matches(['=', '-']).is_empty());
        let at_end =
            heading || line.contains('|') || behind.chars().all(|c| c == '#' || c.is_whitespace());
        Some(Self { word: line.find(char::is_alphanumeric).unwrap_or(line.len()), close, at_end })
    }

    /// Returns true if a brace at this position opens attributes: at the beginning or the end of a line, or directly
    /// after the mark of a span or a cell.
    fn opens(&self, line: &str, at: usize) -> bool {
        let behind = match at.checked_sub(1).map(|before| line.as_bytes()[before]) {
            // In formulas an index is in braces too; attributes contain more than one word there.
            Some(mark @ (b'_' | b'^'))
                if line.contains('$')
                    && at.checked_sub(2).is_none_or(|two| line.as_bytes()[two] != mark) =>
            {
                line[at..]
                    .find(|c: char| !c.is_alphanumeric() && c != '{')
                    .is_some_and(|end| !line[at + end..].starts_with(['}', '+', '-', ',', '\\']))
            }
            Some(before) => before.is_ascii_punctuation() && !matches!(before, b'{' | b'}' | b'$'),
            None => false,
        };
        let place = at < self.word || behind || self.at_end || ends_with_email(&line[..at]);
        at < self.close && place && !escaped(line, at)
    }
}

/// Returns true if a text ends with an email address: some renderers turn it into a link, and attributes after a link
/// are hidden.
fn ends_with_email(text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let local = text.trim_end_matches(part);
    let domain = &text[local.len()..];
    domain.contains('.')
        && local.strip_suffix('@').is_some_and(|local| {
            local.ends_with(|c: char| part(c) || c == '+') && !domain.starts_with('.')
        })
}

/// Returns true if the dollar before this byte may end a formula.
fn is_behind_formula(text: &str, at: usize) -> bool {
    let Some(before) = text[..at].strip_suffix('$') else { return false };
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(400))..];
    !escaped(text, at) && near.contains('$')
}

/// Matches `[[address|words]]`, of which only the words are shown, and `![[address]]`, which is replaced by other
/// content.
fn is_wiki_link(text: &str, at: usize) -> bool {
    let Some(before) = text[..at].strip_suffix('[') else { return false };
    let inner = &text[at + 1..];
    let Some(end) = inner.find(['[', ']', '\n']) else { return false };
    inner[end..].starts_with("]]") && (before.ends_with('!') || inner[..end].contains('|'))
}

/// Returns the end of the address that a renderer finds around `://` or `www.`; `at` is the position of the colon or
/// the dot.
fn address_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let before = text.as_bytes()[..at].last_chunk::<3>();
    let www = before.is_some_and(|before| before.eq_ignore_ascii_case(b"www"));
    let begins = if www { rest.starts_with('.') } else { rest.starts_with("://") };
    if !begins {
        return None;
    }
    Some(at + rest.find(|c: char| c == '<' || c.is_whitespace()).unwrap_or(rest.len()))
}

/// Returns an escape for each extra border, with the position of a byte of the same line. If that byte is code, the
/// whole line is in a code block.
pub(super) fn excess_cells(text: &str) -> Vec<(usize, TextEdit)> {
    let mut places = Vec::new();
    let (mut columns, mut framed) = (None, false);
    for line in Lines::from(text, 0, 1) {
        let row = line.text.trim_start_matches([' ', '\t', '>']);
        if is_blank(row) {
            columns = None;
        } else if let Some(count) = self::columns(row) {
            columns = Some(columns.map_or(count, |before: usize| before.min(count)));
            framed = row.starts_with('|');
        } else if let Some(columns) = columns {
            let from = line.end() - row.len();
            // A code span ends before the end of its line, so this byte is code only in a code block.
            let last = line.end() == text.len() && line.text.starts_with([' ', '\t']);
            let code = if last { line.start } else { line.end() };
            // If there is no border before the dashes, some renderers take a border at the start of a row for the
            // beginning of a second column.
            let inner = from + usize::from(framed);
            places.extend(excess(text, inner, from, row, columns).map(|edit| (code, edit)));
        }
    }
    places
}

/// Returns the number of columns that a line of dashes defines.
fn columns(row: &str) -> Option<usize> {
    let dashes = row.bytes().all(|b| matches!(b, b'|' | b':' | b'-' | b' ' | b'\t'));
    if !dashes || !row.contains(['|', ':']) {
        return None;
    }
    // The first dash may be a list mark.
    let bare = trim(row);
    let bare = bare.strip_prefix("- ").map_or(bare, trim);
    let bare = bare.strip_prefix('|').unwrap_or(bare);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    Some(bare.matches('|').count() + 1)
}

/// Returns escapes for the borders after the last column; the text between them then belongs to that column.
fn excess(
    text: &str,
    inner: usize,
    from: usize,
    row: &str,
    columns: usize,
) -> impl Iterator<Item = TextEdit> {
    let borders = row
        .match_indices('|')
        .map(|(nth, _)| from + nth)
        .filter(|&at| at >= inner && !escaped(text, at));
    let behind: Vec<usize> = borders.skip(columns - 1).collect();
    let shown = from + row.trim_end().strip_suffix('|').unwrap_or(row).len();
    let hides = behind.first().is_some_and(|&first| {
        text[first..shown.max(first)].contains(|c: char| c != '|' && !c.is_whitespace())
    });
    behind.into_iter().filter(move |&at| hides && at < shown).map(TextEdit::backslash)
}
