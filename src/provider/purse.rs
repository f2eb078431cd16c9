//! Spending limits: the highest price of a call is reserved before the call is made.

use std::pin::Pin;
use std::sync::Arc;

use parking_lot::Mutex;

use super::{
    Availability, CallError, CallFuture, Definition, Environment, FailureCode, Kind, Price,
    Provider, ProviderName, Reply, Request, TurnFuture, Usage, spending,
};

/// The minimum number of prompt or answer bytes per token.
const BYTES_PER_TOKEN: u64 = 3;
/// The maximum number of answer tokens if the definition cannot say it.
const MOST_TOKENS: u64 = 8192;
/// The tokens that a program may put before the prompt: in tests, the bundled programs sent 14 to 55 kB of their own.
const OWN_TOKENS: u64 = 20_000;
/// The tokens of a typical answer with its reasoning: 300 to 500 words of text.
pub(crate) const USUAL_ANSWER: u64 = 800;
/// The number of bytes per token in typical English prose.
const USUAL_BYTES_PER_TOKEN: u64 = 4;
/// The tokens that a program typically puts before the prompt: the median of the bundled programs.
const USUAL_OWN_TOKENS: u64 = 8_000;

/// The budget for all calls of a run, including concurrent ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Purse {
    inside: Arc<Mutex<Inside>>,
    /// The payments through this purse and its clones.
    paid: Arc<Mutex<Paid>>,
    /// The log that is informed before each call through this purse.
    book: Option<Arc<dyn Book>>,
}

/// A log of payments that is written before a call, so that the reservation is known even if the process is killed
/// during it.
pub(crate) trait Book: std::fmt::Debug + Send + Sync {
    /// Records the maximum cost of all calls through a purse, including the one that begins now.
    fn note(&self, most: Paid) -> NoteFuture<'_>;
}

/// The future of [`Book::note`]; its error says why the note could not be written.
pub(crate) type NoteFuture<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// The number and cost of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Paid {
    /// The number of calls that were started.
    pub(crate) calls: u32,
    /// US dollars, including the highest price of interrupted calls; 0 if money is not limited.
    pub(crate) usd: f64,
}

#[derive(Debug, Default)]
struct Inside {
    /// The limit in US dollars; `None` if money is not limited.
    limit: Option<f64>,
    spent: f64,
    /// The sum of the reservations for running calls.
    set_aside: f64,
    /// True if calls of unknown price are allowed; nothing is reserved for them.
    unpriced: bool,
    refused: Option<Refused>,
}

/// The reason why a call was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The call may cost more than is left.
    Money,
    /// The price of the call is unknown.
    Price,
}

/// The error if not even the first call of a run fits into the allowed budget.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unaffordable {
    /// Even the cheapest call may cost more.
    #[error("one call may cost up to ${:.2}", .cents / 100.0)]
    TooDear {
        /// US cents, rounded up.
        cents: f64,
    },
    /// The price of every provider is unknown.
    #[error("the price of {provider}{} is not known", if *.uses_tools { " with tools" } else { "" })]
    NoPrice {
        /// The provider that would be called first.
        provider: String,
        /// True if the model may use tools, so that no price list can tell the cost of a call.
        uses_tools: bool,
    },
    /// The amount that was already spent is unknown.
    #[error(
        "money is limited, but the price of {calls} recorded call{} is unknown: the recorded `usd` is not an amount \
         of money",
        if *.calls == 1 { "" } else { "s" }
    )]
    UnreadablePrices {
        /// The number of calls with unreadable prices in their receipts.
        calls: u64,
    },
}

impl Purse {
    /// Creates a budget with a limit, or without one. `unpriced` allows calls of unknown price.
    pub(crate) fn new(limit: Option<f64>, unpriced: bool) -> Self {
        let inside = Inside { limit, unpriced, ..Inside::default() };
        Self { inside: Arc::new(Mutex::new(inside)), ..Self::default() }
    }

    /// Returns a purse with the same budget that counts its own payments from 0 and records them in `book` beforehand.
    pub(crate) fn counting(&self, book: Option<Arc<dyn Book>>) -> Self {
        Self { inside: Arc::clone(&self.inside), paid: Arc::default(), book }
    }

    /// Returns the payments through this purse.
    pub(crate) fn paid(&self) -> Paid {
        *self.paid.lock()
    }

    fn pay(&self, usd: f64) {
        self.paid.lock().usd += usd;
    }

    fn count_call(&self) {
        self.paid.lock().calls += 1;
    }

    /// Records a call that may cost up to `amount`, before it is made.
    async fn note(&self, who: &str, amount: f64) -> Result<(), CallError> {
        let Some(book) = &self.book else { return Ok(()) };
        let Paid { calls, usd } = self.paid();
        let noted = book.note(Paid { calls: calls + 1, usd: usd + amount }).await;
        noted.map_err(|why| {
            let message =
                format!("did not call {who}: could not record the cost reservation: {why}");
            CallError::new(FailureCode::CannotStart, message)
        })
    }

    /// Lowers the limit to `limit`, unless it is already lower.
    pub(crate) fn narrow(&self, limit: f64) {
        let mut inside = self.inside.lock();
        inside.limit = Some(inside.limit.map_or(limit, |known| known.min(limit)));
    }

    /// Returns whether a limit is used up.
    pub(crate) fn is_empty(&self) -> bool {
        let inside = self.inside.lock();
        inside.limit.is_some_and(|limit| inside.spent >= limit)
    }

    /// Returns the amount spent, including failed calls that may have cost something.
    pub(crate) fn spent(&self) -> f64 {
        self.inside.lock().spent
    }

    /// Returns the rest of the limit; `None` if money is not limited.
    pub(crate) fn left(&self) -> Option<f64> {
        let inside = self.inside.lock();
        inside.limit.map(|limit| (limit - inside.spent).max(0.0))
    }

    /// Adds an amount that was spent from another purse that this one funded.
    pub(crate) fn charge(&self, usd: f64) {
        self.inside.lock().spent += usd;
    }

    /// Returns why a call was refused since the last call of this function, if one was.
    pub(crate) fn refused(&self) -> Option<Refused> {
        self.inside.lock().refused.take()
    }

    /// Wraps a provider so that it is called only if its highest price fits into the budget. Each call counts, retries
    /// too.
    pub(crate) fn around(
        &self,
        provider: Arc<dyn Provider>,
        definition: Option<&Definition>,
    ) -> Metered {
        let terms = Terms::of(definition);
        Metered {
            provider,
            purse: self.clone(),
            terms,
            lost: Mutex::default(),
            beyond: Mutex::default(),
        }
    }

    /// Reserves the highest price of a call, or returns why the call may not be made.
    fn set_aside(&self, who: &str, most: Option<f64>) -> Result<SetAside, CallError> {
        let mut inside = self.inside.lock();
        let refuse = |inside: &mut Inside, why: Refused, message: String| {
            inside.refused = Some(why);
            Err(CallError::new(FailureCode::OverBudget, message))
        };
        let Some(limit) = inside.limit else {
            return Ok(SetAside {
                purse: self.clone(),
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
                return refuse(&mut inside, Refused::Price, message);
            }
        };
        // No tolerance for rounding errors: in another order the sum may round up, and the limit must never be
        // exceeded.
        if most > left {
            let left = left.max(0.0);
            let message =
                format!("a call to {who} may cost {most:.4} USD, but only {left:.4} USD are left");
            return refuse(&mut inside, Refused::Money, message);
        }
        inside.set_aside += most;
        // A call whose price is unknown, or that may use tools, gets everything that is left as its limit.
        let told = Some(if limited { most } else { left.max(0.0) });
        Ok(SetAside { purse: self.clone(), amount: most, limited, told, settled: false })
    }
}

/// The reservation for a running call. If it is dropped before it is settled, the cost is unknown and the whole amount
/// counts as spent.
#[derive(Debug)]
struct SetAside {
    purse: Purse,
    amount: f64,
    /// True if the call should cost no more than that.
    limited: bool,
    /// The maximum cost that a program is told, in US dollars.
    told: Option<f64>,
    settled: bool,
}

impl SetAside {
    fn settle(mut self, cost: f64) {
        let mut inside = self.purse.inside.lock();
        inside.set_aside -= self.amount;
        inside.spent += cost;
        drop(inside);
        self.purse.pay(cost);
        self.settled = true;
    }
}

impl Drop for SetAside {
    fn drop(&mut self) {
        if !self.settled {
            let mut inside = self.purse.inside.lock();
            inside.set_aside -= self.amount;
            inside.spent += self.amount;
            drop(inside);
            self.purse.pay(self.amount);
        }
    }
}

/// The facts about a call's price that are known before it is made.
#[derive(Clone, Copy, Debug)]
struct Terms {
    price: Option<Price>,
    max_tokens: u64,
    own_tokens: u64,
}

impl Terms {
    fn of(definition: Option<&Definition>) -> Self {
        let price = definition.and_then(|definition| definition.common.price);
        let (max_tokens, own_tokens) = match definition.map(|definition| &definition.kind) {
            Some(Kind::Http(http)) => (http.max_tokens.into(), 0),
            Some(Kind::Command(command)) => (command.longest_answer().into(), OWN_TOKENS),
            Some(Kind::Script(_) | Kind::Mock) | None => (MOST_TOKENS, 0),
        };
        Self { price, max_tokens, own_tokens }
    }

    /// Returns the highest price for a prompt of this many bytes.
    fn most(&self, bytes: usize) -> Option<f64> {
        let input = (bytes as u64).div_ceil(BYTES_PER_TOKEN) + self.own_tokens;
        Some(self.price?.highest(input, self.max_tokens))
    }

    /// Returns the maximum number of answer bytes that the reservation covers; `None` if the answer's length costs
    /// nothing.
    fn longest(&self) -> Option<usize> {
        self.price.filter(|price| price.output > 0.0)?;
        Some(usize::try_from(self.max_tokens * BYTES_PER_TOKEN).unwrap_or(usize::MAX))
    }
}

/// Returns the highest price of a call with a prompt of this many bytes, if it is known, and the maximum number of
/// answer tokens.
pub(crate) fn highest_price(definition: Option<&Definition>, bytes: usize) -> (Option<f64>, usize) {
    let terms = Terms::of(definition);
    (terms.most(bytes), usize::try_from(terms.max_tokens).unwrap_or(usize::MAX))
}

/// Returns the typical price of a call with a prompt of this many bytes, if it is known.
///
/// Assumes [`USUAL_BYTES_PER_TOKEN`], [`USUAL_ANSWER`] and, for a program, [`USUAL_OWN_TOKENS`]. Ignores savings by a
/// cache.
pub(crate) fn usual_price(definition: Option<&Definition>, bytes: usize) -> Option<f64> {
    let terms = Terms::of(definition);
    let own = if terms.own_tokens > 0 { USUAL_OWN_TOKENS } else { 0 };
    let usage = Usage {
        input_tokens: (bytes as u64).div_ceil(USUAL_BYTES_PER_TOKEN) + own,
        output_tokens: USUAL_ANSWER.min(terms.max_tokens),
        ..Usage::default()
    };
    Some(terms.price?.of(&usage))
}

/// A provider whose calls are paid from a purse.
pub(crate) struct Metered {
    provider: Arc<dyn Provider>,
    purse: Purse,
    terms: Terms,
    /// The cost that failed calls may have had.
    lost: Mutex<f64>,
    /// True if a call cost more than was reserved for it.
    beyond: Mutex<bool>,
}

impl Metered {
    /// Returns the possible cost of calls without an answer since the last call of this function; 0 if money is not
    /// limited.
    pub(crate) fn lost(&self) -> f64 {
        std::mem::take(&mut *self.lost.lock())
    }

    /// Returns whether a call cost more than its reservation since the last call of this function.
    pub(crate) fn went_beyond(&self) -> bool {
        std::mem::take(&mut *self.beyond.lock())
    }

    async fn pay(&self, request: Request<'_>) -> Result<Reply, CallError> {
        let prompt = [Arc::clone(&request.prefix), request.tail.into()];
        // A program with tools calls its model as often as it likes, so the total price is unknown.
        let bounded = request.context.reach.is_none();
        let size = prompt[0].len() + prompt[1].len();
        let most = self.terms.most(size).filter(|_| bounded);
        let set_aside = self.purse.set_aside(self.name().as_str(), most)?;
        let amount = set_aside.amount;
        if let Err(error) = self.purse.note(self.name().as_str(), amount).await {
            set_aside.settle(0.0);
            return Err(error);
        }
        self.purse.count_call();
        let longest = self.terms.longest().filter(|_| set_aside.limited);
        let usd = set_aside.told;
        let result = self.provider.call(Request { longest, usd, ..request }).await;
        let cost = match &result {
            Ok(reply) => {
                let cost = spending(self.terms.price.as_ref(), [&prompt[0], &prompt[1]], reply);
                cost.usd.unwrap_or(0.0)
            }
            // The cost that a program reports for a failed call may omit work that had begun.
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

impl Provider for Metered {
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
