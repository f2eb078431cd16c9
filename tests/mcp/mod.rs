//! The program as an MCP server: a client with the real binary, in both lifecycles of the protocol.

mod access_limits;
mod agent_as_participant;
mod ballots;
mod client;
mod connection;
mod decision_cases;
mod decisions_of_files;
mod decisions_of_people;
mod inspector;
mod interruptions;
mod pages;
mod pattern_prompts;
mod planted_keys;
mod project_folder;
mod questions_to_people;
mod quoting;
mod recorded_decisions;
mod second_look;
mod secrets;
mod set_up;
mod sub_discussions;
mod text_results;
mod tools;
