//! Whoever called a tool: signs of life for them, and questions for the person behind them where the client can put them.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use discussions::view::{NextStep, Why};
use discussions::workspace::{Remark, Workspace};
use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequestParams, ElicitationAction, ElicitationSchema, ProgressNotificationParam,
    ProtocolVersion,
};
use rmcp::service::{ElicitationMode, RequestContext};
use tokio::task::block_in_place;
use tokio::time::Instant;

use super::bounds::clip;
use super::run::SEAT;

/// Most characters of a sign of life.
const LINE: usize = 300;

/// Whoever called a tool.
pub(super) struct Caller {
    context: RequestContext<RoleServer>,
    told: AtomicU32,
}

impl Caller {
    pub(super) fn new(context: RequestContext<RoleServer>) -> Self {
        Self { context, told: AtomicU32::new(0) }
    }

    /// Tells that something happened, where the client wants to know.
    pub(super) async fn progress(&self, sentence: &str) {
        let Some(token) = self.context.meta.get_progress_token() else { return };
        let count = self.told.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let mut progress = ProgressNotificationParam::new(token, f64::from(count));
        progress.message = Some(clip(sentence, LINE));
        // A client that does not listen is told the result all the same.
        let _ = self.context.peer.notify_progress(progress).await;
    }

    /// Waits until nobody waits for the result any more.
    pub(super) async fn gone(&self) {
        self.context.ct.cancelled().await;
    }

    /// Whether the person behind the client can be asked now. Later protocols forbid a server to ask by itself.
    fn can_ask(&self) -> bool {
        let early =
            |version: ProtocolVersion| version.as_str() < ProtocolVersion::V_2026_07_28.as_str();
        self.context.protocol_version().is_some_and(early)
            && self.context.peer.supported_elicitation_modes().contains(&ElicitationMode::Form)
    }
}

/// What a person is wanted for.
struct Wanted {
    /// Under whose name the answer stands.
    who: String,
    question: String,
}

/// Asks the person for whom a discussion waits, and writes what they say. False where they cannot be asked, do not answer in
/// time, or do not want to: nobody waits for them then.
pub(super) async fn answered(
    workspace: &Workspace,
    path: &Path,
    caller: &Caller,
    until: Instant,
) -> bool {
    if !caller.can_ask() {
        return false;
    }
    let Some(wanted) = block_in_place(|| wanted(workspace, path)) else { return false };
    let form = ElicitationSchema::builder()
        .required_string("answer")
        .description("What you say, as Markdown; a vote as a line `VOTE: ...`")
        .build();
    let Ok(requested_schema) = form else { return false };
    let left = until.saturating_duration_since(Instant::now());
    let request = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: wanted.question,
        requested_schema,
    };
    let asked = caller.context.peer.create_elicitation_with_timeout(request, Some(left)).await;
    let Ok(reply) = asked else { return false };
    if reply.action != ElicitationAction::Accept {
        return false;
    }
    let said = reply.content.as_ref().and_then(|content| content.get("answer")?.as_str());
    let Some(text) = said.filter(|text| !text.trim().is_empty()) else { return false };
    let remark = Remark { author: wanted.who, text: text.to_owned(), vote: None };
    block_in_place(|| workspace.comment(path, &remark)).is_ok()
}

/// The first thing that a person can say something to.
fn wanted(workspace: &Workspace, path: &Path) -> Option<Wanted> {
    let status = workspace.status(path).ok()?;
    let own = || workspace.author(None, || None).ok();
    let of = |step: &NextStep| {
        let named = step.arguments.participants.first().filter(|who| *who != SEAT);
        let who = match step.why {
            Why::PeopleAreAsked | Why::QuestionsToPerson => named.cloned()?,
            Why::PersonVotes => own()?,
            _ => return None,
        };
        let open: Vec<&str> = (status.questions.iter())
            .filter(|question| question.status == "open")
            .map(|question| question.text.as_str())
            .collect();
        let what = match step.why {
            Why::PersonVotes => format!("Your vote is needed: {}.", status.options.join(", ")),
            _ if open.is_empty() => format!("It is the turn of {who}: {}.", status.phase_title),
            _ => open.join("\n"),
        };
        Some(Wanted { question: format!("{}\n\n{what}", status.title), who })
    };
    status.next.iter().find_map(of)
}
