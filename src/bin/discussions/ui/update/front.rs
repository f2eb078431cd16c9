//! Keys for dialogs.

use discussions::runner::{Extent, RunOptions};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::room::{FOLLOWING, compose, work};
use crate::ui::message::{Act, EditTarget, Effect};
use crate::ui::state::{
    CommentOverlay, Compose, Field, Overlay, OverlayForm, OverlayRequest, PendingChoice,
    ScreenState, mention,
};

/// Handles a key in a dialog.
pub(super) fn pressed(state: &mut ScreenState, key: KeyEvent) -> Vec<Effect> {
    let Some(overlay) = state.overlay.take() else { return Vec::new() };
    match overlay {
        Overlay::Help { mut filter, scroll } => {
            match key.code {
                KeyCode::Esc | KeyCode::Enter => return Vec::new(),
                KeyCode::Char('?' | 'q') if filter.is_empty() => return Vec::new(),
                KeyCode::Backspace => drop(filter.pop()),
                KeyCode::Char(c) => filter.push(c),
                _ => {}
            }
            let scroll =
                scrolled(scroll, key).unwrap_or(if filter.is_empty() { scroll } else { 0 });
            state.overlay = Some(Overlay::Help { filter, scroll });
            Vec::new()
        }
        Overlay::Log { scroll } => {
            if let Some(scroll) = scrolled(scroll, key) {
                state.overlay = Some(Overlay::Log { scroll });
            }
            Vec::new()
        }
        Overlay::Told { title, text, scroll } => {
            state.overlay = match scrolled(scroll, key) {
                Some(scroll) => Some(Overlay::Told { title, text, scroll }),
                None => state.again.take(),
            };
            Vec::new()
        }
        Overlay::Confirm { question, then } => match key.code {
            KeyCode::Char('y' | 'Y') if then == Effect::Quit => super::leave(state),
            KeyCode::Char('y' | 'Y') => match then {
                Effect::Spend(file, wanted) => {
                    let begun = work(state, file.clone(), wanted.clone());
                    if begun.is_empty() { begun } else { vec![Effect::Spend(file, wanted)] }
                }
                then => vec![then],
            },
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Vec::new(),
            _ => {
                state.overlay = Some(Overlay::Confirm { question, then });
                Vec::new()
            }
        },
        Overlay::Consent { foreign, file, work: wanted, scroll } => match key.code {
            KeyCode::Char('y' | 'Y') => {
                let begun = work(state, file.clone(), wanted.clone());
                // The run starts after the trust decision is stored.
                if begun.is_empty() { begun } else { vec![Effect::Agree(foreign, file, wanted)] }
            }
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => {
                state.hint("no provider was called");
                Vec::new()
            }
            _ => {
                let scroll = scrolled(scroll, key).unwrap_or(scroll);
                state.overlay = Some(Overlay::Consent { foreign, file, work: wanted, scroll });
                Vec::new()
            }
        },
        Overlay::Choose { title, options, at, what } => {
            choose(state, key, title, options, at, what)
        }
        Overlay::Compose(compose) => write(state, key, compose),
        Overlay::Form(form) => fill(state, key, form),
    }
}

/// Inserts a pasted text.
pub(super) fn paste(state: &mut ScreenState, text: &str) {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    match &mut state.overlay {
        Some(Overlay::Compose(compose)) => drop(compose.area.insert_str(text)),
        Some(Overlay::Form(form)) => {
            let at = form.at;
            form.fields[at].line.insert_str(text.replace('\n', " "));
        }
        _ => {}
    }
}

/// Returns the new scroll position for a key; `None` if the key does not scroll.
fn scrolled(scroll: usize, key: KeyEvent) -> Option<usize> {
    let by: isize = match key.code {
        KeyCode::Up | KeyCode::Char('k') => -1,
        KeyCode::Down | KeyCode::Char('j') => 1,
        KeyCode::PageUp | KeyCode::Char('b') => -10,
        KeyCode::PageDown | KeyCode::Char(' ') => 10,
        KeyCode::Home | KeyCode::Char('g') => isize::MIN / 2,
        _ => return None,
    };
    Some(scroll.saturating_add_signed(by))
}

fn choose(
    state: &mut ScreenState,
    key: KeyEvent,
    title: String,
    options: Vec<String>,
    at: usize,
    what: PendingChoice,
) -> Vec<Effect> {
    let last = options.len().saturating_sub(1);
    let at = match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return Vec::new(),
        KeyCode::Up | KeyCode::Char('k') => at.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => (at + 1).min(last),
        KeyCode::Char(c @ '1'..='9') => (c as usize - '1' as usize).min(last),
        KeyCode::Enter => {
            let chosen = options.into_iter().nth(at).unwrap_or_default();
            let Some(file) = state.room.as_ref().map(|room| room.file.clone()) else {
                return Vec::new();
            };
            match what {
                PendingChoice::Vote => {
                    compose(state, CommentOverlay::Vote(chosen));
                    return Vec::new();
                }
                PendingChoice::Phase => {
                    let to = Some(chosen).filter(|chosen| chosen != FOLLOWING);
                    return vec![Effect::Act(Act::Advance { file, to })];
                }
            }
        }
        _ => at,
    };
    state.overlay = Some(Overlay::Choose { title, options, at, what });
    Vec::new()
}

/// Handles a key while the user writes a text.
fn write(state: &mut ScreenState, key: KeyEvent, mut compose: Box<Compose>) -> Vec<Effect> {
    let is_held = key.modifiers.contains(KeyModifiers::CONTROL);
    let kept = compose.what.draft_key(&compose.file);
    match key.code {
        KeyCode::Esc => {
            let text = compose.area.lines().join("\n");
            if text.trim().is_empty() {
                state.drafts.remove(&kept);
            } else {
                state.drafts.insert(kept, text);
                state.hint("draft saved");
            }
            return Vec::new();
        }
        KeyCode::Char('s') if is_held => return send(state, compose),
        KeyCode::Enter if key.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::CONTROL) => {
            return send(state, compose);
        }
        KeyCode::Char('e') if is_held => {
            let text = compose.area.lines().join("\n");
            state.overlay = Some(Overlay::Compose(compose));
            return vec![Effect::Edit(EditTarget::Draft(text))];
        }
        KeyCode::Tab => {
            if let Some(rest) = completion(&compose) {
                compose.area.insert_str(rest);
            }
        }
        _ => drop(compose.area.input(key)),
    }
    state.overlay = Some(Overlay::Compose(compose));
    Vec::new()
}

/// Returns the missing part of the mention before the cursor, followed by a blank.
fn completion(compose: &Compose) -> Option<String> {
    let begun = mention(&compose.area)?;
    let fits = |name: &&String| name.to_lowercase().starts_with(&begun.to_lowercase());
    let name = compose.mentions.iter().find(fits)?;
    Some(format!("{} ", name.get(begun.len()..)?))
}

/// Sends a text. The draft is kept until the file contains the text.
fn send(state: &mut ScreenState, compose: Box<Compose>) -> Vec<Effect> {
    let text = compose.area.lines().join("\n").trim().to_owned();
    let may_be_empty = matches!(compose.what, CommentOverlay::Vote(_));
    if text.is_empty() && !may_be_empty {
        state.overlay = Some(Overlay::Compose(compose));
        state.hint("the text is empty");
        return Vec::new();
    }
    let (file, draft) = (compose.file.clone(), compose.what.draft_key(&compose.file));
    state.drafts.insert(draft.clone(), text.clone());
    let (text, vote) = match &compose.what {
        CommentOverlay::Comment => (text, None),
        CommentOverlay::Answer(number, _) => (format!("A: Q{number} {text}"), None),
        CommentOverlay::Vote(vote) => (text, Some(vote.clone())),
        CommentOverlay::Ask => {
            let ask = turn_options(state, text);
            return work(state, file, ask);
        }
    };
    state.again = Some(Overlay::Compose(compose));
    vec![Effect::Act(Act::Comment { file, text, vote, draft })]
}

/// Returns the request to the participants that are mentioned. If the text has other words too, the whole text is the
/// question.
fn turn_options(state: &ScreenState, text: String) -> RunOptions {
    let is_mention = |word: &&str| word.len() > 1 && word.starts_with('@');
    let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let who: Vec<String> = text.split_whitespace().filter(is_mention).map(plain).collect();
    let is_question = !text.split_whitespace().all(|word| is_mention(&word));
    let (question, asker) =
        if is_question { (Some(text), Some(state.author.clone())) } else { (None, None) };
    let RunOptions { provider, max_usd, .. } = state.request.clone();
    let extent = Extent::Turn { who, question, asker };
    RunOptions { extent, provider, max_usd, ..RunOptions::default() }
}

/// Handles a key in a form.
fn fill(state: &mut ScreenState, key: KeyEvent, mut form: Box<OverlayForm>) -> Vec<Effect> {
    let last = form.fields.len() - 1;
    match key.code {
        KeyCode::Esc => return Vec::new(),
        KeyCode::Up | KeyCode::BackTab => form.at = form.at.saturating_sub(1),
        KeyCode::Down => form.at = (form.at + 1).min(last),
        KeyCode::Tab => {
            let field = &mut form.fields[form.at];
            let typed = field.text();
            let last_word = typed.rsplit(',').next().unwrap_or_default().trim().len();
            let found = field.fitting().first().map(|found| (*found).to_owned());
            match found.filter(|found| found.len() > last_word) {
                Some(found) => drop(field.line.insert_str(&found[last_word..])),
                None => form.at = (form.at + 1) % (last + 1),
            }
        }
        KeyCode::Enter if form.at < last => form.at += 1,
        KeyCode::Enter => {
            let texts: Vec<String> = form.fields.iter().map(Field::text).collect();
            let Some(first) = texts.first().filter(|text| !text.is_empty()).cloned() else {
                form.at = 0;
                state.hint(format!("{} is missing", form.fields[0].label));
                state.overlay = Some(Overlay::Form(form));
                return Vec::new();
            };
            let what = form.what;
            state.again = Some(Overlay::Form(form));
            return match what {
                OverlayRequest::Person => vec![Effect::Edit(EditTarget::NewPerson(first, None))],
                OverlayRequest::Discussion => {
                    let template = texts.get(1).filter(|text| !text.is_empty()).cloned();
                    let who = texts.get(2).map(String::as_str).unwrap_or_default();
                    let participants = who.split(',').map(str::trim).filter(|who| !who.is_empty());
                    let participants =
                        participants.map(|who| who.trim_start_matches('@').to_owned());
                    let participants = participants.collect();
                    vec![Effect::Act(Act::New { title: first, template, participants, edit: true })]
                }
            };
        }
        _ => {
            let at = form.at;
            form.fields[at].line.input(key);
        }
    }
    state.overlay = Some(Overlay::Form(form));
    Vec::new()
}
