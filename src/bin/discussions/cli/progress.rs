//! What is told while participants are asked: a live line for each who thinks, and one that stays for each who is done.

use std::collections::HashMap;
use std::time::Duration;

use anstyle::AnsiColor;
use discussions::transcript::visible;
use discussions::view::{CallOutcome, Event, EventKind};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::cli::answer_line::Answer;
use crate::cli::colours::Colours;
use crate::cli::live_lines;
use crate::cli::snippet::last_words;
use crate::cli::sum::Sum;
use crate::cli::ui::{Line, Ui};

/// How often a live line is drawn.
const TICK: Duration = Duration::from_millis(120);
/// How much of the end of an answer is kept, in characters.
const KEPT: usize = 400;
/// How much of it is shown where nobody knows how wide the terminal is.
const SHOWN: usize = 80;
/// Columns of a live line for spinner, time and the blanks between.
const AROUND: usize = 10;

/// How much of an answer is told when it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Nothing but what went wrong.
    Nothing,
    /// Its first sentences.
    Begin,
    /// All of it.
    All,
}

/// Tells people what happens.
pub(crate) struct Progress {
    bars: Option<MultiProgress>,
    detail: Detail,
    colours: Colours,
    speakers: HashMap<String, Speaker>,
    turn: Option<Turn>,
    sum: Sum,
    /// Reasons of failures that stand on the screen already, each with who failed so first.
    told: HashMap<String, String>,
}

struct Speaker {
    name: String,
    text: String,
    bar: Option<ProgressBar>,
}

/// The turn that is asked now.
struct Turn {
    /// The phase's title and the turn's number.
    words: String,
    asked: usize,
    done: usize,
    bar: Option<ProgressBar>,
    /// Its heading stands above the live lines.
    is_told: bool,
}

impl Progress {
    /// Live lines only where somebody watches who wants to see them.
    pub(crate) fn new(ui: &Ui, detail: Detail, colours: Colours) -> Self {
        let detail = if ui.shows_steps() { detail } else { Detail::Nothing };
        let live = detail != Detail::Nothing && ui.may_redraw();
        let bars = live.then(|| MultiProgress::with_draw_target(live_lines::target()));
        Self {
            bars,
            detail,
            colours,
            speakers: HashMap::new(),
            turn: None,
            sum: Sum::default(),
            told: HashMap::new(),
        }
    }

    /// Calls, time and money of all that was told.
    pub(crate) fn sum(&self) -> &Sum {
        &self.sum
    }

    /// Tells of one event.
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
            // Whoever is still thinking is not waited for any more.
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
        let turn = Turn { words: words.to_owned(), asked, done: 0, bar, is_told: false };
        turn.count();
        self.turn = Some(turn);
    }

    /// The turn's heading, once.
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
        self.speakers
            .insert(alias.to_owned(), Speaker { name: name.to_owned(), text: String::new(), bar });
    }

    fn chunk(&mut self, alias: &str, text: &str, ui: &Ui) {
        let Some(speaker) = self.speakers.get_mut(alias) else { return };
        speaker.text.push_str(text);
        let over = speaker.text.chars().count().saturating_sub(KEPT);
        if over > 0 {
            speaker.text = speaker.text.chars().skip(over).collect();
        }
        if let Some(bar) = &speaker.bar {
            // What does not fit is left out at its beginning, not where something is said just now.
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
            self.above(|ui| lines.into_iter().for_each(|line| ui.note(line)), ui);
        }
        if let CallOutcome::Failed { error } = answer.outcome {
            let (name, code, message) = (answer.name, &error.code, &error.message);
            // One reason is told once, however many it keeps from answering.
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

    /// Takes all live lines off the screen.
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

    /// A line above the live ones, unless nobody wants to know who thinks.
    pub(crate) fn line(&self, line: Line, ui: &mut Ui) {
        if self.detail != Detail::Nothing {
            self.notice(line, ui);
        }
    }

    /// Something above the live ones that is worth knowing, however little is shown of who thinks.
    pub(crate) fn notice(&self, line: Line, ui: &mut Ui) {
        self.above(|ui| ui.note_wrapped(line), ui);
    }

    /// Something above the live ones that nobody may miss.
    pub(crate) fn warn(&self, line: Line, ui: &mut Ui) {
        self.above(|ui| ui.insist_wrapped(line), ui);
    }

    /// Writes something above the live lines.
    fn above(&self, write: impl FnOnce(&mut Ui), ui: &mut Ui) {
        match &self.bars {
            Some(bars) => bars.suspend(|| write(ui)),
            None => write(ui),
        }
    }
}

impl Turn {
    /// Says how many are done, where they are several.
    fn count(&self) {
        let Some(bar) = &self.bar else { return };
        let words = visible(&self.words).into_owned();
        bar.set_message(match self.asked {
            0 | 1 => words,
            asked => format!("{words} · {} of {asked}", self.done),
        });
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
