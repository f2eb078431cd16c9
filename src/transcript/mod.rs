//! Converts text to entries and back: the file format, without any IO.
//!
//! `parse` reads a document into [`Entry`]s and [`Problem`](crate::problem::Problem)s and never fails. `render`
//! writes one block, and `glue` the bytes between the block and the text before it. The frame is line-based and
//! does not parse Markdown, so an unclosed fence hides no later comment; only markers inside the body of a comment
//! are checked by CommonMark.

mod autofix;
mod body;
mod choice;
mod collapsed;
mod control;
mod entry;
mod fields;
mod frame;
mod guard;
mod head;
mod line;
mod lookalike;
mod marker;
mod misspelt;
mod name;
mod nesting;
mod parse;
mod record_line;
mod render;
mod sanitize;
mod section;
mod sentence;
mod uncounted;

pub use crate::invisible::{visible, visible_line};
pub(crate) use autofix::{Known, divides, mend};
pub use body::{Body, BodyMark, Manner, Mention};
pub use choice::Choice;
pub(crate) use collapsed::{collapsed, without_collapse};
pub(crate) use control::TORN;
pub use control::{
    Accepted, ChildEnd, ChildLine, Control, EndedLine, Failed, Pass, PhaseLine, ReplyLine,
    Restored, Spent, StatusLine, StatusWord, Tokens, Tried, TurnLine, Usd,
};
pub use entry::{BlockEnding, Comment, Entry, EntryKind, Text, Time, Transcript};
pub(crate) use fields::time;
pub(crate) use guard::unescaped;
pub use guard::{decode, encode};
pub use head::{Head, HeadLimits, UnshownFile, UnshownReason};
pub(crate) use line::{column, fenced, is_rule};
pub(crate) use lookalike::{has_skeleton, spelling};
pub(crate) use lookalike::{likeness, skeleton};
pub use marker::{Marker, MarkerSet};
pub(crate) use marker::{MarkerValue, Writers};
pub(crate) use misspelt::misspelt;
pub(crate) use name::{AGENT, is_agent, is_reserved};
pub use name::{Alias, Name, NameError};
pub use nesting::{ChildFile, Depth, Nesting, TimeStrategy};
pub use parse::parse;
pub(crate) use record_line::{mark_record_lines, mark_sealed_lines};
pub use render::{Draft, NewComment, append, glue, render, sync_point};
pub use sanitize::{BODY_LIMIT, canon, cut};
pub(crate) use sanitize::{disarm, heading, inline, one_line};
pub(crate) use section::{Block, BlockKind, blocks, inner_lines};
pub(crate) use uncounted::{miswritten, uncounted};
