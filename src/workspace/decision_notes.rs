//! Notes of people about decisions: the days for a review, and the files that a decision is about. Finds decisions by
//! files, and checks the days and the patterns.

use std::collections::HashMap;
use std::path::PathBuf;

use chrono::{Days, Months, NaiveDate, TimeDelta};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use memchr::memmem;

use super::autofix::miswritten_in;
use super::environment::plain;
use super::error::WorkspaceError;
use super::outcomes::KnownLinks;
use super::{Checks, Decisions};
use crate::codes::{Fix, ProblemCode};
use crate::engine::{Snapshot, Standing};
use crate::problem::{Problem, Severity};
use crate::state::{AffectedFiles, read_day};
use crate::store::{self, Document};
use crate::transcript::{Entry, EntryKind, Time, time, visible_line};
use crate::view::{Checked, DueReview};

/// The characters that make a pattern more than a name.
const SPECIAL: [char; 5] = ['*', '?', '[', '{', '\\'];

/// A list of files, as paths from the project's root with `/` between the parts.
#[derive(Debug, Default)]
pub(super) struct FileList {
    /// Sorted, so that the files below a folder are neighbours.
    files: Vec<String>,
    /// The indices of the files with this name somewhere in their path.
    by_name: HashMap<String, Vec<usize>>,
}

/// The files that a pattern may match. It saves a comparison of each pattern with all files.
#[derive(Debug, PartialEq, Eq)]
enum Reach<'p> {
    /// Files with a path that begins with this text.
    Beginning(&'p str),
    /// Files with this name somewhere in their path.
    Named(&'p str),
    /// All files.
    All,
}

impl FileList {
    /// Creates the list.
    pub(super) fn new(files: impl IntoIterator<Item = String>) -> Self {
        let mut files: Vec<String> = files.into_iter().filter(|file| !file.is_empty()).collect();
        files.sort_unstable();
        files.dedup();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            for name in file.split('/') {
                match by_name.get_mut(name) {
                    Some(all) => all.push(index),
                    None => drop(by_name.insert(name.to_owned(), vec![index])),
                }
            }
        }
        Self { files, by_name }
    }

    /// Returns true if the list contains this path.
    pub(super) fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.as_str().cmp(path)).is_ok()
    }

    /// Returns true if a file of the list matches the patterns. As in a `.gitignore`, a pattern of a folder matches all
    /// files below it, and a later pattern that begins with `!` takes files out again. Skips invalid patterns.
    pub(super) fn has_match(&self, patterns: &[&str]) -> bool {
        let Some(matcher) = matcher(patterns) else { return false };
        let is_match = |file: &String| matcher.matched_path_or_any_parents(file, false).is_ignore();
        let positive = patterns.iter().filter(|pattern| !pattern.starts_with('!'));
        positive.map(|pattern| reach(pattern)).any(|reach| match reach {
            Reach::Beginning(start) => {
                let first = self.files.partition_point(|file| file.as_str() < start);
                let near = self.files[first..].iter();
                near.take_while(|file| file.starts_with(start)).any(is_match)
            }
            Reach::Named(name) => {
                let found = self.by_name.get(name).into_iter().flatten();
                found.map(|index| &self.files[*index]).any(is_match)
            }
            Reach::All => self.files.iter().any(is_match),
        })
    }
}

/// Returns the reason why a pattern is invalid; `None` if it is valid.
pub(super) fn pattern_error(pattern: &str) -> Option<String> {
    let mut builder = GitignoreBuilder::new("");
    if let Err(error) = builder.add_line(None, pattern) {
        return Some(reason(&error));
    }
    match builder.build() {
        Err(error) => Some(reason(&error)),
        Ok(set) if set.is_empty() => {
            Some("a line like this is empty or a comment in a .gitignore".to_owned())
        }
        Ok(_) => None,
    }
}

/// Returns the reason without the pattern, which the caller shows.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}

/// Returns the matcher of a decision's patterns; `None` if it has no valid one.
pub(super) fn matcher(patterns: &[&str]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        // `check` reports invalid patterns.
        let _ = builder.add_line(None, pattern);
    }
    builder.build().ok().filter(|set| !set.is_empty())
}

/// Returns the files that a pattern may match, judged by its text alone.
fn reach(pattern: &str) -> Reach<'_> {
    let path = pattern.trim_end_matches('/');
    // A pattern with a slash before its end begins at the root; one without matches in any folder.
    if !path.contains('/') {
        return if path.contains(SPECIAL) { Reach::All } else { Reach::Named(path) };
    }
    let path = path.trim_start_matches('/');
    Reach::Beginning(path.find(SPECIAL).map_or(path, |end| &path[..end]))
}

/// Returns a warning for each pattern of affected files that is invalid.
pub(super) fn invalid_patterns(snapshot: &Snapshot) -> impl Iterator<Item = Problem> {
    let state = &snapshot.state;
    let notes =
        [&state.lifecycle].into_iter().chain(state.decisions.iter().map(|it| &it.lifecycle));
    notes.flat_map(|notes| &notes.affects).filter_map(|affected| {
        let reason = pattern_error(&affected.pattern)?;
        let message = format!(
            "this pattern is ignored, because it is invalid: {}; write it as in a .gitignore",
            visible_line(&reason)
        );
        Some(warning(ProblemCode::PatternInvalid, affected, message))
    })
}

fn warning(code: ProblemCode, affected: &AffectedFiles, message: String) -> Problem {
    Problem::new(Severity::Warning, code, (affected.line, affected.column), message)
}

impl Checks<'_> {
    /// Adds a warning for each pattern of affected files of a decision in force that matches no file of the project.
    ///
    /// # Errors
    /// Fails if git cannot list the files.
    pub(super) fn check_patterns(&self, all: &mut [Checked]) -> Result<(), WorkspaceError> {
        let known = KnownLinks::default();
        // The files are listed once, and only if a discussion names some.
        let mut files = None;
        for one in all.iter_mut() {
            let Some((path, snapshot)) = self.checked_snapshot(one, b"AFFECTS") else { continue };
            let mut snapshot = snapshot;
            known.links_beside(&path, self).superseding.apply(&plain(&path), &mut snapshot);
            let outcome = snapshot.outcome();
            // Files of an old decision may be gone.
            let is_current =
                matches!(outcome.standing, Standing::Open | Standing::Answered | Standing::InForce);
            let whole = is_current.then_some(&outcome.notes);
            let items = outcome.items.iter().filter(|item| item.is_current());
            let notes = whole.into_iter().chain(items.map(|item| &item.notes));
            let affects: Vec<&AffectedFiles> = notes.flat_map(|notes| &notes.affects).collect();
            if affects.is_empty() {
                continue;
            }
            if files.is_none() {
                let Some(listed) = store::project_files(&self.setup.root)? else { return Ok(()) };
                files = Some(FileList::new(listed));
            }
            let is_unmatched = |affected: &&&AffectedFiles| {
                let pattern = affected.pattern.trim_start_matches('!');
                let matches = files.as_ref().is_some_and(|files| files.has_match(&[pattern]));
                !matches && pattern_error(&affected.pattern).is_none()
            };
            let problems = affects.iter().filter(is_unmatched).map(|affected| {
                let message = format!(
                    "no file of the project matches this pattern: {}",
                    visible_line(&affected.pattern)
                );
                warning(ProblemCode::PatternUnmatched, affected, message)
            });
            one.problems.extend(problems);
        }
        Ok(())
    }

    /// Adds an error for each decision in force with a day for a review that is over.
    pub fn check_reviews(&self, all: &mut [Checked]) {
        let known = KnownLinks::default();
        for one in all.iter_mut() {
            let Some((path, mut snapshot)) = self.checked_snapshot(one, b"REVIEW-BY") else {
                continue;
            };
            known.links_beside(&path, self).superseding.apply(&plain(&path), &mut snapshot);
            let reviews = DueReview::all(snapshot.outcome(), self.now().date_naive());
            let overdue = reviews.iter().filter(|review| review.overdue).map(|review| {
                let what = review.decision.as_deref().unwrap_or("the outcome");
                let message = format!(
                    "{what} was to be reviewed by {}; a later `REVIEW-BY:`, or a decision that replaces it, ends \
                     this error",
                    review.review_by
                );
                let place = (review.line, 1);
                Problem::new(Severity::Error, ProblemCode::ReviewOverdue, place, message)
            });
            one.problems.extend(overdue);
            one.add_ends();
        }
    }

    /// Returns the path and the snapshot of a checked discussion; `None` if its text lacks a marker.
    fn checked_snapshot(&self, one: &Checked, marker: &[u8]) -> Option<(PathBuf, Snapshot)> {
        memmem::find(one.text.as_bytes(), marker)?;
        let path = self.setup.cwd.join(&one.file);
        let snapshot = self.snapshot_of(&Document::of_git(path.clone(), &one.text)).ok()?;
        Some((path, snapshot))
    }
}

impl Checks<'_> {
    /// Returns the problems of a text that no other file decides.
    pub(super) fn problems_of(&self, snapshot: &Snapshot) -> Vec<Problem> {
        let mut problems = snapshot.state.problems.clone();
        // A block between conflict marks may look lost or changed. The user decides about it when resolving the
        // conflict.
        if is_conflict(&problems) {
            problems.retain(|problem| problem.code == ProblemCode::Conflict);
            return problems;
        }
        let transcript = &snapshot.transcript;
        problems.extend(transcript.entries.iter().flat_map(miswritten_in));
        problems.extend(times_in_future(&transcript.entries, self.now()));
        problems.extend(mixed_ends(&transcript.text));
        problems
    }
}

/// Returns true if a text contains a merge conflict.
pub(super) fn is_conflict(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.code == ProblemCode::Conflict)
}

/// The allowed difference between the clocks of two machines.
const CLOCKS: TimeDelta = TimeDelta::minutes(10);

/// Returns a warning for each comment with a time in the future.
fn times_in_future(entries: &[Entry], now: Time) -> impl Iterator<Item = Problem> {
    entries.iter().filter_map(move |entry| {
        let EntryKind::Comment(comment) = &entry.kind else { return None };
        let at = comment.at().filter(|at| *at > now + CLOCKS)?;
        let message = format!("the time of this comment, {}, is in the future", time(at));
        Some(Problem::new(Severity::Warning, ProblemCode::TimeInFuture, (entry.line, 1), message))
    })
}

/// Returns a note about mixed line ends. They do not change the content, but other programs complain about them.
fn mixed_ends(text: &str) -> Option<Problem> {
    let (crlf, lf) = store::LineEnd::count(text);
    let (few, other) = if crlf < lf { (crlf, "CR LF") } else { (lf, "LF") };
    let found = (few > 0).then(|| {
        let lines = if few == 1 { "1 line ends".to_owned() } else { format!("{few} lines end") };
        Problem::new(
            Severity::Note,
            ProblemCode::LineEndsMixed,
            (0, 0),
            format!("{lines} in {other}, the others do not; this does not change the content"),
        )
    });
    found.map(|problem| problem.with_fix(Fix::Mend))
}

/// The maximum number in a time from today, in every unit.
const MOST: u32 = 10_000;

impl Decisions<'_> {
    /// Returns a day that is not over as a date like `2027-06-01`, UTC. `text` is the date, or a time from today:
    /// `6 months`, `2 weeks`, `1 year`, `30d`.
    ///
    /// # Errors
    /// Fails if the text names no day, or a day before today.
    pub fn future_day(&self, text: &str) -> Result<String, WorkspaceError> {
        let today = self.now().date_naive();
        day_after(text, today).map(|day| day.to_string()).map_err(WorkspaceError::refuse)
    }
}

/// Returns the day that a text names, or the reason why it names none.
pub(super) fn day_after(text: &str, today: NaiveDate) -> Result<NaiveDate, String> {
    let text = text.trim();
    let day = match from_today(text, today) {
        Some(day) => day,
        None if text.len() > 10 => Err("it is too long for a date".to_owned()),
        None => read_day(text),
    };
    let how = "write a date like 2027-06-01, or a time like \"6 months\"";
    let day = day.map_err(|_| {
        let shown: String = text.chars().take(40).collect();
        format!("`{shown}` is neither a day nor a time from today; {how}")
    })?;
    if day < today {
        return Err(format!("{day} is in the past; {how}"));
    }
    Ok(day)
}

/// Parses a time from today; `None` if the text does not look like one.
fn from_today(text: &str, today: NaiveDate) -> Option<Result<NaiveDate, String>> {
    let text = text.strip_prefix("in ").unwrap_or(text);
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let unit = unit.trim().to_lowercase();
    let number = number.parse::<u32>().ok()?;
    let months = |months: u32| today.checked_add_months(Months::new(months));
    let days = |days: u32| today.checked_add_days(Days::new(days.into()));
    let day = match unit.as_str() {
        _ if number > MOST => None,
        "d" | "day" | "days" => days(number),
        "w" | "week" | "weeks" => days(number * 7),
        "month" | "months" => months(number),
        "y" | "year" | "years" => months(number * 12),
        _ => return None,
    };
    // A longer year would not be read back.
    let day = day.filter(|day| *day <= NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or(today));
    Some(day.ok_or_else(|| "it is too far away".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> FileList {
        let files = [
            "Cargo.toml",
            "src/db/mod.rs",
            "src/db/migrations/1.sql",
            "src/web.rs",
            "docs/db/notes.md",
            "tools/Cargo.toml",
        ];
        FileList::new(files.map(str::to_owned))
    }

    #[test]
    fn patterns_match_as_in_a_gitignore() {
        let files = project();
        for pattern in [
            "src/db/**",
            "src/db",
            "src/db/",
            "/src/db/",
            "db/",
            "Cargo.toml",
            "/Cargo.toml",
            "*.sql",
            "**/migrations/",
            "src/*.rs",
            "src/d?/mod.rs",
            "web.rs",
            "s[r]c/",
            "tools/**/Cargo.toml",
            "docs",
        ] {
            assert!(files.has_match(&[pattern]), "{pattern}");
        }
        for pattern in [
            "src/db2",
            "/db/",
            "migrations/1.sql",
            "web.rs/",
            "/web.rs",
            "*.py",
            "src/*.sql",
            "!src/db",
            "cargo.toml",
            "#Cargo.toml",
            "",
        ] {
            assert!(!files.has_match(&[pattern]), "{pattern}");
        }
    }

    #[test]
    fn later_pattern_takes_files_out() {
        let changed = FileList::new(["src/gen/a.rs".to_owned()]);
        assert!(changed.has_match(&["src/"]));
        assert!(!changed.has_match(&["src/**", "!src/gen/*"]));
        assert!(changed.has_match(&["!src/gen/*", "src/**"]), "the later one counts");
        assert!(changed.has_match(&["{a", "src/gen/a.rs"]), "an invalid pattern is skipped");
    }

    #[test]
    fn every_pattern_finds_what_a_comparison_with_all_files_finds() {
        let files = project();
        let names = ["src", "db", "mod.rs", "*", "**", "*.rs", "web.rs", "Cargo.toml", "d*", "s?c"];
        let mut patterns = Vec::new();
        for one in names {
            for other in names {
                for form in ["{a}", "/{a}", "{a}/", "{a}/{b}", "/{a}/{b}/", "**/{a}/{b}"] {
                    patterns.push(form.replace("{a}", one).replace("{b}", other));
                }
            }
        }
        for pattern in &patterns {
            let matcher = matcher(&[pattern]).unwrap();
            let slow = files
                .files
                .iter()
                .any(|file| matcher.matched_path_or_any_parents(file, false).is_ignore());
            assert_eq!(files.has_match(&[pattern]), slow, "{pattern}");
        }
    }

    #[test]
    fn pattern_is_compared_only_with_files_that_it_may_match() {
        assert_eq!(reach("src/db/**"), Reach::Beginning("src/db/"));
        assert_eq!(reach("/Cargo.toml"), Reach::Beginning("Cargo.toml"));
        assert_eq!(reach("Cargo.toml"), Reach::Named("Cargo.toml"));
        assert_eq!(reach("db/"), Reach::Named("db"));
        assert_eq!(reach("*.sql"), Reach::All);
        assert_eq!(reach("**/db/x"), Reach::Beginning(""));
    }

    #[test]
    fn invalid_patterns_have_a_reason() {
        for pattern in ["src/db/**", "!x", "a b", "{a,b}"] {
            assert_eq!(pattern_error(pattern), None, "{pattern}");
        }
        for pattern in ["src/[z-a]", "{a", "", "  ", "# x"] {
            assert!(pattern_error(pattern).is_some(), "{pattern}");
        }
        let stars = "*a".repeat(5_000);
        assert!(pattern_error(&stars).is_some() || !project().has_match(&[&stars]));
    }

    #[test]
    fn day_is_a_date_or_a_time_from_today() {
        let today = NaiveDate::from_ymd_opt(2026, 8, 31).unwrap();
        for (text, day) in [
            ("2027-06-01", "2027-06-01"),
            ("2026-08-31", "2026-08-31"),
            ("6 months", "2027-02-28"),
            ("in 2 weeks", "2026-09-14"),
            ("1 year", "2027-08-31"),
            ("30d", "2026-09-30"),
            (" 1 Day ", "2026-09-01"),
            ("0d", "2026-08-31"),
        ] {
            assert_eq!(day_after(text, today).unwrap().to_string(), day, "{text}");
        }
        for (text, why) in [
            ("2026-08-30", "in the past"),
            ("2026-02-30", "neither a day nor a time from today"),
            ("soon", "neither a day nor a time from today"),
            ("", "neither a day nor a time from today"),
            ("6", "neither a day nor a time from today"),
            ("6m", "neither a day nor a time from today"),
            ("99999999999 days", "neither a day nor a time from today"),
            ("10000 years", "neither a day nor a time from today"),
            ("2027-06-01 or later", "neither a day nor a time from today"),
        ] {
            assert!(day_after(text, today).unwrap_err().contains(why), "{text}");
        }
    }
}
