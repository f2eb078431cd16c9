//! State to next step: what happens now, what one participant is shown, and what an answer says. Pure.

mod answer;
mod calls;
mod conditions;
mod decision;
mod demand;
mod forms;
mod next;
mod outcome;
mod phase;
mod prompt;
mod pseudonyms;
mod reopen;
mod scope;
mod snapshot;
mod step;
mod turn;
mod view;
mod words;

pub use answer::{Again, Reading, Spoken, Wanted, ask_again, read, spoken};
pub use calls::Called;
pub use conditions::Condition;
pub use decision::{Decision, Status};
pub use next::{next, next_at_once};
pub use outcome::Verdict;
pub use phase::{advance_to, first_enterable, may_advance};
pub use prompt::{Prompt, Prompts, prompt};
pub use pseudonyms::Pseudonyms;
pub use snapshot::{Snapshot, SnapshotError};
pub use step::{Step, Stop};
pub use turn::{Continue, TurnRequest, ask_unfinished, resume};
pub use view::{Cut, view};
