//! A folder with discussions, and a screen that performs its effects at once.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use discussions::runner::RunOptions;
use discussions::view::{Event, EventKind};
use discussions::workspace::{Search, Surroundings, Workspace};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use tempfile::TempDir;

use crate::ui::effects::act;
use crate::ui::message::{ActionError, Effect, Message};
use crate::ui::state::ScreenState;
use crate::ui::update::update;
use crate::ui::view::view;

/// A discussion with questions, tasks, votes and wide characters.
pub(super) const CACHING: &str = include_str!("caching.md");

/// The time at which all tests take place.
const NOW: &str = "2026-11-20T12:00:00Z";

/// A screen for a folder.
pub(super) struct Stage {
    pub(super) folder: TempDir,
    pub(super) state: ScreenState,
    /// The effects since the last call of `effects`.
    effects: Vec<Effect>,
}

impl Stage {
    /// Creates a folder with these discussions, and a screen of this size.
    pub(super) fn new(files: &[(&str, &str)], size: Size) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("discussions")).unwrap();
        let request = RunOptions::default();
        let state = ScreenState::new("discussions".to_owned(), "Rob".to_owned(), request, size);
        let mut stage = Self { folder, state, effects: Vec::new() };
        for (name, text) in files {
            stage.write(name, text);
        }
        for effect in [Effect::List, Effect::People, Effect::Templates] {
            stage.perform(effect);
        }
        stage.hear(Message::Tick(Duration::from_secs(5)));
        stage.effects();
        stage
    }

    /// Creates a folder with three discussions.
    pub(super) fn usual(size: Size) -> Self {
        let decided = "# Which queue?\n\n---\n\nName: Ann\n\nVOTE: READY\n\n---\n";
        let wide = "# 認証はどうするか？どのトークンを使うか\n\n---\n\nName: 花子\n\nQ: 期限は？ @rob\n\n---\n";
        Self::new(&[("caching", CACHING), ("queue", decided), ("auth", wide)], size)
    }

    /// Creates the usual folder and opens a discussion.
    pub(super) fn open(size: Size) -> Self {
        let mut stage = Self::usual(size);
        let effects = crate::ui::update::open(&mut stage.state, "caching".to_owned());
        stage.take(effects);
        stage.effects();
        stage
    }

    /// Writes a discussion's file, as another program would.
    pub(super) fn write(&mut self, name: &str, text: &str) {
        let path = self.folder.path().join(format!("discussions/{name}.md"));
        fs::write(&path, text).unwrap();
        // The times differ by minutes, so that the order is always the same.
        let minutes = 60 * name.len() as u64;
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000 + minutes);
        fs::File::options().write(true).open(&path).unwrap().set_modified(at).unwrap();
    }

    /// Returns the text of a discussion's file.
    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(format!("discussions/{name}.md"))).unwrap()
    }

    pub(super) fn workspace(&self) -> Arc<Workspace> {
        let vars = vec![("DISCUSSIONS_NOW".into(), NOW.into())];
        let folder = self.folder.path().to_owned();
        let surroundings = Surroundings::new(folder, vars, None, std::env::temp_dir());
        Arc::new(Workspace::open(surroundings).unwrap())
    }

    /// Sends a message, and performs its effects at once.
    pub(super) fn hear(&mut self, message: Message) {
        let effects = update(&mut self.state, message);
        self.take(effects);
    }

    /// Presses keys; their names are separated by blanks.
    pub(super) fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            let (key, modifiers) = match key.strip_prefix("Ctrl+") {
                Some(key) => (key, KeyModifiers::CONTROL),
                None => (key, KeyModifiers::NONE),
            };
            let code = match key {
                "Enter" => KeyCode::Enter,
                "Esc" => KeyCode::Esc,
                "Tab" => KeyCode::Tab,
                "Up" => KeyCode::Up,
                "Down" => KeyCode::Down,
                "Space" => KeyCode::Char(' '),
                "Backspace" => KeyCode::Backspace,
                "PageDown" => KeyCode::PageDown,
                "PageUp" => KeyCode::PageUp,
                key => KeyCode::Char(key.chars().next().unwrap()),
            };
            self.hear(Message::Key(KeyEvent::new(code, modifiers)));
        }
    }

    /// Types a text.
    pub(super) fn types(&mut self, text: &str) {
        for c in text.chars() {
            self.hear(Message::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
        }
    }

    /// Sends an event of the discussion's run.
    pub(super) fn event(&mut self, who: Option<&str>, kind: EventKind) {
        let (file, at) = ("discussions/caching.md".to_owned(), NOW.to_owned());
        let participant = who.map(str::to_owned);
        let event = Event { event: kind.name(), file, at, round: None, participant, kind };
        self.hear(Message::Told("caching".to_owned(), Box::new(event)));
    }

    /// Returns the effects since the last call of this function.
    pub(super) fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Sends the current state of the discussion, as following it would.
    pub(super) fn follow(&mut self) {
        let Some(file) = self.state.room.as_ref().map(|room| room.file.clone()) else { return };
        let seen = self
            .workspace()
            .discussions()
            .show(Path::new(&file))
            .map(Box::new)
            .map_err(ActionError::from);
        self.hear(Message::Seen(file, seen));
    }

    /// Returns the text on the screen.
    pub(super) fn screen(&self) -> String {
        let buffer = self.draw();
        let columns = usize::from(buffer.area.width);
        let mut out = String::new();
        for row in buffer.content.chunks(columns) {
            let mut skip = 0;
            let mut line = String::new();
            for cell in row {
                if skip == 0 {
                    line.push_str(cell.symbol());
                    skip = unicode_width::UnicodeWidthStr::width(cell.symbol());
                }
                skip = skip.saturating_sub(1);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// Returns the drawn buffer.
    pub(super) fn draw(&self) -> Buffer {
        let Size { width, height } = self.state.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| view(&self.state, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.effects.push(effect.clone());
            self.perform(effect);
        }
    }

    fn perform(&mut self, effect: Effect) {
        let workspace = self.workspace();
        match effect {
            Effect::List => {
                let list =
                    workspace.discussions().list(None).map(Box::new).map_err(ActionError::from);
                self.hear(Message::Listed(list, Duration::ZERO));
            }
            Effect::People => {
                self.hear(Message::People(Box::new(workspace.participants().list_participants())))
            }
            Effect::Define(alias) => {
                let one = workspace.participants().participant(&alias).unwrap();
                self.hear(Message::Defined(Box::new(one)));
            }
            Effect::Templates => self.hear(Message::Templates(workspace.templates())),
            Effect::Search(words) => {
                let search = Search { words: words.clone(), limit: 100, ..Search::default() };
                let found = workspace
                    .discussions()
                    .search(&search)
                    .map(Box::new)
                    .map_err(ActionError::from);
                self.hear(Message::Found(words, found));
            }
            Effect::Open(_) => self.follow(),
            Effect::Act(wanted) => {
                let line = wanted.line();
                self.hear(match act(&workspace, "Rob", wanted) {
                    Ok(done) => Message::Done(done),
                    Err(refused) => Message::Refused(refused.of(line)),
                });
                self.follow();
            }
            _ => {}
        }
    }
}
