//! The browser's front end over a real socket: pages, forms, streams, the interface for programs, and who may not come in.

mod api;
mod browser;
mod changed;
mod dialogue;
mod guard;
mod house;
mod live;
mod load;
mod pages;
mod planted;
mod prices;
mod secrets;
mod start;
