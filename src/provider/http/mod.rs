//! Models that are called by HTTP, with a key or on this machine.
//!
//! Only `wire` knows the protocols of the services; `client` knows no model, `response` no service. A key goes into one
//! header of one request and nowhere else: nothing here prints it, and it is redacted from everything that a service
//! sends back.
//!
//! A queue limits the number of concurrent calls to one service. Further calls wait in the order in which they came.

#[cfg(feature = "http")]
mod call;
#[cfg(feature = "http")]
mod client;
mod definition;
mod response;
mod stream_decoder;
mod wire;

use std::collections::HashMap;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[cfg(feature = "http")]
use self::client::Proxy;
pub(crate) use self::definition::HttpDefinition;
use self::definition::Secret;
pub use self::definition::Url;
pub(super) use self::definition::{
    Base, DEFAULT_CONCURRENCY, DEFAULT_MAX_TOKENS, Dialect, Effort, LARGEST_MAX_TOKENS,
    MOST_CONCURRENCY, is_model,
};
pub(super) use self::wire::Wire;
use super::{Availability, CallFuture, Environment, Provider, ProviderName, Request, TurnFuture};

/// The default port of Ollama.
const OLLAMA_PORT: u16 = 11434;
/// The maximum time for finding out if a service listens on this machine.
const PROBE: Duration = Duration::from_millis(200);

/// A model that is called by HTTP.
#[derive(Debug)]
pub(super) struct Http {
    name: ProviderName,
    definition: HttpDefinition,
    /// The address of the service, or the reason why it cannot be used.
    url: Result<Url, String>,
    key: Option<Secret>,
    /// The proxy to connect through, if there is one, or the reason why it cannot be used.
    #[cfg(feature = "http")]
    proxy: Result<Option<Proxy>, String>,
    /// True if the service accepts no temperature for this model.
    no_temperature: AtomicBool,
}

impl Http {
    pub(super) fn new(name: ProviderName, definition: HttpDefinition, env: &Environment) -> Self {
        let url = place(&definition, env);
        let key = key(&definition, env);
        Self {
            name,
            definition,
            #[cfg(feature = "http")]
            proxy: url.as_ref().map_or(Ok(None), |url| Proxy::towards(url, env)),
            url,
            key,
            no_temperature: AtomicBool::new(false),
        }
    }
}

impl Provider for Http {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    #[cfg(feature = "http")]
    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(self.ask(request))
    }

    #[cfg(not(feature = "http"))]
    fn call<'a>(&'a self, _: Request<'a>) -> CallFuture<'a> {
        let error = super::CallError::new(super::FailureCode::Misconfigured, WITHOUT);
        Box::pin(std::future::ready(Err(error)))
    }

    fn turn(&self) -> TurnFuture<'_> {
        Box::pin(async {
            match &self.url {
                Ok(url) => Some(queue_turn(url, self.definition.concurrency).await),
                Err(_) => None,
            }
        })
    }

    fn availability(&self, env: &Environment) -> Availability {
        availability(&self.definition, env)
    }
}

/// The message of a program that was built without HTTP.
#[cfg(not(feature = "http"))]
const WITHOUT: &str = "this program was built without HTTP";

/// Returns the address of the service: from a variable if one is set, otherwise from the definition.
fn place(definition: &HttpDefinition, env: &Environment) -> Result<Url, String> {
    if let Some(why) = &definition.unusable_url {
        return Err(why.clone());
    }
    let said = definition.dialect.host.as_ref().and_then(|name| env.var(name));
    match said.and_then(|said| said.to_str()).map(str::trim).filter(|said| !said.is_empty()) {
        Some(said) => Url::loose(said, OLLAMA_PORT),
        None => Ok(definition.url.clone()),
    }
}

impl HttpDefinition {
    /// Returns true if its port is probed before it counts as available. A probe is free of charge only on this
    /// machine.
    pub(super) fn is_probed(&self, env: &Environment) -> bool {
        self.dialect.probe && place(self, env).is_ok_and(|url| url.is_loopback())
    }
}

fn key(definition: &HttpDefinition, env: &Environment) -> Option<Secret> {
    Secret::read(env.var(definition.key.as_ref()?)?)
}

/// Checks if the service can be called, as far as possible without a call.
#[cfg(not(feature = "http"))]
fn availability(_: &HttpDefinition, _: &Environment) -> Availability {
    Availability::Missing {
        reason: WITHOUT.to_owned(),
        fix: "build it with the feature `http`".to_owned(),
    }
}

/// Checks if the service can be called, as far as possible without a call.
#[cfg(feature = "http")]
fn availability(definition: &HttpDefinition, env: &Environment) -> Availability {
    let missing = |reason: String, fix: String| Availability::Missing { reason, fix };
    let url = match place(definition, env) {
        Ok(url) => url,
        Err(reason) => return missing(reason, "fix the address".to_owned()),
    };
    if let Err(reason) = Proxy::towards(&url, env) {
        return missing(reason, "fix it, or unset it".to_owned());
    }
    if let Some(name) = &definition.key
        && key(definition, env).is_none()
    {
        let what = if env.var(name).is_some_and(|value| !value.is_empty()) {
            format!("`{name}` contains no key")
        } else {
            format!("`{name}` is not set")
        };
        let from = definition.get.as_deref().map(|get| format!(" from {get}"));
        let fix = format!("set it to a key{}", from.unwrap_or_default());
        return missing(what, fix);
    }
    if definition.is_probed(env) && !listens(&url) {
        let reason = format!("nothing listens at {}", url.host());
        return missing(reason, definition.how_to_start());
    }
    Availability::Ready { through: Some(url.to_string()) }
}

/// Returns whether a service on this machine accepts connections.
fn listens(url: &Url) -> bool {
    let places = url.place().to_socket_addrs().map(Vec::from_iter).unwrap_or_default();
    let open = |place: &SocketAddr| TcpStream::connect_timeout(place, PROBE).is_ok();
    places.iter().any(open)
}

/// A service, and the maximum number of concurrent calls to it.
type QueueSlot = (String, u32);

/// One queue for each service, because several definitions may mean the same service.
static QUEUES: LazyLock<Mutex<HashMap<QueueSlot, Arc<Semaphore>>>> = LazyLock::new(Mutex::default);

/// A slot for one call. Dropping it frees the slot.
#[derive(Debug)]
pub struct QueueTurn(
    #[expect(dead_code, reason = "held, never looked at")] Option<OwnedSemaphorePermit>,
);

/// Waits until fewer than `most` calls to the service are running.
async fn queue_turn(url: &Url, most: u32) -> QueueTurn {
    let queue = {
        let mut queues = QUEUES.lock();
        let queue = queues
            .entry((url.host(), most))
            .or_insert_with(|| Arc::new(Semaphore::new(most.max(1) as usize)));
        Arc::clone(queue)
    };
    // Acquiring cannot fail, because the semaphore is never closed.
    QueueTurn(queue.acquire_owned().await.ok())
}
