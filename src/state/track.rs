//! Questions and tasks, numbered in file order. A marker closes them by number, by the participant that is addressed,
//! or by similarity.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::comment::Repeats;
use super::decisions::{Decisions, Statement, Superseded, supersede};
use super::discussion_config::DiscussionConfig;
use super::item::{Item, ItemStatus};
use super::kind::ItemKind;
use super::lifecycle::{Notes, note};
use super::mention::Whom;
use super::plain_items::PlainLists;
use super::speaker::{Speaker, SpeakerIndex, handles};
use super::typed::Target;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::similarity::{Candidates, Claim};
use crate::transcript::{Body, BodyMark, Comment, Marker, Mention, Name};

/// The author of a comment, and what the author could see.
pub(super) struct Author<'a> {
    pub(super) name: &'a Name,
    pub(super) speaker: &'a Speaker,
    pub(super) by_person: bool,
    /// True if it is the participant that moderates.
    pub(super) moderates: bool,
    /// The comment.
    pub(super) comment: &'a Comment,
    /// Line of the comment's head.
    pub(super) line: usize,
    /// Index of the comment in the transcript's entries.
    pub(super) entry: usize,
    /// The number of entries that the author could see.
    pub(super) shown: usize,
    /// True if the comment is a text for a reader.
    pub(super) of_text: bool,
    /// True if the discussion was closed above the comment.
    pub(super) is_closed: bool,
}

impl Author<'_> {
    /// Returns the item of a marker in this comment.
    fn item(&self, kind: ItemKind, index: usize, mark: &BodyMark) -> Item {
        Item::new(kind, number(index), &mark.text, self.name.clone(), mark.line)
    }

    /// Returns the statement of a decision in this comment.
    pub(super) fn statement(
        &self,
        line: usize,
        is_stated: bool,
        replaces: Vec<usize>,
    ) -> Statement {
        Statement {
            name: self.name.clone(),
            speaker: self.speaker.clone(),
            by_person: self.by_person,
            is_stated,
            entry: self.entry,
            line,
            replaces,
        }
    }
}

/// All numbered items.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracks {
    pub(super) questions: Vec<Item>,
    pub(super) tasks: Vec<Item>,
    pub(super) decisions: Decisions,
    pub(super) plain: PlainLists,
    pub(super) superseded: Vec<Superseded>,
    pub(super) notes: Notes,
    /// The texts of `questions` that are open.
    asked: Candidates,
    /// The open questions by the addressed participant or person, in lower case.
    put_to: HashMap<String, BTreeSet<usize>>,
    /// The open questions by their author, in lower case.
    asked_by: HashMap<String, BTreeSet<usize>>,
    /// The texts of `tasks` that are not done.
    wanted: Candidates,
    /// Tasks that begin like `Rob: ...`, if no person named Rob has commented yet.
    named: Vec<(usize, String)>,
    same_questions: Repeats,
    same_tasks: Repeats,
    /// The items of markers that name none: the line of the marker, and the item, like `Q3`.
    pub(super) chosen: Vec<(usize, String)>,
}

impl Tracks {
    /// Records the markers and supports of a comment.
    pub(super) fn comment(
        &mut self,
        by: &Author<'_>,
        body: &Body,
        mentions: &[(&Mention, Whom)],
        config: &DiscussionConfig,
        problems: &mut Vec<Problem>,
    ) {
        // Markers and mentions are both in text order.
        let mut rest = mentions;
        // The decision that the comment stated last.
        let mut above = None;
        for (index, mark) in body.marks.iter().enumerate() {
            let count = |of: fn(Option<usize>, usize) -> bool, among: &[(&Mention, Whom)]| {
                among.iter().take_while(|(mention, _)| of(mention.mark, index)).count()
            };
            rest = &rest[count(|mark, index| mark.is_none_or(|mark| mark < index), rest)..];
            let (mine, later) = rest.split_at(count(|mark, index| mark == Some(index), rest));
            rest = later;
            match mark.marker {
                Marker::Question => self.ask(mark, by, mine, config),
                Marker::Answer => self.answer(mark, by, mine, problems),
                Marker::Todo => self.want(mark, by, config),
                Marker::Done | Marker::Assigned => self.claim(mark, by, problems),
                Marker::Decision => above = Some(self.decisions.state(mark, by, problems)),
                Marker::Withdrawn => self.decisions.withdraw(mark, by, problems),
                Marker::Supersedes => {
                    supersede(&mut self.superseded, mark, by, &self.decisions, problems);
                }
                Marker::ReviewBy | Marker::Affects | Marker::Hindsight | Marker::DecideBy => {
                    note(&mut self.notes, &mut self.decisions, above, mark, by, problems);
                }
                _ => self.plain.record(mark, by, problems),
            }
        }
        for (number, line) in &body.supports {
            self.decisions.support(*number, *line, by, problems);
        }
    }

    fn ask(
        &mut self,
        mark: &BodyMark,
        by: &Author<'_>,
        named: &[(&Mention, Whom)],
        config: &DiscussionConfig,
    ) {
        let index = self.questions.len();
        let (mut models, mut people) = (Vec::new(), Vec::new());
        for (mention, whom) in named {
            match whom {
                Whom::Everybody => {}
                Whom::Speaker(Speaker::Persona(alias)) if config.is_model(alias) => {
                    models.push(alias.clone());
                }
                Whom::Speaker(Speaker::Persona(alias)) => people.push(alias.to_string()),
                Whom::Speaker(_) | Whom::Unknown(_) => people.push(mention.name.clone()),
            }
        }
        models.dedup();
        people.dedup();
        let questions = &self.questions;
        let is_open = |first: usize| questions[first].is_open();
        let first = self.same_questions.add(index, &mark.text, is_open);
        let question = Item {
            models,
            people,
            status: match first {
                Some(_) => ItemStatus::Answered,
                None => ItemStatus::Open,
            },
            asker: by.speaker.handle().to_lowercase(),
            entry: by.entry,
            ..by.item(ItemKind::Question, index, mark)
        };
        self.asked.push();
        if let Some(first) = first {
            self.questions[first].raised += 1;
            self.asked.close(index);
            self.questions.push(question);
            return;
        }
        for key in keys(&question) {
            self.put_to.entry(key).or_default().insert(index);
        }
        self.asked_by.entry(question.asker.clone()).or_default().insert(index);
        self.questions.push(question);
    }

    fn answer(
        &mut self,
        mark: &BodyMark,
        by: &Author<'_>,
        named: &[(&Mention, Whom)],
        problems: &mut Vec<Problem>,
    ) {
        let target = Target { kind: ItemKind::Question, count: self.questions.len() };
        let numbered = target.numbered(mark, problems);
        let is_chosen = numbered.is_none();
        let found = numbered.or_else(|| {
            let index = self.only_put_to(by).or_else(|| self.only_asked_by(by, named));
            let questions = &self.questions;
            let text = |index: usize| questions[index].text.as_str();
            Some(vec![index.or_else(|| self.asked.best(&mark.text, text))?])
        });
        let Some(found) = found else { return target.unclear(mark, problems) };
        for index in found {
            let index = self.same_questions.first(index);
            if is_chosen {
                self.chosen.push((mark.line, format!("Q{}", index + 1)));
            }
            // An agent that is not a participant cannot answer for people.
            if let (Speaker::Agent(name), true) =
                (by.speaker, self.questions[index].waits_for_people())
            {
                let message = format!(
                    "Q{} is for people, and `{name}` is not a person; the question stays open",
                    index + 1
                );
                let (code, here) = (ProblemCode::TargetUnclear, (mark.line, mark.column));
                problems.push(Problem::new(Severity::Note, code, here, message));
                continue;
            }
            self.close(index);
        }
    }

    fn close(&mut self, index: usize) {
        let question = &mut self.questions[index];
        question.status = ItemStatus::Answered;
        for key in keys(question) {
            if let Some(open) = self.put_to.get_mut(&key) {
                open.remove(&index);
            }
        }
        if let Some(open) = self.asked_by.get_mut(&question.asker) {
            open.remove(&index);
        }
        self.asked.close(index);
    }

    /// Returns the only open question that is addressed to this author, among those that the author could see.
    fn only_put_to(&self, by: &Author<'_>) -> Option<usize> {
        let keys: Vec<String> = match by.speaker {
            Speaker::Persona(alias) => vec![alias.as_str().to_lowercase()],
            Speaker::Person(name) => handles(name).collect(),
            Speaker::Agent(_) | Speaker::Report | Speaker::Lookalike(_) => Vec::new(),
        };
        let seen = self.visible_questions(by);
        let open = keys.iter().filter_map(|key| self.put_to.get(key));
        only(open.flat_map(|open| open.range(..seen).take(2).copied()))
    }

    /// Returns the only open question by the speaker that an answer mentions first, among those that the author could
    /// see.
    fn only_asked_by(&self, by: &Author<'_>, named: &[(&Mention, Whom)]) -> Option<usize> {
        let asker = named.iter().find_map(|(_, whom)| match whom {
            Whom::Speaker(speaker) => Some(speaker),
            Whom::Everybody | Whom::Unknown(_) => None,
        })?;
        only(
            self.asked_by
                .get(&asker.handle().to_lowercase())?
                .range(..self.visible_questions(by))
                .take(2)
                .copied(),
        )
    }

    /// Returns the number of questions that the author could see.
    fn visible_questions(&self, by: &Author<'_>) -> usize {
        self.questions.partition_point(|question| question.entry < by.shown)
    }

    fn want(&mut self, mark: &BodyMark, by: &Author<'_>, config: &DiscussionConfig) {
        let index = self.tasks.len();
        let mut assignee = mention(&mark.text).map(str::to_owned);
        if let (None, Some(name)) = (&assignee, named_first(&mark.text)) {
            match config.by_name(&name) {
                Some(persona) => assignee = Some(persona.alias.to_string()),
                None => self.named.push((index, name.as_str().to_lowercase())),
            }
        }
        let status = match (mark.ticked, &assignee) {
            (true, _) => ItemStatus::Done,
            (false, Some(_)) => ItemStatus::Assigned,
            (false, None) => ItemStatus::Open,
        };
        self.add(mark, by, assignee, status);
    }

    fn add(
        &mut self,
        mark: &BodyMark,
        by: &Author<'_>,
        assignee: Option<String>,
        status: ItemStatus,
    ) {
        let index = self.tasks.len();
        let tasks = &self.tasks;
        let is_open = |first: usize| tasks[first].is_open();
        let first = match status {
            ItemStatus::Done => None,
            _ => self.same_tasks.add(index, &mark.text, is_open),
        };
        self.wanted.push();
        if status == ItemStatus::Done || first.is_some() {
            self.wanted.close(index);
        }
        if let Some(first) = first {
            self.tasks[first].raised += 1;
        }
        self.tasks.push(Item {
            assignee,
            status,
            ticked: mark.ticked,
            ..by.item(ItemKind::Task, index, mark)
        });
    }

    /// Records `DONE:` and `ASSIGNED:`; a text that matches no task becomes a new task.
    fn claim(&mut self, mark: &BodyMark, by: &Author<'_>, problems: &mut Vec<Problem>) {
        let tasks = &self.tasks;
        let target = Target { kind: ItemKind::Task, count: tasks.len() };
        let numbered = target.numbered(mark, problems);
        let is_chosen = numbered.is_none();
        let found = numbered.or_else(|| {
            // A comment about lowering a timeout must not close the task of raising it.
            let claim = Claim::new(&mark.text);
            let fits = |index: usize| !claim.excludes(&Claim::new(&tasks[index].text));
            let best = self.wanted.best_of(&mark.text, |index| tasks[index].text.as_str(), fits);
            best.map(|index| vec![index])
        });
        let done = mark.marker == Marker::Done;
        let whose = mentioned(&mark.text).unwrap_or(by.speaker.handle()).to_owned();
        let Some(found) = found else {
            if !mark.text.is_empty() {
                let status = if done { ItemStatus::Done } else { ItemStatus::Assigned };
                self.add(mark, by, Some(whose), status);
            }
            return;
        };
        for index in found {
            let index = self.same_tasks.first(index);
            if is_chosen {
                self.chosen.push((mark.line, format!("T{}", index + 1)));
            }
            let task = &mut self.tasks[index];
            if done {
                task.status = ItemStatus::Done;
                task.assignee.get_or_insert_with(|| by.speaker.handle().to_owned());
                self.wanted.close(index);
            } else {
                task.assignee = Some(whose.clone());
                if !task.ticked {
                    task.status = ItemStatus::Assigned;
                    self.wanted.open(index);
                }
            }
        }
    }

    /// Returns the questions and tasks as a reader counts them: a repetition in the same words is merged with the
    /// first.
    pub(super) fn folded(&mut self) -> (Vec<Item>, Vec<Item>) {
        let questions = self.same_questions.fold(std::mem::take(&mut self.questions));
        (questions, self.same_tasks.fold(std::mem::take(&mut self.tasks)))
    }

    /// Assigns tasks that begin with the name of a person who commented before or after them.
    pub(super) fn assign_by_name(&mut self, speakers: &SpeakerIndex) {
        for (index, name) in std::mem::take(&mut self.named) {
            let task = &mut self.tasks[index];
            if let (None, Some(person)) = (&task.assignee, speakers.person(&name)) {
                task.assignee = Some(person.to_string());
                if task.status == ItemStatus::Open {
                    task.status = ItemStatus::Assigned;
                }
            }
        }
    }
}

/// Returns the names under which an addressed participant or person finds a question.
fn keys(question: &Item) -> Vec<String> {
    let models = question.models.iter().map(|alias| alias.as_str());
    models.chain(question.people.iter().map(String::as_str)).map(str::to_lowercase).collect()
}

/// Returns the only item; none if there are none or several.
fn only(some: impl Iterator<Item = usize>) -> Option<usize> {
    let found: BTreeSet<usize> = some.collect();
    (found.len() == 1).then(|| found.first().copied()).flatten()
}

pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1)
}

/// Returns the first `@name` in a text.
fn mentioned(text: &str) -> Option<&str> {
    mention(&text[text.find('@')?..])
}

/// Returns the `@name` at the beginning of a text.
fn mention(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['*', '_', '(']).strip_prefix('@')?;
    let end =
        rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
    Some(rest[..end].trim_end_matches(['_', '-'])).filter(|name| !name.is_empty())
}

/// Returns the name before a colon at the beginning of a text: `Rob: call them`.
fn named_first(text: &str) -> Option<Name> {
    let (name, what) = text.split_once(':')?;
    let name = name.trim_matches(['*', '_', ' ']);
    if what.trim_matches(['*', '_', ' ']).is_empty() || name.len() > 256 {
        return None;
    }
    Name::parse(name).ok()
}
