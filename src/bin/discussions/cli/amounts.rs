//! Formats times and amounts of money with few digits for people: the expected cost before a run,
//! and its totals.

use chrono::DateTime;
use discussions::runner::{PreparedRun, RunOptions};
use discussions::view::{Event, EventKind, Ran};

use crate::cli::error::CommandError;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;
use crate::cli::words;

/// Formats milliseconds: `6.5 s`, `42 s`, `3 min 5 s`.
pub(crate) fn time(ms: u64) -> String {
    let seconds = (ms + 500) / 1000;
    match ms {
        0..9_950 => format!("{}.{} s", (ms + 50) / 1000, (ms + 50) % 1000 / 100),
        _ if seconds < 60 => format!("{seconds} s"),
        _ if seconds < 3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Formats milliseconds in whole seconds.
pub(crate) fn seconds(ms: u64) -> String {
    match ms {
        950..9_950 => format!("{} s", (ms + 500) / 1000),
        _ => time(ms),
    }
}

/// Formats US dollars: `$0.03`, and below a cent with the first digit that is not 0.
pub(crate) fn money(usd: f64, estimated: bool) -> String {
    let about = if estimated { "~" } else { "" };
    let shown = [2, 3, 4, 5].map(|places| format!("{usd:.places$}"));
    let shown = shown.iter().find(|shown| shown.contains(|c| ('1'..='9').contains(&c)));
    format!("{about}${}", shown.map_or("0", String::as_str))
}

/// Formats US dollars like [`money`], or returns `unknown`.
pub(crate) fn money_or_unknown(usd: Option<f64>) -> String {
    usd.map_or_else(|| "unknown".to_owned(), |usd| money(usd, false))
}

/// Returns how long ago `then` was; both times are in RFC 3339. Returns the day if that is long ago or in the future.
pub(crate) fn ago(then: &str, now: &str) -> Option<String> {
    let read = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let then = read(then)?;
    let seconds = read(now)?.signed_duration_since(then).num_seconds();
    // The clocks of two machines may differ a little.
    let seconds = if (-60..0).contains(&seconds) { 0 } else { seconds };
    Some(words::ago(u64::try_from(seconds).ok(), &then.to_rfc3339()))
}

/// Returns the milliseconds from one time to another; both are in RFC 3339.
fn milliseconds_between(from: &str, to: &str) -> u64 {
    let read = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let took = read(from).zip(read(to)).map(|(from, to)| (to - from).num_milliseconds());
    took.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(0)
}

/// Returns lines about the usual and the maximum cost of a run, to be printed before any provider is called.
pub(crate) fn forecast_lines(
    prepared: &PreparedRun,
    options: &RunOptions,
) -> Result<Vec<Line>, CommandError> {
    if !options.is_run() {
        return Ok(Vec::new());
    }
    let ahead = prepared.forecast()?;
    let mut told: Vec<Line> =
        ahead.moved.iter().map(|moved| Line::hint("note", moved.as_str())).collect();
    if ahead.calls == 0 || !ahead.may_cost() {
        return Ok(told);
    }
    let limit = match (options.max_usd, ahead.unpriced.is_empty()) {
        (Some(limit), _) => format!("the run spends at most ${limit:.2}"),
        (None, true) => "--max-usd sets a limit".to_owned(),
        (None, false) => "--max-calls sets a limit".to_owned(),
    };
    told.push(Line::hint("note", format!("{}; {limit}", ahead.sentence())));
    Ok(told)
}

/// Prints the share of the prompts that came from caches, if a provider reported it.
pub(crate) fn cached_share(shell: &mut Shell, ran: &Ran) {
    let (Some(real), Some(possible)) = (ran.cost.cached_share, ran.cost.cacheable_share) else {
        return;
    };
    if real > 0.0 || possible > 0.0 {
        let (real, possible) = (real * 100.0, possible * 100.0);
        shell.ui.hint(
            "cache",
            format!(
                "{real:.0} % of the prompts came from caches; {possible:.0} % had been sent before"
            ),
        );
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_few_digits() {
        let shown = [0, 6_540, 9_960, 42_400, 185_000, 7_500_000].map(time);
        assert_eq!(shown, ["0.0 s", "6.5 s", "10 s", "42 s", "3 min 5 s", "2 h 5 min"]);
        assert_eq!([300, 1_400, 8_600].map(seconds), ["0.3 s", "1 s", "9 s"]);
    }

    #[test]
    fn small_amounts_of_money_are_not_shown_as_zero() {
        let shown = [0.0, 0.0262, 1.5, 0.0058, 0.0007, 0.000_001].map(|usd| money(usd, false));
        assert_eq!(shown, ["$0", "$0.03", "$1.50", "$0.01", "$0.001", "$0"]);
        assert_eq!(money(0.02, true), "~$0.02");
    }

    #[test]
    fn old_ages_are_shown_as_days() {
        let now = "2026-11-22T12:00:00Z";
        for (then, shown) in [
            ("2026-11-22T11:59:30Z", "just now"),
            ("2026-11-22T11:15:00Z", "45 min ago"),
            ("2026-11-22T09:30:00Z", "2 h ago"),
            ("2026-11-19T12:00:00Z", "3 days ago"),
            ("2025-01-02T12:00:00Z", "2025-01-02"),
            ("2027-01-02T12:00:00Z", "2027-01-02"),
        ] {
            assert_eq!(ago(then, now).as_deref(), Some(shown), "{then}");
        }
        assert_eq!(ago("yesterday", now), None);
        assert_eq!(milliseconds_between("2026-11-22T11:59:30Z", now), 30_000);
    }
}
