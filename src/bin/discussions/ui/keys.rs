//! The table of keys: one for each action, with its description and the panes in which it works.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::panes::Pane;

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyAction {
    Up,
    Down,
    PageUp,
    PageDown,
    Top,
    End,
    Enter,
    Back,
    NextPane,
    Pane(u8),
    Filter,
    Help,
    Log,
    Quit,
    Again,
    New,
    EditFile,
    EditPerson,
    AddPerson,
    RemovePerson,
    Ping,
    PingAll,
    Comment,
    Answer,
    Vote,
    Turn,
    Ask,
    Run,
    Abort,
    Advance,
    Close,
    NextQuestion,
    LastQuestion,
}

/// The panes in which a key works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Everywhere,
    /// In all panes outside of a discussion.
    Browser,
    Discussions,
    People,
    Providers,
    /// In all panes of one discussion.
    Room,
}

impl Where {
    /// Returns the heading for these keys in the list of keys.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Browser | Self::Discussions => "Discussions",
            Self::People => "Participants",
            Self::Providers => "Providers",
            Self::Room => "In a discussion",
        }
    }

    fn holds(self, pane: Pane) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Browser => !pane.is_in_room(),
            Self::Discussions => matches!(pane, Pane::Discussions | Pane::Detail),
            Self::People => pane == Pane::People,
            Self::Providers => pane == Pane::Providers,
            Self::Room => pane.is_in_room(),
        }
    }
}

/// One key.
pub(super) struct Binding {
    pub(super) action: KeyAction,
    /// The names of the key; the first one is shown.
    pub(super) keys: &'static [&'static str],
    /// A word or two for the footer; empty if it is not shown there.
    pub(super) short: &'static str,
    /// The description for the list of keys.
    pub(super) what: &'static str,
    pub(super) holds: Where,
}

const fn key(
    holds: Where,
    action: KeyAction,
    keys: &'static [&'static str],
    short: &'static str,
    what: &'static str,
) -> Binding {
    Binding { action, keys, short, what, holds }
}

/// All keys. If two apply, the first one counts.
pub(super) const ALL: &[Binding] = &[
    key(
        Where::Discussions,
        KeyAction::Enter,
        &["Enter", "l", "Right"],
        "open",
        "open the discussion",
    ),
    key(Where::Discussions, KeyAction::New, &["n"], "new", "create a discussion"),
    key(Where::Browser, KeyAction::Again, &["R", "F5"], "", "reload everything"),
    key(Where::People, KeyAction::AddPerson, &["a"], "add", "add a participant, in $EDITOR"),
    key(
        Where::People,
        KeyAction::EditPerson,
        &["e", "Enter"],
        "edit",
        "edit the participant in $EDITOR",
    ),
    key(Where::People, KeyAction::RemovePerson, &["x"], "remove", "remove the participant's file"),
    key(
        Where::Providers,
        KeyAction::Ping,
        &["p", "Enter"],
        "ping",
        "test the provider with one small call",
    ),
    key(
        Where::Providers,
        KeyAction::PingAll,
        &["P"],
        "ping all",
        "test all usable providers, one small call each",
    ),
    key(Where::Room, KeyAction::Comment, &["c"], "comment", "add a comment"),
    key(
        Where::Room,
        KeyAction::Answer,
        &["a"],
        "answer",
        "answer the selected question, or the first open one",
    ),
    key(Where::Room, KeyAction::Vote, &["v"], "vote", "vote"),
    key(
        Where::Room,
        KeyAction::Turn,
        &["t"],
        "turn",
        "run one turn: ask the participants whose turn it is",
    ),
    key(
        Where::Room,
        KeyAction::Ask,
        &["T"],
        "",
        "ask participants a question: @alias and your question",
    ),
    key(Where::Room, KeyAction::Run, &["r"], "run", "run turn by turn until a person is needed"),
    key(Where::Room, KeyAction::Abort, &["s"], "stop", "stop the run; answers so far are kept"),
    key(
        Where::Room,
        KeyAction::Advance,
        &["p"],
        "phase",
        "go to the next phase, or to one you choose",
    ),
    key(Where::Room, KeyAction::Close, &["x"], "", "close or reopen the discussion"),
    key(Where::Room, KeyAction::EditFile, &["e"], "", "open the file in $EDITOR"),
    key(Where::Room, KeyAction::NextQuestion, &["n"], "", "go to the next open question"),
    key(Where::Room, KeyAction::LastQuestion, &["N"], "", "go to the previous open question"),
    key(
        Where::Room,
        KeyAction::Enter,
        &["Enter", "Right"],
        "",
        "show the selected item in the text",
    ),
    key(Where::Discussions, KeyAction::EditFile, &["e"], "", "open the file in $EDITOR"),
    key(
        Where::Everywhere,
        KeyAction::Filter,
        &["/"],
        "filter",
        "show only entries with these words",
    ),
    key(Where::Everywhere, KeyAction::Up, &["k", "Up"], "", "up"),
    key(Where::Everywhere, KeyAction::Down, &["j", "Down"], "", "down"),
    key(
        Where::Everywhere,
        KeyAction::PageDown,
        &["Space", "PageDown", "Ctrl+f"],
        "",
        "a page down",
    ),
    key(Where::Everywhere, KeyAction::PageUp, &["b", "PageUp", "Ctrl+b"], "", "a page up"),
    key(Where::Everywhere, KeyAction::Top, &["g", "Home"], "", "to the beginning"),
    key(Where::Everywhere, KeyAction::End, &["G", "End"], "", "to the end"),
    key(Where::Everywhere, KeyAction::NextPane, &["Tab"], "", "to the next pane"),
    key(Where::Everywhere, KeyAction::Pane(1), &["1"], "", "to pane 1; 2 to 5 likewise"),
    key(Where::Everywhere, KeyAction::Pane(2), &["2"], "", ""),
    key(Where::Everywhere, KeyAction::Pane(3), &["3"], "", ""),
    key(Where::Everywhere, KeyAction::Pane(4), &["4"], "", ""),
    key(Where::Everywhere, KeyAction::Pane(5), &["5"], "", ""),
    key(Where::Everywhere, KeyAction::Log, &["L"], "", "log of your actions, as commands"),
    key(
        Where::Everywhere,
        KeyAction::Back,
        &["Esc", "h", "Left"],
        "back",
        "back: leave the filter, pane or discussion",
    ),
    key(Where::Everywhere, KeyAction::Help, &["?"], "keys", "all keys"),
    key(Where::Everywhere, KeyAction::Quit, &["q"], "quit", "quit"),
];

/// Returns the action of a key in a pane.
pub(super) fn action(pane: Pane, pressed: KeyEvent) -> Option<KeyAction> {
    let name = name(pressed)?;
    let holds = |binding: &&Binding| binding.holds.holds(pane) && binding.keys.contains(&&*name);
    ALL.iter().find(holds).map(|binding| binding.action)
}

/// Returns the keys that the footer of a pane shows.
pub(super) fn footer(pane: Pane) -> impl Iterator<Item = &'static Binding> {
    ALL.iter().filter(move |binding| !binding.short.is_empty() && binding.holds.holds(pane))
}

/// Returns the name of a key in this table.
fn name(pressed: KeyEvent) -> Option<String> {
    let name = match pressed.code {
        KeyCode::Char(' ') => "Space".to_owned(),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::F(number) => format!("F{number}"),
        KeyCode::Enter => "Enter".to_owned(),
        KeyCode::Esc => "Esc".to_owned(),
        KeyCode::Tab => "Tab".to_owned(),
        KeyCode::Up => "Up".to_owned(),
        KeyCode::Down => "Down".to_owned(),
        KeyCode::Left => "Left".to_owned(),
        KeyCode::Right => "Right".to_owned(),
        KeyCode::Home => "Home".to_owned(),
        KeyCode::End => "End".to_owned(),
        KeyCode::PageUp => "PageUp".to_owned(),
        KeyCode::PageDown => "PageDown".to_owned(),
        _ => return None,
    };
    let is_held = pressed.modifiers.contains(KeyModifiers::CONTROL);
    Some(if is_held { format!("Ctrl+{name}") } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_meanings_in_one_pane() {
        for pane in Pane::ALL {
            let mut known: Vec<&str> = Vec::new();
            for binding in ALL.iter().filter(|binding| binding.holds.holds(pane)) {
                for key in binding.keys {
                    assert!(!known.contains(key), "{pane:?}: {key}");
                    known.push(key);
                }
            }
        }
    }
}
