//! Finds the project that the server serves. Most clients start the server in the project's folder. Some start it in the
//! folder of an installed plugin, in the home folder or in the root folder, where discussions would be lost. These
//! clients have to name the project.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use discussions::view::visible_line;
use percent_encoding::percent_decode_str;
use rmcp::model::{
    InputRequest, InputRequests, InputRequiredResult, InputResponses, ProtocolVersion,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::Deserialize;
use serde_json::Value;
use tokio::task::block_in_place;
use tokio::time::timeout;

use super::Allowed;
use super::context::ServerContext;
use super::words::McpError;
use crate::cli::environment::HostEnvironment;
use crate::cli::error::CommandError;

/// The longest wait for the client's folders.
const PATIENCE: Duration = Duration::from_secs(10);
/// The key of the question for the folders in a result.
const ROOTS: &str = "roots";

/// The served project, as soon as it is known.
pub(super) struct ServedProject {
    /// The folder in which the client started the server.
    start: PathBuf,
    allowed: Allowed,
    context: OnceLock<Arc<ServerContext>>,
}

/// The reason why the project is not known.
pub(super) enum Unknown {
    /// The client has to repeat the call with its folders.
    Asks(Box<InputRequiredResult>),
    /// The client names no folder.
    Never(McpError),
}

impl Unknown {
    /// Returns the error of a request that is no tool call. Only the result of a tool call can ask for something.
    pub(super) fn protocol_error(self) -> ErrorData {
        let message = match self {
            Self::Asks(_) => "the project is not known yet: call a tool first".to_owned(),
            Self::Never(error) => error.message,
        };
        ErrorData::invalid_params(message, None)
    }
}

impl ServedProject {
    /// Returns the project in the folder of the server, or a project that the client has to name.
    pub(super) fn new(
        outside: HostEnvironment,
        allowed: Allowed,
        is_project: bool,
    ) -> Result<Self, CommandError> {
        let (start, context) = (outside.folder.clone(), OnceLock::new());
        if is_project {
            let _ = context.set(Arc::new(ServerContext::new(outside, allowed)?));
        }
        Ok(Self { start, allowed, context })
    }

    /// Returns the context of the project, if it is known already.
    pub(super) fn known_context(&self) -> Option<&Arc<ServerContext>> {
        self.context.get()
    }

    /// Returns the context of the project. If the project is not known, asks the client for its folders. `responses`
    /// are the answers in a repeated call.
    pub(super) async fn context(
        &self,
        request: &RequestContext<RoleServer>,
        responses: Option<&InputResponses>,
    ) -> Result<Arc<ServerContext>, Unknown> {
        if let Some(context) = self.known_context() {
            return Ok(Arc::clone(context));
        }
        let folders = match responses.and_then(|all| all.get(ROOTS)) {
            Some(answer) => folders(answer),
            None => match method(request) {
                RootsMethod::Now => asked_folders(request).await,
                RootsMethod::Result => return Err(Unknown::Asks(Box::new(question()))),
                RootsMethod::Never => Vec::new(),
            },
        };
        let folder = chosen(folders).ok_or_else(|| Unknown::Never(self.unknown()))?;
        block_in_place(|| self.open(&folder)).map_err(Unknown::Never)
    }

    /// Serves this folder from now on.
    fn open(&self, folder: &Path) -> Result<Arc<ServerContext>, McpError> {
        let shown = visible_line(&folder.to_string_lossy());
        let outside = HostEnvironment::look(Some(folder))
            .map_err(|error| McpError::input(format!("{shown}: {error}")))?;
        let context = ServerContext::new(outside, self.allowed)
            .map_err(|_| McpError::input(format!("{shown}: cannot serve this folder")))?;
        // A second call may have opened it in the meantime.
        Ok(Arc::clone(self.context.get_or_init(|| Arc::new(context))))
    }

    fn unknown(&self) -> McpError {
        let start = visible_line(&self.start.to_string_lossy());
        McpError::input(format!("the client started this server in {start} and names no project"))
            .help("a person can run `discussions init --agent NAME` in the project")
    }
}

/// The way in which the server can ask for the client's folders.
enum RootsMethod {
    /// By a request from the server during the call.
    Now,
    /// As the result of the call, because later versions of the protocol forbid requests from the server.
    Result,
    Never,
}

fn method(request: &RequestContext<RoleServer>) -> RootsMethod {
    let declares = request.client_capabilities().is_some_and(|client| client.roots.is_some());
    let early =
        |version: ProtocolVersion| version.as_str() < ProtocolVersion::V_2026_07_28.as_str();
    match request.protocol_version().map(early) {
        Some(true) if declares => RootsMethod::Now,
        Some(false) if declares => RootsMethod::Result,
        _ => RootsMethod::Never,
    }
}

fn question() -> InputRequiredResult {
    let asks = InputRequest::ListRoots(Default::default());
    InputRequiredResult::new(Some(InputRequests::from([(ROOTS.to_owned(), asks)])), None)
}

#[expect(
    deprecated,
    reason = "no other request tells the project; the protocol keeps this one for older clients"
)]
async fn asked_folders(request: &RequestContext<RoleServer>) -> Vec<PathBuf> {
    // A client that cannot answer is told why nothing works.
    match timeout(PATIENCE, request.peer.list_roots()).await {
        Ok(Ok(answer)) => answer.roots.iter().filter_map(|root| path_of(&root.uri)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the folders in an answer of a client.
fn folders(answer: &Value) -> Vec<PathBuf> {
    #[derive(Deserialize)]
    struct RootList {
        roots: Vec<NamedRoot>,
    }
    #[derive(Deserialize)]
    struct NamedRoot {
        uri: String,
    }
    let roots = RootList::deserialize(answer).map(|answer| answer.roots).unwrap_or_default();
    roots.iter().filter_map(|root| path_of(&root.uri)).collect()
}

/// Returns the path of a `file:` address.
fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    // `file:///C:/project` on Windows
    let path = match path.strip_prefix('/') {
        Some(drive) if drive.as_bytes().get(1) == Some(&b':') => drive,
        _ => path.as_ref(),
    };
    let path = PathBuf::from(path);
    path.is_absolute().then_some(path)
}

/// Returns the first folder with a configuration, or else the first folder.
fn chosen(folders: Vec<PathBuf>) -> Option<PathBuf> {
    let mut there = folders.into_iter().filter(|folder| folder.is_dir()).peekable();
    let first = there.peek().cloned();
    there.find(|folder| folder.join("discussions.yaml").is_file()).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_addresses_are_paths_and_others_are_not() {
        let path = |uri| path_of(uri).map(|path| path.display().to_string());
        assert_eq!(path("file:///home/rob/my%20shop").as_deref(), Some("/home/rob/my shop"));
        assert_eq!(path("file://localhost/src").as_deref(), Some("/src"));
        for other in
            ["https://example.org/", "file://elsewhere/share", "file://", "src", "file:///%FF"]
        {
            assert_eq!(path(other), None, "{other}");
        }
    }

    #[test]
    fn folder_with_a_configuration_is_chosen_before_the_first() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let both = || vec![PathBuf::from("/none"), one.path().to_owned(), two.path().to_owned()];
        assert_eq!(chosen(both()).as_deref(), Some(one.path()));
        std::fs::write(two.path().join("discussions.yaml"), "").unwrap();
        assert_eq!(chosen(both()).as_deref(), Some(two.path()));
        assert_eq!(chosen(Vec::new()), None);
    }
}
