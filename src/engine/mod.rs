//! State to next step: what happens now, what one participant is shown, and what an answer says. Pure.

mod answer;
mod demand;
mod forms;
mod next;
mod outcome;
mod phase;
mod prompt;
mod scope;
mod situation;
mod turn;
mod unmask;
mod view;
mod words;

pub use answer::{Again, Reading, Spoken, Wanted, ask_again, read, spoken};
pub use next::{Step, Stop, ask_unfinished, next};
pub use outcome::{Standing, Status, Verdict};
pub use phase::{advance_to, first_enterable, may_advance};
pub use prompt::{Prompt, prompt};
pub use situation::{Situation, SituationError};
pub use turn::{Continue, TurnRequest, resume, turn_line};
pub use unmask::Unmask;
pub use view::{Cut, view};
