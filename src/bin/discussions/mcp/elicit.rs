//! Whoever called a tool: signs of life for them, and questions for the person behind them where the client can put them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use discussions::view::{NextStep, Why};
use discussions::workspace::{Remark, Workspace};
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    ProgressNotificationParam, ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use tokio::task::block_in_place;
use tokio::time::Instant;

use super::bounds::clip;
use super::run::SEAT;

/// Most characters of a sign of life.
const LINE: usize = 300;
/// Questions that are kept until somebody answers them.
const MOST: usize = 64;
/// What the question of a result is called in it.
const QUESTION: &str = "question";

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

    /// Whether nobody waits for the result any more: the client cancelled the call, or went away.
    pub(super) fn is_gone(&self) -> bool {
        self.context.ct.is_cancelled()
    }

    /// How the person behind the client can be asked.
    fn way(&self) -> Way {
        let capabilities = self.context.client_capabilities();
        let form = capabilities.and_then(|it| it.elicitation);
        // Who names neither form nor address means a form.
        let takes_forms = form.is_some_and(|it| it.form.is_some() || it.url.is_none());
        let early =
            |version: ProtocolVersion| version.as_str() < ProtocolVersion::V_2026_07_28.as_str();
        match self.context.protocol_version().map(early) {
            Some(true) if takes_forms => Way::Now,
            Some(false) if takes_forms => Way::Result,
            _ => Way::Never,
        }
    }
}

/// How a person can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By a request of the server, while the call goes on.
    Now,
    /// As the result of the call, which the client makes again with the answer: later protocols forbid a server to ask by
    /// itself.
    Result,
    Never,
}

/// What a person is wanted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Under whose name the answer stands.
    who: String,
    question: String,
}

impl Wanted {
    /// The question as clients show it.
    fn form(&self) -> Option<ElicitRequestParams> {
        let form = ElicitationSchema::builder()
            .required_string("answer")
            .description("Your comment, as Markdown; a vote as a line `VOTE: ...`")
            .build();
        Some(ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: self.question.clone(),
            requested_schema: form.ok()?,
        })
    }

    /// Writes what the person said. False where they did not want to say anything.
    fn write(self, workspace: &Workspace, path: &Path, reply: &ElicitResult) -> bool {
        if reply.action != ElicitationAction::Accept {
            return false;
        }
        let said = reply.content.as_ref().and_then(|content| content.get("answer")?.as_str());
        let Some(text) = said.filter(|text| !text.trim().is_empty()) else { return false };
        let remark = Remark { author: self.who, text: text.to_owned(), vote: None };
        block_in_place(|| workspace.comment(path, &remark)).is_ok()
    }
}

/// A question that a client was given as the result of a call.
#[derive(Debug)]
pub(super) struct Pending {
    /// What the client names it by.
    handle: String,
    pub(super) path: PathBuf,
    wanted: Wanted,
}

/// All questions that wait for an answer, the oldest first. What a client sends back is a name for one of them and nothing
/// else, so nobody can be made to have been asked something else.
#[derive(Debug, Default)]
pub(super) struct Questions {
    waiting: Mutex<VecDeque<Pending>>,
    count: AtomicU32,
}

impl Questions {
    /// The result that asks the person behind the client; none where they cannot be asked so.
    pub(super) fn put(
        &self,
        workspace: &Workspace,
        path: &Path,
        caller: &Caller,
    ) -> Option<InputRequiredResult> {
        if caller.way() != Way::Result {
            return None;
        }
        let wanted = block_in_place(|| wanted(workspace, path))?;
        let asks = InputRequest::Elicitation(ElicitRequest::new(wanted.form()?));
        let handle = format!("question-{}", self.count.fetch_add(1, Ordering::Relaxed));
        let mut waiting = self.waiting.lock();
        waiting.push_back(Pending { handle: handle.clone(), path: path.to_owned(), wanted });
        if waiting.len() > MOST {
            waiting.pop_front();
        }
        let asks = InputRequests::from([(QUESTION.to_owned(), asks)]);
        Some(InputRequiredResult::new(Some(asks), Some(handle)))
    }

    /// The question that a client names; each once.
    pub(super) fn take(&self, handle: &str) -> Option<Pending> {
        let mut waiting = self.waiting.lock();
        let at = waiting.iter().position(|one| one.handle == handle)?;
        waiting.remove(at)
    }
}

impl Pending {
    /// Writes what the person said, where they are still wanted for the same.
    pub(super) fn answer(self, workspace: &Workspace, responses: Option<&InputResponses>) {
        let reply = responses.and_then(|all| all.get(QUESTION)).cloned();
        let reply = reply.and_then(|reply| serde_json::from_value::<ElicitResult>(reply).ok());
        let still = block_in_place(|| wanted(workspace, &self.path)) == Some(self.wanted.clone());
        if let Some(reply) = reply.filter(|_| still) {
            self.wanted.write(workspace, &self.path, &reply);
        }
    }
}

/// Asks the person for whom a discussion waits, and writes what they say. False where they cannot be asked, do not answer in
/// time, or do not want to: nobody waits for them then.
pub(super) async fn answered(
    workspace: &Workspace,
    path: &Path,
    caller: &Caller,
    until: Instant,
) -> bool {
    if caller.way() != Way::Now {
        return false;
    }
    let Some(wanted) = block_in_place(|| wanted(workspace, path)) else { return false };
    let Some(request) = wanted.form() else { return false };
    let left = until.saturating_duration_since(Instant::now());
    match put(caller, request, left).await {
        Ok(ClientResult::ElicitResult(reply)) => wanted.write(workspace, path, &reply),
        _ => false,
    }
}

/// Puts a question to the client. The protocol's library has this behind a feature that brings all there is about addresses.
async fn put(
    caller: &Caller,
    form: ElicitRequestParams,
    left: Duration,
) -> Result<ClientResult, ServiceError> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let options = PeerRequestOptions::with_timeout(left);
    let peer = &caller.context.peer;
    peer.send_request_with_option(request, options).await?.await_response().await
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
            _ if open.is_empty() => format!("It is {who}'s turn: {}.", status.phase_title),
            _ => open.join("\n"),
        };
        Some(Wanted { question: format!("{}\n\n{what}", status.title), who })
    };
    status.next.iter().find_map(of)
}
