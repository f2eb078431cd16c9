//! Tests of the screen: keys as messages, frames as snapshots.

mod due;
mod frames;
mod keys;
mod picture;
mod places;
mod runs;
mod scenes;
mod stage;
mod terminal;
