//! Text on the screen: invisible characters are made visible, and widths are counted in columns.

use std::borrow::Cow;

use anstyle::{AnsiColor, Color as From, Effects};
use discussions::view::{visible, visible_line};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The mark at the end of a text that was cut.
const CUT: char = '…';

/// Converts a line from the command line's output.
pub(super) fn line(line: &crate::cli::line::Line) -> Line<'static> {
    let spans = line.pieces().map(|(look, text)| Span::styled(text.into_owned(), style(look)));
    Line::from(spans.collect::<Vec<_>>())
}

/// Returns a text as one line.
pub(super) fn plain(text: &str) -> Line<'static> {
    Line::raw(visible_line(text))
}

/// Returns the text of a line without its styles.
pub(super) fn words(line: &Line<'_>) -> String {
    line.spans.iter().map(|span| span.content.as_ref()).collect()
}

/// Converts a style from the command line's output.
pub(super) fn style(look: anstyle::Style) -> Style {
    let mut style = Style::new();
    style.fg = look.get_fg_color().map(colour);
    let effects = look.get_effects();
    for (effect, modifier) in [
        (Effects::BOLD, Modifier::BOLD),
        (Effects::DIMMED, Modifier::DIM),
        (Effects::ITALIC, Modifier::ITALIC),
        (Effects::UNDERLINE, Modifier::UNDERLINED),
        (Effects::STRIKETHROUGH, Modifier::CROSSED_OUT),
    ] {
        if effects.contains(effect) {
            style = style.add_modifier(modifier);
        }
    }
    style
}

/// Returns the style of one of the sixteen colours.
pub(super) fn ansi(colour: AnsiColor) -> Style {
    style(colour.on_default())
}

/// The style for less important text.
pub(super) fn faint() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// The style for the most important text.
pub(super) fn strong() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// The style of the selected row.
pub(super) fn chosen() -> Style {
    Style::new().add_modifier(Modifier::REVERSED)
}

fn colour(colour: From) -> Color {
    match colour {
        From::Ansi(colour) => match colour {
            AnsiColor::Black => Color::Black,
            AnsiColor::Red => Color::Red,
            AnsiColor::Green => Color::Green,
            AnsiColor::Yellow => Color::Yellow,
            AnsiColor::Blue => Color::Blue,
            AnsiColor::Magenta => Color::Magenta,
            AnsiColor::Cyan => Color::Cyan,
            AnsiColor::White => Color::Gray,
            _ => Color::Reset,
        },
        From::Ansi256(colour) => Color::Indexed(colour.0),
        From::Rgb(colour) => Color::Rgb(colour.0, colour.1, colour.2),
    }
}

/// Fits a text into exactly this many columns: cuts it, or fills it up with blanks.
pub(super) fn fit(text: &str, columns: usize) -> String {
    let mut text = cut(text, columns);
    let used = text.width();
    text.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    text
}

/// Cuts a text to at most this many columns, on one line.
pub(super) fn cut(text: &str, columns: usize) -> String {
    // Only the beginning can fit. Twice as many characters as columns leave room for characters without width.
    let near =
        text.char_indices().nth(columns.saturating_mul(2) + 2).map_or(text, |(at, _)| &text[..at]);
    let shown = visible_line(near);
    if near.len() == text.len() && shown.width() <= columns {
        return shown;
    }
    let (mut kept, mut used) = (String::new(), 0);
    for c in shown.chars() {
        let width = c.width().unwrap_or(0);
        if used + width + 1 > columns {
            break;
        }
        used += width;
        kept.push(c);
    }
    if columns > 0 {
        kept.push(CUT);
    }
    kept
}

/// Wraps a line into as many rows as it needs. A word or line of code that is too long continues below, with the
/// indentation of its beginning.
pub(super) fn fold(line: Line<'static>, columns: usize) -> Vec<Line<'static>> {
    if line.width() <= columns || columns == 0 {
        return vec![line];
    }
    let words = words(&line);
    let begun = words.len() - words.trim_start_matches(' ').len();
    let indent = if begun * 2 > columns { 0 } else { begun };
    let (mut rows, mut row, mut used) = (Vec::new(), Line::default(), 0);
    for piece in line.styled_graphemes(Style::default()) {
        let wide = piece.symbol.width();
        if used + wide > columns && used > indent {
            rows.push(std::mem::take(&mut row));
            row.spans.extend((indent > 0).then(|| Span::raw(" ".repeat(indent))));
            used = indent;
        }
        used += wide;
        match row.spans.last_mut().filter(|span| span.style == piece.style) {
            Some(span) => span.content.to_mut().push_str(piece.symbol),
            None => row.spans.push(Span::styled(piece.symbol.to_owned(), piece.style)),
        }
    }
    rows.push(row);
    rows
}

/// Wraps a text into lines of at most this many columns. Line breaks of the text are kept.
pub(super) fn flow(text: &str, columns: usize) -> Vec<Line<'static>> {
    let none = crate::cli::line::Line::default();
    let lines = visible(text);
    let lines = lines
        .lines()
        .flat_map(|one| crate::cli::line::Line::from(one).flow(columns.max(1), &none, &none));
    lines.flat_map(|one| fold(line(&one), columns)).collect()
}

/// Writes lines into an area, one per row.
pub(super) fn rows<'l>(buffer: &mut Buffer, area: Rect, lines: impl IntoIterator<Item = Line<'l>>) {
    for (line, y) in lines.into_iter().zip(area.top()..area.bottom()) {
        put(buffer, area.x, y, &line, area.width);
    }
}

/// Writes a line at a position, if the position is on the screen.
pub(super) fn put(buffer: &mut Buffer, x: u16, y: u16, line: &Line<'_>, width: u16) {
    if buffer.area.contains((x, y).into()) {
        buffer.set_line(x, y, line, width);
    }
}

/// Makes the buffer safe: replaces characters that could control the terminal, and removes colours if the user wants
/// none.
pub(super) fn last_look(buffer: &mut Buffer, plain: bool) {
    for cell in &mut buffer.content {
        if plain {
            (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        }
        let symbol = cell.symbol();
        let is_plain = matches!(symbol.as_bytes(), [b' '..=b'~']);
        if !is_plain && matches!(visible(symbol), Cow::Owned(_)) {
            cell.set_symbol("?");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_fills_exactly_its_columns() {
        assert_eq!(fit("四五六", 8), "四五六  ");
        assert_eq!(fit("四五六", 5), "四五…");
        assert_eq!(fit("四五六", 4), "四… ");
        assert_eq!(fit("a\u{1b}[31mb\nc", 40).trim_end(), "a⟨U+001B⟩[31mb⟨U+000A⟩c");
        assert_eq!([cut("abc", 0), cut("abc", 1), cut("abc", 3)], ["", "…", "abc"]);
    }

    #[test]
    fn long_text_wraps_to_the_next_rows() {
        let folded = |text: &str, columns| {
            let rows = fold(Line::raw(text.to_owned()), columns);
            assert!(rows.iter().all(|row| row.width() <= columns), "{rows:?}");
            rows.iter().map(words).collect::<Vec<_>>()
        };
        assert_eq!(folded("  https://example.org", 10), ["  https://", "  example.", "  org"]);
        assert_eq!(folded("a四五六", 4), ["a四", "五六"]);
        assert_eq!(folded("        abcd", 9), ["        a", "bcd"]);
        assert_eq!(folded("abc", 3), ["abc"]);
        let styled = Line::from(vec![Span::styled("ab", strong()), Span::raw("cd")]);
        let rows = fold(styled, 3);
        assert_eq!(rows[0].spans[0].style, strong());
        assert_eq!(rows[1], Line::from(vec![Span::raw("d")]));
    }

    #[test]
    fn cut_does_not_scan_a_long_text() {
        let long = "x".repeat(10_000_000);
        assert_eq!(cut(&long, 4), "xxx…");
    }
}
