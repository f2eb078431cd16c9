//! The pure part of a run: computes the next step from the file, builds the prompt of a participant, and reads its
//! answer.

mod answer;
mod answer_parser;
mod child;
mod consensus;
mod findings;
mod forecast;
mod forms;
mod known_values;
mod lazy_text;
mod next;
mod outcome;
mod parsed_comment;
mod phase;
mod placeholder;
mod prompt;
mod prose;
mod pseudonyms;
mod repair;
mod scope;
mod snapshot;
mod texts;
mod turn;
mod view;

pub use answer::{AnswerSpec, Reading, read};
pub use child::{ChildSpec, ChildStep};
pub(crate) use child::{reported, share, until};
pub use consensus::{Condition, ConsensusState, DecisionStatus};
pub use findings::FindingState;
pub(crate) use findings::folded;
pub(crate) use forecast::{ahead_in_agreement, max_calls};
pub use next::{Step, Stop, next, next_at_once};
pub use outcome::{By, Decider, Decision, ItemState, Outcome, Standing};
pub(crate) use outcome::{
    LinkedDiscussion, ProjectLink, Superseding, asks_for_more, first_sentence, in_line,
};
pub use parsed_comment::{ParsedComment, parse_comment};
pub use phase::advance_to;
pub(crate) use phase::first_enterable;
#[cfg(not(discussions_sealed))]
pub use prompt::prompt;
pub use prompt::{Layout, Prompt, Prompts};
pub(crate) use pseudonyms::Pseudonyms;
pub use repair::RepairRequest;
pub use snapshot::{Snapshot, SnapshotError};
pub use turn::{Continue, TurnRequest, resume};
pub(crate) use turn::{ask_unfinished, awaited_first};
#[cfg(not(discussions_sealed))]
pub use view::{Cut, view};
