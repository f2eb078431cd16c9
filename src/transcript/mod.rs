//! Converts text to entries and back: the file format, without any IO.
//!
//! [`parse`] reads a document into [`Entry`]s and [`Problem`](crate::problem::Problem)s and never fails. [`render`]
//! writes one block, and [`glue`] the bytes between the block and the text before it. The frame is line-based and
//! does not parse Markdown, so an unclosed fence hides no later comment; only markers inside the body of a comment
//! are checked by CommonMark.

mod autofix;
mod blocks;
mod body;
mod child_file;
mod choice;
mod control;
mod encode;
mod entry;
mod fence;
mod fields;
mod frame;
mod guard;
mod head;
mod inline;
mod line;
mod lookalike;
pub(crate) mod looks;
mod marker;
mod mention;
mod name;
mod nesting;
mod parse;
mod record_line;
mod render;
mod reserved;
mod sanitize;
mod section;
mod sentence;
mod separator;
mod text;
mod time;
mod trailing_vote;
mod uncounted;

pub use crate::invisible::{visible, visible_line};
pub(crate) use autofix::{Known, divides, mend};
pub(crate) use blocks::{Block, BlockKind, blocks, inner_lines};
pub use body::{Body, BodyMark, Manner, Mention};
pub use child_file::ChildFile;
pub use choice::Choice;
pub(crate) use control::TORN;
pub use control::{
    Accepted, ChildEnd, ChildLine, Control, Failed, Pass, PhaseLine, ReplyLine, Restored, Spent,
    StatusLine, StatusWord, Tokens, Tried, TurnLine, Usd,
};
pub use encode::{decode, encode};
pub use entry::{BlockEnding, Comment, Entry, EntryKind, Time, Transcript};
pub(crate) use fence::fenced;
pub use head::{Head, HeadLimits};
pub(crate) use inline::{heading, inline, one_line};
pub(crate) use line::is_rule;
pub(crate) use lookalike::{has_skeleton, spelling};
pub(crate) use lookalike::{likeness, skeleton};
pub(crate) use marker::MarkerValue;
pub use marker::{Marker, MarkerSet};
pub use name::{Alias, Name, NameError};
pub use nesting::{Depth, Nesting, TimeStrategy};
pub use parse::parse;
pub(crate) use record_line::mark_record_lines;
pub use render::{Draft, NewComment, append, render};
pub(crate) use reserved::{AGENT, is_agent, is_reserved};
pub(crate) use sanitize::disarm;
pub use sanitize::{BODY_LIMIT, canon, cut};
pub use separator::{glue, sync_point};
pub use text::Text;
pub(crate) use time::time;
pub(crate) use uncounted::{miswritten, uncounted};
