//! A live line for each participant while they think, and a plain one where nobody watches.

use std::collections::HashMap;
use std::time::Duration;

use anstyle::AnsiColor;
use discussions::transcript::visible;
use discussions::view::{CallOutcome, Event, EventKind};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::cli::live_lines;
use crate::cli::snippet::last_words;
use crate::cli::ui::{Line, Ui};

/// How often a live line is drawn.
const TICK: Duration = Duration::from_millis(120);
/// How much of the end of an answer is kept, in characters.
const KEPT: usize = 400;
/// How much of it is shown where nobody knows how wide the terminal is.
const SHOWN: usize = 80;
/// Columns of a live line for spinner, time and the blanks between.
const AROUND: usize = 10;

/// Tells people what happens.
pub(crate) struct Progress {
    bars: Option<MultiProgress>,
    speakers: HashMap<String, Speaker>,
    phase: Option<String>,
    /// Reasons of failures that stand on the screen already, each with who failed so first.
    told: HashMap<String, String>,
}

struct Speaker {
    name: String,
    text: String,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Live lines only where somebody watches.
    pub(crate) fn new(ui: &Ui) -> Self {
        let bars = ui.draws().then(|| MultiProgress::with_draw_target(live_lines::target()));
        Self { bars, speakers: HashMap::new(), phase: None, told: HashMap::new() }
    }

    /// Tells of one event.
    pub(crate) fn tell(&mut self, event: &Event, ui: &mut Ui) {
        let who = event.participant.as_deref().unwrap_or_default();
        match &event.kind {
            EventKind::TurnStart { phase, .. } => self.round(phase, ui),
            EventKind::AnswerStart { name, provider, .. } => self.start(who, name, provider, ui),
            EventKind::AnswerChunk { text } => self.chunk(who, text, ui),
            EventKind::AnswerEnd { provider, outcome, ms, notes, .. } => {
                self.end(who, provider, outcome, *ms, ui);
                let name = self.name(who);
                for note in notes {
                    self.line(Line::default().faint(format!("  {name}: {note}")), ui);
                }
            }
            // Whoever is still thinking is not waited for any more.
            EventKind::DiscussionEnd { .. } | EventKind::Error { .. } | EventKind::Aborted {} => {
                self.clear();
            }
            EventKind::DiscussionStart {}
            | EventKind::RoundStart {}
            | EventKind::RoundEnd { .. }
            | EventKind::TurnEnd { .. }
            | EventKind::ConsensusStart {}
            | EventKind::Comment { .. }
            | EventKind::Phase { .. }
            | EventKind::Status { .. }
            | EventKind::Rewritten {}
            | EventKind::Vote { .. }
            | EventKind::Consensus { .. } => {}
        }
    }

    fn round(&mut self, phase: &str, ui: &mut Ui) {
        if self.phase.as_deref().is_some_and(|known| known != phase) {
            self.line(Line::default().text("Advanced to phase: ").strong(phase), ui);
        }
        self.phase = Some(phase.to_owned());
    }

    fn start(&mut self, alias: &str, name: &str, provider: &str, ui: &mut Ui) {
        let bar = self.bars.as_ref().map(|bars| {
            let bar = bars.add(ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("{spinner} {prefix} {elapsed}  {wide_msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.set_prefix(visible(&format!("Invoking {name}... {provider}")).into_owned());
            bar.enable_steady_tick(TICK);
            bar
        });
        if bar.is_none() {
            ui.step(format!("Invoking {name}..."));
        }
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
            let room = ui.width().map_or(SHOWN, |width| width.saturating_sub(before));
            bar.set_message(visible(&last_words(&speaker.text, room)).into_owned());
        }
    }

    fn end(&mut self, alias: &str, provider: &str, outcome: &CallOutcome, ms: u64, ui: &mut Ui) {
        let name = self.name(alias);
        let seconds = Duration::from_millis(ms).as_secs_f64();
        if let Some(bar) = self.speakers.get_mut(alias).and_then(|speaker| speaker.bar.take()) {
            bar.finish_and_clear();
            let done = format!("Invoking {name}... {provider} {seconds:.1} s  ");
            let vote = match outcome {
                CallOutcome::Answered { vote: Some(vote) } => vote.to_string(),
                CallOutcome::Answered { vote: None } => "answered".to_owned(),
                CallOutcome::Passed {} | CallOutcome::Failed { .. } => outcome.as_str().to_owned(),
            };
            self.line(Line::default().text(done).strong(vote), ui);
        }
        match outcome {
            CallOutcome::Answered { .. } => {}
            CallOutcome::Passed {} => self.line(format!("{name} has nothing to add.").into(), ui),
            CallOutcome::Failed { error } => {
                let warning = Line::default().colour(AnsiColor::Yellow, "warning");
                let (code, message) = (&error.code, &error.message);
                // One reason is told once, however many it keeps from answering.
                let reason = format!("{provider}\n{message}");
                let text = match self.told.get(&reason) {
                    Some(first) => format!(": {name} could not answer ({code}), as {first}"),
                    None => format!(": {name} could not answer ({code}): {message}"),
                };
                self.told.entry(reason).or_insert_with(|| name.clone());
                self.warn(warning.text(text), ui);
            }
        }
    }

    /// Takes all live lines off the screen.
    fn clear(&mut self) {
        for bar in self.speakers.values_mut().filter_map(|speaker| speaker.bar.take()) {
            bar.finish_and_clear();
        }
    }

    fn name(&self, alias: &str) -> String {
        self.speakers.get(alias).map_or_else(|| alias.to_string(), |known| known.name.clone())
    }

    /// A line above the live ones.
    fn line(&self, line: Line, ui: &mut Ui) {
        self.above(|ui| ui.step(line), ui);
    }

    /// Something above the live ones that is worth knowing, however little is shown of who thinks.
    pub(crate) fn notice(&self, line: Line, ui: &mut Ui) {
        self.above(|ui| ui.note(line), ui);
    }

    /// Something above the live ones that nobody may miss.
    pub(crate) fn warn(&self, line: Line, ui: &mut Ui) {
        self.above(|ui| ui.insist(line), ui);
    }

    /// Writes something above the live lines.
    fn above(&self, write: impl FnOnce(&mut Ui), ui: &mut Ui) {
        match &self.bars {
            Some(bars) => bars.suspend(|| write(ui)),
            None => write(ui),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
