//! The totals of a run: calls, time, money.

use discussions::view::{Event, EventKind};

use crate::cli::amounts::{milliseconds_between, money, seconds};

/// The totals, computed from events.
#[derive(Debug, Default)]
pub(crate) struct RunTotals {
    calls: u64,
    usd: f64,
    /// At least one answer came without its cost.
    unknown: bool,
    /// A part of the cost is an estimate.
    estimated: bool,
    /// The milliseconds that turns took.
    turns: u64,
    /// The times of the first and the last event.
    first: Option<String>,
    last: String,
}

impl RunTotals {
    /// Adds an event.
    pub(crate) fn add(&mut self, event: &Event) {
        self.first.get_or_insert_with(|| event.at.clone());
        self.last.clone_from(&event.at);
        match &event.kind {
            EventKind::AnswerEnd { usd, estimated, calls, .. } => {
                self.calls += u64::from(*calls);
                match usd {
                    Some(usd) => {
                        self.usd += usd;
                        self.estimated |= *estimated;
                    }
                    None => self.unknown |= *calls > 0,
                }
            }
            EventKind::TurnEnd { ms, .. } => self.turns += ms,
            _ => {}
        }
    }

    /// Returns `6 calls · 30 s · $0.03`; `None` if there were no calls.
    pub(crate) fn sentence(&self) -> Option<String> {
        if self.calls == 0 {
            return None;
        }
        let calls = match self.calls {
            1 => "1 call".to_owned(),
            calls => format!("{calls} calls"),
        };
        // Events have times in whole seconds.
        let ms = milliseconds_between(self.first.as_deref().unwrap_or_default(), &self.last)
            .max(self.turns);
        let mut parts = vec![calls, seconds(ms)];
        let money = money(self.usd, self.estimated);
        parts.extend(match (self.usd > 0.0, self.unknown) {
            (true, true) => Some(format!("{money} plus an unknown cost")),
            (true, false) => Some(money),
            (false, true) => Some("cost unknown".to_owned()),
            (false, false) => None,
        });
        Some(parts.join(" · "))
    }
}
