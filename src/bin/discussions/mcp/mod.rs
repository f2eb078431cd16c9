//! Agents: the program as a server of tools, over standard input and output (Model Context Protocol).

mod asked;
mod bounds;
mod door;
mod elicit;
mod lines;
mod look;
mod prompts;
mod purse;
mod resources;
mod root;
mod run;
mod runs;
mod say;
mod schema;
mod server;
mod told;
mod tools;
mod trouble;
mod words;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;

use crate::cli::error::Failure;
use crate::cli::interrupt;
use crate::cli::surroundings::Outside;

use self::door::Door;
use self::server::Server;

/// How long the last answers may take to be written once the client has gone.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What the person who starts the server allows, whatever an agent asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// Nothing is written and nobody is asked.
    pub(crate) read_only: bool,
    /// Most US dollars of the server's whole life.
    pub(crate) max_usd: Option<f64>,
    /// Most model calls of one call of a tool.
    pub(crate) max_calls: u32,
}

/// Serves until standard input ends or somebody interrupts; then what runs is ended, and its files keep what was answered.
pub(crate) fn serve(outside: Outside, allowed: Allowed) -> Result<(), Failure> {
    let door = Arc::new(Door::new(outside, allowed)?);
    interrupt::finished(async {
        let server = Server::new(Arc::clone(&door));
        let served = async {
            // A client that goes away before it said who it is leaves nothing to do.
            let (pipes, written) = lines::pipes();
            if let Ok(service) = server.serve(pipes).await {
                let _ = service.waiting().await;
            }
            // What was answered last is still on its way.
            let _ = tokio::time::timeout(LAST_WORDS, written).await;
        };
        tokio::select! {
            () = served => {}
            () = interrupt::signal() => {}
        }
        door.runs.end_all().await;
    })
}
