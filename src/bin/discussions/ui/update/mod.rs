//! Changes of the state for each message, key and click, and the effects that follow. Nothing here does any input or
//! output.

mod browser;
mod front;
mod messages;
mod room;

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

pub(super) use self::room::open;
use super::keys::{self, KeyAction};
use super::lists::Filter;
use super::message::{Effect, Message};
use super::panes::Pane;
use super::state::{Overlay, ScreenState};
use crate::ui::lists::{OpenDiscussion, first_row};
use crate::ui::panes::inner_area;

/// Applies a message to the state and returns the effects, in order.
pub(super) fn update(state: &mut ScreenState, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
        Message::Key(key) => pressed(state, key),
        Message::Paste(text) => {
            front::paste(state, &text);
            Vec::new()
        }
        Message::Mouse(mouse) => on_mouse(state, mouse),
        Message::Resize(size) => {
            messages::resized(state, size);
            Vec::new()
        }
        Message::Tick(now) => {
            state.now = now;
            browser::look_again(state)
        }
        Message::Stop => leave(state),
        news => messages::on_message(state, news),
    }
}

fn pressed(state: &mut ScreenState, key: KeyEvent) -> Vec<Effect> {
    if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
        return leave(state);
    }
    if state.overlay.is_some() {
        return front::pressed(state, key);
    }
    if filter(state).typing {
        return typed(state, key);
    }
    let Some(action) = keys::action(state.focus(), key) else {
        if let KeyCode::Char(c) = key.code {
            state.hint(format!("{c} is not a key here; press ? for all keys"));
        }
        return Vec::new();
    };
    state.note = None;
    act(state, action)
}

fn act(state: &mut ScreenState, action: KeyAction) -> Vec<Effect> {
    match action {
        KeyAction::Quit => return quit(state),
        KeyAction::Help => state.overlay = Some(Overlay::Help { filter: String::new(), scroll: 0 }),
        KeyAction::Log => {
            state.overlay = Some(Overlay::Log { scroll: 0 });
        }
        KeyAction::Filter => filter_mut(state).typing = true,
        KeyAction::NextPane => {
            let company = state.focus().company();
            state.go_to(company[state.focus().number() % company.len()]);
            return entered(state);
        }
        KeyAction::Pane(number) => {
            let wanted = state.focus().company().get(usize::from(number) - 1);
            if let Some(pane) = wanted {
                state.go_to(*pane);
                return entered(state);
            }
        }
        KeyAction::Back => return back(state),
        action if state.room.is_some() => return room::act(state, action),
        action => return browser::act(state, action),
    }
    Vec::new()
}

/// Leaves the filter, otherwise the pane, otherwise the discussion.
fn back(state: &mut ScreenState) -> Vec<Effect> {
    if filter(state).is_on() {
        *filter_mut(state) = Filter::default();
        return refiltered(state);
    }
    match &state.room {
        Some(room) if room.focus != Pane::Text => {
            state.go_to(Pane::Text);
            Vec::new()
        }
        Some(_) => {
            state.room = None;
            state.browser.reading = true;
            vec![Effect::Leave, Effect::List]
        }
        None => {
            state.go_to(Pane::Discussions);
            entered(state)
        }
    }
}

/// Updates the detail pane after the focus has moved to another pane.
fn entered(state: &mut ScreenState) -> Vec<Effect> {
    if state.room.is_some() { Vec::new() } else { browser::chosen(state) }
}

fn quit(state: &mut ScreenState) -> Vec<Effect> {
    if state.runs.is_empty() {
        return vec![Effect::Quit];
    }
    state.overlay = Some(Overlay::Confirm {
        question: "A run is in progress. Stop it and quit? Answers so far are kept.".to_owned(),
        then: Effect::Quit,
    });
    Vec::new()
}

/// Stops all runs and quits when they have ended; the second time, quits at once.
pub(super) fn leave(state: &mut ScreenState) -> Vec<Effect> {
    if state.runs.is_empty() || state.leaving {
        return vec![Effect::Quit];
    }
    state.leaving = true;
    state.hint("Stopping all runs. Press Ctrl-C to quit at once.");
    state.runs.values_mut().for_each(|run| run.stopping = true);
    state.runs.keys().cloned().map(Effect::Abort).collect()
}

/// Returns the filter of the open discussion, or otherwise of the browser.
pub(super) fn filter(state: &ScreenState) -> &Filter {
    state.room.as_ref().map_or(&state.browser.filter, |room| &room.filter)
}

fn filter_mut(state: &mut ScreenState) -> &mut Filter {
    match &mut state.room {
        Some(room) => &mut room.filter,
        None => &mut state.browser.filter,
    }
}

/// Handles a key while the user types a filter.
fn typed(state: &mut ScreenState, key: KeyEvent) -> Vec<Effect> {
    let filter = filter_mut(state);
    match key.code {
        KeyCode::Enter => {
            filter.typing = false;
            return Vec::new();
        }
        KeyCode::Esc => *filter = Filter::default(),
        KeyCode::Backspace => drop(filter.words.pop()),
        KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => filter.words.clear(),
        KeyCode::Char('w') if key.modifiers.contains(KeyModifiers::CONTROL) => {
            let words = filter.words.trim_end();
            filter.words.truncate(words.rfind(' ').map_or(0, |at| at + 1));
        }
        KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => filter.words.push(c),
        KeyCode::Up => return act(state, KeyAction::Up),
        KeyCode::Down => return act(state, KeyAction::Down),
        _ => return Vec::new(),
    }
    refiltered(state)
}

/// Applies the words of the filter.
fn refiltered(state: &mut ScreenState) -> Vec<Effect> {
    let rows = state.rows(Pane::Text);
    if let Some(room) = &mut state.room {
        room.at = [0; 4];
        if room.focus == Pane::Text
            && let Some(text) = &mut room.text
        {
            text.filter(&room.filter.words);
            text.scroll(0, rows);
        }
        return Vec::new();
    }
    let browser = &mut state.browser;
    let file = browser.chosen().map(|one| one.file.clone());
    browser.at = [browser.at[0], 0, 0];
    browser.choose(file.as_deref());
    let words = browser.filter.words.trim().to_owned();
    let is_about_text = !matches!(browser.focus, Pane::People | Pane::Providers);
    let mut effects = browser::chosen(state);
    if is_about_text && !words.is_empty() {
        effects.push(Effect::Search(words));
    }
    effects
}

/// The number of rows for one step of the wheel.
const NOTCH: isize = 3;

/// Handles a mouse event.
fn on_mouse(state: &mut ScreenState, mouse: MouseEvent) -> Vec<Effect> {
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
            room::step(state, by);
            if let Some(room) = &mut state.room {
                room.focus = before;
            }
            Vec::new()
        }
        None => {
            state.browser.focus = pane;
            let effects = browser::step(state, by);
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
        return entered(state);
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
                    room::led(state);
                }
            }
            Vec::new()
        }
        None => {
            let Some((list, length)) = state.browser.list_of(pane) else { return Vec::new() };
            let wanted = first_row(state.browser.at[list], length, rows) + place;
            if wanted >= length {
                return entered(state);
            }
            let again = was_here && state.browser.at[list] == wanted;
            state.browser.at[list] = wanted;
            if again && list == 0 {
                return act(state, crate::ui::keys::KeyAction::Enter);
            }
            entered(state)
        }
    }
}
