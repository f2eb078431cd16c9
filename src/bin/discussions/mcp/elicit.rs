//! Messages to the caller of a tool: progress, and questions for the person who uses the client, if the client can ask
//! them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use discussions::view::{NextStep, Why};
use discussions::workspace::{CommentRequest, Workspace};
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

use super::results::clip;
use super::run::SEAT;

/// The maximum length of a progress message, in characters.
const LINE: usize = 300;
/// The maximum number of questions that wait for an answer.
const MOST: usize = 64;
/// The key of the question in a result.
const QUESTION: &str = "question";

/// The client that called a tool.
pub(super) struct Caller {
    context: RequestContext<RoleServer>,
    told: AtomicU32,
}

impl Caller {
    pub(super) fn new(context: RequestContext<RoleServer>) -> Self {
        Self { context, told: AtomicU32::new(0) }
    }

    /// Sends a progress message, if the client wants them.
    pub(super) async fn progress(&self, sentence: &str) {
        let Some(token) = self.context.meta.get_progress_token() else { return };
        let count = self.told.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let mut progress = ProgressNotificationParam::new(token, f64::from(count));
        progress.message = Some(clip(sentence, LINE));
        // A client that ignores progress still gets the result.
        let _ = self.context.peer.notify_progress(progress).await;
    }

    /// Returns true if the client takes progress messages.
    pub(super) fn wants_progress(&self) -> bool {
        self.context.meta.get_progress_token().is_some()
    }

    /// Waits until the client cancels the call or disconnects.
    pub(super) async fn wait_gone(&self) {
        self.context.ct.cancelled().await;
    }

    /// Returns whether the client has cancelled the call or disconnected.
    pub(super) fn is_gone(&self) -> bool {
        self.context.ct.is_cancelled()
    }

    /// Returns how the server can ask the person who uses the client.
    fn way(&self) -> ElicitMethod {
        let capabilities = self.context.client_capabilities();
        let form = capabilities.and_then(|it| it.elicitation);
        // A client that declares neither forms nor URLs supports forms.
        let takes_forms = form.is_some_and(|it| it.form.is_some() || it.url.is_none());
        let early =
            |version: ProtocolVersion| version.as_str() < ProtocolVersion::V_2026_07_28.as_str();
        match self.context.protocol_version().map(early) {
            Some(true) if takes_forms => ElicitMethod::Now,
            Some(false) if takes_forms => ElicitMethod::Result,
            _ => ElicitMethod::Never,
        }
    }
}

/// The way in which the server can ask a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ElicitMethod {
    /// By a request from the server during the call.
    Now,
    /// As the result of the call. The client then repeats the call with the answer, because later versions of the
    /// protocol forbid requests from the server.
    Result,
    Never,
}

/// A question for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ElicitTarget {
    /// The name under which the answer is written.
    who: String,
    question: String,
}

impl ElicitTarget {
    /// Returns the question as a form for the client.
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

    /// Writes the person's answer into the discussion. Returns false if there is none or it cannot be written.
    fn write(self, workspace: &Workspace, path: &Path, reply: &ElicitResult) -> bool {
        if reply.action != ElicitationAction::Accept {
            return false;
        }
        let said = reply.content.as_ref().and_then(|content| content.get("answer")?.as_str());
        let Some(text) = said.filter(|text| !text.trim().is_empty()) else { return false };
        let remark = CommentRequest { author: self.who, text: text.to_owned(), vote: None };
        block_in_place(|| workspace.discussions().comment(path, &remark)).is_ok()
    }
}

/// A question that was sent to a client as the result of a call.
#[derive(Debug)]
pub(super) struct Pending {
    /// The name of the question for the client.
    handle: String,
    pub(super) path: PathBuf,
    wanted: ElicitTarget,
}

/// All questions that wait for an answer, the oldest first. A client only sends back the name of a question, so it
/// cannot change the question afterwards.
#[derive(Debug, Default)]
pub(super) struct Questions {
    waiting: Mutex<VecDeque<Pending>>,
    count: AtomicU32,
}

impl Questions {
    /// Returns a result with a question for the person who uses the client; `None` if the client does not support that.
    pub(super) fn put(
        &self,
        workspace: &Workspace,
        path: &Path,
        caller: &Caller,
    ) -> Option<InputRequiredResult> {
        if caller.way() != ElicitMethod::Result {
            return None;
        }
        let wanted = block_in_place(|| first_target(workspace, path))?;
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

    /// Returns the question with this name and removes it, so that it is answered only once.
    pub(super) fn take(&self, handle: &str) -> Option<Pending> {
        let mut waiting = self.waiting.lock();
        let at = waiting.iter().position(|one| one.handle == handle)?;
        waiting.remove(at)
    }
}

impl Pending {
    /// Writes the person's answer, if the discussion still waits for exactly this answer.
    pub(super) fn answer(self, workspace: &Workspace, responses: Option<&InputResponses>) {
        let reply = responses.and_then(|all| all.get(QUESTION)).cloned();
        let reply = reply.and_then(|reply| serde_json::from_value::<ElicitResult>(reply).ok());
        let still =
            block_in_place(|| first_target(workspace, &self.path)) == Some(self.wanted.clone());
        if let Some(reply) = reply.filter(|_| still) {
            self.wanted.write(workspace, &self.path, &reply);
        }
    }
}

/// Asks the person that a discussion waits for, and writes the answer. Returns false if the client cannot ask, or if
/// the person declines or does not answer in time; the call then waits no longer.
pub(super) async fn ask_person(
    workspace: &Workspace,
    path: &Path,
    caller: &Caller,
    until: Instant,
) -> bool {
    if caller.way() != ElicitMethod::Now {
        return false;
    }
    let Some(wanted) = block_in_place(|| first_target(workspace, path)) else { return false };
    let Some(request) = wanted.form() else { return false };
    let left = until.saturating_duration_since(Instant::now());
    match put(caller, request, left).await {
        Ok(ClientResult::ElicitResult(reply)) => wanted.write(workspace, path, &reply),
        _ => false,
    }
}

/// Sends a question to the client. The protocol's library has a function for that, but behind a feature that adds many
/// dependencies for URLs.
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

/// Returns the first step that a person can take by writing.
fn first_target(workspace: &Workspace, path: &Path) -> Option<ElicitTarget> {
    let status = workspace.discussions().status(path).ok()?;
    let own = || workspace.author(None, || None).ok();
    let of = |step: &NextStep| {
        let named = step.arguments.participants.first().filter(|who| *who != SEAT);
        let who = match step.why {
            Why::PeopleAreAsked | Why::QuestionsToPerson => named.cloned()?,
            Why::PersonVotes => named.cloned().or_else(own)?,
            _ => return None,
        };
        let open: Vec<&str> = (status.questions().iter())
            .filter(|question| question.is_open())
            .map(|question| question.text.as_str())
            .collect();
        let what = match step.why {
            Why::PersonVotes => format!("Your vote is needed: {}.", status.options.join(", ")),
            _ if open.is_empty() => format!("It is {who}'s turn: {}.", status.phase_title),
            _ => open.join("\n"),
        };
        Some(ElicitTarget { question: format!("{}\n\n{what}", status.title), who })
    };
    status.next.iter().find_map(of)
}
