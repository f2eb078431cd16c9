//! The front end for agents: a server of tools over standard input and output (Model Context Protocol).

mod comment;
mod context;
mod decisions;
mod elicit;
mod lines;
mod places;
mod project;
mod record;
mod resources;
mod results;
mod run;
mod run_results;
mod server;
mod status;
mod tools;
mod words;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;

use crate::cli::environment::HostEnvironment;
use crate::cli::error::CommandError;
use crate::cli::interrupt;

use self::project::ServedProject;
use self::server::Server;

/// The time for writing the last responses after the client has disconnected.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The limits that the user set when starting the server. No agent can exceed them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// True if nothing may be written and no model may be called.
    pub(crate) read_only: bool,
    /// The maximum cost in US dollars while the server runs.
    pub(crate) max_usd: Option<f64>,
    /// The maximum number of model calls in one tool call.
    pub(crate) max_calls: u32,
    /// True to give each result as data too. Some clients give their model only the data, others only the text, so the
    /// text alone is what every model reads.
    pub(crate) structured: bool,
}

/// Serves until standard input ends or the user interrupts it. Then it stops all runs; their files keep the finished
/// answers.
///
/// `is_project` is false if the folder is no place for discussions; the client then has to name the project.
pub(crate) fn serve(
    outside: HostEnvironment,
    allowed: Allowed,
    is_project: bool,
) -> Result<(), CommandError> {
    let project = Arc::new(ServedProject::new(outside, allowed, is_project)?);
    interrupt::finished(async {
        let server = Server::new(Arc::clone(&project), allowed);
        let served = async {
            // If the client disconnects before the handshake is complete, there is nothing to clean up.
            let (pipes, written) = lines::pipes();
            if let Ok(service) = server.serve(pipes).await {
                let _ = service.waiting().await;
            }
            // The last responses may still be on their way.
            let _ = tokio::time::timeout(LAST_WORDS, written).await;
        };
        tokio::select! {
            () = served => {}
            () = interrupt::signal() => {}
        }
        if let Some(door) = project.known_context() {
            door.runs.end_all().await;
        }
    })
}
