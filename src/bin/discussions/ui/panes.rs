//! The panes, and their places on the screen.

use ratatui::layout::{Constraint, Layout, Rect};

/// The minimum width for several panes, in columns. A narrower screen shows one pane at a time.
const NARROW: u16 = 80;
/// The minimum height for full panes, in rows. On a lower screen, panes without focus show only their titles.
const LOW: u16 = 22;

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pane {
    Discussions,
    People,
    Providers,
    Detail,
    Text,
    Votes,
    Questions,
    Tasks,
    Decisions,
}

impl Pane {
    pub(super) const ALL: [Self; 9] = [
        Self::Discussions,
        Self::People,
        Self::Providers,
        Self::Detail,
        Self::Text,
        Self::Votes,
        Self::Questions,
        Self::Tasks,
        Self::Decisions,
    ];

    /// Returns whether the pane belongs to one discussion.
    pub(super) fn is_in_room(self) -> bool {
        self >= Self::Text
    }

    /// Returns all panes that are shown together with this one, itself included, in the order of their numbers.
    pub(super) fn company(self) -> &'static [Self] {
        if self.is_in_room() { &Self::ALL[4..] } else { &Self::ALL[..4] }
    }

    /// Returns the number key of the pane, from 1.
    pub(super) fn number(self) -> usize {
        self.company().iter().position(|pane| *pane == self).unwrap_or(0) + 1
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Discussions => "Discussions",
            Self::People => "Participants",
            Self::Providers => "Providers",
            Self::Detail => "About",
            Self::Text => "Text",
            Self::Votes => "Votes",
            Self::Questions => "Questions",
            Self::Tasks => "Tasks",
            Self::Decisions => "Decisions",
        }
    }
}

/// The places of everything on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PaneLayout {
    /// The header.
    pub(super) head: Rect,
    pub(super) panes: Vec<(Pane, Rect)>,
    /// The line with the last change or message.
    pub(super) note: Rect,
    /// The line with the keys.
    pub(super) keys: Rect,
}

impl PaneLayout {
    /// Computes the places on a screen of this size, with the focus in this pane.
    pub(super) fn of(columns: u16, rows: u16, focus: Pane) -> Self {
        let all = Rect::new(0, 0, columns, rows);
        let [head, body, note, keys] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(all);
        let panes = match (columns < NARROW, focus.is_in_room()) {
            (true, _) => vec![(focus, body)],
            (false, false) => browser(body, focus),
            (false, true) => room(body, focus),
        };
        Self { head, panes, note, keys }
    }

    /// Returns the place of a pane; `None` if it is not shown.
    pub(super) fn pane(&self, wanted: Pane) -> Option<Rect> {
        self.panes.iter().find(|(pane, _)| *pane == wanted).map(|(_, area)| *area)
    }

    /// Returns the pane at a position.
    pub(super) fn at(&self, column: u16, row: u16) -> Option<(Pane, Rect)> {
        let holds = |area: &Rect| area.contains((column, row).into());
        self.panes.iter().find(|(_, area)| holds(area)).copied()
    }
}

/// Returns the area within a pane's border.
pub(super) fn inner_area(area: Rect) -> Rect {
    Rect {
        x: area.x.saturating_add(1),
        y: area.y.saturating_add(1),
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
}

fn browser(body: Rect, focus: Pane) -> Vec<(Pane, Rect)> {
    let share = if body.width >= 140 { 60 } else { 55 };
    let [left, right] =
        Layout::horizontal([Constraint::Percentage(share), Constraint::Fill(1)]).areas(body);
    let [one, two, three] = Layout::vertical(sizes(
        [Pane::Discussions, Pane::People, Pane::Providers],
        [4, 2, 2],
        focus,
        body.height,
    ))
    .areas(left);
    vec![
        (Pane::Discussions, one),
        (Pane::People, two),
        (Pane::Providers, three),
        (Pane::Detail, right),
    ]
}

fn room(body: Rect, focus: Pane) -> Vec<(Pane, Rect)> {
    let side = (body.width / 3).clamp(28, 64);
    let [left, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]).areas(body);
    let [one, two, three, four] = Layout::vertical(sizes(
        [Pane::Votes, Pane::Questions, Pane::Tasks, Pane::Decisions],
        [2, 2, 1, 2],
        focus,
        body.height,
    ))
    .areas(right);
    vec![
        (Pane::Text, left),
        (Pane::Votes, one),
        (Pane::Questions, two),
        (Pane::Tasks, three),
        (Pane::Decisions, four),
    ]
}

/// Returns the heights of panes above each other. On a low screen the pane with the focus gets all the space.
fn sizes<const N: usize>(
    panes: [Pane; N],
    shares: [u16; N],
    focus: Pane,
    height: u16,
) -> [Constraint; N] {
    let focus = if panes.contains(&focus) { focus } else { panes[0] };
    std::array::from_fn(|at| match (panes[at] == focus, height < LOW) {
        (true, true) => Constraint::Fill(1),
        (false, true) => Constraint::Length(3),
        (true, false) => Constraint::Fill(shares[at] + 2),
        (false, false) => Constraint::Fill(shares[at]),
    })
}
