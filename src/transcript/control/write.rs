//! Writes control lines.

use std::fmt::Write as _;

use super::super::entry::Time;
use super::super::fields::quote;
use super::super::name::Alias;
use super::{Control, ReplyLine, Restored, Spent, StatusWord, Summary, Tokens, Tried, Usd};

/// A builder of `<!-- WORD key: value, .. -->`.
struct ControlWriter {
    line: String,
    empty: bool,
}

impl ControlWriter {
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
        self.text("finish", spent.finish.as_deref());
        self.some("cached", spent.cached);
        self.flag("look", spent.look);
        self.flag("web", spent.web);
        self.some("ms", spent.ms);
        self.some("tokens", spent.tokens.map(tokens));
        self.some("usd", spent.usd.map(usd));
        // A line that is written again must not lose the mark of an unknown price.
        self.some("usd", (spent.usd_unreadable && spent.usd.is_none()).then_some("?"));
        self.some("calls", spent.calls.filter(|&calls| calls != 1));
        if !spent.tried.is_empty() {
            let tried: Vec<String> = spent.tried.iter().map(|one| quote(&tried(one))).collect();
            self.raw("tried", format!("[{}]", tried.join(", ")));
        }
    }

    fn end(self) -> String {
        self.line + " -->"
    }
}

fn tokens(tokens: Tokens) -> String {
    let mark = if tokens.estimated { "~" } else { "" };
    format!("{mark}{}/{mark}{}", tokens.input, tokens.output)
}

fn usd(usd: Usd) -> String {
    let mark = if usd.estimated { "~" } else { "" };
    format!("{mark}{}", (usd.amount * 1e6).round() / 1e6)
}

/// Writes `bad`, `bad 3`, or `bad 2 5120/410 $0.02`: the provider, its calls, their tokens, their cost.
fn tried(one: &Tried) -> String {
    let mut text = one.provider.clone();
    if one.calls != 1 || one.tokens.is_some() || one.usd.is_some() {
        let _ = write!(text, " {}", one.calls);
    }
    if let Some(spent) = one.tokens {
        let _ = write!(text, " {}", tokens(spent));
    }
    if let Some(spent) = one.usd {
        let _ = write!(text, " ${}", usd(spent));
    }
    text
}

/// Formats a time: UTC, whole seconds.
fn stamp(at: Time) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Writes one control line without its LF, and without the lines for readers below it.
pub(in crate::transcript) fn write_control(control: &Control) -> String {
    match control {
        Control::Turn(turn) => {
            let mut line = ControlWriter::headed("TURN", &turn.number.to_string());
            let asks: Vec<&str> = turn.asks.iter().map(Alias::as_str).collect();
            line.raw("asks", format!("[{}]", asks.join(", ")));
            line.some("at", turn.at.map(stamp));
            line.text("ask", turn.ask.as_deref());
            line.flag("mentions", turn.mentions);
            line.flag("again", turn.again);
            line.end()
        }
        Control::Pass(pass) => {
            let mut line = ControlWriter::new("PASS");
            line.raw("who", &pass.who);
            line.some("turn", pass.turn);
            line.some("at", pass.at.map(stamp));
            line.spent(&pass.spent);
            line.end()
        }
        Control::Failed(failed) => {
            let mut line = ControlWriter::new("FAILED");
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
            let mut line = ControlWriter::headed("PHASE", &phase.id);
            line.text("by", phase.by.as_deref());
            line.end()
        }
        Control::VoteReset => ControlWriter::new("VOTE-RESET").end(),
        Control::Status(status) => {
            let word = match status.status {
                StatusWord::Open => "OPEN",
                StatusWord::Closed => "CLOSED",
            };
            let mut line = ControlWriter::headed("STATUS", word);
            line.text("by", status.by.as_deref());
            line.end()
        }
        Control::Accepted(accepted) => {
            let mut line = ControlWriter::new("ACCEPTED");
            line.raw("was", &accepted.was);
            line.raw("after", format!("[{}]", accepted.after.join(", ")));
            line.some("now", accepted.now.as_ref());
            line.text("of", accepted.of.as_deref());
            line.text("by", accepted.by.as_deref());
            line.some("at", accepted.at.map(stamp));
            line.end()
        }
        Control::Child(child) => {
            let mut line = ControlWriter::new("CHILD");
            line.some("turn", child.turn);
            line.some("by", child.by.as_ref());
            line.text("file", Some(child.file.as_str()));
            line.some("at", child.at.map(stamp));
            line.end()
        }
        Control::ChildEnd(end) => {
            let mut line = ControlWriter::new("CHILD-END");
            line.text("file", Some(end.file.as_str()));
            line.raw("calls", end.calls);
            line.some("usd", end.usd.map(usd));
            line.text("status", Some(&end.status));
            line.end()
        }
        Control::Ended(end) => {
            let mut line = ControlWriter::new("ENDED");
            line.some("at", end.at.map(stamp));
            line.text("by", end.by.as_deref());
            line.end()
        }
    }
}

/// Writes a `REPLY` line without its LF.
pub(in crate::transcript) fn write_reply(reply: &ReplyLine) -> String {
    let mut line = ControlWriter::new("REPLY");
    line.some("turn", reply.turn);
    line.some("at", reply.at.map(stamp));
    line.some("markers", reply.markers.as_ref().map(|words| format!("[{}]", words.join(", "))));
    line.spent(&reply.spent);
    line.end()
}

/// Writes a `SAID` line without its LF.
pub(in crate::transcript) fn write_said(at: Time) -> String {
    let mut line = ControlWriter::new("SAID");
    line.raw("at", stamp(at));
    line.end()
}

/// Writes a `RESTORED` line without its LF.
pub(in crate::transcript) fn write_restored(restored: &Restored) -> String {
    let mut line = ControlWriter::new("RESTORED");
    line.text("phase", restored.phase.as_deref());
    line.some("turn", restored.turn);
    line.end()
}

/// Writes a `SUMMARY` line without its LF.
pub(in crate::transcript) fn write_summary(summary: &Summary) -> String {
    let mut line = ControlWriter::new("SUMMARY");
    line.some("turn", summary.turn);
    line.end()
}
