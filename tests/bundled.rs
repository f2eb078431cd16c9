//! What every bundled template promises: it loads, its new discussion reads well, and played through by the engine it
//! makes exactly the calls of its flow.

mod decided;
mod dialogue;
mod flows;
mod loading;
mod review;
mod simulation;
mod workflows;
