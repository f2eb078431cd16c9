//! Bundled templates: they load, start readable discussions, and make exactly the calls of their flow when the engine
//! simulates them.

mod decided;
mod dialogue;
mod flows;
mod loading;
mod review;
mod simulation;
mod workflows;
