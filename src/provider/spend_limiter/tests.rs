use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::provider::{
    Backoff, CallContext, ProviderKind, ToolPermissions, Usage, call_with_retries,
};
use crate::transcript::Alias;

/// A provider that answers at a given length or fails, as its plan says, and adds up the real cost.
struct Service {
    name: ProviderName,
    price: Price,
    most: u64,
    /// The tokens that it puts before the prompt.
    own: u64,
    /// True if it reports the cost of a call itself.
    tells_usd: bool,
    plan: Vec<(u8, u64)>,
    calls: AtomicU64,
    /// The real cost in millionths of a dollar.
    cost: Mutex<f64>,
}

impl Service {
    fn bill(&self, request: &Request<'_>, output: u64) -> Usage {
        let input = (request.prompt().len() as u64) / BYTES_PER_TOKEN + self.own;
        // A part of the input is written to a cache, another part is read from it.
        let usage = Usage {
            input_tokens: input,
            cached_input_tokens: input / 3,
            written_input_tokens: input / 2,
            output_tokens: output,
        };
        *self.cost.lock() += self.price.of(&usage);
        usage
    }
}

impl Provider for Service {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            let call = self.calls.fetch_add(1, Ordering::Relaxed) as usize;
            let (what, length) = self.plan[call % self.plan.len()];
            // Lets other calls start in the meantime.
            tokio::task::yield_now().await;
            // Output beyond the reservation is never printed, because the program is stopped at that point.
            let printed = usize::try_from(length * BYTES_PER_TOKEN).unwrap();
            if request.longest.is_some_and(|longest| printed > longest) {
                self.bill(&request, length.min(self.most));
                return Err(CallError::new(FailureCode::OutputTooLong, "too long"));
            }
            let length = if request.longest.is_some() { length } else { length.min(self.most) };
            match what % 4 {
                0 => Err(CallError::new(FailureCode::Server, "busy")),
                1 => {
                    self.bill(&request, length);
                    Err(CallError::new(FailureCode::CutStream, "cut"))
                }
                _ => {
                    let usage = self.bill(&request, length);
                    let usd = if self.tells_usd {
                        self.price.of(&usage).into()
                    } else {
                        Default::default()
                    };
                    Ok(Reply { text: "x".into(), usage: Some(usage), usd, ..Reply::default() })
                }
            }
        })
    }

    fn availability(&self, _: &Environment) -> Availability {
        Availability::Ready { through: None }
    }
}

fn context() -> CallContext {
    CallContext {
        participant: Alias::parse("a").unwrap(),
        phase: "p".into(),
        turn: 1,
        file: PathBuf::new(),
        temperature: None,
        reach: ToolPermissions::default(),
    }
}

fn definition(price: Option<Price>) -> ProviderDefinition {
    let mut definition = crate::provider::presets::Preset::find("openai").unwrap().definition();
    definition.common.price = price;
    definition
}

fn service_of(price: Price, max_tokens: u32) -> ProviderDefinition {
    let mut definition = definition(Some(price));
    let ProviderKind::Http(http) = &mut definition.kind else { unreachable!("a service") };
    http.max_tokens = max_tokens;
    definition
}

/// Returns one of the bundled programs with another price.
fn program(price: Price, max_tokens: u32) -> ProviderDefinition {
    let registry = crate::provider::Registry::built_in().unwrap();
    let mut entries = registry.entries().iter().map(|entry| &entry.definition);
    let mut definition =
        entries.find(|known| matches!(known.kind, ProviderKind::Command(_))).unwrap().clone();
    definition.common.price = Some(price);
    let ProviderKind::Command(command) = &mut definition.kind else { unreachable!("a program") };
    command.max_tokens = Some(max_tokens);
    definition
}

proptest! {
    /// The money spent never exceeds the limit: for services and programs, with retries, at any price, for answers of
    /// any length and any number of concurrent calls.
    #[test]
    fn no_call_exceeds_the_limit(
        limit in 0.0..2.0_f64,
        input in 0.0..80.0_f64,
        output in 0.0..200.0_f64,
        written in proptest::option::of(0.0..100.0_f64),
        cached in proptest::option::of(0.0..100.0_f64),
        prompts in proptest::collection::vec(0..40_000_usize, 1..12),
        plan in proptest::collection::vec((any::<u8>(), 0..30_000_u64), 1..8),
        max_tokens in 1..8192_u32,
        through_program in any::<bool>(),
        tells_usd in any::<bool>(),
        own in 0..25_000_u64,
    ) {
        let price = Price { input, output, cached, written };
        let (most, definition) = if through_program {
            (max_tokens.into(), program(price, max_tokens))
        } else {
            (max_tokens.into(), service_of(price, max_tokens))
        };
        let service = Arc::new(Service {
            name: ProviderName::parse("s").unwrap(),
            price,
            most,
            own: if through_program { own.min(OWN_TOKENS) } else { 0 },
            tells_usd: through_program && tells_usd,
            plan,
            calls: AtomicU64::new(0),
            cost: Mutex::new(0.0),
        });
        let limiter = SpendLimiter::new(Some(limit), false);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut running = tokio::task::JoinSet::new();
            for bytes in prompts {
                let metered = limiter.meter(Arc::clone(&service) as Arc<dyn Provider>, Some(&definition));
                running.spawn(async move {
                    let (context, tail) = (context(), "x".repeat(bytes));
                    let request = Request {
                        prefix: "".into(),
                        tail: &tail,
                        context: &context,
                        deadline: Duration::from_secs(600),
                        longest: None,
                        usd: None,
                        on_text: None,
                    };
                    call_with_retries(&metered, request, Backoff::new(3)).await.calls
                });
            }
            running.join_all().await;
        });
        let real = *service.cost.lock();
        prop_assert!(real <= limit * (1.0 + 1e-12), "{real} of {limit}");
        prop_assert!(real <= limiter.spent() * (1.0 + 1e-12), "{real}, known {}", limiter.spent());
        prop_assert!(limiter.spent() <= limit * (1.0 + 1e-12));
    }
}

#[tokio::test]
async fn cost_reported_beyond_the_reservation_counts() {
    let price = Price { input: 1.0, output: 10.0, cached: None, written: None };
    let service = Service {
        name: ProviderName::parse("s").unwrap(),
        price,
        most: 1000,
        own: 10_000_000,
        tells_usd: true,
        plan: vec![(2, 10)],
        calls: AtomicU64::new(0),
        cost: Mutex::new(0.0),
    };
    let limiter = SpendLimiter::new(Some(1.0), false);
    let metered = limiter.meter(Arc::new(service), Some(&program(price, 1000)));
    assert!(ask(&metered).await.is_ok());
    assert!(limiter.spent() > 10.0 && limiter.is_empty(), "{}", limiter.spent());
    assert!(metered.exceeded_reservation() && !metered.exceeded_reservation());
    assert_eq!(ask(&metered).await.unwrap_err().code, FailureCode::OverBudget);
}

async fn ask(metered: &MeteredProvider) -> Result<Reply, CallError> {
    let context = context();
    let request = Request {
        prefix: "".into(),
        tail: "x",
        context: &context,
        deadline: Duration::from_secs(1),
        longest: None,
        usd: None,
        on_text: None,
    };
    metered.call(request).await
}

#[tokio::test]
async fn unpriced_call_is_made_only_with_permission() {
    let service = || -> Arc<dyn Provider> {
        Arc::new(Service {
            name: ProviderName::parse("s").unwrap(),
            price: Price { input: 1.0, output: 1.0, cached: None, written: None },
            most: 10,
            own: 0,
            tells_usd: false,
            plan: vec![(2, 10)],
            calls: AtomicU64::new(0),
            cost: Mutex::new(0.0),
        })
    };
    let definition = definition(None);
    let strict = SpendLimiter::new(Some(5.0), false);
    let error = ask(&strict.meter(service(), Some(&definition))).await.unwrap_err();
    assert_eq!((error.code, error.retryable), (FailureCode::OverBudget, false));
    assert!(error.message.contains("the price of s is unknown"), "{error}");
    assert_eq!((strict.take_refusal(), strict.take_refusal()), (Some(RefusedCall::Price), None));
    let lax = SpendLimiter::new(Some(5.0), true);
    assert!(ask(&lax.meter(service(), Some(&definition))).await.is_ok());
    assert!(ask(&SpendLimiter::new(None, false).meter(service(), None)).await.is_ok());
}

#[tokio::test]
async fn killed_call_counts_its_whole_reservation() {
    let limiter = SpendLimiter::new(Some(1.0), false);
    drop(limiter.set_aside("s", Some(0.4)).unwrap());
    assert!((limiter.spent() - 0.4).abs() < 1e-12);
    assert!(limiter.set_aside("s", Some(0.7)).is_err());
}
