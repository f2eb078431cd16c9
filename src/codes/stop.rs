//! Why a turn or a run stopped: one row for each reason, with everything that depends on it.

use super::{ErrorCode, ResultError};

words! {
    /// The reason why a turn or a run stopped.
    pub enum StopCode {
        /// A person closed the discussion.
        Closed = "closed",
        /// The last phase is over.
        Finished = "finished",
        /// The turn waits for an answer from a person.
        WaitingForPerson = "waiting_for_person",
        /// A person has to end the phase.
        PersonAdvances = "person_advances",
        /// The phase is over, but its condition does not hold.
        ConditionNotMet = "condition_not_met",
        /// A mentioned person or participant has not answered since.
        MentionsPending = "mentions_pending",
        /// A question to a person is unanswered.
        QuestionsToPeople = "questions_to_people",
        /// A person's vote is needed.
        PersonVotes = "person_votes",
        /// Too few participants answered for the turn to count.
        TooFewAnswers = "too_few_answers",
        /// No participant is left to ask.
        NobodyToAsk = "nobody_to_ask",
        /// The turn is over.
        TurnOver = "turn_over",
        /// The maximum number of turns was reached.
        MaxTurns = "max_turns",
        /// The maximum number of model calls was reached.
        MaxCalls = "max_calls",
        /// The money limit was reached.
        MaxUsd = "max_usd",
        /// Money is limited, and the price of a call is unknown.
        Unpriced = "unpriced",
        /// The time limit was reached.
        Timeout = "timeout",
        /// The user or another program stopped the run.
        Aborted = "aborted",
    }
}

/// What follows from a reason to stop.
struct Meaning {
    ending: Ending,
    /// The error of a result that was interrupted for this reason.
    error: Option<ErrorCode>,
    /// The word for the reason in a result; none if the result tells it from the file.
    result_word: Option<&'static str>,
    sentence: &'static str,
}

/// What ended the run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Nothing is left that a program can do.
    Complete,
    /// The next step is a person's.
    Person,
    /// A limit that another run may have again.
    Limit,
    /// A limit of money, which another run reaches too.
    Money,
    /// The user or another program.
    Abort,
}

impl StopCode {
    fn meaning(self) -> Meaning {
        use Ending::{Abort, Complete, Limit, Money, Person};
        use ErrorCode as E;
        let (ending, error, result_word, sentence) = match self {
            Self::Closed => (Complete, None, None, "a person closed the discussion"),
            Self::Finished => (Complete, None, None, "the last phase is over"),
            Self::WaitingForPerson => (Person, None, None, "the turn waits for a person"),
            Self::PersonAdvances => (Person, None, None, "a person has to end the phase"),
            Self::ConditionNotMet => {
                (Complete, None, None, "the phase is over, but its condition does not hold")
            }
            Self::MentionsPending => (Person, None, None, "a mention has no answer"),
            Self::QuestionsToPeople => (Person, None, None, "a question to people has no answer"),
            Self::PersonVotes => (Person, None, None, "a person's vote is needed"),
            Self::TooFewAnswers => (
                Complete,
                Some(E::InsufficientProviders),
                None,
                "too few participants answered, so the turn does not count",
            ),
            Self::NobodyToAsk => (Complete, None, None, "there are no participants to ask"),
            Self::TurnOver => (Complete, None, None, "the turn is over"),
            Self::MaxTurns => (
                Limit,
                Some(E::InvalidState),
                Some("max_iterations"),
                "a limit of turns was reached",
            ),
            Self::MaxCalls => {
                (Limit, Some(E::CostBudgetExceeded), Some("max_calls"), "no more calls are allowed")
            }
            Self::MaxUsd => (
                Money,
                Some(E::CostBudgetExceeded),
                Some("max_usd"),
                "the remaining budget does not cover another call",
            ),
            Self::Unpriced => (
                Money,
                Some(E::CostBudgetExceeded),
                Some("max_usd"),
                "money is limited, but the price of a call is unknown",
            ),
            Self::Timeout => {
                (Limit, Some(E::Timeout), Some("timeout"), "the time limit of this run was reached")
            }
            Self::Aborted => {
                (Abort, Some(E::InvalidState), Some("user_abort"), "the run was stopped")
            }
        };
        Meaning { ending, error, result_word, sentence }
    }

    /// Returns true if a limit of the run stopped it.
    pub fn is_limit(self) -> bool {
        matches!(self.meaning().ending, Ending::Limit | Ending::Money)
    }

    /// Returns true if the next step is a person's.
    pub fn is_for_person(self) -> bool {
        self.meaning().ending == Ending::Person
    }

    /// Returns the reason as a sentence without a period.
    pub fn sentence(self) -> &'static str {
        self.meaning().sentence
    }

    /// Returns the error of the run; none if it stopped as intended. A user who stops a run or limits its turns has
    /// what was asked for.
    pub(crate) fn error(self) -> Option<ResultError> {
        let Meaning { ending, error, sentence, .. } = self.meaning();
        let code = error.filter(|code| *code != ErrorCode::InvalidState)?;
        let retryable = code.retryable() || ending == Ending::Limit;
        Some(ResultError { retryable, ..ResultError::new(code, sentence) })
    }

    /// Returns the error of a result whose run did not reach its own end.
    pub(crate) fn interruption(self) -> Option<ResultError> {
        let Meaning { ending, error, sentence, .. } = self.meaning();
        let message = match ending {
            Ending::Complete | Ending::Person => return None,
            Ending::Money => sentence.to_owned(),
            // Repeating the command continues the run.
            Ending::Limit | Ending::Abort => format!("{sentence}; finished answers are kept"),
        };
        let retryable = ending != Ending::Money;
        error.map(|code| ResultError { retryable, ..ResultError::new(code, message) })
    }

    /// Returns the word for the reason in a result; none if the result tells it from the file.
    pub(crate) fn result_word(self) -> Option<&'static str> {
        self.meaning().result_word.or(self.is_for_person().then_some(self.as_str()))
    }
}
