//! The state of the connection: the life of the server, the open documents, and the requests that wait. It never reads a
//! file and never computes; the worker does. Time is passed in, so that tests need no clock.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::convert::{
    self, ClientFacts, capabilities, change_of, folder, path_of, uri_in, version_in,
};
use super::judge::{DocumentText, LARGEST, PlacedProblem};
use super::requests::{query, request_id};
use super::text::{DiskText, IndexedText};
use super::{DocumentQuery, Finished, WorkQueue, WorkerJob};

/// The pause after an edit before a quick check.
const PAUSE: Duration = Duration::from_millis(150);
/// The pause after an edit before new errors are shown: half a line is no error yet.
const HALF_TYPED: Duration = Duration::from_secs(1);
/// The pause after an edit before a full check.
const REST: Duration = Duration::from_secs(2);

/// The stage of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Uninitialized,
    Running,
    ShutDown,
    Over,
}

/// An open document.
struct OpenDocument {
    version: i64,
    text: IndexedText,
    is_saved: bool,
    /// True if an edit did not fit, so that the text is unknown until the client sends it whole.
    is_lost: bool,
    /// True if it was lost after the edit before.
    was_lost: bool,
    disk: Option<DiskText>,
    /// When the last edit came, and its line.
    edited: Option<(Duration, usize)>,
    quick_at: Option<Duration>,
    full_at: Option<Duration>,
    /// When errors that were held back are shown.
    release_at: Option<Duration>,
    problems: Vec<PlacedProblem>,
    /// The errors that the client was shown last, by code and line.
    shown_errors: Vec<(&'static str, String)>,
    /// True if the client was sent diagnostics, which must then be replaced.
    has_diagnostics: bool,
}

/// The server for one client.
pub(super) struct LanguageServer {
    stage: Stage,
    was_shut_down: bool,
    facts: Arc<ClientFacts>,
    documents: HashMap<Arc<str>, OpenDocument>,
    /// The requests that wait, with the document and version that they are about.
    requests: HashMap<RequestId, Option<(Arc<str>, i64)>>,
    queue: Arc<WorkQueue>,
    outgoing: Sender<Message>,
}

impl LanguageServer {
    /// Creates a server that puts its jobs into `queue` and its messages into `outgoing`.
    pub(super) fn new(queue: Arc<WorkQueue>, outgoing: Sender<Message>) -> Self {
        Self {
            stage: Stage::Uninitialized,
            was_shut_down: false,
            facts: Arc::new(ClientFacts::of(&Value::Null)),
            documents: HashMap::new(),
            requests: HashMap::new(),
            queue,
            outgoing,
        }
    }

    /// Returns true if the client said that it exits.
    pub(super) fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Returns true if the client shut the server down.
    pub(super) fn was_shut_down(&self) -> bool {
        self.was_shut_down
    }

    /// Returns when the next check or message is due.
    pub(super) fn deadline(&self) -> Option<Duration> {
        let due = |one: &OpenDocument| [one.quick_at, one.full_at, one.release_at];
        self.documents.values().flat_map(due).flatten().min()
    }

    /// Handles a message of the client.
    pub(super) fn receive(&mut self, message: Message, now: Duration) {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => self.notification(&notification, now),
            // The server asks the client nothing that needs an answer.
            Message::Response(_) => {}
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.stage, method.as_str()) {
            (Stage::Uninitialized, "initialize") => {
                self.facts = Arc::new(ClientFacts::of(&params));
                self.stage = Stage::Running;
                let server = json!({ "name": "discussions", "version": env!("CARGO_PKG_VERSION") });
                let capabilities = capabilities(self.facts.encoding);
                self.answer(id, json!({ "capabilities": capabilities, "serverInfo": server }));
            }
            (Stage::Uninitialized, _) => {
                self.refuse(id, ErrorCode::ServerNotInitialized, "send `initialize` first");
            }
            (Stage::Running, "initialize") => {
                self.refuse(id, ErrorCode::InvalidRequest, "the server is initialized already");
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                self.was_shut_down = true;
                self.answer(id, Value::Null);
            }
            (Stage::ShutDown | Stage::Over, _) => {
                self.refuse(id, ErrorCode::InvalidRequest, "the server is shut down");
            }
            (Stage::Running, "workspace/symbol") => {
                let words = params.get("query").and_then(Value::as_str).unwrap_or_default();
                self.requests.insert(id.clone(), None);
                let (words, facts) = (words.to_owned(), Arc::clone(&self.facts));
                self.queue.add(WorkerJob::Decisions { id, words, facts });
            }
            (Stage::Running, method) => match query(method, &params) {
                Some(Some(query)) => self.ask(id, uri_in(&params).unwrap_or_default(), query),
                Some(None) => {
                    self.refuse(id, ErrorCode::InvalidParams, "the parameters do not fit")
                }
                None => {
                    self.refuse(id, ErrorCode::MethodNotFound, "this server has no such method")
                }
            },
        }
    }

    /// Puts a request about a document into the queue.
    fn ask(&mut self, id: RequestId, uri: &str, query: DocumentQuery) {
        let Some((uri, open)) = self.documents.get_key_value(uri) else {
            return self.answer(id, Value::Null);
        };
        if open.is_lost || open.text.as_str().len() > LARGEST {
            return self.answer(id, Value::Null);
        }
        let document = open.snapshot(uri);
        let disk = open.disk.clone().map(|disk| {
            let document = Arc::clone(&document.text);
            DiskText { document, ..disk }
        });
        // A save waits for its answer, so an edit must not make it stale.
        let about = match query {
            DocumentQuery::WillSave => None,
            _ => Some((Arc::clone(uri), open.version)),
        };
        self.requests.insert(id.clone(), about);
        let facts = Arc::clone(&self.facts);
        self.queue.add(WorkerJob::Query { id, document, disk, query, facts });
    }

    fn notification(&mut self, notification: &Notification, now: Duration) {
        let params = &notification.params;
        match (self.stage, notification.method.as_str()) {
            (_, "exit") => self.stage = Stage::Over,
            (Stage::Running, "$/cancelRequest") => {
                if let Some(id) = params.get("id").and_then(request_id)
                    && self.requests.remove(&id).is_some()
                {
                    self.queue.cancel(&id);
                    self.refuse(id, ErrorCode::RequestCanceled, "the request was cancelled");
                }
            }
            (Stage::Running, "textDocument/didOpen") => self.open(params),
            (Stage::Running, "textDocument/didChange") => self.change(params, now),
            (Stage::Running, "textDocument/didSave") => self.save(params),
            (Stage::Running, "textDocument/didClose") => {
                if let Some(uri) = uri_in(params)
                    && let Some((uri, open)) = self.documents.remove_entry(uri)
                {
                    self.queue.add(WorkerJob::Forget(Arc::clone(&uri)));
                    if open.has_diagnostics {
                        self.publish(&uri, None, &[]);
                    }
                }
            }
            (Stage::Running, "workspace/didChangeWorkspaceFolders") => self.change_folders(params),
            (Stage::Running, "initialized") => self.watch_files(),
            (Stage::Running, "workspace/didChangeWatchedFiles") => self.check_after_changes(now),
            // The client may send others, and those before `initialize` and after `shutdown` count for nothing.
            _ => {}
        }
    }

    fn open(&mut self, params: &Value) {
        let Some(document) = params.get("textDocument") else { return };
        let text = |key| document.get(key).and_then(Value::as_str);
        let (Some(uri), Some(content)) = (text("uri"), text("text")) else { return };
        let is_page = text("languageId") == Some("markdown") || is_markdown(uri);
        if !is_page || !(path_of(uri).is_some() || uri.starts_with("untitled:")) {
            return;
        }
        let open = OpenDocument {
            version: version_in(params),
            text: IndexedText::new(content.to_owned(), self.facts.encoding),
            is_saved: true,
            is_lost: false,
            was_lost: false,
            disk: Some(DiskText::new(content)),
            edited: None,
            quick_at: None,
            full_at: None,
            release_at: None,
            problems: Vec::new(),
            shown_errors: Vec::new(),
            has_diagnostics: false,
        };
        let uri: Arc<str> = uri.into();
        self.documents.insert(Arc::clone(&uri), open);
        self.check(&uri, true);
    }

    fn change(&mut self, params: &Value, now: Duration) {
        let Some(uri) = uri_in(params) else { return };
        let Some((uri, _)) = self.documents.get_key_value(uri) else { return };
        let uri = Arc::clone(uri);
        let Some(open) = self.documents.get_mut(&uri) else { return };
        let changes = params.get("contentChanges").and_then(Value::as_array);
        for change in changes.into_iter().flatten() {
            let change = change_of(change);
            // The whole text makes a document known again whose text was lost.
            if open.is_lost && change.as_ref().is_none_or(|change| change.range.is_some()) {
                continue;
            }
            let edit = change.and_then(|change| open.text.apply(change, open.disk.as_mut()));
            open.is_lost = edit.is_none();
            let Some(edit) = edit else { continue };
            let end = open.text.position(edit.range.start + edit.text.len());
            open.edited = Some((now, end.line));
        }
        let was_lost = std::mem::replace(&mut open.was_lost, open.is_lost);
        open.version = version_in(params);
        open.is_saved = false;
        (open.quick_at, open.full_at, open.release_at) =
            (Some(now + PAUSE), Some(now + REST), None);
        let is_lost = open.is_lost;
        if is_lost {
            (open.quick_at, open.full_at) = (None, None);
        }
        self.drop_stale(&uri);
        if is_lost && !was_lost {
            self.publish(&uri, None, &[]);
            let name = uri.rsplit('/').next().unwrap_or_default();
            let message =
                format!("An edit of {name} does not fit its text. Close and open it again.");
            self.tell(2, &message);
        }
    }

    fn save(&mut self, params: &Value) {
        let Some(uri) = uri_in(params) else { return };
        let Some((uri, open)) = self.documents.get_key_value(uri) else { return };
        let uri = Arc::clone(uri);
        if open.is_lost {
            return;
        }
        if let Some(open) = self.documents.get_mut(&uri) {
            open.is_saved = true;
            open.disk = Some(DiskText::new(open.text.as_str()));
            (open.quick_at, open.full_at, open.release_at) = (None, None, None);
            open.edited = None;
        }
        self.check(&uri, true);
    }

    /// Asks the client to tell of changes of files, such as answers that a run appended.
    fn watch_files(&self) {
        if !self.facts.watches_files {
            return;
        }
        let watchers = json!([{ "globPattern": "**/*.md" }]);
        let registration = json!({
            "id": "discussions-files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": watchers },
        });
        let (id, method) = (RequestId::from("watch".to_owned()), "client/registerCapability");
        let params = json!({ "registrations": [registration] });
        self.send(Request { id, method: method.to_owned(), params }.into());
    }

    /// Plans a full check of all documents soon: many files may change at once.
    fn check_after_changes(&mut self, now: Duration) {
        for open in self.documents.values_mut().filter(|open| !open.is_lost) {
            open.full_at = Some(open.full_at.unwrap_or(now + PAUSE));
        }
    }

    fn change_folders(&mut self, params: &Value) {
        let list = |pointer: &str| -> Vec<_> {
            let list = params.pointer(pointer).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(folder).collect()
        };
        let (added, removed) = (list("/event/added"), list("/event/removed"));
        let mut facts = ClientFacts::clone(&self.facts);
        facts.folders.retain(|folder| !removed.contains(folder));
        facts.folders.extend(added);
        self.facts = Arc::new(facts);
    }

    /// Does what is due.
    pub(super) fn tick(&mut self, now: Duration) {
        let is_due = |at: Option<Duration>| at.is_some_and(|at| at <= now);
        let uris: Vec<Arc<str>> = self.documents.keys().cloned().collect();
        for uri in uris {
            let Some(open) = self.documents.get_mut(&uri) else { continue };
            if is_due(open.full_at) {
                (open.quick_at, open.full_at) = (None, None);
                self.check(&uri, true);
            } else if is_due(open.quick_at) {
                open.quick_at = None;
                self.check(&uri, false);
            }
            let Some(open) = self.documents.get_mut(&uri) else { continue };
            if is_due(open.release_at) {
                open.release_at = None;
                self.show(&uri, now);
            }
        }
    }

    /// Puts a check into the queue. A document that is too large gets one information instead.
    fn check(&mut self, uri: &Arc<str>, is_full: bool) {
        let Some(open) = self.documents.get_mut(uri) else { return };
        if open.text.as_str().len() > LARGEST {
            let place = convert::whole_line(&open.text, 0);
            let message = "This file has more than 8 MB, so the editor does not check it.";
            let (version, value) = (open.version, convert::diagnostic(place, 3, "", message));
            open.has_diagnostics = true;
            return self.publish(uri, Some(version), &[value]);
        }
        let (document, facts) = (open.snapshot(uri), Arc::clone(&self.facts));
        self.queue.add(WorkerJob::Check { document, is_full, facts });
    }

    /// Takes the result of a job.
    pub(super) fn finish(&mut self, finished: Finished, now: Duration) {
        match finished {
            Finished::Answered { id, answer } => {
                // A request that was cancelled is answered already.
                if self.requests.remove(&id).is_some() {
                    match answer {
                        Some(answer) => self.answer(id, answer),
                        None => self.refuse(id, ErrorCode::InternalError, "the request failed"),
                    }
                }
            }
            Finished::Checked { uri, version, problems, disk } => {
                let Some(open) = self.documents.get_mut(&uri) else { return };
                if open.version != version || open.is_lost {
                    return;
                }
                if let Some(disk) = disk {
                    open.disk = Some(DiskText::new(&disk));
                }
                let Some(problems) = problems else {
                    open.problems.clear();
                    if std::mem::take(&mut open.has_diagnostics) {
                        self.publish(&uri, Some(version), &[]);
                    }
                    return;
                };
                open.problems = problems;
                self.show(&uri, now);
            }
        }
    }

    /// Sends the problems of a document, without those of a line that is being typed.
    fn show(&mut self, uri: &Arc<str>, now: Duration) {
        let Some(open) = self.documents.get_mut(uri) else { return };
        let typed = open.edited.filter(|_| !open.is_saved);
        let holds_until = typed.map(|(at, _)| at + HALF_TYPED).filter(|until| *until > now);
        let (mut shown, mut errors, mut is_held) = (Vec::new(), Vec::new(), false);
        for problem in &open.problems {
            let is_error = problem.severity == 1;
            let key = (problem.code, problem.line_text.clone());
            if typed.is_some_and(|(_, line)| {
                problem.code == "name-invalid" && problem.range.start.line == line
            }) {
                continue;
            }
            if is_error && holds_until.is_some() && !open.shown_errors.contains(&key) {
                is_held = true;
                continue;
            }
            if is_error {
                errors.push(key);
            }
            let PlacedProblem { range, severity, code, message, .. } = problem;
            shown.push(convert::diagnostic(*range, *severity, code, message));
        }
        open.shown_errors = errors;
        open.release_at = holds_until.filter(|_| is_held);
        open.has_diagnostics = true;
        let version = open.version;
        self.publish(uri, Some(version), &shown);
    }

    /// Answers the requests that an edit of their document made stale.
    fn drop_stale(&mut self, uri: &str) {
        let is_about = |about: &Option<(Arc<str>, i64)>| {
            about.as_ref().is_some_and(|(other, _)| **other == *uri)
        };
        let stale: Vec<RequestId> = self
            .requests
            .iter()
            .filter(|(_, about)| is_about(about))
            .map(|(id, _)| id.clone())
            .collect();
        for id in stale {
            self.requests.remove(&id);
            self.queue.cancel(&id);
            self.refuse(id, ErrorCode::ContentModified, "the document was changed");
        }
    }

    fn publish(&self, uri: &str, version: Option<i64>, diagnostics: &[Value]) {
        let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        self.notify("textDocument/publishDiagnostics", params);
    }

    /// Shows a message: 2 for a warning.
    fn tell(&self, kind: u8, message: &str) {
        self.notify("window/showMessage", json!({ "type": kind, "message": message }));
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    fn answer(&self, id: RequestId, value: Value) {
        self.send(Response { id, response_result: Ok(value) }.into());
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.send(Response::new_err(id, code as i32, message.to_owned()).into());
    }

    fn send(&self, message: Message) {
        // A client that is gone closes the input too, which ends the loop.
        let _ = self.outgoing.send(message);
    }
}

impl OpenDocument {
    fn snapshot(&self, uri: &Arc<str>) -> DocumentText {
        DocumentText {
            uri: Arc::clone(uri),
            version: self.version,
            text: self.text.as_str().into(),
            is_saved: self.is_saved,
        }
    }
}

/// Returns true if an address ends like that of a Markdown file.
fn is_markdown(uri: &str) -> bool {
    let lower = uri.to_ascii_lowercase();
    lower.ends_with(".md") || lower.ends_with(".markdown")
}
