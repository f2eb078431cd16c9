//! The two ways to work: a run goes on turn after turn, a single turn ends with its last answer.

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
        people: Waiting,
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
        asker.map_or(Ok(()), |asker| workspace.admit(asker))
    }
}

/// The way in which a run treats people. Its sub-discussions treat them in this way too.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// True to continue even if people have not answered their questions.
    pub(super) no_wait: bool,
    /// Participants, by alias, that answer before any model.
    pub(super) first: Vec<String>,
}

/// The next step of a run. `A` describes the participants to ask: first by alias, later as jobs.
pub(super) enum Next<A> {
    Write(Vec<Draft>),
    Ask(A),
    Child(ChildStep),
    Tool,
    Stop(StopCode),
}

impl RunMode {
    pub(super) fn run(people: Waiting) -> Self {
        Self::Run { started_with: None, people }
    }

    pub(super) fn turn(turn: TurnSettings) -> Self {
        Self::Turn { turn: Box::new(turn), begun: false, only: None }
    }

    pub(super) fn is_run(&self) -> bool {
        matches!(self, Self::Run { .. })
    }

    /// Returns how sub-discussions treat people.
    pub(super) fn waiting(&self) -> Waiting {
        match self {
            Self::Run { people, .. } => people.clone(),
            Self::Turn { .. } => Waiting::default(),
        }
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
    pub(super) fn next(&mut self, snapshot: &Snapshot) -> Result<Next<Vec<Alias>>, WorkspaceError> {
        match self {
            Self::Run { started_with, people } => {
                let started_with = *started_with.get_or_insert(snapshot.state.turns.len());
                let next = if people.no_wait { next_at_once } else { next };
                Ok(match next(snapshot, started_with)? {
                    Step::Write(drafts) => Next::Write(drafts),
                    Step::Ask(aliases) => match awaited_first(snapshot, &aliases, &people.first) {
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
        return Err(WorkspaceError::Person(snapshot.config.name_of(person).to_owned()));
    }
    match resume(snapshot, &turn.request) {
        Continue::Last(missing) => {
            *only = Some(missing);
            continue_turn(snapshot, only.as_deref())
        }
        Continue::New(line) => {
            let mut drafts = Vec::new();
            if let Some(text) = &turn.request.ask {
                drafts.push(question(turn.asker.as_ref().ok_or(WorkspaceError::NoAsker)?, text));
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
