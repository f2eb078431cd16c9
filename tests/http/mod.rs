//! Models behind HTTP services, tested with a fake service on this machine.

#[cfg(unix)]
mod base;
#[cfg(unix)]
mod cache;
mod failures;
pub(crate) mod fake;
#[cfg(unix)]
mod interrupted_calls;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod money;
#[cfg(unix)]
mod panics;
#[cfg(unix)]
pub(crate) mod planted_keys;
#[cfg(unix)]
mod proxy;
pub(crate) mod recordings;
mod requests;
#[cfg(unix)]
mod robust_limits;
#[cfg(unix)]
mod setup;
mod streams;
#[cfg(unix)]
mod trust;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use discussions::provider::{
    CallContext, CallError, Consents, Environment, Layer, Provider, Registry, Reply, Request,
};
use discussions::transcript::Alias;

/// The key that is planted everywhere and must not appear anywhere.
pub(crate) const KEY: &str = "sk-planted-7d1e";

/// Enough time for any call that does not hang.
const LONG: Duration = Duration::from_secs(60);

/// The environment of the calls.
fn env() -> Environment {
    let vars = [("PLANTED_KEY", KEY)];
    Environment::new(vars, None, PathBuf::from("/tmp"))
}

/// Opens the provider of a definition in the user's own configuration.
fn provider(definition: &str) -> Arc<dyn Provider> {
    let mut registry = Registry::built_in().unwrap();
    let text = format!("providers:\n  - {definition}\n");
    registry.add(&text, Layer::User("/home/rob/providers.yaml".into())).unwrap();
    let entry = registry.entries().iter().find(|entry| entry.line == 2).unwrap();
    let env = env();
    Consents::default().trust(entry, &env, Path::new("/")).unwrap().open(&env).unwrap()
}

/// Makes one call with a prompt in two parts.
async fn ask(provider: &dyn Provider, prompt: [&str; 2]) -> Result<Reply, CallError> {
    ask_within(provider, prompt, LONG).await.0
}

/// Makes one call with this deadline; also returns the text that was reported during the call.
async fn ask_within(
    provider: &dyn Provider,
    [prefix, tail]: [&str; 2],
    deadline: Duration,
) -> (Result<Reply, CallError>, Vec<String>) {
    let context = CallContext {
        participant: Alias::parse("architect").unwrap(),
        phase: "p".to_owned(),
        turn: 1,
        file: PathBuf::from("d.md"),
        temperature: None,
        reach: discussions::provider::ToolPermissions::default(),
    };
    let told = Mutex::new(Vec::new());
    let on_text = |text: &str| told.lock().unwrap().push(text.to_owned());
    let request = Request {
        prefix: prefix.into(),
        tail,
        context: &context,
        deadline,
        longest: None,
        usd: None,
        on_text: Some(&on_text),
    };
    let result = provider.call(request).await;
    (result, told.into_inner().unwrap())
}
