//! A new discussion that is run to its end, with helpers to read its text, events and result.

use std::path::PathBuf;
use std::sync::Arc;

use discussions::codes::StopCode;
use discussions::runner::{RunOptions, RunReport};
use discussions::view::Event;
use discussions::view::{DiscussionResult, discussion_result};
use discussions::workspace::NewDiscussion;

use crate::project::Project;
use crate::recording_provider::RecordingProvider;

pub(crate) const THREE: [&str; 3] = ["architect", "security", "pragmatist"];
pub(crate) const TWO: [&str; 2] = ["architect", "security"];

/// Answers that contain all that any phase may demand.
pub(crate) const AGREED: &str = r####"
answers:
  - {phase: check, delay_ms: 10, text: "It holds.\n\nCONFIDENCE: 90\n\nSOLUTION: Use the queue.\n\nVOTE: YES"}
  - {phase: perspectives, participant: product, delay_ms: 10, text: "STRENGTH: clear\n\nRATING: 4\n\nRISK: low"}
  - {phase: objections, delay_ms: 10, text: "### Finding 1\n\n> My reasons.\n\nProof: They are not named.\n\nInstead: It grows."}
  - {phase: look, delay_ms: 10, text: "### Finding 1\n\n> My reasons.\n\nProof: They are not named.\n\nInstead: It grows."}
  - {delay_ms: 10, text: "My reasons.\n\nCONCERN: it may grow\n\nDECISION: use the queue\n\nRATING: 4\n\nRISK: low\n\nCONFIDENCE: 0.8\n\nVOTE: READY"}
"####;

/// Returns a new discussion for a pattern. No text is reviewed or objected to unless a test asks for it.
pub(crate) fn new(template: &str, participants: &[&str], set: &[(&str, &str)]) -> NewDiscussion {
    let reviews = [
        "synthesis",
        "critique",
        "round-robin",
        "decision-record",
        "feature",
        "code-review",
        "architecture-decision",
    ];
    let objects = ["synthesis", "critique"];
    let off = [("review", "false", &reviews[..]), ("objections", "0", &objects[..])];
    let off = off
        .into_iter()
        .filter(|(name, _, of)| of.contains(&template) && set.iter().all(|(it, _)| it != name))
        .map(|(name, value, _)| (name, value));
    let set: Vec<_> = set.iter().copied().chain(off).collect();
    NewDiscussion {
        title: "Queue or cron?".into(),
        template: Some(template.into()),
        context: Some("We poll every minute.".into()),
        participants: participants.iter().map(|&name| name.into()).collect(),
        parameters: set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        ..NewDiscussion::default()
    }
}

/// Sets the consensus method.
pub(crate) fn by(method: &str, mut new: NewDiscussion) -> NewDiscussion {
    new.consensus.method = Some(serde_json::from_value(method.into()).unwrap());
    new
}

pub(crate) struct FinishedRun {
    pub(crate) project: Project,
    pub(crate) path: PathBuf,
    pub(crate) recorder: Arc<RecordingProvider>,
    pub(crate) report: RunReport,
}

impl FinishedRun {
    /// Creates the discussion and runs it.
    pub(crate) async fn of(new: &NewDiscussion, answers: &str) -> Self {
        Self::with(new, answers, RunOptions::with_default_limits()).await
    }

    pub(crate) async fn with(new: &NewDiscussion, answers: &str, options: RunOptions) -> Self {
        let project = Project::new();
        let path = project.create(new);
        let recorder = RecordingProvider::new(answers);
        let report = project.run(&path, recorder.clone(), options).await.unwrap();
        Self { project, path, recorder, report }
    }

    /// Runs the file again with other answers.
    pub(crate) async fn again(self, answers: &str) -> Self {
        let Self { project, path, .. } = self;
        let recorder = RecordingProvider::new(answers);
        let report =
            project.run(&path, recorder.clone(), RunOptions::with_default_limits()).await.unwrap();
        Self { project, path, recorder, report }
    }

    pub(crate) fn result(&self) -> DiscussionResult {
        self.ended(None)
    }

    pub(crate) fn ended(&self, ending: Option<StopCode>) -> DiscussionResult {
        self.project.look(&self.path, |it| discussion_result(it, "queue-or-cron.md", ending))
    }

    pub(crate) fn text(&self) -> String {
        self.project.read(&self.path)
    }

    /// The error code in the result.
    pub(crate) fn code(&self) -> String {
        let json = serde_json::to_value(self.result()).unwrap();
        json["error"]["code"].as_str().unwrap_or("none").to_owned()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.project.events.lock().unwrap().clone()
    }

    /// Phase, speakers and number of parallel calls of each turn.
    pub(crate) fn flow(&self) -> Vec<String> {
        self.project.look(&self.path, |it| {
            let turns = it.state.turns.iter().map(|turn| {
                let phase = &it.template().phases[turn.phase].id;
                let who: Vec<&str> = turn.line.asks.iter().map(|alias| alias.as_str()).collect();
                let at_once = self.recorder.at_once(turn.line.number);
                format!("{phase}: {}, {at_once} at once", who.join(" "))
            });
            turns.collect()
        })
    }
}
