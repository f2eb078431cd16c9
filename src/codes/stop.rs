//! The reasons why a turn or a run stopped.

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

impl StopCode {
    /// Returns true if a limit of the run stopped it.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            Self::MaxTurns | Self::MaxCalls | Self::MaxUsd | Self::Unpriced | Self::Timeout
        )
    }

    /// Returns true if the next step is a person's.
    pub fn is_for_person(self) -> bool {
        matches!(
            self,
            Self::WaitingForPerson
                | Self::PersonAdvances
                | Self::QuestionsToPeople
                | Self::MentionsPending
                | Self::PersonVotes
        )
    }
}
