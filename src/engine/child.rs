//! Sub-discussions: the next one to open or to continue, and its definition.

use super::snapshot::{Snapshot, SnapshotError};
use crate::state::{Child, DiscussionRequest, RESERVED_NAME};
use crate::template::Discuss;
use crate::transcript::{Alias, ChildLine, Draft, Name, NewComment};

/// The next step for a sub-discussion.
#[derive(Clone, Debug, PartialEq)]
pub enum ChildStep {
    /// Open a new sub-discussion: write its control line.
    Open(Box<ChildSpec>),
    /// Run an open sub-discussion and record its outcome.
    On(ChildLine),
}

/// The definition of a sub-discussion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChildSpec {
    /// Id of its template.
    pub template: String,
    /// The question.
    pub topic: String,
    /// Background information for the participants.
    pub context: Option<String>,
    /// Aliases of the participants.
    pub participants: Vec<String>,
    /// Values of the template's parameters, as written.
    pub parameters: Vec<(String, String)>,
    /// The turn in which a participant requested it.
    pub turn: Option<u32>,
    /// The participant that requested it, or `None` if a phase opens it.
    pub by: Option<Alias>,
    /// The options to choose from, if the participant that requested it named any.
    pub choices: Vec<String>,
}

/// Returns a comment by the program itself. All participants see it; it does not count as an answer of any of them.
pub(crate) fn reported(text: String) -> Option<Draft> {
    let name = Name::parse(RESERVED_NAME).ok()?;
    Some(Draft::Comment(NewComment::by(name, text)))
}

impl Snapshot {
    /// Returns the sub-discussion that the current phase opens, or `None` if it opens none.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub(crate) fn discussed_here(&self) -> Result<Option<ChildSpec>, SnapshotError> {
        self.phase().discuss.as_ref().map(|discuss| self.spec(discuss)).transpose()
    }

    /// Returns the sub-discussions that may still be opened or continued, as far as their definitions can be computed
    /// now.
    pub(crate) fn discussed_ahead(&self) -> Vec<ChildSpec> {
        let state = &self.state;
        let here = state.place.phase();
        let is_ahead = |index: usize| {
            if index == here {
                state.children_here().next().is_none()
            } else {
                state.place.entered[index] == 0
            }
        };
        let phases = self.template().phases.iter().enumerate();
        let ahead = phases.filter(|(index, _)| is_ahead(*index));
        let specs = ahead.filter_map(|(_, phase)| Some(self.sketched(phase.discuss.as_ref()?)));
        let open = state.open_child().and_then(|child| self.spec_of(child).ok().flatten());
        let asked = state.requests.iter().filter(|one| one.opened.is_none());
        let asked = asked.filter_map(|one| self.requested(one));
        open.into_iter().chain(asked).chain(specs).collect()
    }

    /// Returns the definition of an open sub-discussion, computed from the file as it was when its line was written.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub(crate) fn spec_of(&self, child: &Child) -> Result<Option<ChildSpec>, SnapshotError> {
        if child.line.by.is_some() {
            let of = |one: &&DiscussionRequest| one.opened.as_ref() == Some(&child.line.file);
            return Ok(self.state.requests.iter().find(of).and_then(|one| self.requested(one)));
        }
        self.until(child.cut).discussed_here()
    }

    /// Returns the first sub-discussion that a participant requested and the run has not opened yet.
    pub(crate) fn asked_for(&self) -> Option<ChildSpec> {
        let mut requests = self.state.requests.iter();
        requests.find(|one| one.opened.is_none()).and_then(|one| self.requested(one))
    }

    fn requested(&self, request: &DiscussionRequest) -> Option<ChildSpec> {
        let within = self.config.within.as_ref()?;
        let participants = if within.participants.is_empty() {
            &self.config.participants
        } else {
            &within.participants
        };
        // The text does not name the participant that asks, because the discussion may be anonymous.
        let mut context = format!("This question came up in: {}", self.state.title);
        if !request.choices.is_empty() {
            context.push_str(&format!("\n\nTo choose between: {}", request.choices.join("; ")));
        }
        let about = self.transcript.context();
        if !about.trim().is_empty() {
            context.push_str(&format!("\n\n{}", about.trim()));
        }
        Some(ChildSpec {
            template: within.pattern.clone(),
            topic: request.question.clone(),
            context: Some(context),
            participants: participants.iter().map(ToString::to_string).collect(),
            parameters: Vec::new(),
            turn: request.turn,
            by: Some(request.by.clone()),
            choices: request.choices.clone(),
        })
    }

    fn spec(&self, discuss: &Discuss) -> Result<ChildSpec, SnapshotError> {
        let context = self.render(&discuss.context, None)?;
        let topic = self.render(&discuss.topic, None)?;
        Ok(self.made_of(discuss, topic.trim().to_owned(), context.trim().to_owned()))
    }

    /// Returns an early definition. If the texts that it quotes do not exist yet, the title replaces the question.
    fn sketched(&self, discuss: &Discuss) -> ChildSpec {
        let (title, text) = (self.state.title.clone(), String::new());
        let spec = self.spec(discuss).ok().filter(|spec| !spec.topic.is_empty());
        spec.unwrap_or_else(|| self.made_of(discuss, title, text))
    }

    fn made_of(&self, discuss: &Discuss, topic: String, context: String) -> ChildSpec {
        let holders = |name: &String| match self.config.roles.get(name) {
            Some(holders) => holders.iter().map(ToString::to_string).collect(),
            None => vec![name.clone()],
        };
        let participants: Vec<String> = if discuss.participants.is_empty() {
            self.config.participants.iter().map(ToString::to_string).collect()
        } else {
            discuss.participants.iter().flat_map(holders).collect()
        };
        ChildSpec {
            template: discuss.pattern.clone(),
            topic,
            context: Some(context).filter(|context| !context.is_empty()),
            participants,
            parameters: discuss.parameters().collect(),
            turn: None,
            by: None,
            choices: Vec::new(),
        }
    }
}
