//! Reads one decision record.

use std::ops::Range;
use std::sync::LazyLock;

use indexmap::IndexMap;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use regex::Regex;
use serde_json::Value;

use super::date::{DateError, read_date};
use super::status::{self, pattern, plain_text};
use super::{LinkedFile, Record, RecordName};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::visible_line;
use crate::yaml;

/// The longest text of a decision in bytes; a search reads the whole file.
const TEXT: usize = 8_000;
/// The longest decision in a sentence, title and name, in characters.
const SENTENCE: usize = 600;
const TITLE: usize = 200;
/// The maximum number of people of a record, and of lines below the title that may hold facts.
const PEOPLE: usize = 50;
const FACTS: usize = 100;

/// Reads a record; `None` if the text is none: a file without a number in its name needs a status, and a template that
/// offers several words as the status is no decision.
pub(crate) fn read(text: &str, name: RecordName) -> Option<Record> {
    let front = yaml::front_matter(text);
    let body = front.map_or_else(|| text.trim_start_matches('\u{feff}'), |front| front.body);
    let reader = RecordReader::new(text, body);
    let mut facts = Facts::default();
    if let Some(front) = front {
        facts.add_front_matter(front.yaml, front.yaml_line);
    }
    reader.add_list(&mut facts);
    reader.add_sections(&mut facts);
    let has_status = !facts.status.is_empty();
    let offers = facts.status.first().is_some_and(|(line, _)| status::is_placeholder(line));
    if offers || name.number.is_none() && !has_status {
        return None;
    }
    Some(reader.record(facts, name))
}

/// A line of the record with its number.
type Numbered = (String, usize);

/// The facts as they are written.
#[derive(Default)]
struct Facts {
    /// The lines of the status; the first one is the status.
    status: Vec<Numbered>,
    date: Option<Numbered>,
    deciders: Vec<String>,
    /// Other lines with references.
    references: Vec<Numbered>,
    problems: Vec<Problem>,
}

impl Facts {
    fn add_front_matter(&mut self, text: &str, first: usize) {
        let keys: IndexMap<String, Value> = match yaml::read_at(text, "", first) {
            Ok(Value::Object(keys)) => keys.into_iter().collect(),
            Ok(_) => return,
            Err(error) => {
                let place = (error.line.max(first), error.column.max(1));
                let message = format!("the front matter cannot be read: {}", error.message);
                self.note(place, message);
                return;
            }
        };
        for (key, value) in keys {
            let at = |line: &str| {
                let word = line.trim_start_matches(['"', '\'']);
                word.get(..key.len()).is_some_and(|word| word.eq_ignore_ascii_case(&key))
            };
            let line = first + text.lines().position(at).unwrap_or(0);
            self.add(&key, &strings(&value), line);
        }
    }

    /// Adds the values of a key; unknown keys are ignored.
    fn add(&mut self, key: &str, values: &[String], line: usize) {
        let values = values.iter().map(|value| value.trim()).filter(|value| !value.is_empty());
        let key = key.trim().to_ascii_lowercase().replace(['-', '_'], " ");
        match key.as_str() {
            "status" if self.status.is_empty() => {
                self.status.extend(values.map(|value| (value.to_owned(), line)));
            }
            "date" if self.date.is_none() => {
                self.date = values.map(|value| (value.to_owned(), line)).next();
            }
            "deciders" | "decision makers" | "decision maker" if self.deciders.is_empty() => {
                let split = values.flat_map(|value| value.split([',', ';']));
                let names = split.map(|name| cut(&plain_text(name), TITLE));
                let names = names.filter(|name| !name.is_empty() && !name.starts_with(['{', '[']));
                self.deciders.extend(names.take(PEOPLE));
            }
            "superseded by" | "superceded by" | "supersedes" | "supercedes" | "replaced by"
            | "replaces" => {
                let named = values.map(|value| (format!("{key} {value}"), line));
                self.references.extend(named.take(PEOPLE));
            }
            _ => {}
        }
    }

    fn note(&mut self, place: (usize, usize), message: String) {
        let code = ProblemCode::ValueUnreadable;
        self.problems.push(Problem::new(Severity::Note, code, place, message));
    }
}

/// Returns the words of a value of front matter.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(all) => all.iter().take(PEOPLE).flat_map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Object(_) => Vec::new(),
    }
}

/// A record with its outline.
struct RecordReader<'t> {
    text: &'t str,
    body: &'t str,
    /// The place of `body` in `text`.
    base: usize,
    /// The place of each line in `text`.
    lines: Vec<usize>,
    outline: MarkdownOutline,
    /// The index of the heading that is the title.
    title: Option<usize>,
}

impl<'t> RecordReader<'t> {
    fn new(text: &'t str, body: &'t str) -> Self {
        let outline = MarkdownOutline::of(body);
        let first = outline.headings.iter().position(|heading| heading.level == 1);
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        Self {
            text,
            body,
            base: text.len() - body.len(),
            lines: std::iter::once(0).chain(ends).collect(),
            title: first.or((!outline.headings.is_empty()).then_some(0)),
            outline,
        }
    }

    /// Returns the number of the line of a place in the body.
    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= self.base + at)
    }

    /// Returns line and column of a place in the body.
    fn place(&self, at: usize) -> (usize, usize) {
        let line = self.line(at);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..self.base + at).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    /// Returns the shown lines of a part of the body that are not empty.
    fn lines_of(&self, place: Range<usize>) -> Vec<Numbered> {
        let first = self.line(place.start);
        let shown = self.outline.shown_text(self.body, place);
        let lines =
            shown.lines().enumerate().map(|(at, line)| (line.trim().to_owned(), first + at));
        lines.filter(|(line, _)| !line.is_empty()).collect()
    }

    /// Returns the text of the first section with one of these titles, without its subsections.
    fn section(&self, titles: &[&str]) -> Option<Range<usize>> {
        let is_it = |title: &str| {
            let title = title.trim().trim_end_matches(':').to_lowercase();
            titles.contains(&title.as_str())
        };
        let index = self.outline.headings.iter().position(|heading| is_it(&heading.title))?;
        // The title of a record may be the word `Decision`.
        (Some(index) != self.title).then(|| self.outline.text_below(index, self.body))
    }

    /// Reads the lines between the title and the first section: `* Status: accepted` (MADR 2), `Date: 2024-03-12`.
    fn add_list(&self, facts: &mut Facts) {
        let place = match self.title {
            Some(title) => self.outline.text_below(title, self.body),
            None => 0..self.body.len(),
        };
        for (line, number) in self.lines_of(place).into_iter().take(FACTS) {
            let bare = line.trim_start_matches(['*', '-', '+', '_', '>', ' ']);
            let Some((key, value)) = bare.split_once(':') else {
                if !status::references(bare, number).is_empty() {
                    facts.references.push((bare.to_owned(), number));
                }
                continue;
            };
            let value = value.trim_start_matches(['*', '_', ' ']);
            facts.add(key.trim_end_matches(['*', '_', ' ']), &[value.to_owned()], number);
        }
    }

    /// Reads the sections `Status`, `Date` and `Deciders`, and the references in `Links` and `More Information`.
    fn add_sections(&self, facts: &mut Facts) {
        let lines = |titles: &[&str]| {
            self.section(titles).map(|place| self.lines_of(place)).unwrap_or_default()
        };
        if facts.status.is_empty() {
            facts.status = lines(&["status"]);
            facts.status.truncate(FACTS);
        }
        if let Some((value, line)) = lines(&["date"]).into_iter().next() {
            facts.add("date", &[value], line);
        }
        let people: Vec<String> = lines(&["deciders", "decision makers", "decision-makers"])
            .into_iter()
            .map(|(line, _)| line.trim_start_matches(['*', '-', '+', ' ']).to_owned())
            .collect();
        facts.add("deciders", &people, 0);
        for titles in [&["links"][..], &["more information"]] {
            facts.references.extend(lines(titles).into_iter().take(FACTS));
        }
    }

    fn record(&self, facts: Facts, name: RecordName) -> Record {
        let Facts { status, date, deciders, references, mut problems } = facts;
        let heading = self.title.map(|index| &self.outline.headings[index]);
        let written = heading.map(|heading| plain_text(&heading.title)).unwrap_or_default();
        let title = cut(without_number(&written, name.number), TITLE);
        let section = self.section(&["decision outcome", "decision", "the decision"]);
        let below = section.clone().unwrap_or(0..0);
        let shown = self.outline.shown_text(self.body, below.clone());
        let decision = sentence(&shown).unwrap_or_else(|| title.clone());
        let text_lines = match &section {
            Some(place) => {
                // A last line without a line end has no line behind it.
                let cut = place.end == self.body.len() && !self.body.ends_with('\n');
                (self.line(place.start), self.line(place.end) + usize::from(cut))
            }
            None => (0, 0),
        };
        let mut day = None;
        if let Some((value, line)) = &date {
            let value = plain_text(value);
            match read_date(&value) {
                Ok(date) => day = Some(date),
                Err(error) => problems.push(date_problem(&value, *line, error)),
            }
        }
        let first = status.first();
        let read = first.map(|(line, _)| status::status(unlisted(line)));
        if let (Some(read), Some((_, line))) = (&read, first)
            && read.kind == super::StatusKind::Unknown
        {
            let message = format!(
                "the status `{}` is unknown, so this record is not in force; known are accepted, proposed, rejected, \
                 deprecated and superseded",
                visible_line(&read.words)
            );
            let code = ProblemCode::ValueUnreadable;
            problems.push(Problem::new(Severity::Note, code, (*line, 1), message));
        }
        let all = status.iter().chain(&references);
        let links = all.flat_map(|(text, line)| status::references(text, *line)).collect();
        Record {
            title_line: heading.map_or(1, |heading| self.line(heading.place.start)),
            status: read,
            date: day.or(name.date.filter(|_| date.is_none())),
            deciders,
            links,
            files: self.files(),
            chosen: chosen(&shown),
            text: cut_bytes(shown.trim(), TEXT).to_owned(),
            text_lines,
            decision,
            title,
            problems,
        }
    }

    /// Returns the Markdown files that the record links to.
    fn files(&self) -> Vec<LinkedFile> {
        let links = self.outline.links.iter();
        let files = links.filter_map(|(target, at)| {
            let (line, column) = self.place(*at);
            Some(LinkedFile { file: status::file(target)?, line, column })
        });
        files.collect()
    }
}

fn date_problem(value: &str, line: usize, error: DateError) -> Problem {
    let value = visible_line(&cut(value, TITLE));
    let message = match error {
        DateError::Unclear => format!(
            "the date `{value}` has no clear meaning and is ignored; write it as 2024-03-12, 12 March 2024 or \
             March 12, 2024"
        ),
        DateError::Missing => {
            format!("the date `{value}` does not exist and is ignored; write a day of the calendar")
        }
    };
    Problem::new(Severity::Note, ProblemCode::ValueUnreadable, (line, 1), message)
}

/// Removes list marks and emphasis at the beginning of a line.
fn unlisted(line: &str) -> &str {
    line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[')
}

/// Removes the number from a title: `7. Use a queue`, `ADR-0007: Use a queue`.
fn without_number(title: &str, number: Option<u32>) -> &str {
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^\s*\[?(adr)?[-_ #]*([0-9]{1,6})\]?\s*([.:]|[-–—])\s*(\S.*)$")
    });
    let found = NUMBERED.captures(title);
    let rest = found.and_then(|found| {
        let is_own = found[2].parse().ok() == number;
        let is_sure = found.get(1).is_some() || is_own || &found[3] == ".";
        found.get(4).filter(|_| is_sure).map(|rest| rest.as_str())
    });
    rest.unwrap_or(title).trim()
}

/// Returns the first paragraph of a section in one line; also the next one, if the first ends with `because` or a
/// colon, because a list with the reasons or the parts follows.
fn sentence(section: &str) -> Option<String> {
    let unmarked = |line: &'_ str| line.trim().trim_start_matches("- ").to_owned();
    let mut lines = section.lines().map(unmarked);
    let mut paragraph = || {
        let first = lines.by_ref().find(|line| !line.is_empty())?;
        let rest = lines.by_ref().take_while(|line| !line.is_empty()).take(FACTS);
        Some(plain_text(&std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" ")))
    };
    let mut text = paragraph()?;
    if text.ends_with("because") || text.ends_with(':') {
        text = paragraph().map_or(text.clone(), |next| format!("{text} {next}"));
    }
    (!text.is_empty()).then(|| cut(&text, SENTENCE))
}

/// Returns the option in MADR's sentence `Chosen option: "..", because ..`.
fn chosen(section: &str) -> Option<String> {
    static CHOSEN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"(?im)^\W*chosen option:\W*?["“”'`]\s*(.+?)\s*["“”'`](?:\W|$)"#)
    });
    let found = CHOSEN.captures(section)?;
    let text = cut(plain_text(&found[1]).trim_end_matches([',', '.', ' ']), TITLE);
    (!text.is_empty()).then_some(text)
}

/// Cuts a line to at most `most` characters.
pub(super) fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

/// Cuts a text to at most `most` bytes.
fn cut_bytes(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The parts of a text by their places in it.
#[derive(Clone, Debug, Default)]
pub(super) struct MarkdownOutline {
    /// The headings in order.
    pub(super) headings: Vec<Heading>,
    /// The targets of links with their places.
    pub(super) links: Vec<(String, usize)>,
    /// The HTML comments, which are not shown.
    comments: Vec<Range<usize>>,
}

/// A heading.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    /// 1 to 6.
    pub(super) level: usize,
    /// Its text without marks.
    pub(super) title: String,
    /// Its bytes.
    pub(super) place: Range<usize>,
}

impl MarkdownOutline {
    /// Reads a text in one pass.
    pub(super) fn of(text: &str) -> Self {
        let mut outline = Self::default();
        let mut heading: Option<Heading> = None;
        // Headings in quotes and lists belong to an example, not to the record.
        let mut depth = 0_usize;
        for (event, place) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => depth += 1,
                Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => depth -= 1,
                Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                    heading = Some(Heading { level: number(level), title: String::new(), place });
                }
                Event::End(TagEnd::Heading(_)) => outline.headings.extend(heading.take()),
                Event::Text(part) | Event::Code(part) => {
                    heading.iter_mut().for_each(|heading| heading.title.push_str(&part));
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    outline.links.push((dest_url.into_string(), place.start));
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    let opens = html.trim_start().starts_with("<!--");
                    match outline.comments.last_mut() {
                        // A comment of several lines comes line by line.
                        Some(last) if !opens && is_open(text, last) => last.end = place.end,
                        _ if opens => outline.comments.push(place),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        outline
    }

    /// Returns a part of the text without its comments.
    pub(super) fn shown_text(&self, text: &str, place: Range<usize>) -> String {
        let first = self.comments.partition_point(|comment| comment.end <= place.start);
        let (mut shown, mut from) = (String::new(), place.start);
        for comment in self.comments[first..].iter().take_while(|it| it.start < place.end) {
            shown.push_str(text.get(from..comment.start.max(from)).unwrap_or_default());
            // Lines keep their numbers.
            let hidden = text.get(comment.start.max(from)..comment.end.min(place.end));
            let lines = memchr::memchr_iter(b'\n', hidden.unwrap_or_default().as_bytes()).count();
            shown.extend(std::iter::repeat_n('\n', lines));
            from = comment.end.min(place.end).max(from);
        }
        shown.push_str(text.get(from..place.end).unwrap_or_default());
        shown
    }

    /// Returns the bytes between a heading and the next one.
    pub(super) fn text_below(&self, index: usize, text: &str) -> Range<usize> {
        let start = self.headings[index].place.end;
        let end = self.headings.get(index + 1).map_or(text.len(), |next| next.place.start);
        start..end.max(start)
    }
}

/// Returns true if a comment did not end yet.
fn is_open(text: &str, comment: &Range<usize>) -> bool {
    !text.get(comment.clone()).unwrap_or_default().trim_end().ends_with("-->")
}

/// Returns 1 to 6.
fn number(level: HeadingLevel) -> usize {
    level as usize
}
