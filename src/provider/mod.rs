//! Providers, which get an answer from a model: one trait, and one file for each adapter.
//!
//! A [`Registry`] merges the definitions of the built-in, the user's and the project's `providers.yaml`.
//! [`Consents::trust`] proves that a definition may be called, `Trusted::open` turns it into a [`Provider`], and
//! [`call_with_retries`] calls it. Nothing here reads the process's own environment: the variables for a command come
//! in as an [`Environment`].

mod call;
mod classify;
mod command;
mod cost;
mod definition;
mod environment;
#[cfg_attr(
    not(feature = "http"),
    expect(dead_code, reason = "without the feature its definitions are only read")
)]
mod http;
mod kind;
mod mock;
mod output;
mod presets;
mod registry;
mod retry;
mod sanitize_output;
pub mod scripted;
mod spend_limiter;
mod trust;

#[cfg(feature = "http")]
pub(crate) use call::OnText;
#[cfg(test)]
pub(crate) use call::PING_PROMPT;
pub use call::{
    Availability, CallContext, CallError, CallFuture, FailureCode, Provider, Reply, Request,
    ToolPermissions, TurnFuture, Usage,
};
pub(crate) use call::{ping, run_probe};
#[cfg(test)]
pub(crate) use command::Workdir;
pub(crate) use command::guard_calls;
pub use cost::ReportedUsd;
pub(crate) use cost::{Spending, spending};
pub(crate) use definition::{DEFAULT_RETRIES, NewProvider, Price, ProviderDefinition};
pub use definition::{ProviderName, ProviderNameError};
pub use environment::Environment;
#[cfg(test)]
pub(crate) use http::HttpDefinition;
pub use http::{QueueTurn, Url};
pub use kind::ProviderKind;
#[cfg(test)]
pub(crate) use output::Format;
pub(crate) use output::OutputShape;
pub(crate) use registry::{BrokenDefinition, RegistryEntry, remove_definition};
pub use registry::{Layer, OpenError, Registry, RemoveError, UnknownProvider};
#[cfg(not(discussions_sealed))]
pub use retry::call_with_retries;
pub use retry::{Backoff, Timeout};
pub(crate) use retry::{DEFAULT_TIMEOUT, LONGEST_TIMEOUT, SHORTEST_TIMEOUT, call_while_allowed};
#[cfg(not(discussions_sealed))]
pub use scripted::Scripted;
pub(crate) use spend_limiter::{
    NoteFuture, Paid, RefusedCall, ReservationLog, SpendLimiter, USUAL_ANSWER, Unaffordable,
    highest_price, usual_price,
};
pub use trust::{Consents, LedgerError, NotTrusted};
pub(crate) use trust::{ForeignDefinition, Ledger, NamedFile, TrustError};
