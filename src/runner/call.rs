//! The calls for one participant's answer: retries, one repair request, and the fallback chain.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use super::answer::{CallRecord, Job};
use super::context::{SharedState, millis_since};
use super::providers::Link;
use super::tools::tool_instructions;
use crate::engine::{Reading, RepairRequest, read};
use crate::provider::{
    Backoff, CallContext, CallError, FailureCode, ProviderDefinition, Request, SpendLimiter,
    Spending, call_while_allowed, spending,
};
use crate::transcript::{Alias, Tokens, Tried, Usd};

/// The note if a limit of calls forbids a retry, a repair request or a fallback.
const NO_MORE: &str = "no more calls are allowed in this run";
/// The notice if a program spent more than was reserved for its call.
const BEYOND: &str =
    "cost more than was reserved for this call; all of it counts towards the limit";

/// A piece of an answer that is still growing.
pub(super) struct Chunk {
    pub(super) participant: Alias,
    pub(super) text: String,
}

/// The limits, the channel and the shared state for a participant's calls.
pub(super) struct CallMeans {
    /// The deadline of one call, instead of the provider's own.
    pub(super) timeout: Option<Duration>,
    pub(super) chunks: UnboundedSender<Chunk>,
    /// Limits the money of all calls of the run, and counts those of this participant.
    pub(super) money: SpendLimiter,
    pub(super) shared: Arc<SharedState>,
}

/// The calls for one participant so far, and their cost.
struct Calls<'j> {
    job: &'j Job,
    means: CallMeans,
    record: CallRecord,
    /// The cost of each provider's calls, in the order of their first calls.
    by_provider: Vec<Tried>,
    /// The last answer that was empty.
    empty_answer: Option<CallError>,
}

/// Calls providers for one participant until one answers or none is left.
pub(super) async fn call(job: Job, means: CallMeans) -> CallRecord {
    let start = Instant::now();
    let mut calls = Calls {
        job: &job,
        means,
        record: CallRecord::new(job.alias.clone(), job.name.clone(), job.turn),
        by_provider: Vec::new(),
        empty_answer: None,
    };
    // The reasons why fallbacks were called.
    let mut reasons = Vec::new();
    for (place, link) in job.chain.iter().enumerate() {
        let needs_extra_call = place > 0 && calls.record.spent.calls > Some(0);
        if needs_extra_call && !calls.means.shared.take_extra_call() {
            let failure = calls.record.notes.pop();
            calls.record.notes.extend([NO_MORE.to_owned()].into_iter().chain(failure));
            break;
        }
        calls.record.result = calls.ask(link).await;
        match &calls.record.result {
            Ok(_) => break,
            Err(error) => {
                calls.means.shared.note_failure(link.provider.name(), error);
                let why = with_provider(link.provider.name().as_str(), &error.message);
                reasons.push(why.clone());
                calls.record.notes.push(why);
            }
        }
    }
    let Calls { mut record, by_provider, means, .. } = calls;
    // List only the earlier providers: the last one's share is the total minus their shares.
    record.spent.tried = by_provider;
    let last = record.spent.provider.as_ref();
    record.spent.tried.retain(|one| Some(&one.provider) != last && one.calls > 0);
    match &mut record.result {
        // The last failure is the result, so it needs no note.
        Err(_) => drop(record.notes.pop()),
        Ok(reading) => {
            // If a fallback answered, report the reason once per run.
            record.notes.retain(|note| !reasons.contains(note) || means.shared.is_new(note));
            if let Reading::Answer { body, notes, .. } = reading {
                record.notes.append(notes);
                // Names replace the letters that an anonymous prompt showed.
                *body = job.pseudonyms.text(body);
            }
        }
    }
    record.markers = job.wanted.text.clone();
    record.spent.ms = Some(millis_since(start));
    record
}

impl Calls<'_> {
    /// Calls one provider, and sends a repair request if its first answer cannot be used.
    async fn ask(&mut self, link: &Link) -> Result<Reading, CallError> {
        let first = self.call_or_empty(link, &self.job.prompt.tail).await?;
        let again = match read(&first, &self.job.wanted) {
            Ok(reading) => return Ok(reading),
            Err(again) => again,
        };
        if !self.means.shared.take_extra_call() {
            self.record.notes.push(NO_MORE.to_owned());
            let why = format!("its answer could not be used: {}", again.reason);
            return again.keep.ok_or_else(|| CallError::new(again.code.failure(), why));
        }
        self.record.notes.push(match self.job.chain.len() {
            1 => format!("asked again: {}", again.reason),
            _ => format!("{} was asked again: {}", link.provider.name().as_str(), again.reason),
        });
        let tail = format!("{}{}", self.job.prompt.tail, again.ask(&first, &self.job.wanted));
        let second = self.call_or_empty(link, &tail).await;
        match second.map(|text| again.clone().complete(&text, &self.job.wanted)) {
            Ok(Ok(reading)) => Ok(reading),
            Ok(Err(second)) => match best_of(second, again) {
                // In a phase with `no_vote_is`, two empty answers count as the vote that it names.
                Err(_) if self.job.wanted.no_vote_is_one => Ok(Reading::Pass),
                // Prefer the provider's own error, because it contains the error output of its program.
                Err(error) if error.code == FailureCode::Empty => {
                    Err(self.empty_answer.take().unwrap_or(error))
                }
                best => best,
            },
            // A failed repair request does not lose the first answer.
            Err(error) => again.keep.ok_or(error),
        }
    }

    /// Calls a provider. An empty answer is not yet a failure: a repair request follows, which restates the format.
    async fn call_or_empty(&mut self, link: &Link, tail: &str) -> Result<String, CallError> {
        match self.send(link, tail).await {
            Err(error) if error.code == FailureCode::Empty => {
                self.empty_answer = Some(error);
                Ok(String::new())
            }
            result => result,
        }
    }

    async fn send(&mut self, link: &Link, tail: &str) -> Result<String, CallError> {
        let (timeout, retries, price) = match &link.definition {
            Some(ProviderDefinition { common, .. }) => {
                (common.timeout.get(), common.retries, common.price.as_ref())
            }
            None => (crate::provider::DEFAULT_TIMEOUT, crate::provider::DEFAULT_RETRIES, None),
        };
        let granted = link.definition.as_ref().map(|own| own.kind.grant(self.job.reach));
        let granted = granted.unwrap_or_default();
        let tail = &format!("{tail}{}", tool_instructions(granted, &self.job.project));
        let ignores_temperature = link.definition.as_ref().filter(|_| self.job.wished_temperature);
        let ignores_temperature =
            ignores_temperature.and_then(|own| own.kind.heeds_no_temperature());
        let ignores_length = link.definition.as_ref().filter(|_| self.job.wished_length);
        let ignores_length = ignores_length.and_then(|own| own.kind.heeds_no_length());
        for why in [ignores_temperature, ignores_length].into_iter().flatten() {
            let notice = format!("{}: {why}", link.provider.name().as_str());
            self.record.notes.extend(self.means.shared.once(notice));
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
        let chunks = self.means.chunks.clone();
        let on_text = move |text: &str| {
            // The call goes on without a receiver.
            let _ = chunks.send(Chunk { participant: participant.clone(), text: text.to_owned() });
        };
        let request = Request {
            prefix: Arc::clone(&self.job.prompt.prefix),
            tail,
            context: &context,
            deadline: self.means.timeout.unwrap_or(timeout),
            longest: None,
            usd: None,
            on_text: Some(&on_text),
        };
        let metered = self.means.money.meter(Arc::clone(&link.provider), link.definition.as_ref());
        let another = || self.means.shared.take_extra_call();
        let called = call_while_allowed(&metered, request, Backoff::new(retries), &another).await;
        (self.record.spent.look, self.record.spent.web) = (granted.look, granted.web);
        self.record.spent.provider = Some(link.provider.name().as_str().to_owned());
        // The last call was not made if the program is missing or the money does not cover it.
        let made = match &called.result {
            Err(error) if error.code == FailureCode::NotInstalled => 0,
            Err(error) if error.code == FailureCode::OverBudget => called.calls - 1,
            _ => called.calls,
        };
        self.record.spent.calls = Some(self.record.spent.calls.unwrap_or(0) + made);
        self.provider_cost_mut(link).calls += made;
        let lost = metered.unstated_cost();
        if lost > 0.0 {
            self.record.spent.usd = Some(more_money(self.record.spent.usd, lost, true));
            let own = self.provider_cost_mut(link);
            own.usd = Some(more_money(own.usd, lost, true));
        }
        if metered.exceeded_reservation() {
            let notice = format!("{}: {BEYOND}", link.provider.name().as_str());
            self.record.notes.extend(self.means.shared.once(notice));
        }
        let mut result = called.result;
        let provider = link.provider.name().as_str();
        self.record.notes.extend(summarize_retries(
            provider,
            &called.failures,
            result.as_mut().err(),
        ));
        let reply = result?;
        self.record.notes.extend(reply.warnings.iter().cloned());
        let cost = spending(price, [&self.job.prompt.prefix, tail], &reply);
        self.record.spent.tokens = Some(more_tokens(self.record.spent.tokens, &cost));
        self.record.spent.usd = more_usd(self.record.spent.usd, &cost);
        let own = self.provider_cost_mut(link);
        (own.tokens, own.usd) = (Some(more_tokens(own.tokens, &cost)), more_usd(own.usd, &cost));
        if let Some(usage) = reply.usage {
            self.record.spent.cached =
                Some(self.record.spent.cached.unwrap_or(0) + usage.cached_input_tokens);
        }
        self.record.spent.finish = reply.finish;
        self.record.spent.model = reply.model.or_else(|| self.record.spent.model.take());
        Ok(reply.text)
    }

    /// Returns the counter of one provider's share.
    fn provider_cost_mut(&mut self, link: &Link) -> &mut Tried {
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

/// Returns the usable part of two incomplete answers: that of the second one, or otherwise that of the first.
fn best_of(second: RepairRequest, first: RepairRequest) -> Result<Reading, CallError> {
    let (reason, code) = (second.reason, second.code);
    second.keep.or(first.keep).ok_or_else(|| {
        CallError::new(
            code.failure(),
            format!("its answers could not be used, not even after a second request: {reason}"),
        )
    })
}

/// Returns one note for each reason of failed tries, with the number of tries. If the last try failed too, the number
/// for its reason goes into its error message, not into a note.
fn summarize_retries(
    provider: &str,
    failures: &[CallError],
    last: Option<&mut CallError>,
) -> Vec<String> {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for failure in failures {
        match reasons.iter_mut().find(|(known, _)| *known == failure.message) {
            Some((_, tries)) => *tries += 1,
            None => reasons.push((&failure.message, 1)),
        }
    }
    if let Some(last) = last
        && let Some(at) = reasons.iter().position(|(known, _)| *known == last.message)
    {
        let (_, tries) = reasons.remove(at);
        last.message = times(tries + 1, &last.message);
    }
    let note = |(message, tries): (&str, usize)| {
        format!("{}, tried again", with_provider(provider, &times(tries, message)))
    };
    reasons.into_iter().map(note).collect()
}

/// Puts the provider's name before a message that does not contain it.
fn with_provider(provider: &str, message: &str) -> String {
    if message.contains(provider) { message.to_owned() } else { format!("{provider}: {message}") }
}

fn times(tries: usize, message: &str) -> String {
    match tries {
        1 => message.to_owned(),
        tries => format!("{tries} tries: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::FailureCode;

    fn failure(message: &str) -> CallError {
        CallError::new(FailureCode::Server, message)
    }

    #[test]
    fn a_repeated_reason_counts_its_tries_and_another_reason_is_a_note() {
        let busy = || failure("gpt returned status 500: busy");
        let mut last = Some(busy());
        assert_eq!(summarize_retries("gpt", &[busy(), busy()], last.as_mut()), [""; 0]);
        assert_eq!(last.unwrap().message, "3 tries: gpt returned status 500: busy");
        let mut last = Some(failure("reset"));
        let notes = summarize_retries("gpt", &[busy(), busy()], last.as_mut());
        assert_eq!(notes, ["2 tries: gpt returned status 500: busy, tried again"]);
        assert_eq!(last.unwrap().message, "reset");
        assert_eq!(
            summarize_retries("gpt", &[failure("reset")], None),
            ["gpt: reset, tried again"]
        );
    }
}
