//! Tests of the server with a client in the same thread and a clock that stands still.

mod client;
mod diagnostics;
mod features;
mod protocol;
