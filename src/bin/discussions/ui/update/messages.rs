//! Messages from outside of the screen.

use discussions::view::{EventKind, Shown};
use ratatui::layout::Size;
use ratatui::text::{Line, Span};

use crate::cli::markdown;
use crate::ui::lists::OpenDiscussion;
use crate::ui::message::{ActionDone, ActionError, EditTarget, Effect, Message};
use crate::ui::paint;
use crate::ui::panes::Pane;
use crate::ui::state::{Logged, Note, Overlay, ScreenState, area};
use crate::ui::text::DiscussionText;
use crate::ui::words;

/// Handles a message from outside.
pub(super) fn on_message(state: &mut ScreenState, message: Message) -> Vec<Effect> {
    match message {
        Message::Listed(list, took) => {
            state.browser.reading = false;
            state.browser.read = Some((state.now, took));
            match list {
                Ok(list) => state.browser.renew(*list),
                Err(refused) => state.note = Some(Note::Wrong(refused.message)),
            }
        }
        // The user has typed on, so results for earlier words are ignored.
        Message::Found(words, _) if words != state.browser.filter.words.trim() => {}
        Message::Found(words, found) => {
            let file = state.browser.chosen().map(|one| one.file.clone());
            match found {
                Ok(found) => state.browser.found = Some((words, found.found)),
                Err(refused) => state.note = Some(Note::Wrong(refused.message)),
            }
            state.browser.choose(file.as_deref());
        }
        // The runs of this screen send their own events.
        Message::Running(file, true) if state.runs.contains_key(&file) => {}
        Message::Running(file, running) => {
            if let Some(room) = state.room.as_mut().filter(|room| room.file == file) {
                room.running = running;
            }
        }
        Message::Seen(file, seen) => return see(state, &file, seen),
        Message::Told(file, event) => {
            let now = state.now;
            if let EventKind::Note { message } = &event.kind {
                state.hint(message.as_str());
            }
            if let Some(run) = state.runs.get_mut(&file) {
                run.saw(*event, now);
            }
            forget_recorded(state, &file);
            grow(state);
        }
        Message::Ended(file, ran) => return on_run_end(state, &file, ran),
        Message::Done(done) => return did(state, done),
        Message::Refused(refused) => return refuse(state, refused),
        Message::People(people) => {
            state.browser.people = Some(*people);
            let last = state.browser.personas().len().saturating_sub(1);
            state.browser.at[1] = state.browser.at[1].min(last);
            state.browser.definition = None;
            return super::browser::chosen(state);
        }
        Message::Defined(definition) => state.browser.definition = Some(*definition),
        Message::Templates(templates) => state.browser.templates = templates,
        Message::Providers(providers, states) => {
            let chosen = chosen_provider(state);
            (state.browser.providers, state.browser.states) = (providers, states);
            state.browser.choose_provider(chosen.as_deref());
        }
        Message::Pinged(states) => {
            state.browser.pinged = None;
            match states {
                Ok(states) => pinged(state, states),
                Err(refused) => state.report_refused(refused),
            }
        }
        Message::Untrusted(foreign, file, work) => {
            state.runs.remove(&file);
            state.overlay = Some(Overlay::Consent { foreign, file, work, scroll: 0 });
        }
        Message::Costly(price, file, work) => {
            state.runs.remove(&file);
            let question =
                format!("{price}.\n\nStart this run? You are asked once for each discussion.");
            state.overlay = Some(Overlay::Confirm { question, then: Effect::Spend(file, work) });
        }
        Message::Price(file, price) => {
            if let Some(run) = state.runs.get_mut(&file) {
                run.price = Some(price);
            }
        }
        Message::Written(written) => match (written, &mut state.overlay) {
            (Ok(text), Some(Overlay::Compose(compose))) => compose.area = area(text.trim_end()),
            (Err(refused), _) => state.report_refused(refused),
            (Ok(_), _) => {}
        },
        // Input of the user is handled elsewhere.
        _ => {}
    }
    Vec::new()
}

fn pinged(state: &mut ScreenState, states: Vec<discussions::view::CheckedProvider>) {
    let line = match states.as_slice() {
        [one] => format!("discussions doctor {} --ping", one.name),
        _ => "discussions doctor --ping".to_owned(),
    };
    let answers = states.iter().filter(|one| words::state(&one.state).0 == "answers").count();
    let said = match states.as_slice() {
        [one] => words::state(&one.state).0.to_owned(),
        all => format!("{answers} of {} answer", all.len()),
    };
    let chosen = chosen_provider(state);
    for one in states {
        match state.browser.states.iter_mut().find(|known| known.name == one.name) {
            Some(known) => *known = one,
            None => state.browser.states.push(one),
        }
    }
    state.browser.choose_provider(chosen.as_deref());
    state.report_done(&ActionDone { line, said, ..ActionDone::default() });
}

/// Returns the selected provider if the focus is in that pane, so that the selection stays on it.
fn chosen_provider(state: &ScreenState) -> Option<String> {
    let known = state.browser.provider().filter(|_| state.browser.focus == Pane::Providers);
    known.map(|(one, _)| one.name.clone())
}

/// Shows the current state of a discussion.
fn see(state: &mut ScreenState, file: &str, seen: Result<Box<Shown>, ActionError>) -> Vec<Effect> {
    let area = state.places().pane(Pane::Text).map(crate::ui::panes::inner_area);
    let rows = area.map_or(1, |area| usize::from(area.height));
    let Some(room) = state.room.as_mut().filter(|room| room.file == file) else {
        return Vec::new();
    };
    let shown = match seen {
        Ok(shown) => shown,
        Err(refused) => {
            room.gone = Some(refused);
            return Vec::new();
        }
    };
    room.gone = None;
    let mut below = 0;
    match &mut room.text {
        Some(text) => {
            let at_end = text.is_at_end(rows);
            let new = text.renew(shown);
            if at_end {
                text.go_to_end(rows);
            } else {
                text.scroll(0, rows);
                below = new;
            }
        }
        None => {
            let width = area.map_or(76, |area| usize::from(area.width));
            room.text = Some(DiscussionText::new(shown, width));
        }
    }
    if below > 0 && state.note.is_none() {
        state.hint(format!("{below} new below; press G to go there"));
    }
    forget_recorded(state, file);
    state.fit();
    grow(state);
    Vec::new()
}

/// Removes arriving answers that are complete and already in the file.
fn forget_recorded(state: &mut ScreenState, file: &str) {
    let room = state.room.as_ref().filter(|room| room.file == file);
    let Some(status) = room.and_then(OpenDiscussion::status) else { return };
    let Some(run) = state.runs.get_mut(file) else { return };
    let turn = run.turn.as_ref().map(|(number, _)| *number);
    let is_recorded = |alias: &str| {
        let one = status.participants.iter().find(|one| one.alias.as_deref() == Some(alias));
        one.is_some_and(|one| one.responded) && turn == Some(status.turn)
    };
    run.speaking.retain(|one| !(one.is_whole && is_recorded(&one.who)));
}

/// Applies a new size of the screen. A user who follows new text keeps following it.
pub(super) fn resized(state: &mut ScreenState, size: Size) {
    let rows = state.rows(Pane::Text);
    let follows = state.room.as_ref().and_then(|room| room.text.as_ref());
    let follows = follows.is_some_and(|text| text.is_followed(rows));
    state.size = size;
    state.fit();
    grow(state);
    let rows = state.rows(Pane::Text);
    if follows && let Some(text) = state.room.as_mut().and_then(|room| room.text.as_mut()) {
        text.go_to_end(rows);
    }
}

/// Shows the arriving answers at the end of the text.
fn grow(state: &mut ScreenState) {
    let rows = state.rows(Pane::Text);
    let Some(room) = &mut state.room else { return };
    let Some(text) = &mut room.text else { return };
    let run = state.runs.get(&room.file);
    let speaking = run.map(|run| run.speaking.as_slice()).unwrap_or_default();
    let width = text.width();
    let blocks = speaking.iter().map(|one| {
        let name = Span::styled(
            discussions::view::visible_line(&one.name),
            paint::style(text.colours().name(&one.name)),
        );
        let how = if one.text.is_empty() { "thinks" } else { "writes" };
        let how = format!("  {how} ({})", discussions::view::visible_line(&one.provider));
        let head = Line::from(vec![name, Span::styled(how, paint::faint())]);
        let body = markdown::lines(&one.text, &Default::default(), width.saturating_sub(2));
        let body = body.iter().map(paint::line).map(|mut line| {
            line.spans.insert(0, Span::raw("  "));
            line
        });
        let lines = [Line::default(), head].into_iter().chain(body);
        lines.flat_map(|line| crate::ui::paint::fold(line, width)).collect()
    });
    let blocks: Vec<Vec<Line<'static>>> = blocks.collect();
    text.grow(blocks, rows);
}

/// Handles the end of a run.
fn on_run_end(
    state: &mut ScreenState,
    file: &str,
    ran: Result<Box<discussions::view::Ran>, ActionError>,
) -> Vec<Effect> {
    let run = state.runs.remove(file).unwrap_or_default();
    // `running` may be set, because the screen may have taken its own run for a run of another program at first.
    if let Some(room) = state.room.as_mut().filter(|room| room.file == file) {
        room.running = false;
    }
    grow(state);
    match ran {
        Ok(ran) => {
            let said = words::end_sentence(&ran);
            state.note = Some(Note::Done(run.line.clone(), said.clone()));
            let notes = ran.summary.iter().cloned().collect();
            state.drafts.remove(&format!("{file}#ask"));
            state.remember(Logged { line: run.line, said, notes });
        }
        Err(refused) => state.report_refused(refused.of(run.line)),
    }
    if state.leaving && state.runs.is_empty() { vec![Effect::Quit] } else { Vec::new() }
}

/// Handles a change that was made.
fn did(state: &mut ScreenState, done: ActionDone) -> Vec<Effect> {
    if let Some(draft) = &done.sent {
        state.drafts.remove(draft);
    }
    state.again = None;
    let mut effects = Vec::new();
    if done.people {
        effects.extend([Effect::People, Effect::Providers]);
    }
    if !done.line.is_empty() {
        state.report_done(&done);
    }
    // The editor opens next and covers the line that would show a single note; afterwards that line shows the editor's
    // result. So a dialog shows the notes.
    let opens_editor = done.open.is_some();
    if done.notes.len() > 1 || (opens_editor && !done.notes.is_empty()) {
        state.overlay = Some(Overlay::text_overlay("Notes", done.notes.join("\n")));
    }
    if let Some(file) = done.open {
        effects.extend(super::open(state, file.clone()));
        effects.push(Effect::Edit(EditTarget::Discussion(file)));
    }
    effects
}

fn refuse(state: &mut ScreenState, refused: ActionError) -> Vec<Effect> {
    let draft = refused.draft.clone();
    let effects = if refused.people { vec![Effect::People] } else { Vec::new() };
    state.report_refused(refused);
    if state.overlay.is_none() {
        state.overlay = state.again.take();
    }
    if let Some((alias, text)) = draft.map(|draft| *draft) {
        state.again = None;
        // First show the error, then offer to continue writing.
        let told = match state.overlay.take() {
            Some(Overlay::Told { text, .. }) => text,
            _ => String::new(),
        };
        state.overlay = Some(Overlay::Confirm {
            question: format!("{told}\n\nContinue writing?"),
            then: Effect::Edit(EditTarget::NewPerson(alias, Some(text))),
        });
    }
    effects
}
