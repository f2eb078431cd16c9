//! Control lines: what the program records beside the comments.

use std::fmt::Write as _;

use super::entry::Time;
use super::fields::{Fields, quote};
use super::name::Alias;
use super::time;

/// A control line that stands between comments.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// A turn begins.
    Turn(TurnLine),
    /// A participant had nothing to say.
    Pass(Pass),
    /// A participant could not answer.
    Failed(Failed),
    /// A phase begins.
    Phase(PhaseLine),
    /// Votes before this line no longer count.
    VoteReset,
    /// The discussion was closed or opened again.
    Status(StatusLine),
}

/// `TURN: 3, asks: [..]`: whom the runner asks, written before the first call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnLine {
    /// Counted from 1; merges may repeat numbers, so position decides what belongs to it.
    pub number: u32,
    /// Who is asked once each.
    pub asks: Vec<Alias>,
    /// When it began.
    pub at: Option<Time>,
    /// The question of whoever started the turn.
    pub ask: Option<String>,
    /// The turn answers mentions and is not one of the phase's own.
    pub mentions: bool,
    /// The turn repeats one in which too few answered.
    pub again: bool,
}

/// Tokens of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
    /// Not reported but estimated; written `~`.
    pub estimated: bool,
}

/// Money of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usd {
    /// US dollars.
    pub amount: f64,
    /// Not reported but estimated; written `~`.
    pub estimated: bool,
}

/// What an answer, a pass or a failure cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spent {
    /// The provider that was used last.
    pub provider: Option<String>,
    /// The model that the provider reports.
    pub model: Option<String>,
    /// Milliseconds from the first call's start to the end.
    pub ms: Option<u64>,
    /// Tokens over all calls.
    pub tokens: Option<Tokens>,
    /// Money over all calls.
    pub usd: Option<Usd>,
    /// How many calls it took; absent is one.
    pub calls: Option<u32>,
}

/// `REPLY`, directly below `Name:`: the comment is a model's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The number of the turn it answers.
    pub turn: Option<u32>,
    /// When it was recorded.
    pub at: Option<Time>,
    /// What it cost.
    pub spent: Spent,
}

/// `PASS`: asked, and nothing to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Who passed.
    pub who: Alias,
    /// The number of the turn.
    pub turn: Option<u32>,
    /// When it was recorded.
    pub at: Option<Time>,
    /// What it cost.
    pub spent: Spent,
}

/// `FAILED`: asked, and no answer could be had.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// Who could not answer.
    pub who: Alias,
    /// The number of the turn.
    pub turn: Option<u32>,
    /// When it was recorded.
    pub at: Option<Time>,
    /// What kind of failure it was, a stable word.
    pub code: String,
    /// Whether asking again may help.
    pub retryable: bool,
    /// The real error, for people.
    pub message: String,
    /// What it cost.
    pub spent: Spent,
}

/// `PHASE: id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseLine {
    /// The phase's id.
    pub id: String,
    /// The person who chose it; absent when the runner advanced.
    pub by: Option<String>,
}

/// `STATUS: CLOSED` or `STATUS: OPEN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// What it is from now on.
    pub status: StatusWord,
    /// The person who said so.
    pub by: Option<String>,
}

/// The two states that are written; the others are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusWord {
    /// Opened again.
    Open,
    /// Closed by a person.
    Closed,
}

/// `RESTORED`, directly below `Name:`: the comment had been dropped and was put back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The phase in which it was first said.
    pub phase: Option<String>,
    /// The turn that it answered.
    pub turn: Option<u32>,
}

/// `SUMMARY`, directly below `Name:`: the comment sums up what stands above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The turn up to which it sums up.
    pub turn: Option<u32>,
}

/// A line that counts only directly below `Name:`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Below {
    Reply(Reply),
    Restored(Restored),
    Summary(Summary),
}

/// Whether a line is one that ends the comment it stands in: it is, or ends in a blank and, `<!-- TORN -->`.
pub(super) fn is_torn(line: &str) -> bool {
    line.strip_suffix(TORN).is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t']))
}

/// The mark of a cut or unclosed comment.
pub(super) const TORN: &str = "<!-- TORN -->";

/// What a line says when it has the form of a control line.
#[derive(Debug)]
pub(super) enum Reading {
    /// It is one.
    Control(Control),
    /// It has the form and the word of one, but its values cannot be read.
    Malformed(&'static str),
}

fn split(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix("<!-- ")?.trim_end_matches([' ', '\t']).strip_suffix("-->")?;
    let inner = inner.strip_suffix([' ', '\t'])?.trim_end_matches([' ', '\t']);
    let end = inner.find([' ', ':']).unwrap_or(inner.len());
    Some((&inner[..end], inner[end..].trim_start_matches([' ', '\t'])))
}

/// Reads a line between comments.
pub(super) fn read_control(line: &str) -> Option<Reading> {
    let (word, rest) = split(line)?;
    let (reading, word) = match word {
        "TURN" => (turn(rest), "TURN"),
        "PASS" => (pass(rest), "PASS"),
        "FAILED" => (failed(rest), "FAILED"),
        "PHASE" => (phase(rest), "PHASE"),
        "STATUS" => (status(rest), "STATUS"),
        "VOTE-RESET" => (rest.is_empty().then_some(Control::VoteReset), "VOTE-RESET"),
        _ => return None,
    };
    Some(reading.map_or(Reading::Malformed(word), Reading::Control))
}

/// Reads a line directly below `Name:`.
pub(super) fn read_below(line: &str) -> Option<Below> {
    let (word, rest) = split(line)?;
    let fields = Fields::parse(rest)?;
    match word {
        "REPLY" => Some(Below::Reply(Reply {
            turn: fields.read("turn").ok()?,
            at: at(&fields)?,
            spent: spent(&fields),
        })),
        "RESTORED" => Some(Below::Restored(Restored {
            phase: fields.text("phase").map(str::to_owned),
            turn: fields.read("turn").ok()?,
        })),
        "SUMMARY" => Some(Below::Summary(Summary { turn: fields.read("turn").ok()? })),
        _ => None,
    }
}

fn turn(rest: &str) -> Option<Control> {
    let (number, fields) = Fields::headed(rest)?;
    let asks = fields.list("asks")?.iter().map(|alias| Alias::parse(alias).ok());
    Some(Control::Turn(TurnLine {
        number: number.parse().ok()?,
        asks: asks.collect::<Option<_>>()?,
        at: at(&fields)?,
        ask: fields.text("ask").map(str::to_owned),
        mentions: fields.flag("mentions"),
        again: fields.flag("again"),
    }))
}

fn pass(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    Some(Control::Pass(Pass {
        who: Alias::parse(fields.text("who")?).ok()?,
        turn: fields.read("turn").ok()?,
        at: at(&fields)?,
        spent: spent(&fields),
    }))
}

fn failed(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    Some(Control::Failed(Failed {
        who: Alias::parse(fields.text("who")?).ok()?,
        turn: fields.read("turn").ok()?,
        at: at(&fields)?,
        code: fields.text("code").unwrap_or("failed").to_owned(),
        retryable: fields.flag("retryable"),
        message: fields.text("message").unwrap_or_default().to_owned(),
        spent: spent(&fields),
    }))
}

fn phase(rest: &str) -> Option<Control> {
    let (id, fields) = Fields::headed(rest)?;
    Some(Control::Phase(PhaseLine {
        id: id.into_owned(),
        by: fields.text("by").map(str::to_owned),
    }))
}

fn status(rest: &str) -> Option<Control> {
    let (word, fields) = Fields::headed(rest)?;
    let status = match word.as_ref() {
        "OPEN" => StatusWord::Open,
        "CLOSED" => StatusWord::Closed,
        _ => return None,
    };
    Some(Control::Status(StatusLine { status, by: fields.text("by").map(str::to_owned) }))
}

/// When something was recorded. `None`: it says so, and cannot be read.
fn at(fields: &Fields<'_>) -> Option<Option<Time>> {
    let Some(text) = fields.text("at") else { return Some(None) };
    time::read(text).map(Some)
}

fn spent(fields: &Fields<'_>) -> Spent {
    let mut spent = Spent::default();
    // Of a key that stands there twice the first counts.
    for (key, text) in fields.texts().rev() {
        match key {
            "provider" => spent.provider = Some(text.to_owned()),
            "model" => spent.model = Some(text.to_owned()),
            "ms" => spent.ms = text.parse().ok(),
            "tokens" => spent.tokens = tokens(text),
            "usd" => spent.usd = usd(text),
            "calls" => spent.calls = text.parse().ok(),
            _ => {}
        }
    }
    spent
}

fn tokens(text: &str) -> Option<Tokens> {
    let (input, output) = text.trim_start_matches('~').split_once('/')?;
    Some(Tokens {
        input: input.parse().ok()?,
        output: output.trim_start_matches('~').parse().ok()?,
        estimated: text.contains('~'),
    })
}

fn usd(text: &str) -> Option<Usd> {
    let amount: f64 = text.trim_start_matches('~').parse().ok()?;
    let sound = amount.is_finite() && amount >= 0.0;
    sound.then_some(Usd { amount, estimated: text.starts_with('~') })
}

/// Builds `<!-- WORD key: value, .. -->`.
struct Writer {
    line: String,
    empty: bool,
}

impl Writer {
    fn new(word: &str) -> Self {
        Self { line: format!("<!-- {word}"), empty: true }
    }

    fn headed(word: &str, value: &str) -> Self {
        Self { line: format!("<!-- {word}: {}", quote(value)), empty: false }
    }

    fn raw(&mut self, key: &str, value: impl std::fmt::Display) {
        let separator = if self.empty { " " } else { ", " };
        self.empty = false;
        let _ = write!(self.line, "{separator}{key}: {value}");
    }

    fn text(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.raw(key, quote(value));
        }
    }

    fn some(&mut self, key: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.raw(key, value);
        }
    }

    fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.raw(key, true);
        }
    }

    fn spent(&mut self, spent: &Spent) {
        self.text("provider", spent.provider.as_deref());
        self.text("model", spent.model.as_deref());
        self.some("ms", spent.ms);
        self.some(
            "tokens",
            spent.tokens.map(|tokens| {
                let mark = if tokens.estimated { "~" } else { "" };
                format!("{mark}{}/{mark}{}", tokens.input, tokens.output)
            }),
        );
        self.some(
            "usd",
            spent.usd.map(|usd| {
                let mark = if usd.estimated { "~" } else { "" };
                format!("{mark}{}", (usd.amount * 1e6).round() / 1e6)
            }),
        );
        self.some("calls", spent.calls.filter(|&calls| calls != 1));
    }

    fn end(self) -> String {
        self.line + " -->"
    }
}

/// A time as it is written: UTC, whole seconds.
fn stamp(at: Time) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// One control line without its LF.
pub(super) fn write_control(control: &Control) -> String {
    match control {
        Control::Turn(turn) => {
            let mut line = Writer::headed("TURN", &turn.number.to_string());
            let asks: Vec<&str> = turn.asks.iter().map(Alias::as_str).collect();
            line.raw("asks", format!("[{}]", asks.join(", ")));
            line.some("at", turn.at.map(stamp));
            line.text("ask", turn.ask.as_deref());
            line.flag("mentions", turn.mentions);
            line.flag("again", turn.again);
            line.end()
        }
        Control::Pass(pass) => {
            let mut line = Writer::new("PASS");
            line.raw("who", &pass.who);
            line.some("turn", pass.turn);
            line.some("at", pass.at.map(stamp));
            line.spent(&pass.spent);
            line.end()
        }
        Control::Failed(failed) => {
            let mut line = Writer::new("FAILED");
            line.raw("who", &failed.who);
            line.some("turn", failed.turn);
            line.some("at", failed.at.map(stamp));
            line.raw("code", quote(&failed.code));
            line.raw("retryable", failed.retryable);
            line.spent(&failed.spent);
            line.text("message", Some(&failed.message));
            line.end()
        }
        Control::Phase(phase) => {
            let mut line = Writer::headed("PHASE", &phase.id);
            line.text("by", phase.by.as_deref());
            line.end()
        }
        Control::VoteReset => Writer::new("VOTE-RESET").end(),
        Control::Status(status) => {
            let word = match status.status {
                StatusWord::Open => "OPEN",
                StatusWord::Closed => "CLOSED",
            };
            let mut line = Writer::headed("STATUS", word);
            line.text("by", status.by.as_deref());
            line.end()
        }
    }
}

/// A `REPLY` line without its LF.
pub(super) fn write_reply(reply: &Reply) -> String {
    let mut line = Writer::new("REPLY");
    line.some("turn", reply.turn);
    line.some("at", reply.at.map(stamp));
    line.spent(&reply.spent);
    line.end()
}

/// A `RESTORED` line without its LF.
pub(super) fn write_restored(restored: &Restored) -> String {
    let mut line = Writer::new("RESTORED");
    line.text("phase", restored.phase.as_deref());
    line.some("turn", restored.turn);
    line.end()
}

/// A `SUMMARY` line without its LF.
pub(super) fn write_summary(summary: &Summary) -> String {
    let mut line = Writer::new("SUMMARY");
    line.some("turn", summary.turn);
    line.end()
}
