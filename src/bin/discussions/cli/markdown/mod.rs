//! Markdown, formatted for a terminal.
//!
//! The input can be any text. None of it can control the terminal, because each [`Line`] makes its characters visible.

mod table;

use std::collections::BTreeMap;

use anstyle::{Ansi256Color, Style};
use discussions::view::visible;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use self::table::Table;
use crate::cli::line::Line;

/// The style of code, legible on dark and light backgrounds.
const CODE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi256(Ansi256Color(30))));

/// The indentation of code.
const INDENT: &str = "    ";

/// Returns lines of at most `width` columns. `numbers` maps lines of the text, counted from 0, to labels; each of them
/// also begins a line of the result, with its label.
pub(crate) fn lines(text: &str, numbers: &BTreeMap<usize, String>, width: usize) -> Vec<Line> {
    let text = visible(text);
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let mut writer = MarkdownWriter {
        starts: std::iter::once(0).chain(ends).collect(),
        numbers,
        numbered: None,
        width,
        lines: Vec::new(),
        inline: Line::default(),
        styles: vec![Style::new()],
        prefixes: Vec::new(),
        lists: Vec::new(),
        links: Vec::new(),
        table: None,
        code: None,
        gap: false,
        soft: false,
    };
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
        writer.event(event, range.start);
    }
    writer.flush();
    writer.lines
}

/// The text before the lines of a quote or an item.
struct Prefix {
    /// The text before the first line.
    first: Option<Line>,
    later: Line,
}

struct MarkdownWriter<'t> {
    /// The offset at which each line of the text begins.
    starts: Vec<usize>,
    numbers: &'t BTreeMap<usize, String>,
    /// The last line that got its label.
    numbered: Option<usize>,
    width: usize,
    lines: Vec<Line>,
    /// The current paragraph.
    inline: Line,
    styles: Vec<Style>,
    prefixes: Vec<Prefix>,
    /// The next number of each open list, if it is numbered.
    lists: Vec<Option<u64>>,
    /// The targets of open links, with the width of the text before each link.
    links: Vec<(String, usize)>,
    table: Option<Table>,
    code: Option<String>,
    /// A blank line must precede the next block.
    gap: bool,
    /// A line of the paragraph ended.
    soft: bool,
}

impl MarkdownWriter<'_> {
    fn event(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Start(tag) => self.start(tag, at),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.say(at, &text, self.style()),
            },
            Event::Code(text) => self.say(at, &format!("`{text}`"), CODE),
            Event::Html(text) | Event::InlineHtml(text) => self.say(at, &text, self.style()),
            Event::SoftBreak => self.soft = true,
            Event::HardBreak => self.inline.push(Style::new(), "\n".to_owned()),
            Event::TaskListMarker(done) => {
                self.inline.push(Style::new(), if done { "[x] " } else { "[ ] " }.to_owned());
            }
            Event::Rule => {
                self.block();
                self.emit(Line::default().faint("* * *"));
                self.gap = true;
            }
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, at: usize) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.block(),
            Tag::Heading { level, .. } => {
                self.block();
                let style = Style::new().bold();
                self.styles.push(if level <= HeadingLevel::H2 { style.underline() } else { style });
            }
            Tag::BlockQuote(_) => {
                self.block();
                self.indent(None, Line::default().faint("│ "));
            }
            Tag::CodeBlock(_) => {
                self.block();
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.block();
                self.lists.push(first);
            }
            Tag::Item => {
                self.block();
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
                let later = " ".repeat(Line::from(mark.as_str()).width());
                self.indent(Some(Line::default().faint(mark)), later.into());
            }
            Tag::Table(alignments) => {
                self.block();
                self.table = Some(Table::new(alignments));
            }
            Tag::TableHead | Tag::TableRow => self.table.iter_mut().for_each(Table::row),
            Tag::Emphasis => self.open(at, Style::italic),
            Tag::Strong => self.open(at, Style::bold),
            Tag::Strikethrough => self.open(at, Style::strikethrough),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.open(at, Style::underline);
                self.links.push((dest_url.into_string(), self.inline.width()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.gap = true;
            }
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
                self.gap = true;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.prefixes.pop();
                self.gap = true;
            }
            TagEnd::Item => {
                self.flush();
                if let Some(Prefix { first: Some(mark), .. }) = self.prefixes.last() {
                    // The item is empty.
                    let mark = mark.clone();
                    self.prefixes.pop();
                    self.emit(mark);
                } else {
                    self.prefixes.pop();
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.gap |= self.lists.is_empty();
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                for line in code.lines() {
                    // A line of code stays one line, at any length.
                    let prefix = self.prefix();
                    let line = line.replace('\t', "    ");
                    self.lines.push(if line.trim().is_empty() {
                        prefix
                    } else {
                        prefix.text(INDENT).text(line)
                    });
                }
                self.gap = true;
            }
            TagEnd::TableCell => {
                self.soft = false;
                let cell = std::mem::take(&mut self.inline);
                self.table.iter_mut().for_each(|table| table.cell(cell.clone()));
            }
            TagEnd::Table => {
                let room = self.width.saturating_sub(self.indented());
                let lines = self.table.take().map(|table| table.lines(room)).unwrap_or_default();
                for line in lines {
                    let prefix = self.prefix();
                    self.lines.push(prefix.then(line));
                }
                self.gap = true;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => drop(self.styles.pop()),
            TagEnd::Link | TagEnd::Image => {
                self.styles.pop();
                if let Some((target, before)) = self.links.pop() {
                    self.target(&target, before);
                }
            }
            _ => {}
        }
    }

    /// Adds the target of a link, unless the link text already is the target.
    fn target(&mut self, target: &str, before: usize) {
        let is_address = self.inline.width() - before == Line::from(target).width();
        if !is_address && !target.starts_with('#') && !target.is_empty() {
            self.inline.push(Style::new().dimmed(), format!(" ({target})"));
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn open(&mut self, at: usize, more: impl Fn(Style) -> Style) {
        self.begin(at);
        self.styles.push(more(self.style()));
    }

    fn say(&mut self, at: usize, text: &str, style: Style) {
        self.begin(at);
        self.inline.push(style, text.to_owned());
    }

    /// Begins a new line of the result at a line break of the text, if the line after the break has a label.
    fn begin(&mut self, at: usize) {
        let line = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let number = self.numbers.get(&line).filter(|_| self.numbered != Some(line));
        if std::mem::take(&mut self.soft) {
            let end = if number.is_some() { "\n" } else { " " };
            self.inline.push(Style::new(), end.to_owned());
        }
        if let Some(number) = number {
            self.numbered = Some(line);
            if !number.is_empty() {
                self.inline.push(Style::new().bold(), format!("[{number}] "));
            }
        }
    }

    fn indented(&self) -> usize {
        self.prefixes.iter().map(|prefix| prefix.later.width()).sum()
    }

    /// Adds an indentation, unless more than half of the columns would then be used for nesting.
    fn indent(&mut self, first: Option<Line>, later: Line) {
        let deep = self.indented() + later.width() > self.width / 2;
        let later = if deep { Line::default() } else { later };
        self.prefixes.push(Prefix { first, later });
        self.gap = false;
    }

    /// Returns the text before the next line.
    fn prefix(&mut self) -> Line {
        let each = self.prefixes.iter_mut();
        each.fold(Line::default(), |line, prefix| {
            line.then(prefix.first.take().unwrap_or_else(|| prefix.later.clone()))
        })
    }

    /// Begins a block.
    fn block(&mut self) {
        self.flush();
        if std::mem::take(&mut self.gap) && !self.lines.is_empty() {
            let each = self.prefixes.iter().map(|prefix| prefix.later.clone());
            let blank = each.fold(Line::default(), Line::then);
            self.lines.extend(blank.flow(self.width, &Line::default(), &Line::default()));
        }
    }

    /// Writes the current paragraph.
    fn flush(&mut self) {
        self.soft = false;
        let inline = std::mem::take(&mut self.inline);
        if !inline.is_empty() {
            self.emit(inline);
        }
    }

    fn emit(&mut self, line: Line) {
        let first = self.prefix();
        let later = self.prefix();
        self.lines.extend(line.flow(self.width, &first, &later));
    }
}

#[cfg(test)]
mod tests;
