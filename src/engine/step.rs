//! What happens next, or why nothing does.

use super::child::ChildStep;
use crate::template::Tool;
use crate::transcript::{Alias, Control, Draft, TurnLine};

/// What happens now.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Append these, then look again. A turn's line still lacks its time.
    Write(Vec<Draft>),
    /// Ask these in the last turn: at once when there are several.
    Ask(Vec<Alias>),
    /// A discussion within this one.
    Child(ChildStep),
    /// The command of the current phase is run, and its output recorded.
    Tool(Tool),
    /// Nothing that a program can do.
    Stop(Stop),
}

/// Why nothing happens by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A person closed it.
    Closed,
    /// The last phase is over.
    Finished,
    /// Participants for whom no model speaks are asked in the turn.
    Waiting(Vec<Alias>),
    /// A person decides when this phase ends.
    PhaseEnd,
    /// The phase is over, but its condition does not hold.
    Trigger,
    /// Mentions are still pending, and no more turns are allowed for them.
    Mentions(Vec<String>),
    /// The phase is over, and these open questions, by number, are put to people, who have yet to answer.
    Questions(Vec<u32>),
    /// A person's vote is needed.
    PersonVote,
    /// Too few answered for the turn to count; a new start may ask them again.
    TooFew,
    /// Nobody is there to be asked.
    Nobody,
}

impl Step {
    /// A new turn begins.
    pub(super) fn open(line: TurnLine) -> Self {
        Self::Write(vec![Draft::Control(Control::Turn(line))])
    }
}
