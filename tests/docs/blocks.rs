//! Fenced blocks of a Markdown page, with their sections.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Parser, Tag, TagEnd};

/// One fenced block.
#[derive(Debug)]
pub(super) struct Block {
    /// The second-level heading above it.
    pub(super) section: String,
    /// Its line in the page, from 1.
    pub(super) line: usize,
    /// The word after the fence.
    pub(super) kind: String,
    pub(super) text: String,
}

/// All code blocks of a page, in order; an indented one has no kind.
pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut section, mut heading, mut open) = (String::new(), false, false);
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                section.clear();
                heading = true;
            }
            Event::End(TagEnd::Heading(_)) => heading = false,
            Event::Start(Tag::CodeBlock(kind)) => {
                let kind = match kind {
                    CodeBlockKind::Fenced(kind) => kind,
                    CodeBlockKind::Indented => CowStr::Borrowed(""),
                };
                let line = page[..range.start].lines().count() + 1;
                open = true;
                blocks.push(Block {
                    section: section.clone(),
                    line,
                    kind: kind.to_string(),
                    text: String::new(),
                });
            }
            Event::End(TagEnd::CodeBlock) => open = false,
            Event::Text(text) | Event::Code(text) if heading => section.push_str(&text),
            Event::Text(text) if open => {
                if let Some(block) = blocks.last_mut() {
                    block.text.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

impl Block {
    /// Returns the file of a block if its first comment names one: `# templates/premortem.md`.
    pub(super) fn file(&self) -> Option<&str> {
        let first = self.text.lines().find(|line| *line != "---")?;
        let name = first.strip_prefix("# ")?;
        let is_file = [".md", ".yaml", ".yml"].iter().any(|ending| name.ends_with(ending));
        (is_file && !name.contains(' ')).then_some(name)
    }
}
