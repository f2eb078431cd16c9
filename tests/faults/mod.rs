//! Misbehaving providers: the others continue, and a discussion that cannot continue ends with a standard code.

mod codes;
mod isolation;
