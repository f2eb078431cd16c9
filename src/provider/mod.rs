//! Providers, which get an answer from a model: one trait, and one file for each adapter.
//!
//! A [`Registry`] merges the definitions of the built-in, the user's and the project's `providers.yaml`.
//! [`Consents::trust`] proves that a definition may be called, `Trusted::open` turns it into a [`Provider`], and
//! [`call_with_retries`] calls it. Nothing here reads the process's own environment: the variables for a command come
//! in as an [`Environment`].

mod availability;
mod call;
mod classify;
mod command;
mod cost;
mod definition;
mod environment;
mod failure;
#[cfg_attr(
    not(feature = "http"),
    expect(dead_code, reason = "without the feature its definitions are only read")
)]
mod http;
mod kind;
mod mock;
mod name;
mod output;
mod permissions;
mod ping;
mod presets;
mod redact;
mod registry;
mod retry;
mod sanitize_output;
pub mod scripted;
mod spend_limiter;
mod timeout;
mod trust;

pub use availability::Availability;
#[cfg(feature = "http")]
pub(crate) use call::OnText;
pub use call::{CallContext, CallFuture, Provider, Reply, Request, TurnFuture, Usage};
#[cfg(test)]
pub(crate) use command::Workdir;
pub(crate) use command::guard_calls;
pub(crate) use cost::{Spending, spending};
pub(crate) use definition::{DEFAULT_RETRIES, NewProvider, Price, ProviderDefinition};
pub use environment::Environment;
pub use failure::CallError;
pub use failure::FailureCode;
#[cfg(test)]
pub(crate) use http::HttpDefinition;
pub use http::{QueueTurn, Url};
pub(crate) use kind::Fact;
pub use kind::ProviderKind;
pub use name::{ProviderName, ProviderNameError};
#[cfg(test)]
pub(crate) use output::Format;
pub(crate) use output::OutputShape;
pub use permissions::ToolPermissions;
#[cfg(test)]
pub(crate) use ping::PING_PROMPT;
pub(crate) use ping::ping;
pub(crate) use registry::BrokenDefinition;
pub(crate) use registry::RegistryEntry;
pub use registry::{Layer, OpenError, Registry, UnknownProvider};
pub use retry::Backoff;
pub(crate) use retry::call_while_allowed;
#[cfg(feature = "internals")]
pub use retry::call_with_retries;
#[cfg(feature = "internals")]
pub use scripted::Scripted;
pub(crate) use spend_limiter::{
    NoteFuture, Paid, RefusedCall, ReservationLog, SpendLimiter, USUAL_ANSWER, Unaffordable,
    highest_price, usual_price,
};
pub use timeout::Timeout;
pub(crate) use timeout::{DEFAULT_TIMEOUT, LONGEST_TIMEOUT, SHORTEST_TIMEOUT};
pub(crate) use trust::{Consent, ForeignDefinition, Ledger, NamedFile, TrustError};
pub use trust::{Consents, LedgerError, NotTrusted};
