//! An editor: starts the server and exchanges messages with it.

use std::io::BufReader;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// The longest wait for a message; a server that is silent so long is broken.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server and its client, which counts characters.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Message>,
    next: i32,
}

/// Returns the address of a path without special characters.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Editor {
    /// Starts a command and initializes the server for a folder.
    pub(crate) fn start(command: Command, folder: &Path, options: &Value) -> Self {
        let mut editor = Self::spawn(command);
        let told = editor.ask(
            "initialize",
            json!({
                "processId": null,
                "workspaceFolders": [{ "uri": uri(folder), "name": "work" }],
                "initializationOptions": options,
                "capabilities": {
                    "general": { "positionEncodings": ["utf-32"] },
                    "textDocument": { "codeAction": { "codeActionLiteralSupport": {} } },
                },
            }),
        );
        assert_eq!(told["capabilities"]["positionEncoding"], "utf-32");
        editor.tell("initialized", json!({}));
        editor
    }

    /// Starts a command without saying anything.
    pub(crate) fn spawn(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            // Anything on standard output that is no message of the protocol ends this thread, and then the test.
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { child, input, messages, next: 0 }
    }

    pub(crate) fn send(&mut self, message: Message) {
        message.write(self.input.as_mut().unwrap()).unwrap();
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    /// Sends a request and returns its result. Drops the notifications that come before it.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params }.into());
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                return response.response_result.unwrap();
            }
        }
    }

    fn receive(&self) -> Message {
        self.messages.recv_timeout(PATIENCE).unwrap()
    }

    /// Opens a document and returns its first diagnostics.
    pub(crate) fn open(&mut self, path: &Path, text: &str) -> Vec<Value> {
        let document =
            json!({ "uri": uri(path), "languageId": "markdown", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics(path)
    }

    /// Returns the next diagnostics of a document.
    pub(crate) fn diagnostics(&self, path: &Path) -> Vec<Value> {
        loop {
            if let Message::Notification(told) = self.receive()
                && told.method == "textDocument/publishDiagnostics"
                && told.params["uri"] == uri(path)
            {
                return told.params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// Ends the server as the protocol says.
    pub(crate) fn exit(mut self) -> ExitStatus {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.child.wait().unwrap()
    }

    /// Closes the pipes, as if the editor had died.
    pub(crate) fn die(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().unwrap()
    }
}
