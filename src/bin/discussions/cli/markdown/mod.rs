//! Markdown, formatted for a terminal. Columns of tables shrink to their longest words, and if that is not enough, rows
//! become lists.
//!
//! The input can be any text. None of it can control the terminal, because each [`Line`] makes its characters visible.

use std::collections::BTreeMap;

use anstyle::{Ansi256Color, Style};
use discussions::view::visible;
use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

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
    /// True if a line of the paragraph ended and the space after it is not written yet.
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

/// The number of blanks between columns.
const BETWEEN: usize = 2;

/// Rows of cells; the first is the heading.
struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Line>>,
}

impl Table {
    fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    /// Begins a row.
    fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Adds a cell to the row.
    fn cell(&mut self, cell: Line) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// Returns the lines in at most `room` columns.
    fn lines(mut self, room: usize) -> Vec<Line> {
        if let Some(heading) = self.rows.first_mut() {
            heading.iter_mut().for_each(|cell| *cell = std::mem::take(cell).in_bold());
        }
        match self.widths(room) {
            Some(widths) => self.grid(&widths),
            None => self.lists(room),
        }
    }

    /// Returns the widths of the columns; `None` if their longest words do not fit side by side.
    fn widths(&self, room: usize) -> Option<Vec<usize>> {
        let columns = 0..self.alignments.len();
        let widest = |column: usize, measure: &dyn Fn(&Line) -> usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(measure).max().unwrap_or(0)
        };
        let wanted: Vec<usize> = columns.clone().map(|at| widest(at, &Line::width)).collect();
        let least: Vec<usize> = columns.map(|at| widest(at, &Line::narrowest)).collect();
        let room = room.checked_sub(BETWEEN * wanted.len().saturating_sub(1))?;
        let capped = |cap: usize| -> Vec<usize> {
            wanted
                .iter()
                .zip(&least)
                .map(|(wanted, least)| (*wanted).min(cap).max(*least))
                .collect()
        };
        let fits = |cap: usize| capped(cap).iter().sum::<usize>() <= room;
        let (mut low, mut high) = (0, wanted.iter().copied().max().unwrap_or(0));
        if fits(high) {
            return Some(wanted);
        }
        if !fits(low) {
            return None;
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if fits(middle) { low = middle } else { high = middle }
        }
        Some(capped(low))
    }

    fn grid(&self, widths: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let flow = |(cell, width): (&Line, &usize)| {
                cell.flow(*width, &Line::default(), &Line::default())
            };
            let cells: Vec<Vec<Line>> = row.iter().zip(widths).map(flow).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for at in 0..height {
                let mut line = Line::default();
                let mut owed = 0;
                for ((cell, width), alignment) in cells.iter().zip(widths).zip(&self.alignments) {
                    let part = cell.get(at).cloned().unwrap_or_default();
                    let free = width.saturating_sub(part.width());
                    let left = match alignment {
                        Alignment::Right => free,
                        Alignment::Center => free / 2,
                        Alignment::None | Alignment::Left => 0,
                    };
                    // Blanks are written only before text.
                    if part.is_empty() {
                        owed += width + BETWEEN;
                    } else {
                        line = line.text(" ".repeat(owed + left)).then(part);
                        owed = free - left + BETWEEN;
                    }
                }
                lines.push(line);
            }
            if index == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                lines.push(Line::default().faint(rules.join(&" ".repeat(BETWEEN))));
            }
        }
        lines
    }

    /// Returns each row as a list of its cells, each after its heading.
    fn lists(&self, room: usize) -> Vec<Line> {
        let Some((heading, rows)) = self.rows.split_first() else { return Vec::new() };
        let mut lines = Vec::new();
        for row in rows {
            for (index, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let name = heading.get(index).cloned().unwrap_or_default();
                let line = if name.is_empty() { name } else { name.text(": ") };
                let first = if index == 0 { "• " } else { "  " };
                lines.extend(line.then(cell.clone()).flow(room, &first.into(), &"    ".into()));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests;
