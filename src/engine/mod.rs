//! State to next step: what happens now, what one participant is shown, and what an answer says. Pure.

mod again;
mod answer;
mod decision;
mod demand;
mod dress;
mod forms;
mod next;
mod outcome;
mod phase;
mod prompt;
mod pseudonyms;
mod scope;
mod snapshot;
mod spoken;
mod step;
mod turn;
mod view;
mod words;

pub use again::Again;
pub use answer::{Reading, Wanted, read};
pub use decision::{Decision, Status};
pub use next::next;
pub use outcome::Verdict;
pub use phase::{advance_to, first_enterable, may_advance};
pub use prompt::{Prompt, Prompts, prompt};
pub use pseudonyms::Pseudonyms;
pub use snapshot::{Snapshot, SnapshotError};
pub use spoken::{Spoken, spoken};
pub use step::{Step, Stop};
pub use turn::{Continue, TurnRequest, ask_unfinished, resume};
pub use view::{Cut, view};
