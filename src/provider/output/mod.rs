//! Finds the answer in a program's output.

mod live;
mod read;
mod shape;

pub(super) use self::live::LiveOutput;
pub(super) use self::read::{Envelope, OutputError};
#[cfg(test)]
pub(crate) use self::shape::Format;
pub(crate) use self::shape::OutputShape;
