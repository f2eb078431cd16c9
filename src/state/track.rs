//! Questions, tasks, decisions and concerns: numbered in file order, closed by number or by similarity.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::speaker::Speaker;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::similarity::Candidates;
use crate::transcript::{Mark, Marker, Name};

/// Whether a question has been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionStatus {
    /// Nobody has.
    Open,
    /// An `A:` did.
    Answered,
}

/// A `Q:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Counted from 1.
    pub number: u32,
    /// What is asked.
    pub text: String,
    /// Who asks.
    pub author: Name,
    /// Whether it is open.
    pub status: QuestionStatus,
    /// Line in the file.
    pub line: usize,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStatus {
    /// Nobody has it.
    Open,
    /// Somebody claimed it.
    Assigned,
    /// It is done.
    Done,
}

/// A `TODO:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Counted from 1.
    pub number: u32,
    /// What is to do.
    pub text: String,
    /// Who wants it done.
    pub author: Name,
    /// Who does it.
    pub assignee: Option<String>,
    /// How far it is.
    pub status: TaskStatus,
    /// Its box is ticked: somebody edited the file, so it is done, whatever stands below.
    pub ticked: bool,
    /// Line in the file.
    pub line: usize,
}

/// A `DECISION:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedDecision {
    /// Counted from 1.
    pub number: u32,
    /// What is decided.
    pub text: String,
    /// Who proposed it.
    pub author: Name,
    /// Who repeated it or said `+1 D<number>`.
    pub supporters: Vec<Name>,
    /// Line in the file.
    pub line: usize,
}

/// A `CONCERN:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concern {
    /// What it is about.
    pub text: String,
    /// Who raised it.
    pub author: Name,
    /// Line in the file.
    pub line: usize,
}

/// Everything that is numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracks {
    pub(super) questions: Vec<Question>,
    pub(super) tasks: Vec<Task>,
    pub(super) decisions: Vec<StatedDecision>,
    pub(super) concerns: Vec<Concern>,
    /// The texts of `questions`, those that are open.
    asked: Candidates,
    /// The texts of `tasks`, those that are not done.
    wanted: Candidates,
    /// Where in `decisions` a text stands.
    decided: HashMap<String, usize>,
    /// Who supports which of `decisions`.
    supported: HashSet<(usize, Name)>,
}

impl Tracks {
    pub(super) fn mark(
        &mut self,
        mark: &Mark,
        name: &Name,
        speaker: &Speaker,
        problems: &mut Vec<Problem>,
    ) {
        match mark.marker {
            Marker::Question => {
                self.asked.push();
                self.questions.push(Question {
                    number: number(self.questions.len()),
                    text: mark.text.clone(),
                    author: name.clone(),
                    status: QuestionStatus::Open,
                    line: mark.line,
                });
            }
            Marker::Todo => {
                self.wanted.push();
                if mark.ticked {
                    self.wanted.close(self.tasks.len());
                }
                self.tasks.push(Task {
                    number: number(self.tasks.len()),
                    text: mark.text.clone(),
                    author: name.clone(),
                    assignee: None,
                    status: if mark.ticked { TaskStatus::Done } else { TaskStatus::Open },
                    ticked: mark.ticked,
                    line: mark.line,
                });
            }
            Marker::Concern => {
                self.concerns.push(Concern {
                    text: mark.text.clone(),
                    author: name.clone(),
                    line: mark.line,
                });
            }
            Marker::Decision => self.decide(mark, name),
            Marker::Answer => {
                let questions = &self.questions;
                let target = Target { letter: 'Q', what: "question", count: questions.len() };
                let text = |index: usize| questions[index].text.as_str();
                if let Some(index) = target.of(mark, &mut self.asked, text, problems) {
                    self.questions[index].status = QuestionStatus::Answered;
                    self.asked.close(index);
                }
            }
            Marker::Done | Marker::Assigned => {
                let tasks = &self.tasks;
                let target = Target { letter: 'T', what: "task", count: tasks.len() };
                let text = |index: usize| tasks[index].text.as_str();
                let Some(index) = target.of(mark, &mut self.wanted, text, problems) else {
                    return;
                };
                let task = &mut self.tasks[index];
                if mark.marker == Marker::Done {
                    task.status = TaskStatus::Done;
                    task.assignee.get_or_insert_with(|| speaker.handle().to_owned());
                    self.wanted.close(index);
                } else {
                    task.assignee =
                        Some(assignee(&mark.text).unwrap_or(speaker.handle()).to_owned());
                    if !task.ticked {
                        task.status = TaskStatus::Assigned;
                        self.wanted.open(index);
                    }
                }
            }
            _ => {}
        }
    }

    fn decide(&mut self, mark: &Mark, name: &Name) {
        match self.decided.entry(normal(&mark.text)) {
            Entry::Occupied(known) => {
                let index = *known.get();
                support(&mut self.decisions[index], index, name, &mut self.supported);
            }
            Entry::Vacant(new) => {
                new.insert(self.decisions.len());
                self.decisions.push(StatedDecision {
                    number: number(self.decisions.len()),
                    text: mark.text.clone(),
                    author: name.clone(),
                    supporters: Vec::new(),
                    line: mark.line,
                });
            }
        }
    }

    /// `+1 D2`.
    pub(super) fn support(
        &mut self,
        wanted: u32,
        line: usize,
        name: &Name,
        problems: &mut Vec<Problem>,
    ) {
        let index = (wanted as usize).checked_sub(1);
        match index.and_then(|index| Some((index, self.decisions.get_mut(index)?))) {
            Some((index, decision)) => support(decision, index, name, &mut self.supported),
            None => problems.push(Problem::new(
                Severity::Warning,
                ProblemCode::DecisionUnknown,
                (line, 1),
                format!("there is no decision D{wanted} above"),
            )),
        }
    }
}

fn support(
    decision: &mut StatedDecision,
    index: usize,
    name: &Name,
    known: &mut HashSet<(usize, Name)>,
) {
    if decision.author != *name && known.insert((index, name.clone())) {
        decision.supporters.push(name.clone());
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1)
}

fn normal(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .trim_end_matches(['.', '!'])
        .to_lowercase()
}

/// The `@name` in an `ASSIGNED:`.
fn assignee(text: &str) -> Option<&str> {
    let at = text.find('@')?;
    let rest = &text[at + 1..];
    let end =
        rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty())
}

/// What a mark can be about.
struct Target {
    letter: char,
    what: &'static str,
    count: usize,
}

impl Target {
    /// Index of what a mark is about: by its number, else the open one whose text is most like it.
    fn of<'t>(
        &self,
        mark: &Mark,
        open: &mut Candidates,
        text: impl Fn(usize) -> &'t str,
        problems: &mut Vec<Problem>,
    ) -> Option<usize> {
        static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^\W{0,4}([QqTt])([0-9]{1,6})\b")
                .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
        });
        let Self { letter, what, count } = *self;
        let here = (mark.line, mark.column);
        let by_number = NUMBER
            .captures(&mark.text)
            .filter(|found| found[1].eq_ignore_ascii_case(&letter.to_string()));
        if let Some(found) = by_number {
            let wanted: usize = found[2].parse().unwrap_or(0);
            if (1..=count).contains(&wanted) {
                return Some(wanted - 1);
            }
            let message = format!("there is no {what} {letter}{wanted} above");
            problems.push(Problem::new(
                Severity::Warning,
                ProblemCode::NumberUnknown,
                here,
                message,
            ));
            return None;
        }
        let best = open.best(&mark.text, text);
        if best.is_none() {
            let message = format!(
                "no open {what} is clearly meant; name it by its number, such as `{}: {letter}1 ...`",
                mark.marker
            );
            problems.push(Problem::new(
                Severity::Warning,
                ProblemCode::TargetUnclear,
                here,
                message,
            ));
        }
        best
    }
}
