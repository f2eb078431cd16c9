//! The program as a server of tools: a foreign client over the real binary, in both lifecycles of the protocol.

mod client;
mod confined;
mod inspector;
mod pages;
mod planted;
mod quoted;
mod seat;
mod secrets;
mod set_up;
mod strict;
mod survives;
mod within;
