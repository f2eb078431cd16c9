//! A client in the same thread, with a clock that the test moves.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::environment::HostEnvironment;
use crate::lsp::convert::uri_of;
use crate::lsp::judge::Judge;
use crate::lsp::server::LanguageServer;
use crate::lsp::{WorkQueue, perform};

/// A client with a folder of files.
pub(super) struct Client {
    pub(super) folder: TempDir,
    pub(super) server: LanguageServer,
    queue: Arc<WorkQueue>,
    messages: Receiver<Message>,
    judge: Judge,
    now: Duration,
    version: i64,
    next_id: i32,
    received: Vec<Message>,
}

/// The text after its last `|`, as a position in characters.
pub(super) fn place(text: &str) -> Value {
    let before = text.split('|').next().unwrap();
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().chars().count();
    json!({ "line": line, "character": column })
}

impl Client {
    /// Creates a client for a folder with these files; it counts characters.
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-32"] },
            "textDocument": {
                "codeAction": { "codeActionLiteralSupport": {} },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            },
        });
        Self::with(files, &json!({ "capabilities": capabilities }))
    }

    /// Creates a client with these parameters of `initialize`.
    pub(super) fn with(files: &[(&str, &str)], params: &Value) -> Self {
        let mut client = Self::uninitialized(files);
        let mut params = params.clone();
        let uri = uri_of(&client.path(""));
        params["workspaceFolders"] = json!([{ "uri": uri, "name": "work" }]);
        client.ask("initialize", params).unwrap();
        client.tell("initialized", json!({}));
        client
    }

    /// Creates a client that has not said anything.
    pub(super) fn uninitialized(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("discussions.yaml"), "author: Rob\n").unwrap();
        std::fs::create_dir(folder.path().join("discussions")).unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let queue = Arc::new(WorkQueue::default());
        let (outgoing, messages) = mpsc::channel();
        let outside = HostEnvironment::look(None).unwrap().in_folder(folder.path());
        Self {
            server: LanguageServer::new(Arc::clone(&queue), outgoing),
            judge: Judge::new(outside),
            folder,
            queue,
            messages,
            now: Duration::ZERO,
            version: 0,
            next_id: 0,
            received: Vec::new(),
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn uri(&self, name: &str) -> String {
        if name.starts_with("untitled:") { name.to_owned() } else { uri_of(&self.path(name)) }
    }

    /// Sends a notification.
    pub(super) fn tell(&mut self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.server.receive(message.into(), self.now);
    }

    /// Sends a request without waiting for its answer.
    pub(super) fn begin(&mut self, method: &str, params: Value) -> i32 {
        self.next_id += 1;
        let (id, method) = (RequestId::from(self.next_id), method.to_owned());
        self.server.receive(Request { id, method, params }.into(), self.now);
        self.next_id
    }

    /// Returns the answers to a request that came so far.
    pub(super) fn answers(&mut self, id: i32) -> Vec<Result<Value, i32>> {
        self.work();
        let own = self.received.iter().filter_map(|message| match message {
            Message::Response(response) if response.id == RequestId::from(id) => {
                Some(response.response_result.clone().map_err(|error| error.code))
            }
            _ => None,
        });
        own.collect()
    }

    /// Sends a request, and returns its answer or the code of the error.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let id = self.begin(method, params);
        self.answers(id).pop().unwrap()
    }

    /// Asks about a position of a document.
    pub(super) fn ask_at(&mut self, method: &str, name: &str, position: Value) -> Value {
        let document = json!({ "uri": self.uri(name) });
        let params = json!({ "textDocument": document, "position": position });
        self.ask(&format!("textDocument/{method}"), params).unwrap()
    }

    /// Asks about a document.
    pub(super) fn ask_about(&mut self, method: &str, name: &str) -> Value {
        let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let params = json!({ "textDocument": { "uri": self.uri(name) }, "range": all });
        self.ask(&format!("textDocument/{method}"), params).unwrap()
    }

    /// Opens a document with its text on disk.
    pub(super) fn open(&mut self, name: &str) {
        let text = std::fs::read_to_string(self.path(name)).unwrap();
        self.open_text(name, &text);
    }

    pub(super) fn open_text(&mut self, name: &str, text: &str) {
        self.version += 1;
        let document = json!({
            "uri": self.uri(name),
            "languageId": "markdown",
            "version": self.version,
            "text": text,
        });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.work();
    }

    /// Replaces the text between two positions.
    pub(super) fn edit(&mut self, name: &str, start: &Value, end: &Value, text: &str) {
        let change = json!({ "range": { "start": start, "end": end }, "text": text });
        self.change(name, &json!([change]));
    }

    /// Replaces the whole text.
    pub(super) fn replace(&mut self, name: &str, text: &str) {
        self.change(name, &json!([{ "text": text }]));
    }

    pub(super) fn change(&mut self, name: &str, changes: &Value) {
        self.version += 1;
        let document = json!({ "uri": self.uri(name), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    pub(super) fn save(&mut self, name: &str) {
        let params = json!({ "textDocument": { "uri": self.uri(name) } });
        self.tell("textDocument/didSave", params);
        self.work();
    }

    /// Lets time pass; what is due happens at its time.
    pub(super) fn pass(&mut self, milliseconds: u64) {
        let until = self.now + Duration::from_millis(milliseconds);
        while let Some(due) = self.server.deadline().filter(|due| *due <= until) {
            self.now = due.max(self.now);
            self.server.tick(self.now);
            self.work();
        }
        self.now = until;
        self.server.tick(self.now);
        self.work();
    }

    /// Does the jobs of the server, and takes its messages.
    pub(super) fn work(&mut self) {
        while let Some(job) = self.queue.try_next() {
            if let Some(finished) = perform(&mut self.judge, &job) {
                self.server.finish(finished, self.now);
            }
        }
        self.received.extend(self.messages.try_iter());
    }

    /// Returns the notifications with this method that came so far, oldest first.
    pub(super) fn notifications(&mut self, method: &str) -> Vec<Value> {
        self.work();
        let own = self.received.iter().filter_map(|message| match message {
            Message::Notification(one) if one.method == method => Some(one.params.clone()),
            _ => None,
        });
        own.collect()
    }

    /// Returns the requests of the server with this method that came so far.
    pub(super) fn requests(&mut self, method: &str) -> Vec<Value> {
        self.work();
        let own = self.received.iter().filter_map(|message| match message {
            Message::Request(one) if one.method == method => Some(one.params.clone()),
            _ => None,
        });
        own.collect()
    }

    /// Returns the diagnostics of a document as they were sent last; `None` if none were sent.
    pub(super) fn last_diagnostics(&mut self, name: &str) -> Option<Vec<Value>> {
        let uri = self.uri(name);
        let all = self.notifications("textDocument/publishDiagnostics");
        let last = all.into_iter().rfind(|params| params["uri"] == uri)?;
        Some(last["diagnostics"].as_array().unwrap().clone())
    }

    /// Returns the code, severity and line, from 0, of the last diagnostics.
    pub(super) fn diagnostics_of(&mut self, name: &str) -> Vec<(String, u64, u64)> {
        let all = self.last_diagnostics(name).unwrap_or_default();
        let mut all: Vec<_> = all
            .iter()
            .map(|one| {
                let code = one["code"].as_str().unwrap_or_default().to_owned();
                let line = one["range"]["start"]["line"].as_u64().unwrap();
                (code, one["severity"].as_u64().unwrap(), line)
            })
            .collect();
        all.sort();
        all
    }

    /// Applies a quick fix with this title to a text.
    pub(super) fn fixed(&mut self, name: &str, title: &str, text: &str) -> String {
        let all = self.ask_about("codeAction", name);
        let all = all.as_array().unwrap();
        let fix = all.iter().find(|one| one["title"] == title);
        let fix = fix.unwrap_or_else(|| panic!("{title} is not among {all:#?}"));
        applied(text, fix["edit"]["changes"][self.uri(name)].as_array().unwrap())
    }
}

/// Applies edits, in characters, to a text.
pub(super) fn applied(text: &str, edits: &[Value]) -> String {
    let byte = |at: &Value| {
        let (line, column) = (at["line"].as_u64().unwrap(), at["character"].as_u64().unwrap());
        let start: usize = text.split_inclusive('\n').take(line as usize).map(str::len).sum();
        let rest = &text[start..];
        start + rest.char_indices().nth(column as usize).map_or(rest.len(), |(at, _)| at)
    };
    let mut edits: Vec<_> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (byte(&range["start"]), byte(&range["end"]), edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort();
    let mut text = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}
