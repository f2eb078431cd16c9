//! Text to entries and back; pure.
