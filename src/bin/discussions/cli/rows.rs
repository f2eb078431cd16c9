//! Rows in columns that fit a terminal: where it is narrow columns go, and neither words nor names break.

use dialoguer::console::measure_text_width;

/// Blanks between columns.
const GAP: usize = 2;
/// The narrowest a column of words may get before it goes.
const NARROW: usize = 10;

/// A column.
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// How early it goes where there is no room: the highest first; 0 stays.
    pub(crate) spare: u8,
    /// The most columns of the terminal that it takes.
    pub(crate) most: usize,
}

/// The lines of a table, its heading first. The first column holds names, which are never cut: one that is too long for
/// it stands alone on its line. Without a width nothing goes, and nothing is cut.
pub(crate) fn lay_out(
    columns: &[Column],
    rows: &[Vec<String>],
    width: Option<usize>,
) -> Vec<String> {
    let natural = |index: usize| {
        let cells = rows.iter().map(|row| measure_text_width(&row[index]));
        cells.max().unwrap_or(0).max(measure_text_width(columns[index].heading))
    };
    // A column in which nothing stands says nothing.
    let filled = |index: &usize| {
        columns[*index].spare == 0 || rows.iter().any(|row| !row[*index].is_empty())
    };
    let mut kept: Vec<(usize, usize)> =
        (0..columns.len()).filter(filled).map(|index| (index, natural(index))).collect();
    if let Some(width) = width {
        kept[0].1 = names(rows, columns[0].heading, width);
        for (index, wide) in kept.iter_mut().skip(1) {
            *wide = (*wide).min(columns[*index].most);
        }
        while room(&kept, width).is_none() {
            let last = kept.iter().enumerate().max_by_key(|(_, (index, _))| columns[*index].spare);
            let Some((at, _)) = last.filter(|(_, (index, _))| columns[*index].spare > 0) else {
                break;
            };
            let over = total(&kept).saturating_sub(width);
            let (_, wide) = &mut kept[at];
            match wide.checked_sub(over).filter(|left| *left >= NARROW) {
                Some(left) => *wide = left,
                None => drop(kept.remove(at)),
            }
        }
    }
    let heading: Vec<String> = columns.iter().map(|column| column.heading.to_owned()).collect();
    let mut lines = Vec::with_capacity(rows.len() + 1);
    for row in std::iter::once(&heading).chain(rows) {
        let mut line = String::new();
        for (at, (index, wide)) in kept.iter().enumerate() {
            let mut cell = row[*index].clone();
            if at > 0 && width.is_some() {
                cell = whole_words(&cell, *wide);
            }
            line.push_str(&cell);
            let used = measure_text_width(&cell);
            if used > *wide {
                lines.push(std::mem::take(&mut line));
                line.push_str(&" ".repeat(wide + GAP));
            } else {
                line.push_str(&" ".repeat(wide - used + GAP));
            }
        }
        lines.push(line);
    }
    lines.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// How wide the column of names is: as the longest that leaves room for others.
fn names(rows: &[Vec<String>], heading: &str, width: usize) -> usize {
    let most = width * 2 / 5;
    let fit = rows.iter().map(|row| measure_text_width(&row[0])).filter(|wide| *wide <= most);
    fit.max().unwrap_or(0).max(measure_text_width(heading))
}

fn total(kept: &[(usize, usize)]) -> usize {
    kept.iter().map(|(_, wide)| wide + GAP).sum::<usize>().saturating_sub(GAP)
}

fn room(kept: &[(usize, usize)], width: usize) -> Option<usize> {
    width.checked_sub(total(kept))
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
        Column { heading: "NAME", spare: 0, most: 0 },
        Column { heading: "TITLE", spare: 2, most: 60 },
        Column { heading: "STATUS", spare: 0, most: 10 },
        Column { heading: "OUTCOME", spare: 1, most: 60 },
    ];

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
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
    fn words_are_whole() {
        assert_eq!(whole_words("one two three", 9), "one two…");
        assert_eq!(whole_words("one, two", 6), "one…");
        assert_eq!(whole_words("認証をどこに", 7), "認証を…");
        assert_eq!(whole_words("short", 5), "short");
    }
}
