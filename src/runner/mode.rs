//! The two ways to work: a run goes on turn after turn, a single turn ends with its last answer.

use super::options::{Extent, RunOptions};
use crate::codes::StopCode;
use crate::engine::{
    ChildStep, Continue, Snapshot, Step, TurnRequest, ask_unfinished, awaited_first, next,
    next_at_once, resume,
};
use crate::transcript::{Alias, Control, Draft, Name, NewComment};
use crate::workspace::{Workspace, WorkspaceError};

/// The extent of a run: turn after turn, or a single turn.
#[derive(Clone, Debug)]
pub(super) enum RunMode {
    /// Turn after turn.
    Run {
        /// The number of turns in the file when the run began; none before its first step.
        started_with: Option<usize>,
    },
    /// A single turn.
    Turn {
        turn: Box<TurnSettings>,
        begun: bool,
        /// The participants of the unfinished turn that are asked; none: all.
        only: Option<Vec<Alias>>,
    },
}

/// A single turn with its participants resolved.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnSettings {
    pub(super) request: TurnRequest,
    /// The person who asks the question.
    pub(super) asker: Option<Name>,
}

impl TurnSettings {
    /// Checks that the asker may write under this name.
    pub(super) fn ensure_asker(&self, workspace: &Workspace) -> Result<(), WorkspaceError> {
        let asker = self.asker.as_ref().filter(|_| self.request.ask.is_some());
        asker.map_or(Ok(()), |asker| workspace.discussions().admit(asker))
    }
}

/// The next step of a run. `A` describes the participants to ask: first by alias, later as jobs.
pub(super) enum Next<A> {
    Write(Vec<Draft>),
    Ask(A),
    Child(ChildStep),
    Tool,
    Stop(StopCode),
}

impl RunOptions {
    /// Resolves names against a discussion and checks numbers.
    ///
    /// # Errors
    /// Fails if a number is out of its bounds, if a participant does not exist, if a name is invalid, or if a question
    /// is empty or holds secrets.
    pub(super) fn resolve(
        &self,
        workspace: &Workspace,
        snapshot: &Snapshot,
    ) -> Result<RunMode, WorkspaceError> {
        match &self.extent {
            Extent::Run => {
                self.ensure_bounds()?;
                Ok(RunMode::run())
            }
            Extent::Turn { who, question, asker } => {
                if question.as_deref().is_some_and(|text| text.trim().is_empty()) {
                    return Err(WorkspaceError::empty_comment());
                }
                self.ensure_bounds()?;
                let ask = question.as_deref().map(|text| workspace.clear("the question", text));
                let name = |asked: &String| {
                    Name::parse(asked)
                        .map_err(|reason| WorkspaceError::invalid_name("a name", asked, &reason))
                };
                let named = resolve_participants(snapshot, who)?;
                Ok(RunMode::turn(TurnSettings {
                    request: TurnRequest { named, ask: ask.transpose()? },
                    asker: asker.as_ref().map(name).transpose()?,
                }))
            }
        }
    }
}

impl RunMode {
    pub(super) fn run() -> Self {
        Self::Run { started_with: None }
    }

    pub(super) fn turn(turn: TurnSettings) -> Self {
        Self::Turn { turn: Box::new(turn), begun: false, only: None }
    }

    pub(super) fn is_run(&self) -> bool {
        matches!(self, Self::Run { .. })
    }

    /// Returns the settings of a single turn.
    pub(super) fn single_turn(&self) -> Option<&TurnSettings> {
        match self {
            Self::Run { .. } => None,
            Self::Turn { turn, .. } => Some(turn),
        }
    }

    /// Returns the request of a single turn.
    pub(super) fn request(&self) -> Option<&TurnRequest> {
        self.single_turn().map(|turn| &turn.request)
    }

    /// Returns the person who asks a question in a single turn.
    pub(super) fn asker(&self) -> Option<&Name> {
        self.single_turn().and_then(|turn| turn.asker.as_ref())
    }

    /// Decides the next step. The decision depends on the file alone, except for the turn that this run opened.
    pub(super) fn next(
        &mut self,
        snapshot: &Snapshot,
        options: &RunOptions,
    ) -> Result<Next<Vec<Alias>>, WorkspaceError> {
        match self {
            Self::Run { started_with } => {
                let started_with = *started_with.get_or_insert(snapshot.state.turns.len());
                let next = if options.no_wait { next_at_once } else { next };
                Ok(match next(snapshot, started_with)? {
                    Step::Write(drafts) => Next::Write(drafts),
                    Step::Ask(aliases) => match awaited_first(snapshot, &aliases, &options.first) {
                        awaited if awaited.is_empty() => Next::Ask(aliases),
                        _ => Next::Stop(StopCode::WaitingForPerson),
                    },
                    Step::Child(step) => Next::Child(step),
                    Step::Tool(_) => Next::Tool,
                    Step::Stop(stop) => Next::Stop(stop.code()),
                })
            }
            Self::Turn { turn, begun, only } => {
                if snapshot.state.closed {
                    return Ok(Next::Stop(StopCode::Closed));
                }
                if !std::mem::replace(begun, true) {
                    return begin_turn(snapshot, turn, only);
                }
                continue_turn(snapshot, only.as_deref())
            }
        }
    }
}

/// Opens the next turn, after its question if it has one, or continues the last turn.
fn begin_turn(
    snapshot: &Snapshot,
    turn: &TurnSettings,
    only: &mut Option<Vec<Alias>>,
) -> Result<Next<Vec<Alias>>, WorkspaceError> {
    if let Some(person) = turn.request.named.iter().find(|alias| !snapshot.config.is_model(alias)) {
        return Err(WorkspaceError::person_is_asked(snapshot.config.name_of(person)));
    }
    match resume(snapshot, &turn.request) {
        Continue::Last(missing) => {
            *only = Some(missing);
            continue_turn(snapshot, only.as_deref())
        }
        Continue::New(line) => {
            let mut drafts = Vec::new();
            if let Some(text) = &turn.request.ask {
                let asker = turn.asker.as_ref().ok_or_else(|| {
                    WorkspaceError::refuse("a question needs the name of the person who asks it")
                })?;
                drafts.push(question(asker, text));
            }
            drafts.push(Draft::Control(Control::Turn(line)));
            Ok(Next::Write(drafts))
        }
        Continue::Finished => Ok(Next::Stop(StopCode::Finished)),
        Continue::Nobody => Ok(Next::Stop(StopCode::NobodyToAsk)),
    }
}

fn continue_turn(
    snapshot: &Snapshot,
    only: Option<&[Alias]>,
) -> Result<Next<Vec<Alias>>, WorkspaceError> {
    let wanted = |aliases: Vec<Alias>| match only {
        Some(only) => aliases.into_iter().filter(|alias| only.contains(alias)).collect(),
        None => aliases,
    };
    let over = || Ok(Next::Stop(StopCode::TurnOver));
    match ask_unfinished(snapshot) {
        None => over(),
        Some(Step::Ask(aliases)) => match wanted(aliases) {
            aliases if aliases.is_empty() => over(),
            aliases => Ok(Next::Ask(aliases)),
        },
        Some(Step::Stop(stop)) => Ok(Next::Stop(stop.code())),
        Some(Step::Write(drafts)) => Ok(Next::Write(drafts)),
        // A single turn only asks: it opens no sub-discussion and runs no command.
        Some(Step::Child(_) | Step::Tool(_)) => over(),
    }
}

/// Returns a question as its asker's own comment.
pub(super) fn question(asker: &Name, text: &str) -> Draft {
    Draft::Comment(NewComment::by(asker.clone(), text))
}

/// Returns the aliases of the named participants.
fn resolve_participants(
    snapshot: &Snapshot,
    names: &[String],
) -> Result<Vec<Alias>, WorkspaceError> {
    let mut aliases: Vec<Alias> = Vec::new();
    for name in names {
        let bare = name.trim().trim_start_matches('@');
        let found = if bare.eq_ignore_ascii_case("all") {
            snapshot.config.seats().cloned().collect()
        } else {
            vec![resolve_participant(snapshot, bare)?]
        };
        for alias in found {
            if !aliases.contains(&alias) {
                aliases.push(alias);
            }
        }
    }
    Ok(aliases)
}

fn resolve_participant(snapshot: &Snapshot, name: &str) -> Result<Alias, WorkspaceError> {
    let config = &snapshot.config;
    // The head may name personas that this machine has no file for.
    let known = config.seats().find(|alias| {
        alias.as_str().eq_ignore_ascii_case(name)
            || config.name_of(alias).eq_ignore_ascii_case(name)
    });
    match known {
        Some(alias) => Ok(alias.clone()),
        None => Ok(config.roster().resolve(name)?.persona.alias.clone()),
    }
}
