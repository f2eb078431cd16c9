//! The next step of a run, or the reason to stop.

use super::child::ChildStep;
use crate::template::Tool;
use crate::transcript::{Alias, Control, Draft, TurnLine};

/// The next step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Append these drafts, then compute the next step. The line of a turn still needs its time.
    Write(Vec<Draft>),
    /// Ask these participants of the last turn, all at once.
    Ask(Vec<Alias>),
    /// Open or run a sub-discussion.
    Child(ChildStep),
    /// Run the command of the current phase and record its output.
    Tool(Tool),
    /// Stop: the program can do nothing by itself.
    Stop(Stop),
}

/// The reason to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A person closed the discussion.
    Closed,
    /// The last phase is over.
    Finished,
    /// The turn waits for participants that no model speaks for.
    Waiting(Vec<Alias>),
    /// A person decides when this phase ends.
    PhaseEnd,
    /// The phase is over, but its condition does not hold.
    Trigger,
    /// Mentions are still pending, and no more turns are allowed for them.
    Mentions(Vec<String>),
    /// The phase is over, but these questions, by number, wait for answers of people.
    Questions(Vec<u32>),
    /// A person's vote is needed.
    PersonVote,
    /// Too few participants answered for the turn to count. A new run may ask the others again.
    TooFew,
    /// There is no participant to ask.
    Nobody,
}

impl Step {
    /// Returns the step that opens a turn.
    pub(super) fn open(line: TurnLine) -> Self {
        Self::Write(vec![Draft::Control(Control::Turn(line))])
    }
}
