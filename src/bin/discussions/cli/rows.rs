//! Tables that fit a terminal: on a narrow one columns are dropped, but words and names are never broken.

use dialoguer::console::measure_text_width;

use crate::cli::line::Line;

/// The number of blanks between columns.
const GAP: usize = 2;
/// The minimum width of a column of words; a narrower one is dropped.
const NARROW: usize = 10;
/// The minimum width of a column that shows its whole text in several lines.
const FLOWING: usize = 30;

/// The treatment of a column if space is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnKind {
    /// It keeps its width, or is dropped.
    Whole,
    /// It is first cut between words, then dropped.
    Cut,
    /// It is never dropped, and takes as many lines as it needs.
    Flowing,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    heading: &'static str,
    /// The order in which columns are dropped: the highest first; 0 means never.
    spare: u8,
    /// The maximum width in columns of the terminal.
    most: usize,
    kind: ColumnKind,
}

impl Column {
    /// Returns a column that is never dropped or cut: for names, and for words of the program.
    pub(crate) const fn fixed(heading: &'static str) -> Self {
        Self::whole(heading, 0)
    }

    /// Returns a column that is never cut. A column with a higher `spare` is dropped earlier.
    pub(crate) const fn whole(heading: &'static str, spare: u8) -> Self {
        Self { heading, spare, most: usize::MAX, kind: ColumnKind::Whole }
    }

    /// Returns true if the column has a heading.
    pub(crate) fn is_headed(&self) -> bool {
        !self.heading.is_empty()
    }

    /// Returns a column of words, cut to the words that fit. A column with a higher `spare` is dropped earlier.
    pub(crate) const fn words(heading: &'static str, spare: u8, most: usize) -> Self {
        Self { heading, spare, most, kind: ColumnKind::Cut }
    }

    /// Returns a column that shows its whole text in several lines, or below the row if even that does not fit.
    pub(crate) const fn flowing(heading: &'static str) -> Self {
        Self { heading, spare: 0, most: usize::MAX, kind: ColumnKind::Flowing }
    }
}

/// A column that is shown.
struct KeptColumn {
    index: usize,
    wide: usize,
    /// The width of its text.
    natural: usize,
    /// The minimum width before it is dropped.
    least: usize,
    column: Column,
}

/// Returns the lines of a table, the heading first. The first column contains names, which are never cut: a name that
/// is too long gets its own line. Without a width, nothing is dropped or cut.
pub(crate) fn lay_out(
    columns: &[Column],
    rows: &[Vec<String>],
    width: Option<usize>,
) -> Vec<String> {
    let mut kept = all(columns, rows);
    let mut below = Vec::new();
    if let Some(width) = width {
        kept[0].wide = names(rows, columns[0].heading, width);
        below = fit(&mut kept, width);
    }
    let heading: Vec<String> = columns.iter().map(|column| column.heading.to_owned()).collect();
    let mut lines = Vec::with_capacity(rows.len() + 1);
    for (nth, row) in std::iter::once(&heading).chain(rows).enumerate() {
        lines.extend(row_lines(&kept, row, width.is_some()));
        for index in below.iter().filter(|_| nth > 0) {
            let indent = Line::from(" ".repeat(GAP));
            let columns = width.unwrap_or(usize::MAX);
            let cell = Line::from(row[*index].as_str());
            lines.extend(cell.flow(columns, &indent, &indent).iter().map(Line::plain));
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// Returns every column that is not empty, with the width of its text.
fn all(columns: &[Column], rows: &[Vec<String>]) -> Vec<KeptColumn> {
    let says =
        |index: usize| columns[index].spare == 0 || rows.iter().any(|row| !row[index].is_empty());
    let kept = |index: usize| {
        let column = columns[index];
        let cells = || rows.iter().map(|row| row[index].as_str());
        let heading = measure_text_width(column.heading);
        let wide = cells().map(measure_text_width).max().unwrap_or(0).max(heading);
        let least = match column.kind {
            ColumnKind::Whole => wide,
            ColumnKind::Cut => cells().map(least).max().unwrap_or(0).max(NARROW).min(column.most),
            ColumnKind::Flowing => cells().map(unbroken).max().unwrap_or(0).max(FLOWING),
        };
        KeptColumn { index, wide, natural: wide, least, column }
    };
    (0..columns.len()).filter(|index| says(*index)).map(kept).collect()
}

/// Makes columns fit: shrinks them, then drops them. Returns the dropped columns, to be shown below the
/// row.
fn fit(kept: &mut Vec<KeptColumn>, width: usize) -> Vec<usize> {
    for one in kept.iter_mut().skip(1) {
        one.wide = one.wide.min(one.column.most);
    }
    let mut below = Vec::new();
    loop {
        let over = total(kept).saturating_sub(width);
        if over == 0 {
            // A column that shrank gets the width of the dropped columns.
            let left = width - total(kept);
            if let Some(one) = kept.iter_mut().find(|one| one.column.kind == ColumnKind::Flowing) {
                one.wide = one.natural.min(one.wide + left);
            }
            return below;
        }
        // Columns that can use more lines shrink first.
        let flowing = kept
            .iter()
            .position(|one| one.column.kind == ColumnKind::Flowing && one.wide > one.least);
        if let Some(at) = flowing {
            kept[at].wide = kept[at].wide.saturating_sub(over).max(kept[at].least);
            continue;
        }
        let spare = |(at, one): (usize, &KeptColumn)| (one.column.spare, at);
        let Some((_, at)) =
            kept.iter().enumerate().map(spare).max().filter(|(spare, _)| *spare > 0)
        else {
            match kept.iter().rposition(|one| one.column.kind == ColumnKind::Flowing) {
                Some(at) if at > 0 => below.push(kept.remove(at).index),
                _ => return below,
            }
            continue;
        };
        let one = &mut kept[at];
        match one.wide.checked_sub(over) {
            Some(left) if left >= one.least && one.column.kind == ColumnKind::Cut => {
                one.wide = left
            }
            _ => drop(kept.remove(at)),
        }
    }
}

/// Returns the lines of one row.
fn row_lines(kept: &[KeptColumn], row: &[String], fits: bool) -> Vec<String> {
    let (mut lines, mut start) = (vec![String::new()], 0);
    let mut first = 0;
    for (at, one) in kept.iter().enumerate() {
        let cell = row[one.index].as_str();
        let parts = match one.column.kind {
            _ if !fits => vec![cell.to_owned()],
            ColumnKind::Flowing => {
                let none = Line::default();
                Line::from(cell).flow(one.wide, &none, &none).iter().map(Line::plain).collect()
            }
            ColumnKind::Cut if at > 0 => vec![whole_words(cell, one.wide)],
            ColumnKind::Cut | ColumnKind::Whole => vec![cell.to_owned()],
        };
        for (nth, part) in parts.iter().enumerate() {
            if lines.len() <= first + nth {
                lines.push(String::new());
            }
            let line = &mut lines[first + nth];
            let missing = start - measure_text_width(line).min(start);
            line.push_str(&" ".repeat(missing));
            line.push_str(part);
        }
        start += one.wide + GAP;
        // A name that is too long gets its own line.
        if at == 0 && measure_text_width(cell) > one.wide {
            first = 1;
            lines.push(String::new());
        }
    }
    lines
}

/// Returns the width of the names: the longest name that leaves enough space for other columns.
fn names(rows: &[Vec<String>], heading: &str, width: usize) -> usize {
    let most = width * 2 / 5;
    let fit = rows.iter().map(|row| measure_text_width(&row[0])).filter(|wide| *wide <= most);
    fit.max().unwrap_or(0).max(measure_text_width(heading))
}

fn total(kept: &[KeptColumn]) -> usize {
    kept.iter().map(|one| one.wide + GAP).sum::<usize>().saturating_sub(GAP)
}

/// Returns the width of the longest part of a cell that cannot be broken.
fn unbroken(cell: &str) -> usize {
    Line::from(cell).narrowest()
}

/// Returns the width of the first word of a cell, with the mark that text was cut. Scripts without blanks between words
/// can be cut anywhere.
fn least(cell: &str) -> usize {
    let word = cell.split(' ').next().unwrap_or_default();
    if word.chars().any(|c| measure_text_width(c.encode_utf8(&mut [0; 4])) > 1) {
        return 0;
    }
    measure_text_width(word) + usize::from(word.len() < cell.len())
}

/// Returns the whole words that fit; if no word fits, as much of the first one as does.
pub(crate) fn whole_words(text: &str, room: usize) -> String {
    if measure_text_width(text) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for word in text.split_inclusive(' ') {
        if measure_text_width(&kept) + measure_text_width(word.trim_end()) + 1 > room {
            break;
        }
        kept.push_str(word);
    }
    if kept.is_empty() {
        for c in text.chars() {
            if measure_text_width(&kept) + measure_text_width(c.encode_utf8(&mut [0; 4])) + 1 > room
            {
                break;
            }
            kept.push(c);
        }
    }
    format!("{}…", kept.trim_end().trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 4] = [
        Column::fixed("NAME"),
        Column::words("TITLE", 2, 60),
        Column::fixed("STATUS"),
        Column::words("OUTCOME", 1, 60),
    ];

    fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
        cells.map(str::to_owned).to_vec()
    }

    fn rows() -> Vec<Vec<String>> {
        vec![
            row(["caching", "Caching of the read path", "OPEN", ""]),
            row([
                "which-database-do-we-take-for-the-new-service",
                "Which database do we take for the new service?",
                "CONSENSUS",
                "PostgreSQL with one replica in the second zone",
            ]),
            row(["認証をどこに保存しますか", "認証", "OPEN", ""]),
        ]
    }

    #[test]
    fn unknown_width_shows_all_columns() {
        let lines = lay_out(&COLUMNS, &rows(), None);
        assert_eq!(lines.len(), 4);
        assert!(lines[2].ends_with("PostgreSQL with one replica in the second zone"), "{lines:#?}");
    }

    #[test]
    fn narrow_table_drops_columns_and_keeps_names() {
        for width in [40, 60, 80, 100] {
            let lines = lay_out(&COLUMNS, &rows(), Some(width));
            let text = lines.join("\n");
            assert!(text.contains("which-database-do-we-take-for-the-new-service"), "{text}");
            assert!(text.contains("認証をどこに保存しますか"), "{text}");
            for line in lines.iter().filter(|line| line.contains(' ')) {
                assert!(measure_text_width(line) <= width, "{width}: {line}");
            }
        }
        let narrow = lay_out(&COLUMNS, &rows(), Some(60)).join("\n");
        assert!(!narrow.contains("TITLE") && narrow.contains("OUTCOME"), "{narrow}");
    }

    #[test]
    fn column_is_dropped_before_its_words_break() {
        let columns =
            [Column::fixed("NAME"), Column::words("PHASES", 1, 60), Column::whole("FROM", 2)];
        let rows = [row(["feature", "initial_feedback, detailed_review", "bundled"])];
        let at = |width| lay_out(&columns, &rows, Some(width))[1].clone();
        assert_eq!(at(60), "feature  initial_feedback, detailed_review  bundled");
        assert_eq!(at(44), "feature  initial_feedback, detailed_review");
        assert_eq!(at(30), "feature  initial_feedback…");
        assert_eq!(at(24), "feature");
    }

    #[test]
    fn required_text_wraps_or_moves_below() {
        let columns =
            [Column::fixed("PROVIDER"), Column::fixed("STATE"), Column::flowing("DETAILS")];
        let rows = [row([
            "codex",
            "missing",
            "not on PATH; install it with `npm install -g @openai/codex`",
        ])];
        assert_eq!(
            lay_out(&columns, &rows, Some(50)),
            [
                "PROVIDER  STATE    DETAILS",
                "codex     missing  not on PATH; install it with",
                "                   `npm install -g @openai/codex`",
            ]
        );
        assert_eq!(
            lay_out(&columns, &rows, Some(40)),
            [
                "PROVIDER  STATE",
                "codex     missing",
                "  not on PATH; install it with `npm",
                "  install -g @openai/codex`",
            ]
        );
    }

    #[test]
    fn shortened_text_ends_after_a_whole_word() {
        assert_eq!(whole_words("one two three", 9), "one two…");
        assert_eq!(whole_words("one, two", 6), "one…");
        assert_eq!(whole_words("認証をどこに", 7), "認証を…");
        assert_eq!(whole_words("short", 5), "short");
    }
}
