//! The browser front end over a real socket: pages, forms, streams, the API for programs, and access control.

mod api;
mod browser;
mod configuration_changes;
mod dialogue;
mod due;
mod guard;
mod lists;
mod live;
mod load;
mod pages;
mod planted_keys;
mod prices;
mod secrets;
mod server;
mod start;
