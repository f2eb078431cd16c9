//! Registers this server with agent programs: adds a line to their configuration, and a skill that
//! tells agents when to use the server.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use discussions::view::SetUp;
use serde_json::{Map, Value, json};
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::cli::error::CommandError;
use crate::platform::use_shared_permissions;

/// The skill, which says when a discussion is worth its calls.
const SKILL: &str = include_str!("agents/skill.md");

/// The server's name in every configuration.
const NAME: &str = "discussions";

/// The time limit of a tool call. Codex ends a tool after a minute by default; this server's tools answer within four.
const SECONDS: i64 = 300;

/// A program that runs agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code
    Claude,
    /// Codex CLI
    Codex,
    /// Gemini CLI
    Gemini,
}

impl Agent {
    /// Returns the path of its configuration within a project.
    fn configuration(self) -> &'static str {
        match self {
            Self::Claude => ".mcp.json",
            Self::Codex => ".codex/config.toml",
            Self::Gemini => ".gemini/settings.json",
        }
    }

    fn skill(self) -> &'static str {
        match self {
            Self::Claude => ".claude/skills/discussions/SKILL.md",
            Self::Codex => ".agents/skills/discussions/SKILL.md",
            Self::Gemini => ".gemini/skills/discussions/SKILL.md",
        }
    }

    /// Returns the configuration with our server added; `None` if it already has a server of that name.
    fn with_server(self, before: &str) -> Result<Option<String>, String> {
        match self {
            Self::Codex => in_toml(before),
            Self::Claude | Self::Gemini => in_json(before),
        }
    }

    /// Returns the text that a user adds by hand.
    fn by_hand(self) -> String {
        match self {
            Self::Codex => {
                format!("[mcp_servers.{NAME}] command = \"discussions\", args = [\"mcp\"]")
            }
            Self::Claude | Self::Gemini => json!({"mcpServers": {NAME: server()}}).to_string(),
        }
    }

    /// Writes the configuration and the skill into a project. Keeps everything that is already there.
    pub(crate) fn set_up(self, folder: &Path) -> Result<Vec<SetUp>, CommandError> {
        let mut done = Vec::new();
        let file = self.configuration();
        let path = own(folder, file)?;
        let before = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| write_failure(file, &error))?,
        };
        match self.with_server(&before) {
            Ok(Some(text)) => {
                write(&path, &text).map_err(|error| write_failure(file, &error))?;
                done.push(SetUp::Added { file: file.to_owned(), line: self.by_hand() });
            }
            Ok(None) => {}
            // The program cannot parse the file, so its owner must add the line.
            Err(_) => done.push(SetUp::Foreign { file: file.to_owned(), line: self.by_hand() }),
        }
        let file = self.skill();
        let path = own(folder, file)?;
        if !path.exists() {
            write(&path, SKILL).map_err(|error| write_failure(file, &error))?;
            let line = "when a discussion is worth its cost".to_owned();
            done.push(SetUp::Added { file: file.to_owned(), line });
        }
        Ok(done)
    }
}

fn write_failure(file: &str, error: &io::Error) -> CommandError {
    CommandError::io(format!("{file}: {error}"))
}

/// Returns the path in the project. Fails if a link on the way leads elsewhere, because the project's author may have
/// created it.
fn own(folder: &Path, file: &str) -> Result<PathBuf, CommandError> {
    let mut path = folder.to_owned();
    for part in Path::new(file) {
        path.push(part);
        if path.is_symlink() {
            return Err(CommandError::input(format!("{file}: a symbolic link is in the way"))
                .help("edit the target of the link yourself, or remove the link"));
        }
    }
    Ok(path)
}

/// Writes a file atomically.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    use_shared_permissions(&mut builder);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn server() -> Value {
    json!({"command": "discussions", "args": ["mcp"]})
}

fn in_json(before: &str) -> Result<Option<String>, String> {
    let mut all: Value = match before.trim() {
        "" => Value::Object(Map::new()),
        text => serde_json::from_str(text).map_err(|error| error.to_string())?,
    };
    let no_map = || "not an object".to_owned();
    let top = all.as_object_mut().ok_or_else(no_map)?;
    let servers = top.entry("mcpServers").or_insert_with(|| Value::Object(Map::new()));
    let servers = servers.as_object_mut().ok_or_else(no_map)?;
    if servers.contains_key(NAME) {
        return Ok(None);
    }
    servers.insert(NAME.to_owned(), server());
    let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
    Ok(Some(text + "\n"))
}

fn in_toml(before: &str) -> Result<Option<String>, String> {
    let mut all: DocumentMut =
        before.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let servers = all.entry("mcp_servers").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or("not a table")?;
    if servers.contains_key(NAME) {
        return Ok(None);
    }
    let mut server = Table::new();
    server.insert("command", value("discussions"));
    server.insert("args", value(Array::from_iter(["mcp"])));
    server.insert("tool_timeout_sec", value(SECONDS));
    servers.insert(NAME, Item::Table(server));
    Ok(Some(all.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_entries_stay_and_ours_is_added_last() {
        let before = "{\"theme\": \"dark\", \"mcpServers\": {\"other\": {\"url\": \"x\"}}}";
        let after = in_json(before).unwrap().unwrap();
        let read: Value = serde_json::from_str(&after).unwrap();
        assert_eq!(read["theme"], "dark");
        assert_eq!(read["mcpServers"]["other"]["url"], "x");
        assert_eq!(read["mcpServers"]["discussions"], server());
        assert_eq!(in_json(&after).unwrap(), None, "once is enough");
        let before = "# mine\nmodel = \"x\" # keep\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let after = in_toml(before).unwrap().unwrap();
        assert!(after.starts_with(before), "{after}");
        assert!(
            after.contains(
                "[mcp_servers.discussions]\ncommand = \"discussions\"\nargs = [\"mcp\"]\n"
            ),
            "{after}"
        );
        assert_eq!(in_toml(&after).unwrap(), None);
        assert!(in_json("").unwrap().is_some() && in_toml("").unwrap().is_some());
    }

    #[test]
    fn unreadable_configuration_is_not_overwritten() {
        for before in ["{\"a\": 1, // a comment\n}", "[]", "{\"mcpServers\": []}"] {
            assert!(in_json(before).is_err(), "{before}");
        }
        for before in ["a = ", "mcp_servers = 1"] {
            assert!(in_toml(before).is_err(), "{before}");
        }
    }
}
