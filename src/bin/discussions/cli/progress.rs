//! Progress of a turn: a live line for each participant that is answering, and a permanent one for each answer. Live
//! lines leave space at their end for characters that the terminal echoes.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anstyle::AnsiColor;
use dialoguer::console::Term;
use discussions::view::{CallOutcome, Event, EventKind, visible};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::cli::amounts::RunTotals;
use crate::cli::colours::Colours;
use crate::cli::snippet::{Answer, last_words};
use crate::cli::ui::{Line, Ui};

/// The time between two redraws of a live line.
const TICK: Duration = Duration::from_millis(120);
/// The number of characters that are kept from the end of an answer.
const KEPT: usize = 400;
/// The number of characters that are shown if the width of the terminal is unknown.
const SHOWN: usize = 80;
/// The columns of a live line for the spinner, the time and the blanks between.
const AROUND: usize = 10;

/// The part of an answer that is printed when it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Nothing but failures.
    Nothing,
    /// The first sentences.
    Begin,
    /// The whole answer.
    All,
}

/// Reports events to people.
pub(crate) struct ProgressLines {
    bars: Option<MultiProgress>,
    detail: Detail,
    colours: Colours,
    speakers: HashMap<String, ProgressSpeaker>,
    turn: Option<ProgressTurn>,
    sum: RunTotals,
    /// Reasons of failures that were already printed, each with the first participant that failed for it.
    told: HashMap<String, String>,
}

struct ProgressSpeaker {
    name: String,
    text: String,
    bar: Option<ProgressBar>,
}

/// The current turn.
struct ProgressTurn {
    /// The phase's title and the turn's number.
    words: String,
    asked: usize,
    done: usize,
    bar: Option<ProgressBar>,
    /// The heading was printed above the live lines.
    is_told: bool,
}

impl ProgressLines {
    /// Uses live lines only if a user watches the terminal and wants progress.
    pub(crate) fn new(ui: &Ui, detail: Detail, colours: Colours) -> Self {
        let detail = if ui.shows_steps() { detail } else { Detail::Nothing };
        let live = detail != Detail::Nothing && ui.may_redraw();
        let bars = live.then(|| MultiProgress::with_draw_target(live_target()));
        Self {
            bars,
            detail,
            colours,
            speakers: HashMap::new(),
            turn: None,
            sum: RunTotals::default(),
            told: HashMap::new(),
        }
    }

    /// Returns the calls, time and money of all reported events.
    pub(crate) fn sum(&self) -> &RunTotals {
        &self.sum
    }

    /// Reports one event.
    pub(crate) fn tell(&mut self, event: &Event, ui: &mut Ui) {
        self.sum.add(event);
        let who = event.participant.as_deref().unwrap_or_default();
        match &event.kind {
            EventKind::TurnStart { turn, title, asks, .. } => {
                self.begin(&format!("{title} · turn {turn}"), asks.len());
            }
            EventKind::AnswerStart { name, provider, .. } => {
                if self.bars.is_none() {
                    self.heading(ui);
                }
                self.start(who, name, provider);
            }
            EventKind::AnswerChunk { text } => self.chunk(who, text, ui),
            EventKind::AnswerEnd { provider, outcome, ms, usd, estimated, text, notes, .. } => {
                let name = self.name(who);
                let (usd, estimated) = (*usd, *estimated);
                let answer =
                    Answer { name: &name, provider, outcome, ms: *ms, usd, estimated, text };
                self.end(who, &answer, ui);
                for note in notes {
                    self.line(Line::default().faint(format!("  {name}: {note}")), ui);
                }
            }
            EventKind::Note { message } => {
                self.notice(Line::hint("note", message.as_str()), ui);
            }
            // The run no longer waits for participants that are still answering.
            EventKind::TurnEnd { .. }
            | EventKind::DiscussionEnd { .. }
            | EventKind::Error { .. }
            | EventKind::Aborted {} => self.clear(),
            EventKind::DiscussionStart { .. }
            | EventKind::RoundStart {}
            | EventKind::RoundEnd { .. }
            | EventKind::ConsensusStart {}
            | EventKind::Comment { .. }
            | EventKind::Phase { .. }
            | EventKind::Status { .. }
            | EventKind::Rewritten {}
            | EventKind::Vote { .. }
            | EventKind::Consensus { .. } => {}
        }
    }

    fn begin(&mut self, words: &str, asked: usize) {
        self.clear();
        let bar = self.bars.as_ref().map(|bars| {
            let bar = bars.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        let turn = ProgressTurn { words: words.to_owned(), asked, done: 0, bar, is_told: false };
        turn.count();
        self.turn = Some(turn);
    }

    /// Prints the heading of the turn, once.
    fn heading(&mut self, ui: &mut Ui) {
        let Some(turn) = self.turn.as_mut().filter(|turn| !turn.is_told) else { return };
        turn.is_told = true;
        let heading = Line::default().strong(turn.words.as_str());
        self.line(heading, ui);
    }

    fn start(&mut self, alias: &str, name: &str, provider: &str) {
        let bar = self.bars.as_ref().map(|bars| {
            let bar = bars.add(ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("{spinner} {prefix}  {elapsed}  {wide_msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.set_prefix(visible(&format!("{name}  {provider}")).into_owned());
            bar.enable_steady_tick(TICK);
            bar
        });
        self.speakers.insert(
            alias.to_owned(),
            ProgressSpeaker { name: name.to_owned(), text: String::new(), bar },
        );
    }

    fn chunk(&mut self, alias: &str, text: &str, ui: &Ui) {
        let Some(speaker) = self.speakers.get_mut(alias) else { return };
        speaker.text.push_str(text);
        let over = speaker.text.chars().count().saturating_sub(KEPT);
        if over > 0 {
            speaker.text = speaker.text.chars().skip(over).collect();
        }
        if let Some(bar) = &speaker.bar {
            // A long text is cut at its beginning, so that the newest words stay visible.
            let before = bar.prefix().chars().count() + AROUND;
            let room = ui.width_beside().map_or(SHOWN, |width| width.saturating_sub(before));
            bar.set_message(visible(&last_words(&speaker.text, room)).into_owned());
        }
    }

    fn end(&mut self, alias: &str, answer: &Answer<'_>, ui: &mut Ui) {
        if let Some(bar) = self.speakers.get_mut(alias).and_then(|speaker| speaker.bar.take()) {
            bar.finish_and_clear();
        }
        if let Some(turn) = &mut self.turn {
            turn.done += 1;
            turn.count();
        }
        if self.detail != Detail::Nothing {
            self.heading(ui);
            let all = self.detail == Detail::All;
            let lines = answer.lines(&self.colours, ui.width_beside(), all);
            self.write_above(|ui| lines.into_iter().for_each(|line| ui.note(line)), ui);
        }
        if let CallOutcome::Failed { error } = answer.outcome {
            let (name, code, message) = (answer.name, &error.code, &error.message);
            // A reason is printed in full once, even if it affects several participants.
            let reason = format!("{}\n{message}", answer.provider);
            let text = match self.told.get(&reason) {
                Some(first) if first == name => {
                    format!(": {name} could not answer ({code}), for the same reason as before")
                }
                Some(first) => {
                    format!(": {name} could not answer ({code}), for the same reason as {first}")
                }
                None => format!(": {name} could not answer ({code}): {message}"),
            };
            self.told.entry(reason).or_insert_with(|| name.to_owned());
            let warning = Line::default().colour(AnsiColor::Yellow, "warning").text(text);
            self.warn(warning, ui);
        }
    }

    /// Removes all live lines from the screen.
    fn clear(&mut self) {
        for bar in self.speakers.values_mut().filter_map(|speaker| speaker.bar.take()) {
            bar.finish_and_clear();
        }
        if let Some(bar) = self.turn.as_mut().and_then(|turn| turn.bar.take()) {
            bar.finish_and_clear();
        }
    }

    fn name(&self, alias: &str) -> String {
        self.speakers.get(alias).map_or_else(|| alias.to_string(), |known| known.name.clone())
    }

    /// Prints a line above the live ones, unless the user wants no progress.
    pub(crate) fn line(&self, line: Line, ui: &mut Ui) {
        if self.detail != Detail::Nothing {
            self.notice(line, ui);
        }
    }

    /// Prints a notice above the live lines, even if the user wants no progress.
    pub(crate) fn notice(&self, line: Line, ui: &mut Ui) {
        self.write_above(|ui| ui.note_wrapped(line), ui);
    }

    /// Prints a warning above the live lines, even with `--quiet`.
    pub(crate) fn warn(&self, line: Line, ui: &mut Ui) {
        self.write_above(|ui| ui.insist_wrapped(line), ui);
    }

    /// Writes above the live lines.
    fn write_above(&self, write: impl FnOnce(&mut Ui), ui: &mut Ui) {
        match &self.bars {
            Some(bars) => bars.suspend(|| write(ui)),
            None => write(ui),
        }
    }
}

impl ProgressTurn {
    /// Shows the number of answers so far, if the turn asks several participants.
    fn count(&self) {
        let Some(bar) = &self.bar else { return };
        let words = visible(&self.words).into_owned();
        bar.set_message(match self.asked {
            0 | 1 => words,
            asked => format!("{words} · {} of {asked}", self.done),
        });
    }
}

impl Drop for ProgressLines {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The number of columns that stay free, because a terminal shows Ctrl-C as `^C`.
const ROOM: u16 = 3;
/// The maximum number of redraws per second.
const HERTZ: u8 = 20;

/// Standard error, drawn so that an echo never reaches the next line.
///
/// The progress library fills each line up to the edge, and relies on the terminal's wrapping to begin the next one. A
/// `^C` would then move all lines down, and the first live line would never be removed.
#[derive(Debug)]
struct LiveLines {
    term: Term,
    /// The line is written, so the next one must begin below it.
    ended: AtomicBool,
}

/// Returns standard error as a target for live lines.
fn live_target() -> ProgressDrawTarget {
    let lines = LiveLines { term: Term::buffered_stderr(), ended: AtomicBool::new(false) };
    ProgressDrawTarget::term_like_with_hz(Box::new(lines), HERTZ)
}

impl LiveLines {
    fn begin_line(&self) -> io::Result<()> {
        if self.ended.swap(false, Ordering::Relaxed) { self.term.write_str("\n") } else { Ok(()) }
    }

    /// Drops the pending line end and returns the terminal, for callers that move the cursor themselves.
    fn stay(&self) -> &Term {
        self.ended.store(false, Ordering::Relaxed);
        &self.term
    }
}

impl TermLike for LiveLines {
    fn width(&self) -> u16 {
        self.term.size().1.saturating_sub(ROOM).max(1)
    }

    fn height(&self) -> u16 {
        self.term.size().0
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.stay().move_cursor_left(n)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.begin_line()?;
        self.term.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text.bytes().all(|byte| byte == b' ') {
            self.ended.store(true, Ordering::Relaxed);
            return Ok(());
        }
        self.begin_line()?;
        self.term.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.stay().clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.stay().flush()
    }
}
