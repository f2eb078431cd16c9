//! Tables that fit: columns shrink to their longest words, and if that is not enough, rows become lists.

use pulldown_cmark::Alignment;

use crate::cli::line::Line;

/// The number of blanks between columns.
const BETWEEN: usize = 2;

/// Rows of cells; the first is the heading.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Line>>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    /// Begins a row.
    pub(super) fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Adds a cell to the row.
    pub(super) fn cell(&mut self, cell: Line) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// Returns the lines in at most `room` columns.
    pub(super) fn lines(mut self, room: usize) -> Vec<Line> {
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
