//! Tests that need a disk that fails on demand.

mod faults;
