//! Tests that need access to private items.

mod laws;
