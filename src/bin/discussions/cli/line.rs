//! Text in pieces, each with its style, and how it flows into columns.
//!
//! Every character is made visible before it is styled: no escape code of a file or a model reaches a terminal.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use discussions::transcript::visible;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Joins two characters into one.
const JOINER: char = '\u{200D}';

/// Marks that no line begins with.
const CLOSING: &str = "、。，．・：；？！」』）】〉》〕ーっゃゅょッャュョ";

/// One or more lines of text in pieces, each with its style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line(Vec<(Style, String)>);

impl Line {
    /// Adds plain text.
    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        self.styled(Style::new(), text)
    }

    /// Adds what matters most.
    pub(crate) fn strong(self, text: impl Into<String>) -> Self {
        self.styled(Style::new().bold(), text)
    }

    /// Adds what matters least.
    pub(crate) fn faint(self, text: impl Into<String>) -> Self {
        self.styled(Style::new().dimmed(), text)
    }

    /// Adds text in a colour.
    pub(crate) fn colour(self, colour: AnsiColor, text: impl Into<String>) -> Self {
        self.styled(colour.on_default(), text)
    }

    /// Something that may not be what was meant.
    pub(crate) fn warning(text: impl Into<String>) -> Self {
        Self::default().colour(AnsiColor::Yellow, "warning").text(": ").text(text)
    }

    /// Something worth knowing, or what one can do now, behind a word that says which.
    pub(crate) fn hint(word: &str, text: impl Into<String>) -> Self {
        Self::default().colour(AnsiColor::Cyan, word).text(": ").text(text)
    }

    /// Adds text in a style.
    pub(crate) fn styled(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text.into());
        self
    }

    /// Adds another line's pieces.
    pub(crate) fn then(mut self, other: Self) -> Self {
        other.0.into_iter().for_each(|(style, text)| self.push(style, text));
        self
    }

    /// Adds text in a style.
    pub(crate) fn push(&mut self, style: Style, text: String) {
        match self.0.last_mut() {
            Some((last, known)) if *last == style => known.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push((style, text)),
        }
    }

    /// The same with everything in bold.
    pub(crate) fn in_bold(self) -> Self {
        Self(self.0.into_iter().map(|(style, text)| (style.bold(), text)).collect())
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Columns that it takes on one line.
    pub(crate) fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| visible(text).width()).sum()
    }

    /// Columns of the longest part that is not broken.
    pub(crate) fn narrowest(&self) -> usize {
        let words = words(self).into_iter().flat_map(|word| word.parts());
        words.map(|part| part.width).max().unwrap_or(0)
    }

    /// Its pieces, their characters made visible, each with its style.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Style, Cow<'_, str>)> {
        self.0.iter().map(|(style, text)| (*style, visible(text)))
    }

    /// What a terminal is sent.
    pub(crate) fn render(&self) -> String {
        let mut out = String::new();
        for (style, text) in &self.0 {
            out.push_str(&format!("{style}{}{style:#}", visible(text)));
        }
        out
    }

    /// Breaks it between words where there are so many columns; the first line begins with `first`, others with
    /// `later`. A word is broken only where it takes more than a line and its script allows that.
    pub(crate) fn flow(&self, columns: usize, first: &Self, later: &Self) -> Vec<Self> {
        let (mut lines, mut line) = (Vec::new(), first.clone());
        let (mut used, mut begun) = (first.width(), false);
        let room = columns.saturating_sub(later.width());
        for word in words(self) {
            if word.breaks {
                lines.push(std::mem::replace(&mut line, later.clone()).trimmed());
                (used, begun) = (later.width(), false);
            }
            let parts = if word.width > room { word.parts() } else { vec![word] };
            for part in parts {
                if begun && used + part.before.width() + part.width > columns {
                    lines.push(std::mem::replace(&mut line, later.clone()).trimmed());
                    (used, begun) = (later.width(), false);
                } else if begun || !part.before.is_empty() {
                    used += part.before.width();
                    line = line.then(part.before);
                }
                used += part.width;
                begun |= part.width > 0;
                line = line.then(part.text);
            }
        }
        lines.push(line.trimmed());
        lines
    }

    fn trimmed(mut self) -> Self {
        while let Some((style, text)) = self.0.pop() {
            let kept = text.trim_end();
            if !kept.is_empty() {
                self.0.push((style, kept.to_owned()));
                break;
            }
        }
        self
    }
}

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Self {
        Self::default().text(text)
    }
}

/// What stands between two blanks.
#[derive(Default)]
struct Word {
    /// A line ends before it.
    breaks: bool,
    /// The blanks before it.
    before: Line,
    text: Line,
    width: usize,
}

impl Word {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.before.is_empty() && !self.breaks
    }

    /// Where lines may be broken within it: between wide characters, which are words of their own.
    fn parts(self) -> Vec<Self> {
        let mut parts: Vec<Self> = Vec::new();
        let mut last: Option<char> = None;
        for (style, text) in self.text.0 {
            for c in text.chars() {
                let is_wide = |c: char| c.width() == Some(2);
                let may_break = last.is_none_or(|last| {
                    (is_wide(c) || is_wide(last) && c.width() != Some(0))
                        && last != JOINER
                        && !CLOSING.contains(c)
                });
                if may_break || parts.is_empty() {
                    parts.push(Self::default());
                }
                if let Some(part) = parts.last_mut() {
                    part.width += c.width().unwrap_or(0);
                    part.text.push(style, c.into());
                }
                last = Some(c);
            }
        }
        if let Some(first) = parts.first_mut() {
            (first.before, first.breaks) = (self.before, self.breaks);
        }
        parts
    }
}

fn words(line: &Line) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word = Word::default();
    for (style, text) in &line.0 {
        for c in visible(text).chars() {
            if matches!(c, ' ' | '\n') {
                if !word.text.is_empty() || c == '\n' && !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                match c {
                    ' ' => word.before.push(*style, c.into()),
                    _ => word.breaks = true,
                }
            } else {
                word.text.push(*style, c.into());
            }
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    for word in &mut words {
        word.width = word.text.width();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flowed(text: &str, columns: usize) -> Vec<String> {
        let lines = Line::from(text).flow(columns, &"- ".into(), &"  ".into());
        lines.iter().map(Line::render).collect()
    }

    #[test]
    fn lines_break_between_words_and_never_in_them() {
        assert_eq!(flowed("one two  three", 9), ["- one two", "  three"]);
        assert_eq!(flowed("a https://example.org b", 8), ["- a", "  https://example.org", "  b"]);
        assert_eq!(flowed("one\ntwo", 40), ["- one", "  two"]);
        assert_eq!(flowed("", 40), ["-"]);
    }

    #[test]
    fn wide_characters_count_twice_and_break_where_they_are_more_than_a_line() {
        assert_eq!(flowed("四五 六七", 8), ["- 四五", "  六七"]);
        assert_eq!(flowed("四五六七。八", 10), ["- 四五六", "  七。八"]);
        assert_eq!(Line::from("四五六").width(), 6);
        assert_eq!(Line::from("四五 abc").narrowest(), 3);
    }
}
