//! The days of a discussion, with the time that is left: the day until which people should decide, and the days on which
//! they want to look at decisions again.

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Serialize;

use super::result::Decided;
use crate::engine::Snapshot;
use crate::state::{DecisionState, Lifecycle, State};
use crate::transcript::Time;

/// A decision, and the day by which people want to look at it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DueReview {
    /// The decision, like `D1`; null: the outcome of the discussion as a whole.
    pub decision: Option<String>,
    /// The decision in a sentence; empty if the outcome has none.
    pub text: String,
    /// The day, like `2027-06-01`, UTC.
    pub review_by: String,
    /// The days from today to that day; negative after it.
    pub days: i64,
    /// True if the day is over.
    pub overdue: bool,
    /// The number of the decision.
    #[serde(skip)]
    pub(crate) number: Option<u32>,
    /// The line of the day in the file.
    #[serde(skip)]
    pub(crate) line: usize,
}

impl DueReview {
    /// Returns the reviews of a discussion's decisions, the earliest first. Leaves out decisions that a later one of the
    /// same discussion replaced, or that were withdrawn.
    pub(crate) fn all(snapshot: &Snapshot, decided: &Decided, today: NaiveDate) -> Vec<Self> {
        let state = &snapshot.state;
        let outcome = decided.decision.as_deref().or(decided.outcome.as_deref());
        let whole = (None, outcome.unwrap_or_default(), &state.lifecycle);
        let live = state.decisions.iter().filter(|one| one.state == DecisionState::Live);
        let live = live.map(|one| (Some(one.number), one.text.as_str(), &one.lifecycle));
        let reviews = [whole].into_iter().chain(live);
        let mut reviews: Vec<Self> = reviews
            .filter_map(|(number, text, notes)| Self::of(number, text, notes, today))
            .collect();
        reviews.sort_by_key(|one| one.days);
        reviews
    }

    fn of(number: Option<u32>, text: &str, notes: &Lifecycle, today: NaiveDate) -> Option<Self> {
        let review = notes.review_by.as_ref()?;
        let days = (review.date - today).num_days();
        Some(Self {
            decision: number.map(|number| format!("D{number}")),
            text: text.to_owned(),
            review_by: review.date.to_string(),
            days,
            // The day belongs to the time that is left.
            overdue: days < 0,
            number,
            line: review.line,
        })
    }

    /// Returns true if the day is at most `days` away, or over.
    pub(crate) fn is_due_within(&self, days: i64) -> bool {
        self.days <= days
    }
}

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
    use super::*;
    use crate::state::ReviewDate;
    use crate::transcript::Name;

    #[test]
    fn review_ends_with_its_day() {
        let date = |text: &str| text.parse::<NaiveDate>().unwrap();
        let by: Name = Name::parse("Rob").unwrap();
        let review_by = Some(ReviewDate { date: date("2027-06-01"), by, line: 9 });
        let notes = Lifecycle { review_by, ..Lifecycle::default() };
        let on = |today: &str| DueReview::of(Some(2), "x", &notes, date(today)).unwrap();
        let (before, same, after) = (on("2027-05-30"), on("2027-06-01"), on("2027-06-02"));
        assert_eq!((before.days, before.overdue), (2, false));
        assert!(!before.is_due_within(1) && before.is_due_within(2));
        assert_eq!((same.days, same.overdue), (0, false));
        assert_eq!((after.days, after.overdue), (-1, true));
        assert_eq!(after.decision.as_deref(), Some("D2"));
        assert_eq!(after.review_by, "2027-06-01");
        assert_eq!(DueReview::of(None, "x", &Lifecycle::default(), date("2027-06-02")), None);
    }

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
