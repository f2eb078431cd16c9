//! The program as an MCP server, with a client of others: tests of `tests/mcp/` in both lifecycles of the protocol.

mod client;

#[path = "../../mcp/agent_as_participant.rs"]
mod agent_as_participant;
#[path = "../../mcp/interruptions.rs"]
mod interruptions;
#[path = "../../mcp/project_folder.rs"]
mod project_folder;
#[path = "../../mcp/quoting.rs"]
mod quoting;
#[path = "../../mcp/tools.rs"]
mod tools;
