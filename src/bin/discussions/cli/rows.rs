//! Rows in columns that fit a terminal: where it is narrow columns go, and neither words nor names break.

use dialoguer::console::measure_text_width;

use crate::cli::line::Line;

/// Blanks between columns.
const GAP: usize = 2;
/// The narrowest a column of words may get before it goes.
const NARROW: usize = 10;
/// The narrowest a column may get that tells all it holds, in lines below each other.
const FLOWING: usize = 24;

/// What becomes of a column where there is no room for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It goes, or stays as it is.
    Whole,
    /// It is cut between words before it goes.
    Cut,
    /// It stays, in as many lines as it takes.
    Flowing,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    heading: &'static str,
    /// How early it goes where there is no room: the highest first; 0 stays.
    spare: u8,
    /// The most columns of the terminal that it takes.
    most: usize,
    kind: Kind,
}

impl Column {
    /// One that never goes, and in which nothing is cut: names, and words of the program's own.
    pub(crate) const fn kept(heading: &'static str) -> Self {
        Self::whole(heading, 0)
    }

    /// One in which nothing is cut, and that goes the earlier the higher `spare` is.
    pub(crate) const fn whole(heading: &'static str, spare: u8) -> Self {
        Self { heading, spare, most: usize::MAX, kind: Kind::Whole }
    }

    /// Whether something stands above it.
    pub(crate) fn is_headed(&self) -> bool {
        !self.heading.is_empty()
    }

    /// One of words, of which as many stand there as fit; it goes the earlier the higher `spare` is.
    pub(crate) const fn words(heading: &'static str, spare: u8, most: usize) -> Self {
        Self { heading, spare, most, kind: Kind::Cut }
    }

    /// One that tells all it holds, in lines below each other; where even that finds no room, below the row.
    pub(crate) const fn flowing(heading: &'static str) -> Self {
        Self { heading, spare: 0, most: usize::MAX, kind: Kind::Flowing }
    }
}

/// A column that is shown.
struct Kept {
    index: usize,
    wide: usize,
    /// The least that it takes before it goes.
    least: usize,
    column: Column,
}

/// The lines of a table, its heading first. The first column holds names, which are never cut: one that is too long for
/// it stands alone on its line. Without a width nothing goes, and nothing is cut.
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
        lines.extend(beside(&kept, row, width.is_some()));
        for index in below.iter().filter(|_| nth > 0) {
            let indent = Line::from(" ".repeat(GAP));
            let columns = width.unwrap_or(usize::MAX);
            let cell = Line::from(row[*index].as_str());
            lines.extend(cell.flow(columns, &indent, &indent).iter().map(Line::plain));
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// Every column in which something stands, as wide as that.
fn all(columns: &[Column], rows: &[Vec<String>]) -> Vec<Kept> {
    let says =
        |index: usize| columns[index].spare == 0 || rows.iter().any(|row| !row[index].is_empty());
    let kept = |index: usize| {
        let column = columns[index];
        let cells = || rows.iter().map(|row| row[index].as_str());
        let heading = measure_text_width(column.heading);
        let wide = cells().map(measure_text_width).max().unwrap_or(0).max(heading);
        let least = match column.kind {
            Kind::Whole => wide,
            Kind::Cut => cells().map(least).max().unwrap_or(0).max(NARROW).min(column.most),
            Kind::Flowing => cells().map(unbroken).max().unwrap_or(0).max(FLOWING),
        };
        Kept { index, wide, least, column }
    };
    (0..columns.len()).filter(|index| says(*index)).map(kept).collect()
}

/// Makes columns fit: they get narrower, and go. Those that go and have to be told all the same are given back.
fn fit(kept: &mut Vec<Kept>, width: usize) -> Vec<usize> {
    for one in kept.iter_mut().skip(1) {
        one.wide = one.wide.min(one.column.most);
    }
    let mut below = Vec::new();
    loop {
        let over = total(kept).saturating_sub(width);
        if over == 0 {
            return below;
        }
        // What can be told in more lines gives way first.
        let flowing =
            kept.iter().position(|one| one.column.kind == Kind::Flowing && one.wide > one.least);
        if let Some(at) = flowing {
            kept[at].wide = kept[at].wide.saturating_sub(over).max(kept[at].least);
            continue;
        }
        let spare = |(at, one): (usize, &Kept)| (one.column.spare, at);
        let Some((_, at)) =
            kept.iter().enumerate().map(spare).max().filter(|(spare, _)| *spare > 0)
        else {
            match kept.iter().rposition(|one| one.column.kind == Kind::Flowing) {
                Some(at) if at > 0 => below.push(kept.remove(at).index),
                _ => return below,
            }
            continue;
        };
        let one = &mut kept[at];
        match one.wide.checked_sub(over) {
            Some(left) if left >= one.least && one.column.kind == Kind::Cut => one.wide = left,
            _ => drop(kept.remove(at)),
        }
    }
}

/// The lines of one row.
fn beside(kept: &[Kept], row: &[String], fits: bool) -> Vec<String> {
    let (mut lines, mut start) = (vec![String::new()], 0);
    let mut first = 0;
    for (at, one) in kept.iter().enumerate() {
        let cell = row[one.index].as_str();
        let parts = match one.column.kind {
            _ if !fits => vec![cell.to_owned()],
            Kind::Flowing => {
                let none = Line::default();
                Line::from(cell).flow(one.wide, &none, &none).iter().map(Line::plain).collect()
            }
            Kind::Cut if at > 0 => vec![whole_words(cell, one.wide)],
            Kind::Cut | Kind::Whole => vec![cell.to_owned()],
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
        // A name that is too long stands alone.
        if at == 0 && measure_text_width(cell) > one.wide {
            first = 1;
            lines.push(String::new());
        }
    }
    lines
}

/// How wide the column of names is: as the longest that leaves room for others.
fn names(rows: &[Vec<String>], heading: &str, width: usize) -> usize {
    let most = width * 2 / 5;
    let fit = rows.iter().map(|row| measure_text_width(&row[0])).filter(|wide| *wide <= most);
    fit.max().unwrap_or(0).max(measure_text_width(heading))
}

fn total(kept: &[Kept]) -> usize {
    kept.iter().map(|one| one.wide + GAP).sum::<usize>().saturating_sub(GAP)
}

/// What the longest part of a cell takes that nothing breaks.
fn unbroken(cell: &str) -> usize {
    Line::from(cell).narrowest()
}

/// What the first word of a cell takes, with what says that more would follow. Scripts that put no blanks between words
/// may break anywhere.
fn least(cell: &str) -> usize {
    let word = cell.split(' ').next().unwrap_or_default();
    if word.chars().any(|c| measure_text_width(c.encode_utf8(&mut [0; 4])) > 1) {
        return 0;
    }
    measure_text_width(word) + usize::from(word.len() < cell.len())
}

/// As many whole words as there is room for; where not one fits, as much of it as does.
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
        Column::kept("NAME"),
        Column::words("TITLE", 2, 60),
        Column::kept("STATUS"),
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
    fn all_of_it_where_nobody_says_how_wide() {
        let lines = lay_out(&COLUMNS, &rows(), None);
        assert_eq!(lines.len(), 4);
        assert!(lines[2].ends_with("PostgreSQL with one replica in the second zone"), "{lines:#?}");
    }

    #[test]
    fn columns_go_and_names_stay_whole() {
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
    fn a_column_goes_before_a_word_of_it_breaks() {
        let columns =
            [Column::kept("NAME"), Column::words("PHASES", 1, 60), Column::whole("FROM", 2)];
        let rows = [row(["feature", "initial_feedback, detailed_review", "bundled"])];
        let at = |width| lay_out(&columns, &rows, Some(width))[1].clone();
        assert_eq!(at(60), "feature  initial_feedback, detailed_review  bundled");
        assert_eq!(at(44), "feature  initial_feedback, detailed_review");
        assert_eq!(at(30), "feature  initial_feedback…");
        assert_eq!(at(24), "feature");
    }

    #[test]
    fn what_has_to_be_told_stands_in_several_lines_or_below() {
        let columns = [Column::kept("PROVIDER"), Column::kept("STATE"), Column::flowing("DETAILS")];
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
    fn words_are_whole() {
        assert_eq!(whole_words("one two three", 9), "one two…");
        assert_eq!(whole_words("one, two", 6), "one…");
        assert_eq!(whole_words("認証をどこに", 7), "認証を…");
        assert_eq!(whole_words("short", 5), "short");
    }
}
