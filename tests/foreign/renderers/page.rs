//! The visible text of a page: parses HTML like a browser and returns the visible blocks in order.

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// Marks around code and struck-out text; they are no letters and cannot begin a head or a vote.
const CODE: char = '`';
const STRUCK: char = '~';

/// Marks around a formula: its letters are visible, though possibly separated, rotated or with an error message.
pub(super) const FORMULA: [char; 2] = ['\u{E000}', '\u{E001}'];

/// The kind of a visible block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A horizontal rule.
    Rule,
    Paragraph,
    /// Headings, items, cells, and text outside of any block.
    Other,
}

/// One visible block; only rules have no text.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// Whether it is at top level: in no list, quotation, table or box.
    pub(super) top: bool,
    /// Its text, with its line breaks.
    pub(super) text: String,
}

/// The visible blocks of a page.
pub(super) fn blocks(html: &str) -> Vec<Block> {
    let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default())
        .one(format!("<!DOCTYPE html><html><head></head><body>{html}"));
    let mut page = Page { blocks: Vec::new(), open: block(Kind::Other, true) };
    for root in dom.document.children.borrow().iter() {
        for part in root.children.borrow().iter().filter(|part| tag(part) == "body") {
            page.children(part, true);
        }
    }
    page.end();
    page.blocks
}

fn block(kind: Kind, top: bool) -> Block {
    Block { kind, top, text: String::new() }
}

fn tag(node: &Handle) -> &str {
    match &node.data {
        NodeData::Element { name, .. } => &name.local,
        _ => "",
    }
}

fn attribute(node: &Handle, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else { return None };
    let attrs = attrs.borrow();
    attrs.iter().find(|attr| &*attr.name.local == wanted).map(|attr| attr.value.to_string())
}

struct Page {
    blocks: Vec<Block>,
    open: Block,
}

impl Page {
    /// `top` means that these are children of the page itself.
    fn children(&mut self, node: &Handle, top: bool) {
        for child in node.children.borrow().iter() {
            match &child.data {
                NodeData::Text { contents } => self.open.text.push_str(&contents.borrow()),
                NodeData::Element { .. } if !is_hidden(child) => self.element(child, top),
                _ => {}
            }
        }
    }

    fn element(&mut self, node: &Handle, top: bool) {
        match tag(node) {
            "br" => self.open.text.push('\n'),
            // A picture is represented by its description.
            "img" => self.open.text.push_str(&attribute(node, "alt").unwrap_or_default()),
            "hr" => {
                self.begin(Kind::Rule, top);
                self.begin(Kind::Other, top);
            }
            "details" if attribute(node, "open").is_none() => {
                self.begin(Kind::Other, false);
                let children = node.children.borrow();
                if let Some(summary) = children.iter().find(|child| tag(child) == "summary") {
                    self.children(summary, false);
                }
                self.begin(Kind::Other, top);
            }
            "code" | "pre" | "kbd" | "samp" | "tt" => {
                let is_block = tag(node) == "pre";
                if is_block {
                    self.begin(Kind::Other, false);
                }
                self.open.text.push(CODE);
                self.children(node, false);
                self.open.text.push(CODE);
                if is_block {
                    self.begin(Kind::Other, top);
                }
            }
            "del" | "s" | "strike" => {
                self.open.text.push(STRUCK);
                self.children(node, false);
                self.open.text.push(STRUCK);
            }
            "span" if is_formula(node) => {
                self.open.text.push(FORMULA[0]);
                self.children(node, false);
                self.open.text.push(FORMULA[1]);
            }
            name if is_inline(name) => self.children(node, false),
            name => {
                self.begin(if name == "p" { Kind::Paragraph } else { Kind::Other }, top);
                let formula = is_formula(node);
                self.open.text.extend(formula.then_some(FORMULA[0]));
                self.children(node, false);
                self.open.text.extend(formula.then_some(FORMULA[1]));
                self.begin(Kind::Other, top);
            }
        }
    }

    fn begin(&mut self, kind: Kind, top: bool) {
        self.end();
        self.open = block(kind, top);
    }

    fn end(&mut self) {
        let ended = std::mem::replace(&mut self.open, block(Kind::Other, true));
        let text = ended.text.trim_matches(|c: char| c.is_whitespace() || FORMULA.contains(&c));
        if ended.kind == Kind::Rule || !text.is_empty() {
            self.blocks.push(ended);
        }
    }
}

/// Elements that begin no block.
fn is_inline(name: &str) -> bool {
    const INLINE: [&str; 35] = [
        "a",
        "abbr",
        "acronym",
        "annotation",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "dfn",
        "em",
        "font",
        "i",
        "input",
        "ins",
        "label",
        "mark",
        "math",
        "mi",
        "mn",
        "mo",
        "mrow",
        "msub",
        "msup",
        "nobr",
        "q",
        "semantics",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "u",
        "var",
        "wbr",
    ];
    INLINE.contains(&name)
}

fn is_formula(node: &Handle) -> bool {
    attribute(node, "class").is_some_and(|class| class.starts_with("katex"))
}

/// Returns whether an element is invisible with all of its content.
fn is_hidden(node: &Handle) -> bool {
    const NEVER: [&str; 21] = [
        "audio", "canvas", "datalist", "dialog", "embed", "frameset", "head", "iframe", "noembed",
        "noframes", "noscript", "object", "option", "rp", "script", "select", "style", "svg",
        "template", "textarea", "title",
    ];
    if NEVER.contains(&tag(node)) || tag(node) == "video" || attribute(node, "hidden").is_some() {
        return true;
    }
    // KaTeX hides the visible form from screen readers, which get a separate text.
    if !is_formula(node) && attribute(node, "aria-hidden").is_some_and(|value| value != "false") {
        return true;
    }
    let style = attribute(node, "style").unwrap_or_default().to_lowercase().replace(' ', "");
    [
        "display:none",
        "visibility:hidden",
        "color:transparent",
        "opacity:0",
        "font-size:0",
        "color:white",
    ]
    .iter()
    .any(|hides| style.contains(hides))
}
