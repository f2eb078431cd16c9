//! Where a run wants to go: on and on, or through one turn.

use super::report::Stopped;
use super::{TurnOptions, question};
use crate::engine::{
    ChildStep, Continue, Snapshot, Step, Stop, TurnRequest, ask_unfinished, awaited_first,
    may_advance, next, next_at_once, resume,
};
use crate::transcript::{Alias, Control, Draft, Name};
use crate::workspace::WorkspaceError;

/// Where a run wants to go.
pub(super) enum Course {
    /// On and on. `started_with`: turns in the file when the run began; `no_wait`: also where people were asked something; `first`:
    /// whom no model goes before.
    Run { started_with: Option<usize>, no_wait: bool, first: Vec<String> },
    /// Through one turn. `only`: those of the unfinished turn that are asked; none: all.
    Turn { options: Box<TurnOptions>, begun: bool, only: Option<Vec<Alias>> },
}

/// What is done now; `A` is who is asked, with as much as is known of it.
pub(super) enum Next<A> {
    Write(Vec<Draft>),
    Ask(A),
    Child(ChildStep),
    Tool,
    Stop(Stopped),
}

impl Course {
    pub(super) fn run(no_wait: bool, first: Vec<String>) -> Self {
        Self::Run { started_with: None, no_wait, first }
    }

    pub(super) fn is_run(&self) -> bool {
        matches!(self, Self::Run { .. })
    }

    /// Whether it goes on where people were asked something, and who is waited for first: as discussions within it do.
    pub(super) fn manner(&self) -> (bool, Vec<String>) {
        match self {
            Self::Run { no_wait, first, .. } => (*no_wait, first.clone()),
            Self::Turn { .. } => (false, Vec::new()),
        }
    }

    /// What is asked of a single turn.
    pub(super) fn request(&self) -> Option<&TurnRequest> {
        match self {
            Self::Run { .. } => None,
            Self::Turn { options, .. } => Some(&options.request),
        }
    }

    /// Returns who asks a question in a single turn.
    pub(super) fn asker(&self) -> Option<&Name> {
        match self {
            Self::Run { .. } => None,
            Self::Turn { options, .. } => options.asker.as_ref(),
        }
    }

    pub(super) fn turn(options: &TurnOptions) -> Self {
        Self::Turn { options: Box::new(options.clone()), begun: false, only: None }
    }

    pub(super) fn next(&mut self, snapshot: &Snapshot) -> Result<Next<Vec<Alias>>, WorkspaceError> {
        match self {
            Self::Run { started_with, no_wait, first } => {
                let started_with = *started_with.get_or_insert(snapshot.state.turns.len());
                let next = if *no_wait { next_at_once } else { next };
                Ok(match next(snapshot, started_with)? {
                    Step::Write(drafts) => Next::Write(drafts),
                    Step::Ask(aliases) => match awaited_first(snapshot, &aliases, first) {
                        awaited if awaited.is_empty() => Next::Ask(aliases),
                        awaited => Next::Stop(Stopped::Stop(Stop::Waiting(awaited))),
                    },
                    Step::Child(step) => Next::Child(step),
                    Step::Tool(_) => Next::Tool,
                    Step::Stop(stop) => Next::Stop(Stopped::Stop(stop)),
                })
            }
            Self::Turn { options, begun, only } => {
                if snapshot.state.closed {
                    return Ok(Next::Stop(Stopped::Stop(Stop::Closed)));
                }
                if !std::mem::replace(begun, true) {
                    return begin(snapshot, options, only);
                }
                in_turn(snapshot, only.as_deref())
            }
        }
    }
}

/// Opens the next turn, its question first, or goes on with the last one.
fn begin(
    snapshot: &Snapshot,
    options: &TurnOptions,
    only: &mut Option<Vec<Alias>>,
) -> Result<Next<Vec<Alias>>, WorkspaceError> {
    if let Some(person) =
        options.request.named.iter().find(|alias| !snapshot.config.is_model(alias))
    {
        return Err(WorkspaceError::Person(snapshot.config.name_of(person).to_owned()));
    }
    match resume(snapshot, &options.request) {
        Continue::Last(missing) => {
            *only = Some(missing);
            in_turn(snapshot, only.as_deref())
        }
        Continue::New(line) => {
            let mut drafts = Vec::new();
            if let Some(text) = &options.request.ask {
                drafts.push(question(options.asker.as_ref().ok_or(WorkspaceError::NoAsker)?, text));
            }
            drafts.push(Draft::Control(Control::Turn(line)));
            Ok(Next::Write(drafts))
        }
        Continue::Finished => Ok(Next::Stop(Stopped::Stop(Stop::Finished))),
        Continue::Nobody => Ok(Next::Stop(Stopped::Stop(Stop::Nobody))),
    }
}

fn in_turn(
    snapshot: &Snapshot,
    only: Option<&[Alias]>,
) -> Result<Next<Vec<Alias>>, WorkspaceError> {
    let wanted = |aliases: Vec<Alias>| match only {
        Some(only) => aliases.into_iter().filter(|alias| only.contains(alias)).collect(),
        None => aliases,
    };
    let over = || Ok(Next::Stop(Stopped::TurnOver { may_advance: may_advance(snapshot)? }));
    match ask_unfinished(snapshot) {
        None => over(),
        Some(Step::Ask(aliases)) => match wanted(aliases) {
            aliases if aliases.is_empty() => over(),
            aliases => Ok(Next::Ask(aliases)),
        },
        Some(Step::Stop(stop)) => Ok(Next::Stop(Stopped::Stop(stop))),
        Some(Step::Write(drafts)) => Ok(Next::Write(drafts)),
        // A turn asks, and does nothing else.
        Some(Step::Child(_) | Step::Tool(_)) => over(),
    }
}
