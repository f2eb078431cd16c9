//! The pure part of a run: computes the next step from the file, builds the prompt of a participant, and reads its
//! answer.

mod again;
mod ahead;
mod answer;
mod calls;
mod child;
mod conditions;
mod decision;
mod demand;
mod dress;
mod forms;
mod next;
mod outcome;
mod phase;
mod placeholder;
mod prompt;
mod prose;
mod pseudonyms;
mod reopen;
mod scope;
mod share;
mod snapshot;
mod spoken;
mod stand_in;
mod step;
mod turn;
mod view;
mod words;

pub use again::RepairRequest;
pub(crate) use ahead::{ahead_in_agreement, max_calls};
pub use answer::{AnswerSpec, Reading, read};
pub(crate) use child::reported;
pub use child::{ChildSpec, ChildStep};
pub use conditions::Condition;
pub use decision::{Decision, DecisionStatus};
pub use next::{next, next_at_once};
pub use phase::advance_to;
pub(crate) use phase::{first_enterable, may_advance};
#[cfg(feature = "internals")]
pub use prompt::prompt;
pub use prompt::{Layout, Prompt, Prompts};
pub(crate) use pseudonyms::Pseudonyms;
pub(crate) use share::{share, until};
pub use snapshot::{Snapshot, SnapshotError};
pub use spoken::{ParsedComment, parse_comment};
pub use step::{Step, Stop};
pub use turn::{Continue, TurnRequest, resume};
pub(crate) use turn::{ask_unfinished, awaited_first};
#[cfg(feature = "internals")]
pub use view::{Cut, view};
