//! The visible text of a rendered file.

use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

/// Plain CommonMark, as forges render it, and with extensions that some of them know.
fn flavours() -> [Options; 4] {
    let forge = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let footnotes = forge | Options::ENABLE_FOOTNOTES | Options::ENABLE_GFM;
    [Options::empty(), forge, footnotes, footnotes | Options::ENABLE_MATH]
}

/// Checks in every flavour that the head at this byte is a paragraph below a rule, both at top level.
pub(super) fn head_is_top_level(text: &str, head: usize) -> Result<(), String> {
    let rule = text[..head].rfind("\n---").map_or(0, |at| at + 1);
    for flavour in flavours() {
        let (mut depth, mut rule_seen, mut head_seen) = (0, false, false);
        for (event, range) in Parser::new_ext(text, flavour).into_offset_iter() {
            match event {
                Event::Start(tag) => {
                    head_seen |= depth == 0 && range.start == head && tag == Tag::Paragraph;
                    depth += 1;
                }
                Event::End(_) => depth -= 1,
                Event::Rule => rule_seen |= depth == 0 && range.start == rule,
                _ => {}
            }
        }
        if !(rule_seen && head_seen) {
            return Err(format!(
                "rendered, the next head is hidden (rule {rule_seen}, head {head_seen}, {flavour:?}):\n{}",
                &text[text.floor_char_boundary(rule.saturating_sub(400))..]
            ));
        }
    }
    Ok(())
}

/// Checks that all words of `said` are visible in this part, and that it contains no HTML, definition or footnote.
pub(super) fn all_is_seen(
    text: &str,
    part: Range<usize>,
    said: &str,
    markup: &[String],
) -> Result<(), String> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"[\p{L}\p{N}&&[^\u{115F}\u{1160}\u{3164}\u{FFA0}]]{3,}").unwrap()
    });
    for flavour in flavours() {
        let seen = seen(text, &part, flavour)?;
        for word in WORD.find_iter(said).map(|word| word.as_str()) {
            if !seen.contains(word) && !markup.iter().any(|known| known == word) {
                return Err(format!(
                    "`{word}` is not seen ({flavour:?}) in:\n{}\nrendered:\n{seen}",
                    &text[part.clone()]
                ));
            }
        }
    }
    Ok(())
}

fn seen(text: &str, part: &Range<usize>, flavour: Options) -> Result<String, String> {
    let parser = Parser::new_ext(text, flavour);
    for (label, definition) in parser.reference_definitions().iter() {
        if part.contains(&definition.span.start) {
            return Err(format!("`{label}` is a link definition in:\n{}", &text[part.clone()]));
        }
    }
    let mut seen = String::new();
    for (event, range) in parser.into_offset_iter() {
        if !part.contains(&range.start) {
            continue;
        }
        match event {
            // Control lines of the program.
            Event::Html(html) if html.starts_with("<!-- REPLY ") => {}
            Event::Html(html) | Event::InlineHtml(html) => {
                return Err(format!("`{html}` is HTML in:\n{}", &text[part.clone()]));
            }
            Event::Start(Tag::FootnoteDefinition(label)) => {
                return Err(format!("`{label}` is a footnote in:\n{}", &text[part.clone()]));
            }
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => seen.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::Rule => seen.push('\n'),
            Event::End(end) if !is_inline(end) => seen.push('\n'),
            _ => {}
        }
    }
    Ok(seen)
}

fn is_inline(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}

/// The visible headings at top level.
pub(super) fn headings(text: &str) -> Vec<String> {
    let (mut depth, mut heading, mut all) = (0, None, Vec::new());
    for event in Parser::new_ext(text, flavours()[1]) {
        match event {
            Event::Start(tag) => {
                if depth == 0 && matches!(tag, Tag::Heading { .. }) {
                    heading = Some(String::new());
                }
                depth += 1;
            }
            Event::End(_) => {
                depth -= 1;
                if depth == 0 {
                    all.extend(heading.take());
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    all
}

/// Checks that no character is invisible, changes the reading direction, or controls a terminal.
pub(super) fn nothing_deceives(text: &str) -> Result<(), String> {
    // Written independently of the program's list, so that a gap in either one is found.
    static BAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}&&[^\n\t\u{200C}\u{200D}\u{0600}-\u{0605}\u{06DD}\u{070F}",
            r"\u{0890}\u{0891}\u{08E2}\u{110BD}\u{110CD}\u{13430}-\u{1343F}]]",
            r"|[\u{034F}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{3164}\u{FFA0}\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}]",
            r"|(?:^|[\s\x00-\x7F&&[^0-9#*]])[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]",
            r"|[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{2}",
        ))
        .unwrap()
    });
    match BAD.find(text) {
        Some(bad) => Err(format!("{:?} deceives in:\n{text:?}", bad.as_str())),
        None => Ok(()),
    }
}
