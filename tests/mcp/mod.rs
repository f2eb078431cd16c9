//! The program as an MCP server: a client with the real binary, in both lifecycles of the protocol.

mod access_limits;
mod agent_as_participant;
mod client;
mod connection;
mod decisions_of_files;
mod inspector;
mod interruptions;
mod pages;
mod planted_keys;
mod project_folder;
mod quoting;
mod second_look;
mod secrets;
mod set_up;
mod sub_discussions;
mod tools;
