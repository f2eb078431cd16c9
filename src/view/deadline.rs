//! The day until which people should decide, with the time that is left.

use schemars::JsonSchema;
use serde::Serialize;

use crate::state::State;
use crate::transcript::Time;

/// The day until which people should decide an open discussion. It changes no tally.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deadline {
    /// The day, like `2027-06-01`, UTC; it ends with the day.
    pub date: String,
    /// The days that are left; 0 on the day, negative after it.
    pub days: i64,
    /// True if the day is over.
    pub overdue: bool,
}

impl Deadline {
    /// Returns the day of a discussion, seen at the time `now`.
    pub(crate) fn of(state: &State, now: Time) -> Option<Self> {
        let day = state.decide_by?;
        let days = (day - now.date_naive()).num_days();
        Some(Self { date: day.to_string(), days, overdue: days < 0 })
    }

    /// Returns the day in words: `decide by 2027-06-01 (12 days left)`, or `(3 days overdue)`.
    pub fn words(&self) -> String {
        let left = match self.days {
            0 => "today".to_owned(),
            1 => "1 day left".to_owned(),
            -1 => "1 day overdue".to_owned(),
            days @ 2.. => format!("{days} days left"),
            days => format!("{} days overdue", days.unsigned_abs()),
        };
        format!("decide by {} ({left})", self.date)
    }
}

#[cfg(test)]
mod tests {
    use super::Deadline;

    #[test]
    fn words_name_the_time_left_and_the_time_overdue() {
        for (days, words) in [
            (12, "decide by 2027-06-01 (12 days left)"),
            (1, "decide by 2027-06-01 (1 day left)"),
            (0, "decide by 2027-06-01 (today)"),
            (-1, "decide by 2027-06-01 (1 day overdue)"),
            (-30, "decide by 2027-06-01 (30 days overdue)"),
        ] {
            let date = "2027-06-01".to_owned();
            assert_eq!(Deadline { date, days, overdue: days < 0 }.words(), words);
        }
    }
}
