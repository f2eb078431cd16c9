//! Statistics of all discussions of a folder, computed from their files.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Serialize;

use super::Sighted;
use super::list::Unreadable;
use super::result::{dissenters, total_duration_ms};
use super::status::round;
use crate::engine::{DecisionStatus, Outcome, Snapshot, Standing};
use crate::state::HindsightResult;
use crate::transcript::{Control, EntryKind, Spent};

/// Statistics of a folder's discussions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// The folder, as it is shown.
    pub folder: String,
    /// All of them.
    pub all: PatternStats,
    /// By the template's id.
    pub by_pattern: BTreeMap<String, PatternStats>,
    /// By the provider's name.
    pub by_provider: BTreeMap<String, ProviderStats>,
    /// By the name of participants that voted against an outcome.
    pub dissent: BTreeMap<String, DissentStats>,
    /// Discussions that could not be read.
    pub unreadable: Vec<Unreadable>,
}

/// Statistics of some discussions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatternStats {
    /// Their number.
    pub discussions: u64,
    /// The number with each status: `OPEN`, `CONSENSUS`, `BLOCKED` or `CLOSED`.
    pub outcomes: BTreeMap<String, u64>,
    /// The number that are over: their pattern is finished, or a person closed them.
    pub ended: u64,
    /// The number of these that succeeded: enough participants answered, and there is a result.
    pub succeeded: u64,
    /// Their share, 0 to 1; null if none is over.
    pub success_rate: Option<f64>,
    /// Model calls.
    pub calls: u64,
    /// Milliseconds that answers took, round after round; those of one round are given at once.
    pub ms: u64,
    /// Their decisions in hindsight: the number of decisions that `held`, `failed` or are `mixed`. The newest
    /// `HINDSIGHT:` of a decision counts.
    pub hindsight: BTreeMap<String, u64>,
    /// US dollars for calls with a known price; null if a price is unknown and no other call cost anything.
    #[serde(rename = "costUsd")]
    pub usd: Option<f64>,
    /// US dollars by the provider's name.
    #[serde(rename = "costUsdByProvider")]
    pub usd_by_provider: BTreeMap<String, f64>,
    /// True if the cost of a call is not known.
    #[serde(skip)]
    has_unpriced: bool,
}

/// Statistics of a provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderStats {
    /// Model calls, with retries.
    pub calls: u64,
    /// The number of answers it was asked for; retries for one answer count once.
    pub asked: u64,
    /// The number of these that it did not give.
    pub failed: u64,
    /// Their share, 0 to 1; null if it was never asked.
    pub failure_rate: Option<f64>,
    /// Milliseconds of the answers that only it gave.
    pub ms: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars; null if no cost was reported and no price is known.
    #[serde(rename = "costUsd")]
    pub usd: Option<f64>,
}

/// Statistics of a participant's votes against outcomes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DissentStats {
    /// Decisions that the participant voted against.
    pub dissented: u64,
    /// The number of these that a later discussion replaced with an outcome that the participant did not vote against.
    pub adopted: u64,
}

/// The numbers of one discussion.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pattern: String,
    status: DecisionStatus,
    ended: bool,
    succeeded: bool,
    calls: u64,
    ms: u64,
    usd: Option<f64>,
    hindsight: Vec<HindsightResult>,
    by_provider: BTreeMap<String, ProviderStats>,
    /// The file, as it is shown.
    file: String,
    /// True if it is in the decision log.
    is_logged: bool,
    /// The names of participants that voted against the outcome.
    dissenters: Vec<String>,
    /// The files of the discussions that replaced a decision of it, as they are shown.
    replaced_by: Vec<String>,
}

impl Counted {
    /// Counts a discussion alone.
    pub(crate) fn of(snapshot: &Snapshot, sighted: &Sighted) -> Self {
        let outcome = snapshot.outcome();
        let is_logged = outcome.standing != Standing::Open;
        let cost = &snapshot.state.cost;
        let mut by_provider: BTreeMap<String, ProviderStats> = BTreeMap::new();
        for one in &cost.by_provider {
            let of = by_provider.entry(one.provider.clone()).or_default();
            of.calls += one.calls;
            of.tokens = of.tokens.saturating_add(one.tokens);
            of.usd = one.priced.then_some(one.usd);
        }
        for entry in &snapshot.transcript.entries {
            match &entry.kind {
                EntryKind::Comment(comment) if comment.acknowledged() => {
                    let spent = comment.reply.as_ref().map(|reply| &reply.spent);
                    spent.into_iter().for_each(|spent| count_call(&mut by_provider, spent, false));
                }
                EntryKind::Control(Control::Pass(pass)) => {
                    count_call(&mut by_provider, &pass.spent, false)
                }
                EntryKind::Control(Control::Failed(one)) => {
                    count_call(&mut by_provider, &one.spent, !one.was_stopped())
                }
                _ => {}
            }
        }
        Self {
            pattern: snapshot.template().id.clone(),
            status: outcome.status,
            ended: outcome.standing != Standing::Open || snapshot.is_finished(),
            // A verdict of any kind is what a review is for.
            succeeded: outcome.was_decided() || outcome.standing == Standing::Verdict,
            calls: cost.calls,
            ms: total_duration_ms(snapshot),
            usd: cost.known_usd().filter(|_| cost.calls > 0),
            hindsight: newest_hindsight(outcome),
            by_provider,
            file: sighted.file.clone(),
            is_logged,
            // Objections after the ballot are no votes.
            dissenters: if is_logged { dissenters(snapshot) } else { Vec::new() },
            replaced_by: Vec::new(),
        }
    }

    /// Adds the files of the discussions that replaced a decision of it, as they are shown.
    #[must_use]
    pub(crate) fn replaced_by(self, files: Vec<String>) -> Self {
        Self { replaced_by: files, ..self }
    }
}

/// Counts the providers that were called for an answer: every fallback that failed, and the last one.
fn count_call(by_provider: &mut BTreeMap<String, ProviderStats>, spent: &Spent, failed: bool) {
    for tried in &spent.tried {
        let one = by_provider.entry(tried.provider.clone()).or_default();
        one.asked += 1;
        one.failed += 1;
    }
    // If the last provider failed, it may already be in the list of providers that were tried.
    let is_told = |name: &String| spent.tried.iter().any(|tried| tried.provider == *name);
    if let Some(name) = spent.provider.as_ref().filter(|name| !(failed && is_told(name))) {
        let one = by_provider.entry(name.clone()).or_default();
        one.asked += 1;
        one.failed += u64::from(failed);
        if spent.tried.is_empty() {
            one.ms = one.ms.saturating_add(spent.ms.unwrap_or(0));
        }
    }
}

/// Returns what became of each decision, and of the discussion as a whole, as far as people said so.
fn newest_hindsight(outcome: &Outcome) -> Vec<HindsightResult> {
    let notes = outcome.items.iter().map(|one| &one.notes).chain([&outcome.notes]);
    notes.filter_map(|notes| Some(notes.hindsight.last()?.result)).collect()
}

fn rate(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| ((part as f64 / whole as f64) * 1e3).round() / 1e3)
}

impl PatternStats {
    fn add(&mut self, one: &Counted) {
        self.discussions += 1;
        *self.outcomes.entry(one.status.as_str().to_owned()).or_default() += 1;
        self.ended += u64::from(one.ended);
        self.succeeded += u64::from(one.ended && one.succeeded);
        self.success_rate = rate(self.succeeded, self.ended);
        self.calls += one.calls;
        for result in &one.hindsight {
            *self.hindsight.entry(result.as_str().to_owned()).or_default() += 1;
        }
        self.ms = self.ms.saturating_add(one.ms);
        let is_unpriced = |of: &ProviderStats| of.calls > 0 && of.usd.is_none();
        self.has_unpriced |= one.by_provider.values().any(is_unpriced);
        let sum = round(self.usd.unwrap_or(0.0) + one.usd.unwrap_or(0.0));
        // Calls without a known price are not free, even if the other calls cost nothing.
        self.usd = (sum > 0.0 || !self.has_unpriced).then_some(sum);
        for (provider, spent) in &one.by_provider {
            if let Some(usd) = spent.usd {
                let sum = self.usd_by_provider.entry(provider.clone()).or_default();
                *sum = round(*sum + usd);
            }
        }
    }
}

impl Stats {
    /// Adds up the numbers of all discussions.
    pub(crate) fn of(folder: String, counted: &[Counted], unreadable: Vec<Unreadable>) -> Self {
        let mut stats = Self { folder, unreadable, ..Self::default() };
        for one in counted {
            stats.all.add(one);
            stats.by_pattern.entry(one.pattern.clone()).or_default().add(one);
            for (provider, own) in &one.by_provider {
                let sum = stats.by_provider.entry(provider.clone()).or_default();
                sum.calls += own.calls;
                sum.asked += own.asked;
                sum.failed += own.failed;
                sum.failure_rate = rate(sum.failed, sum.asked);
                sum.ms = sum.ms.saturating_add(own.ms);
                sum.tokens = sum.tokens.saturating_add(own.tokens);
                sum.usd = match (sum.usd, own.usd) {
                    (None, None) => None,
                    (a, b) => Some(round(a.unwrap_or(0.0) + b.unwrap_or(0.0))),
                };
            }
        }
        let logged = || counted.iter().filter(|one| one.is_logged);
        let by_file: HashMap<&str, &Counted> =
            logged().map(|one| (one.file.as_str(), one)).collect();
        for one in logged() {
            for name in &one.dissenters {
                let later = one.replaced_by.iter().filter_map(|file| by_file.get(file.as_str()));
                let mut agrees = later.map(|later| !later.dissenters.contains(name));
                let sum = stats.dissent.entry(name.clone()).or_default();
                sum.dissented += 1;
                sum.adopted += u64::from(agrees.any(|agrees| agrees));
            }
        }
        stats
    }
}
