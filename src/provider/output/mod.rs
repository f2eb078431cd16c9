//! Where in a program's output the answer stands.

mod read;
mod shape;

pub(super) use self::read::{Envelope, Trouble};
pub use self::shape::{Format, OutputShape, Pieces, Pointer, Sum, UsagePointers};
