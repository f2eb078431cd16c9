//! Notes about the decisions of a discussion: when people look at them again, the files that they are about, what became of
//! them, and until when people should decide.

use chrono::NaiveDate;
use indexmap::IndexSet;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{Outcome, Standing};
use crate::state::{Hindsight, HindsightResult, Lifecycle, State};
use crate::transcript::{Time, inline, time, visible_line};

/// The notes about a discussion's decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionNotes {
    /// The first day on which people look at a decision again, like `2027-06-01`, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_by: Option<String>,
    /// The files that the decisions are about: gitignore patterns from the project's root, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub affects: Vec<String>,
    /// The results of the decisions in hindsight, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hindsight: Vec<HindsightNote>,
    /// The notes about the whole discussion and about each decision, with its label.
    #[serde(skip)]
    each: Vec<(Option<String>, Lifecycle)>,
}

/// One statement of what became of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HindsightNote {
    /// The result.
    pub result: HindsightResult,
    /// The text behind the result; may be empty.
    pub text: String,
    /// The name of its author, a person.
    pub by: String,
    /// When it was written, in RFC 3339; null if unknown.
    pub at: Option<String>,
    /// The decision, like `D2`; null: the discussion as a whole.
    pub decision: Option<String>,
}

impl HindsightNote {
    fn of(one: &Hindsight, decision: Option<&String>) -> Self {
        Self {
            result: one.result,
            text: one.text.clone(),
            by: one.by.to_string(),
            at: one.at.map(time),
            decision: decision.cloned(),
        }
    }

    /// Returns the result with its text, as one line of untrusted text: `failed: it was too slow`.
    pub fn words(&self) -> String {
        match self.text.as_str() {
            "" => self.result.to_string(),
            text => format!("{}: {}", self.result, visible_line(text)),
        }
    }

    /// Returns the decision, the author and the day, for brackets.
    fn source(&self) -> String {
        let day = self.at.as_deref().and_then(|at| at.get(..10));
        let parts = [self.decision.as_deref(), Some(self.by.as_str()), day];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl DecisionNotes {
    /// Returns the notes of an outcome. A decision that nobody may look at again has neither day nor files.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let mut whole = outcome.notes.clone();
        if !matches!(outcome.standing, Standing::Open | Standing::Answered | Standing::InForce) {
            whole.review_by = None;
        }
        let items = outcome.items.iter().map(|item| {
            let mut notes = item.notes.clone();
            if !item.is_current() {
                (notes.review_by, notes.affects) = (None, Vec::new());
            }
            (item.label(), notes)
        });
        let each = std::iter::once((None, whole)).chain(items);
        let mut notes = Self {
            each: each.filter(|(_, notes)| *notes != Lifecycle::default()).collect(),
            ..Self::default()
        };
        notes.sum_up();
        let standing = outcome.items.iter().filter(|item| item.is_current());
        for pattern in standing.flat_map(|item| &item.inherited_affects) {
            if !notes.affects.contains(pattern) {
                notes.affects.push(pattern.clone());
            }
        }
        notes
    }

    /// Fills the public fields from the notes about each decision.
    fn sum_up(&mut self) {
        let days = self.each.iter().filter_map(|(_, notes)| notes.review_by.as_ref());
        self.review_by = days.map(|day| day.date).min().map(|day| day.to_string());
        let files = self.each.iter().flat_map(|(_, notes)| &notes.affects);
        let affects: IndexSet<&String> = files.map(|one| &one.pattern).collect();
        self.affects = affects.into_iter().cloned().collect();
        let all = self.each.iter();
        let mut hindsight: Vec<(usize, HindsightNote)> = all
            .flat_map(|(label, notes)| {
                let note = |one: &Hindsight| (one.line, HindsightNote::of(one, label.as_ref()));
                notes.hindsight.iter().map(note)
            })
            .collect();
        // The file only grows, so its order is that of time.
        hindsight.sort_by_key(|(line, _)| *line);
        self.hindsight = hindsight.into_iter().map(|(_, note)| note).collect();
    }

    /// Returns true if there is no note.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// Returns the notes for people, a line each.
    pub fn lines(&self) -> Vec<String> {
        self.written_lines(visible_line, visible_line)
    }

    /// Returns the notes as lines of Markdown.
    pub(crate) fn markdown(&self) -> Vec<String> {
        self.written_lines(inline, code)
    }

    /// Returns the notes as lines.
    fn written_lines(
        &self,
        text: impl Fn(&str) -> String,
        file: impl Fn(&str) -> String,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        for (label, notes) in &self.each {
            let of = label.as_ref().map(|label| format!(" ({label})")).unwrap_or_default();
            if let Some(day) = &notes.review_by {
                lines.push(format!("review by {}{of}", day.date));
            }
            if !notes.affects.is_empty() {
                let files = notes.affects.iter().map(|one| file(&one.pattern));
                lines.push(format!("affects {}{of}", files.collect::<Vec<_>>().join(", ")));
            }
        }
        for one in &self.hindsight {
            let reason = match one.text.as_str() {
                "" => String::new(),
                reason => format!(": {}", text(reason)),
            };
            lines.push(format!("{} ({}){reason}", one.result, text(&one.source())));
        }
        lines
    }
}

/// Returns a text as code in Markdown, so that no sign in it has a meaning.
fn code(text: &str) -> String {
    let text = visible_line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

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
    /// The line of the day in the file.
    #[serde(skip)]
    pub(crate) line: usize,
}

impl DueReview {
    /// Returns the reviews of the decisions in force, or of the answer, the earliest first.
    pub(crate) fn all(outcome: &Outcome, today: NaiveDate) -> Vec<Self> {
        let whole = outcome.decision().map(|item| (None, item.text.as_str(), &outcome.notes));
        let items = outcome.standing_items();
        let items = items.map(|item| (item.number, item.text.as_str(), &item.notes));
        let mut reviews: Vec<Self> = whole
            .into_iter()
            .chain(items)
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
        let review_by = Some(ReviewDate { date: date("2027-06-01"), by, by_person: true, line: 9 });
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
