//! Finds the answer in a program's output.

mod read;
mod shape;

pub(super) use self::read::{Envelope, LiveOutput, OutputError};
#[cfg(test)]
pub(crate) use self::shape::Format;
pub(crate) use self::shape::OutputShape;
