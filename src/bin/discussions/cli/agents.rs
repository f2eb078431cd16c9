//! Registers this server with agent programs: adds an entry to their configuration, and a skill that tells agents when
//! to use the server.

use std::path::Path;

use clap::ValueEnum;
use discussions::view::SetUp;
use serde_json::{Map, Value, json};
use toml_edit::{Array, Table, value};

use crate::cli::error::CommandError;
use crate::cli::project_file::{
    EntryAddition, ProjectFile, TableAddition, with_entry, with_lf, with_toml_table,
};

/// The skill, which says when a discussion is worth its calls.
const SKILL: &str = include_str!("agents/skill.md");

/// The server's name in every configuration.
const NAME: &str = "discussions";

/// The time limit of a tool call. Some programs end a tool after a minute by default; this server's tools answer within
/// four.
const SECONDS: u32 = 300;

/// The folder of the project, as VS Code and Cursor write it. Both may start a server elsewhere.
const WORKSPACE: &str = "${workspaceFolder}";

/// The file of opencode that most projects have.
const OPENCODE: &str = "opencode.json";

/// A program that runs agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code
    Claude,
    /// Codex CLI
    Codex,
    /// Gemini CLI
    Gemini,
    /// Visual Studio Code
    Vscode,
    /// Cursor
    Cursor,
    /// opencode
    Opencode,
    /// Zed
    Zed,
}

impl Agent {
    /// Returns the path of its configuration within a project.
    fn configuration(self, folder: &Path) -> &'static str {
        match self {
            Self::Claude => ".mcp.json",
            Self::Codex => ".codex/config.toml",
            Self::Gemini => ".gemini/settings.json",
            Self::Vscode => ".vscode/mcp.json",
            Self::Cursor => ".cursor/mcp.json",
            // If a project has both, the entries of the other one count.
            Self::Opencode if folder.join("opencode.jsonc").exists() => "opencode.jsonc",
            Self::Opencode => OPENCODE,
            Self::Zed => ".zed/settings.json",
        }
    }

    /// Returns the path of the skill within a project. Most programs read the folder that they share.
    fn skill(self) -> &'static str {
        match self {
            Self::Claude => ".claude/skills/discussions/SKILL.md",
            Self::Gemini => ".gemini/skills/discussions/SKILL.md",
            Self::Codex | Self::Vscode | Self::Cursor | Self::Opencode | Self::Zed => {
                ".agents/skills/discussions/SKILL.md"
            }
        }
    }

    /// Returns the key of all servers in a configuration in JSON.
    fn key(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::Opencode => "mcp",
            Self::Zed => "context_servers",
            Self::Claude | Self::Codex | Self::Gemini | Self::Cursor => "mcpServers",
        }
    }

    /// Returns the entry of our server in a configuration in JSON.
    fn server(self) -> Value {
        match self {
            Self::Vscode => {
                // Without a working folder: Windows would look for the program there first.
                json!({"type": "stdio", "command": NAME, "args": ["mcp", "--root", WORKSPACE]})
            }
            Self::Cursor => json!({"command": NAME, "args": ["mcp", "--root", WORKSPACE]}),
            Self::Opencode => {
                json!({"type": "local", "command": [NAME, "mcp"], "timeout": SECONDS * 1000})
            }
            Self::Zed => json!({"command": NAME, "args": ["mcp"], "timeout": SECONDS}),
            Self::Claude | Self::Codex | Self::Gemini => json!({"command": NAME, "args": ["mcp"]}),
        }
    }

    /// Returns a new configuration without servers.
    fn empty(self) -> Map<String, Value> {
        let schema = ("$schema".to_owned(), "https://opencode.ai/config.json".into());
        (self == Self::Opencode).then_some(schema).into_iter().collect()
    }

    /// Adds our server to the configuration.
    fn with_server(self, before: &str) -> Result<EntryAddition, String> {
        match self {
            Self::Codex => with_toml_server(before, NAME, SECONDS),
            _ if before.trim().is_empty() => {
                let mut all = self.empty();
                all.insert(self.key().to_owned(), json!({NAME: self.server()}));
                let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
                Ok(EntryAddition::Added(text + "\n"))
            }
            _ => with_entry(before, self.key(), NAME, &self.server()),
        }
    }

    /// Returns the text that a user adds by hand.
    fn by_hand(self) -> String {
        match self {
            Self::Codex => {
                format!("[mcp_servers.{NAME}] command = \"discussions\", args = [\"mcp\"]")
            }
            _ => json!({self.key(): {NAME: self.server()}}).to_string(),
        }
    }

    /// Writes the configuration and the skill into a project. Keeps everything that is already there.
    pub(crate) fn set_up(self, folder: &Path) -> Result<Vec<SetUp>, CommandError> {
        let mut done = Vec::new();
        let file = self.configuration(folder);
        if self == Self::Opencode && file != OPENCODE {
            let other = ProjectFile::open(folder, OPENCODE)?;
            match with_entry(other.present_text(), self.key(), NAME, &self.server()) {
                Ok(EntryAddition::Differs(found)) => {
                    let file = OPENCODE.to_owned();
                    done.push(SetUp::Differs { file, found, line: self.by_hand() });
                }
                Err(_) if other.exists() => {
                    done.push(SetUp::Foreign { file: OPENCODE.to_owned(), line: self.by_hand() });
                }
                _ => {}
            }
        }
        let configuration = ProjectFile::open(folder, file)?;
        match self.with_server(configuration.present_text()) {
            Ok(EntryAddition::Added(text)) => {
                configuration.write(&text)?;
                done.push(SetUp::Added { file: file.to_owned(), line: self.by_hand() });
            }
            Ok(EntryAddition::Present) => {}
            Ok(EntryAddition::Differs(found)) => {
                done.push(SetUp::Differs { file: file.to_owned(), found, line: self.by_hand() });
            }
            // The program cannot parse the file, so its owner must add the line.
            Err(_) => done.push(SetUp::Foreign { file: file.to_owned(), line: self.by_hand() }),
        }
        let file = self.skill();
        let skill = ProjectFile::open(folder, file)?;
        let line = "when a discussion is worth its cost".to_owned();
        if !skill.exists() {
            skill.write(SKILL)?;
            done.push(SetUp::Added { file: file.to_owned(), line });
        } else if with_lf(skill.present_text()) != SKILL {
            let found = skill.present_text().to_owned();
            done.push(SetUp::Differs { file: file.to_owned(), found, line });
        }
        Ok(done)
    }
}

/// Adds a server to the text.
fn with_toml_server(before: &str, name: &str, seconds: u32) -> Result<EntryAddition, String> {
    let mut server = Table::new();
    server.insert("command", value("discussions"));
    server.insert("args", value(Array::from_iter(["mcp"])));
    server.insert("tool_timeout_sec", value(i64::from(seconds)));
    Ok(match with_toml_table(before, "mcp_servers", name, server)? {
        TableAddition::Added(all) => EntryAddition::Added(all.to_string()),
        TableAddition::Present(_) => EntryAddition::Present,
        TableAddition::Differs(found) => EntryAddition::Differs(found),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(addition: Result<EntryAddition, String>) -> String {
        match addition {
            Ok(EntryAddition::Added(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn new_configuration_names_the_program_and_no_path_of_this_machine() {
        for agent in Agent::value_variants() {
            let text = added(agent.with_server(""));
            assert!(text.contains(NAME) && text.contains("mcp"), "{text}");
            // `${workspaceFolder}` and the address of a schema are the same on every machine.
            let shown = text.replace("https://opencode.ai/config.json", "");
            assert!(!shown.contains('/'), "{agent:?}: {text}");
            assert_eq!(
                agent.with_server(&text),
                Ok(EntryAddition::Present),
                "{agent:?}: once is enough"
            );
            // The argument is the last of its kind; opencode's table has the same name.
            let argument = text.rfind("\"mcp\"").unwrap();
            let foreign = format!("{}\"mpc\"{}", &text[..argument], &text[argument + 5..]);
            let found = agent.with_server(&foreign);
            assert!(matches!(found, Ok(EntryAddition::Differs(_))), "{agent:?}: {found:?}");
        }
    }

    #[test]
    fn opencode_keeps_the_configuration_that_a_project_has() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Agent::Opencode.configuration(folder.path()), "opencode.json");
        std::fs::write(folder.path().join("opencode.jsonc"), "{}").unwrap();
        assert_eq!(Agent::Opencode.configuration(folder.path()), "opencode.jsonc");
    }

    #[test]
    fn other_server_in_the_second_file_of_opencode_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let ours = added(Agent::Opencode.with_server(""));
        std::fs::write(folder.path().join("opencode.jsonc"), ours).unwrap();
        let other = json!({"mcp": {NAME: {"type": "local", "command": ["sh", "-c", "id"]}}});
        std::fs::write(folder.path().join(OPENCODE), other.to_string()).unwrap();
        let done = Agent::Opencode.set_up(folder.path()).unwrap();
        assert!(matches!(&done[0], SetUp::Differs { file, .. } if file == OPENCODE), "{done:?}");
    }

    #[test]
    fn existing_tables_stay_and_ours_is_added_last() {
        let before = "# mine\nmodel = \"x\" # keep\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let after = added(with_toml_server(before, "ours", 9));
        assert!(after.starts_with(before), "{after}");
        let ours = "[mcp_servers.ours]\ncommand = \"discussions\"\nargs = [\"mcp\"]\ntool_timeout_sec = 9\n";
        assert!(after.contains(ours), "{after}");
        assert_eq!(
            with_toml_server(&after, "ours", 9),
            Ok(EntryAddition::Present),
            "once is enough"
        );
        let inline = "mcp_servers.ours = {command='discussions',args=['mcp'],tool_timeout_sec=9}";
        assert_eq!(with_toml_server(inline, "ours", 9), Ok(EntryAddition::Present));
        let foreign = format!("{after}[mcp_servers.ours.env]\nPATH = \"x\"\n");
        let found = with_toml_server(&foreign, "ours", 9);
        assert!(
            matches!(&found, Ok(EntryAddition::Differs(found)) if found.contains("PATH")),
            "{found:?}"
        );
        added(with_toml_server("", "ours", 9));
    }

    #[test]
    fn unreadable_file_is_an_error() {
        for before in ["a = ", "mcp_servers = 1"] {
            assert!(with_toml_server(before, "ours", 9).is_err(), "{before}");
        }
    }
}
