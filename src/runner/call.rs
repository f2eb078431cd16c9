//! One participant's answer: retries, asking again once, and the fallback chain.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use super::allowance::Allowance;
use super::answer::Answered;
use super::candidate::Link;
use super::job::Job;
use super::once::Once;
use super::shut::Shut;
use super::sight::told;
use super::{since, tries};
use crate::engine::{Again, Pseudonyms, Reading, read};
use crate::provider::{
    Backoff, CallContext, CallError, Definition, FailureCode, Purse, Request, Spending,
    call_while_allowed, spending,
};
use crate::transcript::{Alias, Spent, Tokens, Tried, Usd};

/// Why nobody is asked once more.
const NO_MORE: &str = "no more calls are allowed in this run";
/// What is said where a program did more than it was paid for.
const BEYOND: &str =
    "cost more than was reserved for this call; all of it counts towards the limit";

/// A piece of an answer, for whoever watches.
pub(super) struct Chunk {
    pub(super) participant: Alias,
    pub(super) text: String,
}

/// What calls are made out of.
pub(super) struct Means {
    /// The money for all calls of the run.
    pub(super) purse: Purse,
    /// Calls beyond the first of each participant.
    pub(super) allowance: Allowance,
    /// What was told once already.
    pub(super) told: Once,
    /// Who cannot answer anybody.
    pub(super) shut: Shut,
}

/// What one participant's calls came to, with what they cost.
struct Calls<'j> {
    job: &'j Job,
    timeout: Option<Duration>,
    chunks: UnboundedSender<Chunk>,
    means: Means,
    spent: Spent,
    /// What each provider's calls cost, in the order of the first.
    by_provider: Vec<Tried>,
    notes: Vec<String>,
    /// The last answer that was empty.
    silence: Option<CallError>,
}

/// Asks one participant until there is an answer or nobody is left to ask.
pub(super) async fn call(
    job: Job,
    timeout: Option<Duration>,
    chunks: UnboundedSender<Chunk>,
    means: Means,
) -> Answered {
    let start = Instant::now();
    let mut calls = Calls {
        job: &job,
        timeout,
        chunks,
        means,
        spent: Spent { calls: Some(0), ..Spent::default() },
        by_provider: Vec::new(),
        notes: Vec::new(),
        silence: None,
    };
    let mut result = Err(CallError::new(FailureCode::NotInstalled, "no provider is installed"));
    // Why somebody else was asked.
    let mut passed = Vec::new();
    for (place, link) in job.chain.iter().enumerate() {
        if place > 0 && calls.spent.calls > Some(0) && !calls.means.allowance.take() {
            let failure = calls.notes.pop();
            calls.notes.extend([NO_MORE.to_owned()].into_iter().chain(failure));
            break;
        }
        result = calls.ask(link).await;
        match &result {
            Ok(_) => break,
            Err(error) => {
                calls.means.shut.learn(link.provider.name(), error);
                let why = tries::by(link.provider.name().as_str(), &error.message);
                passed.push(why.clone());
                calls.notes.push(why);
            }
        }
    }
    let Calls { mut spent, mut notes, by_provider, means, .. } = calls;
    // The last one's share is what is left of all.
    spent.tried = by_provider;
    spent.tried.retain(|one| Some(&one.provider) != spent.provider.as_ref() && one.calls > 0);
    match result {
        // The last failure is the outcome itself, not a note beside it.
        Err(_) => drop(notes.pop()),
        // Where somebody answered it is told once why it was another one.
        Ok(_) => notes.retain(|note| !passed.contains(note) || means.told.is_new(note)),
    }
    if let Ok(Reading::Answer { notes: more, .. }) = &mut result {
        notes.append(more);
    }
    spent.ms = Some(since(start));
    Answered {
        alias: job.alias.clone(),
        name: job.name.clone(),
        turn: job.turn,
        result: result.map(|reading| named(reading, &job.pseudonyms).into()),
        spent,
        notes,
    }
}

impl Calls<'_> {
    /// One provider: its call, and a second one when the first answer cannot be used.
    async fn ask(&mut self, link: &Link) -> Result<Reading, CallError> {
        let first = self.said(link, &self.job.prompt.tail).await?;
        let again = match read(&first, &self.job.wanted) {
            Ok(reading) => return Ok(reading),
            Err(again) => again,
        };
        if !self.means.allowance.take() {
            self.notes.push(NO_MORE.to_owned());
            let why = format!("its answer could not be used: {}", again.reason);
            return again.keep.ok_or_else(|| CallError::new(again.code.failure(), why));
        }
        self.notes.push(match self.job.chain.len() {
            1 => format!("asked again: {}", again.reason),
            _ => format!("{} was asked again: {}", link.provider.name().as_str(), again.reason),
        });
        let tail = format!("{}{}", self.job.prompt.tail, again.ask(&first, &self.job.wanted));
        let second = self.said(link, &tail).await;
        match second.map(|text| again.clone().complete(&text, &self.job.wanted)) {
            Ok(Ok(reading)) => Ok(reading),
            Ok(Err(second)) => match kept(second, again) {
                // Two empty answers are a vote too, where no vote is one.
                Err(_) if self.job.wanted.no_vote_is_one => Ok(Reading::Pass),
                // The provider's own words say more: they hold what its program complained of.
                Err(error) if error.code == FailureCode::Empty => {
                    Err(self.silence.take().unwrap_or(error))
                }
                kept => kept,
            },
            // The first answer was not lost by asking for a better one.
            Err(error) => again.keep.ok_or(error),
        }
    }

    /// What a provider says; nothing at all is an answer that is asked for again with the format restated.
    async fn said(&mut self, link: &Link, tail: &str) -> Result<String, CallError> {
        match self.send(link, tail).await {
            Err(error) if error.code == FailureCode::Empty => {
                self.silence = Some(error);
                Ok(String::new())
            }
            result => result,
        }
    }

    async fn send(&mut self, link: &Link, tail: &str) -> Result<String, CallError> {
        let (timeout, retries, price) = match &link.definition {
            Some(Definition { common, .. }) => {
                (common.timeout.get(), common.retries, common.price.as_ref())
            }
            None => (crate::provider::DEFAULT_TIMEOUT, crate::provider::DEFAULT_RETRIES, None),
        };
        let granted = link.definition.as_ref().map(|own| own.kind.grant(self.job.reach));
        let granted = granted.unwrap_or_default();
        let tail = &format!("{tail}{}", told(granted));
        let heedless = link.definition.as_ref().filter(|_| self.job.wished_temperature);
        let heedless = heedless.and_then(|own| own.kind.heeds_no_temperature());
        let endless = link.definition.as_ref().filter(|_| self.job.wished_length);
        let endless = endless.and_then(|own| own.kind.heeds_no_length());
        for why in [heedless, endless].into_iter().flatten() {
            let told = format!("{}: {why}", link.provider.name().as_str());
            self.notes.extend(self.means.told.tell(told));
        }
        let context = CallContext {
            participant: self.job.alias.clone(),
            phase: self.job.phase.clone(),
            turn: self.job.turn,
            file: self.job.file.clone(),
            temperature: self.job.temperature,
            reach: granted,
        };
        let participant = self.job.alias.clone();
        let chunks = self.chunks.clone();
        let on_text = move |text: &str| {
            // Nobody watching is no reason to stop.
            let _ = chunks.send(Chunk { participant: participant.clone(), text: text.to_owned() });
        };
        let request = Request {
            prefix: Arc::clone(&self.job.prompt.prefix),
            tail,
            context: &context,
            deadline: self.timeout.unwrap_or(timeout),
            longest: None,
            usd: None,
            on_text: Some(&on_text),
        };
        let metered = self.means.purse.around(Arc::clone(&link.provider), link.definition.as_ref());
        let another = || self.means.allowance.take();
        let called = call_while_allowed(&metered, request, Backoff::new(retries), &another).await;
        (self.spent.look, self.spent.web) = (granted.look, granted.web);
        self.spent.provider = Some(link.provider.name().as_str().to_owned());
        // The last call was not made where no program is there, or no money.
        let made = match &called.result {
            Err(error) if error.code == FailureCode::NotInstalled => 0,
            Err(error) if error.code == FailureCode::OverBudget => called.calls - 1,
            _ => called.calls,
        };
        self.spent.calls = Some(self.spent.calls.unwrap_or(0) + made);
        self.booked(link).calls += made;
        let lost = metered.lost();
        if lost > 0.0 {
            self.spent.usd = Some(more_money(self.spent.usd, lost, true));
            let own = self.booked(link);
            own.usd = Some(more_money(own.usd, lost, true));
        }
        if metered.went_beyond() {
            let told = format!("{}: {BEYOND}", link.provider.name().as_str());
            self.notes.extend(self.means.told.tell(told));
        }
        let mut result = called.result;
        let provider = link.provider.name().as_str();
        self.notes.extend(tries::told(provider, &called.failures, result.as_mut().err()));
        let reply = result?;
        self.notes.extend(reply.warnings.iter().cloned());
        let cost = spending(price, [&self.job.prompt.prefix, tail], &reply);
        self.spent.tokens = Some(more_tokens(self.spent.tokens, &cost));
        self.spent.usd = more_usd(self.spent.usd, &cost);
        let own = self.booked(link);
        (own.tokens, own.usd) = (Some(more_tokens(own.tokens, &cost)), more_usd(own.usd, &cost));
        if let Some(usage) = reply.usage {
            self.spent.cached = Some(self.spent.cached.unwrap_or(0) + usage.cached_input_tokens);
        }
        self.spent.finish = reply.finish;
        self.spent.model = reply.model.or_else(|| self.spent.model.take());
        Ok(reply.text)
    }
}

impl Calls<'_> {
    /// Where a provider's own part is counted.
    fn booked(&mut self, link: &Link) -> &mut Tried {
        let name = link.provider.name().as_str();
        let place = self.by_provider.iter().position(|one| one.provider == name);
        let place = place.unwrap_or_else(|| {
            self.by_provider.push(Tried { provider: name.to_owned(), ..Tried::default() });
            self.by_provider.len() - 1
        });
        &mut self.by_provider[place]
    }
}

fn more_tokens(so_far: Option<Tokens>, cost: &Spending) -> Tokens {
    let so_far = so_far.unwrap_or_default();
    Tokens {
        input: so_far.input + cost.usage.input_tokens,
        output: so_far.output + cost.usage.output_tokens,
        estimated: so_far.estimated || cost.tokens_estimated,
    }
}

fn more_usd(so_far: Option<Usd>, cost: &Spending) -> Option<Usd> {
    cost.usd.map(|usd| more_money(so_far, usd, cost.usd_estimated)).or(so_far)
}

fn more_money(so_far: Option<Usd>, amount: f64, estimated: bool) -> Usd {
    let so_far = so_far.unwrap_or_default();
    Usd { amount: so_far.amount + amount, estimated: so_far.estimated || estimated }
}

/// An answer with names in place of the letters that its prompt showed.
fn named(reading: Reading, pseudonyms: &Pseudonyms) -> Reading {
    match reading {
        Reading::Answer { body, vote, notes } => {
            Reading::Answer { body: pseudonyms.text(&body), vote, notes }
        }
        Reading::Pass => Reading::Pass,
    }
}

/// What can be kept of two answers of which neither is as it should be.
fn kept(second: Again, first: Again) -> Result<Reading, CallError> {
    let (reason, code) = (second.reason, second.code);
    second.keep.or(first.keep).ok_or_else(|| {
        CallError::new(
            code.failure(),
            format!("its answers could not be used, not even after a second request: {reason}"),
        )
    })
}
