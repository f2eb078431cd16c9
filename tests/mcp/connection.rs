//! JSON-RPC over the pipes of a server: one message a line.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::oneshot::{Receiver, Sender, channel};

use super::client::Listener;

/// The error with which the server refused a request.
#[derive(Debug)]
#[expect(dead_code, reason = "a failed test shows it")]
pub(super) struct Refusal(Value);

type Outcome = Result<Value, Refusal>;

/// The way to the server; `None` after the client has closed it.
type Input = Arc<tokio::sync::Mutex<Option<ChildStdin>>>;

/// The pipes to a server, and the requests that it has not answered.
pub(super) struct Connection {
    input: Input,
    listener: Listener,
    next: AtomicU64,
    waiting: Arc<Mutex<HashMap<u64, Sender<Outcome>>>>,
    results: Mutex<HashMap<u64, Receiver<Outcome>>>,
}

impl Connection {
    /// Reads messages in a task of its own, until the server closes its output.
    pub(super) fn open(output: ChildStdout, input: ChildStdin, listener: Listener) -> Self {
        let input = Input::new(Some(input).into());
        let waiting = Arc::<Mutex<HashMap<u64, Sender<Outcome>>>>::default();
        let (answers_to, promised, told) =
            (Arc::clone(&input), Arc::clone(&waiting), listener.clone());
        tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                // Anything on standard output that is no message of the protocol ends this task, and then the test.
                let message: Value = serde_json::from_str(&line).unwrap();
                if let Some(answer) = take(&message, &told, &promised) {
                    write(&answers_to, &answer).await;
                }
            }
            // Whoever still waits learns that no answer comes.
            promised.lock().unwrap().clear();
        });
        let (next, results) = (AtomicU64::new(1), Mutex::default());
        Self { input, listener, next, waiting, results }
    }

    pub(super) fn listener(&self) -> &Listener {
        &self.listener
    }

    pub(super) fn next_id(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Sends a request, whose result [`Self::receive`] returns.
    pub(super) async fn send_request(&self, id: u64, method: &str, params: Value) {
        let (sender, receiver) = channel();
        self.waiting.lock().unwrap().insert(id, sender);
        self.results.lock().unwrap().insert(id, receiver);
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        write(&self.input, &request).await;
    }

    pub(super) async fn receive(&self, id: u64) -> Outcome {
        let receiver = self.results.lock().unwrap().remove(&id).unwrap();
        receiver.await.unwrap_or_else(|_| Err(Refusal("the server has ended".into())))
    }

    pub(super) async fn ask(&self, method: &str, params: Value) -> Outcome {
        let id = self.next_id();
        self.send_request(id, method, params).await;
        self.receive(id).await
    }

    /// Sends a notification.
    pub(super) async fn tell(&self, method: &str, params: Value) {
        write(&self.input, &json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Closes the input of the server, which then ends.
    pub(super) async fn close(&self) {
        self.input.lock().await.take();
    }
}

/// Takes one message of the server; returns the answer to a request.
fn take(
    message: &Value,
    listener: &Listener,
    waiting: &Mutex<HashMap<u64, Sender<Outcome>>>,
) -> Option<Value> {
    let id = message.get("id");
    if let Some(method) = message["method"].as_str() {
        let Some(id) = id else {
            listener.notice(method, &message["params"]);
            return None;
        };
        let result = listener.reply(method, &message["params"]);
        return Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }
    let sender = waiting.lock().unwrap().remove(&id?.as_u64()?)?;
    let outcome = match message.get("error") {
        Some(error) => Err(Refusal(error.clone())),
        None => Ok(message["result"].clone()),
    };
    // A test that has dropped its call wants no result.
    let _ = sender.send(outcome);
    None
}

/// Writes a message. A server that was killed reads nothing: the test then finds no result.
async fn write(input: &Input, message: &Value) {
    let mut input = input.lock().await;
    if let Some(input) = input.as_mut() {
        let _ = input.write_all(format!("{message}\n").as_bytes()).await;
    }
}
