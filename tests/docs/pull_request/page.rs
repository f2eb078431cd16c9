//! Lays out Markdown as a forge shows it, and draws it as SVG.

use std::fmt::Write as _;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

const WIDTH: usize = 830;
const HEADER: usize = 44;
const LEFT: usize = 40;
const INDENT: usize = 24;
const LINE: usize = 23;
/// The width of text, in thousandths of its size: the fonts of forges differ by up to a tenth.
const ROOM: usize = 46_000;

/// A part of a line.
#[derive(Clone, PartialEq, Eq)]
struct Piece {
    class: &'static str,
    text: String,
}

/// A part of the page, from top to bottom.
enum Item {
    Rule,
    Line { indent: usize, bullet: bool, pieces: Vec<Piece> },
    Gap(usize),
}

/// Returns the width of a text in a usual sans-serif font, in thousandths of its size.
fn width(text: &str) -> usize {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | '|' | '.' | ',' | ':' | ';' | '\'' | '!' | ' ' | 'I' => 290,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '"' => 370,
        'm' | 'w' | 'M' | 'W' | '@' => 880,
        c if c.is_uppercase() => 690,
        _ => 570,
    };
    text.chars().map(of).sum()
}

/// Breaks pieces into lines between words.
fn wrapped(pieces: &[Piece], room: usize) -> Vec<Vec<Piece>> {
    let words = pieces.iter().flat_map(|piece| {
        piece.text.split_inclusive(' ').map(|word| Piece { class: piece.class, text: word.into() })
    });
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut used = 0;
    for word in words {
        let wide = width(&word.text);
        if used > 0 && used + width(word.text.trim_end()) > room {
            lines.push(Vec::new());
            used = 0;
        }
        used += wide;
        let Some(line) = lines.last_mut() else { continue };
        match line.last_mut().filter(|last| last.class == word.class) {
            Some(last) => last.text.push_str(&word.text),
            None => line.push(word),
        }
    }
    lines
}

/// Returns the items of a text; HTML comments are not among them.
fn items(text: &str) -> Vec<Item> {
    let (mut items, mut pieces, mut class) = (Vec::new(), Vec::new(), "");
    let (mut depth, mut bullet) = (0, false);
    for event in Parser::new(text) {
        match event {
            Event::Rule => items.push(Item::Rule),
            Event::Start(Tag::List(_)) => depth += 1,
            Event::End(TagEnd::List(_)) => {
                depth -= 1;
                items.push(Item::Gap(LINE / 2));
            }
            Event::Start(Tag::Item) => bullet = true,
            Event::Start(Tag::Strong) => class = "b",
            Event::End(TagEnd::Strong) => class = "",
            Event::Text(text) => pieces.push(Piece { class, text: text.into_string() }),
            Event::Code(text) => pieces.push(Piece { class: "c", text: text.into_string() }),
            Event::SoftBreak => pieces.push(Piece { class: "", text: " ".to_owned() }),
            Event::End(TagEnd::Paragraph | TagEnd::Item) if !pieces.is_empty() => {
                let indent = depth * INDENT;
                // A size of 15 px.
                for line in wrapped(&pieces, ROOM - indent * 1000 / 15) {
                    items.push(Item::Line { indent, bullet, pieces: line });
                    bullet = false;
                }
                pieces.clear();
                if depth == 0 {
                    items.push(Item::Gap(LINE / 2));
                }
            }
            _ => {}
        }
    }
    items
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the picture of a file that a pull request adds, with this text at its end.
pub(super) fn svg(file: &str, text: &str) -> String {
    let (mut body, mut y) = (String::new(), HEADER + 10);
    for item in items(text) {
        match item {
            Item::Gap(height) => y += height,
            Item::Rule => {
                let _ = writeln!(
                    body,
                    "<rect class=\"rule\" x=\"{LEFT}\" y=\"{}\" width=\"{}\" height=\"3\"/>",
                    y + 8,
                    WIDTH - 2 * LEFT
                );
                y += 26;
            }
            Item::Line { indent, bullet, pieces } => {
                let (x, base) = (LEFT + indent, y + 16);
                if bullet {
                    let (x, y) = (x - 12, base - 5);
                    let _ =
                        writeln!(body, "<circle class=\"fg\" cx=\"{x}\" cy=\"{y}\" r=\"2.5\"/>");
                }
                let pieces: String = pieces
                    .iter()
                    .map(|piece| match piece.class {
                        "" => escaped(&piece.text),
                        class => {
                            format!("<tspan class=\"{class}\">{}</tspan>", escaped(&piece.text))
                        }
                    })
                    .collect();
                let _ = writeln!(
                    body,
                    "<text class=\"fg\" x=\"{x}\" y=\"{base}\">{}</text>",
                    pieces.trim_end()
                );
                y += LINE;
            }
        }
    }
    let height = y + 12;
    // The corners of the card are round.
    let (inner, bar) = (height - HEADER - 7, HEADER + 1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <style>\n\
         text {{ font: 15px -apple-system, BlinkMacSystemFont, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif; white-space: pre }}\n\
         .faint {{ font-size: 13px }}\n\
         .file, .c {{ font: 13px SFMono-Regular, Consolas, Liberation Mono, Menlo, monospace }}\n\
         .b {{ font-weight: 600 }}\n\
         .fg {{ fill: #1f2328 }} .page {{ fill: #fff; stroke: #d1d9e0 }} .head {{ fill: #f6f8fa }}\n\
         .rule {{ fill: #d1d9e0 }} .new {{ fill: #1a7f37 }} .faint {{ fill: #59636e }}\n\
         @media (prefers-color-scheme: dark) {{\n\
         .fg {{ fill: #f0f6fc }} .page {{ fill: #0d1117; stroke: #3d444d }} .head {{ fill: #151b23 }}\n\
         .rule {{ fill: #3d444d }} .new {{ fill: #3fb950 }} .faint {{ fill: #9198a1 }}\n\
         }}\n\
         </style>\n\
         <rect class=\"page\" x=\"0.5\" y=\"0.5\" width=\"{card}\" height=\"{tall}\" rx=\"6\"/>\n\
         <path class=\"head\" d=\"M1 {HEADER}V7a6 6 0 0 1 6-6h{top}a6 6 0 0 1 6 6v{side}z\"/>\n\
         <rect class=\"rule\" x=\"1\" y=\"{HEADER}\" width=\"{line}\" height=\"1\"/>\n\
         <rect class=\"new\" x=\"1\" y=\"{bar}\" width=\"4\" height=\"{inner}\"/>\n\
         <text class=\"fg file\" x=\"16\" y=\"27\">{file}</text>\n\
         <text class=\"faint\" x=\"{right}\" y=\"27\" text-anchor=\"end\">Added, shown as a page</text>\n\
         {body}</svg>\n",
        card = WIDTH - 1,
        tall = height - 1,
        top = WIDTH - 14,
        side = HEADER - 7,
        line = WIDTH - 2,
        right = WIDTH - 16,
    )
}
