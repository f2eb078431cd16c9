//! Reads the markers `REVIEW-BY:`, `AFFECTS:`, `HINDSIGHT:` and `DECIDE-BY:`: who may write them, and the decision that
//! each belongs to.

use chrono::NaiveDate;

use super::super::decisions::Decisions;
use super::super::track::Author;
use super::super::typed::{Target, numbers};
use super::date::read_day;
use super::patterns::{LONGEST, patterns};
use super::{AffectedFiles, Hindsight, HindsightResult, Lifecycle, ReviewDate};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::state::ItemKind;
use crate::transcript::{BodyMark, Marker, Writers, column};

/// The maximum number of patterns of one decision.
const MOST: usize = 100;

/// The notes that belong to no decision of the file.
#[derive(Clone, Debug, Default)]
pub(in crate::state) struct Notes {
    /// The notes about the discussion as a whole.
    pub(in crate::state) whole: Lifecycle,
    /// The last day for the decision, and the line of its marker.
    pub(in crate::state) decide_by: Option<(NaiveDate, usize)>,
}

/// One marker that is being read.
struct Reader<'r> {
    mark: &'r BodyMark,
    by: &'r Author<'r>,
    problems: &'r mut Vec<Problem>,
}

/// Records a marker about a decision. `above` is the index of the decision that the comment stated last.
pub(in crate::state) fn note(
    notes: &mut Notes,
    decisions: &mut Decisions,
    above: Option<usize>,
    mark: &BodyMark,
    by: &Author<'_>,
    problems: &mut Vec<Problem>,
) {
    let mut reader = Reader { mark, by, problems };
    if let Some(why) = reader.refusal() {
        return reader.warn(ProblemCode::MarkerNotCounted, why);
    }
    let (named, text) = split_named(&mark.text);
    if mark.marker == Marker::DecideBy {
        if named.is_some() {
            let why = "`DECIDE-BY:` is about the whole discussion; remove the brackets, so that it counts";
            return reader.warn(ProblemCode::TargetUnclear, why.to_owned());
        }
        return reader.decide_by(&mut notes.decide_by, text);
    }
    let index = match named {
        Some(named) => match reader.target(decisions, named) {
            Some(index) => Some(index),
            None => return,
        },
        None => above,
    };
    let decision = index.and_then(|index| decisions.list.get_mut(index));
    let lifecycle = match decision {
        Some(one) => &mut one.lifecycle,
        None => &mut notes.whole,
    };
    match &mark.marker {
        Marker::ReviewBy => reader.review_by(&mut lifecycle.review_by, text),
        Marker::Affects => reader.affects(&mut lifecycle.affects),
        _ => reader.hindsight(&mut lifecycle.hindsight, text),
    }
}

/// Splits `(D2) held` into the text in the brackets and the text behind them.
fn split_named(text: &str) -> (Option<&str>, &str) {
    let split = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match split.filter(|(named, _)| !numbers(named, 'D').is_empty() || !named.contains(' ')) {
        Some((named, rest)) => (Some(named), rest.trim_start_matches([' ', ':'])),
        None => (None, text),
    }
}

impl Reader<'_> {
    fn warn(&mut self, code: ProblemCode, message: String) {
        self.warn_at(code, (self.mark.line, self.mark.column), message);
    }

    fn warn_at(&mut self, code: ProblemCode, place: (usize, usize), message: String) {
        self.problems.push(Problem::new(Severity::Warning, code, place, message));
    }

    /// Returns the reason why the author may not write this marker. The writer of a text may only write a marker that
    /// its phase allows; the others were removed before.
    fn refusal(&self) -> Option<String> {
        let Author { by_person, moderates, of_text, is_closed, .. } = *self.by;
        let marker = &self.mark.marker;
        let is_for_people = marker.writers() == Writers::People;
        if is_closed && !by_person && !is_for_people {
            return Some(format!(
                "the discussion is closed, and only a person may write `{marker}:` after the end, so this line is ignored"
            ));
        }
        if marker.writers().include(by_person, moderates || of_text, false) {
            return None;
        }
        let who = if is_for_people { "a person" } else { "a person or the moderator" };
        Some(format!("only {who} may write `{marker}:`, so this line is ignored"))
    }

    /// Returns the index of the decision in the brackets; adds a problem if there is none.
    fn target(&mut self, decisions: &Decisions, named: &str) -> Option<usize> {
        let target = Target { kind: ItemKind::Decision, count: decisions.list.len() };
        let mark = BodyMark { text: named.to_owned(), ..self.mark.clone() };
        match target.numbered(&mark, self.problems).as_deref() {
            Some([index]) => Some(*index),
            // `numbered` has added the problem.
            Some([]) => None,
            Some(_) | None => {
                let marker = &self.mark.marker;
                let why = format!(
                    "the brackets name no single decision, so this line is ignored; write `{marker} (D1): ...`"
                );
                self.warn(ProblemCode::TargetUnclear, why);
                None
            }
        }
    }

    /// Adds a warning if the comment contains the marker for the second time.
    fn warn_if_repeated(&mut self, earlier: Option<usize>) -> bool {
        let line = earlier.filter(|line| *line >= self.by.line);
        if let Some(line) = line {
            let marker = &self.mark.marker;
            let why = format!(
                "this comment has two lines `{marker}:` for the same decision; this one counts, not the one in line {line}"
            );
            self.warn(ProblemCode::MarkerTwice, why);
        }
        line.is_some()
    }

    /// Returns the day in the text; adds a problem if there is none.
    fn day(&mut self, text: &str) -> Option<NaiveDate> {
        read_day(text)
            .map_err(|why| {
                let marker = &self.mark.marker;
                self.warn(ProblemCode::DateUnreadable, format!("`{marker}:` is ignored: {why}"));
            })
            .ok()
    }

    fn review_by(&mut self, kept: &mut Option<ReviewDate>, text: &str) {
        let Some(date) = self.day(text) else { return };
        if let Some(person) = kept.as_ref().filter(|kept| kept.by_person && !self.by.by_person) {
            let why = format!(
                "{} set this day in line {}, so only a person may change it",
                person.by, person.line
            );
            return self.warn(ProblemCode::MarkerNotCounted, why);
        }
        self.warn_if_repeated(kept.as_ref().map(|kept| kept.line));
        let (by, by_person) = (self.by.name.clone(), self.by.by_person);
        *kept = Some(ReviewDate { date, by, by_person, line: self.mark.line });
    }

    fn decide_by(&mut self, kept: &mut Option<(NaiveDate, usize)>, text: &str) {
        let Some(date) = self.day(text) else { return };
        self.warn_if_repeated(kept.map(|(_, line)| line));
        *kept = Some((date, self.mark.line));
    }

    fn hindsight(&mut self, kept: &mut Vec<Hindsight>, text: &str) {
        let bare = text.trim_start_matches(['*', '_', '`']);
        let end = bare.find(|c: char| !c.is_alphabetic()).unwrap_or(bare.len());
        let (word, rest) = bare.split_at(end);
        let Some(result) = HindsightResult::parse(&word.to_lowercase()) else {
            let why = "this names no result and is ignored; write `HINDSIGHT: held`, `failed` or `mixed`, and the reason \
                       behind it";
            return self.warn(ProblemCode::ValueUnreadable, why.to_owned());
        };
        if self.warn_if_repeated(kept.last().map(|last| last.line)) {
            kept.pop();
        }
        let signs = |c: char| {
            c.is_whitespace()
                || matches!(c, '*' | '_' | '`' | ',' | ';' | ':' | '.' | '-' | '–' | '—')
        };
        kept.push(Hindsight {
            result,
            text: rest.trim_start_matches(signs).to_owned(),
            by: self.by.name.clone(),
            at: self.by.comment.at(),
            line: self.mark.line,
        });
    }

    fn affects(&mut self, kept: &mut Vec<AffectedFiles>) {
        let stored = &self.by.comment.stored;
        let start = self.mark.value.start;
        let text = stored.get(self.mark.value.clone()).unwrap_or_default();
        let (mut is_bare, mut is_long, mut is_full) = (false, false, false);
        let found = patterns(text);
        if found.is_empty() {
            let why = "this names no file and is ignored; write patterns in backticks, like AFFECTS: `src/db/**`";
            return self.warn(ProblemCode::ValueUnreadable, why.to_owned());
        }
        let mut line_start = stored[..start].rfind('\n').map_or(0, |lf| lf + 1);
        let mut below = 0;
        for one in found {
            if one.below > below {
                below = one.below;
                line_start = start + text[..one.at].rfind('\n').map_or(0, |lf| lf + 1);
            }
            // Counted only for patterns that are kept or reported, because a line may hold very many.
            let line = self.mark.line + below;
            let place = || (line, column(stored, line_start, start + one.at));
            if one.text.len() > LONGEST {
                if !std::mem::replace(&mut is_long, true) {
                    let why = format!(
                        "this pattern has {} bytes and is ignored; a pattern may have at most {LONGEST}",
                        one.text.len()
                    );
                    self.warn_at(ProblemCode::PatternLimit, place(), why);
                }
                continue;
            }
            if kept.iter().any(|known| known.pattern == one.text) {
                continue;
            }
            if kept.len() >= MOST {
                if !std::mem::replace(&mut is_full, true) {
                    let why = format!(
                        "a decision has at most {MOST} patterns, so this one and those after it are ignored; use wider ones"
                    );
                    self.warn_at(ProblemCode::PatternLimit, place(), why);
                }
                continue;
            }
            if one.is_bare && !std::mem::replace(&mut is_bare, true) {
                let why = "this pattern counts, but Markdown may change `*` and `_` in it; put each pattern in backticks";
                self.warn_at(ProblemCode::PatternBare, place(), why.to_owned());
            }
            let (line, column) = place();
            kept.push(AffectedFiles { pattern: one.text.to_owned(), line, column });
        }
    }
}
