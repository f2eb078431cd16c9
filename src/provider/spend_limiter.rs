//! A limit of money: the highest price of a call is reserved before the call is made.

use std::pin::Pin;
use std::sync::Arc;

use super::{
    Availability, CallError, CallFuture, Environment, FailureCode, Price, Provider,
    ProviderDefinition, ProviderName, Reply, ReportedUsd, Request, TurnFuture, Usage, spending,
};
use parking_lot::{Mutex, MutexGuard};

/// The minimum number of bytes of a prompt or an answer per token.
const BYTES_PER_TOKEN: u64 = 3;
/// The maximum number of tokens of an answer if the definition does not limit it.
pub(super) const MOST_TOKENS: u64 = 8192;
/// The maximum number of tokens that a program puts before the prompt: the bundled programs sent 14 to 55 kB of their
/// own in a trial.
pub(super) const OWN_TOKENS: u64 = 20_000;
/// Tokens of a usual answer, the model's reasoning before it included: 300 to 500 words of text.
pub(crate) const USUAL_ANSWER: u64 = 800;
/// The usual number of bytes of English prose per token.
const USUAL_BYTES_PER_TOKEN: u64 = 4;
/// Tokens that a program usually puts before the prompt: the middle of the amounts that the bundled programs sent.
const USUAL_OWN_TOKENS: u64 = 8_000;

/// The limit of money for all calls of a run, however many run at once. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpendLimiter {
    inside: Arc<Mutex<Inside>>,
    /// The calls made through this value and its clones.
    paid: Arc<Mutex<Paid>>,
    /// Records each call before it is made.
    log: Option<Arc<dyn ReservationLog>>,
}

/// A record of calls before they are made, so that a killed run leaves a trace of them.
pub(crate) trait ReservationLog: std::fmt::Debug + Send + Sync {
    /// Records the highest price of all calls through a limiter, including the call that begins now.
    fn note(&self, most: Paid) -> NoteFuture<'_>;
}

/// The future of one record; its error says why it could not be written.
pub(crate) type NoteFuture<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// The number of calls and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Paid {
    /// Calls that were begun.
    pub(crate) calls: u32,
    /// US dollars; a broken call counts at its highest price. 0 if money is not limited.
    pub(crate) usd: f64,
}

#[derive(Debug, Default)]
struct Inside {
    /// US dollars that may be spent; none: no limit.
    limit: Option<f64>,
    spent: f64,
    /// The sum of the highest prices of the running calls.
    set_aside: f64,
    /// True to allow calls of unknown price, which count as 0.
    unpriced: bool,
    refused: Option<RefusedCall>,
}

/// Why a call was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusedCall {
    /// It may cost more than is left.
    Money,
    /// Its price is unknown.
    Price,
}

/// Why a run cannot make a single call within its limit of money.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unaffordable {
    /// Even the cheapest call may cost more.
    #[error("one call may cost up to ${:.2}", .cents / 100.0)]
    TooDear {
        /// US cents, rounded up.
        cents: f64,
    },
    /// The price of every call is unknown.
    #[error("the price of {provider}{} is not known", if *.uses_tools { " with tools" } else { "" })]
    NoPrice {
        /// The provider that is asked first.
        provider: String,
        /// True if it may use tools, so that no price list tells the cost of a call.
        uses_tools: bool,
    },
    /// The file does not tell how much of the limit is spent.
    #[error(
        "money is limited, but the price of {calls} recorded call{} is unknown: the recorded `usd` is not an amount \
         of money",
        if *.calls == 1 { "" } else { "s" }
    )]
    UnreadablePrices {
        /// The number of calls with an unreadable amount of money in their receipts.
        calls: u64,
    },
}

impl SpendLimiter {
    /// Returns a limiter; without a limit it only counts. `unpriced` allows calls of unknown price.
    pub(crate) fn new(limit: Option<f64>, unpriced: bool) -> Self {
        let inside = Inside { limit, unpriced, ..Inside::default() };
        Self { inside: Arc::new(Mutex::new(inside)), ..Self::default() }
    }

    /// Returns a limiter that shares this one's money, counts its own calls from 0 and records each before it is made.
    pub(crate) fn counting(&self, log: Option<Arc<dyn ReservationLog>>) -> Self {
        Self { inside: Arc::clone(&self.inside), paid: Arc::default(), log }
    }

    /// Returns the calls made through this value and its clones.
    pub(crate) fn paid(&self) -> Paid {
        *self.paid.lock()
    }

    fn pay(&self, usd: f64) {
        self.paid.lock().usd += usd;
    }

    fn count_call(&self) {
        self.paid.lock().calls += 1;
    }

    /// Records a call that may cost this amount, before it is made.
    async fn note(&self, who: &str, amount: f64) -> Result<(), CallError> {
        let Some(log) = &self.log else { return Ok(()) };
        let Paid { calls, usd } = self.paid();
        let noted = log.note(Paid { calls: calls + 1, usd: usd + amount }).await;
        noted.map_err(|why| {
            let message =
                format!("did not call {who}: could not record the cost reservation: {why}");
            CallError::new(FailureCode::CannotStart, message)
        })
    }

    /// Lowers the limit to this amount, if it is higher.
    pub(crate) fn narrow(&self, limit: f64) {
        let mut inside = self.lock();
        inside.limit = Some(inside.limit.map_or(limit, |known| known.min(limit)));
    }

    /// Returns whether the limit is used up.
    pub(crate) fn is_empty(&self) -> bool {
        let inside = self.lock();
        inside.limit.is_some_and(|limit| inside.spent >= limit)
    }

    /// Returns the money that was spent. Failed calls that may have cost something are included.
    pub(crate) fn spent(&self) -> f64 {
        self.lock().spent
    }

    /// Returns the rest of the limit; none: there is no limit.
    pub(crate) fn remaining(&self) -> Option<f64> {
        let inside = self.lock();
        inside.limit.map(|limit| (limit - inside.spent).max(0.0))
    }

    /// Counts the spending of another limiter that got its money from this one.
    pub(crate) fn charge(&self, usd: f64) {
        self.lock().spent += usd;
    }

    /// Returns why a call was refused since this function was last called, if one was.
    pub(crate) fn take_refusal(&self) -> Option<RefusedCall> {
        self.lock().refused.take()
    }

    /// Wraps a provider, which is then called only if the highest price of the call fits. Retries count as calls.
    pub(crate) fn meter(
        &self,
        provider: Arc<dyn Provider>,
        definition: Option<&ProviderDefinition>,
    ) -> MeteredProvider {
        let terms = Terms::of(definition);
        MeteredProvider {
            provider,
            limiter: self.clone(),
            terms,
            lost: Mutex::default(),
            beyond: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        // A panic cannot leave the sums half changed.
        self.inside.lock()
    }

    /// Reserves the highest price of a call.
    ///
    /// # Errors
    /// Fails if the price does not fit into the limit or is unknown.
    fn set_aside(&self, who: &str, most: Option<f64>) -> Result<SetAside, CallError> {
        let mut inside = self.lock();
        let refuse = |inside: &mut Inside, why: RefusedCall, message: String| {
            inside.refused = Some(why);
            Err(CallError::new(FailureCode::OverBudget, message))
        };
        let Some(limit) = inside.limit else {
            return Ok(SetAside {
                limiter: self.clone(),
                amount: 0.0,
                limited: false,
                told: None,
                settled: false,
            });
        };
        let left = limit - inside.spent - inside.set_aside;
        let (most, limited) = match most {
            Some(most) => (most, true),
            None if inside.unpriced => (0.0, false),
            None => {
                let message = format!("money is limited, but the price of {who} is unknown");
                return refuse(&mut inside, RefusedCall::Price, message);
            }
        };
        // Compare without a tolerance for rounding, so that no call can exceed the limit.
        if most > left {
            let left = left.max(0.0);
            let message =
                format!("a call to {who} may cost {most:.4} USD, but only {left:.4} USD are left");
            return refuse(&mut inside, RefusedCall::Money, message);
        }
        inside.set_aside += most;
        // A program of unknown price, or with tools, gets all that is left as its own limit.
        let told = Some(if limited { most } else { left.max(0.0) });
        Ok(SetAside { limiter: self.clone(), amount: most, limited, told, settled: false })
    }
}

/// The money reserved for a running call. If it is dropped before it is settled, it counts in full, because the cost is
/// unknown.
#[derive(Debug)]
struct SetAside {
    limiter: SpendLimiter,
    amount: f64,
    /// True if the call must not cost more than `amount`.
    limited: bool,
    /// The limit that the program gets for itself, in US dollars.
    told: Option<f64>,
    settled: bool,
}

impl SetAside {
    fn settle(mut self, cost: f64) {
        let mut inside = self.limiter.lock();
        inside.set_aside -= self.amount;
        inside.spent += cost;
        drop(inside);
        self.limiter.pay(cost);
        self.settled = true;
    }
}

impl Drop for SetAside {
    fn drop(&mut self) {
        if !self.settled {
            let mut inside = self.limiter.lock();
            inside.set_aside -= self.amount;
            inside.spent += self.amount;
            drop(inside);
            self.limiter.pay(self.amount);
        }
    }
}

/// The price of a call, as far as it is known before the call.
#[derive(Clone, Copy, Debug)]
struct Terms {
    price: Option<Price>,
    max_tokens: u64,
    own_tokens: u64,
}

impl Terms {
    fn of(definition: Option<&ProviderDefinition>) -> Self {
        let price = definition.and_then(|definition| definition.common.price);
        let tokens = definition.map(|definition| definition.kind.most_tokens());
        let (max_tokens, own_tokens) = tokens.unwrap_or((MOST_TOKENS, 0));
        Self { price, max_tokens, own_tokens }
    }

    /// Returns the highest price of a call with a prompt of this size.
    fn most(&self, bytes: usize) -> Option<f64> {
        let input = (bytes as u64).div_ceil(BYTES_PER_TOKEN) + self.own_tokens;
        Some(self.price?.highest(input, self.max_tokens))
    }

    /// Returns the maximum number of bytes of an answer at the highest price; none if its length costs nothing.
    fn longest(&self) -> Option<usize> {
        self.price.filter(|price| price.output > 0.0)?;
        Some(usize::try_from(self.max_tokens * BYTES_PER_TOKEN).unwrap_or(usize::MAX))
    }
}

/// Returns the highest price of a call with a prompt of this size, if it is known, and the maximum number of tokens of
/// its answer.
pub(crate) fn highest_price(
    definition: Option<&ProviderDefinition>,
    bytes: usize,
) -> (Option<f64>, usize) {
    let terms = Terms::of(definition);
    (terms.most(bytes), usize::try_from(terms.max_tokens).unwrap_or(usize::MAX))
}

/// Returns the usual price of a call with a prompt of this size, if it is known.
///
/// Assumes [`USUAL_BYTES_PER_TOKEN`], [`USUAL_ANSWER`] and, for a program, [`USUAL_OWN_TOKENS`]. Savings by a
/// cache are ignored.
pub(crate) fn usual_price(definition: Option<&ProviderDefinition>, bytes: usize) -> Option<f64> {
    let terms = Terms::of(definition);
    let own = if terms.own_tokens > 0 { USUAL_OWN_TOKENS } else { 0 };
    let usage = Usage {
        input_tokens: (bytes as u64).div_ceil(USUAL_BYTES_PER_TOKEN) + own,
        output_tokens: USUAL_ANSWER.min(terms.max_tokens),
        ..Usage::default()
    };
    Some(terms.price?.of(&usage))
}

/// A provider, with the limiter that counts the cost of its calls.
pub(crate) struct MeteredProvider {
    provider: Arc<dyn Provider>,
    limiter: SpendLimiter,
    terms: Terms,
    /// The highest possible cost of failed calls, and the part of reservations that counts because a reported cost was
    /// refused.
    lost: Mutex<f64>,
    /// True if a call cost more than was reserved for it.
    beyond: Mutex<bool>,
}

impl MeteredProvider {
    /// Returns the money that counts although no answer states it, since this function was last called: the possible cost
    /// of failed calls, and the rest of a reservation if the reported cost was refused. 0 if money is not limited.
    pub(crate) fn unstated_cost(&self) -> f64 {
        std::mem::take(&mut *self.lost.lock())
    }

    /// Returns whether a call cost more than was reserved for it, since this function was last called.
    pub(crate) fn exceeded_reservation(&self) -> bool {
        std::mem::take(&mut *self.beyond.lock())
    }

    async fn pay(&self, request: Request<'_>) -> Result<Reply, CallError> {
        let prompt = [Arc::clone(&request.prefix), request.tail.into()];
        // A program with tools calls its model as often as it wants, so its price is unknown.
        let bounded = request.context.reach.is_none();
        let size = prompt[0].len() + prompt[1].len();
        let most = self.terms.most(size).filter(|_| bounded);
        let set_aside = self.limiter.set_aside(self.name().as_str(), most)?;
        let amount = set_aside.amount;
        if let Err(error) = self.limiter.note(self.name().as_str(), amount).await {
            set_aside.settle(0.0);
            return Err(error);
        }
        self.limiter.count_call();
        let longest = self.terms.longest().filter(|_| set_aside.limited);
        let usd = set_aside.told;
        let result = self.provider.call(Request { longest, usd, ..request }).await;
        let cost = match &result {
            Ok(reply) => {
                let cost = spending(self.terms.price.as_ref(), [&prompt[0], &prompt[1]], reply);
                let cost = cost.usd.unwrap_or(0.0);
                if reply.usd == ReportedUsd::Refused {
                    // The cost is unknown, so the reservation counts. The runner records `cost` with the answer, and
                    // the rest as lost.
                    *self.lost.lock() += (amount - cost).max(0.0);
                    cost.max(amount)
                } else {
                    cost
                }
            }
            // The cost that a program reports for a failed call may leave out work that it had begun.
            Err(failure) => failure.usd.unwrap_or_default().max(if was_free(failure.code) {
                0.0
            } else {
                amount
            }),
        };
        if result.is_err() {
            *self.lost.lock() += cost;
        }
        if set_aside.limited && cost > amount * (1.0 + 1e-9) {
            *self.beyond.lock() = true;
        }
        set_aside.settle(cost);
        result
    }
}

impl Provider for MeteredProvider {
    fn name(&self) -> &ProviderName {
        self.provider.name()
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(self.pay(request))
    }

    fn turn(&self) -> TurnFuture<'_> {
        self.provider.turn()
    }

    fn availability(&self, env: &Environment) -> Availability {
        self.provider.availability(env)
    }
}

/// Returns whether a call failed before a model began to work.
fn was_free(code: FailureCode) -> bool {
    use FailureCode as F;
    match code {
        F::NotInstalled
        | F::CannotStart
        | F::Misconfigured
        | F::Unreachable
        | F::RateLimited
        | F::Overloaded
        | F::Server
        | F::SpendLimit
        | F::Unauthorized
        | F::UnknownModel
        | F::PromptTooLong
        | F::OverBudget => true,
        F::Exit
        | F::Empty
        | F::Timeout
        | F::OutputTooLong
        | F::Unreadable
        | F::CutStream
        | F::BudgetSpent
        | F::ContentFilter
        | F::Stopped => false,
    }
}

#[cfg(test)]
mod tests;
