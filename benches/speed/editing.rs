//! The language server: how soon problems and completions of a long discussion are there.

use std::fs;
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use super::corpus;
use super::measure::{Effort, pairs_of, timed};
use super::stage::Stage;
use super::table::{Outcome, Row};

/// The rows.
pub(crate) fn rows(effort: Effort) -> Vec<Row> {
    let stage = Stage::new();
    fs::create_dir(stage.path("discussions")).expect("the disk has room");
    let text = corpus::discussion(1_000_000, 1);
    stage.write("discussions/long.md", &text);
    let mut editor = Editor::open(&stage, &text);
    let times = effort.times(40);
    let against = "one `check` of the file, with the start of the program";
    vec![
        Row {
            what: "problems of a discussion of 1 MB after a save in an editor",
            against,
            outcome: Outcome::AtMost(
                pairs_of(times, || editor.time_of_save(), || time_of_check(&stage)),
                1.0,
            ),
        },
        Row {
            what: "completions in a discussion of 1 MB",
            against,
            outcome: Outcome::AtMost(
                pairs_of(times, || editor.time_of_completion(), || time_of_check(&stage)),
                0.25,
            ),
        },
    ]
}

fn time_of_check(stage: &Stage) -> Duration {
    timed(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discussions"));
        command.args(["check", "discussions/long.md"]).current_dir(stage.path(""));
        let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(done.expect("the program starts").success());
    })
}

/// A server with one open document.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    uri: String,
    end: Value,
    next: i32,
}

impl Editor {
    fn open(stage: &Stage, text: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discussions"));
        command.arg("lsp").current_dir(stage.path(""));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("its input is piped");
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let uri = format!("file://{}", stage.path("discussions/long.md").display());
        let text = format!("{text}\n---\n\nName: Rob\n\nA: ");
        let end = json!({ "line": text.matches('\n').count(), "character": 3 });
        let mut editor = Self { child, input, output, uri, end, next: 0 };
        let folder = format!("file://{}", stage.path("").display());
        let folders = json!([{ "uri": folder, "name": "work" }]);
        editor.ask("initialize", json!({ "workspaceFolders": folders, "capabilities": {} }));
        let document =
            json!({ "uri": editor.uri, "languageId": "markdown", "version": 1, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        editor.await_problems();
        editor
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.input).expect("it reads");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    fn receive(&mut self) -> Message {
        Message::read(&mut self.output).expect("a message").expect("it goes on")
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params }.into());
        while !matches!(self.receive(), Message::Response(answer) if answer.id == id) {}
    }

    fn await_problems(&mut self) {
        let is_it = |message: &Message| match message {
            Message::Notification(told) => told.method == "textDocument/publishDiagnostics",
            _ => false,
        };
        while !is_it(&self.receive()) {}
    }

    fn time_of_save(&mut self) -> Duration {
        let params = json!({ "textDocument": { "uri": self.uri } });
        timed(|| {
            self.tell("textDocument/didSave", params.clone());
            self.await_problems();
        })
    }

    fn time_of_completion(&mut self) -> Duration {
        let params = json!({ "textDocument": { "uri": self.uri }, "position": self.end });
        timed(|| self.ask("textDocument/completion", params.clone()))
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
