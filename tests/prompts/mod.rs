//! What every participant of every template is sent, word for word.

mod feedback;
mod patterns;
mod quoting;
mod rules;
mod sheet;
mod sizes;
