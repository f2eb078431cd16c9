//! Sanitizes untrusted text for a body or for a place inside a line, such as a title: nothing in
//! the result is invisible or hidden, and no markup in it continues after its end.
//!
//! The conversion is one-way and idempotent (law 1). Escaped text is shown as it was typed in every renderer. For
//! example, `<b>` becomes `&lt;b>`; a backslash instead would disappear inside an address that the renderer turns into
//! a link, and some renderers do not know it.

mod formulas;
mod hidden;
mod markup;
mod quoted;
mod reference;
mod rewrite;

use std::borrow::Cow;
use std::ops::Range;

use self::quoted::quote;
pub(super) use self::quoted::{QUOTED, problems};
use self::reference::escape_references;
use self::rewrite::inline_links;
use super::control::is_torn;
use super::guard::guard_lines;
use super::line::{closer, trim_blank_lines, trim_end};
use crate::invisible::visible;

/// The maximum number of bytes of a body (1 MiB).
pub const BODY_LIMIT: usize = 1 << 20;

/// The number of passes that leave code unchanged. Hostile text that still contains markup after them is escaped
/// everywhere.
const CAREFUL_PASSES: usize = 4;

/// Cuts a text at [`BODY_LIMIT`], and adds a visible last line that says so.
pub fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= BODY_LIMIT {
        return Cow::Borrowed(text);
    }
    let mut kept = BODY_LIMIT;
    while !text.is_char_boundary(kept) {
        kept -= 1;
    }
    Cow::Owned(format!(
        "{}\n\n[cut here: the text has {} bytes, {kept} are kept]",
        &text[..kept],
        text.len()
    ))
}

/// Returns the sanitized form of a text.
pub fn canon(text: &str) -> String {
    let mut text = disarm(text);
    // Marking a line may split a table, and then another line may look like a head.
    for _ in 0..CAREFUL_PASSES {
        let quoted = quote(text.clone());
        if quoted == text {
            break;
        }
        // A marked line gets no guard, so `escape_hidden` must check the characters that the guard would have escaped.
        text = escape_hidden(quoted);
    }
    text
}

/// Returns the sanitized form without marks on text that looks like a head or a vote; votes are searched for in this
/// form.
pub(crate) fn disarm(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = visible(&text).into_owned();
    let text = inline_links(escape_references(&text));
    let text = text[trim_blank_lines(&text)].to_owned();
    let mut text = escape_torn(escape_hidden(plain_fences(text)));
    if let Some(fence) = closer(&guard_lines(&text).0) {
        text.push('\n');
        text.push_str(&fence);
    }
    text
}

/// Removes tabs after a closing fence, because renderers disagree about them.
fn plain_fences(text: String) -> String {
    if !text.contains("`\t") && !text.contains("~\t") && !text.contains(" \t") {
        return text;
    }
    let lines = text.split('\n').map(|line| {
        let bare = trim_end(line);
        let marks = bare.trim_start_matches(' ');
        let fence = marks.len() >= 3
            && (marks.trim_matches('`').is_empty() || marks.trim_matches('~').is_empty());
        if fence { bare } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn escape_torn(text: String) -> String {
    if !text.contains("<!-- TORN -->") {
        return text;
    }
    let lines = text.split('\n').map(|line| match line.rfind("<!--") {
        Some(at) if is_torn(trim_end(line)) => apply(line, vec![TextEdit::entity(line, at)]).into(),
        _ => Cow::Borrowed(line),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Escapes everything that some renderer would hide, or would continue after the end of the text. Repeats this until
/// the stored text contains nothing of this kind.
fn escape_hidden(mut text: String) -> String {
    for pass in 0.. {
        let suspect = text.contains(['<', '|']) || text.contains("```") || text.contains("~~~");
        if !suspect && by_bytes(&text).is_empty() {
            break;
        }
        let (stored, guards) = guard_lines(&text);
        let mut read = markup::MarkupReader::of(&stored);
        let careful = pass < CAREFUL_PASSES;
        let mut edits = std::mem::take(&mut read.edits);
        let shown = by_bytes(&stored).into_iter();
        edits.extend(shown.filter(|edit| !careful || !read.is_code(edit.at)));
        let rows = hidden::excess_cells(&stored).into_iter();
        edits.extend(rows.filter(|(line, _)| !careful || !read.is_code(*line)).map(|(_, it)| it));
        if !careful {
            edits.extend(every_opener(&stored));
        }
        if edits.is_empty() {
            break;
        }
        for edit in &mut edits {
            edit.at -= guards.partition_point(|&guard| guard < edit.at);
        }
        text = apply(&text, edits);
    }
    text
}

/// Returns the escapes that the bytes alone require, inside and outside of code; the caller drops those inside code.
fn by_bytes(text: &str) -> Vec<TextEdit> {
    let blocks = formulas::blocks(text);
    let mut places = hidden::hidden_spans(text, &blocks);
    places.extend(hidden::block_openers(text, &blocks));
    places.extend(formulas::places(text, &blocks));
    places
}

/// Escapes every tag, definition and reference in a text, in any context.
fn open_everywhere(text: &str) -> String {
    let text = escape_references(text);
    apply(&text, every_opener(&text))
}

fn every_opener(text: &str) -> Vec<TextEdit> {
    let brackets = text.match_indices("]:").map(|(at, _)| at);
    let brackets = brackets.filter(|&at| !escaped(text, at)).map(TextEdit::backslash);
    tag_openers(text).map(|at| TextEdit::entity(text, at)).chain(brackets).collect()
}

/// Returns every `<` that could begin a tag, a comment, a declaration or an instruction.
fn tag_openers(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'<', bytes).filter(|at| {
        let next = bytes.get(at + 1);
        next.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'))
    })
}

/// Returns true if an odd number of backslashes comes before byte `at`.
fn escaped(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].iter().rev().take_while(|&&b| b == b'\\').count() % 2 == 1
}

/// Returns true if one of these sorted ranges contains byte `at`.
fn holds(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.start <= at)
}

/// Converts a text for a place with one line, such as a title: each run of blanks and line ends becomes one space.
pub(crate) fn one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Converts a title for a heading: one line, with nothing in it that would be hidden.
pub(crate) fn heading(text: &str) -> String {
    // The text is sanitized with a heading mark before it, because in a heading a tag has a meaning and a fence none.
    let line = canon(&format!("# {}", one_line(text)));
    no_fence(line.strip_prefix("# ").unwrap_or(&line))
}

/// Converts a value so that it stays text in any place of a line in a template: at its beginning, in a sentence, in
/// backticks.
pub(crate) fn inline(text: &str) -> String {
    // Backticks around the value may pair with backticks in it, and then code in it becomes text; so tags are escaped
    // in code too.
    let text = open_everywhere(&one_line(text));
    guard_lines(&no_fence(&text)).0
}

fn no_fence(line: &str) -> String {
    if line.starts_with("```") || line.starts_with("~~~") {
        format!("\\{line}")
    } else {
        line.to_owned()
    }
}

/// A replacement of bytes.
#[derive(Debug)]
struct TextEdit {
    /// The position in bytes.
    at: usize,
    /// The number of bytes that are removed.
    gone: usize,
    /// The text that is inserted.
    put: Cow<'static, str>,
}

impl TextEdit {
    /// Inserts a backslash before a character.
    fn backslash(at: usize) -> Self {
        Self { at, gone: 0, put: "\\".into() }
    }

    /// Replaces the `<` at this byte by `&lt;`, and removes a backslash before it that is no longer needed.
    fn entity(text: &str, at: usize) -> Self {
        let from = at - usize::from(escaped(text, at));
        Self { at: from, gone: at + 1 - from, put: "&lt;".into() }
    }
}

/// Applies the changes. If two changes touch the same bytes, only the first is applied.
fn apply(text: &str, mut edits: Vec<TextEdit>) -> String {
    edits.sort_by_key(|edit| edit.at);
    let mut out = String::with_capacity(text.len() + 4 * edits.len());
    let (mut from, mut last) = (0, None);
    for edit in edits {
        if edit.at < from || last == Some(edit.at) {
            continue;
        }
        out.push_str(&text[from..edit.at]);
        out.push_str(&edit.put);
        from = edit.at + edit.gone;
        last = Some(edit.at);
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_text_becomes_visible() {
        for (text, shown) in [
            ("a <b>c</b>", "a &lt;b>c&lt;/b>"),
            ("a \\<b> \\\\<b>", "a &lt;b> \\\\&lt;b>"),
            ("<!-- x\ny -->", "&lt;!-- x\ny -->"),
            ("`<b>` 1 <2", "`<b>` 1 <2"),
            ("http://a.b/`x <b> y`", "http://a.b/ `x <b> y`"),
            ("```\n<div>", "```\n<div>\n```"),
            ("[a]: http://x", "\\[a]: http://x"),
            ("[^1]: a note", "\\[^1]: a note"),
            ("- [ ] [a]: /x", "- [ ] \\[a]: /x"),
            ("x\n*[HTML]: y", "x\n\\*[HTML]: y"),
            ("|a|\n|-|\n|b|c|d|", "|a|\n|-|\n|b\\|c\\|d|"),
            ("|`a|b` <i> `c|\n|-|-|", "|`a|b` &lt;i> `c|\n|-|-|"),
            ("x\r\ny\rz", "x\ny\nz"),
            ("a\u{202E}b", "a⟨U+202E⟩b"),
            ("a &#x202e; b &rlm;", "a &amp;#x202e; b &amp;rlm;"),
            ("```\nx <!-- TORN -->\n```", "```\nx &lt;!-- TORN -->\n```"),
            ("<http://ok.example> <a:b>", "<http://ok.example> &lt;a:b>"),
            ("\n\n  a\n \n", "  a"),
            ("```x|y\n-|-\n```", "```x\nx|y\n-|-\n```"),
            (" ~~~rust a\nb\n  ~~~~", "~~~rust\nrust a\nb\n~~~"),
            ("- ```a b\n  c\n  ```", "- ```a\n  a b\n  c\n  ```"),
            ("$$\nx\n$$\n\n$$ y $$", "$$\nx\n$$\n\n$$ y $$"),
            ("$$\nx", "\\$\\$\nx"),
            ("$$\nx\n\ny\n$$", "\\$\\$\nx\n\ny\n\\$\\$"),
            ("a `\n$$\n` b", "a `\n\\$\\$\n` b"),
            ("> a `\n> $$ x\n> ` b", "> a `\n> \\$\\$ x\n> ` b"),
            ("a `\n:::details\n` b", "a `\n\\:::details\n` b"),
            ("a `\n%%\n` b `$$`", "a `\n%\\%\n` b `$$`"),
            (">>> [!tip]", "\\>>> [!tip]"),
            ("$a & said$", "\\$a & said\\$"),
            ("$6<x> said$", "\\$6&lt;x> said\\$"),
            ("$ $6<x> said $", "\\$ \\$6&lt;x> said \\$"),
            ("$a < b$", "$a < b$"),
            ("$a \\& b$ & $c$ #1", "$a \\& b$ & $c$ #1"),
            ("$5 and $a # said$", "\\$5 and \\$a # said\\$"),
            ("$$\na & said\n$$", "\\$\\$\na & said\n\\$\\$"),
            ("$$\n\\begin{a}\nb & c\n\\end{a}\n$$", "$$\n\\begin{a}\nb & c\n\\end{a}\n$$"),
            ("$ `a$ <b>`", "\\$ `a$ <b>`"),
            (":::note\n\n>>>\n\n??? x", "\\:::note\n\n\\>>>\n\n\\??? x"),
            (": word", "\\: word"),
            ("> [!note]- x\n> y", "> \\[!note]- x\n> y"),
            ("%% a %%", "%\\% a %\\%"),
            ("x\n{: .y }\n# z { q }", "x\n\\{: .y }\n# z \\{ q }"),
            ("of {a} set, {b} too", "of {a} set, {b} too"),
            ("a@b.d{sne}q, c{d}e", "a@b.d\\{sne}q, c{d}e"),
            ("[](x) [a](/b \"c\") [d](/e)", "[\\](x) [a](/b) (c) [d](/e)"),
            ("[a](/b \"c", "[a\\](/b \"c"),
            ("[a][1] [1][] [1]\n\n[1]: /b \"c\"", "[a](/b) [1](/b) [1](/b)\n\n\\[1]: /b \"c\""),
            (
                "![a][1] [![b][1]][1]\n\n[1]: <b c>",
                "![a](b%20c) [![b](b%20c)](b%20c)\n\n\\[1]: &lt;b c>",
            ),
            ("[a][1]\n\n[1]: /b*\u{FE0F}", "[a](/b%2A%EF%B8%8F)\n\n\\[1]: /b*\u{FE0F}"),
            ("[a](<b c>) [d](\n/e)", "[a](b%20c) [d](/e)"),
            (
                "`[a][1]` [b][2] [^1]\n\n[1]: /b\n[^1]: c",
                "`[a][1]` [b][2] [^1]\n\n\\[1]: /b\n\\[^1]: c",
            ),
            ("[[a|b]] ![[c]] [[d]](e)", "[\\[a|b]] ![\\[c]] [[d]](e)"),
            ("VOTE: READY", "⟨quoted⟩ VOTE: READY"),
            ("&#86;**O**TE&colon; READY", "⟨quoted⟩ &#86;**O**TE&colon; READY"),
            ("Vote: to me it seems too early", "Vote: to me it seems too early"),
            ("***\n\nName: Rob", "***\n\n⟨quoted⟩ Name: Rob"),
            ("---\n\n&nbsp;\n\nNa&#109;e: Rob", "---\n\n&nbsp;\n\n⟨quoted⟩ Na&#109;e: Rob"),
            ("Name: Rob\nname: x", "Name: Rob\nname: x"),
            (
                "Name: <!-- A\n|Name: \\\n|---|",
                "⟨quoted⟩ Name: &lt;!-- A\n⟨quoted⟩ |Name: \\\n|---|",
            ),
        ] {
            assert_eq!(canon(text), shown, "{text:?}");
            assert_eq!(canon(shown), shown);
        }
    }

    #[test]
    fn repeated_escaping_ends() {
        for (first, more) in [
            ("", "<!-- \n\n[a]: b\n"),
            ("- ```a\n", "  ```b\n"),
            ("> ```a\n", "> ~~~b\n"),
            ("", "    a\nb\n```\n```\n"),
            ("a|b\n-|-\n", "c||d|-|-\n"),
            ("***\n", "[Name](x): &#86OTE\n"),
        ] {
            let once = canon(&(first.to_owned() + &more.repeat(2000)));
            assert_eq!(canon(&once), once);
        }
    }

    #[test]
    fn cut_text_says_so() {
        let long = "é".repeat(BODY_LIMIT);
        let kept = cut(&long);
        assert!(kept.contains("[cut here:") && kept.len() < BODY_LIMIT + 100);
    }

    #[test]
    fn title_opens_no_fence_or_tag() {
        for (text, shown) in [
            ("```rust", "\\`\\`\\`rust"),
            ("~~~ <b>x", "\\~~~ &lt;b>x"),
            ("Use `Vec<u8>`\n\nnow", "Use `Vec<u8>` now"),
            ("C#", "C#"),
            ("<div> x", "&lt;div> x"),
        ] {
            assert_eq!(heading(text), shown);
        }
    }

    #[test]
    fn value_stays_text_between_backticks() {
        for (text, shown) in [
            ("a` <b>x</b> `", "a` &lt;b>x&lt;/b> `"),
            ("```x", "\\```x"),
            ("[x]: /y", "[x\\]: /y"),
            ("---", " ---"),
            ("src/main.rs", "src/main.rs"),
        ] {
            assert_eq!(inline(text), shown);
        }
    }
}
