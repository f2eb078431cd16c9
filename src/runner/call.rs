//! One participant's answer: retries, asking again once, and the fallback chain.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use super::answer::Answered;
use super::candidate::Link;
use super::job::Job;
use super::since;
use crate::engine::{Again, Pseudonyms, Reading, ask_again, read};
use crate::provider::{
    Backoff, CallContext, CallError, Definition, FailureCode, Purse, Request, call_with_retries,
    spending,
};
use crate::transcript::{Alias, Spent, Tokens, Usd};

/// A piece of an answer, for whoever watches.
pub(super) struct Chunk {
    pub(super) participant: Alias,
    pub(super) text: String,
}

/// What one participant's calls came to, with what they cost.
struct Calls<'j> {
    job: &'j Job,
    timeout: Option<Duration>,
    chunks: UnboundedSender<Chunk>,
    purse: Purse,
    spent: Spent,
    notes: Vec<String>,
    /// The last answer that was empty.
    silence: Option<CallError>,
}

/// Asks one participant until there is an answer or nobody is left to ask.
pub(super) async fn call(
    job: Job,
    timeout: Option<Duration>,
    chunks: UnboundedSender<Chunk>,
    purse: Purse,
) -> Answered {
    let start = Instant::now();
    let mut calls = Calls {
        job: &job,
        timeout,
        chunks,
        purse,
        spent: Spent { calls: Some(0), ..Spent::default() },
        notes: Vec::new(),
        silence: None,
    };
    let mut result = Err(CallError::new(FailureCode::NotInstalled, "no provider is installed"));
    for link in &job.chain {
        result = calls.ask(link).await;
        match &result {
            Ok(_) => break,
            Err(error) => {
                calls.notes.push(format!("{}: {}", link.provider.name().as_str(), error.message))
            }
        }
    }
    let Calls { mut spent, mut notes, .. } = calls;
    if result.is_err() {
        // The last failure is the outcome itself, not a note beside it.
        notes.pop();
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
        self.notes.push(format!("asked again: {}", again.reason));
        let tail = format!("{}{}", self.job.prompt.tail, ask_again(&again, &self.job.wanted));
        match self.said(link, &tail).await.map(|text| read(&text, &self.job.wanted)) {
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
        let context = CallContext {
            participant: self.job.alias.clone(),
            phase: self.job.phase.clone(),
            turn: self.job.turn,
            file: self.job.file.clone(),
            temperature: self.job.temperature,
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
            on_text: Some(&on_text),
        };
        let metered = self.purse.around(Arc::clone(&link.provider), link.definition.as_ref());
        let called = call_with_retries(&metered, request, Backoff::new(retries)).await;
        self.spent.provider = Some(link.provider.name().as_str().to_owned());
        // The last call was not made where no program is there, or no money.
        let made = match &called.result {
            Err(error) if error.code == FailureCode::NotInstalled => 0,
            Err(error) if error.code == FailureCode::OverBudget => called.calls - 1,
            _ => called.calls,
        };
        self.spent.calls = Some(self.spent.calls.unwrap_or(0) + made);
        let lost = metered.lost();
        if lost > 0.0 {
            let so_far = self.spent.usd.unwrap_or_default();
            self.spent.usd = Some(Usd { amount: so_far.amount + lost, estimated: true });
        }
        self.notes.extend(called.failures.iter().map(|failure| {
            format!("{}: {}, tried again", link.provider.name().as_str(), failure.message)
        }));
        let reply = called.result?;
        self.notes.extend(reply.warnings.iter().cloned());
        let cost = spending(price, [&self.job.prompt.prefix, tail], &reply);
        let so_far = self.spent.tokens.unwrap_or_default();
        self.spent.tokens = Some(Tokens {
            input: so_far.input + cost.usage.input_tokens,
            output: so_far.output + cost.usage.output_tokens,
            estimated: so_far.estimated || cost.tokens_estimated,
        });
        if let Some(usd) = cost.usd {
            let so_far = self.spent.usd.unwrap_or_default();
            self.spent.usd = Some(Usd {
                amount: so_far.amount + usd,
                estimated: so_far.estimated || cost.usd_estimated,
            });
        }
        if let Some(usage) = reply.usage {
            self.spent.cached = Some(self.spent.cached.unwrap_or(0) + usage.cached_input_tokens);
        }
        self.spent.finish = reply.finish;
        self.spent.model = reply.model.or_else(|| self.spent.model.take());
        Ok(reply.text)
    }
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
        CallError::new(code.failure(), format!("its answer could not be used, twice: {reason}"))
    })
}
