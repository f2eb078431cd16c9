//! Keys as messages, screens as snapshots.

mod keys;
mod places;
mod runs;
mod scenes;
mod stage;
mod terminal;
