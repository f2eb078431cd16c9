//! A client of others, which reads and writes as it understands the protocol.

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig,
    ClientRequest, ElicitRequestParams, ElicitResult, ElicitationAction, Implementation,
    ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{
    NotificationContext, PeerRequestOptions, RequestContext, RequestHandle, RunningService,
};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt as _, ErrorData, RoleClient, ServiceError,
};
use serde_json::Value;
use tokio::process::Child;

use crate::cli::Scenario;

/// Receives notifications, and answers questions for the person behind the client.
#[derive(Clone, Default)]
pub(super) struct Listener {
    pub(super) told: Arc<Mutex<Vec<String>>>,
    pub(super) answer: Option<&'static str>,
    /// The folders that the client names if the server asks for them.
    pub(super) roots: Vec<String>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = match self.answer {
            Some(_) => ClientCapabilities::builder().enable_elicitation().build(),
            None => ClientCapabilities::default(),
        };
        capabilities.roots = (!self.roots.is_empty()).then(Default::default);
        ClientConfig::new(capabilities, Implementation::new("an-agent", "1.0.0"))
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.told.lock().unwrap().extend(progress.message);
    }

    #[expect(deprecated, reason = "clients of today name their folders so")]
    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        let roots = self.roots.iter().map(rmcp::model::Root::new).collect();
        Ok(rmcp::model::ListRootsResult::new(roots))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asked = serde_json::to_value(&request).unwrap();
        self.told.lock().unwrap().push(format!("a person is asked: {}", asked["message"]));
        Ok(match self.answer {
            Some("") | None => ElicitResult::new(ElicitationAction::Cancel),
            Some(text) => ElicitResult::new(ElicitationAction::Accept)
                .with_content(serde_json::json!({ "answer": text })),
        })
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

/// A running server and its client.
pub(super) struct Agent {
    client: RunningService<RoleClient, Listener>,
    pub(super) child: Child,
    pub(super) told: Arc<Mutex<Vec<String>>>,
}

impl Agent {
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
        let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let told = Arc::clone(&listener.told);
        let client = match lifecycle {
            Lifecycle::Initialize => {
                listener.serve_with_lifecycle(pipes, ClientLifecycleMode::Initialize).await.unwrap()
            }
            Lifecycle::Discover => {
                let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
                let mode = ClientLifecycleMode::Discover { preferred_versions };
                listener.serve_with_lifecycle(pipes, mode).await.unwrap()
            }
        };
        Self { client, child, told }
    }

    pub(super) fn client(&self) -> &RunningService<RoleClient, Listener> {
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
    ) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(request).await
    }

    /// Starts a tool call that can be cancelled.
    pub(super) async fn begin(
        &self,
        tool: &'static str,
        arguments: Value,
    ) -> RequestHandle<RoleClient> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(request));
        let options = PeerRequestOptions::no_options();
        self.client.send_cancellable_request(request, options).await.unwrap()
    }

    /// Calls a tool and returns its result as data.
    pub(super) async fn call_json(&self, tool: &'static str, arguments: Value) -> Value {
        self.call(tool, arguments).await.structured_content.unwrap()
    }

    /// Disconnects properly, and waits until the server has ended too.
    pub(super) async fn leave(mut self) -> std::process::ExitStatus {
        self.client.cancel().await.unwrap();
        self.child.wait().await.unwrap()
    }
}

/// The text of a result.
pub(super) fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|it| it.text.clone()).collect()
}
