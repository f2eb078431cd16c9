//! Where in a program's output the answer stands.

mod live;
mod read;
mod shape;

pub(super) use self::live::Live;
pub(super) use self::read::{Envelope, Trouble};
pub use self::shape::{Format, OutputShape, Pieces, Pointer, Sum, UsagePointers};
