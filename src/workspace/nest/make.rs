//! Creates sub-discussions, from the question to the file, for a run or for a participant that
//! opens one during its own call: an agent with tools.

use std::path::{Path, PathBuf};

use super::chain::{Ancestor, nesting};
use super::{Budget, NoRoom};
use crate::boundary::ProjectPlace;
use crate::codes::ErrorCode;
use crate::duration;
use crate::engine::{ChildSpec, Snapshot, share, until};
use crate::participant::ParticipantKind;
use crate::store;
use crate::transcript::{
    Alias, ChildFile, ChildLine, Control, Depth, Draft, Head, HeadLimits, Nesting, Time,
};
use crate::workspace::{NewDiscussion, Workspace, WorkspaceError};

/// The head lines of a sub-discussion that connect it with its parent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Within {
    parent: String,
    turn: Option<u32>,
    by: Option<Alias>,
    depth: Depth,
    /// The time at which it must end; if it is not in the future, no time is left.
    pub(crate) until: Option<Time>,
    /// The limits of its spending.
    pub(crate) limits: HeadLimits,
    nesting: Nesting,
}

/// The minimum number of calls for a discussion.
const FEWEST_CALLS: u32 = 2;

impl Within {
    /// Ensures that there is a budget to spend.
    ///
    /// # Errors
    /// Fails with the part of the budget that is missing.
    pub(crate) fn insist_on_room(&self, now: Time) -> Result<(), NoRoom> {
        if self.until.is_some_and(|until| until <= now) {
            Err(NoRoom::Time)
        } else if self.limits.max_calls.is_some_and(|calls| calls < FEWEST_CALLS) {
            Err(NoRoom::Calls)
        } else if self.limits.max_usd.is_some_and(|usd| usd <= 0.0) {
            Err(NoRoom::Usd)
        } else {
            Ok(())
        }
    }

    /// Returns the head with these lines.
    pub(crate) fn enter(&self, head: Head) -> Head {
        Head {
            limits: self.limits.clone(),
            nesting: Some(self.nesting.clone()),
            parent: Some(self.parent.clone()),
            turn: self.turn,
            by: self.by.clone(),
            depth: Some(self.depth),
            until: self.until,
            ..head
        }
    }
}

impl Workspace {
    /// Returns the head lines of a sub-discussion of the first discussion in a chain. The parent may spend `budget`,
    /// and will need `calls` more calls itself.
    ///
    /// # Errors
    /// Fails if it would be too deep, or if it repeats the question of a parent.
    pub(crate) fn plan_child(
        &self,
        chain: &[Ancestor],
        spec: &ChildSpec,
        budget: &Budget,
        calls: u32,
    ) -> Result<Within, WorkspaceError> {
        let depth = self.depth_within(chain, spec)?;
        let parent = &chain[0];
        let (mut nesting, now) = (nesting(&parent.snapshot), self.now());
        let share = budget.total.map(|total| share(total, nesting.strategy, depth, nesting.depth));
        let by_time = budget.time.map(|left| now + left);
        let parents_end = match (budget.until, by_time) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        };
        nesting.time = budget.total.map(duration::write);
        let name = parent.path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Within {
            parent: format!("../{name}"),
            turn: spec.turn,
            by: spec.by.clone(),
            depth,
            until: until(parents_end, share, now).map(whole_seconds),
            limits: HeadLimits {
                max_usd: budget.usd.map(|usd| (usd * 1e6).floor() / 1e6),
                max_calls: budget.calls.map(|left| left.saturating_sub(calls)),
                timeout: None,
            },
            nesting,
        })
    }

    /// Returns a free file name for a sub-discussion, in a folder beside its parent that has the parent's name. If a
    /// phase opens it on the parent's own question, it is named after the phase.
    pub(crate) fn child_file(&self, parent: &Ancestor, spec: &ChildSpec) -> Option<ChildFile> {
        let stem = parent.path.file_stem().unwrap_or_default().to_string_lossy();
        let beside = parent.path.parent()?;
        let slug = store::slug(&spec.topic);
        let repeats = slug == stem || slug == store::slug(&parent.snapshot.state.title);
        let slug = if repeats && spec.by.is_none() {
            store::slug(&parent.snapshot.phase().id)
        } else {
            slug
        };
        let known = &parent.snapshot.state.children;
        let name = |folder: &str, number: usize| match number {
            1 => format!("{folder}/{slug}.md"),
            number => format!("{folder}/{slug}-{number}.md"),
        };
        let folder = match name(&stem, 1).parse::<ChildFile>() {
            Ok(_) => stem.into_owned(),
            Err(_) => store::slug(&stem),
        };
        let files = (1..=9_999).filter_map(|number| name(&folder, number).parse().ok());
        let is_free = |file: &ChildFile| {
            beside.join(file.as_str()).symlink_metadata().is_err()
                && !known.iter().any(|child| child.line.file == *file)
        };
        files.into_iter().find(is_free)
    }

    /// Returns the initial text of a sub-discussion.
    ///
    /// # Errors
    /// Fails like [`Discussions::create`].
    pub(crate) fn child_text(
        &self,
        parent: &Ancestor,
        spec: &ChildSpec,
        within: &Within,
    ) -> Result<String, WorkspaceError> {
        // If the pattern has options, the choices become the options to vote on.
        let takes_options =
            self.discussions().template(&spec.template)?.parameters.contains_key("options");
        let options = if takes_options { spec.choices.clone() } else { Vec::new() };
        let new = NewDiscussion {
            title: spec.topic.clone(),
            template: Some(spec.template.clone()),
            context: spec.context.clone(),
            parameters: spec.parameters.clone(),
            options,
            is_one_shot: true,
            ..NewDiscussion::default()
        };
        self.discussions()
            .draft_within(&self.with_seats_of(parent, &spec.participants, new), Some(within))
    }

    /// Sets the participants of a sub-discussion. Those known only from the parent's head keep their kind.
    fn with_seats_of(
        &self,
        parent: &Ancestor,
        participants: &[String],
        new: NewDiscussion,
    ) -> NewDiscussion {
        let config = &parent.snapshot.config;
        let head = parent.snapshot.transcript.head.as_ref();
        let own = |kind: ParticipantKind| -> Vec<String> {
            let is_of = |alias: &&String| {
                Alias::parse(alias).is_ok_and(|alias| {
                    let own = self.setup.roster.by_alias(&alias);
                    own.is_none_or(|own| own.kind != kind)
                        && config.persona(&alias).is_some_and(|persona| persona.kind == kind)
                })
            };
            participants.iter().filter(is_of).cloned().collect()
        };
        let seat = |alias: &String| match head.and_then(|head| head.providers.get(alias)) {
            Some(provider) => format!("{alias}={provider}"),
            None => alias.clone(),
        };
        NewDiscussion {
            participants: participants.iter().map(seat).collect(),
            agents: own(ParticipantKind::Agent),
            people: own(ParticipantKind::Human),
            ..new
        }
    }

    /// Returns the initial snapshot of a possible sub-discussion.
    ///
    /// # Errors
    /// Fails like [`Discussions::create`].
    pub(crate) fn sketch(
        &self,
        parent: &Snapshot,
        spec: &ChildSpec,
    ) -> Result<Snapshot, WorkspaceError> {
        let path = self.output_directory().join("discussion.md");
        let parent = Ancestor { path, snapshot: parent.clone() };
        let within = Within {
            parent: "../discussion.md".to_owned(),
            turn: None,
            by: None,
            depth: Depth::ROOT,
            until: None,
            limits: HeadLimits::default(),
            nesting: Nesting::default(),
        };
        let text = self.child_text(&parent, spec, &within)?;
        self.exact_text(&parent.path, &text)
    }

    /// Creates the file of a sub-discussion. Its line is already in the parent.
    ///
    /// # Errors
    /// Fails if it cannot be created under exactly that name.
    pub(crate) fn make_child(
        &self,
        parent: &Path,
        file: &ChildFile,
        text: &str,
    ) -> Result<(), WorkspaceError> {
        let path = child_path(parent, file);
        self.setup.insist_inside(&path)?;
        let (folder, name) = (path.parent(), path.file_stem());
        let (folder, name) = (folder.unwrap_or(Path::new("")), name.unwrap_or_default());
        let name = name.to_string_lossy();
        let make = |place: &ProjectPlace| store::create_at(place, &name, text, self.lock_wait);
        let made = self.open_with(folder, make)?;
        if made == path { Ok(()) } else { Err(self.other(parent, &path)) }
    }

    /// Ensures that a file is the sub-discussion that a line of its parent names.
    ///
    /// # Errors
    /// Fails if the file is another discussion's or the user's, or if it cannot be read.
    pub(crate) fn insist_on_child(&self, parent: &Path, path: &Path) -> Result<(), WorkspaceError> {
        let snapshot = self.exact_at(path)?;
        let head = snapshot.transcript.head.as_ref();
        let name = parent.file_name().unwrap_or_default().to_string_lossy();
        if head.and_then(|head| head.parent.as_deref()) == Some(&format!("../{name}")) {
            Ok(())
        } else {
            Err(self.other(parent, path))
        }
    }

    fn other(&self, parent: &Path, path: &Path) -> WorkspaceError {
        WorkspaceError::other_file(&self.shown_path(path), &self.shown_path(parent))
    }
}

/// Returns the path of a sub-discussion.
pub(crate) fn child_path(parent: &Path, file: &ChildFile) -> PathBuf {
    parent.parent().unwrap_or(Path::new("")).join(file.as_str())
}

/// Returns a time in whole seconds, as files store it.
fn whole_seconds(at: Time) -> Time {
    at - chrono::TimeDelta::nanoseconds(at.timestamp_subsec_nanos().into())
}

/// The participant that opens a sub-discussion, and the turn, as its prompt names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// The discussion in which it is asked: a path or a name, as in [`Workspace::find`].
    pub file: PathBuf,
    /// The turn's number.
    pub turn: u32,
    /// The participant's alias.
    pub by: String,
}

impl Workspace {
    /// Creates a sub-discussion of the discussion in which a participant is asked, and returns its
    /// path. If `new` names no participants, it gets the parent's.
    ///
    /// # Errors
    /// Fails if the parent may not have sub-discussions, or if the participant is not asked there; and like
    /// [`Discussions::create`].
    pub(in crate::workspace) fn open_within(
        &self,
        new: NewDiscussion,
        opener: &Opener,
    ) -> Result<PathBuf, WorkspaceError> {
        let new = self.clear_new(&new)?;
        let path = self.find(&opener.file)?;
        let mut writer = self.writer(&path)?;
        let snapshot = self.exact(&writer.read()?)?;
        let by = self.asked_there(&snapshot, opener)?;
        let chain = self.chain(&path, &snapshot)?;
        let (parent, shown) = (&chain[0], self.shown_path(&path));
        let participants = &snapshot.config.participants;
        let participants: Vec<String> = participants.iter().map(ToString::to_string).collect();
        let new = if new.participants.is_empty() {
            self.with_seats_of(parent, &participants, new)
        } else {
            new
        };
        let (turn, template) = (Some(opener.turn), new.template.clone().unwrap_or_default());
        let topic = new.title.clone();
        let spec = ChildSpec { template, topic, turn, by: Some(by), ..ChildSpec::default() };
        let budget = self.budget(&chain)?;
        if budget.usd.is_some() {
            // The cost of running calls is known only when they end.
            return Err(WorkspaceError::refuse(format!(
                "{shown}: money is limited, and the cost of the running calls is not known yet"
            ))
            .with_code(ErrorCode::InvalidState));
        }
        let child = self
            .discussions()
            .draft_within(&new, None)
            .and_then(|text| self.exact_text(&path, &text));
        let own = Self::calls_kept(&snapshot, child.as_ref().ok(), &budget)?;
        let within = self.plan_child(&chain, &spec, &budget, own)?;
        let room = within.insist_on_room(self.now());
        room.map_err(|why| {
            WorkspaceError::refuse(format!("{shown}: {why}"))
                .with_code(ErrorCode::CostBudgetExceeded)
        })?;
        let text = self.discussions().draft_within(&new, Some(&within))?;
        let file = self
            .child_file(parent, &spec)
            .ok_or_else(|| WorkspaceError::other_file(&spec.topic, &shown))?;
        // The line in the parent does not contain the question, so the file is written first. No
        // participant is asked before both exist.
        self.make_child(&path, &file, &text)?;
        let made = child_path(&path, &file);
        let line = ChildLine { turn, by: spec.by, file, at: Some(self.now()) };
        if let Err(error) = writer.append(&[Draft::Control(Control::Child(line))]) {
            // A file that cannot be removed stays; the discussion never began.
            let take = |place: &ProjectPlace| store::take_back(place, &text, self.lock_wait);
            let _ = self.open_with(&made, take);
            return Err(error.into());
        }
        Ok(made)
    }

    /// Returns the opener: a participant that may open sub-discussions and is being asked now.
    fn asked_there(&self, snapshot: &Snapshot, opener: &Opener) -> Result<Alias, WorkspaceError> {
        let file = || self.shown_path(&opener.file);
        if snapshot.config.within.is_none() {
            return Err(WorkspaceError::refuse(format!(
                "{}: its participants may not open sub-discussions; to allow it, put `nesting: {{depth: 2}}` into its \
                 head",
                file()
            ))
            .with_code(ErrorCode::InvalidState));
        }
        let wrong = || {
            WorkspaceError::refuse(format!(
                "{}: `{}` is not being asked in turn {}, so no sub-discussion was opened",
                file(),
                opener.by,
                opener.turn
            ))
            .with_code(ErrorCode::InvalidState)
        };
        let turn = snapshot.state.unfinished().filter(|turn| turn.line.number == opener.turn);
        let mut missing = turn.ok_or_else(wrong)?.missing();
        let by = opener.by.trim_start_matches('@');
        missing.find(|alias| alias.as_str() == by).cloned().ok_or_else(wrong)
    }
}
