//! A client like an agent's: it starts the program and calls its tools. The package `foreign` runs most of these tests with a
//! client of others in its place (`tests/foreign/mcp/client.rs`).

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams,
    GetPromptResult, Prompt, ReadResourceRequestParams, ReadResourceResult, Resource,
    ResourceTemplate, Tool,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::process::Child;

use super::connection::{Connection, Refusal};
use crate::cli::Scenario;

/// Receives notifications, and answers questions for the person behind the client.
#[derive(Clone, Default)]
pub(super) struct Listener {
    pub(super) told: Arc<Mutex<Vec<String>>>,
    pub(super) answer: Option<&'static str>,
    /// The folders that the client names if the server asks for them.
    pub(super) roots: Vec<String>,
}

impl Listener {
    /// Returns what the client says that it can do.
    fn capabilities(&self) -> Value {
        let mut capabilities = json!({});
        if self.answer.is_some() {
            capabilities["elicitation"] = json!({});
        }
        if !self.roots.is_empty() {
            capabilities["roots"] = json!({});
        }
        capabilities
    }

    /// Keeps the message of a progress notification.
    pub(super) fn notice(&self, method: &str, params: &Value) {
        if method == "notifications/progress" {
            self.told.lock().unwrap().extend(params["message"].as_str().map(str::to_owned));
        }
    }

    /// Answers a request of the server.
    pub(super) fn reply(&self, method: &str, params: &Value) -> Value {
        match method {
            "roots/list" => {
                let roots: Vec<Value> =
                    self.roots.iter().map(|root| json!({ "uri": root })).collect();
                json!({ "roots": roots })
            }
            "elicitation/create" => {
                let asked = format!("a person is asked: {}", params["message"]);
                self.told.lock().unwrap().push(asked);
                match self.answer {
                    Some("") | None => json!({ "action": "cancel" }),
                    Some(text) => json!({ "action": "accept", "content": { "answer": text } }),
                }
            }
            method => panic!("the server asks for `{method}`"),
        }
    }
}

/// The start of a session.
#[derive(Clone, Copy)]
pub(super) enum Lifecycle {
    /// With `initialize`, as in the protocol until 2025.
    Initialize,
    /// Without it: every request states what it needs.
    Discover,
}

pub(super) const BOTH: [Lifecycle; 2] = [Lifecycle::Initialize, Lifecycle::Discover];

/// A session with a server.
pub(super) struct Client {
    connection: Connection,
    /// What every request states about the client; empty after `initialize`.
    context: Value,
    about_server: Value,
}

impl Client {
    async fn start(connection: Connection, lifecycle: Lifecycle) -> Self {
        let about = json!({ "name": "an-agent", "version": "1.0.0" });
        let capabilities = connection.listener().capabilities();
        match lifecycle {
            Lifecycle::Initialize => {
                let params = json!({
                    "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": about,
                });
                let about_server = connection.ask("initialize", params).await.unwrap();
                connection.tell("notifications/initialized", json!({})).await;
                Self { connection, context: json!({}), about_server }
            }
            Lifecycle::Discover => {
                let context = json!({
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": about,
                    "io.modelcontextprotocol/clientCapabilities": capabilities,
                });
                let params = json!({ "_meta": context });
                let about_server = connection.ask("server/discover", params).await.unwrap();
                Self { connection, context, about_server }
            }
        }
    }

    /// Sends a request and returns its id; its progress has the same id.
    async fn begin(&self, method: &str, params: &impl Serialize) -> u64 {
        let mut params = serde_json::to_value(params).unwrap();
        let mut context = self.context.clone();
        let id = self.connection.next_id();
        context["progressToken"] = id.into();
        params["_meta"] = context;
        self.connection.send_request(id, method, params).await;
        id
    }

    async fn ask(&self, method: &str, params: &impl Serialize) -> Result<Value, Refusal> {
        let id = self.begin(method, params).await;
        self.connection.receive(id).await
    }

    /// Sends a request again and again, with answers to what the server asks for.
    async fn ask_with_answers<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, Refusal> {
        let mut params = serde_json::to_value(params).unwrap();
        loop {
            let result = self.ask(method, &params).await?;
            if result["resultType"] != "input_required" {
                return Ok(serde_json::from_value(result).unwrap());
            }
            let asked = result["inputRequests"].as_object().into_iter().flatten();
            let answers: serde_json::Map<String, Value> = asked
                .map(|(name, request)| {
                    let method = request["method"].as_str().unwrap();
                    (name.clone(), self.connection.listener().reply(method, &request["params"]))
                })
                .collect();
            params["inputResponses"] = answers.into();
            params["requestState"] = result["requestState"].clone();
        }
    }

    /// Returns the items of all pages of a list.
    async fn list<T: DeserializeOwned>(&self, method: &str, key: &str) -> Result<Vec<T>, Refusal> {
        let (mut items, mut params) = (Vec::new(), json!({}));
        loop {
            let page = self.ask(method, &params).await?;
            let more: Vec<T> = serde_json::from_value(page[key].clone()).unwrap();
            items.extend(more);
            match page.get("nextCursor") {
                Some(cursor) => params["cursor"] = cursor.clone(),
                None => return Ok(items),
            }
        }
    }

    pub(super) async fn list_all_tools(&self) -> Result<Vec<Tool>, Refusal> {
        self.list("tools/list", "tools").await
    }

    pub(super) async fn list_all_resources(&self) -> Result<Vec<Resource>, Refusal> {
        self.list("resources/list", "resources").await
    }

    pub(super) async fn list_all_resource_templates(
        &self,
    ) -> Result<Vec<ResourceTemplate>, Refusal> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    pub(super) async fn list_all_prompts(&self) -> Result<Vec<Prompt>, Refusal> {
        self.list("prompts/list", "prompts").await
    }

    pub(super) async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
    ) -> Result<ReadResourceResult, Refusal> {
        self.ask_with_answers("resources/read", params).await
    }

    pub(super) async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
    ) -> Result<GetPromptResult, Refusal> {
        self.ask_with_answers("prompts/get", params).await
    }

    /// Calls a tool once, without answers to what the server asks for.
    pub(super) async fn call_tool_once(
        &self,
        params: CallToolRequestParams,
    ) -> Result<CallToolResponse, Refusal> {
        let result = self.ask("tools/call", &params).await?;
        Ok(match result["resultType"].as_str() {
            Some("input_required") => {
                CallToolResponse::InputRequired(serde_json::from_value(result).unwrap())
            }
            _ => CallToolResponse::Complete(serde_json::from_value(result).unwrap()),
        })
    }

    /// Returns what the server said about itself.
    pub(super) fn peer_info(&self) -> Option<&Value> {
        Some(&self.about_server)
    }
}

/// A running server and its client.
pub(super) struct Agent {
    client: Client,
    pub(super) child: Child,
    pub(super) told: Arc<Mutex<Vec<String>>>,
}

impl Agent {
    /// Starts a server that gives its results as data too, as programs want them.
    pub(super) async fn of(scenario: &Scenario, args: &[&str]) -> Self {
        Self::begun(scenario, args, Lifecycle::Initialize, Listener::default()).await
    }

    pub(super) async fn begun(
        scenario: &Scenario,
        args: &[&str],
        lifecycle: Lifecycle,
        listener: Listener,
    ) -> Self {
        let mut command = scenario.program_under_test();
        command.args(["mcp", "--structured"]).args(args);
        Self::started(command, lifecycle, listener).await
    }

    /// Starts a server with this command.
    pub(super) async fn started(
        mut command: std::process::Command,
        lifecycle: Lifecycle,
        listener: Listener,
    ) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap();
        let (output, input) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let told = Arc::clone(&listener.told);
        let connection = Connection::open(output, input, listener);
        Self { client: Client::start(connection, lifecycle).await, child, told }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Calls a tool; a protocol error fails the test.
    pub(super) async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        self.try_call(tool, arguments).await.unwrap()
    }

    pub(super) async fn try_call(
        &self,
        tool: &'static str,
        arguments: Value,
    ) -> Result<CallToolResult, Refusal> {
        let params = json!({ "name": tool, "arguments": arguments });
        self.client.ask_with_answers("tools/call", params).await
    }

    /// Starts a tool call that can be cancelled.
    pub(super) async fn begin(&self, tool: &'static str, arguments: Value) -> BegunCall<'_> {
        let params = json!({ "name": tool, "arguments": arguments });
        BegunCall { id: self.client.begin("tools/call", &params).await, client: &self.client }
    }

    /// Calls a tool and returns its result as data.
    pub(super) async fn call_json(&self, tool: &'static str, arguments: Value) -> Value {
        self.call(tool, arguments).await.structured_content.unwrap()
    }

    /// Disconnects properly, and waits until the server has ended too.
    pub(super) async fn leave(mut self) -> std::process::ExitStatus {
        self.client.connection.close().await;
        self.child.wait().await.unwrap()
    }
}

/// A tool call without its result.
pub(super) struct BegunCall<'a> {
    id: u64,
    client: &'a Client,
}

impl BegunCall<'_> {
    pub(super) async fn cancel(self, reason: Option<String>) -> Result<(), Refusal> {
        let params = json!({ "requestId": self.id, "reason": reason });
        self.client.connection.tell("notifications/cancelled", params).await;
        Ok(())
    }
}

/// The text of a result.
pub(super) fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|it| it.text.clone()).collect()
}
