//! Styled text, and its flow into columns.
//!
//! Every character is made visible before it is styled, so that no escape code of a file or a model reaches a terminal.

use anstyle::{AnsiColor, Style};
use discussions::view::visible;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The zero-width joiner, which joins two characters into one.
const JOINER: char = '\u{200D}';

/// The minimum number of blanks that separate unrelated parts of a line.
const GAP: usize = 4;

/// Punctuation that must not begin a line.
const CLOSING: &str = "、。，．・：；？！」』）】〉》〕ーっゃゅょッャュョ";

/// One or more lines of text in pieces, each with its style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line(Vec<LinePiece>);

/// A text in one style.
#[derive(Clone, Debug, Default, PartialEq)]
struct LinePiece {
    style: Style,
    text: String,
    /// The text is copied as a whole, so no line break may divide it.
    whole: bool,
}

impl Line {
    /// Adds plain text.
    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        self.styled(Style::new(), text)
    }

    /// Adds the most important text.
    pub(crate) fn strong(self, text: impl Into<String>) -> Self {
        self.styled(Style::new().bold(), text)
    }

    /// Adds the least important text.
    pub(crate) fn faint(self, text: impl Into<String>) -> Self {
        self.styled(Style::new().dimmed(), text)
    }

    /// Adds text in a colour.
    pub(crate) fn colour(self, colour: AnsiColor, text: impl Into<String>) -> Self {
        self.styled(colour.on_default(), text)
    }

    /// Returns a warning.
    pub(crate) fn warning(text: impl Into<String>) -> Self {
        Self::default()
            .colour(AnsiColor::Yellow, "warning")
            .text(": ")
            .then(Self::with_commands(text))
    }

    /// Returns a line of a diff: added text is green, removed text is red.
    pub(crate) fn of_diff(line: &str) -> Self {
        match line.as_bytes().first() {
            Some(b'+') => Self::default().colour(AnsiColor::Green, line),
            Some(b'-') => Self::default().colour(AnsiColor::Red, line),
            _ => Self::from(line),
        }
    }

    /// Returns a note or a next step after a word that names its kind.
    pub(crate) fn hint(word: &str, line: impl Into<Self>) -> Self {
        Self::default().colour(AnsiColor::Cyan, word).text(": ").then(line.into())
    }

    /// Returns a text in which commands of this program, between backticks, stay on one line each.
    pub(crate) fn with_commands(text: impl Into<String>) -> Self {
        let text = text.into();
        let mut line = Self::default();
        // Parts at odd positions are between two backticks, unless the last backtick has no partner.
        let parts: Vec<&str> = text.split('`').collect();
        for (at, part) in parts.iter().enumerate() {
            let is_quoted = at % 2 == 1 && at + 1 < parts.len();
            if is_quoted && part.starts_with("discussions ") {
                line = line.text("").whole(format!("`{part}`"));
            } else if at % 2 == 1 {
                line = line.text(format!("`{part}{}", if is_quoted { "`" } else { "" }));
            } else {
                line = line.text(*part);
            }
        }
        line
    }

    /// Adds a command in which no line may break, so that the user copies the whole of it.
    pub(crate) fn whole(mut self, text: impl Into<String>) -> Self {
        self.0.push(LinePiece { text: text.into(), whole: true, ..LinePiece::default() });
        self
    }

    /// Splits it into its lines.
    pub(crate) fn lines(self) -> Vec<Self> {
        let mut lines = vec![Self::default()];
        for LinePiece { style, text, whole } in self.0 {
            for (nth, text) in text.split('\n').enumerate() {
                if nth > 0 {
                    lines.push(Self::default());
                }
                if let Some(line) = lines.last_mut().filter(|_| !text.is_empty()) {
                    line.0.push(LinePiece { style, text: text.to_owned(), whole });
                }
            }
        }
        lines
    }

    /// Returns the text without styles.
    pub(crate) fn plain(&self) -> String {
        self.0.iter().map(|piece| visible(&piece.text)).collect()
    }

    /// Adds text in a style.
    pub(crate) fn styled(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text.into());
        self
    }

    /// Adds the pieces of another line.
    pub(crate) fn then(mut self, other: Self) -> Self {
        for piece in other.0 {
            if piece.whole { self.0.push(piece) } else { self.push(piece.style, piece.text) }
        }
        self
    }

    /// Adds text in a style.
    pub(crate) fn push(&mut self, style: Style, text: String) {
        match self.0.last_mut() {
            Some(last) if last.style == style && !last.whole => last.text.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push(LinePiece { style, text, whole: false }),
        }
    }

    /// Returns the line in bold.
    pub(crate) fn in_bold(self) -> Self {
        let bold = |piece: LinePiece| LinePiece { style: piece.style.bold(), ..piece };
        Self(self.0.into_iter().map(bold).collect())
    }

    /// Returns true if the line has no text.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of columns that the text takes on one line.
    pub(crate) fn width(&self) -> usize {
        self.0.iter().map(|piece| visible(&piece.text).width()).sum()
    }

    /// Returns the number of columns of the longest part that cannot be broken.
    pub(crate) fn narrowest(&self) -> usize {
        let words = words(self).into_iter().flat_map(|word| word.parts());
        words.map(|part| part.width).max().unwrap_or(0)
    }

    /// Returns the pieces with their styles, all characters made visible.
    #[cfg(feature = "ui")]
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Style, std::borrow::Cow<'_, str>)> {
        self.0.iter().map(|piece| (piece.style, visible(&piece.text)))
    }

    /// Returns the text with the codes for a terminal.
    pub(crate) fn render(&self) -> String {
        let mut out = String::new();
        for LinePiece { style, text, .. } in &self.0 {
            out.push_str(&format!("{style}{}{style:#}", visible(text)));
        }
        out
    }

    /// Breaks the text between words to fit into `columns`. The first line begins with `first`, the others with
    /// `later`. A word is broken only if it is longer than a line and its script allows it. A part behind a gap moves
    /// to the next line as a whole if it does not fit.
    pub(crate) fn flow(&self, columns: usize, first: &Self, later: &Self) -> Vec<Self> {
        let (mut lines, mut line) = (Vec::new(), first.clone());
        let (mut used, mut begun) = (first.width(), false);
        let room = columns.saturating_sub(later.width());
        let words = words(self);
        let behind = behind_gaps(&words);
        for (word, behind) in words.into_iter().zip(behind) {
            let is_apart = behind.is_some_and(|wide| begun && used + wide > columns);
            if word.breaks || is_apart {
                lines.push(std::mem::replace(&mut line, later.clone()).trimmed());
                (used, begun) = (later.width(), false);
            }
            let word = if is_apart { LineWord { before: Line::default(), ..word } } else { word };
            let is_too_wide = word.width > room && !word.text.0.iter().any(|piece| piece.whole);
            let parts = if is_too_wide { word.parts() } else { vec![word] };
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
        while let Some(piece) = self.0.pop() {
            let text = piece.text.trim_end().to_owned();
            if !text.is_empty() {
                self.0.push(LinePiece { text, ..piece });
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

/// A word: the text between two blanks.
#[derive(Default)]
struct LineWord {
    /// A line break before it.
    breaks: bool,
    /// The blanks before it.
    before: Line,
    text: Line,
    width: usize,
}

impl LineWord {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.before.is_empty() && !self.breaks
    }

    /// Splits the word where a line may break: between wide characters, each of which counts as a word.
    fn parts(self) -> Vec<Self> {
        let mut parts: Vec<Self> = Vec::new();
        let mut last: Option<char> = None;
        for LinePiece { style, text, .. } in self.text.0 {
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

/// Returns for each word behind a gap the width of the text up to the next gap or line end.
fn behind_gaps(words: &[LineWord]) -> Vec<Option<usize>> {
    let mut behind = vec![None; words.len()];
    let mut wide = 0;
    for (at, word) in words.iter().enumerate().rev() {
        wide += word.before.width() + word.width;
        let is_gap = word.before.width() >= GAP;
        if is_gap {
            behind[at] = Some(wide);
        }
        if is_gap || word.breaks {
            wide = 0;
        }
    }
    behind
}

fn words(line: &Line) -> Vec<LineWord> {
    let mut words = Vec::new();
    let mut word = LineWord::default();
    for LinePiece { style, text, whole } in &line.0 {
        if *whole {
            word.text.0.push(LinePiece { style: *style, text: text.clone(), whole: true });
            continue;
        }
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
    fn lines_break_only_between_words() {
        assert_eq!(flowed("one two  three", 9), ["- one two", "  three"]);
        assert_eq!(flowed("a https://example.org b", 8), ["- a", "  https://example.org", "  b"]);
        assert_eq!(flowed("one\ntwo", 40), ["- one", "  two"]);
        assert_eq!(flowed("", 40), ["-"]);
    }

    #[test]
    fn commands_are_not_broken() {
        let line =
            Line::with_commands("`discussions run a` goes on, `or not` so `discussions show");
        let flowed = line.flow(20, &"- ".into(), &"  ".into());
        let flowed: Vec<String> = flowed.iter().map(Line::render).collect();
        assert_eq!(
            flowed,
            ["- `discussions run a`", "  goes on, `or not`", "  so `discussions", "  show"]
        );
        assert_eq!(line.plain(), "`discussions run a` goes on, `or not` so `discussions show");
    }

    #[test]
    fn text_after_a_gap_stays_together() {
        assert_eq!(flowed("run a    (why so)", 14), ["- run a", "  (why so)"]);
        assert_eq!(flowed("run a    (why so)", 40), ["- run a    (why so)"]);
    }

    #[test]
    fn wide_characters_count_as_two_and_break_if_needed() {
        assert_eq!(flowed("四五 六七", 8), ["- 四五", "  六七"]);
        assert_eq!(flowed("四五六七。八", 10), ["- 四五六", "  七。八"]);
        assert_eq!(Line::from("四五六").width(), 6);
        assert_eq!(Line::from("四五 abc").narrowest(), 3);
    }
}
