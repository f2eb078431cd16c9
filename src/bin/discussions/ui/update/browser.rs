//! Keys for discussions, participants and providers.

use std::time::Duration;

use crate::ui::keys::KeyAction;
use crate::ui::lists::Somebody;
use crate::ui::message::{Act, EditTarget, Effect};
use crate::ui::panes::Pane;
use crate::ui::state::{Field, Overlay, OverlayForm, OverlayRequest, ScreenState};

/// The time before a list is read again: a minimum, and a multiple of the duration of reading it.
const AGAIN: (Duration, u32) = (Duration::from_secs(1), 20);

/// Reads the list again if it is shown and old enough.
pub(super) fn look_again(state: &mut ScreenState) -> Vec<Effect> {
    let browser = &mut state.browser;
    let is_due =
        browser.read.is_none_or(|(at, took)| state.now >= at + AGAIN.0.max(took * AGAIN.1));
    if state.room.is_some() || browser.reading || !is_due {
        return Vec::new();
    }
    browser.reading = true;
    vec![Effect::List]
}

/// Performs the action of a key.
pub(super) fn act(state: &mut ScreenState, action: KeyAction) -> Vec<Effect> {
    let focus = state.browser.focus;
    match action {
        KeyAction::Up => step(state, -1),
        KeyAction::Down => step(state, 1),
        KeyAction::PageUp => step(state, -(state.rows(focus).max(2) as isize - 1)),
        KeyAction::PageDown => step(state, state.rows(focus).max(2) as isize - 1),
        KeyAction::Top => step(state, isize::MIN / 2),
        KeyAction::End => step(state, isize::MAX / 2),
        KeyAction::Enter => match state.browser.chosen().map(|one| one.name.clone()) {
            Some(name) => super::open(state, name),
            None => Vec::new(),
        },
        KeyAction::Again => {
            state.browser.reading = true;
            state.hint("Reloading everything.");
            vec![Effect::List, Effect::People, Effect::Providers, Effect::Templates]
        }
        KeyAction::New => {
            state.overlay = Some(Overlay::Form(Box::new(discussion(state))));
            Vec::new()
        }
        KeyAction::EditFile => match state.browser.chosen() {
            Some(one) => vec![Effect::Edit(EditTarget::Discussion(one.name.clone()))],
            None => Vec::new(),
        },
        KeyAction::AddPerson => {
            let hint = "the word used to mention them, for example dba";
            let fields = vec![Field::new("Alias", hint, Vec::new())];
            let form = OverlayForm {
                title: "New participant",
                what: OverlayRequest::Person,
                fields,
                at: 0,
            };
            state.overlay = Some(Overlay::Form(Box::new(form)));
            Vec::new()
        }
        KeyAction::EditPerson => match state.browser.person() {
            Some(one) => vec![Effect::Edit(EditTarget::Person(one.alias().to_owned()))],
            None => Vec::new(),
        },
        KeyAction::RemovePerson => {
            if let Some(one) = state.browser.person() {
                let question = match one {
                    Somebody::Usable(one) => {
                        format!("Remove the definition of {} ({})?", one.name, one.origin)
                    }
                    Somebody::Broken { alias, .. } => {
                        format!("Remove the invalid definition of {alias}?")
                    }
                };
                let then = Effect::Act(Act::Remove { alias: one.alias().to_owned() });
                state.overlay = Some(Overlay::Confirm { question, then });
            }
            Vec::new()
        }
        KeyAction::Ping => match state.browser.provider() {
            Some((one, _)) => {
                let name = one.name.clone();
                state.browser.pinged = Some(name.clone());
                vec![Effect::Ping(Some(name))]
            }
            None => Vec::new(),
        },
        KeyAction::PingAll => {
            state.browser.pinged = Some(String::new());
            vec![Effect::Ping(None)]
        }
        _ => Vec::new(),
    }
}

/// Moves the selection in the list of the pane, or scrolls the detail pane.
pub(super) fn step(state: &mut ScreenState, by: isize) -> Vec<Effect> {
    let browser = &mut state.browser;
    let Some((list, length)) = browser.list_of(browser.focus) else {
        browser.scroll = browser.scroll.saturating_add_signed(by).min(10_000);
        return Vec::new();
    };
    let last = length.saturating_sub(1);
    let at = browser.at[list].saturating_add_signed(by).min(last);
    if at == browser.at[list] {
        return Vec::new();
    }
    browser.at[list] = at;
    chosen(state)
}

/// Updates the detail pane after the selection has changed.
pub(super) fn chosen(state: &mut ScreenState) -> Vec<Effect> {
    let browser = &mut state.browser;
    browser.scroll = 0;
    if browser.focus != Pane::People {
        return Vec::new();
    }
    let wanted = match browser.person() {
        Some(Somebody::Usable(one)) => Some(one.alias.clone()),
        // The error in an invalid definition is already known.
        Some(Somebody::Broken { .. }) | None => None,
    };
    let known = browser.definition.as_ref().map(|one| &one.alias);
    match wanted {
        Some(alias) if known != Some(&alias) => vec![Effect::Define(alias)],
        _ => Vec::new(),
    }
}

/// Returns the form for a new discussion.
fn discussion(state: &ScreenState) -> OverlayForm {
    let people = state.browser.people.iter().flat_map(|people| &people.personas);
    let templates = state.browser.templates.iter().map(|one| one.id.clone());
    let aliases = people.map(|one| one.alias.clone()).collect();
    let fields = vec![
        Field::new("Title", "what it is about, in one line", Vec::new()),
        Field::new("Pattern", "empty: the default; Tab completes", templates.collect()),
        Field::new("Participants", "empty: the default; or a,b,c; Tab completes", aliases),
    ];
    OverlayForm { title: "New discussion", what: OverlayRequest::Discussion, fields, at: 0 }
}
