//! The cost of a run: calls, time, money, and the share of its prompts that came from caches; and the forecast of a
//! run.

use schemars::JsonSchema;
use serde::Serialize;

use super::Call;
use super::cost::round;

/// The number of calls that may be made without asking a person first.
const MANY: u32 = 10;

/// The sums of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunCost {
    /// Model calls, with retries.
    pub calls: u32,
    /// Duration in milliseconds.
    pub ms: u64,
    /// US dollars, of the calls whose price is known; null if calls were made and no price is known.
    pub usd: Option<f64>,
    /// Whether some costs were not reported.
    pub estimated: bool,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of answers.
    pub answer_tokens: u64,
    /// The share of prompts that came from services' caches, 0 to 1, of those calls whose provider tells; null where none
    /// does.
    pub cached_share: Option<f64>,
    /// The share of the bytes of the same prompts that could have come from there, 0 to 1: what the same provider had read
    /// before.
    pub cacheable_share: Option<f64>,
}

/// The forecast of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Forecast {
    /// Calls if every participant is asked once, with phases that may never begin.
    pub calls: u32,
    /// Calls if there are no objections or mentions and all votes agree: the likely minimum.
    pub calls_in_agreement: u32,
    /// Maximum US dollars if every participant is asked once, without providers of unknown price.
    pub usd: f64,
    /// Usual US dollars for answers of usual size, without providers of unknown price. An estimate, not a limit.
    pub usual_usd: f64,
    /// The providers of unknown price.
    pub unpriced: Vec<String>,
    /// Services at an address that the environment names: `openai is called at gateway.example.org (OPENAI_BASE_URL)`.
    pub moved: Vec<String>,
    /// Whether calls may be repeated: after a failure, or if an answer lacks a required marker. Such calls are not in these
    /// figures; false if a limit of calls allows none.
    pub may_repeat: bool,
    /// Whether participants that answers mention may be called too. Such calls are not in these figures; false if a limit of
    /// calls allows none.
    pub may_follow_mentions: bool,
}

impl Forecast {
    /// Within a limit of calls, repeated ones included.
    pub(crate) fn limited_to(self, most: u32) -> Self {
        let has_room = self.calls < most;
        Self {
            calls: self.calls.min(most),
            calls_in_agreement: self.calls_in_agreement.min(most),
            may_repeat: self.may_repeat && has_room,
            may_follow_mentions: self.may_follow_mentions && has_room,
            ..self
        }
    }

    /// Names the calls that may come on top of the figures; none if there can be none.
    fn beyond(&self) -> Option<&'static str> {
        match (self.may_repeat, self.may_follow_mentions) {
            (true, true) => Some("plus repeated calls and mentions"),
            (true, false) => Some("plus repeated calls"),
            (false, true) => Some("plus mentions"),
            (false, false) => None,
        }
    }

    /// The forecast in words: `10 to 18 calls, usually about $0.30, at most $5.66, plus repeated calls`.
    pub fn sentence(&self) -> String {
        let calls = match (self.calls_in_agreement, self.calls) {
            (_, 1) => "1 call".to_owned(),
            (fewest, most) if 0 < fewest && fewest < most => format!("{fewest} to {most} calls"),
            (_, most) => format!("{most} calls"),
        };
        let unpriced = self.unpriced.join(", ");
        let usual = match self.usual_usd {
            usd if usd < 0.005 => "less than $0.01".to_owned(),
            usd => format!("about ${usd:.2}"),
        };
        let most = (self.usd * 100.0).ceil() / 100.0;
        let beyond = self.beyond();
        let after = beyond.map_or_else(String::new, |beyond| format!(", {beyond}"));
        match (self.usd > 0.0, unpriced.is_empty()) {
            (true, true) => format!("{calls}, usually {usual}, at most ${most:.2}{after}"),
            (true, false) => format!(
                "{calls}, usually {usual}, at most ${most:.2}, and an unknown cost of {unpriced}{after}"
            ),
            (false, true) => format!("{calls}, free of charge"),
            (false, false) => {
                let beyond = beyond.map_or_else(String::new, |beyond| format!(" {beyond}"));
                format!("{calls}{beyond}; the price of {unpriced} is unknown")
            }
        }
    }

    /// Returns the forecast in words; none if the run makes no call or costs nothing.
    pub fn price_sentence(&self) -> Option<String> {
        (self.calls > 0 && self.may_cost()).then(|| self.sentence())
    }

    /// Returns whether a person should confirm the run: it may make more than ten calls, and they may cost something.
    pub fn asks_first(&self) -> bool {
        self.calls > MANY && self.may_cost()
    }

    /// Returns whether the run may cost something, as far as prices are known.
    pub fn may_cost(&self) -> bool {
        self.usd > 0.0 || !self.unpriced.is_empty()
    }
}

impl RunCost {
    /// Adds the shares from caches, for the calls that report them; `tokens` are those of each call's prompt.
    pub(crate) fn with_shares(mut self, calls: &[Call], tokens: impl Iterator<Item = u64>) -> Self {
        let told = |call: &&Call| call.cached_tokens.is_some();
        let all = calls.iter().zip(tokens).filter(|(call, _)| told(call));
        let (mut cached, mut sent, mut kept, mut bytes) = (0, 0, 0, 0);
        for (call, tokens) in all {
            cached += call.cached_tokens.unwrap_or(0);
            sent += tokens;
            kept += call.cached_prefix;
            bytes += call.prompt_bytes;
        }
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| round((part / whole).min(1.0)));
        self.cached_share = share(cached as f64, sent as f64);
        self.cacheable_share = share(kept as f64, bytes as f64).filter(|_| sent > 0);
        self.usd = self.usd.map(round);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forecast_mentions_calls_beyond_its_figures() {
        let ahead = Forecast {
            calls: 4,
            calls_in_agreement: 4,
            usd: 0.4,
            usual_usd: 0.03,
            may_repeat: true,
            ..Forecast::default()
        };
        assert_eq!(
            ahead.sentence(),
            "4 calls, usually about $0.03, at most $0.40, plus repeated calls"
        );
        let mentions = Forecast { may_follow_mentions: true, ..ahead.clone() };
        assert!(mentions.sentence().ends_with(", plus repeated calls and mentions"));
        let unpriced = Forecast { usd: 0.0, unpriced: vec!["own".to_owned()], ..ahead.clone() };
        assert_eq!(unpriced.sentence(), "4 calls plus repeated calls; the price of own is unknown");
        assert!(
            !ahead.clone().limited_to(4).sentence().contains("plus"),
            "the limit allows no more"
        );
        assert!(ahead.limited_to(5).sentence().ends_with("plus repeated calls"));
    }
}
