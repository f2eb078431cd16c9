//! The mouse: a click selects, a second click opens, the wheel scrolls the pane under it.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use crate::ui::browser::first_row;
use crate::ui::discussion::OpenDiscussion;
use crate::ui::message::Effect;
use crate::ui::overlay::Overlay;
use crate::ui::panes::inner_area;
use crate::ui::state::ScreenState;

/// The number of rows for one step of the wheel.
const NOTCH: isize = 3;

/// Handles a mouse event.
pub(super) fn on_mouse(state: &mut ScreenState, mouse: MouseEvent) -> Vec<Effect> {
    let by = match mouse.kind {
        MouseEventKind::ScrollDown => NOTCH,
        MouseEventKind::ScrollUp => -NOTCH,
        MouseEventKind::Down(MouseButton::Left) => return clicked(state, mouse.column, mouse.row),
        _ => return Vec::new(),
    };
    if let Some(
        Overlay::Help { scroll, .. }
        | Overlay::Log { scroll }
        | Overlay::Told { scroll, .. }
        | Overlay::Consent { scroll, .. },
    ) = &mut state.overlay
    {
        *scroll = scroll.saturating_add_signed(by);
        return Vec::new();
    }
    let Some((pane, _)) = state.places().at(mouse.column, mouse.row) else { return Vec::new() };
    if state.overlay.is_some() {
        return Vec::new();
    }
    let before = state.focus();
    // The wheel scrolls the pane under it, but the focus stays.
    match &mut state.room {
        Some(room) => {
            room.focus = pane;
            super::room::step(state, by);
            if let Some(room) = &mut state.room {
                room.focus = before;
            }
            Vec::new()
        }
        None => {
            state.browser.focus = pane;
            let effects = super::browser::step(state, by);
            state.browser.focus = before;
            effects
        }
    }
}

fn clicked(state: &mut ScreenState, column: u16, row: u16) -> Vec<Effect> {
    if state.overlay.is_some() {
        return Vec::new();
    }
    let Some((pane, area)) = state.places().at(column, row) else { return Vec::new() };
    let was_here = state.focus() == pane;
    let within = inner_area(area);
    state.go_to(pane);
    if row < within.y || row >= within.bottom() {
        return super::entered(state);
    }
    let (place, rows) = (usize::from(row - within.y), usize::from(within.height));
    match &mut state.room {
        Some(room) => {
            let Some(list) = OpenDiscussion::list_of(pane) else { return Vec::new() };
            let length = room.items(pane).len();
            let wanted = first_row(room.at[list], length, rows) + place;
            if wanted < length {
                let again = was_here && room.at[list] == wanted;
                room.at[list] = wanted;
                if again {
                    super::room::led(state);
                }
            }
            Vec::new()
        }
        None => {
            let Some((list, length)) = state.browser.list_of(pane) else { return Vec::new() };
            let wanted = first_row(state.browser.at[list], length, rows) + place;
            if wanted >= length {
                return super::entered(state);
            }
            let again = was_here && state.browser.at[list] == wanted;
            state.browser.at[list] = wanted;
            if again && list == 0 {
                return super::act(state, crate::ui::keys::KeyAction::Enter);
            }
            super::entered(state)
        }
    }
}
