//! The pure part of a run: computes the next step from the file, builds the prompt of a participant, and reads its
//! answer.

mod answer;
mod answer_parser;
mod author;
mod calls;
mod child;
mod conditions;
mod decision;
mod demand;
mod findings;
mod forecast;
mod forms;
mod next;
mod outcome;
mod parsed_comment;
mod phase;
mod placeholder;
mod prompt;
mod prose;
mod pseudonyms;
mod reopen;
mod repair;
mod scope;
mod share;
mod snapshot;
mod step;
mod substitute;
mod texts;
mod turn;
mod view;
mod words;

pub use answer::{AnswerSpec, Reading, read};
pub(crate) use child::reported;
pub use child::{ChildSpec, ChildStep};
pub use conditions::Condition;
pub use decision::{Decision, DecisionStatus};
pub use findings::FindingState;
pub(crate) use findings::folded;
pub(crate) use forecast::{ahead_in_agreement, max_calls};
pub use next::{next, next_at_once};
pub use parsed_comment::{ParsedComment, parse_comment};
pub use phase::advance_to;
pub(crate) use phase::{first_enterable, may_advance};
#[cfg(feature = "internals")]
pub use prompt::prompt;
pub use prompt::{Layout, Prompt, Prompts};
pub(crate) use pseudonyms::Pseudonyms;
pub use repair::RepairRequest;
pub(crate) use share::{share, until};
pub use snapshot::{Snapshot, SnapshotError};
pub use step::{Step, Stop};
pub(crate) use texts::ReviewFinding;
pub use turn::{Continue, TurnRequest, resume};
pub(crate) use turn::{ask_unfinished, awaited_first};
#[cfg(feature = "internals")]
pub use view::{Cut, view};
