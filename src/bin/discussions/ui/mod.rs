//! The screen: browse discussions, take part in one, see who can take part and what can answer.
//!
//! What happens is a [`Message`]; `update` changes the [`State`] by it and says what is to be done as [`Effect`]s; `view`
//! draws the state. Neither touches the world: that is done behind, beside the screen, and told as messages.

mod act;
mod behind;
mod browser;
mod editing;
mod keyboard;
mod keys;
mod meant;
mod message;
mod overlay;
mod paint;
mod panes;
mod room;
mod screen;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod update;
mod view;
mod words;

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anstream::ColorChoice;
use discussions::runner::RunRequest;
use ratatui::layout::Size;

use self::behind::Behind;
use self::keyboard::Keyboard;
use self::meant::Meant;
use self::message::{Effect, Message};
use self::screen::Screen;
use self::state::State;
use crate::cli::error::{Exit, Failure};
use crate::cli::interrupt;
use crate::cli::shell::Shell;
use crate::cli::surroundings::{Outside, knows_codes};
use crate::cli::verbs::ui::Args;

/// How often time is told to go on.
const TICK: Duration = Duration::from_secs(1);

/// How long what runs may take to stop after somebody left.
const STOPPING: Duration = Duration::from_secs(5);

/// Shows the screen until somebody leaves.
pub(crate) fn show(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let author = shell.author(&workspace, None)?;
    if let Some(provider) = &args.provider {
        workspace.insist_on_provider(provider)?;
    }
    let file = match &args.file {
        Some(file) => Some(workspace.name(&workspace.find(file)?)),
        None => None,
    };
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Failure::io("the screen needs a terminal").help(
            "use `discussions list` and `discussions show FILE`, or `discussions serve` for a browser",
        ));
    }
    let request =
        RunRequest { provider: args.provider, max_usd: args.max_usd, ..RunRequest::guarded() };
    let folder = workspace.shown(&workspace.output_directory());
    let mut state = State::new(folder, author, request, Size::new(80, 24));
    state.plain = !knows_codes() || ColorChoice::global() == ColorChoice::Never;
    let outside = shell.outside.clone();
    interrupt::finished(async move { run(state, file, outside) })?
        .map_err(|error| Failure::io(format!("cannot use the terminal: {error}")))?;
    Ok(Exit::Done)
}

/// Takes the terminal, and gives it back at the end.
fn run(mut state: State, file: Option<String>, outside: Outside) -> std::io::Result<()> {
    let (to, from) = channel();
    let mut screen = Screen::begin()?;
    state.size = screen.terminal.size()?;
    let keyboard = Keyboard::listen(to.clone())?;
    stop_on_signal(to.clone());
    let meant = Arc::new(Meant::default());
    let mut behind =
        Behind::new(outside.clone(), state.author.clone(), Arc::clone(&meant), to.clone());
    state.browser.reading = true;
    let mut effects = vec![Effect::List, Effect::People, Effect::Providers, Effect::Templates];
    if let Some(file) = file {
        effects.extend(update::open(&mut state, file));
    }
    let begun = Instant::now();
    loop {
        for effect in effects.drain(..) {
            match effect {
                Effect::Quit => {
                    settle(&state, &behind, &from);
                    return Ok(());
                }
                Effect::Edit(what) => {
                    let edited =
                        screen.lend(|| keyboard.lend(|| editing::edit(&outside, &meant, what)))?;
                    tell(&to, edited);
                    tell(&to, Message::Resize(screen.terminal.size()?));
                }
                effect => behind.perform(effect),
            }
        }
        screen.terminal.draw(|frame| view::view(&state, frame))?;
        let first = match from.recv_timeout(TICK) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        let now = Message::Tick(begun.elapsed());
        // What waits already is one change of the screen.
        for message in
            [now].into_iter().chain(first).chain(std::iter::from_fn(|| from.try_recv().ok()))
        {
            effects.extend(update::update(&mut state, message));
        }
    }
}

fn tell(to: &Sender<Message>, message: Message) {
    // The other end is ours.
    let _ = to.send(message);
}

/// Whoever closes the terminal or ends the program from outside leaves.
fn stop_on_signal(to: Sender<Message>) {
    interrupt::on_signal(move || tell(&to, Message::Stop));
}

/// Waits for what runs to stop, so that its programs end and its file is whole.
fn settle(state: &State, behind: &Behind, from: &Receiver<Message>) {
    behind.stop();
    let mut left = state.runs.len();
    let until = Instant::now() + STOPPING;
    while left > 0 {
        match from.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Message::Ended(..)) => left -= 1,
            Ok(_) => {}
            Err(_) => return,
        }
    }
}
