//! What needs a disk that fails on demand.

mod faults;
