//! Keys in an open discussion.

use discussions::runner::RunOptions;

use crate::ui::keys::KeyAction;
use crate::ui::lists::OpenDiscussion;
use crate::ui::message::{Act, EditTarget, Effect, work_line, work_name};
use crate::ui::panes::Pane;
use crate::ui::state::{
    CommentOverlay, Compose, Overlay, PendingChoice, RunState, ScreenState, area,
};

/// The text of the first choice in the list of phases.
pub(super) const FOLLOWING: &str = "the next phase";

/// Opens a discussion.
pub(crate) fn open(state: &mut ScreenState, file: String) -> Vec<Effect> {
    state.room = Some(OpenDiscussion::new(file.clone()));
    vec![Effect::Open(file)]
}

/// Performs the action of a key.
pub(super) fn act(state: &mut ScreenState, action: KeyAction) -> Vec<Effect> {
    let Some(room) = &state.room else { return Vec::new() };
    let (file, focus) = (room.file.clone(), room.focus);
    let page = state.rows(focus).max(2) as isize - 1;
    match action {
        KeyAction::Up => step(state, -1),
        KeyAction::Down => step(state, 1),
        KeyAction::PageUp => step(state, -page),
        KeyAction::PageDown => step(state, page),
        KeyAction::Top => step(state, isize::MIN / 2),
        KeyAction::End => step(state, isize::MAX / 2),
        KeyAction::Enter => led(state),
        KeyAction::NextQuestion => question(state, true),
        KeyAction::LastQuestion => question(state, false),
        KeyAction::Comment => compose(state, CommentOverlay::Comment),
        KeyAction::Ask => compose(state, CommentOverlay::Ask),
        KeyAction::Answer => match room.question().map(|one| (one.number, one.text.clone())) {
            Some((number, text)) => compose(state, CommentOverlay::Answer(number, text)),
            None => state.hint("no open question; press c to comment"),
        },
        KeyAction::Vote => vote(state),
        KeyAction::Advance => {
            let known = room.status().map(|status| status.template.as_str());
            let templates = state.browser.templates.iter();
            let own = templates.filter(|one| Some(one.id.as_str()) == known);
            let phases = own.flat_map(|one| one.phases.iter().cloned());
            state.overlay = Some(Overlay::Choose {
                title: "Go to which phase?".to_owned(),
                options: [FOLLOWING.to_owned()].into_iter().chain(phases).collect(),
                at: 0,
                what: PendingChoice::Phase,
            });
        }
        KeyAction::Close => {
            let is_closed = room.status().is_some_and(|it| it.status.as_str() == "CLOSED");
            let question = if is_closed {
                "Reopen it?"
            } else {
                "Close it? No participant will be asked after that."
            };
            let then = Effect::Act(Act::Close { file, closed: !is_closed });
            state.overlay = Some(Overlay::Confirm { question: question.to_owned(), then });
        }
        KeyAction::Turn => {
            let RunOptions { provider, max_usd, .. } = state.request.clone();
            let ask = RunOptions { provider, max_usd, ..RunOptions::next_turn() };
            return work(state, file, ask);
        }
        KeyAction::Run => {
            let request = state.request.clone();
            return work(state, file, request);
        }
        KeyAction::Abort => match state.runs.get_mut(&file) {
            Some(run) => {
                run.stopping = true;
                return vec![Effect::Abort(file)];
            }
            None => state.hint("no run is in progress here"),
        },
        KeyAction::EditFile => return vec![Effect::Edit(EditTarget::Discussion(file))],
        _ => {}
    }
    Vec::new()
}

/// Starts a turn or a run, unless one is in progress.
pub(super) fn work(state: &mut ScreenState, file: String, work: RunOptions) -> Vec<Effect> {
    if state.runs.contains_key(&file) {
        state.hint("a run is already in progress; press s to stop it");
        return Vec::new();
    }
    let (word, line) = (work_name(&work), work_line(&work, &file));
    let run = RunState { word, line, since: state.now, ..RunState::default() };
    state.runs.insert(file.clone(), run);
    // Answers arrive at the end.
    let rows = state.rows(Pane::Text);
    if let Some(text) =
        state.room.as_mut().filter(|room| room.file == file).and_then(|room| room.text.as_mut())
    {
        text.go_to_end(rows);
    }
    vec![Effect::Work(file, work)]
}

/// Scrolls the text, or moves the selection in the list of the pane.
pub(super) fn step(state: &mut ScreenState, by: isize) {
    let focus = state.focus();
    let rows = state.rows(focus);
    let Some(room) = &mut state.room else { return };
    let Some(list) = OpenDiscussion::list_of(focus) else {
        if let Some(text) = &mut room.text {
            match by {
                ..-1_000_000 => text.go_to_top(),
                1_000_000.. => text.go_to_end(rows),
                by => text.scroll(by, rows),
            }
        }
        return;
    };
    let last = room.items(focus).len().saturating_sub(1);
    room.at[list] = room.at[list].saturating_add_signed(by).min(last);
}

/// Jumps to the place in the text that the selected row is about.
pub(super) fn led(state: &mut ScreenState) {
    let focus = state.focus();
    let Some(item) = state.room.as_ref().and_then(|room| room.chosen(focus)) else { return };
    match item.line {
        Some(line) => lead(state, line, &item.label),
        None if !item.by.is_empty() => {
            let title = format!("{}: {}", item.text, item.state);
            state.overlay = Some(Overlay::text_overlay(title, item.by));
        }
        None => {}
    }
}

fn lead(state: &mut ScreenState, line: usize, label: &str) {
    // A narrow screen shows only one pane, so switch to the text.
    if state.places().pane(Pane::Text).is_none() {
        state.go_to(Pane::Text);
    }
    let rows = state.rows(Pane::Text);
    let text = state.room.as_mut().and_then(|room| room.text.as_mut());
    if text.is_some_and(|text| !text.lead_to(line, label, rows)) {
        state.hint("hidden by the filter; press Esc to clear the filter");
    }
}

/// Jumps to the next or previous open question, and wraps around at the end.
fn question(state: &mut ScreenState, forward: bool) {
    let Some(room) = &state.room else { return };
    let Some(text) = &room.text else { return };
    let questions = text.shown.status.questions();
    let open: Vec<(usize, u32)> =
        questions.iter().filter(|one| one.is_open()).map(|one| (one.line, one.number)).collect();
    if open.is_empty() {
        return state.hint("no open question");
    }
    let known = room.at[1];
    let chosen = questions.get(known).filter(|_| text.mark.is_some()).map(|one| one.line);
    let here = chosen.unwrap_or_else(|| text.line());
    let found = if forward {
        open.iter().find(|(line, _)| *line > here).or(open.first())
    } else {
        open.iter().rev().find(|(line, _)| *line < here).or(open.last())
    };
    let Some((line, number)) = found.copied() else { return };
    let at = questions.iter().position(|one| one.number == number).unwrap_or(0);
    if let Some(room) = &mut state.room {
        room.at[1] = at;
    }
    lead(state, line, &format!("Q{number}"));
}

fn vote(state: &mut ScreenState) {
    let status = state.room.as_ref().and_then(OpenDiscussion::status);
    let options = status.map(|status| status.options.clone()).unwrap_or_default();
    if options.is_empty() {
        return state.hint("this phase has no vote");
    }
    let title = "Your vote".to_owned();
    state.overlay = Some(Overlay::Choose { title, options, at: 0, what: PendingChoice::Vote });
}

/// Opens a text editor with the draft for this purpose.
pub(super) fn compose(state: &mut ScreenState, what: CommentOverlay) {
    let Some(room) = &state.room else { return };
    let draft =
        state.drafts.get(&what.draft_key(&room.file)).map(String::as_str).unwrap_or_default();
    let compose =
        Compose { file: room.file.clone(), area: area(draft), mentions: room.mentions(), what };
    state.overlay = Some(Overlay::Compose(Box::new(compose)));
}
