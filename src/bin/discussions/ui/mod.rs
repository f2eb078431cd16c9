//! The screen in the terminal: browse discussions, take part in one, manage participants and providers.
//!
//! Every event is a [`Message`]; `update` changes the [`ScreenState`] and returns the necessary work as [`Effect`]s;
//! `view` draws the state. `update` and `view` do no input or output: [`Behind`] performs the effects in the background
//! and sends messages.

mod effects;
mod keys;
mod lists;
mod message;
mod paint;
mod panes;
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
use discussions::runner::RunOptions;
use ratatui::layout::Size;

use self::effects::{Behind, Meant};
use self::message::{Effect, Message};
use self::screen::{Keyboard, Screen};
use self::state::ScreenState;
use crate::cli::environment::{HostEnvironment, knows_codes};
use crate::cli::error::{CommandError, Exit};
use crate::cli::interrupt;
use crate::cli::shell::Shell;
use crate::cli::verbs::ui::Args;

/// The interval of clock ticks.
const TICK: Duration = Duration::from_secs(1);

/// The maximum time for runs to stop after the user quits.
const STOPPING: Duration = Duration::from_secs(5);

/// Shows the screen until the user quits.
pub(crate) fn show(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let author = shell.author(&workspace, None)?;
    if let Some(provider) = &args.provider {
        workspace.providers().insist_on_provider(provider)?;
    }
    let file = match &args.file {
        Some(file) => Some(workspace.name(&workspace.find(file)?)),
        None => None,
    };
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(CommandError::io("the screen needs a terminal").help(
            "use `discussions list` and `discussions show FILE`, or `discussions serve` for a browser",
        ));
    }
    let request = RunOptions {
        provider: args.provider,
        max_usd: args.max_usd,
        ..RunOptions::with_default_limits()
    };
    let folder = workspace.shown_path(&workspace.output_directory());
    let mut state = ScreenState::new(folder, author, request, Size::new(80, 24));
    state.plain = !knows_codes() || ColorChoice::global() == ColorChoice::Never;
    let outside = shell.outside.clone();
    interrupt::finished(async move { run(state, file, outside) })?
        .map_err(|error| CommandError::io(format!("cannot use the terminal: {error}")))?;
    Ok(Exit::Done)
}

/// Takes over the terminal, and restores it at the end.
fn run(
    mut state: ScreenState,
    file: Option<String>,
    outside: HostEnvironment,
) -> std::io::Result<()> {
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
                        screen.lend(|| keyboard.lend(|| screen::edit(&outside, &meant, what)))?;
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
        // All waiting messages are handled before the screen is drawn again.
        for message in
            [now].into_iter().chain(first).chain(std::iter::from_fn(|| from.try_recv().ok()))
        {
            effects.extend(update::update(&mut state, message));
        }
    }
}

fn tell(to: &Sender<Message>, message: Message) {
    // The receiver lives in this program, so a failed send can be ignored.
    let _ = to.send(message);
}

/// Quits when the terminal is closed or the program is ended from outside.
fn stop_on_signal(to: Sender<Message>) {
    interrupt::on_signal(move || tell(&to, Message::Stop));
}

/// Waits until all runs have stopped, so that their programs end and their files are complete.
fn settle(state: &ScreenState, behind: &Behind, from: &Receiver<Message>) {
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
