//! Money that may be spent and no more: the highest price of a call is set aside before it is made.

use std::pin::Pin;
use std::sync::Arc;

use parking_lot::Mutex;

use super::{
    Availability, CallError, CallFuture, Definition, Environment, FailureCode, Kind, Price,
    Provider, ProviderName, Reply, Request, TurnFuture, Usage, spending,
};

/// Bytes of a prompt or an answer to a token, at the least.
const BYTES_PER_TOKEN: u64 = 3;
/// The most tokens of an answer where the definition cannot say.
const MOST_TOKENS: u64 = 8192;
/// Tokens that a program may put before the prompt: the bundled ones sent 14 to 55 kB of their own when they were tried.
const OWN_TOKENS: u64 = 20_000;
/// Tokens of a usual answer, with what a model thinks before it: 300 to 500 words of text.
pub(crate) const USUAL_ANSWER: u64 = 800;
/// Bytes to a token of usual English prose.
const USUAL_BYTES_PER_TOKEN: u64 = 4;
/// Tokens that a program usually puts before the prompt: the middle of what the bundled ones sent.
const USUAL_OWN_TOKENS: u64 = 8_000;

/// Money for all calls of a run, however many are made at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Purse {
    inside: Arc<Mutex<Inside>>,
    /// What was paid through this one and its clones.
    paid: Arc<Mutex<Paid>>,
    /// Who is told before each call through this one.
    book: Option<Arc<dyn Book>>,
}

/// What is told before a call is made, so that it is known also where nobody lives to see its end.
pub(crate) trait Book: std::fmt::Debug + Send + Sync {
    /// Notes what all calls through a purse come to at the most, with the one that begins.
    fn note(&self, most: Paid) -> NoteFuture<'_>;
}

/// A note on its way; an error says why it could not be made.
pub(crate) type NoteFuture<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// What calls came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Paid {
    /// How many were begun.
    pub(crate) calls: u32,
    /// US dollars, with the highest price of those that were broken off; 0 where money is not limited.
    pub(crate) usd: f64,
}

#[derive(Debug, Default)]
struct Inside {
    /// US dollars that may be spent; without one, all.
    limit: Option<f64>,
    spent: f64,
    /// What calls that run may come to at most.
    set_aside: f64,
    /// Calls of unknown price are made all the same, and count nothing.
    unpriced: bool,
    refused: Option<Refused>,
}

/// Why a call was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It may cost more than is left.
    Money,
    /// Nobody knows what it costs.
    Price,
}

/// No first call of a run fits into the money that its caller allows.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unaffordable {
    /// Even the cheapest may cost more.
    #[error("one call may cost up to ${:.2}", .cents / 100.0)]
    TooDear {
        /// US cents, rounded up.
        cents: f64,
    },
    /// Nobody knows the price of any.
    #[error("the price of {provider}{} is not known", if *.uses_tools { " with tools" } else { "" })]
    NoPrice {
        /// The provider that is asked first.
        provider: String,
        /// It may use tools, so no price list tells what a call costs.
        uses_tools: bool,
    },
    /// Nobody knows how much of a limit was spent.
    #[error(
        "money is limited, but the price of {calls} recorded call{} is unknown: the recorded `usd` is not an amount \
         of money",
        if *.calls == 1 { "" } else { "s" }
    )]
    UnreadablePrices {
        /// Calls whose receipts state money that cannot be read.
        calls: u64,
    },
}

impl Purse {
    /// So much, or all there is. `unpriced` allows calls whose price nobody knows.
    pub(crate) fn new(limit: Option<f64>, unpriced: bool) -> Self {
        let inside = Inside { limit, unpriced, ..Inside::default() };
        Self { inside: Arc::new(Mutex::new(inside)), ..Self::default() }
    }

    /// The same money, of which is counted anew what is paid through this one, and noted beforehand in a book.
    pub(crate) fn counting(&self, book: Option<Arc<dyn Book>>) -> Self {
        Self { inside: Arc::clone(&self.inside), paid: Arc::default(), book }
    }

    /// What was paid through this one.
    pub(crate) fn paid(&self) -> Paid {
        *self.paid.lock()
    }

    fn pay(&self, usd: f64) {
        self.paid.lock().usd += usd;
    }

    fn count_call(&self) {
        self.paid.lock().calls += 1;
    }

    /// Notes a call that may cost so much before it is made.
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

    /// No more than this either, whatever was allowed before.
    pub(crate) fn narrow(&self, limit: f64) {
        let mut inside = self.inside.lock();
        inside.limit = Some(inside.limit.map_or(limit, |known| known.min(limit)));
    }

    /// Whether nothing is left of a limit.
    pub(crate) fn is_empty(&self) -> bool {
        let inside = self.inside.lock();
        inside.limit.is_some_and(|limit| inside.spent >= limit)
    }

    /// What was spent, and what was lost to calls that failed after they may have cost something.
    pub(crate) fn spent(&self) -> f64 {
        self.inside.lock().spent
    }

    /// What is left of a limit; none: nothing limits it.
    pub(crate) fn left(&self) -> Option<f64> {
        let inside = self.inside.lock();
        inside.limit.map(|limit| (limit - inside.spent).max(0.0))
    }

    /// Counts what was spent out of another purse that this one filled.
    pub(crate) fn charge(&self, usd: f64) {
        self.inside.lock().spent += usd;
    }

    /// Why a call was refused since this was asked last, if one was.
    pub(crate) fn refused(&self) -> Option<Refused> {
        self.inside.lock().refused.take()
    }

    /// The same provider, which is asked only while its highest price fits. Each call of it counts, retries too.
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

    /// Sets a call's highest price aside; why it may not be made, where it does not fit.
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
        // What rounds differently in another order is no reason to pass a limit.
        if most > left {
            let left = left.max(0.0);
            let message =
                format!("a call to {who} may cost {most:.4} USD, but only {left:.4} USD are left");
            return refuse(&mut inside, Refused::Money, message);
        }
        inside.set_aside += most;
        // Whose price nobody knows, or who asks as often as it likes, is told all that is left.
        let told = Some(if limited { most } else { left.max(0.0) });
        Ok(SetAside { purse: self.clone(), amount: most, limited, told, settled: false })
    }
}

/// Money for a call that runs. Whoever drops it unsettled does not know what the call cost, and it counts in full.
#[derive(Debug)]
struct SetAside {
    purse: Purse,
    amount: f64,
    /// No more than that is to be spent.
    limited: bool,
    /// What a program is told that it may cost, in US dollars.
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

/// What is known of a call's price before it is made.
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

    /// The highest price of a prompt of so many bytes.
    fn most(&self, bytes: usize) -> Option<f64> {
        let input = (bytes as u64).div_ceil(BYTES_PER_TOKEN) + self.own_tokens;
        Some(self.price?.highest(input, self.max_tokens))
    }

    /// The most bytes of an answer that was paid for so; none where its length costs nothing.
    fn longest(&self) -> Option<usize> {
        self.price.filter(|price| price.output > 0.0)?;
        Some(usize::try_from(self.max_tokens * BYTES_PER_TOKEN).unwrap_or(usize::MAX))
    }
}

/// The highest price of a call with a prompt of so many bytes, where that is known, and the most tokens of its answer.
pub(crate) fn highest_price(definition: Option<&Definition>, bytes: usize) -> (Option<f64>, usize) {
    let terms = Terms::of(definition);
    (terms.most(bytes), usize::try_from(terms.max_tokens).unwrap_or(usize::MAX))
}

/// The price of a call of usual size with a prompt of so many bytes, if it is known.
///
/// Assumes [`USUAL_BYTES_PER_TOKEN`], [`USUAL_ANSWER`] and, for a program, [`USUAL_OWN_TOKENS`]. What a cache saves is
/// ignored.
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

/// A provider that pays out of a purse.
pub(crate) struct Metered {
    provider: Arc<dyn Provider>,
    purse: Purse,
    terms: Terms,
    /// What failed calls may have cost.
    lost: Mutex<f64>,
    /// Some call cost more than was set aside for it.
    beyond: Mutex<bool>,
}

impl Metered {
    /// What calls may have cost that gave no answer, since this was asked last; 0 where money is not limited.
    pub(crate) fn lost(&self) -> f64 {
        std::mem::take(&mut *self.lost.lock())
    }

    /// Whether a call cost more than was set aside for it, since this was asked last.
    pub(crate) fn went_beyond(&self) -> bool {
        std::mem::take(&mut *self.beyond.lock())
    }

    async fn pay(&self, request: Request<'_>) -> Result<Reply, CallError> {
        let prompt = [Arc::clone(&request.prefix), request.tail.into()];
        // Who may use tools asks its model as often as it likes: nobody knows what that comes to.
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
            // What a program says of a call that failed may be less than what it began.
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

/// Whether a call failed before a model began to work.
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
