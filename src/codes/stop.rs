//! Why a turn or a run stopped.

words! {
    /// Why a turn or a run stopped.
    pub enum StopCode {
        /// A person closed the discussion.
        Closed = "closed",
        /// The last phase is over.
        Finished = "finished",
        /// People are asked in the turn.
        WaitingForPerson = "waiting_for_person",
        /// A person ends the phase.
        PersonAdvances = "person_advances",
        /// The phase is over, but its condition does not hold.
        ConditionNotMet = "condition_not_met",
        /// Somebody who was mentioned has not spoken since.
        MentionsPending = "mentions_pending",
        /// People were asked something, and have not answered.
        QuestionsToPeople = "questions_to_people",
        /// A person's vote is needed.
        PersonVotes = "person_votes",
        /// Too few answered for the turn to count.
        TooFewAnswers = "too_few_answers",
        /// Nobody is left to be asked.
        NobodyToAsk = "nobody_to_ask",
        /// The turn is over.
        TurnOver = "turn_over",
        /// As many turns as were allowed.
        MaxTurns = "max_turns",
        /// As many model calls as were allowed.
        MaxCalls = "max_calls",
        /// As much money as was allowed.
        MaxUsd = "max_usd",
        /// Money is limited, and nobody knows what a call would cost.
        Unpriced = "unpriced",
        /// As much time as was allowed.
        Timeout = "timeout",
        /// Somebody stopped it.
        Aborted = "aborted",
    }
}

impl StopCode {
    /// Whether a limit of the run stopped it.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            Self::MaxTurns | Self::MaxCalls | Self::MaxUsd | Self::Unpriced | Self::Timeout
        )
    }

    /// Whether it is a person's turn.
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
