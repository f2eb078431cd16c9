//! Getting an answer out of a model: one trait, one file an adapter.
//!
//! A [`Registry`] merges the definitions of the built-in, the user's and the project's
//! `providers.yaml`; [`Consents::trust`] proves that one of them may be called, [`Trusted::open`]
//! turns it into a [`Provider`], and [`call_with_retries`] asks it. Nothing here reads the process's own environment: what a
//! command may see comes in as an [`Environment`].

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
    expect(unused, reason = "a program that speaks no HTTP still reads what is written about it")
)]
mod http;
mod kind;
mod mock;
mod name;
mod output;
mod ping;
mod plain;
mod presets;
mod purse;
mod registry;
mod retry;
pub mod scripted;
mod timeout;
mod trust;

pub use availability::Availability;
pub use call::{CallContext, CallFuture, OnText, Provider, Reply, Request, TurnFuture, Usage};
pub use command::{CommandDefinition, DEFAULT_OUTPUT_LIMIT, Workdir};
pub use cost::{Spending, spending};
pub(crate) use definition::NewProvider;
pub use definition::{Common, DEFAULT_RETRIES, Definition, MOST_RETRIES, Price};
pub use environment::Environment;
pub use failure::{CallError, FailureCode};
pub use http::{
    DEFAULT_CONCURRENCY, DEFAULT_MAX_TOKENS, Dialect, Effort, HttpDefinition, Turn, Url, Wire,
};
pub use kind::{Fact, Kind};
pub use name::{ProviderName, ProviderNameError};
pub use output::{Format, OutputShape, Pieces, Pointer, Sum, UsagePointers};
pub use ping::{PING_PROMPT, Ping, ping};
pub(crate) use purse::{Purse, Refused};
pub use registry::{Entry, Layer, OpenError, Registry, Replaced, UnknownProvider};
pub(crate) use retry::call_while_allowed;
pub use retry::{Backoff, Called, call_with_retries};
pub use scripted::Scripted;
pub use timeout::{DEFAULT_TIMEOUT, LONGEST_TIMEOUT, SHORTEST_TIMEOUT, Timeout};
pub use trust::{
    Consent, Consents, Fingerprint, Foreign, Ledger, LedgerError, NamedFile, NotTrusted,
    TrustError, Trusted,
};
